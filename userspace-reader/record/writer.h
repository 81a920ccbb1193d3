/* SPDX-License-Identifier: GPL-2.0 */
/* Writes to a file in a thread, so that its owner does not wait for the disk. */
#ifndef TRING_WRITER_H
#define TRING_WRITER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tring_compressor;

/**
 * struct tring_write - a write to a file
 * @fd: the file
 * @compressor: what compresses the bytes, or NULL
 * @data: bytes to write; must not change until the write is settled
 * @size: number of bytes
 * @offset: offset in the file; not used with @compressor
 * @done: number of bytes written, once the write is settled
 * @error: negative errno if @done is less than @size
 */
struct tring_write {
	int		fd;
	struct tring_compressor *compressor;
	const uint8_t	*data;
	size_t		size;
	uint64_t	offset;
	size_t		done;
	int		error;
};

/**
 * struct tring_writer - what does one write at a time
 * @thread: does the write, if @is_running
 * @is_running: the thread exists
 * @slow_until_ns: time until which the disk is considered slow
 */
struct tring_writer {
	pthread_t	thread;
	bool		is_running;
	uint64_t	slow_until_ns;
};

void tring_writer_begin(struct tring_writer *writer, struct tring_write *write);
bool tring_writer_is_through(struct tring_writer *writer);
bool tring_writer_wait(struct tring_writer *writer);
bool tring_writer_is_slow(const struct tring_writer *writer);
void tring_writer_settle(struct tring_writer *writer);

#endif /* TRING_WRITER_H */
