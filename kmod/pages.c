// SPDX-License-Identifier: GPL-2.0
/*
 * Pages for the rings of all traces. A ring is as large as its user wants it, so the rest
 * of the system must not pay for a size that was a mistake:
 *  - A size that is more than the kernel has available is refused before the first page is
 *    taken. The kernel's number is an estimate, and other tasks take pages meanwhile.
 *  - An allocation that finds no page fails. It does not call the OOM killer.
 *  - Another task's allocation may call the OOM killer meanwhile. It then kills the task
 *    that allocates the ring, and no other. That task gives its pages back.
 *  - memory_limit_mb bounds the memory of all rings together, what describes their pages
 *    included, and what is charged for besides.
 *
 * ftrace has the first three rules, too (rb_allocate_pages() in the kernel's
 * kernel/trace/ring_buffer.c).
 */
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/oom.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "pages.h"

static unsigned long memory_limit_mb;
module_param(memory_limit_mb, ulong, 0644);
MODULE_PARM_DESC(memory_limit_mb, "MiB that all rings and counters together may have; 0: no limit");

/* Bytes of all rings and counters together. */
static atomic_long_t total_bytes;

/**
 * tring_pages_total - memory of all rings and counters together
 *
 * Context: any.
 * Return: bytes that tring_pages has handed out and that are not freed, and those of
 * tring_pages_charge().
 */
unsigned long tring_pages_total(void)
{
	return atomic_long_read(&total_bytes);
}

static bool limit_allows(unsigned long bytes)
{
	unsigned long limit = READ_ONCE(memory_limit_mb);
	unsigned long used = tring_pages_total();

	/* A limit above ULONG_MAX bytes is none. */
	if (!limit || limit > ULONG_MAX >> 20)
		return true;
	limit <<= 20;
	return used <= limit && bytes <= limit - used;
}

static int ask_kernel(unsigned long bytes)
{
	long available = si_mem_available();

	if (available < 0 || bytes >> PAGE_SHIFT > available || !limit_allows(bytes))
		return -ENOMEM;
	return 0;
}

/**
 * tring_pages_begin - begin to allocate the pages of a ring
 *
 * Up to tring_pages_end() the OOM killer takes the current task first.
 *
 * Context: task.
 */
void tring_pages_begin(void)
{
	/* A kernel thread cannot be killed. */
	if (current->mm)
		set_current_oom_origin();
}

/**
 * tring_pages_end - the pages of a ring are allocated, or are given back
 *
 * Context: the task that called tring_pages_begin().
 */
void tring_pages_end(void)
{
	if (current->mm)
		clear_current_oom_origin();
}

static void *alloc_from_kernel(size_t size, int node, bool contiguous)
{
	struct page *page;
	void *data;

	if (fatal_signal_pending(current))
		return ERR_PTR(-EINTR);
	/* Rings that are allocated at the same time have asked for the same memory. */
	if (!limit_allows(size))
		return ERR_PTR(-ENOMEM);
	if (contiguous) {
		page = alloc_pages_node(node, TRING_PAGES_GFP | __GFP_COMP, get_order(size));
		data = page ? page_address(page) : NULL;
	} else {
		data = kvmalloc_node(size, TRING_PAGES_GFP, node);
	}
	if (!data)
		return ERR_PTR(-ENOMEM);
	atomic_long_add(size, &total_bytes);
	return data;
}

static void free_to_kernel(const void *data, size_t size, bool contiguous)
{
	if (contiguous)
		free_pages((unsigned long)data, get_order(size));
	else
		kvfree(data);
	atomic_long_sub(size, &total_bytes);
}

const struct tring_allocator tring_pages = {
	.ask	= ask_kernel,
	.alloc	= alloc_from_kernel,
	.free	= free_to_kernel,
};

/**
 * tring_pages_charge - count memory that the kernel allocates for events
 * @bytes: of the next allocation
 *
 * Context: any.
 * Return: 0, to be undone by tring_pages_uncharge(); -ENOMEM: memory_limit_mb forbids it.
 */
int tring_pages_charge(unsigned long bytes)
{
	if (!limit_allows(bytes))
		return -ENOMEM;
	atomic_long_add(bytes, &total_bytes);
	return 0;
}

/**
 * tring_pages_uncharge - undo tring_pages_charge()
 * @bytes: of memory that is freed
 *
 * Context: any.
 */
void tring_pages_uncharge(unsigned long bytes)
{
	atomic_long_sub(bytes, &total_bytes);
}
