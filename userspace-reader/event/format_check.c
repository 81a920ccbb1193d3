// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Check of a format file up to its print format: exactly the lines that a kernel
 * writes. libtraceevent accepts more, and some of what it accepts makes it read
 * and write outside of its memory.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "format_check.h"
#include "util/util.h"

/* Limit for the words of a field's type, with its name. */
#define WORDS_MAX		16
/* Offsets, sizes and ids with more digits are checked by no caller. */
#define DIGITS_MAX		9

#define PRINT			"print fmt: "

static bool take(const char **at, const char *text)
{
	size_t size = strlen(text);

	if (strncmp(*at, text, size))
		return false;
	*at += size;
	return true;
}

static bool take_number(const char **at, long *number)
{
	size_t digits = strspn(*at, "0123456789");

	if (!digits || digits > DIGITS_MAX)
		return false;
	*number = strtol(*at, NULL, 10);
	*at += digits;
	return true;
}

static bool take_word(const char **at)
{
	const char *start = *at;

	while (isalnum((unsigned char)**at) || **at == '_')
		(*at)++;
	return *at > start;
}

/* The length of an array: a number or an expression of constants. */
static bool take_brackets(const char **at)
{
	if (!take(at, "["))
		return true;
	while (isalnum((unsigned char)**at) || (**at && strchr("_ +-*/()|&^<>=!~?:%,", **at)))
		(*at)++;
	return take(at, "]");
}

/* "type name", "type name[8]" or "type[] name": two words at least */
static bool take_declaration(const char **at)
{
	unsigned int words = 0;

	for (;;) {
		while (take(at, " ") || take(at, "*"))
			;
		if (**at == ';')
			return words >= 2;
		if (!take_word(at) || ++words > WORDS_MAX ||
		    !take_brackets(at))
			return false;
	}
}

static bool take_field(const char **at)
{
	long number;

	return take(at, "\tfield:") && take_declaration(at) &&
	       take(at, ";\toffset:") && take_number(at, &number) &&
	       take(at, ";\tsize:") && take_number(at, &number) &&
	       take(at, ";\tsigned:") && take_number(at, &number) &&
	       take(at, ";\n");
}

/* Common fields, an empty line, the event's own fields, an empty line. */
static const char *take_fields(const char **at)
{
	unsigned int empty = 0;

	while (empty < 2) {
		if (take(at, "\n"))
			empty++;
		else if (!take_field(at))
			return "a field is damaged";
	}
	return NULL;
}

static bool take_name(const char **at, const char *name)
{
	return take(at, "name: ") && take(at, name) && take(at, "\n");
}

static bool take_id(const char **at)
{
	long number;

	return take(at, "ID: ") && take_number(at, &number) && take(at, "\n");
}

/**
 * tring_format_check - check a format file up to its print format
 * @text: content of the file, with a NUL behind it
 * @size: bytes of @text
 * @name: name of the event
 * @print: set to the print format, behind "print fmt: "
 *
 * Return: NULL, or what is wrong.
 */
const char *tring_format_check(const char *text, size_t size, const char *name,
			       const char **print)
{
	const char *at = text, *wrong;

	if (size > TRING_FORMAT_MAX)
		return "it is longer than any event's format";
	if (strlen(text) != size)
		return "it has a zero byte";
	if (!take_name(&at, name))
		return "it does not begin with the event's name";
	if (!take_id(&at))
		return "it has no id";
	if (!take(&at, "format:\n"))
		return "it has no line \"format:\"";
	wrong = take_fields(&at);
	if (wrong)
		return wrong;
	if (!take(&at, PRINT))
		return "it has no line \"print fmt:\"";
	*print = at;
	return NULL;
}
