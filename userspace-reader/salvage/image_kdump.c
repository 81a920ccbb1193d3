// SPDX-License-Identifier: GPL-2.0
/*
 * Images in kdump's compressed form, and in others that libkdumpfile reads. The library needs
 * no symbols for physical addresses.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <libkdumpfile/kdumpfile.h>

#include "image.h"
#include "util.h"

/**
 * struct library - what belongs to libkdumpfile
 * @context: the library's
 * @pages: which pages the file has
 * @page_size: of the machine
 */
struct library {
	kdump_ctx_t	*context;
	kdump_bmp_t	*pages;
	uint64_t	page_size;
};

static bool next_pages(struct tring_image *image, uint64_t from, uint64_t *begin, uint64_t *end)
{
	struct library *library = image->library;
	kdump_addr_t first = from / library->page_size, last;

	if (kdump_bmp_find_set(library->pages, &first) != KDUMP_OK)
		return false;
	last = first;
	if (kdump_bmp_find_clear(library->pages, &last) != KDUMP_OK)
		return false;
	*begin = first * library->page_size;
	*end = last * library->page_size;
	return true;
}

static size_t read_pages(struct tring_image *image, uint64_t physical, void *to, size_t size)
{
	struct library *library = image->library;
	size_t got = size;

	/* a page that cannot be read is one that is missing */
	if (kdump_read(library->context, KDUMP_MACHPHYSADDR, physical, to, &got) != KDUMP_OK)
		return got < size ? got : 0;
	return size;
}

static void close_library(struct tring_image *image)
{
	struct library *library = image->library;

	if (library->pages)
		kdump_bmp_decref(library->pages);
	if (library->context)
		kdump_free(library->context);
	free(library);
}

static const struct tring_image_kind kdump_kind = { next_pages, read_pages, close_library };

static kdump_status prepare(struct library *library, size_t count, const int *fds)
{
	kdump_attr_t map = { .type = KDUMP_BITMAP };
	kdump_status status = kdump_open_fdset(library->context, count, fds);
	kdump_num_t size = 0;

	if (status == KDUMP_OK)
		status = kdump_get_number_attr(library->context, KDUMP_ATTR_PAGE_SIZE, &size);
	if (status == KDUMP_OK)
		status = kdump_get_typed_attr(library->context, KDUMP_ATTR_FILE_PAGEMAP, &map);
	if (status != KDUMP_OK)
		return status;
	if (!size)
		return KDUMP_ERR_CORRUPT;
	library->page_size = size;
	library->pages = map.val.bitmap;
	kdump_bmp_incref(library->pages);
	return KDUMP_OK;
}

/**
 * tring_image_open_kdump - open an image by libkdumpfile
 * @image: filled in
 * @fds: the files
 * @count: number of files
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_image_open_kdump(struct tring_image *image, int *fds, size_t count)
{
	struct library *library = tring_allocate(sizeof(*library));
	kdump_status status = KDUMP_ERR_SYSTEM;

	image->library = library;
	image->kind = &kdump_kind;
	library->context = kdump_new();
	if (library->context)
		status = prepare(library, count, fds);
	if (status == KDUMP_OK)
		return 0;
	tring_error("%s: %s; %s", image->path,
		    library->context ? kdump_get_err(library->context) : strerror(ENOMEM),
		    "raw memory needs --base");
	return -EINVAL;
}
