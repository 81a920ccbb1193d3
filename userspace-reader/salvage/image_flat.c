// SPDX-License-Identifier: GPL-2.0
/*
 * makedumpfile's flattened form, which it writes to a pipe: the pieces of an image in the order
 * in which they were made, each behind its offset. They are put in their places in a file of
 * its own, because the image is read in any order.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "image.h"
#include "wire/wire.h"
#include "util/util.h"

static const char signature[16] = "makedumpfile";

/* Behind the signature, a type and a version, the first piece begins. */
#define PIECES		4096
#define PIECE_HEAD	16
#define BLOCK		(1024 * 1024)

/**
 * tring_image_is_flat - check for the flattened form
 * @fd: the file
 */
bool tring_image_is_flat(int fd)
{
	char found[sizeof(signature)];

	return pread(fd, found, sizeof(found), 0) == sizeof(found) &&
	       !memcmp(found, signature, sizeof(found));
}

static int make_file(void)
{
	const char *dir = getenv("TMPDIR");
	int fd = open(dir ? dir : "/var/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0)
		tring_error("%s: cannot make a file for the image: %s", dir ? dir : "/var/tmp",
			    strerror(errno));
	return fd < 0 ? -errno : fd;
}

/* Return: 0; 1 if the piece is cut off; or a negative errno. */
static int copy_piece(int from, uint64_t at, int to, uint64_t offset, uint64_t size,
		      uint8_t *block)
{
	while (size) {
		size_t part = size < BLOCK ? size : BLOCK;
		ssize_t got = pread(from, block, part, at);

		if (got <= 0)
			return got ? -errno : 1;
		if (pwrite(to, block, got, offset) != got)
			return errno ? -errno : -ENOSPC;
		at += got;
		offset += got;
		size -= got;
	}
	return 0;
}

static int copy_pieces(const char *path, int from, int to, uint8_t *block)
{
	uint64_t at = PIECES, offset, size;
	uint8_t head[PIECE_HEAD];
	int ret;

	for (;;) {
		ret = pread(from, head, sizeof(head), at) == sizeof(head) ? 0 : 1;
		offset = tring_load_u64(head, true);
		size = tring_load_u64(head + 8, true);
		/* the end is marked by a piece of -1 bytes at -1 */
		if (!ret && offset == UINT64_MAX)
			return 0;
		if (!ret && (offset > INT64_MAX || size > INT64_MAX - offset || !size)) {
			tring_error("%s: offset 0x%" PRIx64 ": a piece at 0x%" PRIx64 " of 0x%"
				    PRIx64 " bytes", path, at, offset, size);
			return -EINVAL;
		}
		errno = 0;
		if (!ret)
			ret = copy_piece(from, at + sizeof(head), to, offset, size, block);
		if (ret > 0) {
			tring_error("%s: it is cut off at offset 0x%" PRIx64 "; the rest is read",
				    path, at);
			return 0;
		}
		if (ret) {
			tring_error("%s: cannot put it in order: %s", path, strerror(-ret));
			return ret;
		}
		at += sizeof(head) + size;
	}
}

/**
 * tring_image_unflatten - put a flattened image in order
 * @path: name of the image, for messages
 * @fd: the image
 *
 * Return: a file without a name, or a negative errno, reported on stderr.
 */
int tring_image_unflatten(const char *path, int fd)
{
	uint8_t *block;
	int to = make_file(), error;

	if (to < 0)
		return to;
	block = tring_allocate(BLOCK);
	error = copy_pieces(path, fd, to, block);
	free(block);
	if (!error)
		return to;
	close(to);
	return error;
}
