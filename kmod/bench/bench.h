/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The benchmark: rings that are measured side by side, and how one is measured.
 *
 * A ring is a struct bench_ring with a list of operations. ops.h makes the
 * loops of an operation where the ring's own functions are, so that they are
 * inlined there as in a user of that ring.
 */
#ifndef _TRING_BENCH_H
#define _TRING_BENCH_H

#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/types.h>

#include "clock.h"
#include "tracefs/clock_names.h"

/* Bytes of a ring that overwrites, and of a ring that must have room for all events. */
#define BENCH_RING_BYTES	SZ_1M
#define BENCH_ROOM_BYTES	SZ_16M

/**
 * struct bench_single - one event that was timed by itself
 * @ticks: duration, including two reads of the counter
 * @place: part of the ring that has the event; 0: the event was refused
 */
struct bench_single {
	u32		ticks;
	unsigned long	place;
};

/**
 * struct bench_op - an operation of a ring
 * @what: name of the operation, the same for all rings
 * @batch: do it so many times
 * @singles: do it so many times, and take the time of each
 * @discards: the operation leaves no event behind
 */
struct bench_op {
	const char	*what;
	void		(*batch)(unsigned int count);
	void		(*singles)(struct bench_single *singles, unsigned int count);
	bool		discards;
};

/**
 * struct bench_ring - a ring to be measured
 * @name: name in the results
 * @prepare: makes an empty ring with this clock that overwrites, or has room for all
 *	events, of so many bytes, a power of two
 * @finish: destroys the ring; -EUCLEAN if its counters do not show that it has got so
 *	many events and kept those that were not discarded, or 0
 * @ops: operations; the last one has no name
 * @list: node of the list in main.c
 */
struct bench_ring {
	const char		*name;
	int			(*prepare)(enum tring_clock clock, bool overwrite,
					   unsigned long bytes);
	int			(*finish)(u64 reserved, u64 kept);
	const struct bench_op	*ops;
	struct list_head	list;
};

/**
 * bench_fill - fill a payload except its first word
 * @payload: payload of a record
 * @length: length of the payload; constant
 *
 * The first word is the head of the event, which each ring writes in its own way. Each
 * other word takes one store.
 */
static __always_inline void bench_fill(u64 *payload, unsigned int length)
{
	unsigned int i;

#pragma GCC unroll 32
	for (i = 1; i < length / sizeof(*payload); i++)
		payload[i] = i;
}

/**
 * bench_irq_save - disable interrupts while no task waits for this CPU
 *
 * Otherwise each preempt_enable() in the measured code would take a longer path.
 *
 * Context: task.
 * Return: argument of local_irq_restore().
 */
static inline unsigned long bench_irq_save(void)
{
	unsigned long flags;

	for (;;) {
		local_irq_save(flags);
		if (!need_resched())
			return flags;
		local_irq_restore(flags);
		schedule();
	}
}

/**
 * bench_find_clock - find a clock by its name
 * @name: "mono" or "tsc"
 *
 * Return: enum tring_clock or -EINVAL.
 */
static inline int bench_find_clock(const char *name)
{
	int clock;

	for (clock = 0; clock <= TRING_CLOCK_TSC; clock++)
		if (!strcmp(tring_name_of_clock(clock), name))
			return clock;
	return -EINVAL;
}

/* main.c APIs: */
void bench_ring_add(struct bench_ring *ring);
void bench_ring_remove(struct bench_ring *ring);
__printf(1, 2) void bench_say(const char *format, ...);

/* measure.c APIs: */
int bench_measure_init(void);
void bench_measure_exit(void);
int bench_rings(struct list_head *rings, enum tring_clock clock, bool overwrite);
int bench_sizes(struct list_head *rings, enum tring_clock clock, unsigned long bytes);
void bench_say_mean(const char *key, u64 ticks, unsigned int count);

/* function.c APIs: */
void bench_function(unsigned int count);

/* event.c APIs: */
void bench_event_init(void);
int bench_event(const char *tracer, const char *clock);
int bench_switch(const char *tracer, const char *clock);
void bench_call(const char *what, const char *tracer, const char *clock);

/* benchmark.c APIs: */
void bench_benchmark_init(void);
int bench_benchmark(const char *tracer, const char *clock);

/* benchmark_tring.c APIs: */
void tring_list_events_benchmark(struct list_head *events);

/* event_tring.c APIs: */
void tring_list_events_tring_bench(struct list_head *events);

/* ring_tring.c APIs: */
struct tring_buffer;
int bench_tring_prepare(const char *clock, struct tring_buffer **made);
int bench_tring_finish(void);

/* native_benchmark.c APIs: */
int bench_native_benchmark(void);

/* One of each ring. */
extern struct bench_ring bench_tring, bench_ftrace, bench_floor, bench_cmpxchg, bench_xadd;
extern unsigned long bench_set_clock_address;

#endif /* _TRING_BENCH_H */
