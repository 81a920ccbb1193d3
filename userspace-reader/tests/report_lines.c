// SPDX-License-Identifier: GPL-2.0
/* Description: report prints events of all CPUs in time order, with names, flags and losses. */
#include "helpers.h"

static struct builder builder;

static void write_zero(const char *dir, bool order)
{
	uint8_t *payload;

	build_init(&builder, order, 0);
	builder.discarded = 3;
	build_begin(&builder, 1500000000);
	builder.flags = 0x01;	/* irqs off */
	builder.preempt_count = 2;
	payload = build_record(&builder, 1500000000, 342, 100, 16);
	put_u64(payload + 8, 1, order);
	builder.flags = 0;
	builder.preempt_count = 0;
	payload = build_record(&builder, 1500001999, 319, 100, 64);
	strcpy((char *)payload + 8, "zero");
	put_u32(payload + 24, 100, order);
	strcpy((char *)payload + 40, "late");
	put_u32(payload + 56, 4242, order);
	build_record(&builder, 1500002000, 0, 100, 12);
	payload = build_record(&builder, 1500003000, 342, 4242, 16);
	put_u64(payload + 8, 3, order);
	/* needs a full context: an NMI, migration disabled twice */
	builder.flags = 0x49;
	builder.preempt_count = 0x21;
	build_record(&builder, 1500004000, 342, 4242, 16);
	builder.flags = 0;
	builder.preempt_count = 0;
	build_end(&builder);
	build_packet(&builder, 1500007000, 1);
	builder.discarded = 1003;
	builder.seq += 2;
	build_packet(&builder, 1500009000, 1);
	build_write(&builder, dir);
}

static void write_eleven(const char *dir, bool order)
{
	uint8_t *payload;

	build_init(&builder, order, 11);
	build_begin(&builder, 1500001000);
	payload = build_record(&builder, 1500001000, 152, 0, 16 + 4);
	put_u32(payload + 8, 9, order);
	put_u32(payload + 12, 4 << 16 | 16, order);
	memcpy(payload + 16, "ata", 4);
	build_end(&builder);
	build_write(&builder, dir);
}

static void check_order(bool order)
{
	static const char * const wanted[] = {
		"            zero-100     [000] d..2.      1.500000: tick:                 value=1",
		"          <idle>-0       [011] .....      1.500001: irq_handler_entry:    irq=9 name=ata",
		"            zero-100     [000] .....      1.500001: sched_switch:         ",
		"            late-4242    [000] .....      1.500003: tick:                 value=3",
		"            late-4242    [000] d.h12      1.500004: tick:                 value=0",
		/* refused within the first packet */
		"CPU:0 [LOST 3 EVENTS]",
		"            zero-100     [000] .....      1.500007: tick:                 value=0",
		/* overwritten before the third one */
		"CPU:0 [LOST 1000 EVENTS]",
		"CPU:0 [2 PACKETS MISSING]",
		"            zero-100     [000] .....      1.500009: tick:                 value=0",
		"CPU:0 [LOST 4 EVENTS]",
	};
	char *dir = make_path("%s/%s", temp_dir(), order ? "be" : "le");

	make_trace(dir, order);
	write_extra(dir, "cpu0.start", "read: 100\noverwritten: 1\nrefused_no_room: 1\n");
	write_extra(dir, "cpu0.end", "read: 106\noverwritten: 1000\nrefused_no_room: 9\n");
	write_extra(dir, "cpu11.start", "read: 0\n");
	write_extra(dir, "cpu11.end", "read: 1\n");
	write_zero(dir, order);
	write_eleven(dir, order);
	check_lines(output_of(0, "$TRING report %s", dir), wanted, COUNT(wanted));
}

int main(void)
{
	check_order(false);
	check_order(true);
	return 0;
}
