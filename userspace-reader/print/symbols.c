// SPDX-License-Identifier: GPL-2.0
/* The kernel's functions by address: what libtraceevent says, remembered. */
#include "symbols.h"

/**
 * tring_symbols_find - the function that an address is in
 * @symbols: zeroed but for @symbols->tep before the first call
 * @address: the address
 *
 * Return: what libtraceevent knows of it, valid until the next call.
 */
const struct tring_symbol *tring_symbols_find(struct tring_symbols *symbols,
					      uint64_t address)
{
	/* the golden ratio spreads addresses that differ in few bits */
	uint64_t place = (address * 0x9e3779b97f4a7c15ull) >> 32;
	struct tring_symbol *symbol =
		&symbols->cached[place % TRING_SYMBOLS_CACHED];

	if (symbol->address != address || !address) {
		symbol->address = address;
		symbol->name = tep_find_function(symbols->tep, address);
		symbol->start = tep_find_function_address(symbols->tep,
							  address);
	}
	return symbol;
}
