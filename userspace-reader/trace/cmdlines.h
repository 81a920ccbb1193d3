/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The names of tasks that a trace has saved. */
#ifndef TRING_CMDLINES_H
#define TRING_CMDLINES_H

#include "event/names.h"
#include "parts_dir.h"

int tring_cmdlines_read(struct tring_names *names, const struct tring_parts_list *parts);
int tring_cgroups_read(struct tring_names *names, const struct tring_parts_list *parts);

#endif /* TRING_CMDLINES_H */
