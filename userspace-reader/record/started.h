/* SPDX-License-Identifier: GPL-2.0 */
/* What tring start leaves behind for the commands that come after it. */
#ifndef TRING_STARTED_H
#define TRING_STARTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracefs/control.h"
#include "settings.h"
#include "state.h"
#include "trace/stats.h"

/**
 * struct tring_started_cpu - where the next saved trace of a CPU begins
 * @cpu: number of the CPU
 * @told: lost events of the ring's trace that the saved traces before have told
 * @stats: the ring's counters there
 */
struct tring_started_cpu {
	int		cpu;
	uint64_t	told;
	struct tring_stats stats;
};

/**
 * struct tring_started - what tring start has left behind
 * @path: the state file; NULL if the ring was not started
 * @process: pid and command of tring start
 * @uuid: the trace that it has begun, as text
 * @cpus: the CPUs
 * @count: number of @cpus
 */
struct tring_started {
	char		*path;
	char		*process;
	char		*uuid;
	struct tring_started_cpu *cpus;
	size_t		count;
};

int tring_started_count(struct tring_started *started, const struct tring_control *control);
void tring_started_note(const struct tring_started *started, struct tring_state *state,
			const struct tring_settings *settings);
int tring_started_read(struct tring_started *started, const struct tring_control *control);
struct tring_started_cpu *tring_started_cpu(const struct tring_started *started, int cpu);
int tring_started_update(const struct tring_started *started);
int tring_started_refuse(const struct tring_control *control);
void tring_started_free(struct tring_started *started);

#endif /* TRING_STARTED_H */
