// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names of tasks: those that the kernel had saved, and those that events tell. They are in a
 * hash table, together with the beginning of each line of the report.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cgroups.h"
#include "names.h"
#include "util/line.h"
#include "util/text.h"
#include "util/util.h"

#define FIRST_PLACES	1024

/**
 * tring_names_free - free a table of names
 * @names: the names
 */
void tring_names_free(struct tring_names *names)
{
	free(names->places);
	free(names->other);
	tring_cgroups_free(names->cgroups);
}

/* Return: the task's place, or the free place for it. */
static struct tring_name *find_place(const struct tring_names *names,
				     int32_t pid)
{
	size_t at = (uint32_t)pid * 0x9e3779b9u >> 7;

	for (;; at++) {
		struct tring_name *place = &names->places[at & (names->size - 1)];

		if (place->pid == pid || !place->used)
			return place;
	}
}

static void grow(struct tring_names *names)
{
	struct tring_name *old = names->places;
	size_t size = names->size, i;

	names->size = 2 * size;
	names->places = tring_allocate(names->size * sizeof(*names->places));
	for (i = 0; i < size; i++)
		if (old[i].used)
			*find_place(names, old[i].pid) = old[i];
	free(old);
}

/*
 * Writes "%16s-%-7d ". Without printf, because each fork() and exec() needs a new head. There
 * is no head for a name that has to be escaped, or is longer.
 */
static void set_head(struct tring_name *place)
{
	char *number = place->head + TRING_COMM_MAX + 1, *end;

	place->head_size = 0;
	if (place->comm_size > TRING_COMM_MAX ||
	    !tring_is_printable(place->comm, place->comm_size))
		return;
	memset(place->head, ' ', sizeof(place->head));
	memcpy(place->head + TRING_COMM_MAX - place->comm_size, place->comm,
	       place->comm_size);
	number[-1] = '-';
	end = tring_put_decimal(number, place->pid);
	if (end < number + 7)
		end = number + 7;
	place->head_size = end + 1 - place->head;
}

static void set_name(struct tring_names *names, struct tring_name *place,
		     int32_t pid, const char *comm, size_t size)
{
	if (!place->used && 2 * ++names->count > names->size) {
		grow(names);
		place = find_place(names, pid);
	}
	place->pid = pid;
	place->used = true;
	place->comm_size = size;
	memcpy(place->comm, comm, size);
	place->comm[size] = 0;
	set_head(place);
}

/**
 * tring_names_init - initialize a table of names, which has the idle tasks' only
 * @names: filled in; free it with tring_names_free()
 */
void tring_names_init(struct tring_names *names)
{
	memset(names, 0, sizeof(*names));
	names->size = FIRST_PLACES;
	names->places = tring_allocate(names->size * sizeof(*names->places));
	set_name(names, find_place(names, 0), 0, "<idle>", strlen("<idle>"));
}

/**
 * tring_names_learn - set a task's name
 * @names: the names
 * @pid: the task's pid; 0 (idle tasks) and negative pids are ignored
 * @comm: the task's name, TRING_NAME_MAX characters at most; may be empty
 * @size: characters of @comm
 */
void tring_names_learn(struct tring_names *names, int32_t pid,
		       const char *comm, size_t size)
{
	struct tring_name *place;

	if (pid <= 0)
		return;
	place = find_place(names, pid);
	if (place->used && place->comm_size == size &&
	    !memcmp(place->comm, comm, size))
		return;
	set_name(names, place, pid, comm, size);
}

/**
 * tring_names_add - set the name of a task that has none yet
 * @names: the names
 * @pid: the task's pid; 0 (idle tasks) and negative pids are ignored
 * @comm: the task's name, which is cut after TRING_NAME_MAX characters; may be empty
 */
void tring_names_add(struct tring_names *names, int32_t pid, const char *comm)
{
	if (pid > 0 && !find_place(names, pid)->used)
		tring_names_learn(names, pid, comm, strnlen(comm, TRING_NAME_MAX));
}

/**
 * tring_names_text - get all names
 * @names: the names
 *
 * Return: lines of pid and name, as of saved_cmdlines, to free(); NULL without memory.
 */
char *tring_names_text(const struct tring_names *names)
{
	char *text = NULL, *newline;
	size_t size, i;
	FILE *file = open_memstream(&text, &size);

	for (i = 0; file && i < names->size; i++) {
		char comm[TRING_NAME_MAX + 1];

		if (!names->places[i].used || !names->places[i].pid)
			continue;
		/* it would begin a line of its own */
		strcpy(comm, names->places[i].comm);
		while ((newline = strchr(comm, '\n')))
			*newline = '?';
		fprintf(file, "%d %s\n", names->places[i].pid, comm);
	}
	if (file && fclose(file)) {
		free(text);
		text = NULL;
	}
	return text;
}

/**
 * tring_names_head - beginning of a task's lines
 * @names: the names
 * @pid: the task's pid
 * @size: set to the number of characters
 *
 * Return: "name-pid ", aligned; valid until the next call. TRING_NAME_HEAD
 * bytes of it are readable.
 */
const char *tring_names_head(struct tring_names *names, int32_t pid,
			     size_t *size)
{
	struct tring_name *place = find_place(names, pid);
	char *head, *escaped;

	if (place->used && place->head_size) {
		*size = place->head_size;
		return place->head;
	}
	escaped = tring_text_escaped(tring_names_comm(names, pid));
	free(names->other);
	head = tring_format("%16s-%-7d ", escaped, pid);
	*size = strlen(head);
	names->other = tring_format("%s%*s", head, TRING_NAME_HEAD, "");
	free(head);
	free(escaped);
	return names->other;
}

/**
 * tring_names_comm - name of a task, as in tring_names_head()
 * @names: the names
 * @pid: the task's pid
 *
 * Return: the name, valid until the next call.
 */
const char *tring_names_comm(const struct tring_names *names, int32_t pid)
{
	const struct tring_name *place = find_place(names, pid);

	return place->used ? place->comm : "<...>";
}
