// SPDX-License-Identifier: GPL-2.0
/* Description: tring flame has the right stacks, times and wakers; its files are what they say. */
#include "top_trace.h"

/* Times are milliseconds behind 1 s. */
#define AT(ms)		(1000000000 + (ms) * 1000000ull)

enum { KERNEL_STACK = 4, USER_STACK = 12 };

#define HARD		0x09

#define PAGE		"$TRING_TESTS/support/flame_page.js"
#define SPEEDSCOPE	"$TRING_TESTS/../../scripts/trace/speedscope.js"

static struct builder builders[2];
static char *dir;

/* The innermost function comes first, as it is recorded. @us: behind @ms */
static void stack(unsigned int cpu, unsigned int ms, unsigned int us, int32_t pid,
		  unsigned int inner, unsigned int outer)
{
	uint8_t *payload = build_record(&builders[cpu], AT(ms) + us * 1000, KERNEL_STACK, pid, 32);

	put_u32(payload + 8, 2, false);
	put_u32(payload + 12, 0, false);
	put_u64(payload + 16, 0xffffffff81000000 + 0x100 * inner + 5, false);
	put_u64(payload + 24, 0xffffffff81000000 + 0x100 * outer + 9, false);
}

static void user_stack(unsigned int cpu, unsigned int ms, int32_t pid)
{
	uint8_t *payload = build_record(&builders[cpu], AT(ms) + 2000, USER_STACK, pid, 80);

	memset(payload + 8, 0, 72);
	put_u64(payload + 16, 0x401000, false);
	put_u64(payload + 24, 0x402000, false);
}

/* Of task 200: a name that must not become more than a text, anywhere. */
static const char name[16] = "</a>;]]>&\"\033\xef\xbf\xbe";

static void change(unsigned int cpu, unsigned int ms, int32_t prev, int64_t state, int32_t next)
{
	uint8_t *payload;

	/* with interrupts off */
	builders[cpu].flags = 1;
	payload = top_change(&builders[cpu], AT(ms), prev, state, next);

	if (prev == 200)
		memcpy(payload + 8, name, sizeof(name));
	if (next == 200)
		memcpy(payload + 40, name, sizeof(name));
}

/* What comes between an event and its stack is an interrupt's, which has wakened 300. */
static void make_waits(void)
{
	change(0, 1, 100, 1, 200);
	builders[0].flags = HARD;
	top_waking(&builders[0], AT(1) + 100, 100, 300);
	stack(0, 1, 1, 100, 3, 4);
	builders[0].flags = 1;
	stack(0, 1, 2, 100, 1, 0);
	user_stack(0, 1, 100);
	builders[0].flags = 0;
	/* 200 wakes 100, which gets the other CPU */
	top_waking(&builders[0], AT(5), 200, 100);
	stack(0, 5, 1, 200, 2, 0);
	change(1, 7, 0, 0, 100);
	stack(1, 7, 1, 0, 1, 0);
	/* preempted, without a stack; the next one of this context is none of its */
	change(1, 8, 100, 0x100, 300);
	builders[1].flags = HARD;
	top_waking(&builders[1], AT(8) + 500, 300, 100);
	change(1, 9, 300, 1, 100);
	stack(1, 9, 1, 300, 1, 0);
}

/* 300 is blocked when CPU 0 loses events. Where it is when it is woken then is unknown. */
static void make_loss(void)
{
	struct builder *builder = &builders[0];

	builder->flags = 0;
	top_interrupt(builder, AT(14), AT(15), 200, 5, "eth0");
	build_end(builder);
	builder->seq++;
	builder->discarded += 7;
	build_begin(builder, AT(20));
	change(0, 20, 200, 1, 0);
	stack(0, 20, 1, 200, 1, 0);
	top_waking(&builders[0], AT(25), 0, 300);
	change(1, 30, 100, 0x20, 0);
	build_end(&builders[0]);
	build_end(&builders[1]);
}

static void make(void)
{
	dir = make_path("%s/trace", temp_dir());
	top_begin(builders, 2, AT(0));
	change(0, 0, 0, 0, 100);
	stack(0, 0, 1, 0, 1, 0);
	make_waits();
	make_loss();
	top_make(dir, false);
	top_format(dir, "ftrace", "kernel_stack", KERNEL_STACK,
		   "\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n"
		   "\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n");
	top_format(dir, "ftrace", "user_stack", USER_STACK,
		   "\tfield:unsigned int tgid;\toffset:8;\tsize:4;\tsigned:0;\n"
		   "\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n");
	write_text(make_path("%s/tring/kallsyms", dir),
		   "ffffffff81000000 T outer\nffffffff81000100 T schedule\n"
		   "ffffffff81000200 T wake\nffffffff81000300 T irq_wake\n"
		   "ffffffff81000400 T a<b>&\"';c\nffffffff81000500 T end\n");
	write_metadata(dir, false);
	top_write(dir, &builders[0], 14, 0, 7);
	top_write(dir, &builders[1], 7, 0, 0);
}

static void check(const char *options, const char *wanted)
{
	check_equal(output_of(0, "$TRING flame %s %s 2>/dev/null", options, dir), wanted,
		    *options ? options : "without options");
}

#define UNKNOWN		"[unknown: events were lost, or not recorded]"
#define TWO		"</a>\\x3b]]>&\"\\x1b\xef\xbf\xbe"
#define PROGRAM		"0x402000;0x401000;outer;schedule"
#define WOKEN		"wake;outer;" TWO

