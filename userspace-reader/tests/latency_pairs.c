// SPDX-License-Identifier: GPL-2.0
/* Description: latency prints the times of named and of free pairs, and what has no other half. */
#include "top_trace.h"

/* Times are microseconds behind 1 s. */
#define AT(us)	(1000000000 + (us) * 1000ull)

/* Ids that top_trace.h has not. */
#define SOFTIRQ_RAISE	701
#define TIMER_START	702
#define TIMER_EXPIRE	703
#define TIMER_CANCEL	704
#define TEXT_BEGIN	705
#define COUNTED		706

#define TIMER_LENGTH	32

static struct builder builder;
static char *dir;

static void vector(unsigned int us, uint16_t id, uint32_t vec)
{
	put_u32(build_record(&builder, AT(us), id, 1, TOP_NUMBER_LENGTH) + 8, vec, false);
}

/* @ns: the field "expires", or "now" */
static void timer(unsigned int us, uint16_t id, uint64_t address, uint64_t ns)
{
	uint8_t *payload = build_record(&builder, AT(us), id, 1, TIMER_LENGTH);

	memset(payload + 8, 0, TIMER_LENGTH - 8);
	put_u64(payload + 8, address, false);
	put_u64(payload + 16, ns, false);
	put_u64(payload + 24, 0xffffffff81000000, false);
}

static void text(unsigned int us, const char *name)
{
	uint8_t *payload = build_record(&builder, AT(us), TEXT_BEGIN, 1, 24);

	memset(payload + 8, 0, 16);
	memcpy(payload + 8, name, strlen(name));
}

static void add_formats(void)
{
	static const char timer_fields[] =
		"\tfield:void * hrtimer;\toffset:8;\tsize:8;\tsigned:0;\n"
		"\tfield:s64 %s;\toffset:16;\tsize:8;\tsigned:1;\n"
		"\tfield:void * function;\toffset:24;\tsize:8;\tsigned:0;\n";

	top_format(dir, "irq", "softirq_raise", SOFTIRQ_RAISE,
		   "\tfield:unsigned int vec;\toffset:8;\tsize:4;\tsigned:0;\n");
	top_format(dir, "timer", "hrtimer_start", TIMER_START,
		   make_path(timer_fields, "expires"));
	top_format(dir, "timer", "hrtimer_expire_entry", TIMER_EXPIRE,
		   make_path(timer_fields, "now"));
	top_format(dir, "timer", "hrtimer_cancel", TIMER_CANCEL,
		   make_path(timer_fields, "softexpires"));
	top_format(dir, "test", "named", TEXT_BEGIN,
		   "\tfield:char name[16];\toffset:8;\tsize:16;\tsigned:0;\n");
	top_format(dir, "test", "counted", COUNTED,
		   "\tfield:unsigned int count;\toffset:8;\tsize:4;\tsigned:0;\n");
	write_metadata(dir, false);
}

static void add_wakeups(void)
{
	top_change(&builder, AT(0), 0, 0, 100);
	/* it runs already: its next turn has another reason */
	top_waking(&builder, AT(10), 100, 100);
	top_change(&builder, AT(50), 100, 0, 0);
	top_change(&builder, AT(60), 0, 0, 100);
	top_change(&builder, AT(70), 100, 0, 0);
	top_waking(&builder, AT(100), 0, 200);
	top_change(&builder, AT(130), 0, 0, 200);
	top_change(&builder, AT(150), 200, 0, 0);
	top_waking(&builder, AT(200), 0, 200);
	top_change(&builder, AT(240), 0, 0, 200);
	top_waking(&builder, AT(300), 200, 300);
}

static void make(void)
{
	top_make(dir, false);
	add_formats();
	build_init(&builder, false, 0);
	build_begin(&builder, AT(0));
	add_wakeups();
	/* of two raises the first one counts */
	vector(400, SOFTIRQ_RAISE, 9);
	vector(405, SOFTIRQ_RAISE, 3);
	vector(410, SOFTIRQ_RAISE, 9);
	vector(450, TOP_SOFTIRQ_ENTRY, 9);
	vector(480, TOP_SOFTIRQ_ENTRY, 1);
	/* from the field of one to the field of the other */
	timer(500, TIMER_START, 0xab0, 7000);
	timer(510, TIMER_EXPIRE, 0xab0, 7300);
	timer(520, TIMER_START, 0xab0, 9000);
	timer(530, TIMER_CANCEL, 0xab0, 0);
	timer(540, TIMER_START, 0xab0, 11000);
	timer(550, TIMER_EXPIRE, 0xab0, 10000);
	text(600, "a\033[1m\"");
	text(650, "a\033[1m\"");
	vector(700, COUNTED, 5);
	vector(710, COUNTED, 5);
	build_end(&builder);
	top_write(dir, &builder, 26, 0, 0);
}

/* A line of the table of "tring latency ARGUMENTS". */
static void check_row(const char *arguments, const char *row)
{
	check_run(0, make_path("%s\n", row), "$TRING latency %s %s", arguments, dir);
}

