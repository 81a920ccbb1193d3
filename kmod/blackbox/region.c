// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that outlives the kernel: RAM that its command line keeps it from using, or a
 * device's. Rings in it can be read after a panic or a reset, by the next kernel.
 *
 * It has two halves, which take turns: while one keeps what the last boot recorded, this
 * boot records in the other one. Each begins with a struct tring_directory_region and a copy of
 * it, and what it holds is found by the directories in it, as in any image of memory. What was
 * not read yet is overwritten with persist_force only.
 *
 * The CPUs' caches may hold what was written last. A panic writes them back, on the CPU that
 * panics; a reset does not, and what it loses depends on the machine and on persist_cache.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
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
/* A page, and its copy. */
#define HEAD_SIZE	(2 * PAGE_SIZE)
/* Less holds no ring of the least size. */
#define HALF_MIN	((size_t)SZ_1M)

/* The kernel refuses such a parameter under lockdown: it names memory to write to. */
static char *region_text;
module_param_hw_named(persist, region_text, charp, other, 0400);
MODULE_PARM_DESC(persist, "ADDRESS,SIZE of memory that outlives the kernel, for the files \"persistent\"");

static bool persist_force;
module_param(persist_force, bool, 0644);
MODULE_PARM_DESC(persist_force, "overwrite what an earlier boot left in that memory, read or not");

static char *persist_cache = "wb";
module_param(persist_cache, charp, 0444);
MODULE_PARM_DESC(persist_cache, "what caches do with stores to that memory: wb, write-back (the default), or wt, write-through (x86 only)");

static phys_addr_t region_start;
static struct tring_directory_region *region_halves[HALVES];
/* 0: there is no such memory. */
static size_t half_size;
/* The half in which this boot records, once a ring was moved there. */
static struct tring_directory_region *used_half;
static struct gen_pool *region_pool;
static DEFINE_MUTEX(region_mutex);

static u64 checksum_of_half(const struct tring_directory_region *half)
{
	return tring_directory_checksum(&half->head + 1,
					offsetof(struct tring_directory_region, state) -
					sizeof(half->head));
}

static phys_addr_t address_of_half(const struct tring_directory_region *half)
{
	return region_start + ((void *)half - (void *)region_halves[0]);
}

static struct tring_directory_region *copy_of_half(struct tring_directory_region *half)
{
	return (void *)half + PAGE_SIZE;
}

static bool has_magic(const struct tring_directory_region *page, u64 magic)
{
	return page->head.magic == magic && page->head.physical == address_of_half(page) &&
	       page->head.version == TRING_DIRECTORY_VERSION && page->size == half_size &&
	       page->head.checksum == checksum_of_half(page);
}

static bool is_valid(const struct tring_directory_region *half)
{
	return has_magic(half, TRING_DIRECTORY_REGION);
}

static void set_state(struct tring_directory_region *half, enum tring_directory_state state)
{
	half->state = state;
	copy_of_half(half)->state = state;
}

/* After a damage the copy tells what the page has told. If one of them waits, both do. */
static void mend_half(struct tring_directory_region *half)
{
	const struct tring_directory_region *copy = copy_of_half(half);

	if (!has_magic(copy, TRING_DIRECTORY_REGION | TRING_DIRECTORY_COPY))
		return;
	if (!is_valid(half)) {
		memcpy(half, copy, sizeof(*half));
		half->head.physical = address_of_half(half);
		half->head.virtual = copy->head.virtual - PAGE_SIZE;
		half->head.magic = TRING_DIRECTORY_REGION;
	} else if (copy->turn == half->turn && copy->state == TRING_REGION_USED) {
		half->state = TRING_REGION_USED;
	}
}

static bool is_waiting(const struct tring_directory_region *half)
{
	return half != used_half && is_valid(half) && half->state == TRING_REGION_USED;
}

/* 0 for a half that was never used. */
static u64 turn_of(const struct tring_directory_region *half)
{
	return is_valid(half) ? half->turn : 0;
}

