// SPDX-License-Identifier: GPL-2.0
/*
 * The directory that holds a recorded trace:
 *
 *	metadata		CTF 1.8's description of the streams
 *	cpuN			the packets of CPU N as the ring handed them out
 *	tring/trace_info	what the ring said of itself
 *	tring/short_ids		which events the short records are of
 *	tring/events/...	the format files of the events
 *	tring/cpuN.start	CPU N's counters when recording began
 *	tring/cpuN.end		and when all had been read
 *	tring/...		what else libtraceevent needs
 *
 * CTF viewers take every file beside the metadata for a stream, but do not
 * look into directories.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel.h"
#include "trace_dir.h"
#include "tsdl.h"
#include "util.h"

/**
 * tring_trace_path - name of a file of a trace
 * @dir: the trace
 * @file: beside the metadata
 *
 * Return: string to free().
 */
char *tring_trace_path(const char *dir, const char *file)
{
	return tring_format("%s/%s", dir, file);
}

/**
 * tring_extra_path - name of a file that viewers do not read
 * @dir: the trace
 * @file: relative to the extras
 *
 * Return: string to free().
 */
char *tring_extra_path(const char *dir, const char *file)
{
	return tring_format("%s/" TRING_EXTRAS "/%s", dir, file);
}

static bool is_stream(const char *name)
{
	uint64_t cpu;

	return !strncmp(name, "cpu", 3) && tring_parse_number(name + 3, &cpu);
}

static bool is_ours(const char *name)
{
	return is_stream(name) || !strcmp(name, "metadata") ||
	       !strcmp(name, "metadata.new") || !strcmp(name, TRING_EXTRAS);
}

/**
 * tring_trace_dir_check - may a trace be written here?
 * @dir: where; nothing is changed
 *
 * Return: 0 if there is nothing, an empty directory or an old trace of ours;
 * else a negative errno, said on stderr.
 */
int tring_trace_dir_check(const char *dir)
{
	char *info = tring_extra_path(dir, TRING_FILE_INFO);
	bool old = !access(info, F_OK);
	DIR *listing = opendir(dir);
	struct dirent *entry;
	int error = 0;

	free(info);
	if (!listing) {
		if (errno == ENOENT)
			return 0;
		error = -errno;
		tring_error("%s: %s", dir, strerror(-error));
		return error;
	}
	while (!error && (entry = readdir(listing))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (old && is_ours(entry->d_name))
			continue;
		tring_error("%s: not empty and no old tring trace (there is \"%s\"), left alone",
			    dir, entry->d_name);
		error = -EEXIST;
	}
	closedir(listing);
	return error;
}

static int remove_entry(const char *path, const struct stat *info, int type,
			struct FTW *walk)
{
	(void)info;
	(void)type;
	/* the directory itself stays: it may be a mount point */
	return walk->level ? remove(path) : 0;
}

static int make_directory(const char *path)
{
	int error = 0;

	if (mkdir(path, 0755) && errno != EEXIST) {
		error = -errno;
		tring_error("%s: %s", path, strerror(-error));
	}
	return error;
}

/**
 * tring_trace_dir_create - an empty trace directory
 * @dir: where; an old trace there is removed
 *
 * Return: 0 or a negative errno, said on stderr.
 */
int tring_trace_dir_create(const char *dir)
{
	int error = tring_trace_dir_check(dir);
	char *extras;

	if (error)
		return error;
	error = make_directory(dir);
	if (error)
		return error;
	if (nftw(dir, remove_entry, 16, FTW_DEPTH | FTW_PHYS)) {
		error = -errno;
		tring_error("%s: cannot remove the old trace: %s", dir,
			    strerror(-error));
		return error;
	}
	extras = tring_trace_path(dir, TRING_EXTRAS);
	error = make_directory(extras);
	free(extras);
	return error;
}

/**
 * tring_trace_dir_metadata - write or replace the metadata
 * @dir: the trace
 * @info: of the trace
 * @shorts: its short ids
 * @events: every event that may occur
 *
 * Return: 0 or a negative errno, said on stderr.
 */
