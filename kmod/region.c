// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that outlives the kernel: RAM that its command line keeps it from using, or a
 * device's. Rings in it can be read after a panic or a reset, by the next kernel.
 *
 * It has two halves, which take turns: while one keeps what the last boot recorded, this
 * boot records in the other one. Each begins with a struct tring_directory_region, and what
 * it holds is found by the directories in it, as in any image of memory. What was not
 * read yet is overwritten with persist_force only.
 *
 * The kernel's caches may hold what was written last. A panic writes them back, on the CPU
 * that panics; a reset does not, and what it loses depends on the machine.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/genalloc.h>
#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/kernel.h>
#include <linux/libnvdimm.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include "region.h"
#include "tring_directory.h"

#define HALVES		2
/* Less holds no ring of the least size. */
#define HALF_MIN	((size_t)SZ_1M)

static char *persist;
module_param(persist, charp, 0444);
MODULE_PARM_DESC(persist, "ADDRESS,SIZE of memory that outlives the kernel, for the files \"persistent\"");

static bool persist_force;
module_param(persist_force, bool, 0644);
MODULE_PARM_DESC(persist_force, "overwrite what an earlier boot left in that memory, read or not");

static phys_addr_t start;
static struct tring_directory_region *halves[HALVES];
/* 0: there is no such memory. */
static size_t half_size;
/* The half in which this boot records, once a ring was moved there. */
static struct tring_directory_region *used;
static struct gen_pool *pool;
static DEFINE_MUTEX(mutex);

static u64 checksum(const struct tring_directory_region *half)
{
	return tring_directory_checksum(&half->head + 1,
					offsetof(struct tring_directory_region, state) -
					sizeof(half->head));
}

static phys_addr_t physical_address(const struct tring_directory_region *half)
{
	return start + ((void *)half - (void *)halves[0]);
}

static bool is_valid(const struct tring_directory_region *half)
{
	return half->head.magic == TRING_DIRECTORY_REGION &&
	       half->head.physical == physical_address(half) &&
	       half->head.version == TRING_DIRECTORY_VERSION && half->size == half_size &&
	       half->head.checksum == checksum(half);
}

static bool is_waiting(const struct tring_directory_region *half)
{
	return half != used && is_valid(half) && half->state == TRING_REGION_USED;
}

/* 0 for a half that was never used. */
static u64 turn_of(const struct tring_directory_region *half)
{
	return is_valid(half) ? half->turn : 0;
}

static void clear(void *data, size_t size)
{
	size_t some;

	for (; size; data += some, size -= some) {
		some = min_t(size_t, size, SZ_1M);
		memset(data, 0, some);
		cond_resched();
	}
}

/* The half for this boot: it holds nothing that is waited for, or the older content. */
static struct tring_directory_region *choose_half(void)
{
	struct tring_directory_region *older = halves[turn_of(halves[1]) < turn_of(halves[0])];
	struct tring_directory_region *newer = halves[older == halves[0]];

	if (!is_waiting(older))
		return older;
	if (!is_waiting(newer))
		return newer;
	return persist_force ? older : NULL;
}

/**
 * tring_region_begin - make room for the rings of this boot
 *
 * Does nothing the second time.
 *
 * Context: task, may sleep.
 * Return: 0; -ENODEV: there is no such memory; -EBUSY: both halves hold what was not read
 * yet; -ENOMEM.
 */
int tring_region_begin(void)
{
	struct tring_directory_region *half;
	u64 turn;
	int err = 0;

	mutex_lock(&mutex);
	if (!half_size)
		err = -ENODEV;
	if (err || used)
		goto unlock;
	half = choose_half();
	err = half ? 0 : -EBUSY;
	if (err)
		goto unlock;
	err = -ENOMEM;
	pool = gen_pool_create(PAGE_SHIFT, NUMA_NO_NODE);
	if (!pool)
		goto unlock;
	err = gen_pool_add(pool, (unsigned long)half + PAGE_SIZE, half_size - PAGE_SIZE,
			   NUMA_NO_NODE);
	if (err) {
		gen_pool_destroy(pool);
		goto unlock;
	}
	turn = max(turn_of(halves[0]), turn_of(halves[1])) + 1;
	clear(half, half_size);
	half->head.physical = physical_address(half);
	half->head.virtual = (uintptr_t)half;
	half->head.version = TRING_DIRECTORY_VERSION;
	half->head.size = offsetof(struct tring_directory_region, state);
	half->size = half_size;
	half->turn = turn;
	half->head.checksum = checksum(half);
	half->state = TRING_REGION_USED;
	/* TB(directory:A) the page before its magic number. Pairs with an image of it. */
	smp_wmb();
	WRITE_ONCE(half->head.magic, TRING_DIRECTORY_REGION);
	used = half;
unlock:
	mutex_unlock(&mutex);
	return err;
}

/**
 * tring_region_alloc - allocate memory that outlives the kernel, filled with zeroes
 * @size: bytes
 *
 * Context: task, may sleep, after tring_region_begin().
 * Return: the first byte, at the beginning of a page; NULL if there is no room.
 */
void *tring_region_alloc(size_t size)
{
	void *data = (void *)gen_pool_alloc(pool, size);

	if (data)
		clear(data, PAGE_ALIGN(size));
	return data;
}

