// SPDX-License-Identifier: GPL-2.0
/*
 * The function whose call the benchmark measures; the only one that is compiled for ftrace.
 */
#include <linux/compiler.h>

#include "bench.h"

/**
 * bench_function - do nothing
 * @count: not used
 *
 * Context: any.
 */
noinline void bench_function(unsigned int count)
{
	barrier();
}
