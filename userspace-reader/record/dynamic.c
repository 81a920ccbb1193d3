// SPDX-License-Identifier: GPL-2.0
/*
 * Dynamic events that exist for a recording only: defined in ftrace's kprobe_events and
 * uprobe_events before it, and removed after it. The kernel checks the definition; this
 * file only needs the event's name.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs/tracefs.h>

#include "dynamic.h"
#include "elf_symbol.h"
#include "util/util.h"

/*
 * Find the name in a definition: p:GROUP/NAME PLACE ..., or r or rN for a return. The group
 * may be missing. Return: "GROUP/NAME" to free(), or NULL.
 */
static char *find_event(const char *kind, const char *definition)
{
	const char *at = definition, *group, *name;
	size_t length;

	if (*at != 'p' && *at != 'r')
		return NULL;
	for (at++; isdigit((unsigned char)*at); at++)
		;
	if (*at++ != ':')
		return NULL;
	length = strcspn(at, " \t\n");
	group = at;
	name = memchr(at, '/', length);
	if (!length || at[length] == 0 || name == at || (name && name + 1 == at + length))
		return NULL;
	if (name)
		return tring_format("%.*s", (int)length, group);
	return tring_format("%ss/%.*s", kind, (int)length, at);
}

/* Takes over @definition and @event. */
static void add(struct tring_dynamics *dynamics, const char *kind, char *definition, char *event)
{
	dynamics->list = tring_one_more(dynamics->list, dynamics->count, sizeof(*dynamics->list));
	dynamics->list[dynamics->count++] = (struct tring_dynamic) {
		.kind = kind, .definition = definition, .event = event,
	};
}

/*
 * Makes a place in a file of a function: FILE:SYMBOL[+OFFSET] becomes FILE:0xPLACE. Return: the
 * definition to free(); NULL if there is no such function, reported on stderr.
 */
static char *resolve(const char *definition)
{
	const char *file = definition + strcspn(definition, " \t");
	size_t before, size;
	const char *colon, *rest;
	uint64_t offset = 0, place;
	char *path, *name, *plus, *end, *text = NULL;

	file += strspn(file, " \t");
	before = file - definition;
	size = strcspn(file, " \t");
	rest = file + size;
	colon = memrchr(file, ':', size);
	/* a number is a place in the file already; what is no path is the kernel's to refuse */
	if (*file != '/' || !colon || isdigit((unsigned char)colon[1]))
		return tring_format("%s", definition);
	path = tring_format("%.*s", (int)(colon - file), file);
	name = tring_format("%.*s", (int)(rest - colon - 1), colon + 1);
	plus = strchr(name, '+');
	if (plus) {
		*plus = 0;
		offset = strtoull(plus + 1, &end, 0);
	}
	if (plus && (!isdigit((unsigned char)plus[1]) || *end))
		tring_error("--uprobe %s: \"%s\" is no offset", definition, plus + 1);
	else if (!tring_elf_function(path, name, offset, &place))
		text = tring_format("%.*s%s:0x%" PRIx64 "%s", (int)before, definition, path, place,
				    rest);
	free(path);
	free(name);
	return text;
}

/* FILE:SYMBOL alone is an event of the symbol's name. */
static char *name_place(const char *place)
{
	const char *symbol = strrchr(place, ':');
	char *text = tring_format("p:%s %s", symbol ? symbol + 1 : "", place), *at;

	for (at = text + 2; *at != ' '; at++)
		if (!isalnum((unsigned char)*at))
			*at = '_';
	return text;
}

/**
 * tring_dynamics_add - add a definition of the user
 * @dynamics: the dynamic events of a recording
 * @kind: "kprobe" or "uprobe"
 * @definition: as for ftrace's file, with a name; of a uprobe the place may be a function, and
 *	FILE:FUNCTION all
 *
 * Return: false if it has no name, or if there is no such function, reported on stderr.
 */
bool tring_dynamics_add(struct tring_dynamics *dynamics, const char *kind,
			const char *definition)
{
	const bool is_place = *kind == 'u' && *definition == '/';
	char *text = is_place ? name_place(definition) : tring_format("%s", definition);
	char *event = find_event(kind, text), *place = NULL;

	if (!event)
		tring_error("--%s %s: not p:NAME PLACE [FIELD]... or r:NAME PLACE [FIELD]...",
			    kind, definition);
	else
		place = *kind == 'u' ? resolve(text) : tring_format("%s", text);
	free(text);
	if (!place) {
		free(event);
		return false;
	}
	add(dynamics, kind, tring_format("%s\n", place), event);
	free(place);
	return true;
}

/**
 * tring_dynamics_add_left - add an event that a killed recorder has left
 * @dynamics: what it has left
 * @value: "KIND GROUP/NAME"
 *
 * Return: false if the value is not understood.
 */
