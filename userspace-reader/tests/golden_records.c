// SPDX-License-Identifier: GPL-2.0
/* Description: the golden packets decode to their tables, in both byte orders. */
#include "helpers.h"

static void check_header(const struct tring_packet *packet, bool big_endian)
{
	unsigned int i;

	CHECK_EQ(packet->big_endian, big_endian);
	for (i = 0; i < TRING_UUID_SIZE; i++)
		CHECK_EQ(packet->uuid[i], i);
	CHECK_EQ(packet->cpu_id, TRING_GOLDEN_CPU);
	CHECK_EQ(packet->timestamp_begin, TRING_GOLDEN_BEGIN);
	CHECK_EQ(packet->timestamp_end, TRING_GOLDEN_END);
	CHECK_EQ(packet->content_size, TRING_GOLDEN_CONTENT);
	CHECK_EQ(packet->packet_size, TRING_GOLDEN_SIZE);
	CHECK_EQ(packet->seq_num, TRING_GOLDEN_SEQ_NUM);
	CHECK_EQ(packet->discarded, TRING_GOLDEN_DISCARDED);
	for (i = 0; i < TRING_TYPES; i++) {
		uint8_t length = 0;

		if (i >= 1 && i <= TRING_GOLDEN_EVENTS)
			length = tring_golden_events[i - 1].length;
		if (i >= 1 && i <= TRING_GOLDEN_EVENTS && !length)
			length = TRING_LENGTH_VARIES;
		CHECK_EQ(packet->lengths[i], length);
		CHECK_EQ(packet->short_ids[i], 0);
	}
}

/* Return: length field of the record, by the length that the writer reserved. */
static uint32_t length_left(const struct tring_golden_record *wanted,
			    uint8_t length_in_header)
{
	if (wanted->type != TRING_TYPE_DISCARDED)
		return wanted->length;
	return wanted->length - TRING_LONG_LENGTH_SIZE +
	       (length_in_header ? 0 : TRING_SHORT_LENGTH_SIZE);
}

static void check_fields(const struct tring_record *record,
			 const struct tring_golden_record *wanted)
{
	uint32_t left = record->length - TRING_PAYLOAD_HEAD, i;
	const uint8_t *fields = record->payload + TRING_PAYLOAD_HEAD;
	uint32_t first = TRING_PAYLOAD_HEAD + wanted->length - left;

	for (i = 0; i < left; i++)
		CHECK_EQ(fields[i], wanted->discarded && !i ? 0 : first + i);
}

static void check_record(const struct tring_record *record,
			 const struct tring_golden_record *wanted)
{
	uint16_t id = wanted->id;
	uint8_t length = 0;
	unsigned int i;

	for (i = 0; i < TRING_GOLDEN_EVENTS; i++)
		if (tring_golden_events[i].id == id)
			length = tring_golden_events[i].length;
	if (wanted->discarded)
		id = TRING_ID_DISCARDED;
	CHECK_EQ(record->offset, wanted->offset);
	CHECK_EQ(record->type, wanted->type);
	CHECK_EQ(record->stamp, wanted->stamp);
	CHECK_EQ(record->compact,
		 wanted->stamp & tring_stamp_mask(TRING_STAMP_BITS));
	CHECK_EQ(record->id, id);
	CHECK_EQ(record->context, wanted->context);
	CHECK_EQ(record->flags, wanted->flags);
	CHECK_EQ(record->preempt_count, wanted->preempt_count);
	CHECK_EQ(record->pid, wanted->pid);
	CHECK_EQ(record->length, TRING_PAYLOAD_HEAD +
		 length_left(wanted, length));
	check_fields(record, wanted);
}

/* Decodes as a stream, with and without knowledge of the short ids. */
static void check_streams(bool big_endian, const uint16_t *short_ids)
{
	struct tring_stream stream, ignorant;
	struct tring_record record, same;
	size_t i;

	tring_stream_init(&stream, golden(big_endian), TRING_GOLDEN_SIZE);
	tring_stream_know_short_ids(&stream, short_ids);
	tring_stream_init(&ignorant, golden(big_endian), TRING_GOLDEN_SIZE);
	for (i = 0; i < TRING_GOLDEN_RECORDS; i++) {
		CHECK_EQ(tring_stream_next(&stream, &record), TRING_OK);
		check_record(&record, &tring_golden_records[i]);
		CHECK_EQ(tring_stream_next(&ignorant, &same), TRING_OK);
		if (tring_type_is_short(record.type))
			CHECK_EQ(same.id, TRING_ID_UNKNOWN);
		else
			CHECK_EQ(same.id, record.id);
		CHECK_EQ(same.stamp, record.stamp);
		CHECK_EQ(same.pid, record.pid);
		CHECK(same.payload == record.payload);
	}
	CHECK_EQ(tring_stream_next(&stream, &record), TRING_END);
	CHECK_EQ(stream.errors, 0);
}

static void check_packet(bool big_endian, const uint16_t *short_ids)
{
	struct tring_packet packet;
	struct tring_cursor cursor;
	struct tring_record record;
	size_t i;

	CHECK_EQ(tring_packet_parse(golden(big_endian), TRING_GOLDEN_SIZE,
				    &packet), TRING_OK);
	check_header(&packet, big_endian);
	packet.short_ids = short_ids;
	tring_cursor_init(&cursor, &packet);
	for (i = 0; i < TRING_GOLDEN_RECORDS; i++) {
		CHECK_EQ(tring_record_next(&cursor, &record), TRING_OK);
		check_record(&record, &tring_golden_records[i]);
	}
	CHECK_EQ(tring_record_next(&cursor, &record), TRING_END);
	CHECK_EQ(tring_record_next(&cursor, &record), TRING_END);
	check_streams(big_endian, short_ids);
}

int main(void)
{
	uint16_t short_ids[TRING_TYPES] = { 0 };
	size_t i;

	for (i = 0; i < TRING_GOLDEN_EVENTS; i++)
		short_ids[i + 1] = tring_golden_events[i].id;
	check_packet(false, short_ids);
	check_packet(true, short_ids);
	return 0;
}
