/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernel's symbols that a trace needs. */
#ifndef TRING_KEPT_SYMBOLS_H
#define TRING_KEPT_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/events.h"

#define TRING_KEPT_CACHED	4096

/**
 * struct tring_kept_symbol - one of the kernel's symbols
 * @address: first address
 * @line: line of kallsyms
 * @kept: the trace needs it
 */
struct tring_kept_symbol {
	uint64_t	address;
	const char	*line;
	bool		kept;
};

/**
 * struct tring_kept_symbols - the kernel's symbols, ordered by address
 * @text: memory of the lines
 * @list: the symbols
 * @count: number of entries in @list
 * @lowest: lowest address of a function
 * @cached: addresses that were looked up, by a hash
 */
struct tring_kept_symbols {
	char		*text;
	struct tring_kept_symbol *list;
	size_t		count;
	uint64_t	lowest;
	uint64_t	cached[TRING_KEPT_CACHED];
};

void tring_kept_symbols_init(struct tring_kept_symbols *symbols, char *text);
int tring_kept_symbols_scan(struct tring_kept_symbols *symbols, const char *path,
			    const struct tring_events *events, const uint16_t *short_ids);
char *tring_kept_symbols_text(const struct tring_kept_symbols *symbols);
void tring_kept_symbols_free(struct tring_kept_symbols *symbols);

#endif /* TRING_KEPT_SYMBOLS_H */
