// SPDX-License-Identifier: GPL-2.0
/* Loads a recorded trace, for the commands that read all its events. */
#include <errno.h>
#include <stdlib.h>

#include "complete.h"
#include "load.h"
#include "print/name_files.h"
#include "trace/trace_dir.h"
#include "util.h"

static int read_short_ids(struct tring_report *report, const char *dir)
{
	char *path = tring_extra_path(dir, TRING_FILE_SHORT_IDS);
	char *text = tring_read_text(path, NULL);
	int error;

	if (!text) {
		error = -errno;
		tring_error("%s: %s", path, tring_errno_text(-error));
	} else {
		error = tring_short_ids_parse(&report->shorts, text, path);
	}
	free(text);
	free(path);
	return error;
}

/* An event whose length disagrees with its format is reported, but still printed. */
static void check_short_ids(struct tring_report *report, const char *dir)
{
	char *path = tring_extra_path(dir, TRING_FILE_SHORT_IDS);

	if (tring_short_ids_check(&report->shorts, &report->events, path))
		report->bad++;
	free(path);
}

/* Some kernels lack some of the files, which printing does not depend on. */
static void give_text(struct tring_report *report, const char *dir,
		      const char *file,
		      int (*give)(struct tep_handle *tep, char *text, const char *path))
{
	char *path = tring_extra_path(dir, file);
	char *text = tring_read_text(path, NULL);

	if (text ? give(report->events.tep, text, path) : errno != ENOENT)
		report->bad++;
	if (!text && errno != ENOENT)
		tring_error("%s: %s", path, tring_errno_text(errno));
	free(text);
	free(path);
}

/**
 * tring_load_names - give libtraceevent the names of numbers and of tasks
 * @report: the report; errors are counted there
 * @dir: the trace
 *
 * Parsing them takes as long as decoding a million events.
 */
void tring_load_names(struct tring_report *report, const char *dir)
{
	give_text(report, dir, TRING_FILE_KALLSYMS, tring_give_symbols);
	give_text(report, dir, TRING_FILE_PRINTK, tring_give_strings);
	give_text(report, dir, TRING_FILE_CMDLINES, tring_give_tasks);
}

static int load_events(struct tring_report *report, const char *dir)
{
	char *formats = tring_extra_path(dir, TRING_FILE_EVENTS);
	int bad;

	bad = tring_events_add_all(&report->events, formats);
	free(formats);
	if (bad > 0)
		report->bad += bad;
	return bad < 0 ? bad : 0;
}

/**
 * tring_load_trace - load what describes a trace, and open its streams
 * @report: filled in; errors that do not end it are counted there. To be ended with
 *	tring_report_end() also after an error
 * @dir: the trace
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_load_trace(struct tring_report *report, const char *dir)
{
	int *cpus, count, error, i;

	error = tring_trace_dir_info(dir, &report->info, NULL);
	if (error)
		return error;
	count = tring_trace_cpus(dir, &cpus);
	if (count < 0) {
		free(cpus);
		return count;
	}
	error = tring_report_init(report, count);
	/* a recorder that was killed before it had counters may not have described anything */
	if (!error && count)
		error = read_short_ids(report, dir);
	if (!error && count)
		error = load_events(report, dir);
	if (!error)
		check_short_ids(report, dir);
	for (i = 0; i < count && !error; i++)
		tring_complete_open(report, dir, cpus[i]);
	free(cpus);
	return error;
}
