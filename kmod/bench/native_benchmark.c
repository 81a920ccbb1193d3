// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's benchmark_event in User-mode Linux: not recorded, recorded by ftrace and
 * recorded by tring, in turns.
 *
 * The event takes the time with trace_clock_local(), which calls sched_clock(). In
 * User-mode Linux that counts jiffies. An architecture may replace the function, as is
 * done below, in the benchmark's kernel only: figures are ticks of the TSC.
 */
#define pr_fmt(fmt) "native: " fmt

#include <linux/err.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/printk.h>
#include <linux/ring_buffer.h>
#include <linux/sched/clock.h>
#include <linux/trace.h>
#include <linux/trace_events.h>

#include <asm/msr.h>

#include "bench.h"

#define ROUNDS		25
#define INSTANCE	"native"

/* The scheduler gets ticks as well, which does no harm for some seconds. */
unsigned long long notrace sched_clock(void)
{
	return rdtsc();
}

static u64 notrace read_tsc(void)
{
	return rdtsc();
}

static struct trace_array *instance;
static struct trace_buffer *buffer;

/*
 * An instance of ftrace, whose ring has its final size from the beginning. A reservation
 * for one of its events gives a pointer to the ring.
 */
static int find_ftrace(void)
{
	struct ring_buffer_event *reserved;
	struct trace_event_file *file;

	instance = trace_array_get_by_name(INSTANCE, NULL);
	if (!instance)
		return -ENOMEM;
	file = trace_get_event_file(INSTANCE, "benchmark", "benchmark_event");
	if (IS_ERR(file))
		return PTR_ERR(file);
	reserved = trace_event_buffer_lock_reserve(&buffer, file, file->event_call->event.type,
						   sizeof(struct trace_entry),
						   tracing_gen_ctx());
	if (reserved)
		ring_buffer_discard_commit(buffer, reserved);
	trace_put_event_file(file);
	if (!reserved)
		return -ENOBUFS;
	return ring_buffer_resize(buffer, BENCH_RING_BYTES, RING_BUFFER_ALL_CPUS) < 0 ?
	       -ENOMEM : 0;
}

static int run_ftrace(const char *clock)
{
	int err;

	ring_buffer_reset(buffer);
	ring_buffer_set_clock(buffer, strcmp(clock, "tsc") ? ktime_get_mono_fast_ns : read_tsc);
	err = trace_array_set_clr_event(instance, "benchmark", "benchmark_event", true);
	if (err)
		return err;
	err = bench_benchmark("ftrace", clock);
	trace_array_set_clr_event(instance, "benchmark", "benchmark_event", false);
	if (!err && !ring_buffer_entries(buffer))
		err = -EUCLEAN;
	return err;
}

/**
 * bench_native_benchmark - some rounds of nothing, ftrace and tring in turns
 *
 * Context: task, may sleep; called once.
 * Return: 0 or a negative errno.
 */
int bench_native_benchmark(void)
{
	static const char * const clocks[] = { "tsc", "mono" };
	u64 begin = rdtsc(), nsec = ktime_get_ns();
	int i, c, err;

	err = find_ftrace();
	for (i = 0; !err && i < ROUNDS; i++) {
		for (c = 0; !err && c < ARRAY_SIZE(clocks); c++) {
			err = bench_benchmark("nothing", clocks[c]) ?:
			      run_ftrace(clocks[c]) ?:
			      bench_benchmark("tring", clocks[c]);
		}
	}
	nsec = ktime_get_ns() - nsec;
	bench_say("tsc khz=%llu\n", div64_u64((rdtsc() - begin) * 1000, nsec / 1000));
	return err;
}
