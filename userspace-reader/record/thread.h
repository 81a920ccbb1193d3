/* SPDX-License-Identifier: GPL-2.0 */
/* Threads of the recorder, and their scheduling priority. */
#ifndef TRING_THREAD_H
#define TRING_THREAD_H

#include <pthread.h>
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

int tring_thread_start(pthread_t *thread, void *(*run)(void *), void *data);
void tring_thread_bind(int cpu);
void tring_thread_unbind(pthread_t thread);
int tring_priority_raise(struct tring_priority *before, int realtime);
void tring_priority_restore(const struct tring_priority *before);

#endif /* TRING_THREAD_H */
