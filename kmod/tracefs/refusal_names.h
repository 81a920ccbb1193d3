/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of the reasons for which a ring refuses an event, as the stats file has them.
 */
#ifndef _TRING_TRACEFS_REFUSAL_NAMES_H
#define _TRING_TRACEFS_REFUSAL_NAMES_H

#include "ring/ring.h"

/**
 * tring_refusal_name - name of a refusal
 * @reason: below TRING_REFUSALS
 */
static inline const char *tring_refusal_name(enum tring_refusal reason)
{
	static const char *const names[TRING_REFUSALS] = {
		[TRING_REFUSED_NO_ROOM]		= "no_room",
		[TRING_REFUSED_OPEN_COMMIT]	= "open_commit",
		[TRING_REFUSED_TOO_LARGE]	= "too_large",
		[TRING_REFUSED_RETRIES]		= "retries",
		[TRING_REFUSED_NESTED]		= "nested",
		[TRING_REFUSED_STOPPED]		= "stopped",
		[TRING_REFUSED_NO_MEMORY]	= "no_memory",
		[TRING_REFUSED_OFF]		= "off",
	};

	return names[reason];
}

#endif /* _TRING_TRACEFS_REFUSAL_NAMES_H */
