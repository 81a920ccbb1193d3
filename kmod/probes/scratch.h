/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory of the CPU that runs, for as long as a probe does. See examine.c.
 */
#ifndef _TRING_SCRATCH_H
#define _TRING_SCRATCH_H

#include <linux/types.h>

/* examine.c APIs: */
void *tring_scratch_take(u32 *size);
void tring_scratch_give(void *memory);

#endif /* _TRING_SCRATCH_H */