int tring_trace_dir_metadata(const char *dir,
			     const struct tring_trace_info *info,
			     const struct tring_short_ids *shorts,
			     const struct tring_events *events)
{
	char *path = tring_trace_path(dir, "metadata"), *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	int error = -ENOMEM;

	if (file) {
		tring_tsdl_write(file, info, shorts, events);
		if (!fclose(file))
			error = tring_write_text(path, text, size);
	}
	free(text);
	free(path);
	return error;
}

/**
 * tring_trace_dir_extra - write a file that viewers do not read
 * @dir: the trace
 * @file: relative to the extras
 * @text: its text
 *
 * Return: 0 or a negative errno, said on stderr.
 */
int tring_trace_dir_extra(const char *dir, const char *file, const char *text)
{
	char *path = tring_extra_path(dir, file);
	int error = tring_write_text(path, text, strlen(text));

	free(path);
	return error;
}

static int write_format(const char *dir, const struct tring_event *event)
{
	char *path = tring_extra_path(dir, TRING_FILE_EVENTS);
	const char *parts[] = { event->system, event->name };
	int error = make_directory(path);
	size_t i;

	for (i = 0; i < 2 && !error; i++) {
		char *longer = tring_format("%s/%s", path, parts[i]);

		free(path);
		path = longer;
		error = make_directory(path);
	}
	if (!error) {
		char *file = tring_format("%s/format", path);

		error = tring_write_text(file, event->text, event->size);
		free(file);
	}
	free(path);
	return error;
}

/**
 * tring_trace_dir_events - keep the events' format files
 * @dir: the trace
 * @events: the events
 *
 * Return: 0 or a negative errno, said on stderr.
 */
int tring_trace_dir_events(const char *dir, const struct tring_events *events)
{
	int error = 0;
	size_t i;

	for (i = 0; i < events->count && !error; i++)
		error = write_format(dir, &events->list[i]);
	return error;
}

static int copy_text(const char *dir, const char *file, const char *from)
{
	char *text = tring_read_text(from, NULL);
	int error = 0;

	/* not every kernel has every file, and report does without */
	if (text)
		error = tring_trace_dir_extra(dir, file, text);
	free(text);
	return error;
}

/**
 * tring_trace_dir_kernel - keep what report needs to know of this kernel
 * @dir: the trace
 * @tracing: tracefs
 *
 * Return: 0 or a negative errno, said on stderr.
 */
int tring_trace_dir_kernel(const char *dir, const char *tracing)
{
	static const char * const files[][2] = {
		{ TRING_FILE_HEADER_PAGE, TRING_KERNEL_HEADER_PAGE },
		{ "header_event", "events/header_event" },
		{ TRING_FILE_PRINTK, TRING_KERNEL_PRINTK },
	};
	int error = 0;
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(files[0]) && !error; i++) {
		char *from = tring_format("%s/%s", tracing, files[i][1]);

		error = copy_text(dir, files[i][0], from);
		free(from);
	}
	return error;
}

/**
 * tring_trace_dir_symbols - keep the kernel's symbols if an event prints them
 * @dir: the trace
 * @events: the events
 * @ids: which of the ids count, of all 65536; NULL for all
 *
 * Return: 0 or a negative errno, said on stderr.
 */
int tring_trace_dir_symbols(const char *dir, const struct tring_events *events,
			    const bool *ids)
{
	char *path = tring_extra_path(dir, TRING_FILE_KALLSYMS);
	bool there = !access(path, F_OK);

	free(path);
	if (there || !tring_kernel_has_symbols(events, ids))
		return 0;
	return copy_text(dir, TRING_FILE_KALLSYMS, TRING_KERNEL_SYMBOLS);
}

/**
 * tring_trace_dir_cmdlines - keep the names of tasks
 * @dir: the trace
 * @tracing: tracefs
 *
 * Return: 0 or a negative errno, said on stderr.
 */
int tring_trace_dir_cmdlines(const char *dir, const char *tracing)
{
	char *text = tring_kernel_cmdlines(tracing);
	int error = -ENOMEM;

	if (text)
		error = tring_trace_dir_extra(dir, TRING_FILE_CMDLINES, text);
	free(text);
	return error;
}
