/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's functions by address: what libtraceevent says, remembered. */
#ifndef TRING_SYMBOLS_H
#define TRING_SYMBOLS_H

#include <stdint.h>
#include <traceevent/event-parse.h>

#define TRING_SYMBOLS_CACHED	1024

/**
 * struct tring_symbol - the function that an address is in
 * @address: the address, 0 for an unused place
 * @start: where the function begins
 * @name: its name, owned by libtraceevent; NULL if there is none
 */
struct tring_symbol {
	uint64_t	address;
	uint64_t	start;
	const char	*name;
};

/**
 * struct tring_symbols - addresses that were asked for
 * @tep: knows all functions
 * @cached: by some bits of the address
 */
struct tring_symbols {
	struct tep_handle *tep;
	struct tring_symbol cached[TRING_SYMBOLS_CACHED];
};

const struct tring_symbol *tring_symbols_find(struct tring_symbols *symbols,
					      uint64_t address);

#endif /* TRING_SYMBOLS_H */