static void clear_memory(void *data, size_t size)
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
	bool swapped = turn_of(region_halves[1]) < turn_of(region_halves[0]);
	struct tring_directory_region *older = region_halves[swapped];
	struct tring_directory_region *newer = region_halves[!swapped];

	if (!is_waiting(older))
		return older;
	if (!is_waiting(newer))
		return newer;
	return persist_force ? older : NULL;
}

/*
 * Write a word and read it from behind the caches, which alone may have it where no memory
 * is; the word is as before then.
 */
static bool is_stored(u64 *word)
{
	u64 before = READ_ONCE(*word), read;

	WRITE_ONCE(*word, ~before);
	arch_wb_cache_pmem(word, sizeof(*word));
	arch_invalidate_pmem(word, sizeof(*word));
	read = READ_ONCE(*word);
	WRITE_ONCE(*word, before);
	arch_wb_cache_pmem(word, sizeof(*word));
	return read == ~before;
}

/* What is valid was read from there, and may be waited for: it stays as it is. */
static bool is_memory(struct tring_directory_region *half)
{
	return is_valid(half) ||
	       (is_stored(&half->head.magic) && is_stored(&copy_of_half(half)->head.magic));
}

/* To be called before the first change of more than that word. */
static int probe_halves(void)
{
	return is_memory(region_halves[0]) && is_memory(region_halves[1]) ? 0 : -ENXIO;
}

/**
 * tring_region_begin - make room for the rings of this boot
 *
 * Does nothing the second time.
 *
 * Context: task, may sleep.
 * Return: 0; -ENODEV: the parameter "persist" names none; -ENXIO: no memory is at that address;
 * -EBUSY: both halves hold what was not read yet; -ENOMEM.
 */
int tring_region_begin(void)
{
	struct tring_directory_region *half, *copy;
	u64 turn;
	int err = 0;

	mutex_lock(&region_mutex);
	if (!half_size)
		err = -ENODEV;
	if (err || used_half)
		goto unlock;
	err = probe_halves();
	if (err)
		goto unlock;
	half = choose_half();
	err = half ? 0 : -EBUSY;
	if (err)
		goto unlock;
	err = -ENOMEM;
	region_pool = gen_pool_create(PAGE_SHIFT, NUMA_NO_NODE);
	if (!region_pool)
		goto unlock;
	err = gen_pool_add(region_pool, (unsigned long)half + HEAD_SIZE, half_size - HEAD_SIZE,
			   NUMA_NO_NODE);
	if (err)
		goto destroy_pool;
	turn = max(turn_of(region_halves[0]), turn_of(region_halves[1])) + 1;
	clear_memory(half, half_size);
	half->head.physical = address_of_half(half);
	half->head.virtual = (uintptr_t)half;
	half->head.version = TRING_DIRECTORY_VERSION;
	half->head.size = offsetof(struct tring_directory_region, state);
	half->size = half_size;
	half->turn = turn;
	half->head.checksum = checksum_of_half(half);
	copy = copy_of_half(half);
	memcpy(copy, half, sizeof(*copy));
	copy->head.physical = address_of_half(copy);
	copy->head.virtual = (uintptr_t)copy;
	set_state(half, TRING_REGION_USED);
	/* TB(directory:A) the pages before their magic numbers. Pairs with an image of them. */
	smp_wmb();
	WRITE_ONCE(half->head.magic, TRING_DIRECTORY_REGION);
	WRITE_ONCE(copy->head.magic, TRING_DIRECTORY_REGION | TRING_DIRECTORY_COPY);
	used_half = half;
	goto unlock;
destroy_pool:
	gen_pool_destroy(region_pool);
unlock:
	mutex_unlock(&region_mutex);
	return err;
}

static int ask_region(unsigned long bytes)
{
	return gen_pool_avail(region_pool) < bytes ? -ENOMEM : 0;
}

