// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The directory that holds a recorded trace:
 *
 *	metadata		description of the streams in CTF 1.8
 *	cpuN			packets of CPU N
 *	cpuN.zst		the same, compressed: viewers need cpuN
 *	tring/trace_info	the ring's file trace_info
 *	tring/short_ids		the ring's file short_ids
 *	tring/events/...	format files of the events
 *	tring/cpuN.start	counters of CPU N at the start
 *	tring/cpuN.end		counters of CPU N after everything was read
 *	tring/...		other files that libtraceevent needs
 *
 * CTF viewers read every file beside the metadata as a stream, but do not read
 * directories.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "util/entry.h"
#include "frames.h"
#include "kernel.h"
#include "hold.h"
#include "old_trace.h"
#include "trace_dir.h"
#include "util/tree.h"
#include "tsdl.h"
#include "util/util.h"

/**
 * tring_trace_path - get the path of a file beside the metadata
 * @dir: the trace
 * @file: name of the file
 *
 * Return: string to free().
 */
char *tring_trace_path(const char *dir, const char *file)
{
	return tring_format("%s/%s", dir, file);
}

/**
 * tring_extra_path - get the path of a file that viewers do not read
 * @dir: the trace
 * @file: name of the file, relative to TRING_EXTRAS
 *
 * Return: string to free().
 */
char *tring_extra_path(const char *dir, const char *file)
{
	return tring_format("%s/" TRING_EXTRAS "/%s", dir, file);
}

#define CPU_MAX		999999

/* Space for the names of tasks and for the counters of a CPU. */
#define RESERVED	(256 * 1024)
#define RESERVED_A_CPU	8192

/* Space for what describes the events, and for some packets. */
#define ROOM_MIN	(4 * 1024 * 1024)

/**
 * tring_stream_path - get the path of the file of a CPU's packets
 * @dir: trace directory
 * @cpu: number of the CPU
 * @compressed: the file is compressed
 *
 * Return: string to free().
 */
char *tring_stream_path(const char *dir, int cpu, bool compressed)
{
	return tring_format("%s/cpu%d%s", dir, cpu, compressed ? TRING_FRAMES_SUFFIX : "");
}

/**
 * tring_parse_cpu - get the CPU that a file or a directory is named after
 * @name: name of the file
 * @tail: what follows the number
 *
 * Return: N if @name is "cpuN" and @tail, else -1.
 */
int tring_parse_cpu(const char *name, const char *tail)
{
	size_t length = strlen(name), end = strlen(tail);
	uint64_t cpu = 0;
	char *number;
	bool good;

	if (length < 3 + end || strncmp(name, "cpu", 3) || strcmp(name + length - end, tail))
		return -1;
	number = tring_format("%.*s", (int)(length - 3 - end), name + 3);
	good = tring_parse_number(number, &cpu) && cpu <= CPU_MAX;
	free(number);
	return good ? (int)cpu : -1;
}

/* Add the CPUs that have a file in a directory. Return: 0 or a negative errno. */
static int add_cpus(const char *dir, const char *tail, int **cpus, int *count)
{
	DIR *listing = opendir(dir);
	struct dirent *entry;

	if (!listing)
		return -errno;
	while ((entry = readdir(listing))) {
		int cpu = tring_parse_cpu(entry->d_name, tail);

		if (cpu < 0)
			continue;
		*cpus = tring_one_more(*cpus, *count, sizeof(int));
		(*cpus)[(*count)++] = cpu;
	}
	closedir(listing);
	return 0;
}

