// SPDX-License-Identifier: GPL-2.0
/*
 * set_event: patterns separated by white space; "!" in front of a pattern disables.
 * Opening with truncation disables all events. The syntax is ftrace's.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/slab.h>

#include "control.h"
#include "probes/events.h"
#include "words.h"

/**
 * struct event_writer - an open set_event that can be written
 * @words: the patterns
 * @events: the events that it changes
 */
struct event_writer {
	struct tring_words	words;
	struct tring_event_set	*events;
};

static int apply_pattern(struct tring_words *words, char *pattern)
{
	struct event_writer *writer = container_of(words, struct event_writer, words);
	bool enable = *pattern != '!';

	if (!enable)
		pattern++;
	if (!*pattern)
		return -EINVAL;
	return tring_events_set(writer->events, pattern, enable);
}

static ssize_t write_events(struct file *filp, const char __user *from,
			    size_t count, loff_t *pos)
{
	struct seq_file *m = filp->private_data;
	struct event_writer *writer = m->private;

	return tring_words_write(&writer->words, from, count, pos);
}

static int show_enabled_events(struct seq_file *m, void *unused)
{
	struct tring_file *file = tring_file_of(file_inode(m->file));

	tring_events_show_enabled(m, file->events);
	return 0;
}

static int open_events(struct inode *inode, struct file *filp)
{
	struct tring_file *file = tring_file_of(inode);
	struct event_writer *writer = NULL;
	int err = 0;

	if (filp->f_mode & FMODE_WRITE) {
		writer = kzalloc(sizeof(*writer), GFP_KERNEL);
		if (!writer)
			return -ENOMEM;
		writer->events = file->events;
		tring_words_init(&writer->words, apply_pattern);
	}
	if (writer && (filp->f_flags & O_TRUNC))
		err = tring_events_clear(file->events);
	if (!err)
		err = single_open(filp, show_enabled_events, writer);
	if (err)
		kfree(writer);
	return err;
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

	if (!writer || file_count(filp) > 1)
		return 0;
	return tring_words_end(&writer->words);
}

static int release_events(struct inode *inode, struct file *filp)
{
	struct seq_file *m = filp->private_data;
	struct event_writer *writer = m->private;

	if (writer) {
		int err = tring_words_end(&writer->words);

		/* No caller is left to return the error to. */
		if (err)
			pr_notice_ratelimited("set_event: \"%s\": %pe\n",
					      writer->words.word, ERR_PTR(err));
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
