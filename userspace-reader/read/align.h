/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Several traces on one time line. */
#ifndef TRING_ALIGN_H
#define TRING_ALIGN_H

#include "trace.h"

int tring_align(struct tring_trace **traces, size_t count, const char *filter);

#endif /* TRING_ALIGN_H */
