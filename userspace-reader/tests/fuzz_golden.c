// SPDX-License-Identifier: GPL-2.0
/* Description: damaged bytes cause no crash and no endless loop, and shortcuts stay correct. */
#include "helpers.h"
#include "lib/tally.h"

#define PACKETS	6
#define ROUNDS	40000
/* Minimum size of a record: word, context, and 4 bytes of fields or length. */
#define SMALLEST	9

static uint32_t state = 12345;
static unsigned long tallied[2];

static uint32_t next_random(uint32_t limit)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state % limit;
}

/* Makes a stream with packets of both byte orders, which a real trace never has. */
static size_t make(uint8_t *bytes)
{
	size_t i, size = 0;

	for (i = 0; i < PACKETS; i++) {
		memcpy(bytes + size, golden(next_random(8) == 0),
		       TRING_GOLDEN_SIZE);
		size += TRING_GOLDEN_SIZE;
	}
	return size;
}

static void damage(uint8_t *bytes, size_t size)
{
	size_t at = next_random(size), length = next_random(64) + 1;
	size_t from = next_random(size);

	if (length > size - at)
		length = size - at;
	if (length > size - from)
		length = size - from;
	switch (next_random(4)) {
	case 0:
		bytes[at] ^= 1 << next_random(8);
		break;
	case 1:
		memset(bytes + at, next_random(2) ? 0xff : 0, length);
		break;
	case 2:
		memmove(bytes + at, bytes + from, length);
		break;
	default:
		/* damage headers more often than the rest */
		at = at / TRING_GOLDEN_SIZE * TRING_GOLDEN_SIZE +
		     next_random(TRING_PACKET_HEADER_SIZE + 16);
		if (at < size)
			bytes[at] = next_random(256);
		break;
	}
}

/* The stream decodes usual records by a shortcut; the cursor must give the same record. */
static void check_shortcut(const struct tring_stream *stream,
			   struct tring_cursor *cursor,
			   const struct tring_record *record)
{
	struct tring_record same;
	enum tring_reason reason;

	if (!cursor->packet)
		tring_cursor_init(cursor, &stream->packet);
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

/* A tally must count the same as decoding each record, or refuse the packet. */
static void check_tally(const struct tring_stream *stream)
{
	static bool ids[65536], wanted_ids[65536];
	struct tring_tally tally = { .ids = ids }, wanted = { 0 };
	struct tring_cursor cursor;
	struct tring_record record;
	enum tring_reason reason;
	bool native = stream->packet.big_endian == TRING_HOST_BIG_ENDIAN;
	bool good = native;

	memset(ids, 0, sizeof(ids));
	memset(wanted_ids, 0, sizeof(wanted_ids));
	tring_cursor_init(&cursor, &stream->packet);
	while (good &&
	       (reason = tring_record_next(&cursor, &record)) != TRING_END) {
		good = reason == TRING_OK;
		if (record.type < TRING_TYPE_DISCARDED)
			wanted.types |= 1u << record.type;
		else if (record.id != TRING_ID_DISCARDED)
			wanted_ids[record.id] = true;
		if (record.id == TRING_ID_DISCARDED)
			wanted.discarded_records++;
		else
			wanted.events++;
	}
	/* a wrong time is found at a record, but the packet may have none */
	if (!wanted.events && !wanted.discarded_records &&
	    stream->packet.timestamp_end < stream->packet.timestamp_begin)
		good = false;
	CHECK_EQ(tring_tally_packet(&tally, &stream->packet), good);
	if (!good)
		memset(&wanted, 0, sizeof(wanted));
	CHECK_EQ(tally.events, wanted.events);
	CHECK_EQ(tally.discarded_records, wanted.discarded_records);
	CHECK_EQ(tally.types, wanted.types);
	CHECK(!good || !memcmp(ids, wanted_ids, sizeof(ids)));
	tallied[good]++;
}

static void walk(const uint8_t *bytes, size_t size)
{
	struct tring_cursor cursor = { 0 };
	struct tring_stream stream;
	struct tring_record record;
	uint64_t packets = 0;
	uint64_t records = 0, sum = 0;
	uint32_t i;

	tring_stream_init(&stream, bytes, size);
	stream.enter = check_tally;
	while (tring_stream_next(&stream, &record) == TRING_OK) {
		CHECK(record.length >= (record.type == TRING_TYPE_DISCARDED ?
					TRING_PAYLOAD_HEAD : TRING_PAYLOAD_MIN));
		/* the payload lies inside the bytes */
		CHECK(record.payload >= bytes + TRING_PACKET_HEADER_SIZE -
		      TRING_PAYLOAD_HEAD);
		CHECK(record.payload + record.length <= bytes + size);
		for (i = TRING_PAYLOAD_HEAD; i < record.length; i++)
			sum += record.payload[i];
		if (stream.packets != packets)
			cursor.packet = NULL;
		packets = stream.packets;
		check_shortcut(&stream, &cursor, &record);
		/* records do not overlap */
		CHECK(++records <= size / SMALLEST);
	}
	CHECK(sum < UINT64_MAX);
	CHECK(stream.packets <= size / TRING_PACKET_HEADER_SIZE + 1);
	CHECK(stream.errors <= size);
}

int main(void)
{
	uint8_t bytes[PACKETS * TRING_GOLDEN_SIZE], *exact;
	unsigned int round, hits;
	size_t size;

	for (round = 0; round < ROUNDS; round++) {
		size = make(bytes);
		for (hits = next_random(12); hits; hits--)
			damage(bytes, size);
		if (next_random(3) == 0)
			size = next_random(size);
		exact = malloc(size ? size : 1);
		CHECK(exact);
		memcpy(exact, bytes, size);
		walk(exact, size);
		free(exact);
	}
	/* both results must be frequent */
	CHECK(tallied[false] > ROUNDS && tallied[true] > ROUNDS);
	return 0;
}
