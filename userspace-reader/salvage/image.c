// SPDX-License-Identifier: GPL-2.0
/* Finds out which kind of image a file is, and reads memory from any kind. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "directory.h"
#include "util/util.h"

/* A file is searched in blocks of this size, and by what may be behind a page's beginning. */
#define BLOCK		(1024 * 1024)
#define BLOCK_OVERLAP	65536

static int open_file(const char *path)
{
	/* without O_NONBLOCK the open of a FIFO waits for a writer */
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), error = 0;
	struct stat info;

	if (fd < 0 || fstat(fd, &info))
		error = errno;
	else if (S_ISFIFO(info.st_mode))
		error = TRING_NOT_REGULAR;
	if (!error)
		return fd;
	tring_error("%s: %s", path, tring_errno_text(error));
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Bytes of a file's begin that tell what it is; those of a shorter file are 0. */
#define HEAD_SIZE	16

static bool is_elf(const char *head)
{
	return !memcmp(head, ELFMAG, SELFMAG) && head[EI_CLASS] == ELFCLASS64;
}

/* What makedumpfile writes to a pipe: the pieces of an image as they were made. */
static bool is_flattened(const char *head)
{
	static const char signature[HEAD_SIZE] = "makedumpfile";

	return !memcmp(head, signature, sizeof(signature));
}

static bool is_kdump(const char *head)
{
	return !memcmp(head, "KDUMP   ", 8) || !memcmp(head, "DISKDUMP", 8);
}

/*
 * Raw memory, as the ring's file last_boot has it: each page of a directory tells where it lay,
 * and any of them may be damaged or a copy on its way to a disk. If there is none, packets without
 * a ring have any address. Return: false if there are no packets, either.
 */
static bool find_base(int fd, uint64_t *base)
{
	uint8_t *block = tring_allocate(BLOCK + BLOCK_OVERLAP);
	uint64_t physical, agree = 0;
	bool any = false;
	ssize_t size;
	off_t from;
	size_t at;

	for (from = 0;; from += BLOCK) {
		size = pread(fd, block, BLOCK + BLOCK_OVERLAP, from);
		if (size < TRING_IMAGE_PAGE)
			break;
		any = any || tring_packet_find(block, size, 0, NULL) < (size_t)size;
		for (at = 0; at < BLOCK && at + TRING_IMAGE_PAGE <= (size_t)size;
		     at += TRING_IMAGE_PAGE) {
			size_t left = size - at < BLOCK_OVERLAP ? size - at : BLOCK_OVERLAP;

			if (!tring_directory_physical(block + at, left, &physical))
				continue;
			physical -= from + at;
			if (!agree)
				*base = physical;
			agree += *base == physical ? 1 : -1;
		}
	}
	free(block);
	if (!agree)
		*base = 0;
	return agree || any;
}

/**
 * tring_image_open - open a memory image
 * @image: filled in; to be closed also after an error
 * @path: its file
 * @base: physical address of the first byte of raw memory; NULL if the file says what it is
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_image_open(struct tring_image *image, const char *path, const uint64_t *base)
{
	char head[HEAD_SIZE] = "";
	int fd = open_file(path);
	uint64_t own;

	*image = (struct tring_image) { .path = path, .fd = fd };
	if (fd < 0)
		return -EIO;
	if (!base && pread(fd, head, sizeof(head), 0) > 0 && is_flattened(head)) {
		tring_error("%s: it is flattened; \"makedumpfile -R IMAGE <%s\" %s", path, path,
			    "makes an image of it");
		return -EINVAL;
	}
	if (!base && is_elf(head))
		return tring_image_open_elf(image, fd);
	if (!base && !is_kdump(head) && find_base(fd, &own))
		base = &own;
	return base ? tring_image_open_raw(image, fd, *base) : tring_image_open_kdump(image, fd);
}

/**
 * tring_image_close - close an image
 * @image: from tring_image_open()
 */
void tring_image_close(struct tring_image *image)
{
	if (image->kind && image->kind->close)
		image->kind->close(image);
	if (image->fd >= 0)
		close(image->fd);
	free(image->segments);
	memset(image, 0, sizeof(*image));
	image->fd = -1;
}

/**
 * tring_image_next - find memory that the image has
 * @image: the image
 * @from: address to begin at
 * @begin: set to the first address at or behind @from
 * @end: set to the end of the memory there
 *
 * Return: false if there is none.
 */
bool tring_image_next(struct tring_image *image, uint64_t from, uint64_t *begin, uint64_t *end)
{
	if (!image->kind->next(image, from, begin, end))
		return false;
	if (*begin < from)
		*begin = from;
	return *begin < *end;
}

/**
 * tring_image_read - read memory
 * @image: the image
 * @physical: address
 * @to: filled in; bytes that the image does not have are 0
 * @size: number of bytes
 *
 * Return: number of bytes that the image does not have.
 */
size_t tring_image_read(struct tring_image *image, uint64_t physical, void *to, size_t size)
{
	size_t missing = 0;

	if (physical + size < physical) {
		memset(to, 0, size);
		image->missing += (size + TRING_IMAGE_PAGE - 1) / TRING_IMAGE_PAGE;
		return size;
	}
	while (size) {
		size_t got = image->kind->read(image, physical, to, size);
		size_t rest = TRING_IMAGE_PAGE - (physical + got) % TRING_IMAGE_PAGE;

		if (got < size) {
			if (rest > size - got)
				rest = size - got;
			memset((uint8_t *)to + got, 0, rest);
			missing += rest;
			image->missing++;
			got += rest;
		}
		physical += got;
		to = (uint8_t *)to + got;
		size -= got;
	}
	return missing;
}

/**
 * tring_image_peek - read memory that need not be in the image
 * @image: the image
 * @physical: address
 * @to: filled in; bytes that the image does not have are 0
 * @size: number of bytes
 *
 * Return: number of bytes that the image does not have, which are not counted as missing.
 */
size_t tring_image_peek(struct tring_image *image, uint64_t physical, void *to, size_t size)
{
	uint64_t missing = image->missing;
	size_t lacks = tring_image_read(image, physical, to, size);

	image->missing = missing;
	return lacks;
}
