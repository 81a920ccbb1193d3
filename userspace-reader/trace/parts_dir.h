/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The directory of a trace that is split into parts. */
#ifndef TRING_PARTS_DIR_H
#define TRING_PARTS_DIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct tring_parts_list - the trace directories of a trace
 * @dirs: the directory itself; or those of its parts, in the order of time
 * @count: number of @dirs
 * @divided: they are parts
 */
struct tring_parts_list {
	char		**dirs;
	size_t		count;
	bool		divided;
};

bool tring_is_part(const char *name);
char *tring_part_path(const char *dir, uint64_t number);
char *tring_part_draft(const char *dir);
int tring_parts_list(struct tring_parts_list *list, const char *dir);
bool tring_parts_list_has_gap(const struct tring_parts_list *list, size_t at);
bool tring_parts_list_is_newer(const struct tring_parts_list *list, const char *part);
void tring_parts_list_add(struct tring_parts_list *list, const char *part);
void tring_parts_list_free(struct tring_parts_list *list);
int tring_parts_dir_remove(const char *part);

#endif /* TRING_PARTS_DIR_H */
