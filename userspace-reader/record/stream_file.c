// SPDX-License-Identifier: GPL-2.0
/*
 * The file that a CPU's packets are written to, and what is on its way there.
 *
 * To write an event of 48 bytes to ext4's page cache takes 100 instructions, and
 * 30 more by the kernel's threads later; direct I/O takes 3. So what fills a batch
 * goes to the disk directly, by a thread, while the next one is filled. What does
 * not fill one within a second is saved by the page cache, so that little is lost
 * if tring is killed, and written again with the rest of its batch. Where the disk
 * is too slow, or the file system knows no direct I/O, the page cache takes all.
 *
 * The file ends with a whole packet after each write: viewers refuse one that
 * ends in half of one. Direct I/O needs whole blocks, so the last packet of a
 * batch is made longer than its content, by what is missing.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stream_file.h"
#include "tring_parse.h"
#include "util.h"

#define BATCH_SIZE		(1024 * 1024)

/* What most disks and file systems want of addresses, places and sizes. */
#define BLOCK_SIZE		4096

/**
 * tring_stream_file_init - nothing to write yet
 * @file: filled in
 * @path: its name; NULL in a file that is closed
 * @writer: outlives @file; NULL for no direct I/O
 */
void tring_stream_file_init(struct tring_stream_file *file, const char *path,
			    struct tring_writer *writer)
{
	memset(file, 0, sizeof(*file));
	file->path = path ? tring_format("%s", path) : NULL;
	file->writer = writer;
	file->fd = -1;
	file->direct_fd = -1;
}

/**
 * tring_stream_file_close - let go of everything
 * @file: what was not saved is lost; may be zeroed, or closed twice
 */
void tring_stream_file_close(struct tring_stream_file *file)
{
	if (file->is_flying)
		tring_writer_settle(file->writer, &file->write);
	if (file->path && file->fd >= 0)
		close(file->fd);
	if (file->path && file->direct_fd >= 0)
		close(file->direct_fd);
	free(file->batch.data);
	free(file->other.data);
	free(file->path);
	tring_stream_file_init(file, NULL, NULL);
}

static size_t round_up(size_t size)
{
	return (size + BLOCK_SIZE - 1) & ~(size_t)(BLOCK_SIZE - 1);
}

static int enlarge(struct tring_batch *batch, size_t size)
{
	uint8_t *larger;

	size = round_up(size);
	if (size <= batch->capacity)
		return 0;
	larger = aligned_alloc(BLOCK_SIZE, size);
	if (!larger) {
		tring_error("out of memory for %zu bytes of packets", size);
		return -ENOMEM;
	}
	if (batch->fill)
		memcpy(larger, batch->data, batch->fill);
	free(batch->data);
	batch->data = larger;
	batch->capacity = size;
	return 0;
}

/**
 * tring_stream_file_make_room - make the batch that is filled larger
 * @file: the file
 * @size: that it has to have; less than the usual size means that
 *
 * Return: 0, or -ENOMEM, reported on stderr.
 */
int tring_stream_file_make_room(struct tring_stream_file *file, size_t size)
{
	return enlarge(&file->batch, size < BATCH_SIZE ? BATCH_SIZE : size);
}

static int open_file(struct tring_stream_file *file)
{
	if (file->fd >= 0)
		return 0;
	file->fd = open(file->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
			0644);
	if (file->fd < 0)
		return -errno;
	/* not all file systems have it */
	if (file->writer)
		file->direct_fd = open(file->path, O_WRONLY | O_DIRECT |
				       O_CLOEXEC);
	return 0;
}

static size_t count_whole(const struct tring_batch *batch, size_t size)
{
	struct tring_packet packet;
	size_t at = 0;

	while (at < size) {
		tring_packet_parse(batch->data + at, batch->fill - at, &packet);
		if (packet.packet_size > size - at)
			break;
		at += packet.packet_size;
	}
	return at;
}

/* Of the batch @done bytes have got to the file, of which whole packets stay. */
static int fail(struct tring_stream_file *file, struct tring_batch *batch,
		size_t done, int error)
{
	file->failed = error;
	tring_error("%s: %s", file->path, strerror(-error));
	batch->saved = count_whole(batch, done);
	if (file->fd >= 0 && ftruncate(file->fd, batch->offset + batch->saved))
		tring_error("%s: cannot cut off the torn packet at its end: %s",
			    file->path, strerror(errno));
	return error;
}

