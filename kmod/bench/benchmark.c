// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's own benchmark of tracepoints, CONFIG_TRACEPOINT_BENCHMARK: while
 * benchmark_event has a probe, a thread of kernel/trace/trace_benchmark.c calls it
 * in a loop, with interrupts off between two reads of trace_clock_local(). Each event
 * carries a text with the durations of the events before it.
 *
 * A second probe reads that text after the measured probe has run for a while. The first
 * event that the second probe gets describes events without that probe.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>

#include "bench.h"
#include "probes/event.h"
#include "trace_benchmark.h"

#define EVENT_ID	77
/* The thread sleeps for the first 100 of them. */
#define RUN_MS		200
#define TRIES		10

static LIST_HEAD(patterns);
static struct tring_event event;
static struct tracepoint *benchmark_tracepoint;

static char text[BENCHMARK_EVENT_STRLEN];
static bool has_text;
static DECLARE_COMPLETION(got_text);

static void take_text(void *data, const char *str, u64 delta)
{
	if (has_text)
		return;
	strscpy(text, str, sizeof(text));
	has_text = true;
	complete(&got_text);
}

/* Measured if nothing is recorded. */
static void do_nothing(void *data, const char *str, u64 delta)
{
}

static int ask_for_text(void)
{
	unsigned long left;
	int err;

	has_text = false;
	reinit_completion(&got_text);
	err = tracepoint_probe_register(benchmark_tracepoint, take_text, NULL);
	if (err)
		return err;
	left = wait_for_completion_timeout(&got_text, HZ);
	tracepoint_probe_unregister(benchmark_tracepoint, take_text, NULL);
	tring_synchronize_probes();
	return left ? 0 : -ETIMEDOUT;
}

/* There is no average before the second event, for which the thread may be late. */
static int wait_for_text(void)
{
	int try, err;

	for (try = 0; try < TRIES; try++) {
		msleep(RUN_MS);
		err = ask_for_text();
		if (err || strstr(text, "avg="))
			return err;
	}
	return -ETIMEDOUT;
}

static int run(void *probe, void *data)
{
	int err = tracepoint_probe_register(benchmark_tracepoint, probe, data);

	if (err)
		return err;
	err = wait_for_text();
	tracepoint_probe_unregister(benchmark_tracepoint, probe, data);
	tring_synchronize_probes();
	return err;
}

static int find_tracepoint(void)
{
	struct trace_event_file *file;

	if (benchmark_tracepoint)
		return 0;
	file = trace_get_event_file(NULL, "benchmark", "benchmark_event");
	if (IS_ERR(file))
		return PTR_ERR(file);
	benchmark_tracepoint = file->event_call->tp;
	trace_put_event_file(file);
	return 0;
}

/**
 * bench_benchmark - run the kernel's benchmark
 * @tracer: "tring"; "nothing"; or the tracer that has enabled the event
 * @clock: name of the clock; set here for tring
 *
 * Context: task, may sleep.
 * Return: 0; an error of registering a probe; -ETIMEDOUT if the thread does not run;
 * -EUCLEAN if tring's counters do not balance.
 */
int bench_benchmark(const char *tracer, const char *clock)
{
	int err = find_tracepoint();

	if (err)
		return err;
	if (!strcmp(tracer, "tring")) {
		err = bench_tring_prepare(clock, &event.buffer);
		if (err)
			return err;
		tring_buffer_add_event(event.buffer, &event.key, EVENT_ID, event.length, true);
		err = run(event.probe, &event);
		err = bench_tring_finish() ?: err;
	} else if (!strcmp(tracer, "nothing")) {
		err = run(do_nothing, NULL);
	} else {
		err = wait_for_text();
	}
	/* The text has the format of the results: "last=150 first=3488 ..." */
	if (!err)
		bench_say("benchmark tracer=%s clock=%s %s\n", tracer, clock, text);
	return err;
}

/**
 * bench_benchmark_init - find tring's probe
 */
void __init bench_benchmark_init(void)
{
	tring_list_events_benchmark(&patterns);
	event = *list_first_entry(&patterns, struct tring_event, list);
}
