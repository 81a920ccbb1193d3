/* SPDX-License-Identifier: GPL-2.0 */
/* The lock that lets one recorder at a time use a ring. */
#ifndef TRING_LOCK_H
#define TRING_LOCK_H

#include "tracefs/control.h"

int tring_lock(struct tring_control *control, const char *advice);
char *tring_lock_process(int pid);

#endif /* TRING_LOCK_H */