/**
 * tring_trace_cpus - add the CPUs of a trace to others
 * @dir: the trace
 * @cpus: the numbers of the CPUs, to which those are added that have a stream or counters, some
 *	several times; NULL for none yet
 * @count: number of @cpus
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_trace_cpus(const char *dir, int **cpus, int *count)
{
	char *extras = tring_trace_path(dir, TRING_EXTRAS);
	int error = add_cpus(dir, "", cpus, count);

	if (!error)
		error = add_cpus(dir, TRING_FRAMES_SUFFIX, cpus, count);
	if (!error)
		error = add_cpus(extras, ".start", cpus, count);
	if (!error)
		error = add_cpus(extras, ".end", cpus, count);
	free(extras);
	if (error)
		tring_error("%s: %s", dir, strerror(-error));
	return error;
}

static int find_cpu(const char *name)
{
	int cpu = tring_parse_cpu(name, "");

	return cpu < 0 ? tring_parse_cpu(name, TRING_FRAMES_SUFFIX) : cpu;
}

/**
 * tring_trace_of - get the trace that a file of packets belongs to
 * @file: path of the file
 * @cpu: set to the CPU
 *
 * Return: path of the trace, to free(); NULL if the file is not in a trace, or is
 * missing.
 */
char *tring_trace_of(const char *file, int *cpu)
{
	char *copy = tring_format("%s", file), *dir, *info;

	*cpu = find_cpu(basename(copy));
	free(copy);
	copy = tring_format("%s", file);
	dir = tring_format("%s", dirname(copy));
	info = tring_extra_path(dir, TRING_FILE_INFO);
	if (*cpu < 0 || access(file, F_OK) || access(info, F_OK)) {
		free(dir);
		dir = NULL;
	}
	free(info);
	free(copy);
	return dir;
}

/* Return: true for the directory in a trace that has its properties. */
static bool is_extra(const char *dir)
{
	char *path = tring_format("%s/%s", dir, TRING_FILE_INFO);
	bool is = !access(path, F_OK);

	free(path);
	return is;
}

/**
 * tring_trace_dir_info - read the properties of a trace
 * @dir: the trace
 * @info: filled in
 * @text: set to the text of trace_info, to free(), NULL after an error; may be NULL
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_trace_dir_info(const char *dir, struct tring_trace_info *info, char **text)
{
	char *path = tring_extra_path(dir, TRING_FILE_INFO);
	char *read = tring_read_text(path, NULL);
	int error = 0;

	if (!read) {
		error = -errno;
		tring_error(is_extra(dir) ? "%s: %s; the trace is the directory above %s" :
			    "%s: %s; is %s a trace made by tring record?", path,
			    tring_errno_text(-error), dir);
	} else {
		error = tring_trace_info_parse(info, read, path);
	}
	if (text)
		*text = error ? NULL : read;
	if (!text || error)
		free(read);
	free(path);
	return error;
}

/* Return: 0, or @error, which is negative. */
static int report(const char *dir, int error)
{
	if (error == -EBUSY)
		tring_error("-o %s: a trace is being recorded there; not changed", dir);
	else if (error < 0)
		tring_error("-o %s: %s", dir, strerror(-error));
	return error < 0 ? error : 0;
}

/* @old: filled in; Return: 0 or a negative errno, reported on stderr. */
static int look(const char *dir, struct tring_old_trace *old)
{
	int error = tring_tree_open(dir), fd;

	*old = (struct tring_old_trace) { .is_empty = true };
	if (error)
		return error;
	fd = tring_tree_list(dir);
	if (fd == -ENOENT)
		return 0;
	if (fd >= 0 && tring_is_held(fd))
		error = -EBUSY;
	else
		error = fd < 0 ? fd : tring_old_trace_look(old, fd);
	if (fd >= 0)
		close(fd);
	if (old->foreign)
		tring_error("-o %s: it has \"%s\", which is not of a trace of tring; not changed",
			    dir, old->foreign);
	else
		report(dir, error);
	free(old->foreign);
	old->foreign = NULL;
	return error;
}

/* For a file system without files that have no name. */
static int probe_by_name(int dir)
{
	char *name = tring_entry_draft("tring");
	int error = mkdirat(dir, name, 0700) ? errno : 0;

	if (!error && unlinkat(dir, name, AT_REMOVEDIR))
		error = errno;
	free(name);
	return error;
}

