/* SPDX-License-Identifier: GPL-2.0 */
/* What tring start leaves behind for the commands that come after it. */
#ifndef TRING_STARTED_H
#define TRING_STARTED_H

#include "state.h"

int tring_started_count(char **lines, const struct tring_control *control);
bool tring_started_parse(struct tring_leftover *leftover, char *line);
struct tring_started_cpu *tring_started_cpu(const struct tring_leftover *started, int cpu);
int tring_started_update(const struct tring_leftover *started);
int tring_started_refuse(const struct tring_control *control);

#endif /* TRING_STARTED_H */
