/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compares what comes out of the ring with what went in. See ledger.c.
 */
#ifndef _TRING_LEDGER_H
#define _TRING_LEDGER_H

#include "ring/ring.h"

void ledger_begin(void);
void ledger_read_one(void);
const char *ledger_end(void);

#endif /* _TRING_LEDGER_H */
