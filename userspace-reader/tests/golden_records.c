// SPDX-License-Identifier: GPL-2.0
/* Description: the golden packet decodes to its table, in both byte orders. */
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
}

static void check_payload(const struct tring_record *record, uint32_t length,
			  bool big_endian)
{
	uint32_t i = TRING_GOLDEN_FILL_OFFSET;

	if (record->id == TRING_ID_DISCARDED) {
		CHECK_EQ(tring_load_u32(record->payload + TRING_SKIP_OFFSET,
					big_endian), length - TRING_PAYLOAD_MIN);
		if (length > TRING_SKIPPED_OFFSET)
			CHECK_EQ(record->payload[TRING_SKIPPED_OFFSET], 0);
		i = TRING_SKIPPED_OFFSET + 1;
	}
	for (; i < length; i++)
		CHECK_EQ(record->payload[i], i);
}

static void check_record(const struct tring_record *record,
			 const struct tring_golden_record *wanted,
			 bool big_endian, bool last)
{
	bool words = wanted->type_len && wanted->type_len <=
		     TRING_TYPE_WORDS_MAX;

	CHECK_EQ(record->offset, wanted->offset);
	CHECK_EQ(record->type_len, wanted->type_len);
	CHECK_EQ(record->stamp, wanted->stamp);
	CHECK_EQ(record->compact,
		 wanted->stamp & tring_stamp_mask(TRING_STAMP_BITS));
	CHECK_EQ(record->id, wanted->id);
	CHECK_EQ(record->flags, wanted->flags);
	CHECK_EQ(record->preempt_count, wanted->preempt_count);
	CHECK_EQ(record->pid, wanted->pid);
	CHECK_EQ(record->length, words && !last ?
		 tring_record_align(wanted->length) : wanted->length);
	check_payload(record, wanted->length, big_endian);
}

int main(void)
{
	int order;
	size_t i;

	for (order = 0; order < 2; order++) {
		struct tring_packet packet;
		struct tring_cursor cursor;
		struct tring_record record;

		CHECK_EQ(tring_packet_parse(golden(order), TRING_GOLDEN_SIZE,
					    &packet), TRING_OK);
		check_header(&packet, order);
		tring_cursor_init(&cursor, &packet);
		for (i = 0; i < TRING_GOLDEN_RECORDS; i++) {
			CHECK_EQ(tring_record_next(&cursor, &record), TRING_OK);
			check_record(&record, &tring_golden_records[i], order,
				     i == TRING_GOLDEN_RECORDS - 1);
		}
		CHECK_EQ(tring_record_next(&cursor, &record), TRING_END);
		CHECK_EQ(tring_record_next(&cursor, &record), TRING_END);
	}
	return 0;
}
