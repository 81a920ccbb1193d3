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
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/string.h>

#include "control.h"
#include "probes/events.h"
#include "probes/functions.h"
#include "words.h"

/**
 * struct list_writer - an open list of patterns that can be written
 * @words: the patterns, as they are written
 * @patterns: patterns that have been written
 * @replace: they replace the list
 */
struct list_writer {
	struct tring_words	words;
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

unsigned long tring_get_max_graph_depth(struct tring_file *file)
{
	return tring_functions_max_depth(file->functions);
}

int tring_set_max_graph_depth(struct tring_file *file, unsigned long depth)
{
	tring_functions_set_max_depth(file->functions, depth);
	return 0;
}

static enum tring_function_list function_list_of(const struct tring_file *file)
{
	if (!strcmp(file->type->name, "set_ftrace_filter"))
		return TRING_FILTER;
	return strcmp(file->type->name, "set_graph_function") ? TRING_NOTRACE : TRING_GRAPH;
}

static struct list_writer *writer_of(struct tring_words *words)
{
	return container_of(words, struct list_writer, words);
}

static int begin_list(struct tring_words *words, bool truncate)
{
	struct list_writer *writer = writer_of(words);

	INIT_LIST_HEAD(&writer->patterns);
	writer->replace = truncate;
	return 0;
}

static int take_pattern(struct tring_words *words, char *text)
{
	return tring_functions_add_pattern(&writer_of(words)->patterns,
					   function_list_of(words->file), text);
}

/* The last writer of a file that several processes share applies what all have written. */
static int apply_list(struct tring_words *words)
{
	struct list_writer *writer = writer_of(words);
	int err = 0;

	if (writer->replace || !list_empty(&writer->patterns))
		err = tring_events_wait_for_cpus(words->file->buffer) ?:
		      tring_functions_change(words->file->functions,
					     function_list_of(words->file), &writer->patterns,
					     writer->replace);
	/* What was refused is not tried again. What comes after a second close() is added. */
	tring_functions_drop_patterns(&writer->patterns);
	writer->replace = false;
	return err;
}

static int show_list(struct seq_file *m, void *unused)
{
	struct tring_file *file = tring_file_of(file_inode(m->file));

	tring_functions_show_list(m, file->functions, function_list_of(file));
	return 0;
}

static const struct tring_words_type function_patterns = {
	.show	= show_list,
	.size	= sizeof(struct list_writer),
	.begin	= begin_list,
	.take	= take_pattern,
	.end	= apply_list,
};

static int open_function_list(struct inode *inode, struct file *filp)
{
	return tring_words_open(inode, filp, &function_patterns);
}

const struct file_operations tring_function_list_fops = TRING_WORDS_FOPS(open_function_list);
