// SPDX-License-Identifier: GPL-2.0
/*
 * Writes down what programs have in their memory, so that their addresses can be named when they
 * have ended: what each process has at the begin, as /proc tells, and what perf tells since. The
 * lines are those of format.md. Times are on the trace's clock. perf has no time stamp counter: its
 * times are converted by two clocks that are read one behind the other, at most a second later.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "build_id.h"
#include "maps.h"
#include "trace/trace_dir.h"
#include "util/clock.h"
#include "util/proc.h"
#include "util/tree.h"
#include "util/util.h"

static bool is_tsc(const struct tring_maps_writer *maps)
{
	return !strcmp(maps->info->clock, "tsc");
}

static clockid_t clock_of(const struct tring_maps_writer *maps)
{
	return !strcmp(maps->info->clock, "boot") ? CLOCK_BOOTTIME :
	       !strcmp(maps->info->clock, "tai") ? CLOCK_TAI : CLOCK_MONOTONIC;
}

static void read_clocks(struct tring_maps_writer *maps)
{
	struct timespec now;

	clock_gettime(clock_of(maps), &now);
	maps->before.ns = now.tv_sec * TRING_NS_A_SECOND + now.tv_nsec;
	maps->before.stamp = maps->before.ns;
#ifdef __x86_64__
	if (is_tsc(maps))
		maps->before.stamp = __builtin_ia32_rdtsc();
#endif
}

static uint64_t to_stamp(const struct tring_maps_writer *maps, uint64_t ns)
{
	const uint64_t frequency = maps->info->clock_frequency;

	if (!is_tsc(maps))
		return ns;
	if (ns >= maps->before.ns)
		return maps->before.stamp + tring_clock_first(ns - maps->before.ns, frequency);
	return maps->before.stamp - tring_clock_first(maps->before.ns - ns, frequency);
}

/* A path with control characters names no file any more. */
static void write_file(struct tring_maps_writer *maps, const char *build_id, const char *path)
{
	char *name = tring_format("%s", path), *at;

	for (at = name; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = '?';
	fprintf(maps->file, "file %s %s\n", build_id, name);
	free(name);
}

/* Return: whether @key is met for the first time. @number: set to that of its file */
static bool is_new(struct tring_maps_writer *maps, const char *key, size_t *number)
{
	const size_t before = maps->files.count;

	*number = tring_intern(&maps->files, key, strlen(key));
	return *number == before;
}

static void write_map(struct tring_maps_writer *maps, uint64_t stamp, int32_t pid, uint64_t start,
		      uint64_t size, uint64_t offset, size_t file)
{
	fprintf(maps->file, "map %" PRIu64 " %" PRId32 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %zu\n",
		stamp, pid, start, size, offset, file);
}

static void take_mmap(struct tring_maps_writer *maps, uint64_t stamp,
		      const struct perf_event_header *record)
{
	const struct {
		struct perf_event_header header;
		uint32_t pid;
		uint32_t tid;
		uint64_t start;
		uint64_t size;
		uint64_t offset;
		uint8_t build_id_size;
		uint8_t reserved[3];
		uint8_t build_id[20];
		uint32_t protection;
		uint32_t flags;
		char path[];
	} *map = (const void *)record;
	bool has_id = record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID &&
		      map->build_id_size <= sizeof(map->build_id);
	char id[TRING_BUILD_ID_TEXT], *key;
	size_t number;

	tring_build_id_text(map->build_id, has_id ? map->build_id_size : 0, id);
	key = tring_format("%s %s", id, map->path);
	if (is_new(maps, key, &number))
		write_file(maps, id, map->path);
	free(key);
	write_map(maps, stamp, map->pid, map->start, map->size, map->offset, number);
}

/* See perf_event_open(2) for the layouts. */
static void take(void *data, const struct perf_event_header *record, uint64_t ns)
{
	struct tring_maps_writer *maps = data;
	const uint64_t stamp = to_stamp(maps, ns);
	const struct {
		struct perf_event_header header;
		int32_t pid;
		int32_t parent;
		int32_t tid;
	} *task = (const void *)record;

	if (record->type == PERF_RECORD_MMAP2)
		take_mmap(maps, stamp, record);
	else if (record->type == PERF_RECORD_FORK && task->pid != task->parent)
		fprintf(maps->file, "fork %" PRIu64 " %d %d\n", stamp, task->pid, task->parent);
	else if (record->type == PERF_RECORD_FORK)
		fprintf(maps->file, "thread %" PRIu64 " %d %d\n", stamp, task->tid, task->pid);
	else if (record->type == PERF_RECORD_COMM && record->misc & PERF_RECORD_MISC_COMM_EXEC)
		fprintf(maps->file, "exec %" PRIu64 " %d\n", stamp, task->pid);
}

/* @line: of /proc/PID/maps */
static void take_line(struct tring_maps_writer *maps, int32_t pid, const char *line)
{
	uint64_t start, end, offset;
	char protection[5], *file, id[TRING_BUILD_ID_TEXT];
	int inode = 0, at = 0;
	size_t number;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %n%*s %*u %n", &start, &end,
		   protection, &offset, &inode, &at) != 4 || protection[2] != 'x')
		return;
	/* device, inode and path: a file is read once */
	if (is_new(maps, line + inode, &number)) {
		/* the file itself, also where the process has another root, or its name is gone */
		file = tring_format("/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid, start, end);
		tring_build_id(file, id);
		write_file(maps, id, line[at] ? line + at : "//anon");
		free(file);
	}
	write_map(maps, maps->before.stamp, pid, start, end - start, offset, number);
}