/* By the page cache, from @done on. */
static int write_batch(struct tring_stream_file *file, struct tring_batch *batch,
		       size_t done)
{
	int error;

	done += tring_write_at(file->fd, batch->data + done,
			       batch->whole - done, batch->offset + done,
			       &error);
	if (error)
		return fail(file, batch, done, error);
	batch->saved = batch->whole;
	return 0;
}

/* What was queued is in the file when this returns. */
static int settle(struct tring_stream_file *file)
{
	const struct tring_write *write = &file->write;

	if (!file->is_flying)
		return file->failed;
	tring_writer_settle(file->writer, &file->write);
	file->is_flying = false;
	if (write->error == -EINVAL) {
		/* the disk or the file system wants more than blocks */
		close(file->direct_fd);
		file->direct_fd = -1;
	} else if (write->error) {
		/* what follows it was not saved yet, and has no place there */
		return fail(file, &file->other, write->done, write->error);
	}
	return write_batch(file, &file->other, write->done);
}

/**
 * tring_stream_file_poll - see whether what was written has failed
 * @file: the file
 *
 * Return: 0 or a negative errno, reported on stderr the first time.
 */
int tring_stream_file_poll(struct tring_stream_file *file)
{
	if (file->is_flying &&
	    tring_writer_is_through(file->writer, &file->write))
		return settle(file);
	return file->failed;
}

/* The batch is in the file: go on behind it. */
static void begin_batch(struct tring_batch *batch)
{
	batch->offset += batch->whole;
	batch->fill -= batch->whole;
	memmove(batch->data, batch->data + batch->whole, batch->fill);
	batch->whole = 0;
	batch->saved = 0;
}

/**
 * tring_stream_file_save - write what is whole by the page cache
 * @file: the file
 *
 * If it is written to directly the packets stay in the batch, too.
 *
 * Return: 0 or a negative errno, reported on stderr the first time.
 */
int tring_stream_file_save(struct tring_stream_file *file)
{
	struct tring_batch *batch = &file->batch;
	int error;

	error = settle(file);
	if (error || batch->saved == batch->whole)
		return error;
	error = open_file(file);
	if (error)
		return fail(file, batch, 0, error);
	error = write_batch(file, batch, batch->saved);
	if (!error && !tring_stream_file_is_direct(file))
		begin_batch(batch);
	return error;
}

/* The last packet goes up to the end of a block. */
static void pad(struct tring_batch *batch)
{
	size_t size = round_up(batch->whole), place;
	uint8_t *last = batch->data + batch->last;
	struct tring_packet packet;
	uint32_t bits;

	tring_packet_parse(last, batch->whole - batch->last, &packet);
	bits = (size - batch->last) * 8;
	bits = packet.big_endian ? htobe32(bits) : htole32(bits);
	place = offsetof(struct tring_packet_header, packet_size);
	memcpy(last + place, &bits, sizeof(bits));
	memset(batch->data + batch->whole, 0, size - batch->whole);
	batch->whole = size;
	batch->fill = size;
}

/**
 * tring_stream_file_pass_on - have a batch written that can hold no more
 * @file: written to directly
 *
 * The batch that is filled is another one then, which starts with what is not
 * whole of this one.
 *
 * Return: 0 or a negative errno, reported on stderr the first time.
 */
int tring_stream_file_pass_on(struct tring_stream_file *file)
{
	struct tring_batch *batch = &file->batch, full = *batch;
	int error;

	if (file->is_flying)
		tring_writer_wait(file->writer, &file->write);
	error = settle(file);
	if (error)
		return error;
	if (!tring_stream_file_is_direct(file))
		return tring_stream_file_save(file);

	file->other.fill = 0;
	error = enlarge(&file->other, full.capacity);
	if (error)
		return error;
	*batch = file->other;
	batch->fill = full.fill - full.whole;
	memcpy(batch->data, full.data + full.whole, batch->fill);
	batch->whole = 0;
	batch->saved = 0;
	pad(&full);
	batch->offset = full.offset + full.whole;
	file->other = full;
	/* what was saved of it, too: a header has changed */
	if (tring_writer_is_slow(file->writer))
		return write_batch(file, &file->other, 0);
	file->write.fd = file->direct_fd;
	file->write.data = file->other.data;
	file->write.size = file->other.whole;
	file->write.offset = file->other.offset;
	tring_writer_queue(file->writer, &file->write);
	file->is_flying = true;
	return 0;
}
