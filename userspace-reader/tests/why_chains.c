// SPDX-License-Identifier: GPL-2.0
/* Description: tring why finds the known causes of waits, and tells no more than it knows. */
#include "top_trace.h"

/* Times are milliseconds behind 1 s. */
#define AT(ms)		(1000000000 + (ms) * 1000000ull)

#define HARD		0x08
#define SOFT		0x10
#define NET_RX		3

enum { MIGRATE = 620, WAKEUP_NEW, RAISE, EXPIRE, EXPIRED };

static struct builder builders[2];
static char *dir;
static int traces;

static void begin(void)
{
	dir = make_path("%s/%d", temp_dir(), traces++);
	top_begin(builders, 2, AT(0));
}

static void end(void)
{
	unsigned int i;

	top_make(dir, false);
	top_format(dir, "sched", "sched_migrate_task", MIGRATE,
		   "\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"
		   "\tfield:int dest_cpu;\toffset:32;\tsize:4;\tsigned:1;\n");
	top_format(dir, "sched", "sched_wakeup_new", WAKEUP_NEW,
		   "\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"
		   "\tfield:int target_cpu;\toffset:32;\tsize:4;\tsigned:1;\n");
	top_format(dir, "irq", "softirq_raise", RAISE,
		   "\tfield:unsigned int vec;\toffset:8;\tsize:4;\tsigned:0;\n");
	top_format(dir, "timer", "hrtimer_expire_entry", EXPIRE,
		   "\tfield:void * hrtimer;\toffset:8;\tsize:8;\tsigned:0;\n"
		   "\tfield:void * function;\toffset:16;\tsize:8;\tsigned:0;\n");
	top_format(dir, "timer", "hrtimer_expire_exit", EXPIRED,
		   "\tfield:void * hrtimer;\toffset:8;\tsize:8;\tsigned:0;\n");
	write_metadata(dir, false);
	for (i = 0; i < 2; i++) {
		/* the recorder drops a packet without events */
		if (builders[i].end > builders[i].start + TRING_PACKET_HEADER_SIZE)
			build_end(&builders[i]);
		else
			builders[i].size = builders[i].start;
		build_write(&builders[i], dir);
	}
}

static void change(unsigned int cpu, unsigned int ms, int32_t prev, int64_t state, int32_t next)
{
	top_switch(build_record(&builders[cpu], AT(ms), TOP_SWITCH, prev, TOP_SWITCH_LENGTH),
		   prev, state, next, false);
}

/* A wakeup, or a migration: a task that is to run on @target. */
static void place(unsigned int cpu, unsigned int ms, int32_t by, uint16_t id, int32_t pid,
		  unsigned int target)
{
	uint8_t *payload = build_record(&builders[cpu], AT(ms), id, by, TOP_WAKE_LENGTH);

	top_wake(payload, pid, false);
	put_u32(payload + 32, target, false);
}

static void wake(unsigned int cpu, unsigned int ms, int32_t by, int32_t pid, unsigned int target)
{
	place(cpu, ms, by, TOP_WAKING, pid, target);
}

static void number(unsigned int cpu, unsigned int ms, int32_t by, uint16_t id, uint32_t value)
{
	put_u32(build_record(&builders[cpu], AT(ms), id, by, TOP_NUMBER_LENGTH) + 8, value,
		false);
}

static void call(unsigned int cpu, unsigned int ms, int32_t by, uint64_t id)
{
	put_u64(build_record(&builders[cpu], AT(ms), TOP_SYS_ENTER, by, TOP_ENTER_LENGTH) + 8,
		id, false);
}

static void check(const char *what, const char *arguments, const char *wanted)
{
	char *output = output_of(0, "$TRING why -o folded %s %s 2>/dev/null", arguments, dir);

	check_equal(output, wanted, what);
	free(output);
}

#define JSON		"$TRING why --longest block --json %s"

