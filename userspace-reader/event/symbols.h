/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Cache of the kernel's functions by address. */
#ifndef TRING_SYMBOLS_H
#define TRING_SYMBOLS_H

#include <stdint.h>
#include <traceevent/event-parse.h>

#define TRING_SYMBOLS_CACHED	1024

/**
 * struct tring_symbol - function that contains an address
 * @address: the address; 0 for an unused place
 * @start: address of the function
 * @name: name of the function, owned by libtraceevent; NULL if unknown
 */
struct tring_symbol {
	uint64_t	address;
	uint64_t	start;
	const char	*name;
};

/**
 * struct tring_symbols - cache of looked-up addresses
 * @tep: libtraceevent's handle, with all functions
 * @cached: looked-up addresses, by a hash of the address
 */
struct tring_symbols {
	struct tep_handle *tep;
	struct tring_symbol cached[TRING_SYMBOLS_CACHED];
};

const struct tring_symbol *tring_symbols_find(struct tring_symbols *symbols,
					      uint64_t address);

#endif /* TRING_SYMBOLS_H */
