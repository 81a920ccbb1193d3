// SPDX-License-Identifier: GPL-2.0
/*
 * current_tracer, set_ftrace_filter, set_ftrace_notrace, set_graph_function and
 * max_graph_depth: which calls of functions are recorded. Names and syntax are ftrace's.
 *
 * As in ftrace, a pattern that matches no function is refused by write(), and what was
 * written counts from close() on; opening with truncation replaces the list. Differences:
 *  - The lists show the patterns as they were written, not the functions that they match.
 *  - There are no commands behind a colon, such as "schedule:traceoff".
 *  - set_graph_function takes names only. Only the functions that it names are recorded, not
 *    those that they call. It cannot be changed while they are.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "control.h"
#include "probes/functions.h"
#include "words.h"

/**
 * struct list_writer - an open list of patterns that can be written
 * @words: the patterns, as they are written
 * @functions: the functions of the ring
 * @which: the list
 * @patterns: patterns that have been written
 * @replace: they replace the list
 */
struct list_writer {
	struct tring_words	words;
	struct tring_functions	*functions;
	enum tring_function_list which;
	struct list_head	patterns;
	bool			replace;
};

int tring_show_current_tracer(struct seq_file *m, struct tring_file *file)
{
	tring_functions_show_tracer(m, file->functions);
	return 0;
}

int tring_store_current_tracer(struct tring_file *file, const char *text)
{
	return tring_functions_set_tracer(file->functions, text);
}

int tring_show_available_tracers(struct seq_file *m, struct tring_file *file)
{
	tring_functions_show_tracers(m);
	return 0;
}

int tring_show_max_graph_depth(struct seq_file *m, struct tring_file *file)
{
	seq_printf(m, "%u\n", tring_functions_max_depth(file->functions));
	return 0;
}

int tring_store_max_graph_depth(struct tring_file *file, const char *text)
{
	unsigned int depth;
	int err = kstrtouint(text, 10, &depth);

	if (!err)
		tring_functions_set_max_depth(file->functions, depth);
	return err;
}

static enum tring_function_list function_list_of(const struct tring_file *file)
{
	if (!strcmp(file->type->name, "set_ftrace_filter"))
		return TRING_FILTER;
	return strcmp(file->type->name, "set_graph_function") ? TRING_NOTRACE : TRING_GRAPH;
}

static int take_pattern(struct tring_words *words, char *text)
{
	struct list_writer *writer = container_of(words, struct list_writer, words);

	return tring_functions_add_pattern(&writer->patterns, writer->which, text);
}

/* The last writer of a file that several processes share applies what all have written. */
static int apply_functions(struct list_writer *writer)
{
	int err = tring_words_end(&writer->words), failed = 0;

	mutex_lock(&writer->words.mutex);
	if (writer->replace || !list_empty(&writer->patterns))
		failed = tring_functions_change(writer->functions, writer->which,
						&writer->patterns, writer->replace);
	/* What comes after a second close() is added. */
	writer->replace = false;
	mutex_unlock(&writer->words.mutex);
	return err ?: failed;
}

static int show_list(struct seq_file *m, void *unused)
{
	struct tring_file *file = tring_file_of(file_inode(m->file));

	tring_functions_show_list(m, file->functions, function_list_of(file));
	return 0;
}

static int open_list(struct inode *inode, struct file *filp)
{
	struct tring_file *file = tring_file_of(inode);
	struct list_writer *writer = NULL;
	int err;

	if (filp->f_mode & FMODE_WRITE) {
		writer = kzalloc(sizeof(*writer), GFP_KERNEL);
		if (!writer)
			return -ENOMEM;
		writer->functions = file->functions;
		writer->which = function_list_of(file);
		INIT_LIST_HEAD(&writer->patterns);
		writer->replace = filp->f_flags & O_TRUNC;
		tring_words_init(&writer->words, take_pattern);
	}
	err = single_open(filp, show_list, writer);
	if (err)
		kfree(writer);
	return err;
}

static ssize_t write_list(struct file *filp, const char __user *from, size_t count,
			  loff_t *pos)
{
	struct seq_file *m = filp->private_data;
	struct list_writer *writer = m->private;

	return tring_words_write(&writer->words, from, count, pos);
}

/* As flush_events(): if two close() take each other for the last one, release applies. */
static int flush_list(struct file *filp, fl_owner_t id)
{
	struct seq_file *m = filp->private_data;
	struct list_writer *writer = m->private;

	if (!writer || file_count(filp) > 1)
		return 0;
	return apply_functions(writer);
}

static int release_list(struct inode *inode, struct file *filp)
{
	struct seq_file *m = filp->private_data;
	struct list_writer *writer = m->private;

	if (writer) {
		int err = apply_functions(writer);

		/* No caller is left to return the error to. */
		if (err)
			pr_notice_ratelimited("%s: %pe\n", tring_file_of(inode)->type->name,
					      ERR_PTR(err));
		tring_functions_drop_patterns(&writer->patterns);
	}
	kfree(writer);
	return single_release(inode, filp);
}

const struct file_operations tring_function_list_fops = {
	.owner		= THIS_MODULE,
	.open		= open_list,
	.read		= seq_read,
	.write		= write_list,
	.llseek		= seq_lseek,
	.flush		= flush_list,
	.release	= release_list,
};