/* 100 waits for a futex; 200 has it, and 300 preempts that one. */
static void check_holder(void)
{
	begin();
	change(0, 0, 0, 0, 200);
	change(1, 0, 0, 0, 100);
	call(1, 1, 100, 202);
	change(1, 2, 100, 1, 0);
	change(0, 5, 200, 0x100, 300);
	change(0, 25, 300, 1, 200);
	wake(0, 30, 200, 100, 1);
	change(1, 32, 0, 0, 100);
	change(1, 33, 100, 1, 0);
	end();
	check("a holder that is preempted", "--longest wait -P 100",
	      "task100-100;blocked (S) in syscall 202 until task200-200;ran on CPU 0 3000000\n"
	      "task100-100;blocked (S) in syscall 202 until task200-200;"
	      "waited for CPU 0, which had;task300-300 20000000\n"
	      "task100-100;blocked (S) in syscall 202 until task200-200;ran on CPU 0 5000000\n"
	      "task100-100;waited for CPU 1, which had;idle 2000000\n");
	check_run(0,
		  "task100-100: wait, 30.000 ms from 1.002000000 to 1.032000000\n"
		  "      28.000   93.3%  blocked (S) in syscall 202 until task200-200\n"
		  "       8.000   26.7%    ran on CPU 0 (2 times)\n"
		  "      20.000   66.7%    waited for CPU 0, which had\n"
		  "      20.000   66.7%      task300-300\n"
		  "       2.000    6.7%  waited for CPU 1, which had\n"
		  "       2.000    6.7%    idle\n",
		  "$TRING why --longest wait -n 1 -P 100 %s", dir);
	check_run(0, "{\"what\":\"block\",\"pid\":100,\"comm\":\"task100\",", JSON, dir);
	check_run(0, "\"state\":\"S\",\"call\":{\"kind\":\"syscall\",\"number\":202},", JSON, dir);
	check_run(0, "\"waker\":{\"kind\":\"task\",\"pid\":200,\"comm\":\"task200\"},", JSON, dir);
	check_run(0, "{\"kind\":\"ran\",\"from\":1002000000,\"to\":1005000000,\"cpu\":0},", JSON,
		  dir);
	/* a part of it: what ends it is known although that is behind the part */
	check("a part of a wait", "-P 100 --from 1.010 --to 1.026000000",
	      "task100-100;blocked (S) in syscall 202 until task200-200;"
	      "waited for CPU 0, which had;task300-300 15000000\n"
	      "task100-100;blocked (S) in syscall 202 until task200-200;ran on CPU 0 1000000\n");
}

/* 100 reads from 200, which reads from 300, on two CPUs; 300 is moved meanwhile. */
static void check_pipeline(void)
{
	begin();
	change(0, 0, 0, 0, 200);
	change(1, 0, 0, 0, 100);
	change(1, 1, 100, 1, 400);
	change(0, 2, 200, 1, 300);
	change(0, 10, 300, 0x100, 0);
	place(0, 12, 0, MIGRATE, 300, 1);
	change(1, 20, 400, 1, 300);
	wake(1, 25, 300, 200, 0);
	change(0, 26, 0, 0, 200);
	wake(0, 30, 200, 100, 1);
	change(1, 31, 300, 1, 100);
	change(1, 32, 100, 1, 0);
	end();
#define UP	"task100-100;blocked (S) until task200-200;"
#define UPPER	UP "blocked (S) until task300-300;"
	check("a pipeline of three", "--longest block -P 100",
	      UP "ran on CPU 0 1000000\n"
	      UPPER "ran on CPU 0 8000000\n"
	      UPPER "waited for CPU 0, which had;idle 2000000\n"
	      UPPER "waited for CPU 1, which had;task400-400 8000000\n"
	      UPPER "ran on CPU 1 5000000\n"
	      UP "waited for CPU 0, which had;idle 1000000\n"
	      UP "ran on CPU 0 4000000\n");
}

/* Each of 100, 200 and 300 gets the lock from the one before. */
static void check_convoy(void)
{
	begin();
	change(0, 0, 0, 0, 100);
	change(1, 0, 0, 0, 200);
	change(1, 1, 200, 2, 300);
	change(1, 2, 300, 2, 0);
	wake(0, 10, 100, 200, 1);
	change(1, 10, 0, 0, 200);
	wake(1, 20, 200, 300, 0);
	change(0, 25, 100, 1, 300);
	change(0, 26, 300, 1, 0);
	end();
	check("a convoy", "--longest wait -P 300",
	      "task300-300;blocked (D) until task200-200;blocked (D) until task100-100;"
	      "ran on CPU 0 8000000\n"
	      "task300-300;blocked (D) until task200-200;ran on CPU 1 10000000\n"
	      "task300-300;waited for CPU 0, which had;task100-100 5000000\n");
}

