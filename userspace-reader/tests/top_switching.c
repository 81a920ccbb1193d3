// SPDX-License-Identifier: GPL-2.0
/* Description: events of the task that leaves, behind sched_switch, hide no switch. */
#include "top_trace.h"

/* Times are microseconds behind 1 s. */
#define AT(us)		(1000000000 + (us) * 1000ull)
#define IRQS_OFF	1

static struct builder builder;

static void flush(unsigned int us, int32_t pid, uint8_t flags)
{
	uint8_t *payload;

	builder.flags = flags;
	payload = build_record(&builder, AT(us), TOP_TLB_FLUSH, pid, TOP_NUMBER_LENGTH);
	put_u32(payload + 8, 0, builder.big_endian);
	builder.flags = 0;
}

static void change(unsigned int us, int32_t prev, int64_t state, int32_t next)
{
	builder.flags = IRQS_OFF;
	top_change(&builder, AT(us), prev, state, next);
	builder.flags = 0;
}

static char *begin(const char *name, bool order)
{
	char *dir = make_path("%s/%s%s", temp_dir(), name, order ? "be" : "le");

	top_make(dir, order);
	build_init(&builder, order, 0);
	build_begin(&builder, AT(0));
	return dir;
}

static void check(const char *dir, const char *table, const char *wanted)
{
	check_run(0, wanted, "$TRING top %s -n 0 --sort pid %s", table, dir);
}

static void end(char *dir, uint64_t events)
{
	build_end(&builder);
	top_write(dir, &builder, events, 0, 0);
}

/* Each switch is followed by events of the task that leaves, the idle task among them. */
static void check_before_switch(bool order)
{
	char *dir = begin("switching", order);

	change(0, 0, 0, 100);
	flush(1, 0, IRQS_OFF);
	top_waking(&builder, AT(100), 100, 200);
	change(1000, 100, 1, 200);
	flush(1001, 100, IRQS_OFF);
	flush(1002, 100, IRQS_OFF);
	flush(1003, 200, IRQS_OFF);
	top_waking(&builder, AT(1500), 200, 100);
	change(3000, 200, 1, 100);
	flush(3001, 200, IRQS_OFF);
	change(7000, 100, 1, 0);
	flush(7001, 100, IRQS_OFF);
	end(dir, 12);
	check(dir, "sched",
	      "     100      0.005000   71.4      0.001500      0.000501      0.000000         2");
	check(dir, "sched",
	      "     200      0.002000   28.5      0.000900      0.004001      0.000000         1");
	check(dir, "wakeup", "     100         1         1.500");
	check(dir, "wakeup", "     200         1         0.900");
}

/* The switch back to a task is missing: from its next event on it runs again. */
static void check_missing(bool order)
{
	char *dir = begin("missing", order);

	change(0, 0, 0, 100);
	change(1000, 100, 1, 200);
	flush(1001, 100, IRQS_OFF);
	flush(3000, 100, 0);
	change(4000, 100, 1, 0);
	end(dir, 5);
	check(dir, "sched",
	      "     100      0.002000   50.0      0.000000      0.000000      0.002000         1");
	check(dir, "sched",
	      "     200      0.000000    0.0      0.000000      0.000000      0.003000         1");
	dir = begin("only-switches", order);
	change(0, 0, 0, 100);
	change(1000, 100, 1, 200);
	change(4000, 100, 1, 0);
	end(dir, 3);
	check(dir, "sched",
	      "     100      0.001000   25.0      0.000000      0.000000      0.003000         1");
}

/* A task has ended, and another one gets its pid. */
static void check_pid_again(bool order)
{
	char *dir = begin("again", order);
	uint8_t *payload;

	change(0, 0, 0, 100);
	payload = build_record(&builder, AT(1000), TOP_SWITCH, 100, TOP_SWITCH_LENGTH);
	top_switch(payload, 100, 0x20, 0, order);
	memcpy(payload + 8, "earlier", 8);
	top_waking(&builder, AT(2000), 0, 100);
	change(2500, 0, 0, 100);
	change(6000, 100, 1, 0);
	change(7000, 0, 0, 200);
	end(dir, 6);
	check(dir, "sched", "     100      0.001000   14.2      0.000000      0.000000 ");
	check(dir, "sched --comm earlier", "  1          0  earlier\n");
	check(dir, "sched",
	      "     100      0.003500   50.0      0.000500      0.001000      0.000000         1");
	check(dir, "wakeup", "     100         1         0.500");
}

int main(void)
{
	check_pid_again(false);
	check_pid_again(true);
	check_before_switch(false);
	check_before_switch(true);
	check_missing(false);
	check_missing(true);
	return 0;
}
