// SPDX-License-Identifier: GPL-2.0
/*
 * Scheduling priority of the threads that read the rings.
 *
 * A thread that waits for its turn among the traced programs lets its ring overflow: eight
 * programs that write to a ring leave an equal thread a ninth of the CPU. So the threads
 * have the least nice value, which 64 writers to one ring need ("Bursts" in
 * docs/performance.md). The scheduler runs such a thread as soon as it wakes, and still
 * gives each program its share. A thread sleeps as soon as its ring is empty.
 *
 * New threads inherit the priority of the thread that creates them. So the main thread
 * raises its own, creates the threads, and has its old one again.
 */
#include <errno.h>
#include <sys/resource.h>

#include "thread.h"

#define LEAST_NICE	(-20)

/**
 * tring_priority_raise - let the calling thread go before others
 * @before: filled in with what the thread had
 * @realtime: priority of SCHED_FIFO, 1 to 99; 0 for the least nice value instead
 *
 * Return: 0 or a negative errno, without a message; then nothing has changed.
 */
int tring_priority_raise(struct tring_priority *before, int realtime)
{
	struct sched_param param = { .sched_priority = realtime };
	int failed;

	before->policy = sched_getscheduler(0);
	sched_getparam(0, &before->param);
	before->nice = getpriority(PRIO_PROCESS, 0);
	if (realtime)
		failed = sched_setscheduler(0, SCHED_FIFO, &param);
	else
		failed = setpriority(PRIO_PROCESS, 0, LEAST_NICE);
	return failed ? -errno : 0;
}

/**
 * tring_priority_restore - undo tring_priority_raise()
 * @before: what it has filled in; also after its error
 *
 * Cannot fail, because each thread may lower its priority.
 */
void tring_priority_restore(const struct tring_priority *before)
{
	sched_setscheduler(0, before->policy, &before->param);
	setpriority(PRIO_PROCESS, 0, before->nice);
}
