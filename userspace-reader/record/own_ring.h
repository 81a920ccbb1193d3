/* SPDX-License-Identifier: GPL-2.0 */
/* Instances that a program makes for itself. */
#ifndef TRING_OWN_RING_H
#define TRING_OWN_RING_H

#include <stdbool.h>
#include <stddef.h>

#include "options.h"

struct tring_own_ring;

/**
 * enum tring_own_kind - what an instance is for
 * @TRING_OWN_TOP: tring top
 * @TRING_OWN_STOP: a condition of tring record --stop-when
 */
enum tring_own_kind {
	TRING_OWN_TOP,
	TRING_OWN_STOP,
};

int tring_own_rings_clean_up(void);
int tring_own_ring_make(struct tring_own_ring **made, enum tring_own_kind kind, size_t number,
			const struct tring_recording_options *options, const char *wake_percent);
const char *tring_own_ring_name(const struct tring_own_ring *ring);
char *tring_own_ring_left_out(const struct tring_own_ring *ring);
int tring_own_ring_signals(const struct tring_own_ring *ring);
int tring_own_ring_record(struct tring_own_ring *ring, bool on);
int tring_own_ring_end(struct tring_own_ring *ring);

#endif /* TRING_OWN_RING_H */
