// SPDX-License-Identifier: GPL-2.0
/*
 * The file of a CPU's packets, and the packets that are to be written to it.
 *
 * Writing an event of 48 bytes to ext4's page cache takes 100 instructions, and 30
 * more in kernel threads later; direct I/O takes 3. So a thread of the file writes full
 * batches directly to the disk while the next batch is filled. A batch that is not full
 * within a second is saved through the page cache, so that little is lost if tring
 * is killed, and is written again when it is full. The page cache takes everything
 * if the disk is too slow or the file system does not support direct I/O.
 *
 * The file ends with a whole packet at each moment: append.c has the writes through
 * the page cache; a direct write changes the size of the file when it is complete, but
 * not on tmpfs.
 * Direct I/O needs whole blocks, so the last packet of a batch is extended to the end
 * of its block.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "append.h"
#include "wire/filler.h"
#include "stream_file.h"
#include "util/tree.h"
#include "wire/wire.h"
#include "util/util.h"

#define BATCH_SIZE		(1024 * 1024)
/* Limit for packets that wait for compression. */
#define BATCH_SIZE_MAX		(8 * 1024 * 1024)

/* Alignment of addresses, offsets and sizes that most file systems need. */
#define BLOCK_SIZE		4096

/**
 * tring_stream_file_init - prepare a file; it is created with its first packet
 * @file: filled in
 * @path: path of the file; NULL if the file is closed
 */
void tring_stream_file_init(struct tring_stream_file *file, const char *path)
{
	memset(file, 0, sizeof(*file));
	file->path = path ? tring_format("%s", path) : NULL;
	file->fd = -1;
	file->direct_fd = -1;
}

/**
 * tring_stream_file_compress - let the packets be compressed
 * @file: the file, which has no packet yet
 * @level: level of zstd; 0 for none
 */
void tring_stream_file_compress(struct tring_stream_file *file, int level)
{
	file->compressor.level = level;
}

/**
 * tring_stream_file_close - close a file and free its batches
 * @file: the file; packets that were not saved are lost; may be zeroed, or closed
 *	twice
 */
