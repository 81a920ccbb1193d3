/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks of format files before libtraceevent gets them. */
#ifndef TRING_FORMAT_CHECK_H
#define TRING_FORMAT_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/* Longest format file; the longest of Linux 6.1 has 8 KiB. */
#define TRING_FORMAT_MAX	65536

/**
 * struct tring_format - what was found in a format file
 * @id: the event's id
 * @fields: names of the fields, which end where no word goes on
 * @common: number of @fields that are common fields; they come first
 * @count: number of @fields
 * @print: the print format, behind "print fmt: "
 */
struct tring_format {
	long		id;
	const char	**fields;
	size_t		common;
	size_t		count;
	const char	*print;
};

const char *tring_format_check(const char *text, size_t size, const char *name,
			       struct tring_format *format);
bool tring_print_is_format(const char *text);
bool tring_print_check(const char *text, const struct tring_format *format);

#endif /* TRING_FORMAT_CHECK_H */
