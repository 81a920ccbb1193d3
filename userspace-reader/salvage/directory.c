// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the directories in an image: pages that begin with a magic number, and name the address
 * at which they lie. Nothing that a page says is relied on before it is checked.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "directory.h"
#include "util/util.h"

/* The image is read in blocks of this size. */
#define BLOCK		(1024 * 1024)

/* Bytes of a directory's page that are used at most: the largest page of a machine. */
#define PAGE_MAX	65536

/* More of them than any machine makes, so that an image of nothing else ends the scan. */
#define FOUND_MAX	(1u << 20)
#define PACKETS_MAX	(1u << 22)

/* If a page's head differs from that of its copy, so many others tell which one is right. */
#define ALIKE_MAX	64

/* A blob, or the slots and descriptions of the largest ring. */
#define ARRAY_MAX	(1ull << 30)

#define MAX_SUBBUFS	(1ull << 22)
#define SUBBUF_MAX	(4ull << 20)

#define HEAD_AT(member)		offsetof(struct tring_directory_head, member)
#define TABLE_AT(member)	offsetof(struct tring_directory_table, member)
#define MEMORY_AT(member)	offsetof(struct tring_directory_memory, member)

static uint64_t load(const uint8_t *bytes, size_t at, bool big_endian)
{
	return tring_load_u64(bytes + at, big_endian);
}

/* Return: the magic number, without the bit of a copy, or 0. */
static uint64_t load_magic(const uint8_t *bytes, bool *big_endian, bool *is_copy)
{
	unsigned int order;

	for (order = 0; order < 2; order++) {
		uint64_t magic = tring_load_u64(bytes, order);

		*big_endian = order;
		*is_copy = magic & TRING_DIRECTORY_COPY;
		magic &= ~TRING_DIRECTORY_COPY;
		if (magic == TRING_DIRECTORY_TRACE || magic == TRING_DIRECTORY_MEMORY ||
		    magic == TRING_DIRECTORY_TABLE || magic == TRING_DIRECTORY_REGION)
			return magic;
	}
	return 0;
}

static uint64_t checksum(const uint8_t *bytes, size_t size)
{
	return tring_directory_checksum(bytes + sizeof(struct tring_directory_head),
					size - sizeof(struct tring_directory_head));
}

/*
 * Read what a page says of itself. Return: NULL, or what is wrong with it. @page->damaged is set
 * if only the checksum is.
 */
static const char *check_page(const uint8_t *bytes, size_t least, size_t room,
			      struct tring_found_page *page)
{
	uint32_t size = tring_load_u32(bytes + HEAD_AT(size), page->big_endian);

	page->virtual = load(bytes, HEAD_AT(virtual), page->big_endian);
	page->key = load(bytes, HEAD_AT(key), page->big_endian);
	page->damaged = false;
	if (tring_load_u32(bytes + HEAD_AT(version), page->big_endian) !=
	    TRING_DIRECTORY_VERSION)
		return "a version that this tring does not know";
	if (size < least || size > room) {
		page->damaged = least <= room;
		return "a wrong size";
	}
	page->damaged = load(bytes, HEAD_AT(checksum), page->big_endian) != checksum(bytes, size);
	return page->damaged ? "a wrong checksum" : NULL;
}

/* Numbers of a page that have another byte order than the host's. */
static void swap(bool big_endian, void *numbers, size_t count, size_t size)
{
	uint8_t *at = numbers;
	size_t i;

	for (; big_endian != TRING_HOST_BIG_ENDIAN && count; count--, at += size) {
		for (i = 0; i < size / 2; i++) {
			uint8_t byte = at[i];

			at[i] = at[size - 1 - i];
			at[size - 1 - i] = byte;
		}
	}
}

static void clean_text(char *text)
{
	text[TRING_DIRECTORY_TEXT - 1] = 0;
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			*text = '?';
}

