// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The library's function that writes what describes a trace, for tools that write packets. Other
 * programs may read the trace meanwhile, so each file is complete when it is there, and the
 * metadata comes last.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "load_dat.h"
#include "trace.h"
#include "trace/trace_dir.h"
#include "util/entry.h"

#define FILE_MODE	0666
#define DIR_MODE	0777

static int add_format(struct tring_trace *trace, const struct tring_format_text *format)
{
	char *name = tring_dat_event_name(format->text), *text = tring_format("%s", format->text);
	char *where = tring_format("the format of %s:%s", format->system, name);
	const size_t before = trace->events.count;
	int error = -EINVAL;

	if (!tring_entry_is_name(format->system) || !tring_entry_is_name(name)) {
		tring_error("%s: it is no name of a directory", where);
		free(text);
	} else if (tring_event_find(trace, format->system, name)) {
		tring_error("%s: there are two", where);
		free(text);
	} else {
		error = tring_events_add_text(&trace->events, text, strlen(text), format->system,
					      name, where);
	}
	if (!error && trace->events.count == before) {
		tring_error("%s: another event has its id", where);
		error = -EINVAL;
	}
	free(where);
	free(name);
	return error;
}

/* Return: 0 or a negative errno; what is wrong would keep the trace from being read. */
static int understand(struct tring_trace *trace, const struct tring_described *what)
{
	const char *shorts = what->short_ids ? what->short_ids : "";
	int error = tring_trace_info_parse(&trace->info, what->info, TRING_FILE_INFO);
	size_t i;

	if (!error)
		error = tring_trace_init(trace, 0);
	if (!error)
		error = tring_short_ids_parse(&trace->shorts, shorts, TRING_FILE_SHORT_IDS);
	for (i = 0; i < what->format_count && !error; i++)
		error = add_format(trace, &what->formats[i]);
	if (!error)
		error = tring_short_ids_check(&trace->shorts, &trace->events,
					      TRING_FILE_SHORT_IDS);
	return error;
}

static int write_text(int dir, const char *name, const char *text)
{
	return tring_entry_write(dir, name, FILE_MODE, text, strlen(text));
}

/* A trace without events has a directory of them, too. */
static int write_extras(const struct tring_trace *trace, int top,
			const struct tring_described *what)
{
	int dir = tring_entry_have(top, TRING_EXTRAS, FILE_MODE);
	int events = dir < 0 ? dir : tring_entry_have(dir, TRING_FILE_EVENTS, FILE_MODE);
	int error = events < 0 ? events :
		    tring_trace_formats(events, FILE_MODE, false, &trace->events);

	if (!error)
		error = write_text(dir, TRING_FILE_SHORT_IDS,
				   what->short_ids ? what->short_ids : "");
	if (!error && what->tasks)
		error = write_text(dir, TRING_FILE_CMDLINES, what->tasks);
	if (!error)
		error = write_text(dir, TRING_FILE_INFO, what->info);
	if (events >= 0)
		close(events);
	if (dir >= 0)
		close(dir);
	return error;
}

static int write_all(struct tring_trace *trace, const struct tring_described *what)
{
	int dir, error = mkdir(trace->dir, DIR_MODE) && errno != EEXIST ? -errno : 0;
	char *text = NULL;
	size_t size;

	dir = error ? -1 : open(trace->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (!error && dir < 0)
		error = -errno;
	if (!error)
		error = write_extras(trace, dir, what);
	if (!error)
		error = tring_trace_metadata(&trace->info, &trace->shorts, &trace->events, &text,
					     &size);
	if (!error)
		error = tring_entry_write(dir, "metadata", FILE_MODE, text, size);
	if (error)
		tring_error("%s: it cannot be described: %s", trace->dir, strerror(-error));
	if (dir >= 0)
		close(dir);
	free(text);
	return error;
}

/**
 * tring_describe - write what describes a trace
 * @trace: set to the trace, to be closed with tring_close() also after an error. It tells errors
 *	and has the events, with their fields; packets are not read
 * @dir: the trace's directory, which is made if it is not there; other files in it stay
 * @what: what is written
 * @options: NULL for the defaults
 *
 * Return: as tring_open().
 */
int tring_describe(struct tring_trace **trace, const char *dir,
		   const struct tring_described *what, const struct tring_options *options)
{
	struct tring_trace *made = tring_trace_make(options, dir);
	struct tring_sink *before = tring_trace_enter(made);
	struct tring_described known = { 0 };
	int error;

	*trace = made;
	memcpy(&known, what, what->size < sizeof(known) ? what->size : sizeof(known));
	error = understand(made, &known);
	if (!error)
		error = write_all(made, &known);
	return tring_trace_leave(made, before, error);
}
