// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: one CPU's packets, read by the stream, the cursor and the count. All
 * three must agree, and no record may lie outside of the bytes.
 */
#include "fuzz.h"
#include "wire/count.h"

/* Number of records before damage that may be read otherwise again. */
#define HISTORY		8

/* Minimum size of a record: word, context, and 4 bytes of fields or length. */
#define SMALLEST	9

/* The stream decodes usual records by a shortcut; the cursor must give the same record. */
static void check_shortcut(const struct tring_stream *stream,
			   struct tring_cursor *cursor,
			   const struct tring_record *record)
{
	struct tring_record same;
	enum tring_reason reason;

	reason = tring_record_next(cursor, &same);
	CHECK(tring_reason_is_soft(reason));
	CHECK(reason == TRING_OK || reason == TRING_RECORD_PID_UNKNOWN ||
	      stream->stamp_reported);
	CHECK_EQ(same.offset, record->offset);
	CHECK_EQ(same.type, record->type);
	CHECK_EQ(same.context, record->context);
	CHECK_EQ(same.compact, record->compact);
	CHECK_EQ(same.stamp, record->stamp);
	CHECK(same.payload == record->payload);
	CHECK_EQ(same.length, record->length);
	CHECK_EQ(same.id, record->id);
	CHECK_EQ(same.flags, record->flags);
	CHECK_EQ(same.preempt_count, record->preempt_count);
	CHECK_EQ(same.pid, record->pid);
}

/* A count must count the same as decoding each record, or refuse the packet. */
static void check_count(const struct tring_stream *stream)
{
	static bool ids[65536], wanted_ids[65536];
	struct tring_count count = { .ids = ids }, wanted = { 0 };
	struct tring_cursor cursor;
	struct tring_record record;
	enum tring_reason reason;
	bool native = stream->packet.big_endian == TRING_HOST_BIG_ENDIAN;
	bool good = native;

	tring_cursor_init(&cursor, &stream->packet);
	while (good &&
	       (reason = tring_record_next(&cursor, &record)) != TRING_END) {
		good = reason == TRING_OK;
		if (record.type < TRING_TYPE_DISCARDED) {
			wanted.types |= 1u << record.type;
		} else if (record.id != TRING_ID_DISCARDED) {
			wanted_ids[record.id] = true;
			wanted.new_id = true;
		}
		if (record.id == TRING_ID_DISCARDED)
			wanted.discarded_records++;
		else
			wanted.events++;
	}
	/* a wrong time is found at a record, but the packet may have none */
	if (!wanted.events && !wanted.discarded_records &&
	    stream->packet.timestamp_end < stream->packet.timestamp_begin)
		good = false;
	CHECK_EQ(tring_count_packet(&count, &stream->packet), good);
	/* comparing and clearing them takes longer than all else */
	if (wanted.new_id || count.new_id) {
		CHECK(!good || !memcmp(ids, wanted_ids, sizeof(ids)));
		memset(ids, 0, sizeof(ids));
		memset(wanted_ids, 0, sizeof(wanted_ids));
	}
	if (!good)
		memset(&wanted, 0, sizeof(wanted));
	CHECK_EQ(count.events, wanted.events);
	CHECK_EQ(count.discarded_records, wanted.discarded_records);
	CHECK_EQ(count.types, wanted.types);
}

static void walk(const uint8_t *bytes, size_t size)
{
	struct tring_cursor cursor = { 0 }, anchor = { 0 };
	struct tring_stream stream;
	struct tring_record record;
	uint64_t packets = 0;
	uint64_t records = 0, sum = 0;
	uint32_t i;

	tring_stream_init(&stream, bytes, size);
	stream.enter = check_count;
	while (tring_stream_next(&stream, &record) == TRING_OK) {
		CHECK(record.length >= (record.type == TRING_TYPE_DISCARDED ?
					TRING_PAYLOAD_HEAD : TRING_PAYLOAD_MIN));
		/* the payload lies inside the bytes */
		CHECK(record.payload >= bytes + TRING_PACKET_HEADER_SIZE -
		      TRING_PAYLOAD_HEAD);
		CHECK(record.payload + record.length <= bytes + size);
		for (i = TRING_PAYLOAD_HEAD; i < record.length; i++)
			sum += record.payload[i];
		/* behind damage the stream goes on where records prove it */
		if (stream.packets != packets || stream.anchor.position != anchor.position)
			cursor = stream.anchor;
		packets = stream.packets;
		anchor = stream.anchor;
		check_shortcut(&stream, &cursor, &record);
		/* records do not overlap, but for the last ones before each damage */
		CHECK(++records <= size / SMALLEST + HISTORY * stream.errors);
	}
	CHECK(sum < UINT64_MAX);
	CHECK(stream.packets <= size / TRING_PACKET_HEADER_SIZE + 1);
	CHECK(stream.errors <= size);
}

int fuzz_input(const uint8_t *bytes, size_t size)
{
	walk(bytes, size);
	return 0;
}
