/* SPDX-License-Identifier: GPL-2.0 */
/* A directory that appears under its name when all its files are complete. */
#ifndef TRING_OUTPUT_DIR_H
#define TRING_OUTPUT_DIR_H

#include "output.h"

int tring_output_dir_open(struct tring_output *dir, const char *path);
void tring_output_dir_make(struct tring_output *dir, const char *name);
void tring_output_dir_append(struct tring_output *dir, const char *name, const void *bytes,
			     size_t size);

#endif /* TRING_OUTPUT_DIR_H */
