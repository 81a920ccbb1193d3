/* SPDX-License-Identifier: GPL-2.0 */
/* Where a recording comes from: machine, user, command line and settings. */
#ifndef TRING_ORIGIN_H
#define TRING_ORIGIN_H

#include "event_rules.h"
#include "tracefs/control.h"

#define TRING_CPU_MASK	"tracing_cpumask"

bool tring_origin_is_limit(const struct tring_control *control, const char *file);
char *tring_origin_left_out(const struct tring_control *control,
			    const struct tring_event_rules *rules);
char *tring_origin_text(const struct tring_control *control,
			const struct tring_event_rules *rules);

#endif /* TRING_ORIGIN_H */
