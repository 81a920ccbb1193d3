/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A call of the probe in tring_preemptible.ko; see main.c.
 */
#ifndef _TRING_PREEMPTIBLE_H
#define _TRING_PREEMPTIBLE_H

#include <linux/types.h>

struct list_head;

/**
 * struct preemptible_call - one call of the probe
 * @number: number of the call
 * @depth: preempt_disable()s, seen between reservation and commit
 * @preemptible: preemption was enabled there
 */
struct preemptible_call {
	u32		number;
	unsigned int	depth;
	bool		preemptible;
};

/* main.c APIs: */
void preemptible_look(struct preemptible_call *call);

/* probe.c APIs: */
void tring_list_events_tring_preemptible(struct list_head *events);

#endif /* _TRING_PREEMPTIBLE_H */
