// SPDX-License-Identifier: GPL-2.0
/* Description: writing the golden table by the format's rules gives the golden bytes. */
#include "helpers.h"

static void write_record(struct builder *builder,
			 const struct tring_golden_record *wanted)
{
	uint8_t *payload;
	uint32_t i;

	/* what a discard leaves behind is poison for the next compact stamp */
	payload = build_record(builder, wanted->stamp, wanted->id, wanted->pid,
			       wanted->length);
	for (i = TRING_GOLDEN_FILL_OFFSET; i < wanted->length; i++)
		payload[i] = i;
	payload[2] = wanted->flags;
	payload[3] = wanted->preempt_count;
	if (wanted->id != TRING_ID_DISCARDED)
		return;
	put_u32(payload + TRING_SKIP_OFFSET, wanted->length - TRING_PAYLOAD_MIN,
		builder->big_endian);
	if (wanted->length > TRING_SKIPPED_OFFSET)
		payload[TRING_SKIPPED_OFFSET] = 0;
	builder->last = UINT64_MAX;
}

int main(void)
{
	static struct builder builder;
	int order;
	size_t i;

	for (order = 0; order < 2; order++) {
		build_init(&builder, order, TRING_GOLDEN_CPU);
		builder.seq = TRING_GOLDEN_SEQ_NUM;
		builder.discarded = TRING_GOLDEN_DISCARDED;
		build_begin(&builder, TRING_GOLDEN_BEGIN);
		for (i = 0; i < TRING_GOLDEN_RECORDS; i++)
			write_record(&builder, &tring_golden_records[i]);
		build_end(&builder);
		CHECK_EQ(builder.size, TRING_GOLDEN_SIZE);
		for (i = 0; i < TRING_GOLDEN_SIZE; i++)
			CHECK_EQ(builder.bytes[i], golden(order)[i]);
	}
	return 0;
}
