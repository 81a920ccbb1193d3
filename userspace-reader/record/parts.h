/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of a recording that is split, each of which is a trace directory. */
#ifndef TRING_PARTS_H
#define TRING_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/short_ids.h"

struct tring_cpu_thread;
struct tring_recording;
struct tring_recording_options;

/**
 * struct tring_descriptions - what a trace directory describes
 * @events: number of the recording's events whose formats are there
 * @shorts: the short ids of the metadata
 * @has_metadata: they are written, of @events and @shorts
 */
struct tring_descriptions {
	size_t		events;
	struct tring_short_ids shorts;
	bool		has_metadata;
};

/**
 * struct tring_part - a part that has ended
 * @dir: its trace directory
 * @described: what is described there
 * @bytes: bytes of its packets
 * @events: number of events of each CPU
 * @lost: number of events that each CPU has lost meanwhile
 */
struct tring_part {
	char		*dir;
	struct tring_descriptions described;
	uint64_t	bytes;
	uint64_t	*events;
	uint64_t	*lost;
};

/**
 * struct tring_parts - the parts of a recording
 * @list: the parts that have ended and are kept, the oldest first
 * @count: number of @list
 * @number: number of the present part, from 1; 0 if the recording is not split
 * @begin_ns: time at which the present part began
 * @dropped: number of events of each CPU in the parts that were dropped
 * @lost: number of events that each CPU has lost in these parts
 * @next: directory of the next part while the threads turn to it, else NULL
 * @described: what is described there
 * @endings: by CPU: the end of the present part
 * @bad: number of errors of the parts that have ended, reported on stderr
 */
struct tring_parts {
	struct tring_part *list;
	size_t		count;
	uint64_t	number;
	uint64_t	begin_ns;
	uint64_t	*dropped;
	uint64_t	*lost;
	char		*next;
	struct tring_descriptions described;
	struct tring_ending *endings;
	int		bad;
};

uint64_t tring_parts_limit(const struct tring_recording_options *options);
void tring_parts_begin(struct tring_recording *recording);
int tring_parts_begin_dir(struct tring_recording *recording);
uint64_t tring_parts_due_ns(const struct tring_recording *recording, uint64_t now);
int tring_parts_turn(void *recording, struct tring_cpu_thread *thread);
int tring_parts_go_on(struct tring_recording *recording);
int tring_parts_complete(struct tring_recording *recording);
void tring_parts_free(struct tring_recording *recording);

#endif /* TRING_PARTS_H */
