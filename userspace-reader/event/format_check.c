// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Check of a format file up to its print format: exactly the lines that a kernel
 * writes. libtraceevent accepts more, and some of what it accepts makes it read
 * and write outside of its memory.
 *
 * Of what is accepted here, libtraceevent reads all fields, with these names, or it stops at one
 * and does not read the print format.
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
	/* as libtraceevent reads it */
	*number = strtol(*at, NULL, 0);
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

/* "type name", "type name[8]" or "type[] name": two words at least; @name: set to the last one */
static bool take_declaration(const char **at, const char **name)
{
	unsigned int words = 0;

	for (;;) {
		while (take(at, " ") || take(at, "*"))
			;
		*name = *at;
		if (!take_word(at) || ++words > WORDS_MAX ||
		    !take_brackets(at))
			return false;
		if (**at == ';')
			return words >= 2;
	}
}

static bool take_field(const char **at, const char **name)
{
	long number;

	return take(at, "\tfield:") && take_declaration(at, name) &&
	       take(at, ";\toffset:") && take_number(at, &number) &&
	       take(at, ";\tsize:") && take_number(at, &number) &&
	       take(at, ";\tsigned:") && take_number(at, &number) &&
	       take(at, ";\n");
}

/* Common fields, an empty line, the event's own fields, an empty line. */
static const char *take_fields(const char **at, struct tring_format *format)
{
	unsigned int empty = 0;
	const char *name;

	while (empty < 2) {
		if (take(at, "\n")) {
			if (!empty++)
				format->common = format->count;
			continue;
		}
		if (!take_field(at, &name))
			return "a field is damaged";
		format->fields = tring_one_more(format->fields, format->count,
						sizeof(*format->fields));
		format->fields[format->count++] = name;
	}
	return NULL;
}

static bool take_name(const char **at, const char *name)
{
	return take(at, "name: ") && take(at, name) && take(at, "\n");
}

static bool take_id(const char **at, long *id)
{
	return take(at, "ID: ") && take_number(at, id) && take(at, "\n");
}

/**
 * tring_format_check - check a format file up to its print format
 * @text: content of the file, with a NUL behind it
 * @size: bytes of @text
 * @name: name of the event
 * @format: zeroed; filled in as far as the text is good. Its @fields are to be freed
 *
 * Return: NULL, or what is wrong.
 */
const char *tring_format_check(const char *text, size_t size, const char *name,
			       struct tring_format *format)
{
	const char *at = text, *wrong;

	if (size > TRING_FORMAT_MAX)
		return "it is longer than any event's format";
	if (strlen(text) != size)
		return "it has a zero byte";
	if (!take_name(&at, name))
		return "it does not begin with the event's name";
	if (!take_id(&at, &format->id))
		return "it has no id";
	if (!take(&at, "format:\n"))
		return "it has no line \"format:\"";
	wrong = take_fields(&at, format);
	if (wrong)
		return wrong;
	if (!take(&at, PRINT))
		return "it has no line \"print fmt:\"";
	format->print = at;
	return NULL;
}