/**
 * tring_region_free - free memory
 * @data: from tring_region_alloc()
 * @size: that it was called with
 *
 * Context: task.
 */
void tring_region_free(const void *data, size_t size)
{
	gen_pool_free(pool, (unsigned long)data, size);
}

/**
 * tring_region_has - tell the region's memory from other memory
 * @data: any address
 */
bool tring_region_has(const void *data)
{
	return used && data >= (void *)used && data < (void *)used + half_size;
}

/* The newest half that an earlier boot left and user space has not read. */
static struct tring_directory_region *find_waiting(void)
{
	struct tring_directory_region *found = NULL;
	int i;

	lockdep_assert_held(&mutex);
	for (i = 0; half_size && i < HALVES; i++)
		if (is_waiting(halves[i]) && turn_of(halves[i]) > (found ? turn_of(found) : 0))
			found = halves[i];
	return found;
}

/**
 * tring_region_waiting - what an earlier boot left and user space has not read
 *
 * Context: task.
 * Return: the newest such half, tring_region_size() bytes; NULL if there is none.
 */
const struct tring_directory_region *tring_region_waiting(void)
{
	const struct tring_directory_region *found;

	mutex_lock(&mutex);
	found = find_waiting();
	mutex_unlock(&mutex);
	return found;
}

/**
 * tring_region_size - bytes of a half, which is what tring_region_waiting() returns
 */
size_t tring_region_size(void)
{
	return half_size;
}

/**
 * tring_region_release - user space has read what tring_region_waiting() returns
 *
 * A boot may record there now.
 *
 * Context: task, may sleep.
 * Return: 0, or -ENODATA if nothing is waiting.
 */
int tring_region_release(void)
{
	struct tring_directory_region *half;

	mutex_lock(&mutex);
	half = find_waiting();
	if (half)
		half->state = TRING_REGION_SALVAGED;
	mutex_unlock(&mutex);
	return half ? 0 : -ENODATA;
}

/**
 * tring_region_wipe - erase what earlier boots left, read or not
 *
 * Context: task, may sleep.
 * Return: 0, or -ENODEV if there is no such memory.
 */
int tring_region_wipe(void)
{
	int i;

	if (!half_size)
		return -ENODEV;
	mutex_lock(&mutex);
	for (i = 0; i < HALVES; i++)
		if (halves[i] != used)
			clear(halves[i], half_size);
	mutex_unlock(&mutex);
	return 0;
}

/**
 * tring_region_write_back - write the caches back, as far as they hold this boot's half
 *
 * Context: any, the panicking CPU's included.
 */
void tring_region_write_back(void)
{
	struct tring_directory_region *half = READ_ONCE(used);

	if (!half)
		return;
	arch_wb_cache_pmem(half, half_size);
	half->flushed = 1;
	arch_wb_cache_pmem(half, PAGE_SIZE);
}

static int parse(phys_addr_t *address, size_t *size)
{
	char *end;

	*address = memparse(persist, &end);
	if (end == persist || *end != ',')
		return -EINVAL;
	*size = memparse(end + 1, &end);
	/* Pages, and two halves. */
	if (*end || *address % PAGE_SIZE || *size % (HALVES * PAGE_SIZE) ||
	    *size < HALVES * HALF_MIN || *address + *size < *address)
		return -EINVAL;
	return 0;
}

/**
 * tring_region_init - take what the parameter "persist" names
 *
 * Context: task, may sleep.
 * Return: 0, also without that parameter; -EINVAL: it is no address and size; -EBUSY: the
 * kernel or a driver uses that memory; -ENOMEM: it cannot be mapped.
 */
int __init tring_region_init(void)
{
	const struct tring_directory_region *waiting;
	size_t size;
	void *data;
	int err;

	if (!persist)
		return 0;
	err = parse(&start, &size);
	if (err) {
		pr_err("persist=%s is not ADDRESS,SIZE, of whole pages and %zu MiB at least\n",
		       persist, HALVES * HALF_MIN >> 20);
		return err;
	}
	if (region_intersects(start, size, IORESOURCE_SYSTEM_RAM, IORES_DESC_NONE) !=
	    REGION_DISJOINT) {
		pr_err("persist=%s is memory that the kernel uses; memmap= on its command line prevents that\n",
		       persist);
		return -EBUSY;
	}
	if (!request_mem_region(start, size, KBUILD_MODNAME)) {
		pr_err("persist=%s is memory that another driver has\n", persist);
		return -EBUSY;
	}
	data = memremap(start, size, MEMREMAP_WB);
	if (!data) {
		release_mem_region(start, size);
		return -ENOMEM;
	}
	half_size = size / HALVES;
	halves[0] = data;
	halves[1] = data + half_size;
	waiting = tring_region_waiting();
	if (waiting)
		pr_info("what was recorded before this boot waits in last_boot%s\n",
			waiting->flushed ? ", as of a panic" : "");
	return 0;
}

/**
 * tring_region_exit - undo tring_region_init(), after the last ring
 *
 * Context: task, may sleep.
 */
void tring_region_exit(void)
{
	if (!half_size)
		return;
	if (used) {
		used->state = TRING_REGION_EMPTY;
		gen_pool_destroy(pool);
	}
	memunmap(halves[0]);
	release_mem_region(start, HALVES * half_size);
}
