/* SPDX-License-Identifier: GPL-2.0 */
/* Which events tables need. */
#ifndef TRING_LIVE_EVENTS_H
#define TRING_LIVE_EVENTS_H

#include "record/options.h"
#include "show/top_show.h"

int tring_live_events_choose(struct tring_top_choice *choice,
			     struct tring_recording_options *options);

#endif /* TRING_LIVE_EVENTS_H */