/* After tring_region_begin(). The region has no holes, and no nodes. */
static void *alloc_from_region(size_t size, int node, bool contiguous)
{
	void *data = (void *)gen_pool_alloc(region_pool, size);

	if (!data)
		return ERR_PTR(-ENOMEM);
	clear_memory(data, PAGE_ALIGN(size));
	return data;
}

static void free_to_region(const void *data, size_t size, bool contiguous)
{
	gen_pool_free(region_pool, (unsigned long)data, size);
}

/* Memory that outlives the kernel. */
const struct tring_allocator tring_region = {
	.ask	= ask_region,
	.alloc	= alloc_from_region,
	.free	= free_to_region,
};

/**
 * tring_region_has - tell the region's memory from other memory
 * @data: any address
 */
bool tring_region_has(const void *data)
{
	return used_half && data >= (void *)used_half && data < (void *)used_half + half_size;
}

/* The newest half that an earlier boot left and user space has not read. */
static struct tring_directory_region *find_waiting(void)
{
	struct tring_directory_region *found = NULL;
	int i;

	lockdep_assert_held(&region_mutex);
	for (i = 0; half_size && i < HALVES; i++)
		if (is_waiting(region_halves[i]) &&
		    turn_of(region_halves[i]) > (found ? turn_of(found) : 0))
			found = region_halves[i];
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

