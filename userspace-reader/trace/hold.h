/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The mark of a directory in which a trace is recorded. */
#ifndef TRING_HOLD_H
#define TRING_HOLD_H

#include <stdbool.h>

void tring_hold(int dir);
bool tring_is_held(int dir);

#endif /* TRING_HOLD_H */
