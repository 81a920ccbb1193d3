/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User-mode Linux may read the host's time stamp counter, but the headers that
 * say how are for a kernel of x86 itself, and do not compile in it. This stands
 * in for them, ahead of everything else, in the benchmark's kernel only: see
 * native.c.
 */
#ifndef _TRING_BENCH_UML_TSC_H
#define _TRING_BENCH_UML_TSC_H

#define _ASM_X86_TSC_H
#define _ASM_X86_MSR_H

#include <linux/types.h>

/* How fast it ticks nobody here knows, or needs to. */
#define tsc_khz	1U

static __always_inline u64 rdtsc(void)
{
	return __builtin_ia32_rdtsc();
}

#endif /* _TRING_BENCH_UML_TSC_H */
