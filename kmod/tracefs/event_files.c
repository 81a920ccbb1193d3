// SPDX-License-Identifier: GPL-2.0
/*
 * The files in "events", "events/SYSTEM" and "events/SYSTEM/EVENT". mirror.c makes the
 * directories and the entries; control.c has the list of the files.
 *
 * An event may go while its files are open. Then they give ENODEV, as in ftrace.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "control.h"
#include "kernel_file.h"
#include "probes/call_strings.h"
#include "probes/events.h"
#include "probes/filter.h"
#include "probes/layout.h"
#include "probes/trigger.h"

/*
 * Sets the names of the event in whose directory an open file is. A system's has no event, and
 * "events" has neither: the names are "" then. Both stay until the file is closed.
 */
static void event_of_file(const struct file *filp, const char **system, const char **name)
{
	const struct tring_file *file = tring_file_of(file_inode(filp));
	const struct dentry *dir = file_dentry(filp)->d_parent;

	*system = "";
	*name = "";
	if (file->level->depth == 2) {
		*name = dir->d_name.name;
		dir = dir->d_parent;
	}
	if (file->level->depth >= 1)
		*system = dir->d_name.name;
}

/* The format of the event of an open file, as from tring_event_format(). */
static char *read_format(const struct file *filp)
{
	const struct tring_file *file = tring_file_of(file_inode(filp));
	const char *system, *name;

	event_of_file(filp, &system, &name);
	return tring_event_format(file->events, system, name);
}

/* Returns -ENODEV if the event, or the system, that an open file belongs to is gone. */
static int check_exists(const struct file *filp)
{
	const struct tring_file *file = tring_file_of(file_inode(filp));
	const struct dentry *dir = file_dentry(filp)->d_parent;
	char *path;
	int type;

	if (!file->level->depth)
		return 0;
	path = kasprintf(GFP_KERNEL, file->level->depth == 2 ? "%pd3" : "%pd2", dir);
	if (!path)
		return -ENOMEM;
	type = tring_kernel_file_type(path);
	kfree(path);
	if (type == -ENOENT)
		return -ENODEV;
	return min(type, 0);
}

/**
 * tring_show_event_format - print the format of an event: ftrace's, and its strings
 * @m: output
 * @file: the file
 *
 * Context: process, may sleep.
 * Return: 0 or an error of tring_event_format().
 */
int tring_show_event_format(struct seq_file *m, struct tring_file *file)
{
	char *format = read_format(m->file);

	if (IS_ERR(format))
		return PTR_ERR(format);
	seq_puts(m, format);
	kvfree(format);
	return 0;
}

/**
 * tring_show_event_id - print the id of an event: ftrace's
 * @m: output
 * @file: the file
 *
 * Context: process, may sleep.
 * Return: 0 or an error of tring_event_format().
 */
int tring_show_event_id(struct seq_file *m, struct tring_file *file)
{
	/* ftrace's file of the id is no seq_file. */
	char *format = read_format(m->file);
	int id;

	if (IS_ERR(format))
		return PTR_ERR(format);
	id = tring_layout_id(format);
	kvfree(format);
	if (id < 0)
		return id;
	seq_printf(m, "%d\n", id);
	return 0;
}

/**
 * tring_show_event_file - print what a file says of its events
 * @m: output
 * @file: the file
 *
 * Context: process, may sleep.
 * Return: 0; -ENODEV if the event is gone; or an error of tring_event_file::show().
 */
int tring_show_event_file(struct seq_file *m, struct tring_file *file)
{
	const char *system, *name;
	int err = check_exists(m->file);

	if (err)
		return err;
	event_of_file(m->file, &system, &name);
	return file->type->event->show(m, file->events, system, name);
}

/**
 * tring_store_event_file - have a file do something with its events
 * @filp: the open file
 * @text: what was written; changed
 *
 * Context: process, may sleep.
 * Return: 0; -ENODEV if the event is gone; or an error of tring_event_file::store().
 */
int tring_store_event_file(const struct file *filp, char *text)
{
	const struct tring_file *file = tring_file_of(file_inode(filp));
	const char *system, *name;
	int err = check_exists(filp);

	if (err)
		return err;
	event_of_file(filp, &system, &name);
	return file->type->event->store(file->events, system, name, text);
}

static int show_enable(struct seq_file *m, struct tring_event_set *set, const char *system,
		       const char *name)
{
	/* The letters are ftrace's. */
	static const char *const texts[] = {
		[0]					= "?\n",
		[TRING_EVENTS_OFF]			= "0\n",
		[TRING_EVENTS_ON]			= "1\n",
		[TRING_EVENTS_OFF | TRING_EVENTS_ON]	= "X\n",
		[TRING_EVENTS_HELD | TRING_EVENTS_OFF]	= "0*\n",
		[TRING_EVENTS_HELD | TRING_EVENTS_ON]	= "1*\n",
	};
	int state = tring_events_state(set, system, name);

	if (state < 0)
		return state;
	seq_puts(m, texts[state]);
	return 0;
}

static int store_enable(struct tring_event_set *set, const char *system, const char *name,
			char *text)
{
	unsigned long value;
	char *pattern;
	int err = kstrtoul(text, 10, &value);

	if (err)
		return err;
	if (value > 1)
		return -EINVAL;
	pattern = kasprintf(GFP_KERNEL, "%s:%s", system, name);
	if (!pattern)
		return -ENOMEM;
	err = tring_events_set(set, pattern, value);
	kfree(pattern);
	return err;
}

const struct tring_event_file tring_enable_file = {
	.show	= show_enable,
	.store	= store_enable,
};

/* "0" is none. As ftrace's, the file shows what is wrong with a text that was refused. */
const struct tring_event_file tring_filter_file = {
	.show	= tring_filter_show,
	.store	= tring_filter_set,
};

/*
 * One trigger a write, which is added, or removed if it begins with "!". As in ftrace, opening
 * the file with truncation removes none.
 */
const struct tring_event_file tring_trigger_file = {
	.show	= tring_trigger_show,
	.store	= tring_trigger_write,
};