/* Return: 0, or why nothing can be written in the directory. */
static int probe_directory(int dir)
{
	static const char page[4096];
	int fd = openat(dir, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600), error = 0;
	ssize_t wrote;

	if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
		return probe_by_name(dir);
	if (fd < 0)
		return errno;
	wrote = write(fd, page, sizeof(page));
	if (wrote != sizeof(page))
		error = wrote < 0 ? errno : ENOSPC;
	close(fd);
	return error;
}

/* Return: bytes that are free; UINT64_MAX if the file system does not tell, such as ramfs. */
static uint64_t free_room(int dir)
{
	struct statvfs info;

	if (fstatvfs(dir, &info) || !info.f_blocks)
		return UINT64_MAX;
	return (uint64_t)info.f_bavail * info.f_frsize;
}

/* What the old trace takes is free when it is removed. */
static int check_room(const char *dir, int fd, size_t cpus, uint64_t packets, uint64_t old_size)
{
	uint64_t needed = ROOM_MIN + RESERVED + cpus * RESERVED_A_CPU + packets;
	uint64_t room = free_room(fd);

	if (room >= needed || room + old_size >= needed)
		return 0;
	room += old_size;
	tring_error("-o %s: %" PRIu64 " KiB are free there, a trace needs %" PRIu64
		    " KiB at least; another -o DIR may do", dir, room / 1024, needed / 1024);
	return -ENOSPC;
}

/**
 * tring_trace_dir_probe - check whether a trace may, and can, be written to a directory
 * @dir: the directory, which must not have a file of something else than a trace of tring;
 *	if it does not exist, the directory above it is checked; unchanged
 * @cpus: number of CPUs
 * @packets: bytes of packets that are known beforehand
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_trace_dir_probe(const char *dir, size_t cpus, uint64_t packets)
{
	struct tring_old_trace old;
	int error = look(dir, &old), fd, failed;
	bool is_new;

	if (error)
		return error;
	fd = tring_tree_list(dir);
	is_new = fd == -ENOENT;
	if (is_new)
		fd = tring_tree_above(dir);
	if (fd >= 0)
		error = check_room(dir, fd, cpus, packets, old.size);
	failed = fd < 0 ? -fd : error ? 0 : probe_directory(fd);
	if (failed)
		tring_error("-o %s: cannot %s: %s; another -o DIR may do", dir,
			    is_new ? "create it" : "write to it", strerror(failed));
	if (fd >= 0)
		close(fd);
	return error ? error : -failed;
}

static int remove_old(const char *dir)
{
	char *foreign = NULL;
	int fd = tring_tree_list(dir), error = fd < 0 ? fd : tring_old_trace_remove(fd, &foreign);

	if (fd >= 0)
		close(fd);
	if (foreign)
		tring_error("%s: cannot remove the old trace: it has \"%s\" now", dir, foreign);
	else if (error)
		tring_error("%s: cannot remove the old trace: %s", dir, strerror(-error));
	free(foreign);
	return error;
}

/* Until the process ends. Of several at the same time, each finds the mark of another one. */
static int mark(const char *dir)
{
	int fd = tring_tree_list(dir);

	if (fd >= 0)
		tring_hold(fd);
	return report(dir, fd >= 0 && tring_is_held(fd) ? -EBUSY : fd);
}

/* @marked: the directory is to be marked as one in which a trace is recorded */
static int clear(const char *dir, bool marked)
{
	struct tring_old_trace old;
	int error = look(dir, &old);

	if (!error)
		error = tring_tree_make(dir);
	if (!error && marked)
		error = mark(dir);
	if (error || old.is_empty)
		return error;
	tring_note("%s: replacing the trace that was there", dir);
	return remove_old(dir);
}

