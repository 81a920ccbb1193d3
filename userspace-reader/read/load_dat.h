/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Loads a trace.dat in place of a trace of tring's. */
#ifndef TRING_LOAD_DAT_H
#define TRING_LOAD_DAT_H

#include "trace.h"

char *tring_dat_event_name(const char *text);
int tring_load_dat(struct tring_trace *trace, const char *path, struct tring_input *input);

#endif /* TRING_LOAD_DAT_H */
