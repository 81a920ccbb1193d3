/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fields of an event, from the text of its format file. See format_field.c.
 */
#ifndef _TRING_FORMAT_FIELD_H
#define _TRING_FORMAT_FIELD_H

#include <linux/types.h>

/**
 * enum tring_field_type - what a field is, and what a comparison of a filter looks at
 * @TRING_FIELD_NUMBER: a number, or anything else
 * @TRING_FIELD_ARRAY: an array of characters
 * @TRING_FIELD_DYNAMIC: the location of characters
 * @TRING_FIELD_RELATIVE: the same, counted from the end of the field
 * @TRING_FIELD_POINTER: the address of a string in the kernel's memory
 * @TRING_FIELD_USER_POINTER: in a program's; of comparisons only
 * @TRING_FIELD_CPUS: the location of a set of CPUs
 * @TRING_FIELD_CPU: no field, but the CPU that runs
 * @TRING_FIELD_COMM: no field, but the name of the task that runs
 * @TRING_FIELD_STACK: no field, but a stack; of fields only
 * @TRING_FIELD_NUMBER_IN: a number that may be one of several CPUs; of comparisons only
 * @TRING_FIELD_CPU_IN: the CPU that runs, in the same way
 */
enum tring_field_type {
	TRING_FIELD_NUMBER,
	TRING_FIELD_ARRAY,
	TRING_FIELD_DYNAMIC,
	TRING_FIELD_RELATIVE,
	TRING_FIELD_POINTER,
	TRING_FIELD_USER_POINTER,
	TRING_FIELD_COMM,
	TRING_FIELD_CPUS,
	TRING_FIELD_CPU,
	TRING_FIELD_STACK,
	TRING_FIELD_NUMBER_IN,
	TRING_FIELD_CPU_IN,
};

/**
 * struct tring_field - a field of an event
 * @type: what it is
 * @is_located: the record has its location, and it is somewhere else
 * @from: what that location counts from: 0, or the end of the field
 * @is_signed: it is a signed number
 * @offset: in the payload
 * @size: in bytes; 0 for what is no field, and for an array up to the end of the record
 */
struct tring_field {
	enum tring_field_type	type;
	bool			is_located;
	bool			is_signed;
	u32			from;
	u32			offset;
	u32			size;
};

/* format_field.c APIs: */
bool tring_field_parse(const char *line, struct tring_field *field, const char **name,
		       size_t *length);
bool tring_field_find(const char *format, const char *name, size_t length,
		      struct tring_field *field);
const char *tring_next_line(const char *text);

static inline bool tring_field_is_string(const struct tring_field *field)
{
	return field->type >= TRING_FIELD_ARRAY && field->type <= TRING_FIELD_COMM;
}

#endif /* _TRING_FORMAT_FIELD_H */
