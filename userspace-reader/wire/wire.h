/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libtring_parse: reads tring packet streams in memory.
 *
 * The library does no I/O and allocates nothing. It reads no byte outside the
 * range that the caller gives, whatever the bytes are. Each check of the input
 * has its own reason. See uapi/format.md for the format.
 *
 * Three levels, each usable without the next one:
 *   tring_packet_parse() + tring_record_next()	one packet
 *   tring_stream_next()			one CPU's packets, with losses
 *   tring_merge_next()				all CPUs in time order
 */
#ifndef TRING_PARSE_H
#define TRING_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#include "tring.h"
#include "tring_format.h"
#include "util/number.h"

/* Value of tring_record::id that is no id of ftrace's events: what was reserved and discarded. */
#define TRING_ID_DISCARDED		0

/*
 * Content of a packet that "tring record" adds to tell of losses: a discarded record without
 * fields. See uapi/format.md.
 */
#define TRING_FILLER_CONTENT	(TRING_PACKET_HEADER_SIZE + TRING_WORD_SIZE + 1 + \
				 TRING_PID_SIZE + TRING_LONG_LENGTH_SIZE)

/**
 * enum tring_reason - result of a call, or the reason why input is bad
 *
 * tring_reason_text() has a text for each. After a reason for which
 * tring_reason_is_soft() is true the packet or record is usable.
 */
enum tring_reason {
	TRING_OK,
	TRING_END,

	TRING_PACKET_HEADER_TORN,
	TRING_PACKET_ZEROED,
	TRING_PACKET_NO_MAGIC,
	TRING_PACKET_VERSION,
	TRING_PACKET_UNFINISHED,
	TRING_PACKET_CONTENT_BITS,
	TRING_PACKET_SIZE_BITS,
	TRING_PACKET_CONTENT_SHORT,
	TRING_PACKET_SIZE_SHORT,
	TRING_PACKET_TRUNCATED,
	TRING_PACKET_EMPTY,
	TRING_PACKET_TIME_BACKWARDS,
	TRING_PACKET_CONTENT_EARLY,

	TRING_STREAM_BYTE_ORDER,
	TRING_STREAM_UUID,
	TRING_STREAM_CPU,
	TRING_STREAM_SEQUENCE,
	TRING_STREAM_DISCARDED,
	TRING_STREAM_OVERLAP,
	TRING_STREAM_FIRST_TIME,
	TRING_PACKET_OVERRUN,

	TRING_RECORD_HEADER_TORN,
	TRING_RECORD_TYPE_UNUSED,
	TRING_RECORD_ID,
	TRING_RECORD_CONTEXT,
	TRING_RECORD_LENGTH_TORN,
	TRING_RECORD_FIELDS_SHORT,
	TRING_RECORD_FIELDS_TORN,
	TRING_RECORD_STAMP_BACKWARDS,
	TRING_RECORD_STAMP_LATE,
	TRING_RECORD_STAMP_UNSURE,
	TRING_RECORD_PID_UNKNOWN,

	TRING_REASONS,
};

/**
 * struct tring_packet - a packet's header in the host's byte order
 * @data: first byte of the packet
 * @offset: offset of the packet in its stream, or in its frame; for messages, and as its name
 * @readable: number of bytes from @data that records are read from: the content,
 *	or the available part of it in a truncated packet
 * @big_endian: byte order of the packet
 * @uuid: uuid of the trace
 * @timestamp_begin: reference of the first compact timestamp
 * @timestamp_end: no record has a later timestamp
 * @content_size: bytes up to the exact end of the last record
 * @packet_size: bytes up to the next packet
 * @seq_num: number of the packet in its stream
 * @discarded: events lost in this stream up to @timestamp_end
 * @cpu_id: CPU that wrote the packet
 * @lengths: by type: bytes of the fields, or TRING_LENGTH_VARIES; 0 if the type
 *	is not short or no record has it
 * @short_ids: by type: ftrace's id of the event, 0 if unknown; TRING_TYPES
 *	entries that the caller owns, never NULL. Packets do not contain it, so
 *	tring_packet_parse() sets a table of zeroes
 */
