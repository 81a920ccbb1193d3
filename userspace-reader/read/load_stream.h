/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A trace that comes through a pipe. */
#ifndef TRING_LOAD_STREAM_H
#define TRING_LOAD_STREAM_H

#include "trace.h"

int tring_load_stream(struct tring_trace *trace, int fd);

#endif /* TRING_LOAD_STREAM_H */
