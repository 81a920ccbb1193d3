/* SPDX-License-Identifier: GPL-2.0 */
/* Prints the times of a pair. */
#ifndef TRING_LATENCY_SHOW_H
#define TRING_LATENCY_SHOW_H

#include "stats/match.h"

void tring_latency_show(const struct tring_latency *latency, size_t limit);
void tring_latency_json(const struct tring_latency *latency);

#endif /* TRING_LATENCY_SHOW_H */
