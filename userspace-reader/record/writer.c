// SPDX-License-Identifier: GPL-2.0
/*
 * A thread that writes to a file, so that its owner does not wait for the disk.
 *
 * Direct I/O takes little CPU time, but it ends only when the disk has the data,
 * and the owner has to read its ring during that time. The owner hands over one
 * write at a time. One that is queued and not begun can be cancelled. Compression takes CPU
 * time, on the CPU whose packets they are: while it runs there, that CPU's programs do not.
 */
#include <errno.h>
#include <time.h>

#include "compressor.h"
#include "thread.h"
#include "util/util.h"
#include "writer.h"

/* Longest time for a write, and time without direct I/O after a longer one. */
#define PATIENCE_NS		50000000
#define SLOW_NS			1000000000ull

/* Called with the mutex held, which is released during the write. */
static void serve_write(struct tring_writer *writer)
{
	struct tring_write *write = writer->write;

	writer->state = TRING_WRITE_RUNNING;
	pthread_mutex_unlock(&writer->mutex);
	if (write->compressor)
		write->done = tring_compressor_append(write->compressor, write->fd, write->data,
						      write->size, &write->error);
	else
		write->done = tring_write_at(write->fd, write->data, write->size,
					     write->offset, &write->error);
	pthread_mutex_lock(&writer->mutex);
	writer->state = TRING_WRITE_DONE;
	pthread_cond_broadcast(&writer->changed);
}

static void *serve(void *data)
{
	struct tring_writer *writer = data;

	pthread_mutex_lock(&writer->mutex);
	while (writer->state == TRING_WRITE_QUEUED || !writer->stop) {
		if (writer->state == TRING_WRITE_QUEUED)
			serve_write(writer);
		else
			pthread_cond_wait(&writer->changed, &writer->mutex);
	}
	pthread_mutex_unlock(&writer->mutex);
	return NULL;
}

/**
 * tring_writer_start - create the thread, with the caller's signal mask and CPUs
 * @writer: filled in; zeroed before
 *
 * Return: 0 or a negative errno, without a message.
 */
int tring_writer_start(struct tring_writer *writer)
{
	pthread_condattr_t attributes;
	int error;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_mutex_init(&writer->mutex, NULL);
	pthread_cond_init(&writer->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	error = tring_thread_start(&writer->thread, serve, writer);
	writer->started = !error;
	return error;
}

/**
 * tring_writer_stop - end the thread after the queued write
 * @writer: the thread; may be zeroed, or stopped before
 */
void tring_writer_stop(struct tring_writer *writer)
{
	if (!writer->started)
		return;
	pthread_mutex_lock(&writer->mutex);
	writer->stop = true;
	pthread_cond_broadcast(&writer->changed);
	pthread_mutex_unlock(&writer->mutex);
	pthread_join(writer->thread, NULL);
	writer->started = false;
}

/**
 * tring_writer_queue - queue a write
 * @writer: the thread, started; its former write is settled
 * @write: the write; the caller must not change it until it is settled
 */
void tring_writer_queue(struct tring_writer *writer, struct tring_write *write)
{
	write->done = 0;
	write->error = 0;
	pthread_mutex_lock(&writer->mutex);
	writer->write = write;
	writer->state = TRING_WRITE_QUEUED;
	pthread_cond_broadcast(&writer->changed);
	pthread_mutex_unlock(&writer->mutex);
}

/**
 * tring_writer_is_through - check whether the queued write is done
 * @writer: the thread, with a write that is not settled
 *
 * Return: true if tring_writer_settle() would not wait.
 */
bool tring_writer_is_through(struct tring_writer *writer)
{
	bool through;

	pthread_mutex_lock(&writer->mutex);
	through = writer->state == TRING_WRITE_DONE;
	pthread_mutex_unlock(&writer->mutex);
	return through;
}

/**
 * tring_writer_wait - wait for the queued write for a limited time
 * @writer: the thread, with a write that is not settled
 *
 * After a timeout tring_writer_is_slow() is true for some time.
 *
 * Return: true if tring_writer_settle() would not wait.
 */
bool tring_writer_wait(struct tring_writer *writer)
{
	struct timespec end;
	bool through;
	int error = 0;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_nsec += PATIENCE_NS;
	end.tv_sec += end.tv_nsec / 1000000000;
	end.tv_nsec %= 1000000000;
	pthread_mutex_lock(&writer->mutex);
	while (writer->state != TRING_WRITE_DONE && !error)
		error = pthread_cond_timedwait(&writer->changed,
					       &writer->mutex, &end);
	through = writer->state == TRING_WRITE_DONE;
	pthread_mutex_unlock(&writer->mutex);
	if (!through)
		writer->slow_until_ns = tring_now_ns() + SLOW_NS;
	return through;
}

/**
 * tring_writer_is_slow - check whether the disk was too slow recently
 * @writer: the thread, started
 *
 * Return: true for some time after tring_writer_wait() has returned false.
 */
bool tring_writer_is_slow(const struct tring_writer *writer)
{
	return writer->slow_until_ns && tring_now_ns() < writer->slow_until_ns;
}

/**
 * tring_writer_settle - cancel the queued write, or wait until it is done
 * @writer: the thread; the write's @done and @error are valid afterwards
 *
 * A write that is not begun is cancelled.
 */
void tring_writer_settle(struct tring_writer *writer)
{
	pthread_mutex_lock(&writer->mutex);
	while (writer->state == TRING_WRITE_RUNNING)
		pthread_cond_wait(&writer->changed, &writer->mutex);
	writer->state = TRING_WRITE_NONE;
	pthread_mutex_unlock(&writer->mutex);
}
