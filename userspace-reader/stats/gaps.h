/* SPDX-License-Identifier: GPL-2.0 */
/* Losses that are known before the events behind them are read. */
#ifndef TRING_GAPS_H
#define TRING_GAPS_H

#include "read/trace.h"

/**
 * struct tring_scout - reads a CPU's packets ahead, up to the next loss
 * @cpu: the CPU, with a stream of its own
 * @errors: pieces of bad input before the last record
 * @last: timestamp of the last record
 * @from: timestamp of the last record before the next loss, 0 without one; UINT64_MAX if
 *	nothing more is lost
 * @ended: all packets were read
 */
struct tring_scout {
	struct tring_cpu cpu;
	uint64_t	errors;
	uint64_t	last;
	uint64_t	from;
	bool		ended;
};

void tring_scout_init(struct tring_scout *scout, const struct tring_cpu *cpu);
void tring_scout_next(struct tring_scout *scout);
void tring_scout_resume(struct tring_scout *scout);
void tring_scout_free(struct tring_scout *scout);

#endif /* TRING_GAPS_H */
