/* SPDX-License-Identifier: GPL-2.0 */
/* Which events tables need. */
#ifndef TRING_LIVE_EVENTS_H
#define TRING_LIVE_EVENTS_H

#include "read/trace.h"
#include "record/recording.h"
#include "show/top_show.h"

int tring_live_events_choose(struct tring_top_choice *choice,
			     struct tring_recording_options *options);
int tring_live_events_load(struct tring_trace *trace, const struct tring_recording *recording);

#endif /* TRING_LIVE_EVENTS_H */
