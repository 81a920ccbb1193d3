/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bounds of what libtraceevent reads and computes when it prints an event. */
#ifndef TRING_BOUNDS_H
#define TRING_BOUNDS_H

#include <stdbool.h>

#include "events.h"
#include "wire/wire.h"

bool tring_bounds_handled(const struct tring_event *event);
bool tring_bounds_known(const struct tring_event *event);
const char *tring_bounds_check(const struct tring_event *event,
			       const struct tring_record *record);

#endif /* TRING_BOUNDS_H */
