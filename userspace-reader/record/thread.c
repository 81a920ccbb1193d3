// SPDX-License-Identifier: GPL-2.0
/* Threads of the recorder: their memory and the CPUs that they run on. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "thread.h"
#include "util/util.h"

/* They keep their buffers elsewhere. */
#define STACK_SIZE	(256 * 1024)

/**
 * tring_thread_start - create a thread with the caller's signal mask and CPUs
 * @thread: filled in
 * @run: what the thread executes
 * @data: argument of @run
 *
 * Return: 0 or a negative errno, without a message.
 */
int tring_thread_start(pthread_t *thread, void *(*run)(void *), void *data)
{
	pthread_attr_t attributes;
	int error = pthread_attr_init(&attributes);

	if (!error)
		error = pthread_attr_setstacksize(&attributes, STACK_SIZE);
	if (!error)
		error = pthread_create(thread, &attributes, run, data);
	pthread_attr_destroy(&attributes);
	return -error;
}

/* Such a CPU has no tick while it runs a single task; a thread that wakes there disturbs it. */
static void remove_nohz_full(cpu_set_t *set)
{
	char *text = tring_read_text("/sys/devices/system/cpu/nohz_full", NULL);
	char *rest = text, *range;
	unsigned int first, last;
	int count;

	/* none are "(null)" */
	while ((range = strsep(&rest, ",\n"))) {
		count = sscanf(range, "%u-%u", &first, &last);
		if (count == 1)
			last = first;
		for (; count > 0 && first <= last && first < CPU_SETSIZE; first++)
			CPU_CLR(first, set);
	}
	free(text);
}

/**
 * tring_thread_bind - let the calling thread run on one CPU only
 * @cpu: number of the CPU
 *
 * Does nothing if the CPU is offline, or if the user or the administrator has kept the
 * program away from it, for example by taskset or isolcpus. Of a CPU of nohz_full= it lets the
 * thread run on those that are not, if there are any.
 */
void tring_thread_bind(int cpu)
{
	cpu_set_t set;

	if (pthread_getaffinity_np(pthread_self(), sizeof(set), &set) || !CPU_ISSET(cpu, &set))
		return;
	remove_nohz_full(&set);
	if (CPU_ISSET(cpu, &set)) {
		CPU_ZERO(&set);
		CPU_SET(cpu, &set);
	}
	/* fails without a CPU, or if the CPU goes offline: then the thread runs anywhere */
	pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

/**
 * tring_thread_unbind - let a thread run where the caller may
 * @thread: the thread, which was started and not joined
 */
void tring_thread_unbind(pthread_t thread)
{
	cpu_set_t set;

	if (!pthread_getaffinity_np(pthread_self(), sizeof(set), &set))
		pthread_setaffinity_np(thread, sizeof(set), &set);
}
