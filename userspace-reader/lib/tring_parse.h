/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libtring_parse: walks tring packet streams that lie in memory.
 *
 * The library does no I/O and allocates nothing. It looks at no byte outside
 * the range that it was given, whatever the bytes say, and each check that
 * input can fail has its own reason. See uapi/format.md for the format.
 *
 * Three levels, each usable without the ones above it:
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

#include "tring_format.h"

/* In struct tring_record: numbers that no event of ftrace has. */
#define TRING_ID_DISCARDED		0
#define TRING_ID_UNKNOWN		0xffff

/**
 * tring_load_u16 - number in a stream's byte order
 * @from: 2 bytes, any alignment
 * @big_endian: byte order of the stream
 *
 * Return: the number.
 */
static inline uint16_t tring_load_u16(const void *from, bool big_endian)
{
	uint16_t value;

	memcpy(&value, from, sizeof(value));
	return big_endian ? be16toh(value) : le16toh(value);
}

/**
 * tring_load_u32 - number in a stream's byte order
 * @from: 4 bytes, any alignment
 * @big_endian: byte order of the stream
 *
 * Return: the number.
 */
static inline uint32_t tring_load_u32(const void *from, bool big_endian)
{
	uint32_t value;

	memcpy(&value, from, sizeof(value));
	return big_endian ? be32toh(value) : le32toh(value);
}

/**
 * tring_load_u64 - number in a stream's byte order
 * @from: 8 bytes, any alignment
 * @big_endian: byte order of the stream
 *
 * Return: the number.
 */
static inline uint64_t tring_load_u64(const void *from, bool big_endian)
{
	uint64_t value;

	memcpy(&value, from, sizeof(value));
	return big_endian ? be64toh(value) : le64toh(value);
}

/**
 * enum tring_reason - what a call has to say, and why input was refused
 *
 * See tring_reason_text() for the sentence that goes with each and
 * tring_reason_is_soft() for those after which the object is usable still.
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

	TRING_STREAM_BYTE_ORDER,
	TRING_STREAM_UUID,
	TRING_STREAM_CPU,
	TRING_STREAM_SEQUENCE,
	TRING_STREAM_DISCARDED,
	TRING_STREAM_OVERLAP,
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
	TRING_RECORD_PID_UNKNOWN,

	TRING_REASONS,
};

/**
 * struct tring_packet - a packet's header in the host's numbers
 * @data: first byte of the packet
 * @offset: where the packet lies in its stream; for messages only
 * @readable: bytes from @data that records may be read from: the content, or
 *	what there is of it in a truncated packet
 * @big_endian: byte order of the packet
 * @uuid: of the trace
 * @timestamp_begin: reference of the first compact timestamp
 * @timestamp_end: no record is later
 * @content_size: in bytes, up to the exact end of the last record
 * @packet_size: in bytes, up to the next packet
 * @seq_num: rises by one a packet
 * @discarded: events lost in this stream up to @timestamp_end
 * @cpu_id: CPU that wrote the packet
 * @lengths: by short type: bytes of the fields, TRING_LENGTH_VARIES, or 0 if no
 *	record can be of that type, whatever the header says of it
 * @short_ids: by short type: ftrace's id of the event, 0 if nobody knows it;
 *	TRING_TYPES entries, the caller's, never NULL. No packet says it:
 *	tring_packet_parse() points to zeroes
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
 * struct tring_record - one record
 * @offset: of the record from the packet's start
 * @type: as stored
 * @context: as stored
 * @compact: the 27 bits as stored
 * @stamp: full timestamp
 * @payload: TRING_PAYLOAD_HEAD bytes before the fields, so that a field lies at
 *	the offset that its format file says. The bytes before the fields are
 *	the record's or the packet's own: what struct trace_entry would say there
 *	is in @id, @flags, @preempt_count and @pid
 * @length: bytes from @payload to the end of the fields; of a discarded record,
 *	of what is left over
 * @id: ftrace's event id; TRING_ID_DISCARDED: the writer took it back;
 *	TRING_ID_UNKNOWN: @type is one that tring_packet::short_ids does not know
 * @flags: of struct trace_entry
 * @preempt_count: of struct trace_entry
 * @pid: of struct trace_entry
 */
struct tring_record {
	uint32_t	offset;
	uint8_t		type;
	uint8_t		context;
	uint32_t	compact;
	uint64_t	stamp;
	const uint8_t	*payload;
	uint32_t	length;
	uint16_t	id;
	uint8_t		flags;
	uint8_t		preempt_count;
	int32_t		pid;
};