bool tring_dynamics_add_left(struct tring_dynamics *dynamics, const char *value)
{
	const char *event = strchr(value, ' ');

	if (!event || !strchr(event, '/') || strstr(event, ".."))
		return false;
	if (strncmp(value, "kprobe ", 7) && strncmp(value, "uprobe ", 7))
		return false;
	add(dynamics, *value == 'k' ? "kprobe" : "uprobe", NULL, tring_format("%s", event + 1));
	dynamics->defined = dynamics->count;
	return true;
}

/* Return: 0 or a negative errno, without a message. */
static int write_line(const char *kind, const char *line)
{
	char *file = tring_format("%s_events", kind);
	int error = tracefs_instance_file_append(NULL, file, line) < 0 ? -errno : 0;

	free(file);
	return error;
}

static bool exists(const struct tring_dynamic *dynamic)
{
	char *file = tring_format("events/%s", dynamic->event);
	bool found = tracefs_dir_exists(NULL, file);

	free(file);
	return found;
}

/* ftrace's error_log says what is wrong where; its last entry is this one. */
static void report_refusal(const struct tring_dynamic *dynamic, int error)
{
	char *last = tracefs_error_last(NULL);

	tring_error("--%s %.*s: the kernel refuses it: %s", dynamic->kind,
		    (int)strcspn(dynamic->definition, "\n"), dynamic->definition,
		    strerror(-error));
	if (last && strstr(last, dynamic->kind))
		/* without its last newline */
		tring_error("it says:\n%.*s", (int)strlen(last) - 1, last);
	free(last);
}

/**
 * tring_dynamics_check - check that no event has the name of one that is to be defined
 * @dynamics: the events, none of which is defined
 *
 * The kernel would add a second place to the event, which could not be removed by itself.
 *
 * Return: 0, or -EEXIST, reported on stderr.
 */
int tring_dynamics_check(const struct tring_dynamics *dynamics)
{
	size_t i, other;

	for (i = 0; i < dynamics->count; i++) {
		const struct tring_dynamic *dynamic = &dynamics->list[i];
		bool taken = exists(dynamic);

		for (other = 0; other < i; other++)
			taken |= !strcmp(dynamics->list[other].event, dynamic->event);
		if (taken) {
			tring_error("--%s: there is an event %s already", dynamic->kind,
				    dynamic->event);
			return -EEXIST;
		}
	}
	return 0;
}

/**
 * tring_dynamics_define - define the dynamic events of a recording
 * @dynamics: the events
 *
 * Return: 0 or a negative errno, reported on stderr. After an error those that are defined
 * stay until tring_dynamics_remove().
 */
int tring_dynamics_define(struct tring_dynamics *dynamics)
{
	int error = 0;

	while (!error && dynamics->defined < dynamics->count) {
		const struct tring_dynamic *next = &dynamics->list[dynamics->defined];

		error = write_line(next->kind, next->definition);
		if (error)
			report_refusal(next, error);
		else
			dynamics->defined++;
	}
	return error;
}

/**
 * tring_dynamics_remove - remove the dynamic events that are defined
 * @dynamics: the events, none of which is recorded any more
 *
 * One that is gone already is no error.
 *
 * Return: 0, or the first negative errno, reported on stderr; all are tried.
 */
int tring_dynamics_remove(struct tring_dynamics *dynamics)
{
	int error = 0, failed;

	for (; dynamics->defined; dynamics->defined--) {
		const struct tring_dynamic *dynamic = &dynamics->list[dynamics->defined - 1];
		char *line = tring_format("-:%s\n", dynamic->event);

		failed = exists(dynamic) ? write_line(dynamic->kind, line) : 0;
		free(line);
		if (failed)
			tring_error("cannot remove the event %s: %s", dynamic->event,
				    strerror(-failed));
		if (!error)
			error = failed;
	}
	return error;
}

/**
 * tring_dynamics_patterns - name the dynamic events as set_event does
 * @dynamics: the events
 * @events: patterns that precede them, one a line; NULL for none
 *
 * Return: patterns, one a line, to free(); NULL if there are none.
 */
char *tring_dynamics_patterns(const struct tring_dynamics *dynamics, const char *events)
{
	char *patterns = events ? tring_format("%s", events) : NULL;
	size_t i;

	for (i = 0; i < dynamics->count; i++) {
		tring_extend(&patterns, "%s%s", patterns ? "\n" : "", dynamics->list[i].event);
		*strrchr(patterns, '/') = ':';
	}
	return patterns;
}

/**
 * tring_dynamics_free - free the list
 * @dynamics: the events, none of which is defined
 */
void tring_dynamics_free(struct tring_dynamics *dynamics)
{
	while (dynamics->count) {
		struct tring_dynamic *last = &dynamics->list[--dynamics->count];

		free(last->definition);
		free(last->event);
	}
	free(dynamics->list);
	dynamics->list = NULL;
}
