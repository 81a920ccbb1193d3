/* SPDX-License-Identifier: GPL-2.0 */
/* Scheduling priority of the threads that read the rings. */
#ifndef TRING_PRIORITY_H
#define TRING_PRIORITY_H

#include <sched.h>

/**
 * struct tring_priority - scheduling priority of a thread
 * @policy: SCHED_OTHER or another
 * @param: real-time priority
 * @nice: nice value
 */
struct tring_priority {
	int		policy;
	struct sched_param param;
	int		nice;
};

int tring_priority_raise(struct tring_priority *before, int realtime);
void tring_priority_restore(const struct tring_priority *before);

#endif /* TRING_PRIORITY_H */
