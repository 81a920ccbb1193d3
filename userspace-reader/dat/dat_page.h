/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The records of a page of ftrace's ring. */
#ifndef TRING_DAT_PAGE_H
#define TRING_DAT_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct tring_dat_page - position in a page
 * @data: bytes of the page
 * @size: number of bytes
 * @end: offset behind the last record
 * @at: offset of the next record
 * @big_endian: byte order
 * @lost: events lost in front of the first record; 0 if unknown, or if there are none
 * @uncounted: events were lost there, and the page does not tell how many
 * @stamp: time of the last record that was returned
 * @start: offset of that record
 * @payload: its payload
 * @length: bytes of @payload
 */
struct tring_dat_page {
	const uint8_t	*data;
	size_t		size;
	size_t		end;
	size_t		at;
	bool		big_endian;
	bool		uncounted;
	uint64_t	lost;
	uint64_t	stamp;
	size_t		start;
	const uint8_t	*payload;
	size_t		length;
};

/* What is at a place of a page. */
enum tring_dat_found {
	TRING_DAT_RECORD,
	TRING_DAT_TORN,
	TRING_DAT_END,
};

bool tring_dat_page_begin(struct tring_dat_page *page, const void *data, size_t size,
			  bool big_endian, unsigned int long_size);
enum tring_dat_found tring_dat_page_next(struct tring_dat_page *page);

#endif /* TRING_DAT_PAGE_H */
