/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tables of situations and interrupts. See situations.c.
 */
#ifndef _TRING_SITUATIONS_H
#define _TRING_SITUATIONS_H

#include "ring/ring.h"
#include "step.h"

enum which_ring {
	RING_SMALL,		/* 2 sub-buffers of a page */
	RING_LARGE,		/* 4 sub-buffers of a page */
	RING_NO_MEMORY,		/* never allocated */
	RING_STOPPED,		/* stopped as by TRING_WARN_ON() */
	RING_WIDE,		/* sub-buffers for records too long for a short type */
	RINGS
};

/**
 * struct situation - a state of the ring and an operation that is interrupted
 * @name: name in messages
 * @run: the operation
 * @prepare: brings the ring into the state; before each run, at full speed, or NULL
 * @ring: the ring
 * @begin: runs once before all rounds; may sleep; or NULL
 * @end: runs once after all rounds; may sleep; or NULL
 * @clock_event: event that each read of the clock writes, or NULL
 * @clock_depth: number of levels to which the clock traces itself
 * @need_resched: a reschedule is due
 * @long_way: the operation has thousands of steps; to save time every fourth step
 *	gets one interrupt, unless TRING_SHARE=1
 */
struct situation {
	const char	*name;
	void		(*run)(void);
	void		(*prepare)(void);
	enum which_ring	ring;
	void		(*begin)(void);
	void		(*end)(void);
	const struct step_interrupt *clock_event;
	unsigned int	clock_depth;
	bool		need_resched;
	bool		long_way;
};

extern struct tring_buffer *rings[RINGS];
extern const struct situation situations[];
extern const unsigned int situations_count;
extern const struct step_interrupt interrupts[];
extern const unsigned int interrupts_count;

bool is_switch(void (*run)(void));
bool may_switch(enum which_ring ring);
int switch_begin(void);
int switch_end(void);
void start_again(void);

#endif /* _TRING_SITUATIONS_H */
