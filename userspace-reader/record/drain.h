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
 * @types: which short types were met instead, a bit each
 * @bytes: for the file, whole packets only
 * @packets: for the file
 * @events: in them, without discarded records
 * @taken_back: discarded records in them
 * @wrong: pieces of bad input
 * @ended: the ring has no more
 * @failed: the file has, and the counts say what is in it
 * @saved_ns: when the open packet was taken, and all saved, the last time
 * @due_ns: when to look again
 * @interval_ns: time between two looks
 */
struct tring_drain {
	int		cpu;
	int		pipe_fd;
	struct tring_stream_file file;
	bool		*ids;
	uint32_t	types;
	uint64_t	bytes;
	uint64_t	packets;
	uint64_t	events;
	uint64_t	taken_back;
	uint64_t	wrong;
	bool		ended;
	bool		failed;
	uint64_t	saved_ns;
	uint64_t	due_ns;
	uint64_t	interval_ns;
};

void tring_drain_init(struct tring_drain *drain, int cpu, int pipe_fd,
		      const char *path, struct tring_writer *writer, bool *ids);
void tring_drain_close(struct tring_drain *drain);
int tring_drain_service(struct tring_drain *drain);
int tring_drain_finish(struct tring_drain *drain);

#endif /* TRING_DRAIN_H */
