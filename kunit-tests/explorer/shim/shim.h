/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the ring's files need of the kernel, for one CPU that writes and others
 * that read, in user space. Each is as small as the ring's use of it allows, and
 * nothing more is here: a ring that needs more does not compile.
 *
 * scripts/check/explorer.sh makes a <linux/...> header that includes this one for
 * each that the ring's files ask for.
 */
#ifndef SHIM_H
#define SHIM_H

#include "basics.h"
#include "atomics.h"
#include "list.h"
#include "memory.h"
#include "waiting.h"

#endif /* SHIM_H */
