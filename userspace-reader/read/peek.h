/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads what is in a ring now, without a recording. */
#ifndef TRING_PEEK_H
#define TRING_PEEK_H

#include "trace.h"

int tring_peek(struct tring_trace *trace, const char *instance);

#endif /* TRING_PEEK_H */
