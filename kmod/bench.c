// SPDX-License-Identifier: GPL-2.0
/*
 * tring_bench.ko: what one event costs in tring's ring and in ftrace's, side by
 * side in one boot, through the public interfaces of both.
 *
 * The unit is the tick of the TSC. Under qemu -icount shift=0 that is one guest
 * instruction, and the figures repeat to the last digit; scripts/bench.sh runs
 * it so. Elsewhere they are cycles of some frequency, good for ratios only.
 *
 * Loading prints the table to the log, and loading always ends with -EAGAIN, so
 * that there is nothing to unload.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/ring_buffer.h>
#include <linux/sizes.h>
#include <linux/sort.h>

#include "compat.h"
#include "ring_fast.h"

/* Events in a batch, and batches of which the last counts: the rest warm up. */
#define EVENTS	100000
#define BATCHES	3
/* Events timed one by one, for the worst case. */
#define SINGLES	2000

#define EVENT_ID	77
#define RING_BYTES	SZ_1M

static unsigned long set_clock_address;
module_param(set_clock_address, ulong, 0);
MODULE_PARM_DESC(set_clock_address,
		 "address of ring_buffer_set_clock(), which is not exported (see /proc/kallsyms)");

static struct tring_buffer *tring_ring;
static struct trace_buffer *ftrace_ring;
static u32 singles[SINGLES];

static u64 notrace read_tsc(void)
{
	return rdtsc();
}

/*
 * One event of each kind, to be inlined with a constant length. Both fill the
 * whole payload in 8-byte stores but for the first, which is the header's.
 */
static __always_inline void write_tring(unsigned int length)
{
	struct tring_record TRING_UNINITIALIZED record;
	unsigned int i;
	u64 *payload;

	if (tring_reserve(tring_ring, EVENT_ID, length, &record))
		return;
	payload = record.payload;
	for (i = 1; i < length / sizeof(*payload); i++)
		payload[i] = i;
	tring_commit(&record);
}

static __always_inline void discard_tring(unsigned int length)
{
	struct tring_record TRING_UNINITIALIZED record;

	if (!tring_reserve(tring_ring, EVENT_ID, length, &record))
		tring_discard(&record);
}

static __always_inline void write_ftrace(unsigned int length)
{
	struct ring_buffer_event *event = ring_buffer_lock_reserve(ftrace_ring, length);
	unsigned int i;
	u64 *payload;

	if (!event)
		return;
	payload = ring_buffer_event_data(event);
	for (i = 1; i < length / sizeof(*payload); i++)
		payload[i] = i;
	tring_ring_buffer_unlock_commit(ftrace_ring, event);
}

static __always_inline void discard_ftrace(unsigned int length)
{
	struct ring_buffer_event *event = ring_buffer_lock_reserve(ftrace_ring, length);

	if (event)
		ring_buffer_discard_commit(ftrace_ring, event);
}

static __always_inline void write_nothing(unsigned int length)
{
	barrier();
}

#define DEFINE_BATCH(kind, length)					\
static noinline u64 batch_##kind##_##length(void)			\
{									\
	u64 begin = rdtsc();						\
	unsigned int i;							\
									\
	for (i = 0; i < EVENTS; i++)					\
		kind(length);						\
	return rdtsc() - begin;						\
}

#define DEFINE_SINGLES(kind, length)					\
static noinline void singles_##kind##_##length(void)			\
{									\
	unsigned int i;							\
									\
	for (i = 0; i < SINGLES; i++) {					\
		u64 begin = rdtsc();					\
									\
		kind(length);						\
		singles[i] = rdtsc() - begin;				\
	}								\
}

DEFINE_BATCH(write_tring, 8)
DEFINE_BATCH(write_tring, 16)
DEFINE_BATCH(write_tring, 32)
DEFINE_BATCH(write_tring, 64)
DEFINE_BATCH(write_tring, 128)
DEFINE_BATCH(write_tring, 256)
DEFINE_BATCH(write_ftrace, 8)
DEFINE_BATCH(write_ftrace, 16)
DEFINE_BATCH(write_ftrace, 32)
DEFINE_BATCH(write_ftrace, 64)
DEFINE_BATCH(write_ftrace, 128)
DEFINE_BATCH(write_ftrace, 256)
DEFINE_BATCH(discard_tring, 16)
DEFINE_BATCH(discard_ftrace, 16)
DEFINE_BATCH(write_nothing, 0)
DEFINE_SINGLES(write_tring, 16)
DEFINE_SINGLES(write_ftrace, 16)
DEFINE_SINGLES(write_nothing, 0)

/* Hundredths of a tick for one event. */
static u64 measure(u64 (*batch)(void))
{
	unsigned long flags;
	u64 ticks = 0;
	int i;

	for (i = 0; i < BATCHES; i++) {
		local_irq_save(flags);
		ticks = batch();
		local_irq_restore(flags);
	}
	return ticks * 100 / EVENTS;
}

