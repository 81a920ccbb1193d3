/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that outlives the kernel. See region.c.
 */
#ifndef _TRING_REGION_H
#define _TRING_REGION_H

#include <linux/types.h>

#include "pages.h"

struct tring_directory_region;

int tring_region_init(void);
void tring_region_exit(void);
extern const struct tring_allocator tring_region;
int tring_region_begin(void);
bool tring_region_has(const void *data);
const struct tring_directory_region *tring_region_waiting(void);
size_t tring_region_size(void);
int tring_region_release(void);
int tring_region_wipe(void);
void tring_region_write_back(void);

#endif /* _TRING_REGION_H */
