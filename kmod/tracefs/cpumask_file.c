// SPDX-License-Identifier: GPL-2.0
/*
 * tracing_cpumask: the CPUs that record, as a hexadecimal mask. As ftrace's.
 */
#include <linux/cpumask.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>

#include "control.h"
#include "ring/ring.h"

static int show_mask(struct seq_file *m, void *unused)
{
	struct tring_file *file = m->private;
	cpumask_var_t mask;
	int cpu;

	if (!zalloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		if (!READ_ONCE(tring_cpu_buffer(file->buffer, cpu)->left_out))
			cpumask_set_cpu(cpu, mask);
	seq_printf(m, "%*pb\n", cpumask_pr_args(mask));
	free_cpumask_var(mask);
	return 0;
}

static int open_mask(struct inode *inode, struct file *filp)
{
	return single_open(filp, show_mask, tring_file_of(inode));
}

static ssize_t write_mask(struct file *filp, const char __user *from, size_t count, loff_t *pos)
{
	struct seq_file *m = filp->private_data;
	struct tring_file *file = m->private;
	cpumask_var_t mask;
	int err;

	if (!count || count > PAGE_SIZE)
		return -EINVAL;
	if (!zalloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;
	err = cpumask_parse_user(from, count, mask);
	if (!err)
		tring_buffer_set_cpus(file->buffer, mask);
	free_cpumask_var(mask);
	if (err)
		return err;
	*pos += count;
	return count;
}

const struct file_operations tring_cpumask_fops = {
	.owner		= THIS_MODULE,
	.open		= open_mask,
	.read		= seq_read,
	.write		= write_mask,
	.llseek		= seq_lseek,
	.release	= single_release,
};
