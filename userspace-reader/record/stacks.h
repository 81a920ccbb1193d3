/* SPDX-License-Identifier: GPL-2.0 */
/* Stacks behind the events of a recording. */
#ifndef TRING_STACKS_H
#define TRING_STACKS_H

#include "recording.h"

int tring_stacks_set_up(struct tring_recording *recording);
int tring_stacks_load(struct tring_recording *recording);

#endif /* TRING_STACKS_H */
