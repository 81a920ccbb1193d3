/* SPDX-License-Identifier: GPL-2.0 */
/* A thread that writes to files, so that the main thread does not wait for the disk. */
#ifndef TRING_WRITER_H
#define TRING_WRITER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tring_write_state {
	TRING_WRITE_NONE,
	TRING_WRITE_QUEUED,
	TRING_WRITE_RUNNING,
	TRING_WRITE_DONE,
};

/**
 * struct tring_write - a write to a file
 * @fd: the file
 * @data: bytes to write; must not change until the write is settled
 * @size: number of bytes
 * @offset: offset in the file
 * @done: number of bytes written, once the write is settled
 * @error: negative errno if @done is less than @size; 0 also if the write was not
 *	begun
 * @state: state of the write, private to the writer
 * @next: next write in the queue, private to the writer
 */
struct tring_write {
	int		fd;
	const uint8_t	*data;
	size_t		size;
	uint64_t	offset;
	size_t		done;
	int		error;
	enum tring_write_state state;
	struct tring_write *next;
};

/**
 * struct tring_writer - a thread that writes to files
 * @thread: the thread, if @started
 * @mutex: protects the queue, the writes in it, and @stop
 * @work: signalled when a write was queued or the thread should end
 * @settled: signalled when the thread has finished a write
 * @first: first write in the queue, NULL if it is empty
 * @last: last write in the queue, if it is not empty
 * @slow_until_ns: time until which the disk is considered slow
 * @stop: the thread should end when the queue is empty
 * @started: the thread exists
 */
struct tring_writer {
	pthread_t	thread;
	pthread_mutex_t	mutex;
	pthread_cond_t	work;
	pthread_cond_t	settled;
	struct tring_write *first;
	struct tring_write *last;
	uint64_t	slow_until_ns;
	bool		stop;
	bool		started;
};

int tring_writer_start(struct tring_writer *writer);
void tring_writer_stop(struct tring_writer *writer);
void tring_writer_queue(struct tring_writer *writer, struct tring_write *write);
bool tring_writer_is_through(struct tring_writer *writer,
			     const struct tring_write *write);
bool tring_writer_wait(struct tring_writer *writer,
		       const struct tring_write *write);
bool tring_writer_is_slow(const struct tring_writer *writer);
void tring_writer_settle(struct tring_writer *writer,
			 struct tring_write *write);

size_t tring_write_at(int fd, const uint8_t *data, size_t size,
		      uint64_t offset, int *error);

#endif /* TRING_WRITER_H */
