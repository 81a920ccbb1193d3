/* SPDX-License-Identifier: GPL-2.0 */
/* A file that says what a recorder changes, for the case that it is killed. */
#ifndef TRING_STATE_H
#define TRING_STATE_H

#include <stdbool.h>

#include "dynamic.h"
#include "settings.h"
#include "tracefs/stats.h"

/**
 * struct tring_state - the file of a recorder
 * @path: the file; NULL if there is no place for it
 * @head: first lines of the file: the ring and the recorder
 * @tail: last lines: what tring start leaves behind; NULL for none
 */
struct tring_state {
	char		*path;
	char		*head;
	char		*tail;
};

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
 * struct tring_leftover - what tring start, or a recorder that was killed, has left
 * @path: the file
 * @settings: its changes
 * @dynamics: the dynamic events that it may have defined
 * @process: the recorder's pid and command
 * @made: the recorder has created the instance
 * @started: uuid of the trace if it was tring start, which has ended; else NULL
 * @cpus: where the next saved trace begins
 * @count: number of @cpus
 */
struct tring_leftover {
	char		*path;
	struct tring_settings settings;
	struct tring_dynamics dynamics;
	char		*process;
	bool		made;
	char		*started;
	struct tring_started_cpu *cpus;
	size_t		count;
};

void tring_state_begin(struct tring_state *state, const struct tring_control *control,
		       const struct tring_dynamics *dynamics);
void tring_state_line(char *text, const char *file);
int tring_state_write(const struct tring_state *state, const struct tring_settings *settings);
void tring_state_end(struct tring_state *state, bool restored);
int tring_leftover_find(struct tring_leftover *leftover, const struct tring_control *control);
void tring_leftover_free(struct tring_leftover *leftover);

/* state_place.c */
char *tring_place_make(const struct tring_control *control);
char *tring_place_find(const struct tring_control *control, size_t *number);

/* started.c: what tring start leaves behind for the commands that come after it */
int tring_started_count(char **lines, const struct tring_control *control);
bool tring_started_parse(struct tring_leftover *leftover, char *line);
struct tring_started_cpu *tring_started_cpu(const struct tring_leftover *started, int cpu);
int tring_started_update(const struct tring_leftover *started);

/* What tring_recover() returns if a recorder was killed. */
#define TRING_PUT_BACK		1	/* all is as before */
#define TRING_PUT_BACK_PARTLY	2	/* the kernel has refused some */

int tring_recover(struct tring_control *control, bool started);

#endif /* TRING_STATE_H */
