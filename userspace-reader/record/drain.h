/* SPDX-License-Identifier: GPL-2.0 */
/* Moves one CPU's packets from the ring to a file. */
#ifndef TRING_DRAIN_H
#define TRING_DRAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream_file.h"

/**
 * struct tring_drain - one CPU
 * @cpu: number of the CPU
 * @pipe_fd: non-blocking source of packets
 * @file: destination of packets
 * @ids: by id: it has occurred in a long or extended record; shared by the CPUs
 * @types: short types that have occurred, one bit each
 * @bytes: bytes for the file, in whole packets
 * @packets: packets for the file
 * @events: records in these packets that are not discarded
 * @discarded_records: discarded records in these packets
 * @wrong: pieces of bad input
 * @ended: the ring has no more packets
 * @failed: writing has failed, and the counts are those of the file's content
 * @saved_ns: time at which the open packet was last read, and everything saved
 * @due_ns: time of the next service
 * @interval_ns: time between two services
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
	uint64_t	discarded_records;
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
