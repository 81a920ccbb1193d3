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

int tring_pages_ask(unsigned long bytes);
int tring_pages_begin(unsigned long bytes);
void tring_pages_end(void);
void *tring_pages_alloc(int node, unsigned int order);
void tring_pages_free(const void *data, unsigned int order);
int tring_pages_charge(unsigned long bytes);
void tring_pages_uncharge(unsigned long bytes);
unsigned long tring_pages_total(void);

#endif /* _TRING_PAGES_H */
