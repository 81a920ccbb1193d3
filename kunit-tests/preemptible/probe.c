// SPDX-License-Identifier: GPL-2.0
/*
 * A probe as kernels since 7.0 need it, for any kernel.
 */
#define TRING_PROBES_ARE_PREEMPTIBLE
#define TRING_SUBSYSTEM tring_preemptible
#define TRING_EVENT_HEADER "trace/events/tring_preemptible.h"
#include "probes/subsystem.h"
