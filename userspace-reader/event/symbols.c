// SPDX-License-Identifier: LGPL-2.1-or-later
/* Cache of the kernel's functions by address. */
#include "symbols.h"

/**
 * tring_symbols_find - find the function that contains an address
 * @symbols: the cache; all but @symbols->tep zeroed before the first call
 * @address: the address
 *
 * Return: libtraceevent's answer, valid until the next call.
 */
const struct tring_symbol *tring_symbols_find(struct tring_symbols *symbols,
					      uint64_t address)
{
	/* multiplying by the golden ratio spreads addresses that differ in few bits */
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
