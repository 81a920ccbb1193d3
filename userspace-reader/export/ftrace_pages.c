// SPDX-License-Identifier: GPL-2.0
/*
 * Pages of ftrace's ring buffer.
 *
 * A page begins with the time of its first event (8 bytes) and the commit (8 bytes): the
 * number of bytes of events, and two flags. If events are missing before the page, their
 * number may be behind its events. An event is
 *
 *	u32	27 bits of time since the event before, 5 bits of type
 *	u32	type 0 only: bytes of the payload, these 4 included
 *	payload	type * 4 bytes for types 1 to 28
 *
 * Type 30 has no payload: its time and a u32 above it are a longer time to add.
 */
#include <stdlib.h>
#include <string.h>

#include "ftrace_pages.h"
#include "util/store.h"
#include "util/util.h"

#define STAMP_BITS	27
#define TYPE_BITS	5
#define TYPE_EXTEND	30
#define EXTEND_SIZE	8
#define WORD_SIZE	4
/* Longer payloads have their length before them. */
#define PAYLOAD_SHORT	(28 * 4)
/* Bits of the time that an extend can add. */
#define DELTA_BITS	(STAMP_BITS + 32)

#define COMMIT_MISSED	(1u << 31)
#define COMMIT_STORED	(1u << 30)
#define LOST_SIZE	8

static void store_word(uint8_t *to, uint32_t stamp, uint32_t type, bool big_endian)
{
	tring_store_u32(to, big_endian ? type << STAMP_BITS | stamp : stamp << TYPE_BITS | type,
			big_endian);
}

/**
 * tring_ftrace_pages_init - prepare for the pages of a CPU
 * @pages: filled in; free it with tring_ftrace_pages_free()
 * @output: where the pages are written
 * @big_endian: byte order of the file
 * @size: bytes of a page
 */
void tring_ftrace_pages_init(struct tring_ftrace_pages *pages, struct tring_output *output,
			     bool big_endian, size_t size)
{
	memset(pages, 0, sizeof(*pages));
	pages->output = output;
	pages->big_endian = big_endian;
	pages->size = size;
	pages->page = tring_allocate(size);
}

/**
 * tring_ftrace_pages_free - free the memory
 * @pages: the pages
 */
void tring_ftrace_pages_free(struct tring_ftrace_pages *pages)
{
	free(pages->page);
}

/**
 * tring_ftrace_pages_end - write the last page
 * @pages: the pages
 */
void tring_ftrace_pages_end(struct tring_ftrace_pages *pages)
{
	uint8_t *end = pages->page + TRING_FTRACE_PAGE_HEAD + pages->fill;
	uint32_t commit = pages->fill;

	if (!pages->fill)
		return;
	memset(end, 0, pages->page + pages->size - end);
	if (pages->missed)
		commit |= COMMIT_MISSED;
	if (pages->missed && pages->lost) {
		commit |= COMMIT_STORED;
		tring_store_u64(end, pages->lost, pages->big_endian);
	}
	tring_store_u64(pages->page + 8, commit, pages->big_endian);
	tring_output_add(pages->output, pages->page, pages->size);
	pages->fill = 0;
	pages->missed = false;
	pages->lost = 0;
}

/**
 * tring_ftrace_pages_lose - tell that events are missing before the next one
 * @pages: the pages
 * @events: number of events, 0 if it is unknown
 */
void tring_ftrace_pages_lose(struct tring_ftrace_pages *pages, uint64_t events)
{
	/* only a page's first event can tell */
	tring_ftrace_pages_end(pages);
	pages->missed = true;
	pages->lost += events;
}

static void begin_page(struct tring_ftrace_pages *pages, uint64_t ns)
{
	tring_store_u64(pages->page, ns, pages->big_endian);
	pages->stamp = ns;
	pages->room = pages->size - TRING_FTRACE_PAGE_HEAD;
	if (pages->missed)
		pages->room -= LOST_SIZE;
}

/* struct trace_entry, then the fields, and zeroes up to the next word. */
static void store_payload(uint8_t *to, const struct tring_record *record, size_t size,
			  bool big_endian)
{
	tring_store_u16(to, record->id, big_endian);
	to[2] = record->flags;
	to[3] = record->preempt_count;
	tring_store_u32(to + 4, record->pid, big_endian);
	tring_store_u32(to + size - WORD_SIZE, 0, big_endian);
	memcpy(to + TRING_PAYLOAD_HEAD, record->payload + TRING_PAYLOAD_HEAD,
	       record->length - TRING_PAYLOAD_HEAD);
}

/**
 * tring_ftrace_pages_add - add an event
 * @pages: the pages
 * @record: the event's record, with an id
 * @ns: its time in nanoseconds
 *
 * Return: false if it does not fit into a page of this size; @pages->needed tells which
 * one it needs.
 */
bool tring_ftrace_pages_add(struct tring_ftrace_pages *pages,
			    const struct tring_record *record, uint64_t ns)
{
	size_t size = (record->length + WORD_SIZE - 1) & ~(size_t)(WORD_SIZE - 1);
	bool is_short = size <= PAYLOAD_SHORT, big_endian = pages->big_endian;
	size_t head = is_short ? WORD_SIZE : 2 * WORD_SIZE;
	uint64_t delta = ns - pages->stamp;
	size_t extend = delta >> STAMP_BITS ? EXTEND_SIZE : 0;
	uint8_t *at;

	/* a time before that of the last event makes a huge difference, too */
	if (pages->fill && (delta >> DELTA_BITS ||
			    pages->fill + extend + head + size > pages->room))
		tring_ftrace_pages_end(pages);
	if (!pages->fill) {
		begin_page(pages, ns);
		delta = 0;
		extend = 0;
		if (head + size > pages->room) {
			pages->needed = TRING_FTRACE_PAGE_HEAD + LOST_SIZE + head + size;
			return false;
		}
	}
	at = pages->page + TRING_FTRACE_PAGE_HEAD + pages->fill;
	if (extend) {
		store_word(at, delta & ((1u << STAMP_BITS) - 1), TYPE_EXTEND, big_endian);
		tring_store_u32(at + WORD_SIZE, delta >> STAMP_BITS, big_endian);
		at += extend;
		delta = 0;
	}
	store_word(at, delta, is_short ? size / WORD_SIZE : 0, big_endian);
	if (!is_short)
		tring_store_u32(at + WORD_SIZE, size + WORD_SIZE, big_endian);
	store_payload(at + head, record, size, big_endian);
	pages->fill += extend + head + size;
	pages->stamp = ns;
	return true;
}
