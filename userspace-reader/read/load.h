/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Loads a recorded trace, for the commands that read all its events. */
#ifndef TRING_LOAD_H
#define TRING_LOAD_H

#include "trace.h"

int tring_load_formats(struct tring_trace *trace, const char *dir);
int tring_load_trace(struct tring_trace *trace, const char *dir);
void tring_load_more(struct tring_trace *trace);
void tring_load_symbols(struct tring_trace *trace);
void tring_load_tasks(struct tring_trace *trace);
void tring_load_live_symbols(struct tring_trace *trace);

#endif /* TRING_LOAD_H */
