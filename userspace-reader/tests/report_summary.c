// SPDX-License-Identifier: GPL-2.0
/* Description: a summary has counts of events and losses, fields' ranges, and bad payloads. */
#include "helpers.h"

static struct builder builder;

static void add_kinds(uint64_t stamp, int sign, bool order)
{
	uint8_t *payload = build_record(&builder, stamp, 319, 7, 64);

	strcpy((char *)payload + 8, sign < 0 ? "ab" : "abcdef");
	put_u32(payload + 24, 40 + sign, order);
	put_u32(payload + 28, sign * 5, order);
	put_u64(payload + 32, sign * 1000000000000, order);
}

static void make_stream(const char *dir, bool order)
{
	uint8_t *payload;

	build_init(&builder, order, 3);
	build_begin(&builder, 1500000000);
	add_kinds(1500000000, 1, order);
	add_kinds(1600000000, -1, order);
	build_record(&builder, 1600000000, 0, 7, 12);
	payload = build_record(&builder, 1700000000, 152, 7, 16 + 4);
	put_u32(payload + 8, UINT32_MAX, order);
	put_u32(payload + 12, 4 << 16 | 16, order);
	memcpy(payload + 16, "ata", 4);
	build_end(&builder);
	builder.discarded = 9;
	build_packet(&builder, 1800000000, 2);
	build_write(&builder, dir);
}

static void check_lines(const char *output, const char * const *wanted,
			size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const char *at = strstr(output, wanted[i]);

		if (!at)
			fail(output, 0, wanted[i]);
		/* the text ends a line */
		CHECK(at[strlen(wanted[i])] == '\n');
	}
}

static void check_good(const char *dir, bool order)
{
	static const char * const wanted[] = {
		"3                 5            9         1.500000         1.800000",
		"sched_switch                                2            128",
		"prev_comm                    2..6 characters",
		"prev_pid                     39..41",
		"prev_prio                    -5..5",
		"prev_state                   -1000000000000..1000000000000",
		"next_comm                    0..0 characters",
		"irq_handler_entry                           1             20",
		"irq                          -1..-1",
		"name                         3..3 characters",
		"tick                                        2             32",
	};
	char *command = make_path("$TRING report --summary %s", dir), *output;

	make_trace(dir, order);
	make_stream(dir, order);
	CHECK_EQ(run(command, &output), 0);
	check_lines(output, wanted, COUNT(wanted));
	CHECK(!strstr(output, "task_rename"));
}

static void check_bad(const char *dir)
{
	static const char * const wanted[] = {
		"sched_switch: the payload of 1 events does not fit the format",
		"irq_handler_entry: the payload of 2 events does not fit the format",
		"no format describes 1 events",
	};
	char *command = make_path("$TRING report -s %s", dir), *output;
	uint8_t *payload;

	make_trace(dir, false);
	build_init(&builder, false, 0);
	build_begin(&builder, 1000);
	build_record(&builder, 1000, 319, 1, 32);
	build_record(&builder, 1000, 777, 1, 16);
	payload = build_record(&builder, 1001, 152, 1, 20);
	put_u32(payload + 12, 5 << 16 | 16, false);
	payload = build_record(&builder, 1001, 152, 1, 20);
	put_u32(payload + 12, 4 << 16 | 4, false);
	build_end(&builder);
	build_write(&builder, dir);
	CHECK_EQ(run(command, &output), 1);
	check_lines(output, wanted, COUNT(wanted));
}

int main(void)
{
	char *le = make_path("%s/le", temp_dir());
	char *be = make_path("%s/be", temp_dir());
	char *bad = make_path("%s/bad", temp_dir());

	check_good(le, false);
	check_good(be, true);
	check_bad(bad);
	return 0;
}
