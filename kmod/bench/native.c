// SPDX-License-Identifier: GPL-2.0
/*
 * The cost of an event in cycles of the real processor: the rings of the benchmark in
 * turns, in User-mode Linux, without an emulator.
 *
 * The rings' logic, their unlocked cmpxchg and the counter are real. Preemption is never
 * off, there is one CPU and no %gs. The machine does other work and changes its
 * speed, so each round times one batch of each ring, one after the other. The result is
 * the best batch and the median of each ring, and their ratio to the floor's.
 *
 * Built in, it runs at the end of the boot, prints to the console and powers
 * off. See scripts/bench/native.sh.
 */
#define pr_fmt(fmt) "native: " fmt

#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/printk.h>
#include <linux/reboot.h>
#include <linux/ring_buffer.h>
#include <linux/sort.h>
#include <linux/string.h>

#include <asm/msr.h>

#include "bench.h"

#define ROUNDS	400
#define EVENTS	20000

unsigned long bench_set_clock_address = (unsigned long)ring_buffer_set_clock;

static struct bench_ring * const rings[] = {
	&bench_floor, &bench_cmpxchg, &bench_xadd, &bench_tring, &bench_ftrace
};

static u64 ticks[ARRAY_SIZE(rings)][ROUNDS];

/**
 * bench_say - print a part of a line
 * @format: as printf()
 */
void bench_say(const char *format, ...)
{
	static char line[512];
	static size_t length;
	va_list args;

	va_start(args, format);
	length += vscnprintf(line + length, sizeof(line) - length, format, args);
	va_end(args);
	if (length && line[length - 1] == '\n') {
		pr_info("%s", line);
		length = 0;
	}
}

static const struct bench_op *find_op(const struct bench_ring *ring, const char *what)
{
	const struct bench_op *op;

	for (op = ring->ops; op->what; op++)
		if (!strcmp(op->what, what))
			return op;
	return NULL;
}

static noinline void batch_nothing(unsigned int count)
{
	while (count--)
		barrier();
}

static u64 time_batch(void (*batch)(unsigned int count))
{
	u64 begin = rdtsc();

	batch(EVENTS);
	return rdtsc() - begin;
}

static int compare_u64(const void *a, const void *b)
{
	return *(const u64 *)a < *(const u64 *)b ? -1 : *(const u64 *)a > *(const u64 *)b;
}

/* Cycles per event, in hundredths. */
static u64 hundredths(u64 of_batch)
{
	return div_u64(of_batch * 100, EVENTS);
}

static void say_hundredths(const char *key, u64 value)
{
	bench_say(" %s=%llu.%02llu", key, value / 100, value % 100);
}

static void say(enum tring_clock clock, const char *what)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rings); i++) {
		u64 best, median, floor_best, floor_median;

		sort(ticks[i], ROUNDS, sizeof(ticks[i][0]), compare_u64, NULL);
		best = hundredths(ticks[i][0]);
		median = hundredths(ticks[i][ROUNDS / 2]);
		/* The floor comes first. */
		floor_best = max(hundredths(ticks[0][0]), 1ULL);
		floor_median = max(hundredths(ticks[0][ROUNDS / 2]), 1ULL);
		bench_say("native tracer=%s what=%s clock=%s", rings[i]->name, what,
			  tring_name_of_clock(clock));
		say_hundredths("best", best);
		say_hundredths("median", median);
		say_hundredths("best_over_floor", best * 100 / floor_best);
		say_hundredths("median_over_floor", median * 100 / floor_median);
		bench_say("\n");
	}
}

static int measure(enum tring_clock clock, const char *what)
{
	unsigned int i, round, prepared;
	u64 empty = U64_MAX;
	int err = 0, ret;

	for (prepared = 0; prepared < ARRAY_SIZE(rings); prepared++) {
		err = rings[prepared]->prepare(clock, true, BENCH_RING_BYTES);
		if (err)
			goto out;
	}
	for (round = 0; round < ROUNDS; round++) {
		empty = min(empty, time_batch(batch_nothing));
		for (i = 0; i < ARRAY_SIZE(rings); i++)
			ticks[i][round] = time_batch(find_op(rings[i], what)->batch);
	}
	for (i = 0; i < ARRAY_SIZE(rings); i++)
		for (round = 0; round < ROUNDS; round++)
			ticks[i][round] -= min(empty, ticks[i][round]);
	say(clock, what);
out:
	for (i = 0; i < prepared; i++) {
		ret = rings[i]->finish((u64)ROUNDS * EVENTS, (u64)ROUNDS * EVENTS);
		err = err ?: ret;
	}
	return err;
}

static int __init run_native(void)
{
	static const enum tring_clock clocks[] = { TRING_CLOCK_TSC, TRING_CLOCK_MONO };
	static const char * const ops[] = { "write_16", "write_64", "write_256" };
	unsigned int c, o;
	int err = 0;

	for (c = 0; c < ARRAY_SIZE(clocks); c++)
		for (o = 0; o < ARRAY_SIZE(ops); o++)
			err = err ?: measure(clocks[c], ops[o]);
	bench_benchmark_init();
	err = err ?: bench_native_benchmark();
	if (err)
		pr_err("error %d\n", err);
	else
		pr_info("all accounts balance\n");
	kernel_power_off();
	return 0;
}
late_initcall_sync(run_native);
