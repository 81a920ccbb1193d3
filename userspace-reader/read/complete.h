/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks whether a trace has all that was recorded. */
#ifndef TRING_COMPLETE_H
#define TRING_COMPLETE_H

#include "trace.h"

void tring_complete_open(struct tring_trace *trace, int cpu);
void tring_complete_add(struct tring_trace *trace, struct tring_cpu *cpu, size_t part);
void tring_complete_read_counters(struct tring_trace *trace, const struct tring_cpu *cpu,
				  struct tring_packet_file *file);
void tring_complete_restart(struct tring_cpu *cpu);
void tring_complete_check(struct tring_trace *trace, const char *dir);

#endif /* TRING_COMPLETE_H */
