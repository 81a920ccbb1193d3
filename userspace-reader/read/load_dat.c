// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Loads a trace.dat in place of a trace of tring's. The formats and the names that it has a
 * copy of are taken as those of a trace directory are.
 */
#include <stdlib.h>
#include <string.h>

#include "load_dat.h"
#include "event/name_files.h"
#include "dat/dat_records.h"
#include "util/util.h"

/**
 * tring_dat_event_name - get the name of an event
 * @text: its format, whose first line has it
 *
 * Return: string to free().
 */
char *tring_dat_event_name(const char *text)
{
	static const char begin[] = "name: ";
	size_t skip = strncmp(text, begin, strlen(begin)) ? 0 : strlen(begin);

	return tring_format("%.*s", (int)strcspn(text + skip, "\n"), text + skip);
}

static void load_format(struct tring_trace *trace, struct tring_dat_format *format)
{
	char *name = tring_dat_event_name(format->text);
	char *where = tring_format("%s: the format of %s:%s", trace->dat->file.path,
				   format->system, name);

	/* some outputs have a directory for each */
	if (strchr(name, '/') || strchr(format->system, '/')) {
		tring_error("%s: a name has a slash", where);
		trace->problems++;
	} else {
		if (tring_events_add_text(&trace->events, format->text, format->size,
					  format->system, name, where))
			trace->problems++;
		/* the events have it, or it was freed */
		format->text = NULL;
	}
	free(where);
	free(name);
}

static void load_names(struct tring_trace *trace)
{
	static const char * const what[] = { "kallsyms", "printk_formats", "saved_cmdlines" };
	struct tring_dat_file *file = &trace->dat->file;
	size_t i;

	for (i = 0; i < TRING_DAT_NAMES; i++) {
		char *where = tring_format("%s: its %s", file->path, what[i]);
		char *text = file->names[i];

		if (text && (i == TRING_DAT_CMDLINES ?
			     tring_give_tasks(&trace->names, text, where) :
			     i == TRING_DAT_PRINTK ?
			     tring_give_strings(&trace->events, text, where) :
			     tring_give_symbols(&trace->events, text, where)))
			trace->problems++;
		free(where);
	}
}

static void add_cpu(struct tring_trace *trace, size_t index)
{
	const struct tring_dat_file *file = &trace->dat->file;
	struct tring_cpu *cpu;

	cpu = tring_trace_add_cpu(trace, file->buffer->cpus[index].cpu,
				  tring_format("%s", file->path));
	cpu->dat_index = index;
	tring_cpu_start(cpu);
}

/**
 * tring_load_dat - load what describes a trace.dat, and open its streams
 * @trace: filled in; errors that do not end it are counted there. To be ended with
 *	tring_report_end() also after an error
 * @path: the file; "FILE:INSTANCE" for the events of an instance
 * @input: what it has, for @trace to close, and @path is for messages; NULL for the file
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_load_dat(struct tring_trace *trace, const char *path, struct tring_input *input)
{
	struct tring_dat_file *file;
	int error;
	size_t i;

	trace->dat = tring_allocate(sizeof(*trace->dat));
	file = &trace->dat->file;
	error = tring_dat_open(file, path, input);
	if (error)
		return error;
	tring_dat_describe(file, &trace->info);
	error = tring_trace_init(trace, file->buffer->count);
	if (error)
		return error;
	tep_set_long_size(trace->events.tep, file->long_size);
	for (i = 0; i < file->format_count; i++)
		load_format(trace, &file->formats[i]);
	load_names(trace);
	for (i = 0; i < file->buffer->count; i++)
		if (file->buffer->cpus[i].size || file->buffer->cpus[i].last_loss)
			add_cpu(trace, i);
	return 0;
}
