/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads the packets of a running ring into memory, for as long as they are needed. */
#ifndef TRING_LIVE_RING_H
#define TRING_LIVE_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracefs/control.h"
#include "trace.h"

/**
 * struct tring_live_cpu - a CPU of a ring that is read
 * @fd: source of packets
 * @ended: the ring has said that there are no more packets, because recording is off
 * @chunks: packets in memory; the report's CPU refers to them
 * @torn: begin of a packet whose rest was not read yet
 * @torn_size: bytes of @torn
 */
struct tring_live_cpu {
	int		fd;
	bool		ended;
	struct tring_chunks *chunks;
	uint8_t		*torn;
	size_t		torn_size;
};

/**
 * struct tring_live_ring - a ring that is read
 * @control: the ring
 * @cpus: one for each CPU of @control
 * @marker_fd: where markers are written
 * @size: bytes of each CPU's ring
 * @buffer: what was read last
 * @capacity: bytes of @buffer
 */
struct tring_live_ring {
	const struct tring_control *control;
	struct tring_live_cpu *cpus;
	int		marker_fd;
	size_t		size;
	uint8_t		*buffer;
	size_t		capacity;
};

int tring_live_ring_open(struct tring_live_ring *ring, const struct tring_control *control,
			 struct tring_trace *trace);
int tring_live_ring_read(struct tring_live_ring *ring, size_t number, bool everything);
int tring_live_ring_mark(const struct tring_live_ring *ring, const char *text);
void tring_live_ring_close(struct tring_live_ring *ring);

#endif /* TRING_LIVE_RING_H */
