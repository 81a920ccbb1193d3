// SPDX-License-Identifier: GPL-2.0
/*
 * The file "trigger" of an event: one trigger a write, which is added, or removed if it begins
 * with "!". As in ftrace, opening the file with truncation removes none.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "control.h"
#include "probes/trigger.h"

static int show_trigger(struct seq_file *m, void *unused)
{
	struct tring_file *file = m->private;
	const char *system, *name;
	int err = tring_event_check_exists(m->file);

	if (err)
		return err;
	tring_event_of_file(m->file, &system, &name);
	return tring_trigger_show(m, file->events, system, name);
}

static int open_trigger(struct inode *inode, struct file *filp)
{
	int err = tring_tracefs_check_lockdown();

	return err ?: single_open(filp, show_trigger, tring_file_of(inode));
}

static ssize_t write_trigger(struct file *filp, const char __user *from, size_t count,
			     loff_t *pos)
{
	struct tring_file *file = tring_file_of(file_inode(filp));
	const char *system, *name;
	char *text;
	int err;

	if (!count)
		return 0;
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
	err = tring_trigger_write(file->events, system, name, strim(text));
	kfree(text);
	if (err)
		return err;
	*pos += count;
	return count;
}

const struct file_operations tring_event_trigger_fops = {
	.owner		= THIS_MODULE,
	.open		= open_trigger,
	.read		= seq_read,
	.write		= write_trigger,
	.llseek		= seq_lseek,
	.release	= single_release,
};
