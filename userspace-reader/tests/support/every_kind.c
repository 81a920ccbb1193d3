// SPDX-License-Identifier: GPL-2.0
/*
 * A trace for the tests of convert: two CPUs, events with fields of every kind, an event
 * without a format, losses between packets and at the end.
 */
#include "every_kind.h"
#include "helpers.h"

static struct builder builder;

static void write_zero(const char *dir, bool order)
{
	static const char text[] = "caf\xc3\xa9 \xe9\"\\\n\x01,\xed\xa0\x80";
	uint8_t *payload;

	build_init(&builder, order, 0);
	builder.discarded = 3;
	build_begin(&builder, 1500000000);
	builder.flags = 0x49;
	builder.preempt_count = 0x21;
	payload = build_record(&builder, 1500000000, 319, 100, 64);
	strcpy((char *)payload + 8, "zero");
	put_u32(payload + 24, 100, order);
	put_u32(payload + 28, (uint32_t)-5, order);
	put_u64(payload + 32, UINT64_C(0x8000000000000000), order);
	strcpy((char *)payload + 40, "late");
	put_u32(payload + 56, 4242, order);
	builder.flags = 0;
	builder.preempt_count = 0;
	payload = build_record(&builder, 1500001000, 152, 4242, 16 + sizeof(text));
	put_u32(payload + 8, UINT32_MAX, order);
	put_u32(payload + 12, sizeof(text) << 16 | 16, order);
	memcpy(payload + 16, text, sizeof(text));
	payload = build_record(&builder, 1500002000, 342, 7, 16);
	put_u64(payload + 8, UINT64_MAX, order);
	/* no format has this id */
	payload = build_record(&builder, 1500003000, 777, 100, 12);
	put_u32(payload + 8, 0x01020304, false);
	payload = build_record(&builder, 1500004000, 351, 100, 64);
	put_u64(payload + 8, (uint64_t)-2, order);
	put_u64(payload + 16, UINT64_MAX, order);
	put_u64(payload + 56, 6, order);
	build_end(&builder);
	build_packet(&builder, 1600000000, 1);
	builder.discarded = 1003;
	builder.seq += 2;
	build_packet(&builder, 1700000000, 1);
	build_write(&builder, dir);
}

/* Arrays of each size of element. */
static void add_sizes(uint64_t stamp, bool order)
{
	uint8_t *payload = build_record(&builder, stamp, 345, 101, 86);

	memset(payload + 8, 0, 78);
	put_u32(payload + 8, 7, order);
	put_u32(payload + 12, 4 << 16 | 48, order);
	put_u32(payload + 16, 3 << 16 | 52, order);
	put_u32(payload + 20, 4 << 16 | 55, order);
	put_u32(payload + 24, 8 << 16 | 59, order);
	put_u64(payload + 32, 1ull << 63 | 1, order);
	put_u32(payload + 40, 16 << 16 | 67, order);
	memcpy(payload + 48, "abc", 4);
	memcpy(payload + 52, "\x00\x7f\xff", 3);
	put_u16(payload + 57, 65535, order);
	put_u32(payload + 59, (uint32_t)-2, order);
	put_u64(payload + 67, 1, order);
	put_u64(payload + 75, UINT64_MAX, order);
}

static void write_eleven(const char *dir, bool order)
{
	uint8_t *payload;

	build_init(&builder, order, 11);
	build_packet(&builder, 1500000500, 1);
	build_begin(&builder, 1500000600);
	add_sizes(1500000600, order);
	payload = build_record(&builder, 1500000700, 5, 101, 16 + 5);
	put_u64(payload + 8, 0xffffffff81000000, order);
	memcpy(payload + 16, "mark", 5);
	build_end(&builder);
	build_write(&builder, dir);
}

/*
 * Creates the trace. CPU 0 has 7 events, one of them unknown; 3 events are lost before its
 * sixth event, 1000 in 2 packets before the seventh, and 5 behind it. CPU 11 has 3 events.
 */
void make_every_kind(const char *dir, bool order)
{
	char *start = make_path("%s/tring/cpu0.start", dir);
	char *end = make_path("%s/tring/cpu0.end", dir);
	char *start_11 = make_path("%s/tring/cpu11.start", dir);
	char *end_11 = make_path("%s/tring/cpu11.end", dir);

	make_trace(dir, order);
	write_text(start, "read: 0\n");
	write_text(end, "read: 7\noverwritten: 1000\nrefused_no_room: 8\n");
	write_text(start_11, "read: 0\n");
	write_text(end_11, "read: 3\n");
	write_zero(dir, order);
	write_eleven(dir, order);
}
