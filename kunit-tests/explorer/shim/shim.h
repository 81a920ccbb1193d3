/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of the kernel that the ring uses, in user space, for one CPU that writes and
 * others that read. Each part is as small as the ring allows. There is nothing else: a
 * ring that uses more does not compile.
 *
 * For each <linux/...> header that the ring includes, scripts/check/explorer.sh makes a
 * header that includes this one.
 */
#ifndef SHIM_H
#define SHIM_H

#include "basics.h"
#include "atomics.h"
#include "list.h"
#include "memory.h"
#include "waiting.h"

#endif /* SHIM_H */