static void expire(unsigned int cpu, unsigned int ms, int32_t by, bool begins)
{
	uint8_t *payload = build_record(&builders[cpu], AT(ms), begins ? EXPIRE : EXPIRED, by,
					begins ? 24 : 16);

	put_u64(payload + 8, 0xffff888000001000, false);
	if (begins)
		put_u64(payload + 16, 0xffffffff81234567, false);
}

/* A timer wakes 100; the second time an interrupt raises a softirq, and that does. */
static void check_interrupts(void)
{
	begin();
	change(0, 0, 0, 0, 100);
	change(0, 1, 100, 1, 200);
	builders[0].flags = HARD;
	expire(0, 10, 200, true);
	wake(0, 10, 200, 100, 0);
	expire(0, 11, 200, false);
	builders[0].flags = 0;
	change(0, 12, 200, 0x100, 100);
	change(0, 13, 100, 2, 200);
	number(0, 14, 200, TOP_TLB_FLUSH, 0);
	builders[0].flags = SOFT;
	number(0, 15, 200, TOP_SOFTIRQ_ENTRY, NET_RX);
	number(0, 16, 200, TOP_SOFTIRQ_EXIT, NET_RX);
	builders[0].flags = HARD;
	top_irq(build_record(&builders[0], AT(20), TOP_IRQ_ENTRY, 200, 24), 5, "virtio0", false);
	number(0, 21, 200, RAISE, NET_RX);
	number(0, 22, 200, TOP_IRQ_EXIT, 5);
	builders[0].flags = SOFT;
	number(0, 25, 200, TOP_SOFTIRQ_ENTRY, NET_RX);
	wake(0, 30, 200, 100, 0);
	number(0, 40, 200, TOP_SOFTIRQ_EXIT, NET_RX);
	builders[0].flags = 0;
	change(0, 42, 200, 0x100, 100);
	change(0, 43, 100, 1, 200);
	end();
	check("a timer and a device", "-P 100",
	      "task100-100;ran on CPU 0 1000000\n"
	      "task100-100;blocked (S) until an interrupt, timer 0xffffffff81234567 9000000\n"
	      "task100-100;waited for CPU 0, which had;task200-200 2000000\n"
	      "task100-100;ran on CPU 0 1000000\n"
	      "task100-100;blocked (D) until softirq NET_RX, raised in irq 5 virtio0 17000000\n"
	      "task100-100;waited for CPU 0, which had;softirq NET_RX 10000000\n"
	      "task100-100;waited for CPU 0, which had;task200-200 2000000\n"
	      "task100-100;ran on CPU 0 1000000\n");
	check("a storm", "-P 200 --from 1.014 --to 1.041000000",
	      "task200-200;ran on CPU 0 1000000\n"
	      "task200-200;softirq NET_RX 1000000\n"
	      "task200-200;ran on CPU 0 4000000\n"
	      "task200-200;irq 5 virtio0 2000000\n"
	      "task200-200;ran on CPU 0 3000000\n"
	      "task200-200;softirq NET_RX 15000000\n"
	      "task200-200;ran on CPU 0 1000000\n");
}

/* 100 waits for 210, which ends; another task gets its pid, made by 300 for 100's next wait. */
static void check_lives(void)
{
	begin();
	change(0, 0, 0, 0, 210);
	change(1, 0, 0, 0, 100);
	change(1, 1, 100, 1, 300);
	wake(0, 11, 210, 100, 0);
	change(0, 12, 210, 0x20, 100);
	change(0, 13, 100, 1, 0);
	place(1, 20, 300, WAKEUP_NEW, 210, 0);
	change(0, 22, 0, 0, 210);
	wake(0, 30, 210, 100, 0);
	change(0, 31, 210, 0x10, 100);
	change(0, 32, 100, 1, 0);
	end();
	check("a waker that ends", "--longest block -P 100",
	      "task100-100;blocked (S) until task210-210;not started until task300-300;"
	      "ran on CPU 1 7000000\n"
	      "task100-100;blocked (S) until task210-210;waited for CPU 0, which had;idle 2000000\n"
	      "task100-100;blocked (S) until task210-210;ran on CPU 0 8000000\n"
	      "task100-100;blocked (S) until task210-210;ran on CPU 0 10000000\n");
}

