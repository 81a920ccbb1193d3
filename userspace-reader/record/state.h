/* SPDX-License-Identifier: GPL-2.0 */
/* A file that says what a recorder changes, for the case that it is killed. */
#ifndef TRING_STATE_H
#define TRING_STATE_H

#include <stdbool.h>

#include "dynamic.h"
#include "settings.h"

/**
 * struct tring_state - the file of a recorder
 * @path: the file; NULL if there is no place for it
 * @head: first lines of the file: the ring and the recorder
 */
struct tring_state {
	char		*path;
	char		*head;
};

/**
 * struct tring_leftover - what a killed recorder has left
 * @settings: its changes
 * @dynamics: the dynamic events that it may have defined
 * @process: the recorder's pid and command
 * @made: the recorder has created the instance
 * @started: uuid of the trace if it was tring start, which has ended; else NULL
 * @counters: the counters that it has noted, a CPU a line; NULL for none
 */
struct tring_leftover {
	struct tring_settings settings;
	struct tring_dynamics dynamics;
	char		*process;
	bool		made;
	char		*started;
	char		*counters;
};

void tring_state_begin(struct tring_state *state, const struct tring_control *control,
		       const struct tring_dynamics *dynamics);
void tring_state_write(const struct tring_state *state,
		       const struct tring_settings *settings);
void tring_state_add(struct tring_state *state, const char *lines);
void tring_state_end(struct tring_state *state, bool restored);
int tring_leftover_read(struct tring_leftover *leftover, const char *path,
			const struct tring_control *control);
void tring_leftover_free(struct tring_leftover *leftover);

#endif /* TRING_STATE_H */