static void check_named(void)
{
	static const char wakeups[] =
		"\n1 begins were cancelled\n1 begins without an end\n5 ends without a begin\n";
	static const char raises[] =
		"\n1 begins behind one that had no end yet\n1 begins without an end\n";

	check_row("wakeup", "sched:sched_waking to sched:sched_switch, the same pid=next_pid");
	check_row("wakeup",
		  "       2     35.000     30.207     40.000      40.000       0  task200");
	check_run(0, wakeups, "$TRING latency wakeup %s", dir);
	check_row("wakeup", "     40.000     1.000200000   0  <idle>-0 pid=200");
	check_row("softirq",
		  "       1     50.000     50.000     50.000      50.000       0  RCU");
	check_run(0, raises, "$TRING latency softirq %s", dir);
	check_row("softirq", "1 ends without a begin");
	check_row("--by vec -k vec softirq_exit softirq_entry", "2 ends without a begin");
}

static void check_fields(void)
{
	static const char json[] =
		"[{\"name\":\"a\\u001b[1m\\\"\",\"count\":1,\"unknown\":0,\"sum\":50000,";

	check_row("hrtimer",
		  "       2      0.150      0.000      0.300       0.300       0  0xffffffff81000000");
	check_row("hrtimer", "1 begins were cancelled");
	check_run(0, "1 ends were before their begins, by their fields",
		  "$TRING latency hrtimer %s", dir);
	check_row("-k hrtimer hrtimer_start timer:hrtimer_expire_entry",
		  "       2     10.000     10.000     10.000      10.000       0");
	/* begin and end are one event; no byte of a text reaches the terminal as it is */
	check_row("-k name --by name named named",
		  "       1     50.000     50.000     50.000      50.000       0  a\\x1b[1m\"");
	check_run(0, json, "$TRING latency --json -k name --by name named named %s", dir);
	/* no object has a name twice */
	check_run(0, "\"by\":\"count\",\"rows\":[{\"count_\":\"5\",\"count\":1,",
		  "$TRING latency --json -k count --by count counted counted %s", dir);
}

static void check_selected(void)
{
	check_row("wakeup --from 1.0002",
		  "       1     40.000     40.000     40.000      40.000       0  all");
	check_row("wakeup --to 1.00015",
		  "       1     30.000     30.000     30.000      30.000       0  all");
	check_row("wakeup -P 300",
		  "       0          -          -          -           -       0  all");
	check_row("wakeup -c 0 -P 0",
		  "       2     35.000     30.207     40.000      40.000       0  all");
	check_row("-k vec softirq_exit softirq_exit",
		  "       0          -          -          -           -       0");
}

static void check_refused(void)
{
	static const struct {
		int		status;
		const char	*arguments;
		const char	*said;
	} wrong[] = {
		{ 2, "", "PAIR is missing" },
		{ 2, "no", "there is no pair \"no\"; \"tring help latency\" has all" },
		{ 2, "a b", "two events need --key, what they have in common" },
		{ 2, "-k '' a b", "--key: a field is missing" },
		{ 2, "--first wakeup", "--begin-time, --end-time and --first are for --key" },
		{ 2, "-n x wakeup", "bad value for --rows: \"x\"" },
		{ 2, "syscalls:sys_enter_read", "there is no pair \"syscalls:sys_enter_read\"" },
		{ 1, "block", "has no event block:block_rq_issue: tring record --pair block\n" },
		{ 1, "syscalls:read", "sys_enter_read: tring record --pair syscalls:read\n" },
		{ 1, "-k name no named", "has no event no: tring record -e no -e named\n" },
		{ 1, "-k no named named",
		  "no: test:named has no such field; it has name, common_pid, common_cpu\n" },
		{ 1, "-k pid=next_comm sched_waking sched_switch",
		  "--key pid=next_comm: one is a text, the other one a number\n" },
		{ 1, "-k name --begin-time name named named",
		  "name: test:named has no time there\n" },
		{ 1, "-k name,name,name,name,name named named",
		  "--key name,name,name,name,name: 4 fields are possible" },
	};
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		check_run(wrong[i].status, wrong[i].said, "$TRING latency %s %s",
			  wrong[i].arguments, i ? dir : "");
}

static void check_left_out(void)
{
	check_run(0, "", "sed -i 's/^command_line=.*/&\\nleft_out=tasks/' %s/tring/trace_info",
		  dir);
	check_row("wakeup",
		  "       0          -          -          -           -       2  all");
	check_run(0, "some tasks were not recorded, so no time is known",
		  "$TRING latency wakeup %s", dir);
	check_row("-k name,common_pid named named",
		  "       1     50.000     50.000     50.000      50.000       0");
}

int main(void)
{
	dir = make_path("%s/trace", temp_dir());
	make();
	check_named();
	check_fields();
	check_selected();
	check_refused();
	check_left_out();
	return 0;
}
