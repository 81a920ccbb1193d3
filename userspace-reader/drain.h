/* SPDX-License-Identifier: GPL-2.0 */
/* One CPU's packets on their way from the ring to a file. */
#ifndef TRING_DRAIN_H
#define TRING_DRAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct tring_drain - one CPU
 * @cpu: its number
 * @pipe_fd: where packets come from, not blocking
 * @path: file that they are appended to; NULL to throw them away
 * @ids: which event ids were met so far, shared by the CPUs
 * @buffer: bytes read, the first of a packet first
 * @capacity: of @buffer
 * @fill: bytes in @buffer
 * @file_fd: -1 until there is a packet
 * @bytes: written, whole packets only
 * @packets: written
 * @events: written, without discarded records
 * @taken_back: discarded records written
 * @wrong: pieces of bad input
 * @ended: the ring has no more
 * @failed: negative errno of a write, after which nothing more is written
 * @due_ns: when to look again
 * @interval_ns: time between two looks
 */
struct tring_drain {
	int		cpu;
	int		pipe_fd;
	char		*path;
	bool		*ids;
	uint8_t		*buffer;
	size_t		capacity;
	size_t		fill;
	int		file_fd;
	uint64_t	bytes;
	uint64_t	packets;
	uint64_t	events;
	uint64_t	taken_back;
	uint64_t	wrong;
	bool		ended;
	int		failed;
	uint64_t	due_ns;
	uint64_t	interval_ns;
};

void tring_drain_init(struct tring_drain *drain, int cpu, int pipe_fd,
		      const char *path, bool *ids);
void tring_drain_close(struct tring_drain *drain);
int tring_drain_service(struct tring_drain *drain);
int tring_drain_finish(struct tring_drain *drain);

#endif /* TRING_DRAIN_H */
