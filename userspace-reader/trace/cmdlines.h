/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The names of tasks that a trace has saved. */
#ifndef TRING_CMDLINES_H
#define TRING_CMDLINES_H

#include <stddef.h>

#include "parts_dir.h"

char *tring_cmdlines_read(const struct tring_parts_list *parts, size_t *size);

#endif /* TRING_CMDLINES_H */
