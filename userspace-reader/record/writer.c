// SPDX-License-Identifier: GPL-2.0
/*
 * Writes to a file in a thread, so that its owner does not wait for the disk.
 *
 * Direct I/O takes little CPU time, but it ends only when the disk has the data,
 * and the owner has to read its ring during that time. Each write, which is of a megabyte or
 * more, has a thread of its own, and there is one at a time. Compression takes CPU time, on the
 * CPU whose packets they are: while it runs there, that CPU's programs do not.
 */
#include <time.h>

#include "compressor.h"
#include "thread.h"
#include "util/util.h"
#include "writer.h"

/* Longest time for a write, and time without direct I/O after a longer one. */
#define PATIENCE_NS		50000000
#define SLOW_NS			1000000000ull

static void *run(void *data)
{
	struct tring_write *write = data;

	if (write->compressor)
		write->done = tring_compressor_append(write->compressor, write->fd, write->data,
						      write->size, &write->error);
	else
		write->done = tring_write_at(write->fd, write->data, write->size,
					     write->offset, &write->error);
	return NULL;
}

/**
 * tring_writer_begin - begin a write, in a thread with the caller's signal mask and CPUs
 * @writer: whose former write is settled
 * @write: the write; the caller must not change it until it is settled
 *
 * Without a thread the write is done when this returns.
 */
void tring_writer_begin(struct tring_writer *writer, struct tring_write *write)
{
	writer->is_running = !tring_thread_start(&writer->thread, run, write);
	if (!writer->is_running)
		run(write);
}

/**
 * tring_writer_is_through - check whether the write is done
 * @writer: the writer, with a write that is not settled
 *
 * Return: true if tring_writer_settle() would not wait.
 */
bool tring_writer_is_through(struct tring_writer *writer)
{
	if (writer->is_running && !pthread_tryjoin_np(writer->thread, NULL))
		writer->is_running = false;
	return !writer->is_running;
}

/**
 * tring_writer_wait - wait for the write for a limited time
 * @writer: the writer, with a write that is not settled
 *
 * After a timeout tring_writer_is_slow() is true for some time.
 *
 * Return: true if tring_writer_settle() would not wait.
 */
bool tring_writer_wait(struct tring_writer *writer)
{
	struct timespec end;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_nsec += PATIENCE_NS;
	end.tv_sec += end.tv_nsec / 1000000000;
	end.tv_nsec %= 1000000000;
	if (writer->is_running &&
	    !pthread_clockjoin_np(writer->thread, NULL, CLOCK_MONOTONIC, &end))
		writer->is_running = false;
	if (writer->is_running)
		writer->slow_until_ns = tring_now_ns() + SLOW_NS;
	return !writer->is_running;
}

/**
 * tring_writer_is_slow - check whether the disk was too slow recently
 * @writer: the writer
 *
 * Return: true for some time after tring_writer_wait() has returned false.
 */
bool tring_writer_is_slow(const struct tring_writer *writer)
{
	return writer->slow_until_ns && tring_now_ns() < writer->slow_until_ns;
}

/**
 * tring_writer_settle - wait until the write is done
 * @writer: the writer; the write's @done and @error are valid afterwards
 */
void tring_writer_settle(struct tring_writer *writer)
{
	if (writer->is_running)
		pthread_join(writer->thread, NULL);
	writer->is_running = false;
}
