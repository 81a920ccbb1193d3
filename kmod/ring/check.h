/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks of the ring on itself. See ring/check.c.
 */
#ifndef _TRING_RING_CHECK_H
#define _TRING_RING_CHECK_H

#include <linux/bug.h>

#include "ring.h"

void tring_ring_stop(struct tring_cpu_buffer *cpu_buffer);

/**
 * TRING_WARN_ON - something is impossible: say so once and stop that ring
 * @cpu_buffer: the ring
 * @condition: true when it happened
 *
 * Context: any. A tracer must not take down the kernel that it watches.
 * Return: @condition, for the caller to give up on.
 */
#define TRING_WARN_ON(cpu_buffer, condition)				\
({									\
	bool __failed = unlikely(condition);				\
									\
	if (__failed) {							\
		tring_ring_stop(cpu_buffer);				\
		WARN_ON_ONCE(1);					\
	}								\
	__failed;							\
})

/**
 * struct tring_check - what a walk over a packet found
 * @events: records that are events
 * @discarded: records that are not
 * @last_stamp: rebuilt timestamp of the last record
 * @offset: of the record that @reason is about
 * @reason: what is wrong, NULL if nothing is
 */
struct tring_check {
	unsigned long	events;
	unsigned long	discarded;
	u64		last_stamp;
	size_t		offset;
	const char	*reason;
};

bool tring_check_packet(const void *packet, size_t room, struct tring_check *check);
void tring_dump_packet(const void *packet, size_t room);

#ifdef TRING_DEBUG
void tring_check_delivery(struct tring_cpu_buffer *cpu_buffer,
			  struct tring_subbuf *subbuf, unsigned long events);
#else
static inline void tring_check_delivery(struct tring_cpu_buffer *cpu_buffer,
					struct tring_subbuf *subbuf,
					unsigned long events)
{
}
#endif

#endif /* _TRING_RING_CHECK_H */
