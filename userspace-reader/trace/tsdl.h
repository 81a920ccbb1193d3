/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* CTF 1.8 metadata (TSDL) for a tring trace. */
#ifndef TRING_TSDL_H
#define TRING_TSDL_H

#include <stdio.h>

#include "event/events.h"
#include "short_ids.h"
#include "trace_info.h"
#include "util/tsdl_text.h"

bool tring_tsdl_write(FILE *file, const struct tring_trace_info *info,
		      const struct tring_short_ids *shorts,
		      const struct tring_events *events);

#endif /* TRING_TSDL_H */
