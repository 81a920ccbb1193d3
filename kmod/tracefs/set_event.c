// SPDX-License-Identifier: GPL-2.0
/*
 * set_event: patterns separated by white space; "!" in front of a pattern disables.
 * Opening with truncation disables all events. The syntax is ftrace's.
 */
#include <linux/fs.h>

#include "control.h"
#include "probes/events.h"
#include "words.h"

static int begin_patterns(struct tring_words *words, bool truncate)
{
	return truncate ? tring_events_clear(words->file->events) : 0;
}

static int apply_pattern(struct tring_words *words, char *pattern)
{
	bool enable = *pattern != '!';

	if (!enable)
		pattern++;
	if (!*pattern)
		return -EINVAL;
	return tring_events_set(words->file->events, pattern, enable);
}

static int show_enabled_events(struct seq_file *m, void *unused)
{
	tring_events_show_enabled(m, tring_file_of(file_inode(m->file))->events);
	return 0;
}

static const struct tring_words_type event_patterns = {
	.show	= show_enabled_events,
	.size	= sizeof(struct tring_words),
	.begin	= begin_patterns,
	.take	= apply_pattern,
};

static int open_set_event(struct inode *inode, struct file *filp)
{
	return tring_words_open(inode, filp, &event_patterns);
}

const struct file_operations tring_set_event_fops = TRING_WORDS_FOPS(open_set_event);
