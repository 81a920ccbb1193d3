/* SPDX-License-Identifier: GPL-2.0 */
/* One CPU's packets on their way from the ring to a file. */
#ifndef TRING_DRAIN_H
#define TRING_DRAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream_file.h"

/**
 * struct tring_drain - one CPU
 * @cpu: its number
 * @pipe_fd: where packets come from, not blocking
 * @file: where they go
 * @ids: which event ids were met so far, shared by the CPUs
 * @bytes: for the file, whole packets only
 * @packets: for the file
 * @events: in them, without discarded records
 * @taken_back: discarded records in them
 * @wrong: pieces of bad input
 * @ended: the ring has no more
 * @failed: the file has, and the counts say what is in it
 * @unsaved_ns: since when there are packets that are not in the file; 0 if all are
 * @due_ns: when to look again
 * @interval_ns: time between two looks
 */
struct tring_drain {
	int		cpu;
	int		pipe_fd;
	struct tring_stream_file file;
	bool		*ids;
	uint64_t	bytes;
	uint64_t	packets;
	uint64_t	events;
	uint64_t	taken_back;
	uint64_t	wrong;
	bool		ended;
	bool		failed;
	uint64_t	unsaved_ns;
	uint64_t	due_ns;
	uint64_t	interval_ns;
};

void tring_drain_init(struct tring_drain *drain, int cpu, int pipe_fd,
		      const char *path, struct tring_writer *writer, bool *ids);
void tring_drain_close(struct tring_drain *drain);
int tring_drain_service(struct tring_drain *drain);
int tring_drain_finish(struct tring_drain *drain);

#endif /* TRING_DRAIN_H */
