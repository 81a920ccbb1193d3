/* SPDX-License-Identifier: GPL-2.0 */
/* Types and functions that the parts of the torture module share. */
#ifndef _TRING_TORTURE_MODULE_H
#define _TRING_TORTURE_MODULE_H

#include <linux/cache.h>
#include <linux/types.h>

#include "ring/ring.h"
#include "torture.h"

/**
 * struct torture_writer - account of one context of one CPU
 * @sequence: last sequence number given out
 * @committed: number of committed events
 * @discarded: number of discarded events
 * @refused: number of refused events, by reason
 * @bytes: bytes of fields of the committed events
 * @faults: number of unknown errors of tring_reserve()
 * @random: state of the generator, never 0
 *
 * Only that context on that CPU writes it.
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
 * struct torture_options - module parameters; they may change at any time
 * @fill_max: largest number of pseudo-random bytes in an event
 * @long_every: one event in this many has a random length up to LONG_FILL_MAX
 * @fixed_every: one event in this many is a TORTURE_FIXED
 * @no_short_every: one event in this many is a TORTURE_LONG
 * @full_every: one event in this many has random flags and a random preempt count,
 *	most of which do not fit into the context byte
 * @pid_every: one event in this many has a random pid, so that nested writers differ
 *	in it; otherwise an interrupt has the pid of the interrupted task
 * @discard_every: one event in this many is discarded
 * @nest_every: one event in this many has another one nested in it
 * @time_every: one event in this many holds struct torture_times
 * @copy_every: one event in this many goes through tring_write()
 * @burst: number of events that a thread writes before it pauses
 * @pause_us: shortest pause of a thread in microseconds
 * @timer_us: mean period of the timers in microseconds
 * @nmi_every: one burst in this many is followed by an NMI to a random CPU
 * @ipi_every: one burst in this many is followed by an IPI to a random CPU, where
 *	hardirq and softirq write
 * @trace_clock: trace the clock with a kprobe, from the next start on
 *
 * 0 means "never" for "one in this many".
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
void torture_send_nmi(int cpu);

/* crash.c APIs: */
int torture_crash(unsigned int levels);

#endif /* _TRING_TORTURE_MODULE_H */
