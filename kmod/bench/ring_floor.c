// SPDX-License-Identifier: GPL-2.0
/*
 * The floor: the least work of any ring of this kind. Preemption off, clock, one unlocked
 * cmpxchg that moves the position, a 4-byte header, the payload in 8-byte stores, one
 * store that commits, preemption on. It has no sub-buffers, does not count what it
 * overwrites, and a nested commit would be wrong. It is a figure to compare with.
 */
#include <linux/errno.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include <asm/local.h>

#include "bench.h"
#include "tring_format.h"

#define EVENT_ID	7

/* Room behind the end, since the position is used without a test. */
#define SLACK		512

struct floor_ring {
	local_t			write;
	unsigned long		committed;
	unsigned long		mask;
	void			*data;
	enum tring_clock	clock;
};

static DEFINE_PER_CPU(struct floor_ring, floor_ring);
static u64 source[256 / sizeof(u64)];

static __always_inline void *reserve(struct floor_ring *ring, unsigned int length,
				     unsigned long *end)
{
	unsigned long old, now;
	u32 *header;

	do {
		old = local_read(&ring->write);
		now = tring_clock_read(ring->clock, NULL);
		*end = old + sizeof(*header) + length;
	} while (local_cmpxchg(&ring->write, old, *end) != (long)old);
	header = ring->data + (old & ring->mask);
	*header = now << 5 | EVENT_ID;
	return header + 1;
}

static __always_inline unsigned long write_event(unsigned int length)
{
	struct floor_ring *ring;
	unsigned long end;
	u64 *payload;

	preempt_disable_notrace();
	ring = this_cpu_ptr(&floor_ring);
	payload = reserve(ring, length, &end);
	*payload = 0;
	bench_fill(payload, length);
	WRITE_ONCE(ring->committed, end);
	preempt_enable_notrace();
	return 1;
}

static __always_inline unsigned long copy_event(unsigned int length)
{
	struct floor_ring *ring;
	unsigned long end;

	preempt_disable_notrace();
	ring = this_cpu_ptr(&floor_ring);
	memcpy(reserve(ring, length, &end), source, length);
	WRITE_ONCE(ring->committed, end);
	preempt_enable_notrace();
	return 1;
}

static __always_inline unsigned long discard_event(unsigned int length)
{
	struct floor_ring *ring;
	unsigned long end;

	preempt_disable_notrace();
	ring = this_cpu_ptr(&floor_ring);
	reserve(ring, length, &end);
	local_cmpxchg(&ring->write, end, end - sizeof(u32) - length);
	preempt_enable_notrace();
	return 1;
}

#include "ops.h"

static int prepare(enum tring_clock clock, bool overwrite, unsigned long bytes)
{
	struct floor_ring *ring;
	int cpu;

	for_each_possible_cpu(cpu) {
		ring = per_cpu_ptr(&floor_ring, cpu);
		memset(ring, 0, sizeof(*ring));
		ring->clock = clock;
		ring->mask = bytes - 1;
		ring->data = vmalloc(ring->mask + 1 + SLACK);
	}
	for_each_possible_cpu(cpu)
		if (!per_cpu_ptr(&floor_ring, cpu)->data)
			return -ENOMEM;
	return 0;
}

/* There are no counters to compare; all that was written must be committed. */
static int finish(u64 reserved, u64 kept)
{
	struct floor_ring *ring;
	int cpu, err = 0;

	for_each_possible_cpu(cpu) {
		ring = per_cpu_ptr(&floor_ring, cpu);
		if (kept && local_read(&ring->write) != (long)ring->committed)
			err = -EUCLEAN;
		vfree(ring->data);
		ring->data = NULL;
	}
	return err;
}

struct bench_ring bench_floor = {
	.name		= "floor",
	.prepare	= prepare,
	.finish		= finish,
	.ops		= ops,
};
