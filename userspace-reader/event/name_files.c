// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The kernel's files that name functions and strings, given to libtraceevent line by line,
 * and the one that names tasks: libtraceevent's own parsers of these files end at the first bad
 * line without a word, or read behind the end of a line.
 */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cgroups.h"
#include "format_check.h"
#include "name_files.h"
#include "names.h"
#include "util/util.h"

typedef bool give_fn(void *to, char *line);

static char *take_line(char **rest)
{
	return strsep(rest, "\n");
}

static unsigned int count_newlines(const char *text)
{
	unsigned int count = 0;

	while ((text = strchr(text, '\n'))) {
		count++;
		text++;
	}
	return count;
}

/* Return: 0; -EINVAL if a line is bad, which is reported on stderr and left out. */
static int give_lines(void *to, char *text, const char *path,
		      char *(*take)(char **rest), give_fn *give)
{
	unsigned int number = 1, next, first = 0, bad = 0;
	char *rest = text, *line;

	while ((line = take(&rest))) {
		/* the empty text behind the last newline */
		if (!rest && !*line)
			break;
		next = number + 1 + count_newlines(line);
		if (!give(to, line) && !bad++)
			first = number;
		number = next;
	}
	if (!bad)
		return 0;
	tring_error("%s:%u: damaged; lines left out: %u", path, first, bad);
	return -EINVAL;
}

static bool give_symbol(void *to, char *line)
{
	return tring_symbols_add(to, line);
}

/* What libtraceevent must not take for a format is printed as it is, without its arguments. */
static char *quote(const char *line)
{
	char *text = tring_allocate(2 * strlen(line) + sizeof("\"\\n\"")), *to = text;

	*to++ = '"';
	for (; *line; line++) {
		if (*line == '%')
			*to++ = '%';
		*to++ = *line;
	}
	strcpy(to, "\\n\"");
	return text;
}

/* "0xADDRESS : "TEXT"" */
static bool give_string(void *to, char *line)
{
	struct tring_events *events = to;
	unsigned long long address;
	int begin = 0, error;
	size_t size;
	char *text;

	if (sscanf(line, "0x%llx : \"%n", &address, &begin) != 1 || !begin)
		return false;
	line += begin;
	size = strlen(line);
	if (!size || line[size - 1] != '"')
		return false;
	line[--size] = 0;
	if (size >= 2 && !strcmp(line + size - 2, "\\n"))
		line[size - 2] = 0;
	/*
	 * libtraceevent removes the quotes and a newline again. Without the newline it
	 * reads before the start of a text that is shorter.
	 */
	text = tring_print_is_format(line) ? tring_format("\"%s\\n\"", line) : quote(line);
	error = tep_register_print_string(events->tep, text, address);
	free(text);
	return !error;
}

static bool begins_with_pid(const char *line)
{
	size_t digits = strspn(line, "0123456789");

	return digits && line[digits] == ' ';
}

/*
 * Takes a line, and those behind it that go on with its task's name, which may contain
 * newlines. What would make the name too long is no part of it.
 */
static char *take_task(char **rest)
{
	char *line = take_line(rest);
	size_t length;

	if (!line || !begins_with_pid(line))
		return line;
	length = strlen(strchr(line, ' ') + 1);
	while (*rest && **rest && !begins_with_pid(*rest)) {
		length += 1 + strcspn(*rest, "\n");
		if (length >= TRING_COMM_MAX)
			break;
		(*rest)[-1] = '\n';
		take_line(rest);
	}
	return line;
}

/* "PID NAME" */
static bool give_task(void *to, char *line)
{
	size_t digits = strspn(line, "0123456789");
	uint64_t pid;

	if (!digits || line[digits] != ' ')
		return false;
	line[digits] = 0;
	if (!tring_parse_number(line, &pid) || pid > INT_MAX)
		return false;
	tring_names_add(to, pid, line + digits + 1);
	return true;
}

static char *resolve(void *symbols, unsigned long long *address, char **module)
{
	const struct tring_symbol *symbol = tring_symbols_find(symbols, *address);

	*address = symbol->address;
	*module = (char *)symbol->module;
	return (char *)symbol->name;
}

/*
 * libtraceevent finds functions by asking, but variables of print formats in its own list: a format
 * that wants the value of one gets its address there.
 */
static void give_variables(struct tring_events *events)
{
	static const char * const names[] = { "jiffies", "vmemmap_base" };
	size_t i, j;

	for (i = 0; i < events->symbols->count; i++) {
		const struct tring_symbol *symbol = &events->symbols->list[i];

		for (j = 0; j < sizeof(names) / sizeof(names[0]); j++)
			if (*symbol->name == *names[j] && !strcmp(symbol->name, names[j]))
				tep_register_function(events->tep, (char *)names[j],
						      symbol->address, NULL);
	}
}

/**
 * tring_give_symbols - add the kernel's functions, also for libtraceevent
 * @events: the events
 * @text: content of kallsyms; overwritten
 * @path: path of the file, for messages
 *
 * Return: 0, or -EINVAL for a damaged file, reported on stderr; its good lines are
 * given.
 */
int tring_give_symbols(struct tring_events *events, char *text, const char *path)
{
	int error;

	text = tring_format("%s", text);
	tring_symbols_take(events->symbols, text);
	error = give_lines(events->symbols, text, path, take_line, give_symbol);
	/* one of them shares its address with another symbol */
	give_variables(events);
	tring_symbols_sort(events->symbols);
	tep_set_function_resolver(events->tep, resolve, events->symbols);
	return error;
}

/**
 * tring_give_strings - give the kernel's constant strings to libtraceevent
 * @events: the events, with libtraceevent's handle
 * @text: content of printk_formats; overwritten
 * @path: path of the file, for messages
 *
 * Return: 0, or -EINVAL for a damaged file, reported on stderr; its good lines are
 * given.
 */
int tring_give_strings(struct tring_events *events, char *text, const char *path)
{
	return give_lines(events, text, path, take_line, give_string);
}

/**
 * tring_give_tasks - add the names of tasks
 * @names: the names, of which the first one of a task counts
 * @text: content of saved_cmdlines; overwritten
 * @path: path of the file, for messages
 *
 * Return: 0, or -EINVAL for a damaged file, reported on stderr; its good lines are
 * given.
 */
int tring_give_tasks(struct tring_names *names, char *text, const char *path)
{
	return give_lines(names, text, path, take_task, give_task);
}

static bool give_cgroup(void *to, char *line)
{
	return tring_cgroups_line(to, line);
}

/**
 * tring_give_cgroups - add the cgroups and command lines of tasks
 * @names: the names; files are given in the order of time
 * @text: content of a trace's file "tasks"; overwritten
 * @path: path of the file, for messages
 *
 * Return: 0, or -EINVAL for a damaged file, reported on stderr; its good lines are
 * given.
 */
int tring_give_cgroups(struct tring_names *names, char *text, const char *path)
{
	if (!names->cgroups)
		names->cgroups = tring_allocate(sizeof(*names->cgroups));
	return give_lines(names->cgroups, text, path, take_line, give_cgroup);
}
