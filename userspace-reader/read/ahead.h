/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Losses that are known before the events behind them are read. */
#ifndef TRING_AHEAD_H
#define TRING_AHEAD_H

#include "trace.h"

/**
 * struct tring_scout - reads a CPU's packets ahead, up to the next loss
 * @cpu: the CPU, with a stream of its own
 * @errors: pieces of bad input before the last record
 * @last: timestamp of the last record
 * @from: timestamp of the last record before the next loss, 0 without one; UINT64_MAX if
 *	nothing more is lost
 * @ended: all packets were read
 * @begun: a record was read
 * @told: it was told that the next loss begins
 */
struct tring_scout {
	struct tring_cpu cpu;
	uint64_t	errors;
	uint64_t	last;
	uint64_t	from;
	bool		ended;
	bool		begun;
	bool		told;
};

void tring_ahead_begin(struct tring_trace *trace);
bool tring_ahead_tell(struct tring_trace *trace, uint64_t before, struct tring_item *item);
bool tring_ahead_tell_cpu(struct tring_trace *trace, size_t at, struct tring_item *item);
uint64_t tring_ahead_end_loss(struct tring_trace *trace, size_t at);
void tring_ahead_resume(struct tring_trace *trace);
void tring_ahead_free(struct tring_trace *trace);

#endif /* TRING_AHEAD_H */
