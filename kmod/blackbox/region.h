/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that outlives the kernel. See region.c.
 */
#ifndef _TRING_REGION_H
#define _TRING_REGION_H

#include <linux/errno.h>
#include <linux/types.h>

#include "pages.h"

struct tring_directory_region;

#ifdef CONFIG_HAS_IOMEM
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
#else
static inline int tring_region_init(void)
{
	return 0;
}

static inline void tring_region_exit(void) { }

static inline int tring_region_begin(void)
{
	return -ENODEV;
}

/* Nothing lies there. */
#define tring_region	tring_pages

static inline bool tring_region_has(const void *data)
{
	return false;
}

static inline const struct tring_directory_region *tring_region_waiting(void)
{
	return NULL;
}

static inline size_t tring_region_size(void)
{
	return 0;
}

static inline int tring_region_release(void)
{
	return -ENODATA;
}

static inline int tring_region_wipe(void)
{
	return -ENODEV;
}

static inline void tring_region_write_back(void) { }
#endif

#endif /* _TRING_REGION_H */
