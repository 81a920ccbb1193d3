/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernel's functions by address. */
#ifndef TRING_SYMBOLS_H
#define TRING_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tring.h"

#define TRING_SYMBOLS_CACHED	1024

/**
 * struct tring_symbols - the kernel's symbols
 * @text: memory of the names
 * @list: the symbols, by address
 * @count: number of @list
 * @cached: places of addresses that were looked up, by a hash
 */
struct tring_symbols {
	char		*text;
	struct tring_symbol *list;
	size_t		count;
	struct {
		uint64_t address;
		struct tring_symbol *symbol;
	} cached[TRING_SYMBOLS_CACHED];
};

void tring_symbols_take(struct tring_symbols *symbols, char *text);
bool tring_symbols_add(struct tring_symbols *symbols, char *line);
void tring_symbols_sort(struct tring_symbols *symbols);
struct tring_symbol *tring_symbols_find(struct tring_symbols *symbols, uint64_t address);
void tring_symbols_free(struct tring_symbols *symbols);

#endif /* TRING_SYMBOLS_H */