	mutex_lock(&region_mutex);
	found = find_waiting();
	mutex_unlock(&region_mutex);
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
 * Return: 0; -ENODATA if nothing is waiting; -ENODEV: the parameter "persist" names no memory.
 */
int tring_region_release(void)
{
	struct tring_directory_region *half;

	if (!half_size)
		return -ENODEV;
	mutex_lock(&region_mutex);
	half = find_waiting();
	if (half)
		set_state(half, TRING_REGION_SALVAGED);
	mutex_unlock(&region_mutex);
	return half ? 0 : -ENODATA;
}

/**
 * tring_region_wipe - erase what earlier boots left, read or not
 *
 * Context: task, may sleep.
 * Return: 0; -ENODEV: the parameter "persist" names none; -ENXIO: no memory is at that address.
 */
int tring_region_wipe(void)
{
	int i, err;

	if (!half_size)
		return -ENODEV;
	mutex_lock(&region_mutex);
	err = probe_halves();
	for (i = 0; !err && i < HALVES; i++)
		if (region_halves[i] != used_half)
			clear_memory(region_halves[i], half_size);
	mutex_unlock(&region_mutex);
	return err;
}

/**
 * tring_region_write_back - write the caches back, as far as they hold this boot's half
 *
 * Context: any, the panicking CPU's included.
 */
void tring_region_write_back(void)
{
	struct tring_directory_region *half = READ_ONCE(used_half);

	if (!half)
		return;
	arch_wb_cache_pmem(half, half_size);
	/* On x86 CLWB is no store: only a fence keeps the next one behind it. */
	wmb();
	half->flushed = IS_ENABLED(CONFIG_ARCH_HAS_PMEM_API);
	copy_of_half(half)->flushed = half->flushed;
	arch_wb_cache_pmem(half, HEAD_SIZE);
	/* The machine may be reset from here on. */
	wmb();
}

/*
 * The kind of mapping that persist_cache names.
 *
 * x86 keeps the order of stores in write-through memory as in write-back memory, but not in
 * write-combining memory, where other CPUs, and an image after a reset, would have commits
 * before their records. On arm64 memremap() gives device memory in place of write-through
 * memory: that takes no unaligned stores, and need not take atomic operations.
 */
static int parse_cache(unsigned long *flags)
{
	if (!strcmp(persist_cache, "wb"))
		*flags = MEMREMAP_WB;
	else if (IS_ENABLED(CONFIG_X86) && !strcmp(persist_cache, "wt"))
		*flags = MEMREMAP_WT;
	else
		return -EINVAL;
	return 0;
}

static int parse_place(phys_addr_t *address, size_t *size)
{
	char *end;

	*address = memparse(region_text, &end);
	if (end == region_text || *end != ',')
		return -EINVAL;
	*size = memparse(end + 1, &end);
	/* Pages, and two halves. */
	if (*end || *address % PAGE_SIZE || *size % (HALVES * PAGE_SIZE) ||
	    *size < HALVES * HALF_MIN || *address + *size < *address)
		return -EINVAL;
	return 0;
}

/*
 * Is it a device's registers, or may it be? The kernel describes all memory by more than an
 * address, but for what the device tree of an arm64 reserves. What it does not know at all may
 * be memory that "mem=" has cut off, and tring_region_begin() finds out.
 */
static bool is_device(const struct resource *place)
{
	const struct resource *outer = place->parent;

	if (outer == &iomem_resource || outer->desc != IORES_DESC_NONE)
		return false;
	return !IS_ENABLED(CONFIG_ARM64) || strcmp(outer->name, "reserved");
}

/**
 * tring_region_init - take what the parameter "persist" names
 *
 * Context: task, may sleep.
 * Return: 0, also without that parameter; -EINVAL: it is no address and size, or the caches
 * cannot do what the parameter "persist_cache" says; -EBUSY: the kernel, a driver or a
 * device has that memory; -ENOMEM: it cannot be mapped.
 */
int __init tring_region_init(void)
{
	const struct tring_directory_region *waiting;
	const struct resource *place;
	unsigned long flags;
	size_t size;
	void *data;
	int err;

	err = parse_cache(&flags);
	if (err) {
		pr_err("persist_cache=%s is not \"wb\"%s\n", persist_cache,
		       IS_ENABLED(CONFIG_X86) ? " or \"wt\"" : "; x86 alone has \"wt\"");
		return err;
	}
	if (!region_text)
		return 0;
	err = parse_place(&region_start, &size);
	if (err) {
		pr_err("persist=%s is not ADDRESS,SIZE, of whole pages and %zu MiB at least\n",
		       region_text, HALVES * HALF_MIN >> 20);
		return err;
	}
	if (region_intersects(region_start, size, IORESOURCE_SYSTEM_RAM, IORES_DESC_NONE) !=
	    REGION_DISJOINT) {
		pr_err("persist=%s is memory that the kernel uses: see tring(4)\n", region_text);
		return -EBUSY;
	}
	place = request_mem_region(region_start, size, KBUILD_MODNAME);
	if (!place) {
		pr_err("persist=%s is memory that another driver has; \"tring arm --check %s\" names it\n",
		       region_text, region_text);
		return -EBUSY;
	}
	err = -EBUSY;
	if (is_device(place)) {
		pr_err("persist=%s is no memory but a device's, \"%s\"\n", region_text,
		       place->parent->name);
		goto release;
	}
	err = -ENOMEM;
	data = IS_ENABLED(CONFIG_HAS_IOMEM) ? memremap(region_start, size, flags) : NULL;
	if (!data) {
		pr_err("persist=%s with persist_cache=%s cannot be mapped\n", region_text,
		       persist_cache);
		goto release;
	}
	half_size = size / HALVES;
	region_halves[0] = data;
	region_halves[1] = data + half_size;
	mend_half(region_halves[0]);
	mend_half(region_halves[1]);
	waiting = tring_region_waiting();
	if (waiting)
		pr_info("what was recorded before this boot waits in last_boot%s\n",
			waiting->flushed ? ", as of a panic" : "");
	return 0;

release:
	release_mem_region(region_start, size);
	return err;
}

/**
 * tring_region_exit - undo tring_region_init(), after the last ring
 *
 * Context: task, may sleep.
 */
void tring_region_exit(void)
{
	if (!IS_ENABLED(CONFIG_HAS_IOMEM) || !half_size)
		return;
	if (used_half) {
		set_state(used_half, TRING_REGION_EMPTY);
		gen_pool_destroy(region_pool);
	}
	memunmap(region_halves[0]);
	release_mem_region(region_start, HALVES * half_size);
}
