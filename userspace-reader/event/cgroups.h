/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The cgroups of tasks, and their command lines. */
#ifndef TRING_CGROUPS_H
#define TRING_CGROUPS_H

#include <stdbool.h>
#include <stdint.h>

#include "events.h"
#include "wire/wire.h"

/**
 * struct tring_cgroups - what is known of tasks
 * @tasks: tree of them, by pid
 * @paths: tree of their cgroups
 * @snapshots: number of snapshots that were given
 * @follows: events tell of all moves since the first snapshot
 */
struct tring_cgroups {
	void		*tasks;
	void		*paths;
	unsigned int	snapshots;
	bool		follows;
};

struct tring_move *tring_move_prepare(const struct tring_event *event, const char *system);
bool tring_cgroups_line(struct tring_cgroups *cgroups, char *line);
void tring_cgroups_move(struct tring_cgroups *cgroups, const struct tring_move *move,
			const struct tring_record *record, bool big_endian);
const char *tring_cgroups_find(const struct tring_cgroups *cgroups, int32_t pid,
			       const char *what);
void tring_cgroups_reset(struct tring_cgroups *cgroups);
void tring_cgroups_free(struct tring_cgroups *cgroups);

#endif /* TRING_CGROUPS_H */
