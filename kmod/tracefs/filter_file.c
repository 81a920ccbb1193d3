// SPDX-License-Identifier: GPL-2.0
/*
 * The file "filter" of an event: a filter in ftrace's grammar, "0" for none. As ftrace's, it
 * shows what is wrong with a text that was refused.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "control.h"
#include "probes/filter.h"

static int show_filter(struct seq_file *m, void *unused)
{
	struct tring_file *file = m->private;
	const char *system, *name;
	int err = tring_event_check_exists(m->file);

	if (err)
		return err;
	tring_event_of_file(m->file, &system, &name);
	return tring_filter_show(m, file->events, system, name);
}

static int open_filter(struct inode *inode, struct file *filp)
{
	int err = tring_tracefs_check_lockdown();

	return err ?: single_open(filp, show_filter, tring_file_of(inode));
}

static ssize_t write_filter(struct file *filp, const char __user *from, size_t count,
			    loff_t *pos)
{
	struct tring_file *file = tring_file_of(file_inode(filp));
	const char *system, *name;
	char *text;
	int err;

	/* As in ftrace. */
	if (count >= PAGE_SIZE)
		return -EINVAL;
	err = tring_event_check_exists(filp);
	if (err)
		return err;
	text = memdup_user_nul(from, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	tring_event_of_file(filp, &system, &name);
	err = tring_filter_set(file->events, system, name, text);
	kfree(text);
	if (err)
		return err;
	*pos += count;
	return count;
}

const struct file_operations tring_event_filter_fops = {
	.owner		= THIS_MODULE,
	.open		= open_filter,
	.read		= seq_read,
	.write		= write_filter,
	.llseek		= seq_lseek,
	.release	= single_release,
};
