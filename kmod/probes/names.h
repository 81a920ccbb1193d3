/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of the kernel's events. See names.c.
 */
#ifndef _TRING_NAMES_H
#define _TRING_NAMES_H

#include <linux/types.h>

struct tring_event_set;

/* names.c APIs: */
char *tring_names_read(struct tring_event_set *set, const char *pattern);
bool tring_names_next(char **rest, char **system, char **name);
bool tring_names_match(const char *event_system, const char *event_name, const char *system,
		       const char *name);

#endif /* _TRING_NAMES_H */
