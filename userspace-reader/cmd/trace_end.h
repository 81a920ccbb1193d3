/* SPDX-License-Identifier: GPL-2.0 */
/* The end of a command that has loaded a trace by itself. */
#ifndef TRING_TRACE_END_H
#define TRING_TRACE_END_H

#include "read/trace.h"

int tring_trace_end(struct tring_trace *trace, bool failed);

#endif /* TRING_TRACE_END_H */
