/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Takes the packets of a running ring into memory, for as long as they are needed. */
#ifndef TRING_LIVE_RING_H
#define TRING_LIVE_RING_H

#include "trace.h"

int tring_live_ring_open(struct tring_trace *trace, const char *instance);
void tring_live_ring_start(struct tring_cpu *cpu);
int tring_live_ring_take(struct tring_trace *trace);
bool tring_live_ring_is_marker(struct tring_trace *trace, const struct tring_record *record);
void tring_live_ring_close(struct tring_trace *trace);

#endif /* TRING_LIVE_RING_H */
