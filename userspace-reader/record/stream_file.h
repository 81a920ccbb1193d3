/* SPDX-License-Identifier: GPL-2.0 */
/* The file that a CPU's packets are written to, and what is on its way there. */
#ifndef TRING_STREAM_FILE_H
#define TRING_STREAM_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "writer.h"

/**
 * struct tring_batch - bytes on their way to a file
 * @data: the first of a packet first
 * @capacity: of @data
 * @fill: bytes in @data
 * @whole: of those, in packets that are to be written; the rest is the first
 *	part of another one
 * @last: where the last of these packets starts
 * @saved: of @whole, bytes that are in the file
 * @offset: of the first byte in the file
 */
struct tring_batch {
	uint8_t		*data;
	size_t		capacity;
	size_t		fill;
	size_t		whole;
	size_t		last;
	size_t		saved;
	uint64_t	offset;
};

/**
 * struct tring_stream_file - the file
 * @path: its name; NULL in a file that is closed
 * @writer: who writes to it directly; NULL if nobody
 * @fd: -1 until there is a packet
 * @direct_fd: the same file, opened for direct I/O; -1 if that is not to be had
 * @batch: what is being filled
 * @other: what @writer has, if @is_flying
 * @is_flying: @write was queued and not settled
 * @write: of @other
 * @failed: negative errno of a write, after which nothing more is written
 */
struct tring_stream_file {
	char		*path;
	struct tring_writer *writer;
	int		fd;
	int		direct_fd;
	struct tring_batch batch;
	struct tring_batch other;
	bool		is_flying;
	struct tring_write write;
	int		failed;
};

void tring_stream_file_init(struct tring_stream_file *file, const char *path,
			    struct tring_writer *writer);
void tring_stream_file_close(struct tring_stream_file *file);
int tring_stream_file_make_room(struct tring_stream_file *file, size_t size);
int tring_stream_file_save(struct tring_stream_file *file);
int tring_stream_file_pass_on(struct tring_stream_file *file);
int tring_stream_file_poll(struct tring_stream_file *file);

/**
 * tring_stream_file_is_direct - is it worth waiting until a batch is full?
 * @file: a packet of which was saved
 */
static inline bool
tring_stream_file_is_direct(const struct tring_stream_file *file)
{
	return file->direct_fd >= 0;
}

#endif /* TRING_STREAM_FILE_H */
