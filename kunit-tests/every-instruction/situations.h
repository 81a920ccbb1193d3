/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is interrupted, and by what. See situations.c.
 */
#ifndef _TRING_SITUATIONS_H
#define _TRING_SITUATIONS_H

#include "ring/ring.h"
#include "step.h"

/*
 * 2 and 4 sub-buffers of a page, one that is never allocated, one that was stopped,
 * one of which a sub-buffer holds records that are too long for a short id, and one
 * whose records have no context.
 */
enum which_ring {
	RING_SMALL,
	RING_LARGE,
	RING_NO_MEMORY,
	RING_STOPPED,
	RING_WIDE,
	RINGS
};

/**
 * struct situation - what is interrupted
 * @name: for people
 * @run: this
 * @prepare: before each run, at full speed
 * @ring: in which
 * @begin: once, may sleep
 * @end: once, may sleep
 * @clock_event: the clock is traced
 * @clock_depth: it traces itself up to that depth
 * @need_resched: the end of preemption would reschedule
 * @long_way: thousands of steps: for the sake of time every fourth gets one
 *	interrupt, unless all get all
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