/**
 * tring_trace_dir_take - create a directory with nothing in it, for this process alone
 * @dir: path of the directory; an old trace in it is removed
 *
 * Until the process ends, the directory is one in which a trace is recorded.
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_trace_dir_take(const char *dir)
{
	return clear(dir, true);
}

/**
 * tring_trace_dir_begin - create an empty trace directory
 * @dir: path of the directory, which has nothing in it, or is missing
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_trace_dir_begin(const char *dir)
{
	char *extras = tring_trace_path(dir, TRING_EXTRAS);
	int error = tring_tree_make(dir);

	if (!error)
		error = tring_tree_make(extras);
	free(extras);
	return error;
}

/**
 * tring_trace_dir_create - create an empty trace directory
 * @dir: path of the directory; an old trace in it is removed
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_trace_dir_create(const char *dir)
{
	int error = clear(dir, false);

	return error ? error : tring_trace_dir_begin(dir);
}

/**
 * tring_trace_metadata - make the metadata
 * @info: properties of the trace
 * @shorts: short ids of the trace
 * @events: every event that may occur
 * @text: set to the metadata, to free() in any case
 * @size: set to the number of bytes
 *
 * Return: 0 or -ENOMEM.
 */
int tring_trace_metadata(const struct tring_trace_info *info,
			 const struct tring_short_ids *shorts,
			 const struct tring_events *events, char **text, size_t *size)
{
	FILE *file;
	bool good;

	*text = NULL;
	file = open_memstream(text, size);
	if (!file)
		return -ENOMEM;
	good = tring_tsdl_write(file, info, shorts, events);
	return fclose(file) || !good ? -ENOMEM : 0;
}

/**
 * tring_trace_dir_metadata - write or replace the metadata
 * @dir: the trace
 * @info: properties of the trace
 * @shorts: short ids of the trace
 * @events: every event that may occur
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_trace_dir_metadata(const char *dir,
			     const struct tring_trace_info *info,
			     const struct tring_short_ids *shorts,
			     const struct tring_events *events)
{
	char *path = tring_trace_path(dir, "metadata"), *text;
	size_t size;
	int error = tring_trace_metadata(info, shorts, events, &text, &size);

	if (!error)
		error = tring_tree_write(path, text, size);
	free(text);
	free(path);
	return error;
}

/**
 * tring_trace_dir_extra - write a file that viewers do not read
 * @dir: the trace
 * @file: name of the file, relative to TRING_EXTRAS
 * @text: content of the file
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_trace_dir_extra(const char *dir, const char *file, const char *text)
{
	char *path = tring_extra_path(dir, file);
	int error = tring_tree_write(path, text, strlen(text));

	free(path);
	return error;
}

/**
 * struct formats - the directory of the format files
 * @dir: the directory
 * @mode: mode of files in it
 * @is_alone: nothing else changes something in it
 * @system: system of the event before; NULL for none
 * @inner: directory of that system; -1 for none
 */
struct formats {
	int		dir;
	mode_t		mode;
	bool		is_alone;
	const char	*system;
	int		inner;
};

static void leave_system(struct formats *formats)
{
	if (formats->inner >= 0)
		close(formats->inner);
	formats->inner = -1;
	formats->system = NULL;
}

/* Most events have the system of the event before. Return: 0 or a negative errno. */
static int enter_system(struct formats *formats, const char *system)
{
	if (formats->system && !strcmp(formats->system, system))
		return 0;
	leave_system(formats);
	formats->inner = tring_entry_have(formats->dir, system, formats->mode);
	if (formats->inner < 0)
		return formats->inner;
	formats->system = system;
	return 0;
}

static int write_file(const struct formats *formats, const struct tring_event *event)
{
	int error = formats->is_alone ?
		    tring_entry_add(formats->inner, event->name, "format", formats->mode,
				    event->text, event->size) : -EEXIST;
	int dir;

	if (error != -EEXIST)
		return error;
	dir = tring_entry_have(formats->inner, event->name, formats->mode);
	if (dir < 0)
		return dir;
	error = tring_entry_write(dir, "format", formats->mode, event->text, event->size);
	close(dir);
	return error;
}

/* Return: 0 or a negative errno, reported on stderr. */
static int write_format(struct formats *formats, const struct tring_event *event)
{
	bool good = tring_entry_is_name(event->system) && tring_entry_is_name(event->name);
	int error = good ? enter_system(formats, event->system) : -EINVAL;

	if (!error)
		error = write_file(formats, event);
	if (error)
		tring_error("%s:%s: cannot write its format: %s", event->system, event->name,
			    strerror(-error));
	return error;
}