static void check_folded(void)
{
	check("", TWO ";" UNKNOWN " 5000000\n"
	      TWO ";outer;schedule;[blocked] 10000000\n"
	      "task100;" PROGRAM ";[blocked] 4000000\n"
	      "task100;" PROGRAM ";[waiting for a CPU] 2000000\n"
	      "task100;[no stack];[waiting for a CPU] 1000000\n"
	      "task300;[no stack];[waiting for a CPU] 11999900\n"
	      "task300;" UNKNOWN " 10000000\n"
	      "task300;outer;schedule;[blocked] 6000000\n");
	check("--wakeup --comm 'task*'",
	      "task100;" PROGRAM ";[blocked];" WOKEN " 4000000\n"
	      "task300;" UNKNOWN " 10000000\n"
	      "task300;outer;schedule;[blocked] 6000000\n");
	check("-P 100 --from 1.002 --to 1.006000000",
	      "task100;" PROGRAM ";[blocked] 3000000\n"
	      "task100;" PROGRAM ";[waiting for a CPU] 1000000\n");
	check("-e sched_switch,sched_waking --tasks",
	      TWO "-200;outer;schedule;sched_switch 1\n"
	      TWO "-200;outer;wake;sched_waking 1\n"
	      "<idle>-0;[no stack];sched_waking 1\n"
	      "<idle>-0;outer;schedule;sched_switch 2\n"
	      "task100-100;" PROGRAM ";sched_switch 1\n"
	      "task100-100;[no stack];sched_switch 2\n"
	      "task100-100;a<b>&\"'\\x3bc;irq_wake;sched_waking 1\n"
	      "task300-300;[no stack];sched_waking 1\n"
	      "task300-300;outer;schedule;sched_switch 1\n");
	check("-F 'sched_switch: prev_state == 1' -c 1",
	      "task300;outer;schedule;sched_switch 1\n");
	/* what CPU 0 has lost is none of CPU 1's */
	check_run(0, "7 events were lost;", "$TRING flame -e sched_switch -c 0 %s", dir);
	check_equal(output_of(0, "$TRING flame -e sched_switch -c 1 %s 2>&1 >/dev/null", dir), "",
		    "losses of a CPU without any");
}

static void check_files(void)
{
	char *svg = make_path("%s/off.svg", temp_dir());
	char *folded = make_path("%s/off.folded", temp_dir());

	output_of(0, "$TRING flame -o %s %s", svg, dir);
	/* nothing is asked for, but for the name of the format */
	check_equal(output_of(0, "grep -o 'https*:[^\"]*' %s", svg),
		    "http://www.w3.org/2000/svg\n", "addresses in the file");
	output_of(0, "$TRING flame -o %1$s %2$s && cp %2$s/metadata %1$s", svg, dir);
	check_run(1, "it is of another format", "$TRING flame -o %s %s", svg, dir);
	/* what has no magic is known by its last line */
	output_of(0, "$TRING flame -o %1$s %2$s && $TRING flame -o %1$s %2$s", folded, dir);
	output_of(0, "$TRING flame %2$s 2>/dev/null | cmp - %1$s", folded, dir);
	output_of(0, "echo 'notes of 2026, not to be lost' >>%s", folded);
	check_run(1, "it is of another format", "$TRING flame -o %s %s", folded, dir);
	check_run(2, "a name that ends in .svg, .folded or", "$TRING flame -o x.txt %s", dir);
	check_run(2, "do not go together", "$TRING flame --wakeup -e sched_switch %s", dir);
	check_run(1, "the trace does not have what this needs: record -T -e sched",
		  "$TRING flame %s", make_path("%s/../bare", dir));
}

/* Of 300's 28 ms 12 are 506 of 1180; of all 50 ms 20 are blocked. */
static void check_page(void)
{
	char *svg = make_path("%s/all.svg", temp_dir());

	output_of(0, "$TRING flame -o %s %s && xmllint --noout %s", svg, dir, svg);
	check_equal(output_of(0, "node " PAGE " %s zoom task300", svg),
		    "10 1180 all below\n10 1180 task300\n10 506 [no stack]\n"
		    "10 506 [waiting for a CPU]\n516 421 " UNKNOWN "\n937 253 outer\n"
		    "937 253 schedule\n937 253 [blocked]\n", "a click on a task");
	check_equal(output_of(0, "node " PAGE " %s search '^.blocked' | tail -n 2", svg),
		    "1048 142 [blocked] found\nmatched: 40.00%\n", "a search");
}

static void check_speedscope(void)
{
	char *file = make_path("%s/off.speedscope.json", temp_dir());

	output_of(0, "$TRING flame -o %s %s", file, dir);
	check_equal(output_of(0, "node " SPEEDSCOPE " %s | sort | tail -n 6", file),
		    "0 task100\n0 task300\n14999900 [waiting for a CPU]\n"
		    "15000000 " UNKNOWN "\n20000000 [blocked]\noff-CPU time nanoseconds 49999900\n",
		    "the importer");
	check_run(0, "0 </a>;]]>&\"\033\xef\xbf\xbe\n", "node " SPEEDSCOPE " %s", file);
}

int main(void)
{
	make();
	make_trace(make_path("%s/bare", temp_dir()), false);
	check_folded();
	check_files();
	if (!have("node") || !have("xmllint")) {
		printf("node or xmllint is not installed\n");
		return SKIPPED;
	}
	check_page();
	if (run("node -e \"require('speedscope/package.json')\"", &(char *){ NULL })) {
		printf("speedscope is not installed: scripts/build/npm-package.sh\n");
		return SKIPPED;
	}
	check_speedscope();
	return 0;
}
