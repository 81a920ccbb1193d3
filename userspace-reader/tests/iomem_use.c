// SPDX-License-Identifier: GPL-2.0
/* Description: /proc/iomem tells whether memory can be one that outlives the kernel. */
#include <stdlib.h>

#include "helpers.h"
#include "record/iomem.h"

static const char iomem[] =
	"00001000-0009fbff : System RAM\n"
	"10000000-11ffffff : Reserved\n"
	"12000000-1ffdefff : System RAM\n"
	"  12200000-135fffff : Kernel code\n"
	"20000000-3fffffff : PCI Bus 0000:00\n"
	"  20000000-20003fff : 0000:00:03.0\n"
	"100000000-103ffffff : Persistent Memory\n"
	"  100000000-1001fffff : namespace0.0\n"
	"  100200000-101ffffff : dax0.0\n"
	"  102000000-103ffffff : tring\n"
	"200000000-201ffffff : tring\n";

static void find(uint64_t address, uint64_t size, const char *kind, const char *driver,
		 bool by_kernel, bool whole)
{
	struct tring_iomem_use use;

	tring_iomem_find(&use, iomem, address, size);
	CHECK(!use.hidden);
	CHECK(!use.kind == !kind && (!kind || !strcmp(use.kind, kind)));
	CHECK(!use.driver == !driver && (!driver || !strcmp(use.driver, driver)));
	CHECK(use.by_kernel == by_kernel);
	CHECK(use.whole == whole);
	free(use.driver);
	free(use.kind);
}

int main(void)
{
	struct tring_iomem_use use;

	find(0x10000000, 0x2000000, "Reserved", NULL, false, true);
	find(0x11fff000, 0x1000, "Reserved", NULL, false, true);
	/* a part is RAM that the kernel uses, wherever that part lies */
	find(0x11000000, 0x2000000, "System RAM", NULL, true, false);
	find(0x0009f000, 0x10000000, "System RAM", NULL, true, false);
	find(0x13000000, 0x1000, "System RAM", NULL, true, true);
	find(0x0fff0000, 0x100000, "Reserved", NULL, false, false);
	find(0x20000000, 0x1000, "PCI Bus 0000:00", "0000:00:03.0", false, true);
	find(0x100000000, 0x100000, "Persistent Memory", "namespace0.0", false, true);
	find(0x100200000, 0x100000, "Persistent Memory", "dax0.0", false, true);
	/* tring itself is no other driver, and its line does not say that there is memory */
	find(0x102000000, 0x2000000, "Persistent Memory", NULL, false, true);
	find(0x200000000, 0x2000000, NULL, NULL, false, false);
	find(0xffffffffffffe000, 0x2000, NULL, NULL, false, false);

	tring_iomem_find(&use, "00000000-00000000 : System RAM\n", 0x10000000, 0x1000);
	CHECK(use.hidden && !use.kind);
	tring_iomem_find(&use, "bad\n 12-\n\n1-2", 1, 1);
	CHECK(!use.kind && !use.driver);
	return 0;
}
