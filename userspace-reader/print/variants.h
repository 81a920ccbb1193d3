/* SPDX-License-Identifier: GPL-2.0 */
/* What versions of libtraceevent, and of its plugins, print differently. */
#ifndef TRING_VARIANTS_H
#define TRING_VARIANTS_H

#include <stdbool.h>

#include "tring.h"

/* Bits of a task's state that may have a letter. */
#define TRING_STATES	32

bool tring_variants_braces(void);
bool tring_variants_states(const struct tring_event *event,
			   const struct tep_format_field *state, char *letters);

#endif /* TRING_VARIANTS_H */