/**
 * tring_trace_formats - write the events' format files
 * @dir: their directory
 * @mode: mode of files in it
 * @is_alone: nothing else changes something in it
 * @events: the events
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_trace_formats(int dir, mode_t mode, bool is_alone, const struct tring_events *events)
{
	struct formats formats = { .dir = dir, .mode = mode, .is_alone = is_alone, .inner = -1 };
	int error = 0;
	size_t i;

	for (i = 0; i < events->count && !error; i++)
		error = write_format(&formats, events->list[i]);
	leave_system(&formats);
	return error;
}

/**
 * tring_trace_dir_events - save the events' format files
 * @dir: the trace
 * @events: the events
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_trace_dir_events(const char *dir, const struct tring_events *events)
{
	char *path = tring_extra_path(dir, TRING_FILE_EVENTS);
	mode_t mode;
	int fd = tring_tree_enter(path, &mode), error = fd;

	if (fd >= 0) {
		error = tring_trace_formats(fd, mode, tring_entry_is_alone(), events);
		close(fd);
	}
	free(path);
	return error;
}

static int copy_text(const char *dir, const char *file, const char *from)
{
	char *text = tring_read_text(from, NULL);
	int error = 0;

	/* some kernels lack some of the files, which report does not depend on */
	if (text)
		error = tring_trace_dir_extra(dir, file, text);
	free(text);
	return error;
}

/**
 * tring_trace_dir_kernel - save the kernel's files that report needs
 * @dir: the trace
 * @tracing: directory of tracefs
 *
 * Return: 0 or a negative errno, reported on stderr.
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
 * tring_trace_dir_reserve - reserve space on the disk for the files of the end
 * @dir: the trace
 * @cpus: number of CPUs
 *
 * If the packets fill the disk, the counters of the end say how many are missing. A file
 * system that cannot reserve space may have it at the end.
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_trace_dir_reserve(const char *dir, size_t cpus)
{
	char *path = tring_extra_path(dir, TRING_FILE_RESERVE);
	int fd = tring_tree_create(path);
	int error = fd < 0 ? -fd : posix_fallocate(fd, 0, RESERVED + cpus * RESERVED_A_CPU);

	if (error)
		tring_tree_remove(path);
	if (error != ENOSPC && error != EDQUOT)
		error = 0;
	if (error)
		tring_error("%s: cannot reserve space for the end of the trace: %s", path,
			    strerror(error));
	if (fd >= 0)
		close(fd);
	free(path);
	return -error;
}

/**
 * tring_trace_dir_release - release the space that is reserved
 * @dir: the trace
 */
void tring_trace_dir_release(const char *dir)
{
	char *path = tring_extra_path(dir, TRING_FILE_RESERVE);

	tring_tree_remove(path);
	free(path);
}

/**
 * tring_trace_dir_cmdlines - save the names of tasks
 * @dir: the trace
 * @tracing: directory of tracefs
 * @tasks: set to what tring_trace_dir_tasks() takes
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_trace_dir_cmdlines(const char *dir, const char *tracing, char **tasks)
{
	char *text = tring_kernel_cmdlines(tracing, tasks);
	int error = -ENOMEM;

	if (text)
		error = tring_trace_dir_extra(dir, TRING_FILE_CMDLINES, text);
	free(text);
	return error;
}

/**
 * tring_trace_dir_tasks - save the cgroups and command lines of tasks, behind those of before
 * @dir: the trace
 * @now: from tring_kernel_tasks(); the caller frees it
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_trace_dir_tasks(const char *dir, const char *now)
{
	char *path = tring_extra_path(dir, TRING_FILE_TASKS), *text = tring_tree_read(path);
	int error = -ENOMEM;

	if (now) {
		tring_extend(&text, "%s", now);
		error = tring_trace_dir_extra(dir, TRING_FILE_TASKS, text);
	}
	free(text);
	free(path);
	return error;
}
