/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The operations of a ring, made of three inline functions that the including file
 * defines. Each call has a constant length:
 *
 *	write_event(length)	reserve, fill, commit
 *	copy_event(length)	the same with a copy, through the ring's own function
 *				if it has one
 *	discard_event(length)	reserve, discard
 *
 * With BENCH_WRITES_ONLY it defines write_event() only.
 *
 * Each returns bench_single::place of the event, which the compiler does not compute
 * if it is not used.
 */
#ifndef _TRING_BENCH_OPS_H
#define _TRING_BENCH_OPS_H

#include <linux/timex.h>

#include <asm/msr.h>

#include "bench.h"

#define BENCH_DEFINE_OP(kind, length)					\
static noinline void batch_##kind##_##length(unsigned int count)	\
{									\
	while (count--)							\
		kind##_event(length);					\
}									\
									\
static noinline void							\
singles_##kind##_##length(struct bench_single *singles, unsigned int count) \
{									\
	for (; count; count--, singles++) {				\
		u64 begin = rdtsc();					\
									\
		singles->place = kind##_event(length);			\
		singles->ticks = rdtsc() - begin;			\
	}								\
}

#define BENCH_OP(kind, length, leaves_nothing)				\
	{								\
		.what		= #kind "_" #length,			\
		.batch		= batch_##kind##_##length,		\
		.singles	= singles_##kind##_##length,		\
		.discards	= leaves_nothing,			\
	}

BENCH_DEFINE_OP(write, 8)
BENCH_DEFINE_OP(write, 16)
BENCH_DEFINE_OP(write, 32)
BENCH_DEFINE_OP(write, 64)
BENCH_DEFINE_OP(write, 128)
BENCH_DEFINE_OP(write, 256)
#ifndef BENCH_WRITES_ONLY
BENCH_DEFINE_OP(copy, 16)
BENCH_DEFINE_OP(copy, 64)
BENCH_DEFINE_OP(discard, 16)
#endif

static const struct bench_op ops[] = {
	BENCH_OP(write, 8, false),
	BENCH_OP(write, 16, false),
	BENCH_OP(write, 32, false),
	BENCH_OP(write, 64, false),
	BENCH_OP(write, 128, false),
	BENCH_OP(write, 256, false),
#ifndef BENCH_WRITES_ONLY
	BENCH_OP(copy, 16, false),
	BENCH_OP(copy, 64, false),
	BENCH_OP(discard, 16, true),
#endif
	{ }
};

#endif /* _TRING_BENCH_OPS_H */
