// SPDX-License-Identifier: GPL-2.0
/*
 * Images in kdump's compressed form, and in others that libkdumpfile reads. The library needs
 * no symbols for physical addresses.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libkdumpfile/kdumpfile.h>

#include "image.h"
#include "util/util.h"

/* So many pages in a row that cannot be read are the rest of a file that is cut off. */
#define FAILURES_MAX	256

/**
 * struct part - a file
 * @context: the library's; NULL if the library cannot read the file any more
 * @pages: which pages the file has; NULL if the library could not open it
 * @page_size: of the machine
 * @fd: the file
 * @end: where the file is cut off, or UINT64_MAX
 * @failed: the first of the pages that could not be read
 * @failures: number of such pages in a row
 */
struct part {
	kdump_ctx_t	*context;
	kdump_bmp_t	*pages;
	uint64_t	page_size;
	int		fd;
	uint64_t	end;
	uint64_t	failed;
	unsigned int	failures;
};

/**
 * struct library - what belongs to libkdumpfile
 * @count: number of files
 * @parts: the files; the library itself, given several ones, does not find all of their pages
 */
struct library {
	size_t		count;
	struct part	parts[];
};

/*
 * A damaged head leaves a context in which kdump_free() follows null pointers. So what could not
 * be opened is kept up to the end of the program.
 */
static void close_part(struct part *part)
{
	if (!part->pages)
		return;
	kdump_bmp_decref(part->pages);
	kdump_free(part->context);
	part->pages = NULL;
	part->context = NULL;
}

/* The library would map a file that is cut off beyond its end, and die of SIGBUS. */
static kdump_status open_part(struct part *part)
{
	kdump_attr_t map = { .type = KDUMP_BITMAP };
	kdump_num_t size = 0;
	kdump_status status;

	part->context = kdump_new();
	if (!part->context)
		return KDUMP_ERR_SYSTEM;
	status = kdump_set_number_attr(part->context, KDUMP_ATTR_FILE_MMAP_POLICY,
				       KDUMP_MMAP_NEVER);
	if (status == KDUMP_OK)
		status = kdump_open_fd(part->context, part->fd);
	if (status == KDUMP_OK)
		status = kdump_get_number_attr(part->context, KDUMP_ATTR_PAGE_SIZE, &size);
	if (status == KDUMP_OK)
		status = kdump_get_typed_attr(part->context, KDUMP_ATTR_FILE_PAGEMAP, &map);
	if (status != KDUMP_OK)
		return status;
	if (!size)
		return KDUMP_ERR_CORRUPT;
	part->page_size = size;
	part->pages = map.val.bitmap;
	kdump_bmp_incref(part->pages);
	return KDUMP_OK;
}

static bool next_in_part(const struct part *part, uint64_t from, uint64_t *begin, uint64_t *end)
{
	kdump_addr_t first, last;

	if (!part->pages)
		return false;
	first = from / part->page_size;
	if (kdump_bmp_find_set(part->pages, &first) != KDUMP_OK)
		return false;
	last = first;
	if (kdump_bmp_find_clear(part->pages, &last) != KDUMP_OK)
		return false;
	*begin = first * part->page_size;
	*end = last * part->page_size;
	return true;
}

static bool next_pages(struct tring_image *image, uint64_t from, uint64_t *begin, uint64_t *end)
{
	const struct library *library = image->library;
	uint64_t one_begin, one_end;
	bool found = false;
	size_t i;

	for (i = 0; i < library->count; i++) {
		if (!next_in_part(&library->parts[i], from, &one_begin, &one_end) ||
		    (found && one_begin >= *begin))
			continue;
		*begin = one_begin;
		*end = one_end;
		found = true;
	}
	return found;
}

/* After a failure the library's cache may name memory that it has not: it is thrown away. */
static void begin_again(struct part *part, uint64_t physical)
{
	if (!part->failures++)
		part->failed = physical;
	if (part->failures == FAILURES_MAX && part->failed < part->end)
		part->end = part->failed;
	close_part(part);
	if (open_part(part) != KDUMP_OK)
		close_part(part);
}

/* Only pages that the file should have are asked for. One that cannot be read is missing. */
static size_t read_part(struct part *part, uint64_t physical, void *to, size_t size)
{
	uint64_t begin, end;
	size_t got;

	if (physical >= part->end || !next_in_part(part, physical, &begin, &end) ||
	    begin > physical)
		return 0;
	if (end > part->end)
		end = part->end;
	if (size > end - physical)
		size = end - physical;
	got = size;
	if (kdump_read(part->context, KDUMP_MACHPHYSADDR, physical, to, &got) == KDUMP_OK) {
		part->failures = 0;
		return size;
	}
	if (got == size)
		got = 0;
	if (got)
		part->failures = 0;
	begin_again(part, physical + got);
	return got;
}

static size_t read_pages(struct tring_image *image, uint64_t physical, void *to, size_t size)
{
	struct library *library = image->library;
	size_t done = 0, before, i;

	do {
		before = done;
		for (i = 0; i < library->count && done < size; i++)
			done += read_part(&library->parts[i], physical + done,
					  (uint8_t *)to + done, size - done);
	} while (done < size && done > before);
	return done;
}

static void close_library(struct tring_image *image)
{
	static struct library *kept __attribute__((used));
	struct library *library = image->library;
	size_t i;

	for (i = 0; i < library->count; i++) {
		close_part(&library->parts[i]);
		if (library->parts[i].context)
			kept = library;
	}
	if (kept != library)
		free(library);
}

static const struct tring_image_kind kdump_kind = { next_pages, read_pages, close_library };

static bool overlap(const struct part *one, const struct part *other)
{
	uint64_t at = 0, begin, end, other_begin, other_end;

	for (; next_in_part(one, at, &begin, &end); at = end)
		if (next_in_part(other, begin, &other_begin, &other_end) && other_begin < end)
			return true;
	return false;
}

/* Files of two crashes have the same memory as a rule, and would be mixed up. */
static int check_parts(const struct library *library, char * const *paths)
{
	size_t i, j;

	for (i = 0; i < library->count; i++)
		for (j = 0; j < i; j++)
			if (overlap(&library->parts[j], &library->parts[i])) {
				tring_error("%s and %s have the same memory: %s", paths[j],
					    paths[i], "they are no parts of one image");
				return -EINVAL;
			}
	return 0;
}

/**
 * tring_image_open_kdump - open an image by libkdumpfile
 * @image: filled in
 * @paths: names of the files, for messages
 * @fds: the files
 * @count: number of files
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_image_open_kdump(struct tring_image *image, char * const *paths, const int *fds,
			   size_t count)
{
	struct library *library = tring_allocate(sizeof(*library) +
						 count * sizeof(library->parts[0]));
	size_t i;

	image->library = library;
	image->kind = &kdump_kind;
	image->is_core = true;
	library->count = count;
	for (i = 0; i < count; i++) {
		struct part *part = &library->parts[i];

		part->fd = fds[i];
		part->end = UINT64_MAX;
		if (open_part(part) != KDUMP_OK) {
			tring_error("%s: %s; %s", paths[i], part->context ?
				    kdump_get_err(part->context) : strerror(ENOMEM),
				    "raw memory needs --base, a compressed file is to be unpacked");
			return -EINVAL;
		}
	}
	return check_parts(library, paths);
}
