// SPDX-License-Identifier: GPL-2.0
/*
 * traces DIR - makes the traces of which tests of the page are: one whose slices are known, one of
 * random events with losses, and some that are hostile.
 */
#include <sys/stat.h>

#include "top_trace.h"

/* Times are microseconds behind 1 s. */
#define AT(us)	(1000000000 + (us) * 1000ull)
#define CPUS	2
#define TASKS	24
#define FIRST	100

static struct builder builders[CPUS];
static uint64_t written[CPUS], lost[CPUS];
static uint64_t seed = 20261126;

static uint64_t random_below(uint64_t limit)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (seed >> 33) % limit;
}

static const char *begin_trace(const char *dir, const char *name)
{
	const char *path = make_path("%s/%s", dir, name);
	unsigned int i;

	CHECK(!mkdir(path, 0777));
	top_make(path, false);
	for (i = 0; i < CPUS; i++)
		build_init(&builders[i], false, i);
	memset(written, 0, sizeof(written));
	memset(lost, 0, sizeof(lost));
	return path;
}

static void end_trace(const char *path, const uint64_t *events)
{
	unsigned int i;

	for (i = 0; i < CPUS; i++)
		top_write(path, &builders[i], events[i], lost[i], 0);
}

/*
 * CPU 0: task 100 for 10 ms, idle, task 200 from 20 to 30 ms, which an interrupt interrupts; from
 * 40 to 60 ms events are lost. CPU 1 is idle, but for task 300 from 70 to 90 ms.
 */
static void make_known(const char *dir)
{
	const char *path = begin_trace(dir, "known");
	struct builder *one = &builders[0], *two = &builders[1];

	/* they are lost behind the packet that tells of them */
	lost[0] = 1234;
	one->discarded = lost[0];
	build_begin(one, AT(0));
	top_change(one, AT(0), 0, 0, 100);
	top_call(one, AT(1000), AT(9000), 100, 7, -2);
	top_change(one, AT(10000), 100, 1, 0);
	top_change(one, AT(20000), 0, 0, 200);
	top_interrupt(one, AT(22000), AT(24000), 200, 5, "disk");
	top_waking(one, AT(28000), 200, 100);
	top_change(one, AT(30000), 200, 1, 100);
	top_change(one, AT(40000), 100, 0, 0);
	build_end(one);
	build_begin(one, AT(60000));
	top_change(one, AT(60000), 0, 0, 200);
	top_change(one, AT(100000), 200, 1, 0);
	build_end(one);
	build_begin(two, AT(0));
	top_change(two, AT(70), 0, 0, 0);
	top_change(two, AT(70000), 0, 0, 300);
	top_change(two, AT(90000), 300, 2, 0);
	build_end(two);
	end_trace(path, (const uint64_t []){ 12, 3 });
}

/* What the tasks of a random trace do: the task of each CPU, and which ones are blocked or wait. */
struct machine_now {
	uint64_t	ns;
	int32_t		runs[CPUS];
	bool		blocked[TASKS];
	bool		waits[TASKS];
};

static int32_t pick(const bool *among)
{
	unsigned int start = random_below(TASKS), i;

	for (i = 0; i < TASKS; i++)
		if (among[(start + i) % TASKS])
			return FIRST + (start + i) % TASKS;
	return 0;
}

static void switch_task(struct machine_now *now, unsigned int cpu)
{
	int32_t prev = now->runs[cpu], next = random_below(4) ? pick(now->waits) : 0;
	uint64_t state = random_below(3) ? 1 + random_below(2) : 0x100;

	if (prev == next)
		return;
	if (prev) {
		now->blocked[prev - FIRST] = state != 0x100;
		now->waits[prev - FIRST] = state == 0x100;
	}
	if (next)
		now->waits[next - FIRST] = false;
	top_change(&builders[cpu], now->ns, prev, prev ? state : 0, next);
	now->runs[cpu] = next;
	written[cpu]++;
}

static void wake_task(struct machine_now *now, unsigned int cpu)
{
	int32_t pid = pick(now->blocked);

	if (!pid)
		return;
	now->blocked[pid - FIRST] = false;
	now->waits[pid - FIRST] = true;
	top_waking(&builders[cpu], now->ns, now->runs[cpu], pid);
	written[cpu]++;
}

static void call(struct builder *builder, uint64_t from, uint64_t to, int32_t pid)
{
	uint8_t *begin = top_call(builder, from, to, pid, random_below(20),
				  random_below(4) ? 0 : -2);
	unsigned int i;

	/* arguments that are no addresses of the kernel, which a page hides */
	for (i = 16; i < TOP_ENTER_LENGTH; i += 8)
		put_u64(begin + i, random_below(1 << 20), false);
}

