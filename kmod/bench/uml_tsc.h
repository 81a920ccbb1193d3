/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User-mode Linux can read the host's time stamp counter, but the kernel's headers for it
 * do not compile there. This file replaces them, in the benchmark's kernel only; see
 * native.c.
 */
#ifndef _TRING_BENCH_UML_TSC_H
#define _TRING_BENCH_UML_TSC_H

#define _ASM_X86_TSC_H
#define _ASM_X86_MSR_H

#include <linux/types.h>

/* The frequency is not known, and not needed. */
#define tsc_khz	1U
#define check_tsc_unstable()	0

static __always_inline u64 rdtsc(void)
{
	return __builtin_ia32_rdtsc();
}

#endif /* _TRING_BENCH_UML_TSC_H */
