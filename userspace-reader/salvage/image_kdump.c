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
#include "util/util.h"

/* So many pages in a row that cannot be read are the rest of a file that is cut off. */
#define FAILURES_MAX	256

/**
 * struct core - what belongs to libkdumpfile
 * @context: the library's; NULL if the library cannot read the file any more
 * @pages: which pages the file has; NULL if the library could not open it
 * @page_size: of the machine
 * @fd: the file
 * @end: where the file is cut off, or UINT64_MAX
 * @failed: the first of the pages that could not be read
 * @failures: number of such pages in a row
 */
struct core {
	kdump_ctx_t	*context;
	kdump_bmp_t	*pages;
	uint64_t	page_size;
	int		fd;
	uint64_t	end;
	uint64_t	failed;
	unsigned int	failures;
};

/*
 * A damaged head leaves a context in which kdump_free() follows null pointers. So what could not
 * be opened is kept up to the end of the program.
 */
static void close_context(struct core *core)
{
	if (!core->pages)
		return;
	kdump_bmp_decref(core->pages);
	kdump_free(core->context);
	core->pages = NULL;
	core->context = NULL;
}

/* The library would map a file that is cut off beyond its end, and die of SIGBUS. */
static kdump_status open_context(struct core *core)
{
	kdump_attr_t map = { .type = KDUMP_BITMAP };
	kdump_num_t size = 0;
	kdump_status status;

	core->context = kdump_new();
	if (!core->context)
		return KDUMP_ERR_SYSTEM;
	status = kdump_set_number_attr(core->context, KDUMP_ATTR_FILE_MMAP_POLICY,
				       KDUMP_MMAP_NEVER);
	if (status == KDUMP_OK)
		status = kdump_open_fd(core->context, core->fd);
	if (status == KDUMP_OK)
		status = kdump_get_number_attr(core->context, KDUMP_ATTR_PAGE_SIZE, &size);
	if (status == KDUMP_OK)
		status = kdump_get_typed_attr(core->context, KDUMP_ATTR_FILE_PAGEMAP, &map);
	if (status != KDUMP_OK)
		return status;
	if (!size)
		return KDUMP_ERR_CORRUPT;
	core->page_size = size;
	core->pages = map.val.bitmap;
	kdump_bmp_incref(core->pages);
	return KDUMP_OK;
}

static bool next_pages(struct tring_image *image, uint64_t from, uint64_t *begin, uint64_t *end)
{
	const struct core *core = image->library;
	kdump_addr_t first, last;

	if (!core->pages)
		return false;
	first = from / core->page_size;
	if (kdump_bmp_find_set(core->pages, &first) != KDUMP_OK)
		return false;
	last = first;
	if (kdump_bmp_find_clear(core->pages, &last) != KDUMP_OK)
		return false;
	*begin = first * core->page_size;
	*end = last * core->page_size;
	return true;
}

/* After a failure the library's cache may name memory that it has not: it is thrown away. */
static void begin_again(struct core *core, uint64_t physical)
{
	if (!core->failures++)
		core->failed = physical;
	if (core->failures == FAILURES_MAX && core->failed < core->end)
		core->end = core->failed;
	close_context(core);
	if (open_context(core) != KDUMP_OK)
		close_context(core);
}

/* Only pages that the file should have are asked for. One that cannot be read is missing. */
static size_t read_pages(struct tring_image *image, uint64_t physical, void *to, size_t size)
{
	struct core *core = image->library;
	uint64_t begin, end;
	size_t got;

	if (physical >= core->end || !next_pages(image, physical, &begin, &end) ||
	    begin > physical)
		return 0;
	if (end > core->end)
		end = core->end;
	if (size > end - physical)
		size = end - physical;
	got = size;
	if (kdump_read(core->context, KDUMP_MACHPHYSADDR, physical, to, &got) == KDUMP_OK) {
		core->failures = 0;
		return size;
	}
	if (got == size)
		got = 0;
	if (got)
		core->failures = 0;
	begin_again(core, physical + got);
	return got;
}

static void close_core(struct tring_image *image)
{
	static struct core *kept __attribute__((used));
	struct core *core = image->library;

	close_context(core);
	if (core->context)
		kept = core;
	else
		free(core);
}

static const struct tring_image_kind kdump_kind = { next_pages, read_pages, close_core };

/**
 * tring_image_open_kdump - open an image by libkdumpfile
 * @image: filled in, with the path
 * @fd: the file
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_image_open_kdump(struct tring_image *image, int fd)
{
	struct core *core = tring_allocate(sizeof(*core));

	image->library = core;
	image->kind = &kdump_kind;
	image->is_core = true;
	core->fd = fd;
	core->end = UINT64_MAX;
	if (open_context(core) == KDUMP_OK)
		return 0;
	tring_error("%s: %s; %s", image->path,
		    core->context ? kdump_get_err(core->context) : strerror(ENOMEM),
		    "raw memory needs --base, a compressed file is to be unpacked");
	return -EINVAL;
}
