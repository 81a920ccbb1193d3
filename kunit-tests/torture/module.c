// SPDX-License-Identifier: GPL-2.0
/*
 * tring_torture.ko: writes into an instance of tring from all contexts at once while
 * the file "run" holds 1. The file "counters" shows what it has written. The torture
 * program reads, disturbs and judges; see scripts/torture.sh. A number that is written to
 * "crash" is that of the open records in which the kernel panics.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>

#include "compat.h"
#include "instance.h"
#include "module.h"

static char *instance = "torture";
module_param(instance, charp, 0444);
MODULE_PARM_DESC(instance, "name of the instance to write into");

struct torture_options torture_options = {
	.fill_max	= 100,
	.long_every	= 256,
	.fixed_every	= 4,
	.no_short_every	= 16,
	.full_every	= 16,
	.pid_every	= 64,
	.discard_every	= 8,
	.nest_every	= 16,
	.time_every	= 4,
	.copy_every	= 8,
	.burst		= 50,
	.timer_us	= 500,
	.nmi_every	= 2,
	.ipi_every	= 2,
};

module_param_named(fill_max, torture_options.fill_max, uint, 0644);
MODULE_PARM_DESC(fill_max, "largest number of pseudo-random bytes in an event");

module_param_named(long_every, torture_options.long_every, uint, 0644);
MODULE_PARM_DESC(long_every, "one event in this many has a random length up to 5000 bytes");

module_param_named(fixed_every, torture_options.fixed_every, uint, 0644);
MODULE_PARM_DESC(fixed_every, "one event in this many has the fixed length of its short type");

module_param_named(no_short_every, torture_options.no_short_every, uint, 0644);
MODULE_PARM_DESC(no_short_every, "one event in this many has no short type");

module_param_named(full_every, torture_options.full_every, uint, 0644);
MODULE_PARM_DESC(full_every, "one event in this many has random flags and a random preempt count");

module_param_named(pid_every, torture_options.pid_every, uint, 0644);
MODULE_PARM_DESC(pid_every, "one event in this many has a random pid");

module_param_named(discard_every, torture_options.discard_every, uint, 0644);
MODULE_PARM_DESC(discard_every, "one event in this many is discarded");

module_param_named(nest_every, torture_options.nest_every, uint, 0644);
MODULE_PARM_DESC(nest_every, "one event in this many has another one nested in it");

module_param_named(time_every, torture_options.time_every, uint, 0644);
MODULE_PARM_DESC(time_every, "one event in this many holds the clock before and after its reservation");

module_param_named(copy_every, torture_options.copy_every, uint, 0644);
MODULE_PARM_DESC(copy_every, "one event in this many goes through tring_write()");

module_param_named(burst, torture_options.burst, uint, 0644);
MODULE_PARM_DESC(burst, "number of events that a thread writes before it pauses");

module_param_named(pause_us, torture_options.pause_us, uint, 0644);
MODULE_PARM_DESC(pause_us, "shortest pause of a thread, in microseconds");

module_param_named(timer_us, torture_options.timer_us, uint, 0644);
MODULE_PARM_DESC(timer_us, "mean period of the timers, in microseconds");

module_param_named(nmi_every, torture_options.nmi_every, uint, 0644);
MODULE_PARM_DESC(nmi_every, "one burst in this many is followed by an NMI to a random CPU");

module_param_named(ipi_every, torture_options.ipi_every, uint, 0644);
MODULE_PARM_DESC(ipi_every, "one burst in this many is followed by an IPI to a random CPU");

module_param_named(trace_clock, torture_options.trace_clock, bool, 0644);
MODULE_PARM_DESC(trace_clock, "trace the clock with a kprobe, from the next start on");

static DEFINE_MUTEX(run_mutex);
static struct tring_buffer *buffer;
static struct dentry *dir;

static const char * const context_names[TORTURE_CONTEXTS] = {
	[TORTURE_TASK]		= "task",
	[TORTURE_SOFTIRQ]	= "softirq",
	[TORTURE_HARDIRQ]	= "hardirq",
	[TORTURE_NMI]		= "nmi",
	[TORTURE_CLOCK]		= "clock",
};

static int start(void)
{
	int err;

	buffer = tring_instance_get(instance);
	if (IS_ERR(buffer)) {
		err = PTR_ERR(buffer);
		buffer = NULL;
		return err;
	}
	torture_write_begin(buffer);
	err = torture_contexts_start();
	if (err) {
		torture_write_end();
		tring_instance_put(buffer);
		buffer = NULL;
	}
	return err;
}

static void stop(void)
{
	torture_contexts_stop();
	torture_write_end();
	tring_instance_put(buffer);
	buffer = NULL;
}

static int set_run(void *data, u64 value)
{
	int err = 0;

	mutex_lock(&run_mutex);
	if (value && !buffer)
		err = start();
	else if (!value && buffer)
		stop();
	mutex_unlock(&run_mutex);
	return err;
}

static int get_run(void *data, u64 *value)
{
	*value = !!READ_ONCE(buffer);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(run_fops, get_run, set_run, "%llu\n");

static int set_crash(void *data, u64 value)
{
	return torture_crash(value);
}
DEFINE_DEBUGFS_ATTRIBUTE(crash_fops, NULL, set_crash, "%llu\n");

/* One line for each context of each CPU. Exact while no context writes. */
static int counters_show(struct seq_file *m, void *unused)
{
	const struct torture_writer *writer;
	int cpu, context, reason;

	seq_puts(m, "# cpu context name sequence committed discarded bytes faults refused...\n");
	for_each_possible_cpu(cpu) {
		for (context = 0; context < TORTURE_CONTEXTS; context++) {
			writer = torture_writer(cpu, context);
			seq_printf(m, "%d %d %s %llu %llu %llu %llu %llu", cpu, context,
				   context_names[context], READ_ONCE(writer->sequence),
				   READ_ONCE(writer->committed),
				   READ_ONCE(writer->discarded), READ_ONCE(writer->bytes),
				   READ_ONCE(writer->faults));
			for (reason = 0; reason < TRING_REFUSALS; reason++)
				seq_printf(m, " %llu", READ_ONCE(writer->refused[reason]));
			seq_putc(m, '\n');
		}
	}
	seq_printf(m, "clock_missed %llu\n", torture_clock_missed());
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(counters);

static int __init init_torture(void)
{
	dir = debugfs_create_dir("tring_torture", NULL);
	if (IS_ERR(dir))
		return PTR_ERR(dir);
	debugfs_create_file("run", 0600, dir, NULL, &run_fops);
	debugfs_create_file("crash", 0200, dir, NULL, &crash_fops);
	debugfs_create_file("counters", 0400, dir, NULL, &counters_fops);
	return 0;
}

static void __exit exit_torture(void)
{
	debugfs_remove(dir);
	set_run(NULL, 0);
}

module_init(init_torture);
module_exit(exit_torture);

MODULE_DESCRIPTION("Writes into a tring instance from all contexts at once");
MODULE_LICENSE("GPL");
TRING_IMPORT_NS;
