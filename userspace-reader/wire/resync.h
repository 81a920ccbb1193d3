/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a stream does about damage, private to the library. */
#ifndef TRING_RESYNC_H
#define TRING_RESYNC_H

#include "wire.h"

/* Number of records that may be tried in a packet, for each of its bytes. */
#define TRING_EFFORT	32

/* resync.c */
bool tring_resync_records(struct tring_stream *stream, const struct tring_record *record,
			  enum tring_reason reason);

/* repair.c */
void tring_repair_times(struct tring_stream *stream, struct tring_packet *packet, size_t end);
void tring_repair_counts(struct tring_stream *stream, struct tring_packet *packet, size_t end);

/* They use these of parse.c and stream.c. */
bool tring_is_zeroed(const uint8_t *bytes, size_t size);
enum tring_reason tring_stream_identify(const struct tring_stream *stream,
					const struct tring_packet *packet);
void tring_stream_tell(struct tring_stream *stream, uint64_t offset, enum tring_reason reason,
		       uint64_t skipped);

#endif /* TRING_RESYNC_H */
