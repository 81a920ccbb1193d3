/* SPDX-License-Identifier: GPL-2.0 */
/* The torture module's parts: what they know of each other. */
#ifndef _TRING_TORTURE_MODULE_H
#define _TRING_TORTURE_MODULE_H

#include <linux/cache.h>
#include <linux/types.h>

#include "ring/ring.h"
#include "torture.h"

/**
 * struct torture_writer - what one context of one CPU has done
 * @sequence: numbers given out
 * @committed: events
 * @discarded: events
 * @refused: events, by reason
 * @bytes: of fields, of @committed
 * @faults: errors that tring_reserve() has no business to return
 * @random: state of the generator, never 0
 *
 * Written by that context on that CPU only.
 */
struct torture_writer {
	u64	sequence;
	u64	committed;
	u64	discarded;
	u64	refused[TRING_REFUSALS];
	u64	bytes;
	u64	faults;
	u64	random;
} ____cacheline_aligned;

/**
 * struct torture_options - module parameters, which may change any time
 * @fill_max: bytes of an event that are filled at random, up to
 * @long_every: one event in this many is up to a sub-buffer long or longer
 * @fixed_every: one event in this many is of the kind with a fixed length
 * @no_short_every: one event in this many is of the kind without a short id
 * @full_every: one event in this many has flags and a preempt count that its
 *	writer makes up, most of which a record's context byte cannot say
 * @pid_every: one event in this many has a pid that its writer makes up, so that
 *	writers that nest differ in it, which tasks and interrupts proper do not
 * @discard_every: one event in this many is discarded
 * @nest_every: one event in this many has another one inside
 * @time_every: one event in this many says when it was reserved
 * @copy_every: one event in this many goes through tring_write()
 * @burst: events that a thread writes before it pauses
 * @pause_us: how long it pauses at least
 * @timer_us: mean period of the timers
 * @nmi_every: one burst in this many is followed by an NMI to some CPU
 * @ipi_every: one burst in this many is followed by an IPI to some CPU, whose
 *	hardirq and softirq write
 * @trace_clock: trace the clock with a kprobe, from the next start on
 *
 * 0 is "never" for all "one in this many".
 */
struct torture_options {
	unsigned int	fill_max;
	unsigned int	long_every;
	unsigned int	fixed_every;
	unsigned int	no_short_every;
	unsigned int	full_every;
	unsigned int	pid_every;
	unsigned int	discard_every;
	unsigned int	nest_every;
	unsigned int	time_every;
	unsigned int	copy_every;
	unsigned int	burst;
	unsigned int	pause_us;
	unsigned int	timer_us;
	unsigned int	nmi_every;
	unsigned int	ipi_every;
	bool		trace_clock;
};

/* module.c */
extern struct torture_options torture_options;

/* write.c APIs: */
struct torture_writer *torture_writer(int cpu, enum torture_context context);
u64 torture_random(struct torture_writer *writer);
void torture_write_begin(struct tring_buffer *buffer);
void torture_write_end(void);
void torture_write(enum torture_context context, unsigned int count);

/* contexts.c APIs: */
int torture_contexts_start(void);
void torture_contexts_stop(void);
u64 torture_clock_missed(void);

#endif /* _TRING_TORTURE_MODULE_H */