struct tring_packet {
	const uint8_t	*data;
	uint64_t	offset;
	size_t		readable;
	bool		big_endian;
	uint8_t		uuid[TRING_UUID_SIZE];
	uint64_t	timestamp_begin;
	uint64_t	timestamp_end;
	uint32_t	content_size;
	uint32_t	packet_size;
	uint64_t	seq_num;
	uint64_t	discarded;
	uint64_t	cpu_id;
	uint8_t		lengths[TRING_TYPES];
	const uint16_t	*short_ids;
};

/**
 * struct tring_cursor - position in a packet's records
 * @packet: the packet; must outlive the cursor
 * @position: offset of the next record in the packet
 * @stamp: full timestamp of the previous record
 * @pid: pid of the previous record
 * @know_pid: a previous record has set @pid
 */
struct tring_cursor {
	const struct tring_packet *packet;
	size_t		position;
	uint64_t	stamp;
	int32_t		pid;
	bool		know_pid;
};

struct tring_stream;

/**
 * typedef tring_report_fn - called for every piece of bad input
 * @stream: the stream that contains it
 * @offset: offset of the bad packet or record in the stream
 * @reason: what is wrong; a wrong timestamp is reported once a packet, because
 *	all compact ones behind it inherit it
 * @skipped: number of bytes skipped up to the next record that is right, or up to the next
 *	plausible packet; 0 if the packet or record is used
 */
typedef void tring_report_fn(const struct tring_stream *stream, uint64_t offset,
			     enum tring_reason reason, uint64_t skipped);

/**
 * typedef tring_enter_fn - called for every packet before its records
 * @stream: the stream; @stream->packet is the packet
 */
typedef void tring_enter_fn(const struct tring_stream *stream);

/**
 * typedef tring_more_fn - called at the end of the packets that are in memory
 * @stream: the stream, of which it may change @data and @size; @next is where reading goes on.
 *	No record of the stream is in use
 *
 * Return: false if there are no more packets now. It is called again then if the caller asks
 * for another record.
 */
typedef bool tring_more_fn(struct tring_stream *stream);

/**
 * typedef tring_data_fn - finds the next piece of a file that has data
 * @stream: the stream
 * @from: offset in @data; moved to the begin of the piece, up to @size
 * @end: @size; moved to the end of the piece
 */
typedef void tring_data_fn(const struct tring_stream *stream, size_t *from, size_t *end);

/**
 * typedef tring_fetch_fn - gets the next record of a stream that has no packets
 * @stream: the stream; the function adds what was lost before the record to @pending_events
 *	and @pending_packets, and at the end what was lost behind the last one
 * @record: filled in; its payload is valid until the next call
 *
 * Return: false at the end.
 */
typedef bool tring_fetch_fn(struct tring_stream *stream, struct tring_record *record);

/**
 * struct tring_stream - the packets of one CPU in memory
 * @data: bytes of the stream
 * @size: number of bytes
 * @report: called for bad input, may be NULL
 * @enter: called for each packet, may be NULL
 * @more: called at the end of @data, may be NULL
 * @find_data: called where a search begins, may be NULL: all may be data
 * @private: for use by @report, @enter and @more
 * @source: for use by @more and @find_data
 * @unwanted: short types of which most records are skipped, one bit for each
 * @skipped: number of records that were skipped
 * @fetch: source of the records instead of packets in memory, or NULL
 * @fetch_data: for use by @fetch
 * @packet: packet of the last record that was returned
 * @lost_events: events lost between the previous record and the one that was
 *	just returned, by the packets' headers; set for a packet's first record.
 *	Events that were refused within a packet count as lost behind it
 * @lost_packets: packets missing between the two records; their events are
 *	counted in @lost_events
 * @errors: pieces of bad input so far
 * @packets: packets so far
 * @started: @packet is valid
 * @pending_events: events lost since the last record that was returned; at the
 *	end of the stream, events lost behind the last record
 * @pending_packets: packets missing in the same place
 * @later_events: events lost behind the records of @packet
 * @partial: packets were left out, because they lie outside of the time range
 *
 * The other members are private to tring_stream_next().
 * @ahead: header of the packet behind @packet
 * @ahead_reason: what is wrong with it
 * @ahead_size: number of bytes from there on when it was read; 0 if it was not
 */
