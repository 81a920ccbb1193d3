/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks of format files before libtraceevent gets them. */
#ifndef TRING_FORMAT_CHECK_H
#define TRING_FORMAT_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <traceevent/event-parse.h>

/* Longest format file; the longest of Linux 6.1 has 8 KiB. */
#define TRING_FORMAT_MAX	65536

const char *tring_format_check(const char *text, size_t size, const char *name,
			       const char **print);
bool tring_print_is_format(const char *text);
bool tring_print_check(const char *text, struct tep_event *event);

#endif /* TRING_FORMAT_CHECK_H */
