// SPDX-License-Identifier: GPL-2.0
/* Finds out which kind of image a file is, and reads memory from any kind. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "directory.h"
#include "util.h"

static int open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		tring_error("%s: %s", path, strerror(errno));
	return fd;
}

static bool is_elf(int fd)
{
	unsigned char ident[EI_NIDENT];

	return pread(fd, ident, sizeof(ident), 0) == sizeof(ident) &&
	       !memcmp(ident, ELFMAG, SELFMAG) && ident[EI_CLASS] == ELFCLASS64;
}

/* What the ring's file last_boot has. */
static bool is_region(int fd, uint64_t *base)
{
	uint8_t page[TRING_IMAGE_PAGE];

	return pread(fd, page, sizeof(page), 0) == sizeof(page) &&
	       tring_region_base(page, sizeof(page), base);
}

/* Return: a file that is not flattened, in place of @fd, or a negative errno. */
static int rearranged(const char *path, int fd)
{
	int other;

	if (!tring_image_is_flat(fd))
		return fd;
	other = tring_image_unflatten(path, fd);
	close(fd);
	return other;
}

/* Takes the files over, also if it fails. */
static int open_kind(struct tring_image *image, int *fds, size_t count, const uint64_t *base)
{
	uint64_t own;

	if (count == 1 && !base && is_region(fds[0], &own))
		base = &own;
	if (count == 1 && (base || is_elf(fds[0]))) {
		image->fd = fds[0];
		free(fds);
		return base ? tring_image_open_raw(image, image->fd, *base) :
			      tring_image_open_elf(image, image->fd);
	}
	image->fds = fds;
	image->fd_count = count;
	return tring_image_open_kdump(image, fds, count);
}

/**
 * tring_image_open - open a memory image
 * @image: filled in; to be closed also after an error
 * @paths: its files: several for one that makedumpfile has split
 * @count: number of @paths
 * @base: physical address of the first byte of raw memory; NULL if the file says what it is
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_image_open(struct tring_image *image, char * const *paths, size_t count,
		     const uint64_t *base)
{
	int *fds = tring_allocate(count * sizeof(*fds));
	size_t i;

	memset(image, 0, sizeof(*image));
	image->path = paths[0];
	image->fd = -1;
	for (i = 0; i < count; i++) {
		fds[i] = open_file(paths[i]);
		if (fds[i] >= 0 && !base)
			fds[i] = rearranged(paths[i], fds[i]);
		if (fds[i] < 0) {
			while (i--)
				close(fds[i]);
			free(fds);
			return -EIO;
		}
	}
	return open_kind(image, fds, count, base);
}

/**
 * tring_image_close - close an image
 * @image: from tring_image_open()
 */
void tring_image_close(struct tring_image *image)
{
	size_t i;

	if (image->kind)
		image->kind->close(image);
	if (image->fd >= 0)
		close(image->fd);
	for (i = 0; i < image->fd_count; i++)
		close(image->fds[i]);
	free(image->fds);
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