struct tring_stream {
	const uint8_t	*data;
	size_t		size;
	tring_report_fn	*report;
	tring_enter_fn	*enter;
	tring_more_fn	*more;
	tring_data_fn	*find_data;
	void		*private;
	void		*source;
	uint32_t	unwanted;
	uint64_t	skipped;
	tring_fetch_fn	*fetch;
	void		*fetch_data;
	struct tring_packet packet;
	uint64_t	lost_events;
	uint64_t	lost_packets;
	uint64_t	errors;
	uint64_t	packets;
	bool		started;

	struct tring_packet ahead;
	enum tring_reason ahead_reason;
	size_t		ahead_size;
	struct tring_cursor cursor;
	struct tring_cursor anchor;
	uint64_t	floor;
	size_t		effort;
	size_t		next;
	size_t		resync;
	uint64_t	seen_discarded;
	uint64_t	pending_events;
	uint64_t	pending_packets;
	uint64_t	later_events;
	uint8_t		uuid[TRING_UUID_SIZE];
	const uint16_t	*short_ids;
	bool		in_packet;
	bool		know_discarded;
	bool		know_uuid;
	uint64_t	cpu;
	bool		know_cpu;
	bool		stamp_reported;
	uint64_t	from;
	uint64_t	to;
	bool		partial;
	bool		past;
};

/**
 * struct tring_merge_entry - one stream in a merge
 * @stream: the stream, set by the caller
 * @record: next record of the stream
 */
struct tring_merge_entry {
	struct tring_stream *stream;
	struct tring_record record;
};

/**
 * struct tring_merge - several streams in time order
 * @heap: the caller's entries, earliest first
 * @count: number of entries that have a record
 * @limit: the first entry stays the first while its records are earlier
 * @taken: the caller has got the first entry's record
 */
struct tring_merge {
	struct tring_merge_entry *heap;
	size_t		count;
	uint64_t	limit;
	bool		taken;
};

const char *tring_reason_text(enum tring_reason reason);
bool tring_reason_is_soft(enum tring_reason reason);

void tring_packet_load(struct tring_packet *packet, const void *data, bool big_endian);
enum tring_reason tring_packet_parse(const void *data, size_t size,
				     struct tring_packet *packet);
size_t tring_packet_whole(const void *data, size_t size);
size_t tring_packet_find(const void *data, size_t size, size_t from,
			 const uint8_t *uuid);
bool tring_packet_begins_right(const struct tring_packet *packet);
void tring_cursor_init(struct tring_cursor *cursor,
		       const struct tring_packet *packet);
enum tring_reason tring_record_next(struct tring_cursor *cursor,
				    struct tring_record *record);

void tring_stream_init(struct tring_stream *stream, const void *data,
		       size_t size);
void tring_stream_know_uuid(struct tring_stream *stream, const uint8_t *uuid);
void tring_stream_know_cpu(struct tring_stream *stream, uint64_t cpu);
void tring_stream_know_discarded(struct tring_stream *stream,
				 uint64_t discarded);
void tring_stream_know_short_ids(struct tring_stream *stream,
				 const uint16_t *short_ids);
void tring_stream_set_range(struct tring_stream *stream, uint64_t from, uint64_t to);
void tring_stream_go_on(struct tring_stream *stream, const void *data, size_t size);
void tring_stream_go_on_anew(struct tring_stream *stream, const void *data, size_t size);
enum tring_reason tring_stream_next(struct tring_stream *stream,
				    struct tring_record *record);

void tring_merge_init(struct tring_merge *merge,
		      struct tring_merge_entry *entries, size_t count);
struct tring_merge_entry *tring_merge_next(struct tring_merge *merge);
void tring_merge_settle(struct tring_merge *merge);
bool tring_merge_has(const struct tring_merge *merge, const struct tring_stream *stream);
struct tring_merge_entry *tring_merge_resume(struct tring_merge *merge,
					     struct tring_stream *stream);

#endif /* TRING_PARSE_H */
