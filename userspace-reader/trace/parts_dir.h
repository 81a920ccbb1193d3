/* SPDX-License-Identifier: GPL-2.0 */
/* The directory of a trace that is split into parts. */
#ifndef TRING_PARTS_DIR_H
#define TRING_PARTS_DIR_H

#include <stdbool.h>
#include <stdint.h>

bool tring_is_part(const char *name);
char *tring_part_path(const char *dir, uint64_t number);
char *tring_part_draft(const char *dir);
bool tring_parts_dir_is(const char *dir);
int tring_parts_dir_remove(const char *part);

#endif /* TRING_PARTS_DIR_H */
