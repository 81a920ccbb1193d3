/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Search for records behind damage, private to the library. */
#ifndef TRING_RESYNC_H
#define TRING_RESYNC_H

#include "wire.h"

/**
 * struct tring_search - a search for a packet's next records
 * @packet: the packet; @packet->timestamp_end and @packet->lengths may be guesses
 * @from: where records were read from without a fault
 * @bad: offset of the record that cannot be right, at or behind @from
 * @floor: the packet's first record is not earlier, whatever timestamp_begin says
 * @effort: number of records that may be tried, counted down
 */
struct tring_search {
	const struct tring_packet *packet;
	struct tring_cursor from;
	size_t		bad;
	uint64_t	floor;
	size_t		*effort;
};

bool tring_search_fits(const struct tring_search *search, size_t at, uint64_t before);
bool tring_search_records(const struct tring_search *search, struct tring_cursor *cursor,
			  bool *unsure);

/* stream.c uses these of mend.c. */
bool tring_mend_records(struct tring_stream *stream, const struct tring_record *record,
			enum tring_reason reason);
bool tring_mend_end(struct tring_stream *stream);
void tring_mend_packet(struct tring_stream *stream, struct tring_packet *packet, size_t end);
void tring_mend_counts(struct tring_stream *stream, struct tring_packet *packet, size_t end);
void tring_mend_learn(struct tring_stream *stream);
bool tring_mend_header(struct tring_stream *stream, struct tring_packet *packet, size_t end,
		       enum tring_reason reason, struct tring_cursor *cursor);

/* mend.c uses these of parse.c and stream.c. */
void tring_packet_load(const void *data, struct tring_packet *packet);
bool tring_is_zeroed(const uint8_t *bytes, size_t size);
void tring_stream_tell(struct tring_stream *stream, uint64_t offset, enum tring_reason reason,
		       uint64_t skipped);

/* The ring pads a packet with less than this many bytes. */
#define TRING_PAD_END	8

#endif /* TRING_RESYNC_H */