void tring_stream_file_close(struct tring_stream_file *file)
{
	tring_writer_settle(&file->writer);
	if (file->path && file->fd >= 0)
		close(file->fd);
	if (file->path && file->direct_fd >= 0)
		close(file->direct_fd);
	free(file->batch.data);
	free(file->other.data);
	free(file->path);
	tring_compressor_free(&file->compressor);
	tring_stream_file_init(file, NULL);
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
 * tring_stream_file_make_room - enlarge the batch that is being filled
 * @file: the file
 * @size: required capacity; at least the usual size is allocated
 *
 * Return: 0, or -ENOMEM, reported on stderr.
 */
int tring_stream_file_make_room(struct tring_stream_file *file, size_t size)
{
	return enlarge(&file->batch, size < BATCH_SIZE ? BATCH_SIZE : size);
}

/* tmpfs accepts O_DIRECT since 6.6, and writes to the page cache all the same. */
static bool is_in_page_cache(int fd)
{
	struct statfs info;

	return !fstatfs(fd, &info) && info.f_type == TMPFS_MAGIC;
}

/* The path may lead elsewhere by now. Some file systems do not support direct I/O. */
static int open_directly(int fd)
{
	char *path = tring_format("/proc/self/fd/%d", fd);
	int direct_fd = open(path, O_WRONLY | O_DIRECT | O_CLOEXEC);

	free(path);
	return direct_fd;
}

static int open_file(struct tring_stream_file *file)
{
	int fd;

	if (file->fd >= 0)
		return 0;
	fd = tring_tree_create(file->path);
	if (fd < 0)
		return fd;
	file->fd = fd;
	if (!file->compressor.level && !is_in_page_cache(fd))
		file->direct_fd = open_directly(fd);
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

/* The file is truncated to the packets of the batch that are saved; the compressor does that. */
static int fail(struct tring_stream_file *file, struct tring_batch *batch, int error)
{
	file->failed = error;
	tring_error("%s: %s", file->path, strerror(-error));
	if (file->compressor.level)
		return error;
	if (file->fd >= 0 && ftruncate(file->fd, batch->offset + batch->saved))
		tring_error("%s: cannot cut off the torn packet at its end: %s",
			    file->path, strerror(errno));
	return error;
}

/* Append packets up to @end of the batch. @room: see tring_append() */
static int append(struct tring_stream_file *file, struct tring_batch *batch, size_t end,
		  size_t *room)
{
	int error = tring_append(file->fd, batch->offset + batch->saved,
				 batch->data + batch->saved, end - batch->saved, room);

	if (!error)
		batch->saved = end;
	return error;
}

/* Write what is not saved through the page cache. */
static int write_batch(struct tring_stream_file *file, struct tring_batch *batch)
{
	size_t room, fits;
	int error;

	if (batch->saved == batch->whole)
		return 0;
	error = append(file, batch, batch->whole, &room);
	if (!error)
		return 0;
	/* the disk is full: as many packets as it can take */
	fits = count_whole(batch, batch->saved + room);
	if (fits > batch->saved && !ftruncate(file->fd, batch->offset + batch->saved))
		append(file, batch, fits, &room);
	return fail(file, batch, error);
}

/**
 * tring_stream_file_settle - wait until what was handed to the thread is in the file
 * @file: the file
 *
 * Return: 0 or a negative errno, reported on stderr the first time.
 */
int tring_stream_file_settle(struct tring_stream_file *file)
{
	const struct tring_write *write = &file->write;
	struct tring_batch *batch = &file->other;
	size_t whole;

	if (!file->is_written)
		return file->failed;
	tring_writer_settle(&file->writer);
	file->is_written = false;
	whole = count_whole(batch, write->done);
	if (whole > batch->saved)
		batch->saved = whole;
	if (write->error == -EINVAL && !file->compressor.level) {
		/* the disk or the file system needs a larger alignment */
		close(file->direct_fd);
		file->direct_fd = -1;
	} else if (write->error) {
		/* later packets were not saved yet, and cannot follow a gap */
		return fail(file, batch, write->error);
	}
	return write_batch(file, batch);
}

/**
 * tring_stream_file_poll - check whether a write of the thread has failed
 * @file: the file
 *
 * Return: 0 or a negative errno, reported on stderr the first time.
 */
int tring_stream_file_poll(struct tring_stream_file *file)
{
	if (file->is_written &&
	    tring_writer_is_through(&file->writer))
		return tring_stream_file_settle(file);
	return file->failed;
}

/**
 * tring_stream_file_give_up - write nothing more
 * @file: the file
 * @error: negative errno, which the caller has reported
 *
 * Return: the first error of the file.
 */
int tring_stream_file_give_up(struct tring_stream_file *file, int error)
{
	int failed = tring_stream_file_settle(file);

	if (!failed)
		file->failed = error;
	return file->failed;
}

/* Continue behind the packets that are in the file. */
static void begin_batch(struct tring_batch *batch)
{
	batch->offset += batch->whole;
	batch->fill -= batch->whole;
	memmove(batch->data, batch->data + batch->whole, batch->fill);
	batch->whole = 0;
	batch->saved = 0;
}

/**
 * tring_stream_file_turn - go on with another file
 * @file: the file, whose packets are saved, or that has failed: then the other one has, too
 * @path: path of the other file
 *
 * What was read of a packet that is not whole goes to the other file. The batches stay.
 *
 * Return: the former file, to close; -1 if it had no packet.
 */
int tring_stream_file_turn(struct tring_stream_file *file, const char *path)
{
	int fd = file->fd;

	tring_writer_settle(&file->writer);
	file->is_written = false;
	if (file->direct_fd >= 0)
		close(file->direct_fd);
	free(file->path);
	file->path = tring_format("%s", path);
	file->fd = -1;
	file->direct_fd = -1;
	if (file->batch.data)
		begin_batch(&file->batch);
	file->batch.offset = 0;
	file->other.whole = 0;
	file->other.saved = 0;
	atomic_store(&file->compressor.size, 0);
	return fd;
}

/* Extend the last packet. */
static int pad(struct tring_batch *batch, size_t more)
{
	int error = more ? enlarge(batch, batch->fill + more) : 0;

	if (error || !more)
		return error;
	memmove(batch->data + batch->whole + more, batch->data + batch->whole,
		batch->fill - batch->whole);
	memset(batch->data + batch->whole, 0, more);
	batch->whole += more;
	batch->fill += more;
	tring_packet_resize(batch->data + batch->last, batch->whole - batch->last);
	return 0;
}

/**
 * tring_stream_file_begin - write a packet before all others
 * @file: the file, which has no packet yet
 * @packet: TRING_FILLER_BLOCK bytes
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_stream_file_begin(struct tring_stream_file *file, const uint8_t *packet)
{
	size_t room;
	int error = open_file(file);

	if (!error && file->compressor.level)
		tring_compressor_append(&file->compressor, file->fd, packet, TRING_FILLER_BLOCK,
					&error);
	else if (!error)
		error = tring_append(file->fd, 0, packet, TRING_FILLER_BLOCK, &room);
	if (error)
		return fail(file, &file->batch, error);
	file->batch.offset = TRING_FILLER_BLOCK;
	return 0;
}

/* Make the batch @file->other, and go on with the packet that is not whole in another one. */
static int swap_batches(struct tring_stream_file *file)
{
	struct tring_batch *batch = &file->batch, full = *batch;
	int error;

	file->other.fill = 0;
	error = enlarge(&file->other, full.capacity);
	if (error)
		return error;
	*batch = file->other;
	batch->fill = full.fill - full.whole;
	memcpy(batch->data, full.data + full.whole, batch->fill);
	batch->whole = 0;
	batch->saved = 0;
	full.fill = full.whole;
	file->other = full;
	return 0;
}

static void begin_write(struct tring_stream_file *file, int fd)
{
	file->write = (struct tring_write) {
		.fd = fd,
		.compressor = file->compressor.level ? &file->compressor : NULL,
		.data = file->other.data,
		.size = file->other.whole,
		.offset = file->other.offset,
	};
	tring_writer_begin(&file->writer, &file->write);
	file->is_written = true;
}

/* Have the thread compress the batch. */
static int compress(struct tring_stream_file *file)
{
	struct tring_batch *batch = &file->batch;
	int error = tring_stream_file_settle(file);

	if (error || !batch->whole)
		return error;
	error = open_file(file);
	if (error)
		return fail(file, batch, error);
	error = swap_batches(file);
	if (error)
		return error;
	batch->offset = file->other.offset + file->other.whole;
	begin_write(file, file->fd);
	return 0;
}

/* Have the thread write the batch directly. */
static int write_directly(struct tring_stream_file *file)
{
	struct tring_batch *batch = &file->batch;
	int error = swap_batches(file);

	if (!error)
		error = pad(&file->other, round_up(file->other.whole) - file->other.whole);
	if (error)
		return error;
	batch->offset = file->other.offset + file->other.whole;
	/* from the start, because direct I/O needs whole blocks */
	if (tring_writer_is_slow(&file->writer))
		return write_batch(file, &file->other);
	begin_write(file, file->direct_fd);
	return 0;
}

/**
 * tring_stream_file_save - write whole packets through the page cache
 * @file: the file
 *
 * The last packet may get longer. For a file with direct I/O the packets also stay
 * in the batch. Packets that are compressed are in the file after tring_stream_file_settle().
 *
 * Return: 0 or a negative errno, reported on stderr the first time.
 */
int tring_stream_file_save(struct tring_stream_file *file)
{
	struct tring_batch *batch = &file->batch;
	int error;

	if (file->compressor.level)
		return compress(file);
	error = tring_stream_file_settle(file);
	if (error || batch->saved == batch->whole)
		return error;
	error = open_file(file);
	if (error)
		return fail(file, batch, error);
	error = pad(batch, tring_append_padding(batch->offset + batch->whole));
	if (!error)
		error = write_batch(file, batch);
	if (!error && !tring_stream_file_is_direct(file))
		begin_batch(batch);
	return error;
}

/**
 * tring_stream_file_pass_on - begin to write a full batch by direct I/O or compression
 * @file: a file for which tring_stream_file_is_batched() is true
 *
 * @file->batch is another batch then, which begins with the packet that was not
 * whole. If all packets are saved, or others wait for compression, the batch gets more room
 * instead.
 *
 * Return: 0 or a negative errno, reported on stderr the first time.
 */
int tring_stream_file_pass_on(struct tring_stream_file *file)
{
	struct tring_batch *batch = &file->batch;
	bool busy = file->is_written && !tring_writer_is_through(&file->writer);
	int error;

	if (file->compressor.level && busy && batch->capacity < BATCH_SIZE_MAX)
		return enlarge(batch, 2 * batch->capacity);
	if (file->compressor.level)
		return compress(file);
	/* the size of a packet that is saved cannot change without a torn moment */
	if (batch->saved == batch->whole)
		return enlarge(batch, 2 * batch->capacity);
	if (file->is_written)
		tring_writer_wait(&file->writer);
	error = tring_stream_file_settle(file);
	if (error)
		return error;
	if (!tring_stream_file_is_direct(file))
		return tring_stream_file_save(file);
	return write_directly(file);
}

/**
 * tring_stream_file_sync - wait until the disk has all that was saved
 * @file: the file, whose thread is settled
 *
 * The page cache takes packets that the disk may refuse later, and says so here only.
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_stream_file_sync(struct tring_stream_file *file)
{
	int error;

	if (file->fd < 0 || !fsync(file->fd))
		return 0;
	error = -errno;
	tring_error("%s: %s; the disk may lack any of its packets", file->path,
		    strerror(-error));
	return error;
}

/**
 * tring_stream_file_add - add a last packet behind those that are saved
 * @file: the file, whose thread is settled; it may have failed
 * @packet: the packet
 * @size: its size
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_stream_file_add(struct tring_stream_file *file, const uint8_t *packet, size_t size)
{
	struct stat info = { .st_size = -1 };
	int error = open_file(file);
	size_t room;

	if (!error && fstat(file->fd, &info))
		error = -errno;
	if (!error && file->compressor.level)
		tring_compressor_append(&file->compressor, file->fd, packet, size, &error);
	else if (!error)
		error = tring_append(file->fd, info.st_size, packet, size, &room);
	if (!error && !file->compressor.level)
		file->batch.offset += size;
	if (!error)
		return 0;
	tring_error("%s: cannot write how many events were lost: %s", file->path,
		    strerror(-error));
	if (info.st_size >= 0 && !file->compressor.level && ftruncate(file->fd, info.st_size))
		tring_error("%s: cannot cut off the torn packet at its end: %s",
			    file->path, strerror(errno));
	return error;
}
