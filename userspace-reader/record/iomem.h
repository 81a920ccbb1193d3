/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernel says of memory that is to outlive it. */
#ifndef TRING_RECORD_IOMEM_H
#define TRING_RECORD_IOMEM_H

#include <stdbool.h>
#include <stdint.h>

#define TRING_IOMEM	"/proc/iomem"

/**
 * struct tring_iomem_use - what uses a region of memory
 * @kind: the memory, as "Reserved"; NULL: no line has any of it
 * @driver: what has some of it, other than tring and the kernel itself; NULL: nothing
 * @by_kernel: some of it is RAM that the kernel uses
 * @whole: all of it is of that kind
 * @hidden: no addresses are shown, because only root may see them
 */
struct tring_iomem_use {
	char	*kind;
	char	*driver;
	bool	by_kernel;
	bool	whole;
	bool	hidden;
};

void tring_iomem_find(struct tring_iomem_use *use, const char *text, uint64_t address,
		      uint64_t size);
bool tring_iomem_print(uint64_t address, uint64_t size);

#endif /* TRING_RECORD_IOMEM_H */
