// SPDX-License-Identifier: GPL-2.0
/*
 * The file "trace": as in ftrace, "echo > trace" begins a new trace. Opening with
 * truncation does that, or else a write(). Reading gives the head of ftrace's file, but
 * no events: these are binary, in the files of each CPU.
 */
#include <linux/cpumask.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "clock_names.h"
#include "control.h"
#include "ring/ring.h"

/**
 * struct trace_opening - an open "trace"
 * @buffer: the ring
 * @truncated: open() has begun a new trace, so that the first write() does not begin another
 */
struct trace_opening {
	struct tring_buffer	*buffer;
	bool			truncated;
};

static int show_trace(struct seq_file *m, void *unused)
{
	struct trace_opening *opening = m->private;
	struct tring_buffer *buffer = opening->buffer;
	u64 remaining = 0, committed = 0;
	struct tring_stats stats;
	int cpu;

	for_each_possible_cpu(cpu) {
		tring_buffer_stats(buffer, cpu, &stats);
		remaining += stats.remaining;
		committed += stats.committed;
	}
	seq_printf(m, "# tracer: nop\n#\n"
		      "# entries-in-buffer/entries-written: %llu/%llu   #P:%u\n#\n"
		      "# clock: %s\n#\n",
		   remaining, committed, num_online_cpus(),
		   tring_name_of_clock(READ_ONCE(buffer->clock)));
	seq_puts(m, "# The events are read with \"tring record\" and \"tring report\", with\n"
		    "# \"tring peek\", or from per_cpu/cpu*/trace_pipe_raw_compact.\n"
		    "# echo > trace : drops them and begins a new trace\n");
	return 0;
}

static int open_trace(struct inode *inode, struct file *filp)
{
	struct trace_opening *opening;
	int err = 0;

	opening = kzalloc(sizeof(*opening), GFP_KERNEL);
	if (!opening)
		return -ENOMEM;
	opening->buffer = tring_file_of(inode)->buffer;
	opening->truncated = (filp->f_mode & FMODE_WRITE) && (filp->f_flags & O_TRUNC);
	if (opening->truncated)
		err = tring_buffer_new_trace(opening->buffer, -1);
	err = err ?: single_open(filp, show_trace, opening);
	if (err)
		kfree(opening);
	return err;
}

static ssize_t write_trace(struct file *filp, const char __user *from, size_t count,
			   loff_t *pos)
{
	struct seq_file *m = filp->private_data;
	struct trace_opening *opening = m->private;
	int err = opening->truncated ? 0 : tring_buffer_new_trace(opening->buffer, -1);

	opening->truncated = false;
	if (err)
		return err;
	*pos += count;
	return count;
}

static int release_trace(struct inode *inode, struct file *filp)
{
	struct seq_file *m = filp->private_data;

	kfree(m->private);
	return single_release(inode, filp);
}

const struct file_operations tring_trace_fops = {
	.owner		= THIS_MODULE,
	.open		= open_trace,
	.read		= seq_read,
	.write		= write_trace,
	.llseek		= tring_control_lseek,
	.release	= release_trace,
};
