/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's files that name functions, strings and tasks, given to libtraceevent. */
#ifndef TRING_NAME_FILES_H
#define TRING_NAME_FILES_H

#include <traceevent/event-parse.h>

int tring_give_symbols(struct tep_handle *tep, char *text, const char *path);
int tring_give_strings(struct tep_handle *tep, char *text, const char *path);
int tring_give_tasks(struct tep_handle *tep, char *text, const char *path);

#endif /* TRING_NAME_FILES_H */
