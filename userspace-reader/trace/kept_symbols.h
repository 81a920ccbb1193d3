/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernel's symbols that a trace needs. */
#ifndef TRING_KEPT_SYMBOLS_H
#define TRING_KEPT_SYMBOLS_H

#include <stdint.h>

#include "event/events.h"

void tring_kept_symbols_scan(const struct tring_events *events, const char *path,
			     const uint16_t *short_ids);
char *tring_kept_symbols_text(const struct tring_symbols *symbols);

#endif /* TRING_KEPT_SYMBOLS_H */
