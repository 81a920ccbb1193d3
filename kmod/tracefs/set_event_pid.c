// SPDX-License-Identifier: GPL-2.0
/*
 * set_event_pid and set_event_notrace_pid: pids separated by white space, which a write
 * adds to the list. Opening with truncation clears the list. As in ftrace, each write is
 * taken as a whole: a number does not go on in the next one.
 */
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/mm.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include "control.h"
#include "probes/events.h"
#include "probes/tasks.h"

/* More than this gives a short write. */
#define WRITE_MAX	SZ_1M

static enum tring_task_list pid_list_of(const struct tring_file *file)
{
	return strcmp(file->type->name, "set_event_pid") ? TRING_TASKS_UNTRACED :
							   TRING_TASKS_TRACED;
}

static int show_pids(struct seq_file *m, void *unused)
{
	struct tring_file *file = m->private;

	tring_tasks_show(m, file->events, pid_list_of(file));
	return 0;
}

static int open_pids(struct inode *inode, struct file *filp)
{
	struct tring_file *file = tring_file_of(inode);
	int err = single_open(filp, show_pids, file);

	if (!err && (filp->f_mode & FMODE_WRITE) && (filp->f_flags & O_TRUNC))
		tring_tasks_clear(file->events, pid_list_of(file));
	return err;
}

/* A part of a long text ends where a number does. */
static size_t whole_numbers(const char *text, size_t length)
{
	while (length && !isspace(text[length - 1]))
		length--;
	return length;
}

static ssize_t write_pids(struct file *filp, const char __user *from, size_t count, loff_t *pos)
{
	struct seq_file *m = filp->private_data;
	struct tring_file *file = m->private;
	size_t length = min_t(size_t, count, WRITE_MAX);
	char *text = vmemdup_user(from, length);
	ssize_t ret = -EINVAL;

	if (IS_ERR(text))
		return PTR_ERR(text);
	if (length < count)
		length = whole_numbers(text, length);
	if (!length && count)
		goto free;
	/* As in ftrace, a write of nothing does nothing. */
	ret = count ? tring_tasks_add(file->events, pid_list_of(file), text, length) : 0;
	if (!ret) {
		*pos += length;
		ret = length;
	}
free:
	kvfree(text);
	return ret;
}

const struct file_operations tring_set_event_pid_fops = {
	.owner		= THIS_MODULE,
	.open		= open_pids,
	.read		= seq_read,
	.write		= write_pids,
	.llseek		= tring_control_lseek,
	.release	= single_release,
};
