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
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "control.h"
#include "kernel_file.h"
#include "probes/events.h"

/**
 * tring_event_of_file - the event in whose directory an open file is
 * @filp: file of which there is one for each event, or for each system, or for all
 * @system: set to the name of the system, or to "" for all
 * @name: set to the name of the event, or to "" for all
 *
 * Both names stay until the file is closed.
 *
 * Context: any.
 */
void tring_event_of_file(const struct file *filp, const char **system, const char **name)
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

/**
 * tring_event_read_ftraces - read ftrace's file of an event
 * @filp: open file of the event
 * @name: name of ftrace's file, a seq_file
 *
 * Context: process, may sleep; takes ftrace's event_mutex.
 * Return: the text, to be freed by kvfree(), or an ERR_PTR(): -ENODEV if the event is gone,
 * or another error of tring_kernel_file_read().
 */
char *tring_event_read_ftraces(const struct file *filp, const char *name)
{
	char *path = kasprintf(GFP_KERNEL, "%pd3/%s", file_dentry(filp)->d_parent, name);
	char *text;

	if (!path)
		return ERR_PTR(-ENOMEM);
	text = tring_kernel_file_read(path);
	kfree(path);
	return text == ERR_PTR(-ENOENT) ? ERR_PTR(-ENODEV) : text;
}

/**
 * tring_event_check_exists - is what a file belongs to still there?
 * @filp: file of which there is one for each event, or for each system, or for all
 *
 * Context: process, may sleep.
 * Return: 0; -ENODEV if the event, or the system, is gone; or -ENOMEM.
 */
int tring_event_check_exists(const struct file *filp)
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
 * tring_show_event_format - print the format of an event: ftrace's
 * @m: output
 * @file: the file
 *
 * Context: process, may sleep.
 * Return: 0 or an error of tring_event_read_ftraces().
 */
int tring_show_event_format(struct seq_file *m, struct tring_file *file)
{
	char *format = tring_event_read_ftraces(m->file, "format");

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
 * Return: 0 or an error of tring_event_read_ftraces().
 */
int tring_show_event_id(struct seq_file *m, struct tring_file *file)
{
	/* ftrace's file of the id is no seq_file. */
	char *format = tring_event_read_ftraces(m->file, "format");
	const char *line;
	unsigned int id;
	int err = 0;

	if (IS_ERR(format))
		return PTR_ERR(format);
	line = strstr(format, "\nID: ");
	if (line && sscanf(line, "\nID: %u\n", &id) == 1)
		seq_printf(m, "%u\n", id);
	else
		err = -EIO;
	kvfree(format);
	return err;
}

static int show_enable(struct seq_file *m, void *unused)
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
	struct tring_file *file = m->private;
	const char *system, *name;
	int state = tring_event_check_exists(m->file);

	if (state)
		return state;
	tring_event_of_file(m->file, &system, &name);
	state = tring_events_state(file->events, system, name);
	if (state < 0)
		return state;
	seq_puts(m, texts[state]);
	return 0;
}

static int open_enable(struct inode *inode, struct file *filp)
{
	int err = tring_tracefs_check_lockdown();

	return err ?: single_open(filp, show_enable, tring_file_of(inode));
}

static ssize_t write_enable(struct file *filp, const char __user *from, size_t count,
			    loff_t *pos)
{
	struct tring_file *file = tring_file_of(file_inode(filp));
	const char *system, *name;
	unsigned long value;
	char *pattern;
	int err;

	err = kstrtoul_from_user(from, count, 10, &value);
	if (err)
		return err;
	if (value > 1)
		return -EINVAL;
	err = tring_event_check_exists(filp);
	if (err)
		return err;
	tring_event_of_file(filp, &system, &name);
	pattern = kasprintf(GFP_KERNEL, "%s:%s", system, name);
	if (!pattern)
		return -ENOMEM;
	err = tring_events_set(file->events, pattern, value);
	kfree(pattern);
	if (err)
		return err;
	*pos += count;
	return count;
}

const struct file_operations tring_event_enable_fops = {
	.owner		= THIS_MODULE,
	.open		= open_enable,
	.read		= seq_read,
	.write		= write_enable,
	.llseek		= seq_lseek,
	.release	= single_release,
};
