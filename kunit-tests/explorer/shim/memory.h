/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory. All of it comes from one arena, which the explorer restores for each schedule.
 * Freed memory is not used again within a schedule. With AddressSanitizer, freed memory
 * and the gaps between allocations are poisoned.
 */
#ifndef SHIM_MEMORY_H
#define SHIM_MEMORY_H

#include "basics.h"

#define GFP_KERNEL		0u
#define __GFP_ZERO		1u
#define __GFP_RETRY_MAYFAIL	0u
#define __GFP_NOWARN		0u

void *shim_allocate(size_t size, size_t align);
void shim_free(const void *memory);

static inline void *shim_allocate_flags(size_t size, gfp_t gfp)
{
	return shim_allocate(size, 16);
}

/* Number of sub-buffers that have pages. */
unsigned int shim_pages_in_use(void);

#define kzalloc(size, gfp)	shim_allocate_flags(size, gfp)
#define kcalloc(n, size, gfp)		shim_allocate_flags((n) * (size), gfp)
#define kzalloc_node(size, gfp, node)	((void)(node), shim_allocate_flags(size, gfp))
#define kvmalloc_node(size, gfp, node)	((void)(node), shim_allocate_flags(size, gfp))
#define kfree(memory)			shim_free(memory)
#define kvfree(memory)			shim_free(memory)
#define alloc_percpu(type)	((type *)shim_allocate(sizeof(type), __alignof__(type)))
#define free_percpu(memory)		shim_free(memory)

/* One CPU has a ring; code on other CPUs does not use these. */
#define per_cpu_ptr(pointer, cpu)	((void)(cpu), (pointer))
#define this_cpu_ptr(pointer)		(pointer)

#endif /* SHIM_MEMORY_H */
