/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernel's files that name functions, strings and tasks. */
#ifndef TRING_NAME_FILES_H
#define TRING_NAME_FILES_H

#include "events.h"
#include "names.h"

int tring_give_symbols(struct tring_events *events, char *text, const char *path);
int tring_give_strings(struct tring_events *events, char *text, const char *path);
int tring_give_tasks(struct tring_names *names, char *text, const char *path);
int tring_give_cgroups(struct tring_names *names, char *text, const char *path);

#endif /* TRING_NAME_FILES_H */
