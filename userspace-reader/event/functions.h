/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Functions of the kernel that print formats call. */
#ifndef TRING_FUNCTIONS_H
#define TRING_FUNCTIONS_H

#include <stdint.h>

#include "events.h"

void tring_functions_add(struct tring_events *events, uint64_t tick_frequency);
void tring_functions_remove(struct tring_events *events);

#endif /* TRING_FUNCTIONS_H */