static void step(struct machine_now *now, unsigned int cpu)
{
	int32_t pid = now->runs[cpu];
	uint64_t end = now->ns + 1 + random_below(3000);

	switch (random_below(6)) {
	case 0:
	case 1:
		switch_task(now, cpu);
		return;
	case 2:
	case 3:
		wake_task(now, cpu);
		return;
	case 4:
		top_interrupt(&builders[cpu], now->ns, end, pid, 5 + random_below(3), "disk");
		break;
	default:
		if (!pid)
			return;
		call(&builders[cpu], now->ns, end, pid);
	}
	written[cpu] += 2;
	now->ns = end;
}

/* Appends what a builder has to the CPU's file, so that a trace may be larger than a builder. */
static void spill(struct builder *builder, const char *path)
{
	FILE *file = fopen(make_path("%s/cpu%u", path, builder->cpu), "a");

	CHECK(file && fwrite(builder->bytes, 1, builder->size, file) == builder->size);
	CHECK(!fclose(file));
	builder->size = 0;
}

static void finish_spilled(const char *path)
{
	unsigned int i;

	for (i = 0; i < CPUS; i++) {
		write_text(make_path("%s/tring/cpu%u.start", path, i), "read: 0\n");
		write_text(make_path("%s/tring/cpu%u.end", path, i),
			   make_path("read: %" PRIu64 "\noverwritten: 0\nrefused_no_room: %" PRIu64
				     "\n", written[i], lost[i]));
	}
}

/* A packet of each CPU is written a round; now and then events are lost behind one. */
static void make_random(const char *dir)
{
	const char *path = begin_trace(dir, "random");
	const char *info = make_path("%s/tring/trace_info", path);
	struct machine_now now = { .ns = AT(0) };
	unsigned int round, cpu, i;

	/* whose calls and errors have names */
	write_text(info, make_path("%sarchitecture=x86_64\n", read_file(info)));
	memset(now.blocked, true, sizeof(now.blocked));
	for (round = 0; round < 400; round++) {
		for (cpu = 0; cpu < CPUS; cpu++) {
			if (round && !random_below(40))
				lost[cpu] += 1 + random_below(500);
			builders[cpu].discarded = lost[cpu];
			build_begin(&builders[cpu], now.ns);
		}
		for (i = 0; i < 60; i++) {
			now.ns += 1 + random_below(random_below(9) ? 4000 : 400000);
			step(&now, random_below(CPUS));
		}
		for (cpu = 0; cpu < CPUS; cpu++) {
			build_end(&builders[cpu]);
			spill(&builders[cpu], path);
		}
	}
	finish_spilled(path);
}

/* A switch to a task with a name; and away from it. */
static void put_named(struct builder *builder, uint64_t at, int32_t pid, const char *name)
{
	uint8_t *payload = top_change(builder, at, 0, 0, pid);

	strncpy((char *)payload + 40, name, 16);
	payload = top_change(builder, at + 1000000, pid, 1, 0);
	strncpy((char *)payload + 8, name, 16);
}

static void make_hostile(const char *dir)
{
	static const char *const names[] = {
		"</script><b>", "<img src=x>", "\"onload='x'", "&lt;b&gt;", "\x1b[31mred",
		"\xff\xfe\x80", "__proto__", "constructor", "]]>--><!--", "%s%n\\", "\u202egnp",
	};
	const char *path = begin_trace(dir, "hostile");
	size_t i;

	build_begin(&builders[0], AT(0));
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		put_named(&builders[0], AT(i * 3000), FIRST + i, names[i]);
	top_interrupt(&builders[0], AT(50000), AT(51000), 0, 5, "<i>&\"'");
	build_end(&builders[0]);
	end_trace(path, (const uint64_t []){ 2 * i + 2, 0 });
}

static void make_one(const char *dir, const char *name, uint64_t stamp)
{
	const char *path = begin_trace(dir, name);

	build_begin(&builders[0], stamp);
	top_change(&builders[0], stamp, 0, 0, 100);
	build_end(&builders[0]);
	end_trace(path, (const uint64_t []){ 1, 0 });
}

#define MARKER	700

static void put_marker(struct builder *builder, uint64_t at, const char *text)
{
	size_t size = 16 + (strlen(text) + 4) / 4 * 4;
	uint8_t *payload = build_record(builder, at, MARKER, 100, size);

	memset(payload + 8, 0, size - 8);
	strcpy((char *)payload + 16, text);
}

