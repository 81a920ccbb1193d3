/* SPDX-License-Identifier: GPL-2.0 */
/* Calls of functions in a recording: the tracer, and the lists that choose functions. */
#ifndef TRING_CALLS_H
#define TRING_CALLS_H

#include "recording.h"

int tring_calls_set_up(struct tring_recording *recording);
int tring_calls_load(struct tring_recording *recording);

#endif /* TRING_CALLS_H */
