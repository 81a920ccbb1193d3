/* SPDX-License-Identifier: GPL-2.0 */
/* A machine's memory by physical address, from a file of any kind. */
#ifndef TRING_IMAGE_H
#define TRING_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is scanned, and what is missing, goes by pages of this size: no machine has smaller ones. */
#define TRING_IMAGE_PAGE	4096

struct tring_image;

/**
 * struct tring_image_kind - how to read one kind of images
 * @next: the first range of memory that ends behind an address. Return: false if there is none
 * @read: read memory. Return: number of bytes read; fewer than wanted up to one that is missing
 * @close: release what the other functions use, or NULL
 */
struct tring_image_kind {
	bool (*next)(struct tring_image *image, uint64_t from, uint64_t *begin, uint64_t *end);
	size_t (*read)(struct tring_image *image, uint64_t physical, void *to, size_t size);
	void (*close)(struct tring_image *image);
};

/**
 * struct tring_image_segment - memory that lies in a file in one piece
 * @physical: address of its first byte
 * @size: number of bytes that the file should have
 * @offset: of the first byte in the file
 */
struct tring_image_segment {
	uint64_t	physical;
	uint64_t	size;
	uint64_t	offset;
};

/**
 * struct tring_image - a memory image
 * @path: name of the file, for messages
 * @kind: how to read it
 * @fd: the file
 * @segments: ascending by address; they may overlap
 * @count: number of segments
 * @library: of libkdumpfile
 * @is_core: it need not have memory that the kernel left alone
 * @is_live: memory of the running machine, which changes while it is read
 * @missing: pages that were needed and are not in the image
 */
struct tring_image {
	const char	*path;
	const struct tring_image_kind *kind;
	int		fd;
	struct tring_image_segment *segments;
	size_t		count;
	void		*library;
	bool		is_core;
	bool		is_live;
	uint64_t	missing;
};

int tring_image_open(struct tring_image *image, const char *path, const uint64_t *base);
void tring_image_close(struct tring_image *image);
bool tring_image_next(struct tring_image *image, uint64_t from, uint64_t *begin, uint64_t *end);
size_t tring_image_read(struct tring_image *image, uint64_t physical, void *to, size_t size);
size_t tring_image_peek(struct tring_image *image, uint64_t physical, void *to, size_t size);

/* image_file.c */
int tring_image_open_raw(struct tring_image *image, int fd, uint64_t base);
int tring_image_open_elf(struct tring_image *image, int fd);

/* image_kdump.c */
int tring_image_open_kdump(struct tring_image *image, int fd);

#endif /* TRING_IMAGE_H */