/* Return: NULL, or what is wrong. */
static const char *load_trace(const uint8_t *bytes, struct tring_found_trace *trace)
{
	struct tring_directory_trace *is = &trace->is;
	bool order = trace->page.big_endian;

	memcpy(is, bytes, sizeof(*is));
	swap(order, &is->clock_frequency, 3, sizeof(uint64_t));
	swap(order, &is->cpus, 4, sizeof(uint32_t));
	swap(order, is->short_ids, TRING_TYPES, sizeof(uint16_t));
	swap(order, &is->blob, 3, sizeof(uint64_t));
	clean_text(is->host);
	clean_text(is->release);
	clean_text(is->version);
	if (is->page_size < TRING_IMAGE_PAGE || is->page_size > PAGE_MAX ||
	    is->page_size & (is->page_size - 1))
		return "a page size that no machine has";
	if (!is->clock_frequency || is->clock_frequency > INT64_MAX ||
	    is->clock > TRING_DIRECTORY_TAI)
		return "a clock that this tring does not know";
	return NULL;
}

static bool is_inside(const struct tring_directory_memory *memory, uint16_t at, size_t size)
{
	return at + size <= memory->stride;
}

/* Return: NULL, or what is wrong. */
static const char *check_memory(const struct tring_directory_memory *memory)
{
	uint64_t size = memory->subbuf_size;

	if (size < TRING_IMAGE_PAGE || size > SUBBUF_MAX || size & (size - 1))
		return "a size of sub-buffers that no ring has";
	if (!memory->nr_subbufs || memory->nr_subbufs > MAX_SUBBUFS)
		return "a number of sub-buffers that no ring has";
	if (memory->cpu > 65535 || memory->generation > 1)
		return "a CPU or a generation that no ring has";
	if (!is_inside(memory, memory->commits, 8) || !is_inside(memory, memory->start, 8) ||
	    !is_inside(memory, memory->data, 8) || !is_inside(memory, memory->events, 8) ||
	    !is_inside(memory, memory->bytes, 4))
		return "members outside of a description";
	if (memory->subbufs < 8 * memory->nr_subbufs || memory->arrays.size > ARRAY_MAX ||
	    memory->subbufs > memory->arrays.size ||
	    memory->arrays.size - memory->subbufs < (memory->nr_subbufs + 1) * memory->stride)
		return "descriptions outside of its arrays";
	return NULL;
}

static const char *load_memory(const uint8_t *bytes, struct tring_found_memory *memory)
{
	struct tring_directory_memory *is = &memory->is;
	bool order = memory->page.big_endian;

	memcpy(is, bytes, sizeof(*is));
	swap(order, &is->trace, 1, sizeof(uint64_t));
	swap(order, &is->cpu, 2, sizeof(uint32_t));
	swap(order, &is->nr_subbufs, 6, sizeof(uint64_t));
	swap(order, &is->stride, 6, sizeof(uint16_t));
	swap(order, is->words, 2 * TRING_WORDS + 1, sizeof(uint64_t));
	return check_memory(is);
}

static void add_trace(struct tring_directories *found, const uint8_t *bytes,
		      const struct tring_found_page *page)
{
	struct tring_found_trace trace = { .page = *page };

	trace.page.wrong = check_page(bytes, sizeof(trace.is), PAGE_MAX, &trace.page);
	if (!trace.page.wrong)
		trace.page.wrong = load_trace(bytes, &trace);
	found->traces = tring_one_more(found->traces, found->trace_count, sizeof(trace));
	found->traces[found->trace_count++] = trace;
}

static void add_memory(struct tring_directories *found, const uint8_t *bytes,
		       const struct tring_found_page *page)
{
	struct tring_found_memory memory = { .page = *page };

	memory.page.wrong = check_page(bytes, MEMORY_AT(saved), PAGE_MAX, &memory.page);
	if (!memory.page.wrong)
		memory.page.wrong = load_memory(bytes, &memory);
	found->memories = tring_one_more(found->memories, found->memory_count, sizeof(memory));
	found->memories[found->memory_count++] = memory;
}