/* Behind a loss on any CPU nothing is said of what it may have hidden. */
static void check_loss(void)
{
	begin();
	change(0, 0, 0, 0, 200);
	change(1, 0, 0, 0, 100);
	change(1, 2, 100, 1, 0);
	change(1, 4, 0, 0, 300);
	build_end(&builders[0]);
	builders[0].seq++;
	build_begin(&builders[0], AT(8));
	builders[0].flags = SOFT;
	number(0, 8, 200, TOP_SOFTIRQ_EXIT, NET_RX);
	builders[0].flags = 0;
	number(0, 9, 200, TOP_TLB_FLUSH, 0);
	wake(0, 10, 200, 100, 1);
	change(1, 12, 300, 0x100, 100);
	change(1, 14, 100, 1, 0);
	change(0, 16, 200, 1, 0);
	end();
	check("a loss", "-P 100",
	      "task100-100;ran on CPU 1 2000000\n"
	      "task100-100;unknown 8000000\n"
	      "task100-100;waited for CPU 1, which had;task300-300 2000000\n"
	      "task100-100;ran on CPU 1 2000000\n"
	      "task100-100;blocked (S) 2000000\n");
	check("a loss in an interrupt", "-P 200",
	      "task200-200;unknown 8000000\n"
	      "task200-200;unknown 1000000\n"
	      "task200-200;ran on CPU 0 7000000\n");
	check_run(0, "0.008000 s are unknown", "$TRING why -P 100 %s", dir);
	check_run(0, "no block is known from its begin to its end", "$TRING why --longest block %s",
		  dir);
}

/* It had not ended when events were lost, whatever event came before that. */
static void check_open_softirq(void)
{
	begin();
	change(0, 0, 0, 0, 200);
	change(1, 0, 0, 0, 100);
	number(0, 2, 200, TOP_SOFTIRQ_ENTRY, NET_RX);
	change(0, 6, 200, 1, 0);
	build_end(&builders[0]);
	builders[0].seq++;
	build_begin(&builders[0], AT(8));
	number(0, 9, 0, TOP_TLB_FLUSH, 0);
	end();
	check("a softirq that a loss cuts off", "-P 200",
	      "task200-200;ran on CPU 0 2000000\n"
	      "task200-200;softirq NET_RX 4000000\n"
	      "task200-200;unknown 3000000\n");
}

/* A semicolon is no border of a level, at the root neither. */
static void check_name(void)
{
	begin();
	change(0, 0, 0, 0, 100);
	memcpy(top_change(&builders[0], AT(1), 100, 1, 0) + 8, "a;b", 4);
	end();
	check("a name with a semicolon", "-P 100", "a\\x3bb-100;ran on CPU 0 1000000\n");
}

static void check_errors(void)
{
	char *none = make_path("%s/none", temp_dir());

	check_run(1, "the trace has no task 999\n", "$TRING why -P 999 %s", dir);
	check_run(1, "has no task 100 at that time", "$TRING why -P 100 --from 5 %s", dir);
	check_run(2, "of which task: -P, --comm or --longest?", "$TRING why %s", dir);
	check_run(2, "-n is for --longest", "$TRING why -P 1 -n 5 %s", dir);
	check_run(1, "the trace has no task 999\n", "$TRING why --longest wait -P 999 %s", dir);
	check_run(2, "bad value for --rows: \"x\"", "$TRING why -n x -P 100 %s", dir);
	check_run(2, "block, syscall, span or wait is possible", "$TRING why --longest x %s", dir);
	check_run(2, "tree, json or folded is possible", "$TRING why -o x -P 1 %s", dir);
	make_trace(none, false);
	check_run(1, "record -e sched_switch,sched_waking\n", "$TRING why -P 100 %s", none);
}

int main(void)
{
	check_holder();
	check_pipeline();
	check_convoy();
	check_interrupts();
	check_lives();
	check_loss();
	check_name();
	check_open_softirq();
	check_errors();
	return 0;
}