static void take_threads(struct tring_maps_writer *maps, int32_t pid)
{
	int32_t *threads;
	size_t count = tring_proc_list(pid, &threads), i;

	for (i = 0; i < count; i++)
		if (threads[i] != pid)
			fprintf(maps->file, "thread %" PRIu64 " %d %d\n", maps->before.stamp,
				threads[i], pid);
	free(threads);
}

/* A thread of the kernel has no memory of its own; a process may end meanwhile. */
static void take_process(struct tring_maps_writer *maps, int32_t pid)
{
	char *text = tring_proc_text(pid, "maps", NULL), *line, *next;

	for (line = text; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		take_line(maps, pid, line);
	}
	if (text && *text)
		take_threads(maps, pid);
	free(text);
}

static void take_all(struct tring_maps_writer *maps)
{
	int32_t *processes;
	size_t count = tring_proc_list(0, &processes), i;

	for (i = 0; i < count; i++) {
		read_clocks(maps);
		take_process(maps, processes[i]);
	}
	free(processes);
}

/* Lines that the disk refuses are missing, which is told once. */
static void flush(struct tring_maps_writer *maps, bool is_end)
{
	int error = maps->file && (fflush(maps->file) || ferror(maps->file)) ? -errno : 0;

	if (maps->file && is_end) {
		if (fclose(maps->file) && !error)
			error = -errno;
		maps->file = NULL;
	}
	if (error && !maps->error)
		tring_error("the file \"maps\": %s; functions of programs will be missing",
			    strerror(-error));
	maps->error = maps->error ? maps->error : error;
}

/**
 * tring_maps_watch - watch what programs have in their memory
 * @maps: the writer, with @is_wanted; nothing is done without
 * @info: the trace's clock
 * @watch: also what changes from now on
 *
 * Without perf the functions of programs that begin from now on are missing, which is told. So are
 * all of them in a pid namespace, where the maps would be taken for those of other processes.
 */
void tring_maps_watch(struct tring_maps_writer *maps, const struct tring_trace_info *info,
		      bool watch)
{
	int error;

	maps->info = info;
	/* perf has the pids of this process' namespace, /proc those of its own */
	if (maps->is_wanted && !tring_proc_is_first()) {
		tring_error("functions of programs will be missing: %s",
			    "the tasks of this pid namespace have other pids for the kernel");
		maps->is_wanted = false;
	}
	if (!maps->is_wanted || !watch)
		return;
	error = tring_sideband_begin(&maps->sideband, clock_of(maps));
	if (error)
		tring_error("functions of programs that begin from now on will be missing: %s: %s",
			    "perf_event_open", strerror(-error));
}

/**
 * tring_maps_begin - begin the file of a trace, or of a part
 * @maps: the writer; nothing is done without @is_wanted
 * @dir: the directory, which may be renamed later
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_maps_begin(struct tring_maps_writer *maps, const char *dir)
{
	char *path;
	int error;

	if (!maps->is_wanted)
		return 0;
	tring_maps_go_on(maps);
	flush(maps, true);
	tring_intern_free(&maps->files);
	path = tring_extra_path(dir, TRING_FILE_MAPS);
	error = tring_tree_begin(path, &maps->file);
	if (error)
		tring_error("%s: %s", path, strerror(-error));
	free(path);
	if (error)
		return error;
	fputs("begin\n", maps->file);
	take_all(maps);
	flush(maps, false);
	return maps->error;
}

/**
 * tring_maps_go_on - write down what has changed
 * @maps: the writer; nothing is done without a file
 */
void tring_maps_go_on(struct tring_maps_writer *maps)
{
	uint64_t lost;

	if (!maps->file)
		return;
	read_clocks(maps);
	tring_sideband_read(&maps->sideband, take, maps);
	lost = tring_sideband_lost(&maps->sideband);
	if (lost > maps->lost)
		fprintf(maps->file, "lost %" PRIu64 " %" PRIu64 "\n", maps->before.stamp,
			lost - maps->lost);
	maps->lost = lost;
	flush(maps, false);
}

/**
 * tring_maps_end - write down what has changed, and end
 * @maps: the writer, which may be zeroed
 *
 * Return: 0, or a negative errno if a line is missing, reported on stderr.
 */
int tring_maps_end(struct tring_maps_writer *maps)
{
	int error;

	tring_maps_go_on(maps);
	flush(maps, true);
	tring_intern_free(&maps->files);
	if (maps->info)
		tring_sideband_end(&maps->sideband);
	maps->info = NULL;
	maps->lost = 0;
	error = maps->error;
	maps->error = 0;
	return error;
}