/* @bytes: PAGE_MAX of them. */
static void add_page(struct tring_directories *found, const uint8_t *bytes, uint64_t physical)
{
	struct tring_found_page page = { .physical = physical };
	uint64_t magic = load_magic(bytes, &page.big_endian, &page.is_copy);

	if (!magic)
		return;
	if (load(bytes, HEAD_AT(physical), page.big_endian) != physical) {
		found->copies++;
		return;
	}
	if (found->trace_count + found->memory_count > FOUND_MAX)
		return;
	if (magic == TRING_DIRECTORY_TRACE)
		add_trace(found, bytes, &page);
	else if (magic == TRING_DIRECTORY_MEMORY)
		add_memory(found, bytes, &page);
}

/* @bytes: a page of the image */
static void add_packet(struct tring_directories *found, const uint8_t *bytes, uint64_t physical)
{
	struct tring_found_packet packet = { .physical = physical };
	struct tring_packet header;

	packet.big_endian = tring_load_u32(bytes, false) != TRING_PACKET_MAGIC;
	if (tring_load_u32(bytes, packet.big_endian) != TRING_PACKET_MAGIC ||
	    bytes[offsetof(struct tring_packet_header, version)] != TRING_FORMAT_VERSION ||
	    found->packet_count >= PACKETS_MAX)
		return;
	tring_packet_load(&header, bytes, packet.big_endian);
	/* no writer has come into it yet */
	if (!header.timestamp_begin && !header.content_size)
		return;
	memcpy(packet.uuid, header.uuid, TRING_UUID_SIZE);
	packet.cpu = header.cpu_id;
	packet.seq = header.seq_num;
	packet.is_whole = header.content_size;
	found->packets = tring_one_more(found->packets, found->packet_count, sizeof(packet));
	found->packets[found->packet_count++] = packet;
}

static void report(struct tring_directories *found, const struct tring_image *image,
		   const struct tring_found_page *page, const char *what)
{
	tring_error("%s: physical address 0x%" PRIx64 ": the directory's page of %s has %s",
		    image->path, page->physical, what, page->wrong);
	found->bad++;
}

/* How many of some pages have the key of a page, and its distance from the kernel's address. */
static unsigned int count_alike(const struct tring_directories *found,
				const struct tring_found_page *page)
{
	unsigned int alike = 0;
	size_t i;

	for (i = 0; i < found->memory_count && i < ALIKE_MAX; i++) {
		const struct tring_found_page *other = &found->memories[i].page;

		alike += other->key == page->key;
		alike += other->virtual - other->physical == page->virtual - page->physical;
	}
	for (i = 0; i < found->trace_count && i < ALIKE_MAX; i++) {
		const struct tring_found_page *other = &found->traces[i].page;

		alike += other->key == page->key;
		alike += other->virtual - other->physical == page->virtual - page->physical;
	}
	return alike;
}

/* The checksum is not of the head. */
static bool is_better(const struct tring_directories *found, const struct tring_found_page *copy,
		      const struct tring_found_page *page)
{
	if (copy->wrong || page->wrong)
		return !copy->wrong;
	if (copy->key == page->key &&
	    copy->virtual - copy->physical == page->virtual - page->physical)
		return false;
	return count_alike(found, copy) > count_alike(found, page);
}

/*
 * Of a page and its copy one is used. @list: @count structures of @size bytes that begin with a
 * page, ascending by its address. Return: number of structures that are left.
 */
static size_t choose_pages(struct tring_directories *found, const struct tring_image *image,
			   void *list, size_t count, size_t size, size_t page_size,
			   const char *what)
{
	struct tring_found_page *page, *last = NULL;
	size_t i, kept = 0;

	for (i = 0; i < count; i++) {
		page = (void *)((uint8_t *)list + i * size);
		if (page->is_copy && last && !last->is_copy &&
		    page->physical - last->physical == page_size) {
			if (!is_better(found, page, last))
				continue;
			kept--;
		}
		last = (void *)((uint8_t *)list + kept * size);
		memmove(last, page, size);
		kept++;
	}
	count = kept;
	for (i = kept = 0; i < count; i++) {
		page = (void *)((uint8_t *)list + i * size);
		if (page->wrong) {
			report(found, image, page, what);
			continue;
		}
		if (page->is_copy)
			tring_note("%s: physical address 0x%" PRIx64
				   ": the directory's page of %s is damaged; its copy is used",
				   image->path, page->physical - page_size, what);
		memmove((uint8_t *)list + kept++ * size, page, size);
	}
	return kept;
}

