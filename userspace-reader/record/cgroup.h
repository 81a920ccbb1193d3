/* SPDX-License-Identifier: GPL-2.0 */
/* Cgroups by their paths. */
#ifndef TRING_CGROUP_H
#define TRING_CGROUP_H

#include <stdint.h>

int tring_cgroup_find(const char *path, uint64_t *id);

#endif /* TRING_CGROUP_H */
