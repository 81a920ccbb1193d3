/* SPDX-License-Identifier: GPL-2.0 */
/* Makes memory images of a machine that has rings, as the kernel lays them out. */
#ifndef TRING_TEST_MACHINE_H
#define TRING_TEST_MACHINE_H

#include "helpers.h"
#include "tring_directory.h"

#define PAGE		4096

/* Physical address of the machine's memory, and its address in the kernel. */
#define MACHINE_BASE	0x40000000ull
#define MACHINE_VIRTUAL	0xffff888000000000ull

/**
 * struct machine - a machine's memory
 * @memory: from MACHINE_BASE on
 * @size: bytes
 * @used: bytes that are in use
 * @order: byte order
 * @key: of the next directory
 */
struct machine {
	uint8_t		*memory;
	size_t		size;
	size_t		used;
	bool		order;
	uint64_t	key;
};

/**
 * struct test_trace - a trace of the machine
 * @machine: the machine
 * @physical: address of its page
 * @key: of its directory
 */
struct test_trace {
	struct machine	*machine;
	uint64_t	physical;
	uint64_t	key;
};

/**
 * struct test_ring - a memory of a CPU's ring
 * @trace: the trace
 * @physical: address of its page
 * @cpu: of the ring
 * @generation: of the positions
 * @nr: number of slots
 * @size: bytes of a sub-buffer
 * @words: addresses of the words
 * @pages: addresses of the pages of slots and descriptions
 * @data: addresses of the sub-buffers
 */
struct test_ring {
	struct test_trace *trace;
	uint64_t	physical;
	uint32_t	cpu;
	uint32_t	generation;
	uint64_t	nr;
	uint64_t	size;
	uint64_t	words[TRING_WORDS];
	uint64_t	pages[64];
	uint64_t	data[64];
};

void machine_init(struct machine *machine, bool order, size_t pages);
void machine_free(struct machine *machine);
uint8_t *machine_at(const struct machine *machine, uint64_t physical);
uint64_t machine_pages(struct machine *machine, size_t pages);
void machine_write(const struct machine *machine, const char *path);
void machine_write_elf(const struct machine *machine, const char *path);
void machine_write_kdump(const struct machine *machine, const char *path, uint64_t without);
void machine_write_kdump_part(const struct machine *machine, const char *path, uint64_t without,
			      size_t begin, size_t end);

void test_region_init(struct machine *machine);
void test_trace_init(struct test_trace *trace, struct machine *machine);
void test_trace_blob(const struct test_trace *trace, const void *blob, size_t size);
void test_page_seal(const struct machine *machine, uint64_t physical, uint64_t magic,
		    uint32_t size);

void test_ring_init(struct test_ring *ring, struct test_trace *trace, uint32_t cpu, uint64_t nr,
		    uint64_t size, const struct test_ring *before);
void test_ring_word(const struct test_ring *ring, unsigned int word, uint64_t value);
void test_ring_position(const struct test_ring *ring, uint64_t packet, uint64_t offset);
uint8_t *test_ring_deliver(const struct test_ring *ring, uint64_t packet,
			   const struct builder *builder, uint64_t events);
uint8_t *test_ring_open(const struct test_ring *ring, uint64_t packet,
			const struct builder *builder, uint32_t committed, uint64_t events);
void test_ring_describe(const struct test_ring *ring, uint64_t index, size_t at, uint64_t value);

#endif /* TRING_TEST_MACHINE_H */
