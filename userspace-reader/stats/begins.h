/* SPDX-License-Identifier: GPL-2.0 */
/* Begins that have no end yet, by what they have in common with it. */
#ifndef TRING_BEGINS_H
#define TRING_BEGINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

struct tring_latency_group;

/**
 * struct tring_begin - a begin
 * @by_age: its place in the list
 * @stamp: its timestamp
 * @ns: its time in ns
 * @cpu_at: the place of its CPU
 * @pid: the task that ran
 * @wanted: the user has asked for its task and CPU
 * @group: the row it belongs to; NULL if the end will tell
 * @key: what it has in common with its end
 * @size: bytes of @key
 * @hash: of @key
 */
struct tring_begin {
	TAILQ_ENTRY(tring_begin) by_age;
	uint64_t	stamp;
	uint64_t	ns;
	size_t		cpu_at;
	int32_t		pid;
	bool		wanted;
	struct tring_latency_group *group;
	const void	*key;
	size_t		size;
	uint64_t	hash;
};

TAILQ_HEAD(tring_begin_list, tring_begin);

/**
 * struct tring_begins - begins
 * @tree: the begins, by their keys
 * @list: the same, the oldest one first; TAILQ_INIT() makes it
 * @count: number of begins
 */
struct tring_begins {
	void		*tree;
	struct tring_begin_list list;
	size_t		count;
};

struct tring_begin *tring_begins_find(const struct tring_begins *begins, const void *key,
				      size_t size);
struct tring_begin *tring_begins_add(struct tring_begins *begins, const void *key, size_t size);
void tring_begins_remove(struct tring_begins *begins, struct tring_begin *begin);

#endif /* TRING_BEGINS_H */
