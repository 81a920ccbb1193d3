/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads what is in a ring now, without a recording. */
#ifndef TRING_PEEK_H
#define TRING_PEEK_H

#include "trace.h"
#include "tracefs/control.h"

/**
 * struct tring_peek_wanted - what is read of a ring
 * @snapshot: the snapshot, which is consumed, instead of the ring's content
 * @cpus: numbers of the CPUs to read
 * @cpu_count: number of @cpus; 0 for all CPUs
 */
struct tring_peek_wanted {
	bool		snapshot;
	int		*cpus;
	size_t		cpu_count;
};

int tring_peek(struct tring_trace *trace, const char *instance,
	       const struct tring_peek_wanted *wanted);

#endif /* TRING_PEEK_H */