/* A span in another one, a text and a counter; then a loss, in which a span may have ended. */
static void make_markers(const char *dir)
{
	const char *path = begin_trace(dir, "markers");
	struct builder *one = &builders[0];

	top_format(path, "ftrace", "print", MARKER,
		   "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
		   "\tfield:char buf[];\toffset:16;\tsize:0;\tsigned:1;\n");
	write_metadata(path, false);
	lost[0] = 5;
	one->discarded = 5;
	build_begin(one, AT(0));
	top_change(one, AT(0), 0, 0, 100);
	put_marker(one, AT(10000), "B|100|outer");
	put_marker(one, AT(12000), "B|100|inner");
	put_marker(one, AT(14000), "C|100|depth|3");
	put_marker(one, AT(15000), "hello <b>\n");
	put_marker(one, AT(20000), "E|100");
	put_marker(one, AT(30000), "E|100");
	put_marker(one, AT(35000), "C|100|depth|7");
	put_marker(one, AT(40000), "B|100|lost");
	build_end(one);
	build_begin(one, AT(60000));
	put_marker(one, AT(60000), "E|100");
	top_change(one, AT(100000), 100, 1, 0);
	build_end(one);
	end_trace(path, (const uint64_t []){ 11, 0 });
}

#define STACK	701

static void put_stack(struct builder *builder, uint64_t at, unsigned int inner,
		      unsigned int outer)
{
	uint8_t *payload = build_record(builder, at, STACK, 100, 32);

	put_u64(payload + 8, 2, false);
	put_u64(payload + 16, 0xffffffff81000000 + 0x100 * inner + 5, false);
	put_u64(payload + 24, 0xffffffff81000000 + 0x100 * outer + 9, false);
}

static void make_stacks(const char *dir)
{
	const char *path = begin_trace(dir, "stacks");
	struct builder *one = &builders[0];
	unsigned int i;

	top_format(path, "ftrace", "kernel_stack", STACK,
		   "\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n"
		   "\tfield:unsigned long caller[2];\toffset:16;\tsize:16;\tsigned:0;\n");
	write_text(make_path("%s/tring/kallsyms", path),
		   "ffffffff81000000 T outer\nffffffff81000100 T schedule\n"
		   "ffffffff81000200 T a<b>&\"';c\nffffffff81000300 T end\n");
	write_metadata(path, false);
	build_begin(one, AT(0));
	top_change(one, AT(0), 0, 0, 100);
	for (i = 0; i < 10; i++)
		put_stack(one, AT(5000 * i), 1 + i % 2, i % 3 ? 0 : 1);
	top_change(one, AT(100000), 100, 1, 0);
	build_end(one);
	end_trace(path, (const uint64_t []){ 12, 0 });
}

static void make_calls_only(const char *dir)
{
	const char *path = begin_trace(dir, "calls");
	unsigned int i;

	build_begin(&builders[0], AT(0));
	for (i = 0; i < 50; i++)
		top_call(&builders[0], AT(i * 10), AT(i * 10 + 5), 100, i % 5, 0);
	build_end(&builders[0]);
	end_trace(path, (const uint64_t []){ 100, 0 });
}

/* The first and the last event are as far apart as times can be. */
static void make_far(const char *dir)
{
	const char *path = begin_trace(dir, "far");

	build_begin(&builders[0], 1);
	top_change(&builders[0], 1, 0, 0, 100);
	top_change(&builders[0], 1ull << 62, 100, 1, 0);
	top_change(&builders[0], (1ull << 63) - 1, 0, 0, 100);
	build_end(&builders[0]);
	end_trace(path, (const uint64_t []){ 3, 0 });
}

static void make_many_tasks(const char *dir)
{
	const char *path = begin_trace(dir, "many");
	unsigned int round, i;

	for (round = 0; round < 200; round++) {
		build_begin(&builders[0], AT(round * 1000));
		for (i = 0; i < 500; i++)
			top_change(&builders[0], AT(round * 1000) + i * 2000,
				   round || i ? FIRST + round * 500 + i : 0, 1,
				   FIRST + round * 500 + i + 1);
		build_end(&builders[0]);
		spill(&builders[0], path);
		written[0] += i;
	}
	finish_spilled(path);
}

int main(int argc, char **argv)
{
	CHECK(argc == 2);
	make_known(argv[1]);
	make_random(argv[1]);
	make_hostile(argv[1]);
	make_one(argv[1], "one", AT(0));
	make_one(argv[1], "late", (1ull << 63) + 5);
	make_calls_only(argv[1]);
	make_markers(argv[1]);
	make_stacks(argv[1]);
	make_far(argv[1]);
	make_many_tasks(argv[1]);
	return 0;
}
