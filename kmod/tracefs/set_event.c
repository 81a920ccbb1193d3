// SPDX-License-Identifier: GPL-2.0
/*
 * set_event: patterns separated by white space; "!" in front of a pattern disables.
 * Opening with truncation disables all events. The syntax is ftrace's.
 *
 * Unlike in ftrace, a pattern may be split over several write() calls, as happens to a
 * long list that goes through a pipe. So a pattern without white space behind it is
 * applied when the file is closed, and close() returns the error.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "control.h"
#include "probes/events.h"

/* System, colon and event; no name is longer than a few dozen bytes. */
#define PATTERN_MAX	256

/**
 * struct event_writer - an open set_event that can be written
 * @events: the events that it changes
 * @mutex: serialises threads that write to the same open file
 * @length: bytes in @pattern
 * @pattern: pattern whose end has not been written yet
 */
struct event_writer {
	struct tring_event_set	*events;
	struct mutex		mutex;		/* protects the members below */
	size_t			length;
	char			pattern[PATTERN_MAX];
};

/* Applies the pattern, if there is one, and clears it even after an error. */
static int apply_pattern(struct event_writer *writer)
{
	char *pattern = writer->pattern;
	bool enable = true;

	if (!writer->length)
		return 0;
	pattern[writer->length] = '\0';
	writer->length = 0;
	if (*pattern == '!') {
		enable = false;
		pattern++;
	}
	if (!*pattern)
		return -EINVAL;
	return tring_events_set(writer->events, pattern, enable);
}

static int add_character(struct event_writer *writer, char c)
{
	/* A NUL also ends a pattern: some programs write their strings with it. */
	if (isspace(c) || !c)
		return apply_pattern(writer);
	if (writer->length == sizeof(writer->pattern) - 1) {
		writer->length = 0;
		return -EINVAL;
	}
	writer->pattern[writer->length++] = c;
	return 0;
}

/*
 * If a pattern is refused and others precede it, the write ends short before it. The
 * next write() begins with the refused pattern and returns its error.
 */
static ssize_t add_text(struct event_writer *writer, const char *text, size_t count)
{
	size_t i, start = 0;
	int err;

	for (i = 0; i < count; i++) {
		if (!writer->length)
			start = i;
		err = add_character(writer, text[i]);
		if (err)
			return start ?: err;
	}
	return count;
}

static ssize_t write_events(struct file *filp, const char __user *from,
			    size_t count, loff_t *pos)
{
	struct seq_file *m = filp->private_data;
	struct event_writer *writer = m->private;
	ssize_t ret;
	char *text;

	/* More than a page gives a short write. */
	count = min(count, PAGE_SIZE);
	text = memdup_user(from, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	if (mutex_lock_interruptible(&writer->mutex)) {
		kfree(text);
		return -ERESTARTSYS;
	}
	ret = add_text(writer, text, count);
	mutex_unlock(&writer->mutex);
	kfree(text);
	if (ret > 0)
		*pos += ret;
	return ret;
}

static int show_events(struct seq_file *m, void *unused)
{
	struct tring_file *file = tring_file_of(file_inode(m->file));

	tring_events_show_enabled(m, file->events);
	return 0;
}

static int open_events(struct inode *inode, struct file *filp)
{
	struct tring_file *file = tring_file_of(inode);
	struct event_writer *writer = NULL;
	int err = tring_tracefs_check_lockdown();

	if (err)
		return err;
	if (filp->f_mode & FMODE_WRITE) {
		writer = kzalloc(sizeof(*writer), GFP_KERNEL);
		if (!writer)
			return -ENOMEM;
		writer->events = file->events;
		mutex_init(&writer->mutex);
	}
	err = single_open(filp, show_events, writer);
	if (err) {
		kfree(writer);
		return err;
	}
	if ((filp->f_mode & FMODE_WRITE) && (filp->f_flags & O_TRUNC))
		tring_events_clear(file->events);
	return 0;
}

/*
 * Called by each close() of a file that several processes share. Only the last
 * close() applies the pattern. If two of them race and each takes the other for the
 * last one, release_events() applies it.
 */
static int flush_events(struct file *filp, fl_owner_t id)
{
	struct seq_file *m = filp->private_data;
	struct event_writer *writer = m->private;
	int err;

	if (!writer || file_count(filp) > 1)
		return 0;
	mutex_lock(&writer->mutex);
	err = apply_pattern(writer);
	mutex_unlock(&writer->mutex);
	return err;
}

static int release_events(struct inode *inode, struct file *filp)
{
	struct seq_file *m = filp->private_data;
	struct event_writer *writer = m->private;

	if (writer && writer->length) {
		int err = apply_pattern(writer);

		/* No caller is left to return the error to. */
		if (err)
			pr_notice_ratelimited("set_event: \"%s\": %pe\n",
					      writer->pattern, ERR_PTR(err));
	}
	kfree(writer);
	return single_release(inode, filp);
}

const struct file_operations tring_set_event_fops = {
	.owner		= THIS_MODULE,
	.open		= open_events,
	.read		= seq_read,
	.write		= write_events,
	.llseek		= seq_lseek,
	.flush		= flush_events,
	.release	= release_events,
};
