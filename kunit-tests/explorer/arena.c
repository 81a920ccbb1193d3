// SPDX-License-Identifier: GPL-2.0
/*
 * The memory of the ring under test, in one piece. arena_save() copies it once the
 * ring is set up; arena_restore() puts the copy back for each schedule.
 */
#include <stdlib.h>

#include "pages.h"
#include "world.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define GAP	64
#else
#define __asan_poison_memory_region(address, size)	do { } while (0)
#define __asan_unpoison_memory_region(address, size)	do { } while (0)
#define GAP	0
#endif

#define ARENA_SIZE	(256u << 10)
#define ALLOCATIONS_MAX	512
#define PAGES_MAX	256

/* Freed memory is filled with this, so that a late reader finds no packet in it. */
#define FREED	0x6b

struct allocation {
	u32	offset;
	u32	size;
	bool	is_free;
};

/* The pages of a sub-buffer. */
struct pages {
	void		*data;
	size_t		size;
	bool		is_free;
};

/* Allocations and pages; saved and restored with the content. */
static struct book {
	size_t		used;
	unsigned int	nr_allocations;
	unsigned int	nr_pages;
	struct allocation allocations[ALLOCATIONS_MAX];
	struct pages	pages[PAGES_MAX];
} book, saved_book;

static char arena[ARENA_SIZE] __aligned(4096);
static char saved[ARENA_SIZE] __aligned(4096);

/* This schedule has freed something. */
bool shim_has_freed;

void *shim_allocate(size_t size, size_t align)
{
	struct allocation *allocation;

	if (align < 16)
		align = 16;
	book.used = (book.used + GAP + align - 1) & ~(align - 1);
	if (book.used + size > ARENA_SIZE || book.nr_allocations == ALLOCATIONS_MAX)
		fail("the explorer's arena is full");
	allocation = &book.allocations[book.nr_allocations++];
	allocation->offset = book.used;
	allocation->size = size;
	allocation->is_free = false;
	book.used += size;
	__asan_unpoison_memory_region(arena + allocation->offset, size);
	/* Behind the saved part lies content of earlier schedules. */
	memset(arena + allocation->offset, 0, size);
	return arena + allocation->offset;
}

void shim_free(const void *memory)
{
	size_t offset = (const char *)memory - arena;
	unsigned int i;

	if (!memory)
		return;
	for (i = book.nr_allocations; i-- > 0;)
		if (book.allocations[i].offset == offset) {
			if (book.allocations[i].is_free)
				fail("memory is freed twice");
			book.allocations[i].is_free = true;
			shim_has_freed = true;
			memset(arena + offset, FREED, book.allocations[i].size);
			__asan_poison_memory_region(arena + offset, book.allocations[i].size);
			return;
		}
	fail("memory is freed that was not allocated");
}

/* kmod/pages.c for the explorer: pages never run out. */
void tring_pages_begin(void)
{
}

void tring_pages_end(void)
{
}

static int ask_arena(unsigned long bytes)
{
	return 0;
}

static void *alloc_from_arena(size_t size, int node, bool contiguous)
{
	struct pages *pages;

	if (!contiguous)
		return shim_allocate(size, 16);
	if (book.nr_pages == PAGES_MAX)
		fail("the explorer's pages are used up");
	pages = &book.pages[book.nr_pages++];
	pages->data = shim_allocate(size, PAGE_SIZE);
	pages->size = size;
	pages->is_free = false;
	return pages->data;
}

static void free_to_arena(const void *data, size_t size, bool contiguous)
{
	unsigned int i;

	for (i = book.nr_pages; contiguous && i-- > 0;) {
		if (book.pages[i].data != data)
			continue;
		if (book.pages[i].size != size)
			fail("pages of %zu bytes are freed as %zu", book.pages[i].size, size);
		book.pages[i].is_free = true;
		shim_free(data);
		return;
	}
	if (contiguous)
		fail("no pages are at that address");
	shim_free(data);
}

const struct tring_allocator tring_pages = {
	.ask	= ask_arena,
	.alloc	= alloc_from_arena,
	.free	= free_to_arena,
};

unsigned int shim_pages_in_use(void)
{
	unsigned int i, in_use = 0;

	for (i = 0; i < book.nr_pages; i++)
		in_use += !book.pages[i].is_free;
	return in_use;
}

static void poison_gaps(void)
{
#ifdef __SANITIZE_ADDRESS__
	unsigned int i;

	__asan_poison_memory_region(arena, ARENA_SIZE);
	for (i = 0; i < book.nr_allocations; i++)
		if (!book.allocations[i].is_free)
			__asan_unpoison_memory_region(arena + book.allocations[i].offset,
						      book.allocations[i].size);
#endif
}

/* Empty the arena. */
void arena_clear(void)
{
	__asan_unpoison_memory_region(arena, ARENA_SIZE);
	memset(&book, 0, sizeof(book));
	memset(arena, 0, sizeof(arena));
	poison_gaps();
}

void arena_save(void)
{
	__asan_unpoison_memory_region(arena, ARENA_SIZE);
	memcpy(saved, arena, book.used);
	saved_book = book;
	poison_gaps();
}

void arena_restore(void)
{
	unsigned int i;

	__asan_unpoison_memory_region(arena, ARENA_SIZE);
	memcpy(arena, saved, saved_book.used);
	for (i = 0; i < saved_book.nr_allocations; i++)
		book.allocations[i].is_free = saved_book.allocations[i].is_free;
	for (i = 0; i < saved_book.nr_pages; i++)
		book.pages[i] = saved_book.pages[i];
	book.used = saved_book.used;
	book.nr_allocations = saved_book.nr_allocations;
	book.nr_pages = saved_book.nr_pages;
	shim_has_freed = false;
	poison_gaps();
}

void shim_check_freed(const void *variable)
{
	size_t offset = (const char *)variable - arena;
	const struct allocation *allocation;
	unsigned int i;

	for (i = 0; i < book.nr_allocations; i++) {
		allocation = &book.allocations[i];
		if (allocation->is_free && offset - allocation->offset < allocation->size)
			fail("memory is used after it was freed");
	}
}

/* Check that freed memory was not written to. */
__attribute__((__no_sanitize__("address")))
void arena_check(void)
{
	unsigned int i, k;

	for (i = 0; i < book.nr_allocations; i++) {
		const struct allocation *allocation = &book.allocations[i];

		for (k = 0; allocation->is_free && k < allocation->size; k++)
			if (arena[allocation->offset + k] != FREED)
				fail("memory is written to after it was freed");
	}
}

const void *arena_used(size_t *size)
{
	*size = book.used;
	return arena;
}