static void choose(struct tring_directories *found, const struct tring_image *image)
{
	size_t page_size = TRING_IMAGE_PAGE, i;

	for (i = 0; i < found->trace_count; i++)
		if (!found->traces[i].page.wrong)
			page_size = found->traces[i].is.page_size;
	found->trace_count = choose_pages(found, image, found->traces, found->trace_count,
					  sizeof(*found->traces), page_size, "a trace");
	found->memory_count = choose_pages(found, image, found->memories, found->memory_count,
					   sizeof(*found->memories), page_size, "a ring");
}

/* Only the beginning of each page is looked at, so the page is read again if it is found. */
static void scan_block(struct tring_directories *found, struct tring_image *image,
		       const uint8_t *block, uint64_t physical, size_t size, uint8_t *page)
{
	bool big_endian, is_copy;
	size_t at;

	for (at = 0; at + TRING_IMAGE_PAGE <= size; at += TRING_IMAGE_PAGE) {
		add_packet(found, block + at, physical + at);
		if (!load_magic(block + at, &big_endian, &is_copy))
			continue;
		/* behind a page of 4 KiB there may be nothing */
		tring_image_peek(image, physical + at, page, PAGE_MAX);
		add_page(found, page, physical + at);
	}
}

/**
 * tring_directories_find - find the directories in an image
 * @found: zeroed; to be freed also after an error
 * @image: the image
 */
void tring_directories_find(struct tring_directories *found, struct tring_image *image)
{
	uint8_t *block = tring_allocate(BLOCK), *page = tring_allocate(PAGE_MAX);
	uint64_t at = 0, begin, end;

	while (tring_image_next(image, at, &begin, &end)) {
		/* of a page that is there in part the directory is not */
		for (at = begin & -(uint64_t)TRING_IMAGE_PAGE; at < end;) {
			size_t size = end - at < BLOCK ? end - at : BLOCK;
			size_t lacks = tring_image_peek(image, at, block, size);

			if (at >= begin)
				found->lacking += lacks;
			scan_block(found, image, block, at, size, page);
			found->bytes += size;
			at += size;
		}
		at = end;
	}
	free(page);
	free(block);
	choose(found, image);
}

/**
 * tring_directories_free - free what a scan has found
 * @found: from tring_directories_find(), or zeroed
 */
void tring_directories_free(struct tring_directories *found)
{
	free(found->traces);
	free(found->memories);
	free(found->packets);
	memset(found, 0, sizeof(*found));
}

/**
 * tring_directory_physical - find out where a page of a directory lay
 * @bytes: a page, and what is behind it, up to 65536 bytes
 * @size: number of bytes
 * @physical: set to its physical address
 *
 * Return: false if it is no such page.
 */
bool tring_directory_physical(const uint8_t *bytes, size_t size, uint64_t *physical)
{
	struct tring_found_page page = { 0 };

	if (size < sizeof(struct tring_directory_head) ||
	    !load_magic(bytes, &page.big_endian, &page.is_copy) ||
	    check_page(bytes, sizeof(struct tring_directory_head), size, &page))
		return false;
	*physical = load(bytes, HEAD_AT(physical), page.big_endian);
	return true;
}

