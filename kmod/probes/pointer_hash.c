// SPDX-License-Identifier: GPL-2.0
/*
 * The hash of an address by which a trace tells one object from another, such as mm_id of
 * rss_stat. ftrace has it from ptr_to_hashval(), which is not exported to modules. "%p" prints
 * the same one, but costs as much as an event by perf. So each CPU remembers the hashes of a few
 * addresses. A hash never changes.
 *
 * With "no_hash_pointers" the kernel prints the address, whose lower half is recorded then.
 */
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/preempt.h>

#include "pointer_hash.h"

#define KNOWN_BITS	3

struct known_hash {
	const void	*ptr;
	unsigned long	hash;
};

static DEFINE_PER_CPU(struct known_hash, known_hashes[BIT(KNOWN_BITS)]);

/**
 * tring_ptr_to_hashval - hash an address as ptr_to_hashval() does
 * @ptr: the address
 * @hash: receives 32 bits
 *
 * Only tasks use what a CPU remembers: an interrupt may come between its two halves.
 *
 * Context: any, with preemption disabled.
 * Return: 0, or -EINVAL as long as the kernel has no random number to hash with.
 */
int tring_ptr_to_hashval(const void *ptr, unsigned long *hash)
{
	struct known_hash *known = this_cpu_ptr(&known_hashes[hash_ptr(ptr, KNOWN_BITS)]);
	bool is_task = in_task();
	char text[2 * sizeof(ptr) + 1];
	int err;

	if (likely(is_task && known->ptr == ptr)) {
		*hash = known->hash;
		return 0;
	}
	snprintf(text, sizeof(text), "%p", ptr);
	err = kstrtoul(text, 16, hash);
	if (!err && is_task) {
		known->ptr = ptr;
		known->hash = *hash;
	}
	return err;
}
NOKPROBE_SYMBOL(tring_ptr_to_hashval);
