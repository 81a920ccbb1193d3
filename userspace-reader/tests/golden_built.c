// SPDX-License-Identifier: GPL-2.0
/* Description: writing the golden table by the format's rules gives the golden bytes. */
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
	/* what a discard leaves behind is poison for the next compact stamp */
	if (wanted->after_discard)
		builder->last = UINT64_MAX;
	builder->flags = wanted->flags;
	builder->preempt_count = wanted->preempt_count;
	payload = build_record(builder, wanted->stamp, wanted->id, wanted->pid,
			       length);
	for (i = TRING_PAYLOAD_HEAD; i < length; i++)
		payload[i] = i;
}

int main(void)
{
	static struct builder builder;
	int order;
	size_t i;

	for (order = 0; order < 2; order++) {
		build_init(&builder, order, TRING_GOLDEN_CPU);
		tell_events(&builder);
		builder.seq = TRING_GOLDEN_SEQ_NUM;
		builder.discarded = TRING_GOLDEN_DISCARDED;
		build_begin(&builder, TRING_GOLDEN_BEGIN);
		for (i = 0; i < TRING_GOLDEN_RECORDS; i++)
			write_record(&builder, &tring_golden_records[i]);
		for (i = 0; i < TRING_GOLDEN_RECORDS; i++)
			if (tring_golden_records[i].discarded)
				build_discard(&builder, builder.bytes +
					      tring_golden_records[i].offset,
					      tring_golden_records[i].length);
		build_end(&builder);
		CHECK_EQ(builder.size, TRING_GOLDEN_SIZE);
		for (i = 0; i < TRING_GOLDEN_SIZE; i++)
			CHECK_EQ(builder.bytes[i], golden(order)[i]);
	}
	return 0;
}
