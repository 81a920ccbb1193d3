/* SPDX-License-Identifier: GPL-2.0 */
/* A file, or a directory, that appears under its name when it is complete. */
#ifndef TRING_OUTPUT_H
#define TRING_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/entry.h"

/**
 * struct tring_output - a file that is being written
 * @path: its path as the user has given it
 * @place: name that it gets
 * @draft: name until then, in the same directory
 * @fd: the file, or the directory
 * @is_dir: it is a directory, to which the next three do not apply
 * @buffer: bytes that are still to be written
 * @fill: number of bytes in @buffer
 * @offset: offset of @buffer in the file
 * @error: negative errno of the first write that failed, or 0; nothing is written then
 */
struct tring_output {
	char		*path;
	struct tring_entry place;
	char		*draft;
	int		fd;
	bool		is_dir;
	uint8_t		*buffer;
	size_t		fill;
	uint64_t	offset;
	int		error;
};

void tring_output_catch(void);
bool tring_output_caught(void);
void tring_output_raise(void);
mode_t tring_output_mode(mode_t wanted);
int tring_output_find(struct tring_output *output, const char *path);
int tring_output_create(struct tring_output *output, int error);
int tring_output_open(struct tring_output *output, const char *path, const void *magic,
		      size_t size);
void tring_output_add(struct tring_output *output, const void *bytes, size_t size);
void tring_output_patch(struct tring_output *output, uint64_t offset, const void *bytes,
			size_t size);
void tring_output_restart(struct tring_output *output);
int tring_output_close(struct tring_output *output);

/**
 * tring_output_at - get the offset of the byte that is added next
 * @output: the file
 */
static inline uint64_t tring_output_at(const struct tring_output *output)
{
	return output->offset + output->fill;
}

#endif /* TRING_OUTPUT_H */
