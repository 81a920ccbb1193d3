// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The kernel's files that name functions and strings, given to libtraceevent line by line,
 * and the one that names tasks: libtraceevent's own parsers of these files end at the first bad line without a
 * word, or read behind the end of a line.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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

/* Takes a number in base 16. @after: what must stand behind it; is skipped */
static bool take_address(char **at, const char *after, unsigned long long *address)
{
	size_t digits = strspn(*at, "0123456789abcdef");

	if (!digits || digits > 16)
		return false;
	*address = strtoull(*at, NULL, 16);
	*at += digits;
	if (strncmp(*at, after, strlen(after)))
		return false;
	*at += strlen(after);
	return true;
}

/* "ADDRESS TYPE NAME" or "ADDRESS TYPE NAME\t[MODULE]" */
static bool give_symbol(void *to, char *line)
{
	struct tring_events *events = to;
	unsigned long long address;
	char *name, *module;
	char type;
	size_t size;

	if (!take_address(&line, " ", &address) || !isgraph((unsigned char)*line) ||
	    line[1] != ' ')
		return false;
	type = *line;
	name = line + 2;
	module = strchr(name, '\t');
	if (module) {
		*module++ = 0;
		size = strlen(module);
		if (size < 3 || *module != '[' || module[size - 1] != ']')
			return false;
		module[size - 1] = 0;
		module++;
	}
	if (!*name || strchr(name, ' '))
		return false;
	/* marks of arm64's code, and offsets of per-CPU variables */
	if (*name == '$' || type == 'A' || type == 'a')
		return true;
	return !tep_register_function(events->tep, name, address, module);
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
	size_t size;
	char *text;
	int error;

	if (strncmp(line, "0x", 2))
		return false;
	line += 2;
	if (!take_address(&line, " : \"", &address))
		return false;
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

/**
 * tring_give_symbols - give the kernel's functions to libtraceevent
 * @events: the events, with libtraceevent's handle
 * @text: content of kallsyms; overwritten
 * @path: path of the file, for messages
 *
 * Return: 0, or -EINVAL for a damaged file, reported on stderr; its good lines are
 * given.
 */
int tring_give_symbols(struct tring_events *events, char *text, const char *path)
{
	return give_lines(events, text, path, take_line, give_symbol);
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
