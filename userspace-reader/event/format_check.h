/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks of format files before libtraceevent gets them. */
#ifndef TRING_FORMAT_CHECK_H
#define TRING_FORMAT_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <traceevent/event-parse.h>

/* Longest format file; the longest of Linux 6.1 has 8 KiB. */
#define TRING_FORMAT_MAX	65536

/**
 * enum tring_print_verdict - result of checking a print format
 * @TRING_PRINT_GOOD: libtraceevent can parse it
 * @TRING_PRINT_UNKNOWN: it has what libtraceevent does not know
 * @TRING_PRINT_DAMAGED: no kernel writes such a print format
 */
enum tring_print_verdict {
	TRING_PRINT_GOOD,
	TRING_PRINT_UNKNOWN,
	TRING_PRINT_DAMAGED,
};

const char *tring_format_check(const char *text, size_t size, const char *name,
			       const char **print);
bool tring_print_is_format(const char *text);
enum tring_print_verdict tring_print_check(const char *text,
					   struct tep_event *event);

#endif /* TRING_FORMAT_CHECK_H */
