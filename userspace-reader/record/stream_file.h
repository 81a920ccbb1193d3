/* SPDX-License-Identifier: GPL-2.0 */
/* The file of a CPU's packets, and the packets that are to be written to it. */
#ifndef TRING_STREAM_FILE_H
#define TRING_STREAM_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compressor.h"
#include "writer.h"

/**
 * struct tring_batch - bytes that are to be written to a file
 * @data: the bytes, beginning with a packet
 * @capacity: size of @data
 * @fill: number of bytes in @data
 * @whole: number of bytes in whole packets; behind them is the first part of
 *	another packet
 * @last: offset of the last whole packet
 * @saved: number of bytes of @whole that are in the file
 * @offset: offset of @data in the file
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
 * struct tring_stream_file - the file of a CPU's packets
 * @path: path of the file; NULL if the file is closed
 * @compressor: compresses the packets, if it has a level
 * @writer: thread for direct I/O or compression
 * @fd: the file; -1 until there is a packet
 * @direct_fd: the file opened for direct I/O; -1 if that is not possible
 * @batch: the batch that is being filled
 * @other: the batch that @writer writes, if @is_written
 * @is_written: @write was begun and not settled
 * @write: the write of @other
 * @failed: negative errno of a write, after which nothing more is written
 */
struct tring_stream_file {
	char		*path;
	struct tring_compressor compressor;
	struct tring_writer writer;
	int		fd;
	int		direct_fd;
	struct tring_batch batch;
	struct tring_batch other;
	bool		is_written;
	struct tring_write write;
	int		failed;
};

void tring_stream_file_init(struct tring_stream_file *file, const char *path);
void tring_stream_file_compress(struct tring_stream_file *file, int level);
void tring_stream_file_close(struct tring_stream_file *file);
int tring_stream_file_turn(struct tring_stream_file *file, const char *path);
int tring_stream_file_make_room(struct tring_stream_file *file, size_t size);
int tring_stream_file_begin(struct tring_stream_file *file, const uint8_t *packet);
int tring_stream_file_save(struct tring_stream_file *file);
int tring_stream_file_pass_on(struct tring_stream_file *file);
int tring_stream_file_settle(struct tring_stream_file *file);
int tring_stream_file_give_up(struct tring_stream_file *file, int error);
int tring_stream_file_sync(struct tring_stream_file *file);
int tring_stream_file_add(struct tring_stream_file *file, const uint8_t *packet, size_t size);
int tring_stream_file_poll(struct tring_stream_file *file);

/**
 * tring_stream_file_is_saved - check whether the file has all whole packets
 * @file: the file
 */
static inline bool tring_stream_file_is_saved(const struct tring_stream_file *file)
{
	return !file->is_written && file->batch.saved == file->batch.whole;
}

/**
 * tring_stream_file_is_direct - check whether full batches are written directly
 * @file: the file, after its first packet was saved
 */
static inline bool
tring_stream_file_is_direct(const struct tring_stream_file *file)
{
	return file->direct_fd >= 0;
}

/**
 * tring_stream_file_is_batched - check whether packets wait for a full batch
 * @file: the file, after its first packet was saved if it is not compressed
 */
static inline bool
tring_stream_file_is_batched(const struct tring_stream_file *file)
{
	return tring_stream_file_is_direct(file) || file->compressor.level;
}

/**
 * tring_stream_file_stored - get the size of the file
 * @file: the file
 *
 * Return: bytes of packets, or of frames.
 */
static inline uint64_t tring_stream_file_stored(const struct tring_stream_file *file)
{
	if (file->compressor.level)
		return atomic_load(&file->compressor.size);
	return file->batch.offset + file->batch.whole;
}

#endif /* TRING_STREAM_FILE_H */
