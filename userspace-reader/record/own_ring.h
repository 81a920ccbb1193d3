/* SPDX-License-Identifier: GPL-2.0 */
/* The instance that tring top makes for itself. */
#ifndef TRING_OWN_RING_H
#define TRING_OWN_RING_H

#include <stdbool.h>

#include "options.h"

struct tring_own_ring;

int tring_own_ring_make(struct tring_own_ring **made,
			const struct tring_recording_options *options, const char *wake_percent);
const char *tring_own_ring_name(const struct tring_own_ring *ring);
char *tring_own_ring_left_out(const struct tring_own_ring *ring);
int tring_own_ring_signals(const struct tring_own_ring *ring);
int tring_own_ring_record(struct tring_own_ring *ring, bool on);
int tring_own_ring_end(struct tring_own_ring *ring);

#endif /* TRING_OWN_RING_H */
