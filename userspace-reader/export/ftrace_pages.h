/* SPDX-License-Identifier: GPL-2.0 */
/* Pages of ftrace's ring buffer, which contain the events of a CPU in a trace.dat. */
#ifndef TRING_FTRACE_PAGES_H
#define TRING_FTRACE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "output.h"
#include "tring.h"

/* Sizes of a page and of its header: the time of the first event, the commit. */
#define TRING_FTRACE_PAGE	4096
#define TRING_FTRACE_PAGE_MAX	(64 * 1024 * 1024)
#define TRING_FTRACE_PAGE_HEAD	16

/**
 * struct tring_ftrace_pages - pages of one CPU
 * @output: where the pages are written
 * @big_endian: byte order of the file
 * @size: bytes of a page
 * @page: the page that is being filled
 * @fill: bytes of events in @page
 * @room: bytes that events may take in @page
 * @stamp: time of the last event in @page, in nanoseconds
 * @missed: events are missing before @page
 * @lost: number of these events, 0 if it is unknown
 * @needed: size of page that an event needs for which @page is too small
 */
struct tring_ftrace_pages {
	struct tring_output *output;
	bool		big_endian;
	size_t		size;
	uint8_t		*page;
	size_t		fill;
	size_t		room;
	uint64_t	stamp;
	bool		missed;
	uint64_t	lost;
	size_t		needed;
};

void tring_ftrace_pages_init(struct tring_ftrace_pages *pages, struct tring_output *output,
			     bool big_endian, size_t size);
void tring_ftrace_pages_free(struct tring_ftrace_pages *pages);
bool tring_ftrace_pages_add(struct tring_ftrace_pages *pages,
			    const struct tring_record *record, uint64_t ns);
void tring_ftrace_pages_lose(struct tring_ftrace_pages *pages, uint64_t events);
void tring_ftrace_pages_end(struct tring_ftrace_pages *pages);

#endif /* TRING_FTRACE_PAGES_H */
