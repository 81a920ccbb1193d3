// SPDX-License-Identifier: GPL-2.0
/* Description: the golden tables, encoded by the format's rules, give the golden bytes. */
#include "helpers.h"

static void tell_events(struct builder *builder)
{
	unsigned int i;

	memset(builder->short_ids, 0, sizeof(builder->short_ids));
	memset(builder->lengths, 0, sizeof(builder->lengths));
	for (i = 0; i < TRING_GOLDEN_EVENTS; i++) {
		const struct tring_golden_event *event = &tring_golden_events[i];

		builder->short_ids[i + 1] = event->id;
		builder->lengths[i + 1] = event->length ? event->length :
							  TRING_LENGTH_VARIES;
	}
}

static void write_record(struct builder *builder,
			 const struct tring_golden_record *wanted)
{
	uint32_t length = TRING_PAYLOAD_HEAD + wanted->length, i;
	uint8_t *payload;

	CHECK_EQ(builder->end, wanted->offset);
	/* after a discarded record the next one needs a full timestamp */
	if (wanted->after_discard)
		builder->last = UINT64_MAX;
	builder->flags = wanted->flags;
	builder->preempt_count = wanted->preempt_count;
	payload = build_record(builder, wanted->stamp, wanted->id, wanted->pid,
			       length);
	for (i = TRING_PAYLOAD_HEAD; i < length; i++)
		payload[i] = i;
}

static void check(bool big_endian)
{
	const struct tring_golden_record *records = tring_golden_records;
	const uint8_t *wanted = golden(big_endian);
	static struct builder builder;
	size_t i;

	build_init(&builder, big_endian, TRING_GOLDEN_CPU);
	tell_events(&builder);
	builder.seq = TRING_GOLDEN_SEQ_NUM;
	builder.discarded = TRING_GOLDEN_DISCARDED;
	build_begin(&builder, TRING_GOLDEN_BEGIN);
	for (i = 0; i < TRING_GOLDEN_RECORDS; i++)
		write_record(&builder, &records[i]);
	for (i = 0; i < TRING_GOLDEN_RECORDS; i++)
		if (records[i].discarded)
			build_discard(&builder,
				      builder.bytes + records[i].offset,
				      records[i].length);
	build_end(&builder);
	CHECK_EQ(builder.size, TRING_GOLDEN_SIZE);
	for (i = 0; i < TRING_GOLDEN_SIZE; i++)
		CHECK_EQ(builder.bytes[i], wanted[i]);
}

int main(void)
{
	check(false);
	check(true);
	return 0;
}