/* Return: number of addresses that a table has, or 0 if it cannot be used. */
static uint64_t read_table(struct tring_image *image, const struct tring_found_page *owner,
			   uint64_t physical, uint8_t *bytes, uint32_t page_size, bool damaged)
{
	struct tring_found_page page = { .physical = physical };
	uint64_t count, size;

	if (physical % TRING_IMAGE_PAGE || tring_image_read(image, physical, bytes, page_size) ||
	    load_magic(bytes, &page.big_endian, &page.is_copy) != TRING_DIRECTORY_TABLE ||
	    page.big_endian != owner->big_endian ||
	    load(bytes, HEAD_AT(physical), page.big_endian) != physical)
		return 0;
	if (check_page(bytes, TABLE_AT(pages), page_size, &page) && !(damaged && page.damaged))
		return 0;
	count = load(bytes, TABLE_AT(nr_pages), page.big_endian);
	size = page_size - TABLE_AT(pages);
	return page.key == owner->key && count <= size / 8 ? count : 0;
}

/*
 * One that was torn by the crash is better than none: its addresses are checked. Its copy is
 * better still.
 */
static uint64_t find_table(struct tring_image *image, const struct tring_found_page *owner,
			   uint64_t physical, uint8_t *bytes, uint32_t page_size)
{
	uint64_t missing = image->missing;
	uint64_t count = read_table(image, owner, physical, bytes, page_size, false);

	if (!count)
		count = read_table(image, owner, physical + page_size, bytes, page_size, false);
	if (count)
		image->missing = missing;
	else
		count = read_table(image, owner, physical, bytes, page_size, true);
	return count;
}

/**
 * tring_array_open - find the pages of an array
 * @array: filled in; to be closed in any case
 * @image: the image
 * @page: of the directory, which has the array
 * @from: the array in that page
 * @page_size: of the machine
 *
 * Return: 0, or -EINVAL if a table of its pages cannot be read: those that follow are missing.
 */
int tring_array_open(struct tring_found_array *array, struct tring_image *image,
		     const struct tring_found_page *page,
		     const struct tring_directory_array *from, uint32_t page_size)
{
	uint8_t *bytes = tring_allocate(page_size);
	uint64_t table = from->table, done = 0, count, i;

	*array = (struct tring_found_array) { .page_size = page_size };
	if (from->size <= ARRAY_MAX && from->offset < page_size) {
		array->size = from->size;
		array->offset = from->offset;
		array->count = (from->size + from->offset + page_size - 1) / page_size;
		array->pages = tring_allocate((array->count + 1) * sizeof(*array->pages));
	}
	while (done < array->count) {
		count = table ? find_table(image, page, table, bytes, page_size) : 0;
		if (!count)
			break;
		for (i = 0; i < count && done < array->count; i++)
			array->pages[done++] = load(bytes, TABLE_AT(pages) + 8 * i,
						    page->big_endian);
		table = load(bytes, TABLE_AT(next), page->big_endian);
	}
	free(bytes);
	return array->pages && done == array->count ? 0 : -EINVAL;
}

/**
 * tring_array_read - read from an array
 * @array: the array
 * @image: the image
 * @offset: in the array
 * @to: filled in; bytes that are missing are 0
 * @size: number of bytes
 *
 * Return: number of bytes that are missing.
 */
size_t tring_array_read(const struct tring_found_array *array, struct tring_image *image,
			uint64_t offset, void *to, size_t size)
{
	size_t missing = 0;

	while (size) {
		uint64_t at = offset + array->offset, page = at / array->page_size;
		size_t inside = at % array->page_size, part = array->page_size - inside;

		if (part > size)
			part = size;
		if (offset + part > array->size || page >= array->count || !array->pages[page]) {
			memset(to, 0, part);
			missing += part;
		} else {
			missing += tring_image_read(image, array->pages[page] + inside, to, part);
		}
		offset += part;
		to = (uint8_t *)to + part;
		size -= part;
	}
	return missing;
}

/**
 * tring_array_close - forget an array's pages
 * @array: from tring_array_open(), or zeroed
 */
void tring_array_close(struct tring_found_array *array)
{
	free(array->pages);
	memset(array, 0, sizeof(*array));
}
