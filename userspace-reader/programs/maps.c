// SPDX-License-Identifier: GPL-2.0
/*
 * What the memory of programs had, as the file "maps" of a trace tells: see format.md. A process
 * has what its parent had when it was forked, up to its first exec, and what was mapped since. The
 * latest map of an address counts; that one is taken off is not recorded.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "maps.h"
#include "util/util.h"

/* Processes that are asked for an address, each one the parent of the one before. */
#define PARENTS_MOST	64

enum kind { MAP, FORK, THREAD, EXEC };

/**
 * struct tring_change - something that has changed
 * @stamp: when
 * @pid: in which process, or thread
 * @kind: what
 * @start: MAP: first address
 * @size: MAP: number of bytes
 * @offset: MAP: offset of @start in the file
 * @file: MAP: number of the file
 * @parent: FORK: the parent; THREAD: the process
 * @number: place in the file
 */
struct tring_change {
	uint64_t	stamp;
	int32_t		pid;
	enum kind	kind;
	uint64_t	start;
	uint64_t	size;
	uint64_t	offset;
	size_t		file;
	int32_t		parent;
	size_t		number;
};

static void add(struct tring_maps *maps, const struct tring_change *change)
{
	maps->changes = tring_one_more(maps->changes, maps->count, sizeof(*maps->changes));
	maps->changes[maps->count] = *change;
	maps->changes[maps->count].number = maps->count;
	maps->count++;
}

static bool take_file(struct tring_maps *maps, char *line)
{
	char *path = strchr(line, ' ');

	if (!path)
		return false;
	*path++ = 0;
	maps->files = tring_one_more(maps->files, maps->file_count, sizeof(*maps->files));
	maps->files[maps->file_count++] = (struct tring_mapped) { line, path };
	return true;
}

/* @first: number of the file that has the number 0 in this part. Return: it was understood */
static bool take_line(struct tring_maps *maps, char *line, size_t first)
{
	struct tring_change change = { 0 };
	uint64_t lost;

	if (!strncmp(line, "file ", 5))
		return take_file(maps, line + 5);
	if (sscanf(line, "map %" SCNu64 " %" SCNd32 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %zu",
		   &change.stamp, &change.pid, &change.start, &change.size, &change.offset,
		   &change.file) == 6) {
		change.kind = MAP;
		change.file += first;
		if (change.file < first || change.file >= maps->file_count)
			return false;
	} else if (sscanf(line, "fork %" SCNu64 " %" SCNd32 " %" SCNd32, &change.stamp,
			  &change.pid, &change.parent) == 3) {
		change.kind = FORK;
	} else if (sscanf(line, "thread %" SCNu64 " %" SCNd32 " %" SCNd32, &change.stamp,
			  &change.pid, &change.parent) == 3) {
		change.kind = THREAD;
	} else if (sscanf(line, "exec %" SCNu64 " %" SCNd32, &change.stamp, &change.pid) == 2) {
		change.kind = EXEC;
	} else if (sscanf(line, "lost %*u %" SCNu64, &lost) == 1) {
		maps->lost += lost;
		return true;
	} else {
		return false;
	}
	add(maps, &change);
	return true;
}

static int compare(const void *a, const void *b)
{
	const struct tring_change *one = a, *other = b;

	if (one->pid != other->pid)
		return one->pid < other->pid ? -1 : 1;
	if (one->stamp != other->stamp)
		return one->stamp < other->stamp ? -1 : 1;
	return one->number < other->number ? -1 : one->number > other->number;
}

/**
 * tring_maps_take - read the file "maps"
 * @maps: zeroed; to be freed with tring_maps_free()
 * @text: the file, of all parts of the trace; it belongs to @maps from now on
 */
void tring_maps_take(struct tring_maps *maps, char *text)
{
	char *line = text, *next;
	size_t number = 0, first = 0;

	maps->text = text;
	for (; *line; line = next) {
		next = strchr(line, '\n');
		number++;
		/* the recorder was killed, or writes it just now */
		if (!next)
			break;
		*next++ = 0;
		if (!strcmp(line, "begin"))
			first = maps->file_count;
		else if (!take_line(maps, line, first) && !maps->bad)
			maps->bad = number;
	}
	if (maps->count)
		qsort(maps->changes, maps->count, sizeof(*maps->changes), compare);
}

/* Return: index of the first change of a process behind a time. */
static size_t find_behind(const struct tring_maps *maps, int32_t pid, uint64_t stamp)
{
	const struct tring_change wanted = { .pid = pid, .stamp = stamp, .number = SIZE_MAX };
	size_t low = 0, high = maps->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(&maps->changes[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool covers(const struct tring_change *change, uint64_t address)
{
	return change->kind == MAP && address >= change->start &&
	       address - change->start < change->size;
}

/*
 * Goes back in time. Return: what has the address; or the change that says which other process is
 * to be asked; or NULL.
 */
static const struct tring_change *look_back(const struct tring_maps *maps, int32_t pid,
					    uint64_t stamp, uint64_t address)
{
	size_t i = find_behind(maps, pid, stamp);

	while (i-- && maps->changes[i].pid == pid) {
		const struct tring_change *change = &maps->changes[i];

		if (change->kind == EXEC)
			break;
		if (change->kind != MAP || covers(change, address))
			return change;
	}
	return NULL;
}

/*
 * What comes later: clocks differ a little, and "tring save" looks at the end only. What comes
 * behind an exec, or a fork of a process that has the pid again, is of another program.
 */
static const struct tring_change *look_ahead(const struct tring_maps *maps, int32_t pid,
					     uint64_t stamp, uint64_t address)
{
	size_t i = find_behind(maps, pid, stamp);

	for (; i < maps->count && maps->changes[i].pid == pid; i++) {
		if (maps->changes[i].kind != MAP)
			break;
		if (covers(&maps->changes[i], address))
			return &maps->changes[i];
	}
	return NULL;
}

/**
 * tring_maps_find - find what the memory of a process has
 * @maps: the memory of all
 * @pid: the process, or a thread of it
 * @stamp: the time
 * @address: the address
 * @place: set to the offset in the file
 *
 * Return: the file; NULL if it is unknown.
 */
const struct tring_mapped *tring_maps_find(const struct tring_maps *maps, int32_t pid,
					   uint64_t stamp, uint64_t address, uint64_t *place)
{
	const struct tring_change *found = NULL;
	int32_t at = pid;
	uint64_t when = stamp;
	unsigned int i;

	for (i = 0; i < PARENTS_MOST; i++) {
		found = look_back(maps, at, when, address);
		if (!found || found->kind == MAP)
			break;
		at = found->parent;
		if (found->kind == FORK)
			when = found->stamp;
		else
			pid = at;
	}
	if (!found || found->kind != MAP)
		found = look_ahead(maps, pid, stamp, address);
	if (!found)
		return NULL;
	*place = found->offset + (address - found->start);
	return &maps->files[found->file];
}

/**
 * tring_maps_free - free what is known
 * @maps: from tring_maps_take(), or zeroed
 */
void tring_maps_free(struct tring_maps *maps)
{
	free(maps->text);
	free(maps->files);
	free(maps->changes);
	*maps = (struct tring_maps) { 0 };
}
