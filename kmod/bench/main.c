// SPDX-License-Identifier: GPL-2.0
/*
 * tring_bench.ko: the cost of an event in tring and in other rings, in one boot.
 * scripts/bench.sh loads it in QEMU and makes tables of the results.
 *
 * In debugfs, tring_bench/run takes one command per write():
 *
 *	ring CLOCK MODE		all rings; tsc or mono; overwrite or discard
 *	size CLOCK KIB		all rings, of that size, a power of two
 *	event TRACER CLOCK	the benchmark's tracepoint
 *	switch TRACER CLOCK	a context switch
 *
 * TRACER is tring; tring-listed or tring-unlisted, whose rings have a list of pids, with
 * the writer's or another; tring-passing or tring-failing, whose event has a filter,
 * which has to let all through, or none; nothing or disabled; or the tracer that has the
 * event enabled.
 * tring_bench/results shows a line of words "key=value" for each figure. A write() fails
 * if the counters of a measured ring do not balance.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "bench.h"
#include "compat.h"

#define RESULTS_BYTES	SZ_1M
#define COMMAND_BYTES	128

unsigned long bench_set_clock_address;
module_param_named(set_clock_address, bench_set_clock_address, ulong, 0);
MODULE_PARM_DESC(set_clock_address,
		 "address of ring_buffer_set_clock(), which is not exported (see /proc/kallsyms)");

/* Protects the list and the results; held by a running command. */
static DEFINE_MUTEX(mutex);
static LIST_HEAD(rings);
static char *results;
static size_t results_length;
static struct dentry *dir;

/**
 * bench_ring_add - add a ring to measure
 * @ring: the ring; must stay until bench_ring_remove()
 */
void bench_ring_add(struct bench_ring *ring)
{
	mutex_lock(&mutex);
	list_add_tail(&ring->list, &rings);
	mutex_unlock(&mutex);
}
EXPORT_SYMBOL_GPL(bench_ring_add);

/**
 * bench_ring_remove - remove a ring from the list
 * @ring: ring given to bench_ring_add()
 */
void bench_ring_remove(struct bench_ring *ring)
{
	mutex_lock(&mutex);
	list_del(&ring->list);
	mutex_unlock(&mutex);
}
EXPORT_SYMBOL_GPL(bench_ring_remove);

/**
 * bench_say - append to the results
 * @format: printf() format; a line may be printed in parts
 *
 * Context: task, while a command runs.
 */
void bench_say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	results_length += vscnprintf(results + results_length, RESULTS_BYTES - results_length,
				     format, args);
	va_end(args);
}

static int run_ring(const char *clock_name, const char *mode)
{
	int clock = bench_find_clock(clock_name);
	bool overwrite = !strcmp(mode, "overwrite");

	if (clock < 0 || (!overwrite && strcmp(mode, "discard")))
		return -EINVAL;
	return bench_rings(&rings, clock, overwrite);
}

static int run_size(const char *clock_name, const char *kib)
{
	int clock = bench_find_clock(clock_name);
	unsigned long size;

	if (clock < 0 || kstrtoul(kib, 10, &size) || !is_power_of_2(size) ||
	    size > SZ_1G / SZ_1K)
		return -EINVAL;
	return bench_sizes(&rings, clock, size * SZ_1K);
}

static int run_command(char *command)
{
	const char *what = strsep(&command, " ");
	const char *first = strsep(&command, " ");
	const char *second = strsep(&command, " ");

	if (!second || command)
		return -EINVAL;
	if (!strcmp(what, "ring"))
		return run_ring(first, second);
	if (!strcmp(what, "size"))
		return run_size(first, second);
	if (!strcmp(what, "event"))
		return bench_event(first, second);
	if (!strcmp(what, "switch"))
		return bench_switch(first, second);
	if (!strcmp(what, "function") || !strcmp(what, "function_graph") ||
	    !strcmp(what, "kprobe")) {
		bench_call(what, first, second);
		return 0;
	}
	return -EINVAL;
}

static ssize_t write_run(struct file *file, const char __user *from, size_t count,
			 loff_t *pos)
{
	char command[COMMAND_BYTES];
	int err;

	if (count >= sizeof(command))
		return -EINVAL;
	if (copy_from_user(command, from, count))
		return -EFAULT;
	command[count] = '\0';
	mutex_lock(&mutex);
	err = run_command(strim(command));
	mutex_unlock(&mutex);
	return err ?: count;
}

static const struct file_operations run_fops = {
	.owner	= THIS_MODULE,
	.write	= write_run,
};

static int results_show(struct seq_file *m, void *unused)
{
	mutex_lock(&mutex);
	seq_write(m, results, results_length);
	mutex_unlock(&mutex);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(results);

static int __init init_bench(void)
{
	int err;

	if (!bench_set_clock_address) {
		pr_err("set_clock_address is needed, or the clocks would differ\n");
		return -EINVAL;
	}
	results = vmalloc(RESULTS_BYTES);
	if (!results)
		return -ENOMEM;
	err = bench_measure_init();
	if (err) {
		vfree(results);
		return err;
	}
	bench_event_init();
	bench_ring_add(&bench_tring);
	bench_ring_add(&bench_ftrace);
	bench_ring_add(&bench_floor);
	bench_ring_add(&bench_cmpxchg);
	bench_ring_add(&bench_xadd);
	dir = debugfs_create_dir("tring_bench", NULL);
	debugfs_create_file("run", 0200, dir, NULL, &run_fops);
	debugfs_create_file("results", 0400, dir, NULL, &results_fops);
	return 0;
}
module_init(init_bench);

static void __exit exit_bench(void)
{
	debugfs_remove(dir);
	bench_measure_exit();
	vfree(results);
}
module_exit(exit_bench);

MODULE_DESCRIPTION("Side by side cost of tring and of its peers");
MODULE_LICENSE("GPL");
TRING_IMPORT_NS;
