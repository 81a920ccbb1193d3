// SPDX-License-Identifier: GPL-2.0
/*
 * The fields of an event, from the text of its format file. The kernel's own list of fields is
 * private, and the one that probes are compared with (probe.c) lacks those of dynamic events and
 * of system calls.
 *
 * What a field is follows from its type, as in the kernel's filter_assign_type().
 */
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/string.h>

#include "format_field.h"

static const char data_loc[] = "__data_loc ", rel_loc[] = "__rel_loc ";

/* What every event has, and no format tells. */
static const struct {
	const char		*name;
	enum tring_field_type	type;
} generic_fields[] = {
	{ "CPU", TRING_FIELD_CPU },
	{ "cpu", TRING_FIELD_CPU },
	{ "common_cpu", TRING_FIELD_CPU },
	{ "COMM", TRING_FIELD_COMM },
	{ "comm", TRING_FIELD_COMM },
	{ "STACKTRACE", TRING_FIELD_STACK },
	{ "stacktrace", TRING_FIELD_STACK },
};

static bool begins_with(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

static bool has_word(const char *text, size_t length, const char *word)
{
	return strnstr(text, word, length);
}

/* @type has @length bytes, the brackets of an array behind the name not included. */
static enum tring_field_type type_of(const char *type, size_t length, bool has_brackets)
{
	bool has_chars = has_word(type, length, "char");

	if (has_word(type, length, "__data_loc")) {
		if (has_chars)
			return TRING_FIELD_DYNAMIC;
		if (has_word(type, length, "cpumask_t"))
			return TRING_FIELD_CPUS;
	}
	if (has_chars && has_word(type, length, "__rel_loc"))
		return TRING_FIELD_RELATIVE;
	if (has_chars && (has_brackets || memchr(type, '[', length)))
		return TRING_FIELD_ARRAY;
	if ((length == 6 && begins_with(type, "char *")) ||
	    (length == 12 && begins_with(type, "const char *")))
		return TRING_FIELD_POINTER;
	return TRING_FIELD_NUMBER;
}

/**
 * tring_next_line - find the next line of a text
 * @text: the text
 *
 * Return: what is behind the next newline; NULL if there is none.
 */
const char *tring_next_line(const char *text)
{
	const char *end = strchr(text, '\n');

	return end ? end + 1 : NULL;
}

/**
 * tring_field_parse - parse a line of a format file
 * @line: "<tab>field:TYPE NAME;<tab>offset:N;<tab>size:N;<tab>signed:N;", with spaces in TYPE, and
 *	for an array with its brackets behind NAME; or any other line, up to a newline or the end
 * @field: set to the field
 * @name: set to its name
 * @length: set to the length of that
 *
 * Return: false if the line is of no field.
 */
bool tring_field_parse(const char *line, struct tring_field *field, const char **name,
		       size_t *length)
{
	const char *type, *end, *numbers;
	int is_signed = 0;

	while (*line == '\t')
		line++;
	if (!begins_with(line, "field:"))
		return false;
	type = line + 6;
	numbers = strstr(line, ";\toffset:");
	if (!numbers || sscanf(numbers, ";\toffset:%u;\tsize:%u;\tsigned:%d;", &field->offset,
			       &field->size, &is_signed) < 2)
		return false;
	/* The brackets of __data_loc are a part of the type. */
	end = begins_with(type, data_loc) ? NULL : memchr(type, '[', numbers - type);
	end = end ?: numbers;
	for (*name = end; *name > type && (*name)[-1] != ' '; (*name)--)
		;
	*length = end - *name;
	field->type = type_of(type, *name > type ? *name - type - 1 : 0, end != numbers);
	field->is_signed = is_signed;
	field->is_located = begins_with(type, data_loc) || begins_with(type, rel_loc);
	field->from = begins_with(type, rel_loc) ? field->offset + field->size : 0;
	return true;
}

/**
 * tring_field_find - find a field by its name
 * @format: text of a format file
 * @name: the name
 * @length: its length
 * @field: set to the field
 *
 * Return: false if there is none. Each event has those of the table above, unless it has one of
 * that name itself.
 */
bool tring_field_find(const char *format, const char *name, size_t length,
		      struct tring_field *field)
{
	const char *line, *found;
	size_t found_length;
	unsigned int i;

	for (line = format; line; line = tring_next_line(line))
		if (tring_field_parse(line, field, &found, &found_length) &&
		    found_length == length && !memcmp(found, name, length) &&
		    field->offset <= U16_MAX)
			return true;
	for (i = 0; i < ARRAY_SIZE(generic_fields); i++) {
		if (strlen(generic_fields[i].name) != length ||
		    memcmp(generic_fields[i].name, name, length))
			continue;
		memset(field, 0, sizeof(*field));
		field->type = generic_fields[i].type;
		field->is_signed = field->type == TRING_FIELD_CPU;
		return true;
	}
	return false;
}
