// SPDX-License-Identifier: LGPL-2.1-or-later
/* Loads a recorded trace, for the commands that read all its events. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "complete.h"
#include "load.h"
#include "load_dat.h"
#include "event/name_files.h"
#include "event/cgroups.h"
#include "trace/cmdlines.h"
#include "trace/kernel.h"
#include "trace/trace_dir.h"
#include "util/util.h"

/* The trace, or its last part, which describes what the parts before it do. */
static const char *last_dir(const struct tring_trace *trace)
{
	return trace->parts.dirs[trace->parts.count - 1];
}

static int add_short_ids(struct tring_trace *trace, const char *dir)
{
	char *path = tring_extra_path(dir, TRING_FILE_SHORT_IDS);
	char *text = tring_read_text(path, NULL);
	struct tring_short_ids shorts = { 0 };
	int error;

	if (!text) {
		error = -errno;
		tring_error("%s: %s", path, tring_errno_text(-error));
	} else {
		error = tring_short_ids_parse(&shorts, text, path);
	}
	if (!error && !tring_short_ids_add(&trace->shorts, &shorts)) {
		tring_error("%s: its types are not those of the other parts", path);
		error = -EINVAL;
	}
	free(text);
	free(path);
	return error;
}

/* An event whose length disagrees with its format is reported, but still printed. */
static void check_short_ids(struct tring_trace *trace)
{
	char *path = tring_extra_path(last_dir(trace), TRING_FILE_SHORT_IDS);

	if (tring_short_ids_check(&trace->shorts, &trace->events, path))
		trace->problems++;
	free(path);
}

/* Some kernels lack some of the files, which printing does not depend on. */
static void give_text(struct tring_trace *trace, const char *file,
		      int (*give)(struct tring_events *events, char *text, const char *path))
{
	char *path = tring_extra_path(last_dir(trace), file);
	char *text = tring_read_text(path, NULL);

	if (text ? give(&trace->events, text, path) : errno != ENOENT)
		trace->problems++;
	if (!text && errno != ENOENT)
		tring_error("%s: %s", path, tring_errno_text(errno));
	free(text);
	free(path);
}

/**
 * tring_load_tasks - learn the names of tasks, and their cgroups, that the recorder has saved
 * @trace: a trace; errors are counted there
 */
void tring_load_tasks(struct tring_trace *trace)
{
	/* those of a trace.dat came with its formats */
	if (trace->dat)
		return;
	if (tring_cmdlines_read(&trace->names, &trace->parts))
		trace->problems++;
	if (tring_cgroups_read(&trace->names, &trace->parts))
		trace->problems++;
	if (trace->names.cgroups)
		trace->names.cgroups->follows = tring_event_find(trace, "cgroup",
								 "cgroup_attach_task");
}

/**
 * tring_load_symbols - give libtraceevent the names of functions and of strings
 * @trace: a trace; errors are counted there
 *
 * Parsing them takes as long as decoding a million events.
 */
void tring_load_symbols(struct tring_trace *trace)
{
	give_text(trace, TRING_FILE_KALLSYMS, tring_give_symbols);
	give_text(trace, TRING_FILE_PRINTK, tring_give_strings);
}

static bool is_this_boot(const struct tring_trace *trace)
{
	char *boot = tring_read_text("/proc/sys/kernel/random/boot_id", NULL);
	bool same = boot && *trace->info.boot_id;

	if (same) {
		boot[strcspn(boot, "\n")] = 0;
		same = !strcmp(boot, trace->info.boot_id);
	}
	free(boot);
	return same;
}

/**
 * tring_load_live_symbols - give libtraceevent the symbols of the running kernel
 * @trace: a trace that is being recorded, or whose recorder was killed; errors are counted there
 *
 * The recorder looks at its end which symbols the events print. If the trace is of another boot,
 * nothing is given.
 */
void tring_load_live_symbols(struct tring_trace *trace)
{
	char *path = tring_extra_path(last_dir(trace), TRING_FILE_KALLSYMS), *text = NULL;

	if (access(path, F_OK) && is_this_boot(trace))
		text = tring_read_text(TRING_KERNEL_SYMBOLS, NULL);
	/* users other than root see zeroes for all addresses */
	if (text && strstr(text, "\nf") &&
	    tring_give_symbols(&trace->events, text, TRING_KERNEL_SYMBOLS))
		trace->problems++;
	free(text);
	free(path);
}

static int add_events(struct tring_trace *trace, const char *dir)
{
	char *formats = tring_extra_path(dir, TRING_FILE_EVENTS);
	int bad;

	bad = tring_events_add_all(&trace->events, formats);
	free(formats);
	if (bad > 0)
		trace->problems += bad;
	return bad < 0 ? bad : 0;
}

