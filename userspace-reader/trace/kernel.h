/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of tasks, functions and constants of the running kernel, for printing. */
#ifndef TRING_KERNEL_H
#define TRING_KERNEL_H

#include <stdbool.h>

#include "event/events.h"
#include "event/names.h"

/* File names relative to tracefs. */
#define TRING_KERNEL_HEADER_PAGE	"events/header_page"
#define TRING_KERNEL_PRINTK		"printk_formats"

#define TRING_KERNEL_SYMBOLS		"/proc/kallsyms"
#define TRING_KERNEL_MODULES		"/proc/modules"

void tring_kernel_names(struct tring_names *names, const char *tracing, char **tasks);
char *tring_kernel_cmdlines(const char *tracing, char **tasks);
char *tring_kernel_tasks(void);
bool tring_event_shows_symbol(const struct tring_event *event);
char *tring_kernel_gone(const char *before, const char *after);
bool tring_kernel_has_symbols(const struct tring_events *events,
			      const bool *ids);

#endif /* TRING_KERNEL_H */
