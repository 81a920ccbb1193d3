/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pages for the rings of all traces: how much may be taken, and by which rules. See
 * pages.c.
 */
#ifndef _TRING_PAGES_H
#define _TRING_PAGES_H

#include <linux/gfp.h>
#include <linux/types.h>

/* An allocation with these flags fails before it calls the OOM killer. */
#define TRING_PAGES_GFP	(GFP_KERNEL | __GFP_ZERO | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/**
 * struct tring_allocator - a kind of memory that rings can lie in
 * @ask: is there as much? 0 or -ENOMEM. Any context
 * @alloc: some bytes, filled with zeroes, from a NUMA node if possible; a power of two of
 *	pages that is contiguous in physical memory, or any number of bytes that need not be.
 *	Returns an ERR_PTR() of -ENOMEM, or -EINTR after a fatal signal. Task context, may sleep
 * @free: what @alloc has returned, with the same arguments. Task context, may sleep
 */
struct tring_allocator {
	int (*ask)(unsigned long bytes);
	void *(*alloc)(size_t size, int node, bool contiguous);
	void (*free)(const void *data, size_t size, bool contiguous);
};

/* The kernel's own. */
extern const struct tring_allocator tring_pages;

void tring_pages_begin(void);
void tring_pages_end(void);
int tring_pages_charge(unsigned long bytes);
void tring_pages_uncharge(unsigned long bytes);
unsigned long tring_pages_total(void);

#endif /* _TRING_PAGES_H */