/*
 * A recorder that was killed right after it had begun the last part may have described
 * something in the part before it only.
 */
static int describe(struct tring_trace *trace)
{
	size_t count = trace->parts.count, i;
	int error = 0;

	for (i = count; i && i + 2 > count && !error; i--) {
		const char *dir = trace->parts.dirs[i - 1];

		/* the one before the last may be gone, if the trace is followed */
		if (i < count && access(dir, F_OK))
			continue;
		error = add_short_ids(trace, dir);
		if (!error)
			error = add_events(trace, dir);
	}
	return error;
}

/**
 * tring_load_more - load what the recorder has described since
 * @trace: a trace that is recorded, and is read; errors are counted there
 *
 * The symbols, and what a selection takes, stay as they are.
 */
void tring_load_more(struct tring_trace *trace)
{
	if (describe(trace))
		trace->problems++;
}

/* The recorder, or a user, may have removed the part since. */
static void forget_first(struct tring_parts_list *parts)
{
	free(parts->dirs[0]);
	memmove(parts->dirs, parts->dirs + 1, --parts->count * sizeof(*parts->dirs));
}

static int check_parts(struct tring_trace *trace, const char *dir)
{
	const struct tring_parts_list *parts = &trace->parts;
	struct tring_trace_info info;
	size_t i;
	int error;

	for (i = 1; i < parts->count; i++) {
		error = tring_trace_dir_info(parts->dirs[i], &info, NULL);
		if (error)
			return error;
		if (memcmp(info.uuid, trace->info.uuid, sizeof(info.uuid))) {
			tring_error("%s: not of the same trace as %s", parts->dirs[i],
				    parts->dirs[0]);
			return -EINVAL;
		}
		if (!tring_parts_list_has_gap(parts, i))
			continue;
		tring_error("%s: parts are missing before %s, with their events", dir,
			    parts->dirs[i]);
		trace->problems++;
	}
	return 0;
}

static int find_parts(struct tring_trace *trace, const char *dir)
{
	struct tring_parts_list *parts = &trace->parts;
	int error = tring_parts_list(parts, dir);

	if (error)
		return error;
	while (parts->count > 1 && access(parts->dirs[0], F_OK))
		forget_first(parts);
	error = tring_trace_dir_info(parts->dirs[0], &trace->info, NULL);
	return error ? error : check_parts(trace, dir);
}

static int compare_cpus(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* Return: number of CPUs that any part has, or a negative errno. @cpus: to free() in any case */
static int find_cpus(const struct tring_parts_list *parts, int **cpus)
{
	int count = 0, unique = 0, i;
	size_t part;

	*cpus = NULL;
	for (part = 0; part < parts->count; part++) {
		int error = tring_trace_cpus(parts->dirs[part], cpus, &count);

		if (error)
			return error;
	}
	if (count)
		qsort(*cpus, count, sizeof(**cpus), compare_cpus);
	for (i = 0; i < count; i++)
		if (!unique || (*cpus)[i] != (*cpus)[unique - 1])
			(*cpus)[unique++] = (*cpus)[i];
	return unique;
}

static int describe_all(struct tring_trace *trace, size_t cpus)
{
	int error = tring_trace_init(trace, cpus);

	/* a recorder that was killed before it had counters may not have described anything */
	if (!error && cpus)
		error = describe(trace);
	if (!error)
		check_short_ids(trace);
	return error;
}

/**
 * tring_load_formats - load what describes a trace, for one CPU of another one
 * @trace: as of tring_load_trace(), but without streams
 * @dir: the trace's directory, or that of its parts
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_load_formats(struct tring_trace *trace, const char *dir)
{
	int error = find_parts(trace, dir);

	if (!error)
		error = describe_all(trace, 1);
	if (!error)
		tring_load_tasks(trace);
	return error;
}

/**
 * tring_load_trace - load what describes a trace, and open its streams
 * @trace: filled in; errors that do not end it are counted there. To be ended with
 *	tring_trace_free() also after an error
 * @dir: the trace: its directory, or that of its parts; or a trace.dat
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_load_trace(struct tring_trace *trace, const char *dir)
{
	int *cpus, count, error, i;

	if (tring_dat_is(dir))
		return tring_load_dat(trace, dir, NULL);
	error = find_parts(trace, dir);
	if (error)
		return error;
	count = find_cpus(&trace->parts, &cpus);
	if (count < 0) {
		free(cpus);
		return count;
	}
	error = describe_all(trace, count);
	for (i = 0; i < count && !error; i++)
		tring_complete_open(trace, cpus[i]);
	free(cpus);
	return error;
}
