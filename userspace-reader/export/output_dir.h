/* SPDX-License-Identifier: GPL-2.0 */
/* A directory that appears under its name when all its files are complete. */
#ifndef TRING_OUTPUT_DIR_H
#define TRING_OUTPUT_DIR_H

#include <stddef.h>

#include "util/entry.h"

/**
 * struct tring_output_dir - a directory that is being written
 * @path: its path as the user has given it
 * @place: name that it gets
 * @draft: name until then, in the same directory
 * @fd: the directory
 * @error: negative errno of the first failure, or 0; nothing is written then
 */
struct tring_output_dir {
	char		*path;
	struct tring_entry place;
	char		*draft;
	int		fd;
	int		error;
};

int tring_output_dir_open(struct tring_output_dir *dir, const char *path);
void tring_output_dir_make(struct tring_output_dir *dir, const char *name);
void tring_output_dir_append(struct tring_output_dir *dir, const char *name, const void *bytes,
			     size_t size);
int tring_output_dir_close(struct tring_output_dir *dir);

#endif /* TRING_OUTPUT_DIR_H */
