/* SPDX-License-Identifier: GPL-2.0 */
/* The directories that an image has: see uapi/tring_directory.h. */
#ifndef TRING_DIRECTORY_H
#define TRING_DIRECTORY_H

#include "image.h"
#include "tring_directory.h"
#include "wire/wire.h"

/**
 * struct tring_found_page - a page of a directory
 * @physical: address of the page, where it was found
 * @virtual: address in the kernel
 * @key: of the directory
 * @big_endian: byte order of the machine
 * @damaged: its checksum is wrong
 * @is_copy: it is the copy behind a page
 * @wrong: what is wrong with it, or NULL
 */
struct tring_found_page {
	uint64_t	physical;
	uint64_t	virtual;
	uint64_t	key;
	bool		big_endian;
	bool		damaged;
	bool		is_copy;
	const char	*wrong;
};

/**
 * struct tring_found_array - memory that a directory describes page by page
 * @size: bytes
 * @offset: bytes of the first page that lie before it
 * @pages: physical addresses; 0 if the directory's own page is missing
 * @count: number of @pages
 * @page_size: of the machine
 */
struct tring_found_array {
	uint64_t	size;
	uint64_t	offset;
	uint64_t	*pages;
	uint64_t	count;
	uint32_t	page_size;
};

/**
 * struct tring_found_trace - a trace
 * @page: its page
 * @is: what the page says, in the host's byte order but for the head
 */
struct tring_found_trace {
	struct tring_found_page page;
	struct tring_directory_trace is;
};

/**
 * struct tring_found_memory - a memory of one CPU's ring
 * @page: its page
 * @is: what the page says, in the host's byte order but for the head
 */
struct tring_found_memory {
	struct tring_found_page page;
	struct tring_directory_memory is;
};

/**
 * struct tring_found_packet - a packet at the beginning of a page
 * @physical: address
 * @uuid: of its trace
 * @cpu: that wrote it
 * @seq: packet_seq_num
 * @is_whole: it has been closed
 * @big_endian: byte order
 */
struct tring_found_packet {
	uint64_t	physical;
	uint8_t		uuid[TRING_UUID_SIZE];
	uint64_t	cpu;
	uint64_t	seq;
	bool		is_whole;
	bool		big_endian;
};

/**
 * struct tring_directories - what a scan of an image has found
 * @traces: the traces
 * @trace_count: their number
 * @memories: the memories, of all traces
 * @memory_count: their number
 * @packets: where rings may have packets, in case slots are damaged
 * @packet_count: their number
 * @copies: pages with a magic number that name another address
 * @bad: pages that cannot be used; each was reported on stderr
 * @bytes: that were scanned
 * @lacking: bytes of these that cannot be read
 */
struct tring_directories {
	struct tring_found_trace *traces;
	size_t		trace_count;
	struct tring_found_memory *memories;
	size_t		memory_count;
	struct tring_found_packet *packets;
	size_t		packet_count;
	uint64_t	copies;
	uint64_t	bad;
	uint64_t	bytes;
	uint64_t	lacking;
};

void tring_directories_find(struct tring_directories *found, struct tring_image *image);
void tring_directories_free(struct tring_directories *found);

bool tring_directory_physical(const uint8_t *bytes, size_t size, uint64_t *physical);

int tring_array_open(struct tring_found_array *array, struct tring_image *image,
		     const struct tring_found_page *page,
		     const struct tring_directory_array *from, uint32_t page_size);
size_t tring_array_read(const struct tring_found_array *array, struct tring_image *image,
			uint64_t offset, void *to, size_t size);
void tring_array_close(struct tring_found_array *array);

/**
 * tring_found_address - physical address of what the kernel has at an address
 * @page: a page of the directory
 * @address: the kernel's
 */
static inline uint64_t tring_found_address(const struct tring_found_page *page, uint64_t address)
{
	return address - page->virtual + page->physical;
}

#endif /* TRING_DIRECTORY_H */
