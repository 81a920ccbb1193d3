// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Walks the records of a page as a kernel has them in its ring, with the bytes of anything.
 *
 * libtraceevent's kbuffer does the same, but it skips padding by itself, reads behind the page
 * for a length, and never returns from a length that leads back to its own record. All that
 * happens inside of its calls, so no check around them can prevent it.
 */
#include "dat_page.h"
#include "wire/wire.h"

/* Of the word behind the page's timestamp: bytes in use, and what it tells of lost events. */
#define COMMIT_BITS	0x7ffffff
#define LOST_STORED	(1u << 30)
#define LOST		(1u << 31)

/* Types of a record from 1 to 28 are its payload's length in words. */
enum type {
	TYPE_LONG = 0,
	TYPE_PADDING = 29,
	TYPE_TIME_EXTEND = 30,
	TYPE_TIME_STAMP = 31,
};

#define TIME_BITS	27
/* An absolute time has no room for these; they are those of the time before. */
#define TIME_TOP_BITS	(0xf8ull << 56)

/**
 * tring_dat_page_begin - go to the first record of a page
 * @page: filled in
 * @data: bytes of the page
 * @size: number of bytes
 * @big_endian: byte order
 * @long_size: bytes of a long
 *
 * Return: false if the page has more records than there is room for.
 */
bool tring_dat_page_begin(struct tring_dat_page *page, const void *data, size_t size,
			  bool big_endian, unsigned int long_size)
{
	/* a timestamp, and a long with the bytes in use */
	size_t head = 8 + long_size, used;
	uint32_t word;

	if (size < head)
		return false;
	word = tring_load((const uint8_t *)data + 8, long_size, big_endian);
	used = word & COMMIT_BITS;
	if (used > size - head)
		return false;
	*page = (struct tring_dat_page) {
		.data = data,
		.size = size,
		.end = head + used,
		.at = head,
		.big_endian = big_endian,
		.stamp = tring_load_u64(data, big_endian),
	};
	if (word & LOST && word & LOST_STORED && size - page->end >= long_size)
		page->lost = tring_load(page->data + page->end, long_size, big_endian);
	else
		page->uncounted = word & LOST;
	return true;
}

static enum tring_dat_found tear(struct tring_dat_page *page)
{
	page->at = page->end;
	return TRING_DAT_TORN;
}

static enum tring_dat_found take_record(struct tring_dat_page *page, size_t head, size_t length)
{
	if (head + length > page->size - page->at)
		return tear(page);
	page->payload = page->data + page->at + head;
	page->length = length;
	page->at += head + length;
	return TRING_DAT_RECORD;
}

/**
 * tring_dat_page_next - go to the next record of a page
 * @page: from tring_dat_page_begin()
 *
 * Return: TRING_DAT_RECORD if there is one; TRING_DAT_TORN if the one at @page->start leads out
 * of the page, and so is the last one.
 */
enum tring_dat_found tring_dat_page_next(struct tring_dat_page *page)
{
	while (page->at < page->end) {
		const uint8_t *at = page->data + page->at;
		size_t left = page->size - page->at;
		uint32_t word, type, delta, second;

		page->start = page->at;
		if (left < sizeof(word))
			return tear(page);
		word = tring_load_u32(at, page->big_endian);
		/* bit fields begin at the other end */
		type = page->big_endian ? word >> TIME_BITS : word & 31;
		delta = page->big_endian ? word & ((1u << TIME_BITS) - 1) : word >> 5;
		if (type != TYPE_LONG && type < TYPE_PADDING) {
			page->stamp += delta;
			return take_record(page, sizeof(word), type * sizeof(word));
		}
		if (left < 2 * sizeof(word))
			return tear(page);
		second = tring_load_u32(at + sizeof(word), page->big_endian);
		if (type == TYPE_TIME_EXTEND) {
			page->stamp += ((uint64_t)second << TIME_BITS) + delta;
			page->at += 2 * sizeof(word);
			continue;
		}
		if (type == TYPE_TIME_STAMP) {
			page->stamp = (page->stamp & TIME_TOP_BITS) |
				      (((uint64_t)second << TIME_BITS) + delta);
			page->at += 2 * sizeof(word);
			continue;
		}
		page->stamp += delta;
		/* lengths count their own word */
		if (second < sizeof(word) || second > left - sizeof(word))
			return tear(page);
		if (type == TYPE_LONG)
			return take_record(page, 2 * sizeof(word), (second - 1) / 4 * 4);
		/* a discarded record */
		page->at += sizeof(word) + second;
	}
	return TRING_DAT_END;
}
