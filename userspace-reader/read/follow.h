/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads a trace while it is recorded. */
#ifndef TRING_FOLLOW_H
#define TRING_FOLLOW_H

#include "trace.h"

void tring_follow_tell(struct tring_trace *trace);
void tring_follow_free(struct tring_trace *trace);

#endif /* TRING_FOLLOW_H */
