/* SPDX-License-Identifier: GPL-2.0 */
/* A thread that writes to a file, so that its owner does not wait for the disk. */
#ifndef TRING_WRITER_H
#define TRING_WRITER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tring_compressor;

enum tring_write_state {
	TRING_WRITE_NONE,
	TRING_WRITE_QUEUED,
	TRING_WRITE_RUNNING,
	TRING_WRITE_DONE,
};

/**
 * struct tring_write - a write to a file
 * @fd: the file
 * @compressor: what compresses the bytes, or NULL
 * @data: bytes to write; must not change until the write is settled
 * @size: number of bytes
 * @offset: offset in the file; not used with @compressor
 * @done: number of bytes written, once the write is settled
 * @error: negative errno if @done is less than @size; 0 also if the write was not
 *	begun
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
 * struct tring_writer - a thread that does one write at a time
 * @thread: the thread, if @started
 * @mutex: protects @write, @state and @stop
 * @changed: signalled when @state or @stop has changed
 * @write: the write, unless @state is TRING_WRITE_NONE
 * @state: state of @write
 * @stop: the thread should end
 * @started: the thread exists; the owner's
 * @slow_until_ns: time until which the disk is considered slow; the owner's
 */
struct tring_writer {
	pthread_t	thread;
	pthread_mutex_t	mutex;
	pthread_cond_t	changed;
	struct tring_write *write;
	enum tring_write_state state;
	bool		stop;
	bool		started;
	uint64_t	slow_until_ns;
};

int tring_writer_start(struct tring_writer *writer);
void tring_writer_stop(struct tring_writer *writer);
void tring_writer_queue(struct tring_writer *writer, struct tring_write *write);
bool tring_writer_is_through(struct tring_writer *writer);
bool tring_writer_wait(struct tring_writer *writer);
bool tring_writer_is_slow(const struct tring_writer *writer);
void tring_writer_settle(struct tring_writer *writer);

#endif /* TRING_WRITER_H */