static void compare(const char *clock, const char *what, u64 (*tring)(void),
		    u64 (*ftrace)(void))
{
	u64 loop = measure(batch_write_nothing_0);
	u64 ours = measure(tring) - loop, theirs = measure(ftrace) - loop;

	pr_info("%-5s %-12s tring %4llu.%02llu ftrace %4llu.%02llu ratio %llu.%02llu\n",
		clock, what, ours / 100, ours % 100, theirs / 100, theirs % 100,
		theirs / ours, theirs * 100 / ours % 100);
}

static int compare_u32(const void *a, const void *b)
{
	return *(const u32 *)a < *(const u32 *)b ? -1 : *(const u32 *)a > *(const u32 *)b;
}

static void spread(const char *clock, const char *what, void (*run)(void))
{
	unsigned long flags;
	u32 empty;

	local_irq_save(flags);
	singles_write_nothing_0();
	empty = singles[SINGLES - 1];
	run();
	local_irq_restore(flags);
	sort(singles, SINGLES, sizeof(*singles), compare_u32, NULL);
	pr_info("%-5s %-12s median %u p99 %u worst %u\n", clock, what,
		singles[SINGLES / 2] - empty, singles[SINGLES * 99 / 100] - empty,
		singles[SINGLES - 1] - empty);
}

static void run_clock(enum tring_clock clock)
{
	void (*set_clock)(struct trace_buffer *buffer, u64 (*clock)(void));
	const char *name = tring_clock_name(clock);

	if (tring_buffer_set_clock(tring_ring, clock))
		return;
	set_clock = (void *)set_clock_address;
	set_clock(ftrace_ring, clock == TRING_CLOCK_TSC ? read_tsc : ktime_get_mono_fast_ns);

	compare(name, "8 bytes", batch_write_tring_8, batch_write_ftrace_8);
	compare(name, "16 bytes", batch_write_tring_16, batch_write_ftrace_16);
	compare(name, "32 bytes", batch_write_tring_32, batch_write_ftrace_32);
	compare(name, "64 bytes", batch_write_tring_64, batch_write_ftrace_64);
	compare(name, "128 bytes", batch_write_tring_128, batch_write_ftrace_128);
	compare(name, "256 bytes", batch_write_tring_256, batch_write_ftrace_256);
	compare(name, "discard 16", batch_discard_tring_16, batch_discard_ftrace_16);
	spread(name, "tring 16", singles_write_tring_16);
	spread(name, "ftrace 16", singles_write_ftrace_16);
}

static void print_balance(void)
{
	struct tring_stats stats, sum = { };
	int cpu, reason;
	u64 refused = 0;

	for_each_possible_cpu(cpu) {
		tring_buffer_stats(tring_ring, cpu, &stats);
		sum.reserved += stats.reserved;
		sum.committed += stats.committed;
		sum.discarded += stats.discarded;
		sum.overwritten += stats.overwritten;
		sum.remaining += stats.remaining;
		for (reason = 0; reason < TRING_REFUSED_OFF; reason++)
			refused += stats.refused[reason];
	}
	pr_info("reserved %llu committed %llu discarded %llu overwritten %llu remaining %llu refused %llu: %s\n",
		sum.reserved, sum.committed, sum.discarded, sum.overwritten, sum.remaining,
		refused,
		sum.reserved == sum.committed + sum.discarded &&
		sum.committed == sum.overwritten + sum.remaining ? "balanced" : "UNBALANCED");
}

static int __init init_bench(void)
{
	int err = -ENOMEM;

	if (!set_clock_address) {
		pr_err("set_clock_address is needed, or the clocks would differ\n");
		return -EINVAL;
	}
	tring_ring = tring_buffer_create();
	ftrace_ring = ring_buffer_alloc(RING_BYTES, RB_FL_OVERWRITE);
	if (!tring_ring || !ftrace_ring)
		goto out;
	err = tring_buffer_resize(tring_ring, -1, RING_BYTES);
	if (err)
		goto out;
	tring_buffer_set_recording(tring_ring, true);
	run_clock(TRING_CLOCK_TSC);
	run_clock(TRING_CLOCK_MONO);
	tring_buffer_set_recording(tring_ring, false);
	print_balance();
	err = -EAGAIN;
out:
	if (ftrace_ring)
		ring_buffer_free(ftrace_ring);
	if (tring_ring)
		tring_buffer_destroy(tring_ring);
	return err;
}
module_init(init_bench);

MODULE_DESCRIPTION("Side by side cost of tring's and ftrace's rings");
MODULE_LICENSE("GPL");
TRING_IMPORT_NS;