/**
 * struct tring_cursor - position in a packet's records
 * @packet: the packet; must outlive the cursor
 * @position: where the next record header is looked for
 * @stamp: full timestamp of the record before
 * @pid: of the record before
 * @know_pid: was there one?
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
 * typedef tring_report_fn - is told of every piece of bad input
 * @stream: where it was found
 * @offset: of the bad packet or record in the stream
 * @reason: what is wrong; a wrong timestamp is told once a packet, since all
 *	compact ones that follow inherit it
 * @skipped: bytes that were passed over to the next plausible packet, 0 if
 *	reading goes on right there
 */
typedef void tring_report_fn(const struct tring_stream *stream, uint64_t offset,
			     enum tring_reason reason, uint64_t skipped);

/**
 * typedef tring_enter_fn - is told of every packet before its records
 * @stream: where it was found; @stream->packet is the packet
 */
typedef void tring_enter_fn(const struct tring_stream *stream);

/**
 * struct tring_stream - the packets of one CPU in memory
 * @data: the bytes
 * @size: how many
 * @report: called for bad input, may be NULL
 * @enter: called for each packet, may be NULL
 * @private: for @report's and @enter's use
 * @packet: packet that the last record came from
 * @lost_events: events lost before the record just returned and after the one
 *	before it, as far as the packets say; set on a packet's first record
 * @lost_packets: packets missing there, whose events are in @lost_events
 * @errors: pieces of bad input so far
 * @packets: packets so far
 * @started: a packet was seen, so that @packet is valid
 *
 * What was lost behind the last record stays in @pending_events and
 * @pending_packets when the stream has ended.
 *
 * The rest is tring_stream_next()'s own.
 */
struct tring_stream {
	const uint8_t	*data;
	size_t		size;
	tring_report_fn	*report;
	tring_enter_fn	*enter;
	void		*private;
	struct tring_packet packet;
	uint64_t	lost_events;
	uint64_t	lost_packets;
	uint64_t	errors;
	uint64_t	packets;
	bool		started;

	struct tring_cursor cursor;
	size_t		next;
	size_t		resync;
	uint64_t	seen_discarded;
	uint64_t	pending_events;
	uint64_t	pending_packets;
	uint8_t		uuid[TRING_UUID_SIZE];
	const uint16_t	*short_ids;
	bool		in_packet;
	bool		know_discarded;
	bool		know_uuid;
	bool		stamp_reported;
};

/**
 * struct tring_merge_entry - one stream in a merge
 * @stream: the stream, set by the caller
 * @record: its next record
 */
struct tring_merge_entry {
	struct tring_stream *stream;
	struct tring_record record;
};

/**
 * struct tring_merge - several streams in time order
 * @heap: the caller's entries, earliest first
 * @count: entries that have a record
 * @limit: as long as the first entry's records are earlier, it stays the first
 * @taken: the first entry's record was handed out
 */
struct tring_merge {
	struct tring_merge_entry *heap;
	size_t		count;
	uint64_t	limit;
	bool		taken;
};

const char *tring_reason_text(enum tring_reason reason);
bool tring_reason_is_soft(enum tring_reason reason);

enum tring_reason tring_packet_parse(const void *data, size_t size,
				     struct tring_packet *packet);
size_t tring_packet_find(const void *data, size_t size, size_t from,
			 const uint8_t *uuid);
void tring_cursor_init(struct tring_cursor *cursor,
		       const struct tring_packet *packet);
enum tring_reason tring_record_next(struct tring_cursor *cursor,
				    struct tring_record *record);

void tring_stream_init(struct tring_stream *stream, const void *data,
		       size_t size);
void tring_stream_know_uuid(struct tring_stream *stream, const uint8_t *uuid);
void tring_stream_know_discarded(struct tring_stream *stream,
				 uint64_t discarded);
void tring_stream_know_short_ids(struct tring_stream *stream,
				 const uint16_t *short_ids);
enum tring_reason tring_stream_next(struct tring_stream *stream,
				    struct tring_record *record);

void tring_merge_init(struct tring_merge *merge,
		      struct tring_merge_entry *entries, size_t count);
struct tring_merge_entry *tring_merge_next(struct tring_merge *merge);

#endif /* TRING_PARSE_H */
