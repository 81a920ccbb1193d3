/* SPDX-License-Identifier: GPL-2.0 */
/* Begins that have no end yet, by what they have in common with it. */
#ifndef TRING_BEGINS_H
#define TRING_BEGINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tring_latency_group;

/**
 * struct tring_begin - a begin
 * @next: the next one of the same place
 * @hash: of @key
 * @stamp: its timestamp
 * @ns: its time in ns
 * @cpu_at: the place of its CPU
 * @pid: the task that ran
 * @wanted: the user has asked for its task and CPU
 * @group: the row it belongs to; NULL if the end will tell
 * @size: bytes of @key
 * @key: what it has in common with its end
 */
struct tring_begin {
	struct tring_begin *next;
	uint64_t	hash;
	uint64_t	stamp;
	uint64_t	ns;
	size_t		cpu_at;
	int32_t		pid;
	bool		wanted;
	struct tring_latency_group *group;
	size_t		size;
	uint8_t		key[];
};

/**
 * struct tring_begins - begins
 * @places: hash table, of lists
 * @size: number of @places, a power of 2; 0 before the first begin
 * @count: number of begins
 */
struct tring_begins {
	struct tring_begin **places;
	size_t		size;
	size_t		count;
};

struct tring_begin **tring_begins_find(const struct tring_begins *begins, const void *key,
				       size_t size);
struct tring_begin *tring_begins_add(struct tring_begins *begins, const void *key, size_t size);
void tring_begins_remove(struct tring_begins *begins, struct tring_begin **place);
void tring_begins_free(struct tring_begins *begins);

#endif /* TRING_BEGINS_H */
