/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of the addresses that a trace prints. */
#ifndef TRING_KEPT_SYMBOLS_H
#define TRING_KEPT_SYMBOLS_H

#include <stdint.h>

#include "event/events.h"

#define TRING_ADDRESSES_RECENT	1024

/**
 * struct tring_addresses - addresses that a trace prints; all 0 for none, @list to be freed
 * @list: the addresses
 * @count: number of @list
 * @sorted: number of those that differ, when they were sorted last
 * @recent: addresses that were added, by a hash
 */
struct tring_addresses {
	uint64_t	*list;
	size_t		count;
	size_t		sorted;
	uint64_t	recent[TRING_ADDRESSES_RECENT];
};

void tring_kept_symbols_scan(struct tring_addresses *addresses, const struct tring_events *events,
			     const char *path, const uint16_t *short_ids);
char *tring_kept_symbols_text(struct tring_addresses *addresses, int fd);

#endif /* TRING_KEPT_SYMBOLS_H */
