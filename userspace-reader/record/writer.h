/* SPDX-License-Identifier: GPL-2.0 */
/* A thread that writes to files, so that nobody else waits for the disk. */
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
 * struct tring_write - a piece of a file to be written
 * @fd: the file
 * @data: the bytes; must not change until it was settled
 * @size: how many
 * @offset: in the file
 * @done: bytes that were written, when it was settled
 * @error: negative errno if that was not all; 0 also if nobody began it
 * @state: the writer's
 * @next: the writer's
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
 * struct tring_writer - the thread
 * @thread: runs, if @started
 * @mutex: protects what threads share: the queue, the writes in it, and @stop
 * @work: somebody has queued a write, or wants the thread to end
 * @settled: the thread has done one
 * @first: in the queue
 * @last: in the queue, if there is a first
 * @slow_until_ns: when to try again, after somebody has waited for it in vain
 * @stop: end when the queue is empty
 * @started: there is a thread
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
