/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers for texts and the like: equal bytes have the same one. */
#ifndef TRING_INTERN_H
#define TRING_INTERN_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct tring_interned - bytes that have a number
 * @bytes: the bytes, with a NUL behind them
 * @size: their number
 * @hash: of them
 */
struct tring_interned {
	char		*bytes;
	size_t		size;
	uint64_t	hash;
};

/**
 * struct tring_intern - bytes and their numbers; zeroed at first
 * @list: the bytes, by number
 * @count: number of @list
 * @places: hash table, half empty: a number and 1, or 0
 * @size: number of @places, a power of 2
 */
struct tring_intern {
	struct tring_interned *list;
	size_t		count;
	uint32_t	*places;
	size_t		size;
};

uint32_t tring_intern(struct tring_intern *intern, const void *bytes, size_t size);
void tring_intern_free(struct tring_intern *intern);

#endif /* TRING_INTERN_H */
