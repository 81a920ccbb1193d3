// SPDX-License-Identifier: GPL-2.0
/* Makes memory images of a machine that has rings, as the kernel lays them out. */
#include <elf.h>

#include "machine.h"

#define STRIDE		64
#define COMMITS		8
#define START		0
#define DATA		16
#define EVENTS		24
#define BYTES		32

#define TRACE_AT(member)	offsetof(struct tring_directory_trace, member)
#define MEMORY_AT(member)	offsetof(struct tring_directory_memory, member)
#define HEAD_AT(member)		offsetof(struct tring_directory_head, member)
#define TABLE_AT(member)	offsetof(struct tring_directory_table, member)

/* Entries of a table: so few that an array has several tables. */
#define TABLE_PAGES	2

void machine_init(struct machine *machine, bool order, size_t pages)
{
	memset(machine, 0, sizeof(*machine));
	machine->size = pages * PAGE;
	machine->memory = calloc(pages, PAGE);
	machine->order = order;
	machine->key = 0x1234567890abcdef;
	CHECK(machine->memory);
}

void machine_free(struct machine *machine)
{
	free(machine->memory);
}

uint8_t *machine_at(const struct machine *machine, uint64_t physical)
{
	CHECK(physical >= MACHINE_BASE && physical < MACHINE_BASE + machine->size);
	return machine->memory + (physical - MACHINE_BASE);
}

/* With a page between them and the last ones. */
uint64_t machine_pages(struct machine *machine, size_t pages)
{
	uint64_t physical = MACHINE_BASE + machine->used + PAGE;

	machine->used += (pages + 1) * PAGE;
	CHECK(machine->used + PAGE <= machine->size);
	return physical;
}

void machine_write(const struct machine *machine, const char *path)
{
	write_file(path, machine->memory, machine->size);
}

/* The memory in two segments, the first of them at the end of the file. */
void machine_write_elf(const struct machine *machine, const char *path)
{
	bool order = machine->order;
	size_t half = machine->size / 2 / PAGE * PAGE, i;
	uint8_t *file = calloc(1, 2 * PAGE + machine->size);
	Elf64_Ehdr *header = (Elf64_Ehdr *)file;
	Elf64_Phdr *programs = (Elf64_Phdr *)(file + sizeof(*header));

	CHECK(file);
	memcpy(header->e_ident, ELFMAG, SELFMAG);
	header->e_ident[EI_CLASS] = ELFCLASS64;
	header->e_ident[EI_DATA] = order ? ELFDATA2MSB : ELFDATA2LSB;
	header->e_ident[EI_VERSION] = EV_CURRENT;
	put_u16((uint8_t *)&header->e_type, ET_CORE, order);
	put_u16((uint8_t *)&header->e_machine, order ? EM_S390 : EM_X86_64, order);
	put_u32((uint8_t *)&header->e_version, EV_CURRENT, order);
	put_u64((uint8_t *)&header->e_phoff, sizeof(*header), order);
	put_u16((uint8_t *)&header->e_phentsize, sizeof(*programs), order);
	put_u16((uint8_t *)&header->e_phnum, 3, order);
	put_u32((uint8_t *)&programs[0].p_type, PT_NOTE, order);
	for (i = 0; i < 2; i++) {
		uint64_t begin = i ? 0 : half, size = i ? half : machine->size - half;
		uint64_t offset = i ? 2 * PAGE + machine->size - half : 2 * PAGE;
		Elf64_Phdr *program = &programs[1 + i];

		put_u32((uint8_t *)&program->p_type, PT_LOAD, order);
		put_u64((uint8_t *)&program->p_offset, offset, order);
		put_u64((uint8_t *)&program->p_paddr, MACHINE_BASE + begin, order);
		put_u64((uint8_t *)&program->p_filesz, size, order);
		put_u64((uint8_t *)&program->p_memsz, size, order);
		memcpy(file + offset, machine->memory + begin, size);
	}
	write_file(path, file, 2 * PAGE + machine->size);
	free(file);
}

/*
 * kdump's compressed form, with pages that are not compressed, and without one of them: the pages
 * from @begin up to @end, which makedumpfile --split puts in a file of their own.
 */
void machine_write_kdump_part(const struct machine *machine, const char *path, uint64_t without,
			      size_t begin, size_t end)
{
	const size_t first = MACHINE_BASE / PAGE, pages = machine->size / PAGE;
	const size_t map_blocks = ((first + pages + 7) / 8 + PAGE - 1) / PAGE;
	const size_t maps = 2 * PAGE, list = maps + 2 * map_blocks * PAGE;
	const size_t data = list + (pages * 24 + PAGE - 1) / PAGE * PAGE;
	uint8_t *file = calloc(1, data + machine->size);
	size_t i, kept = 0;

	CHECK(file);
	memcpy(file, "KDUMP   ", 8);
	put_u32(file + 8, 6, machine->order);
	/* utsname */
	strcpy((char *)file + 12, "Linux");
	strcpy((char *)file + 12 + 2 * 65, "6.1.0");
	strcpy((char *)file + 12 + 4 * 65, "x86_64");
	put_u32(file + 428, PAGE, machine->order);
	put_u32(file + 432, 1, machine->order);
	put_u32(file + 436, 2 * map_blocks, machine->order);
	put_u32(file + 440, first + pages, machine->order);
	put_u32(file + 460, 1, machine->order);
	put_u32(file + PAGE + 12, end - begin < pages, machine->order);
	put_u64(file + PAGE + 80, first + begin, machine->order);
	put_u64(file + PAGE + 88, first + end, machine->order);
	put_u64(file + PAGE + 96, first + pages, machine->order);
	for (i = 0; i < pages; i++) {
		uint8_t *entry = file + list + 24 * kept;

		file[maps + (first + i) / 8] |= 1 << (first + i) % 8;
		if (MACHINE_BASE + i * PAGE == without)
			continue;
		file[maps + map_blocks * PAGE + (first + i) / 8] |= 1 << (first + i) % 8;
		if (i < begin || i >= end)
			continue;
		put_u64(entry, data + kept * PAGE, machine->order);
		put_u32(entry + 8, PAGE, machine->order);
		memcpy(file + data + kept++ * PAGE, machine->memory + i * PAGE, PAGE);
	}
	write_file(path, file, data + kept * PAGE);
	free(file);
}

/* All pages. */
void machine_write_kdump(const struct machine *machine, const char *path, uint64_t without)
{
	machine_write_kdump_part(machine, path, without, 0, machine->size / PAGE);
}

static void seal(const struct machine *machine, uint64_t physical, uint64_t magic, uint32_t size)
{
	uint8_t *page = machine_at(machine, physical);
	bool order = machine->order;

	put_u64(page + HEAD_AT(magic), magic, order);
	put_u64(page + HEAD_AT(physical), physical, order);
	put_u64(page + HEAD_AT(virtual), physical + MACHINE_VIRTUAL, order);
	put_u32(page + HEAD_AT(version), TRING_DIRECTORY_VERSION, order);
	put_u32(page + HEAD_AT(size), size, order);
	put_u64(page + HEAD_AT(checksum),
		tring_directory_checksum(page + sizeof(struct tring_directory_head),
					 size - sizeof(struct tring_directory_head)), order);
}

/* A page and the copy behind it. */
void test_page_seal(const struct machine *machine, uint64_t physical, uint64_t magic,
		    uint32_t size)
{
	seal(machine, physical, magic, size);
	memcpy(machine_at(machine, physical + PAGE), machine_at(machine, physical), PAGE);
	seal(machine, physical + PAGE, magic | TRING_DIRECTORY_COPY, size);
}

/* The memory is a half of a region that outlives the kernel: it begins with a page that says so. */
void test_region_init(struct machine *machine)
{
	uint8_t *page = machine_at(machine, MACHINE_BASE);
	bool order = machine->order;

	put_u64(page + offsetof(struct tring_directory_region, size), machine->size, order);
	put_u64(page + offsetof(struct tring_directory_region, turn), 1, order);
	put_u32(page + offsetof(struct tring_directory_region, state), TRING_REGION_USED, order);
	seal(machine, MACHINE_BASE, TRING_DIRECTORY_REGION,
	     offsetof(struct tring_directory_region, state));
}

static void set_key(const struct test_trace *trace, uint64_t physical)
{
	put_u64(machine_at(trace->machine, physical) + HEAD_AT(key), trace->key,
		trace->machine->order);
}

void test_trace_init(struct test_trace *trace, struct machine *machine)
{
	bool order = machine->order;
	struct builder *builder = malloc(sizeof(*builder));
	unsigned int i;
	uint8_t *page;

	CHECK(builder);
	build_init(builder, order, 0);
	*trace = (struct test_trace) { machine, machine_pages(machine, 2), machine->key++ };
	page = machine_at(machine, trace->physical);
	for (i = 0; i < TRING_UUID_SIZE; i++)
		page[TRACE_AT(uuid) + i] = i;
	put_u32(page + TRACE_AT(clock), TRING_DIRECTORY_MONO, order);
	put_u64(page + TRACE_AT(clock_frequency), 1000000000, order);
	put_u64(page + TRACE_AT(clock_at), 1000, order);
	put_u64(page + TRACE_AT(real_at), 1700000000000001000, order);
	put_u32(page + TRACE_AT(cpus), 4, order);
	put_u32(page + TRACE_AT(page_size), PAGE, order);
	put_u32(page + TRACE_AT(tick_frequency), 250, order);
	for (i = 0; i < TRING_TYPES; i++)
		put_u16(page + TRACE_AT(short_ids) + 2 * i, builder->short_ids[i], order);
	memcpy(page + TRACE_AT(lengths), builder->lengths, TRING_TYPES);
	strcpy((char *)page + TRACE_AT(host), "crashed");
	strcpy((char *)page + TRACE_AT(release), "6.1.0");
	strcpy((char *)page + TRACE_AT(version), "0.1");
	set_key(trace, trace->physical);
	test_page_seal(machine, trace->physical, TRING_DIRECTORY_TRACE,
		       sizeof(struct tring_directory_trace));
	free(builder);
}

/* Describes pages in tables. Return: address of the first table. */
static uint64_t make_tables(const struct test_trace *trace, const uint64_t *pages, size_t count)
{
	struct machine *machine = trace->machine;
	bool order = machine->order;
	uint64_t next = 0, table;
	size_t i, first = (count - 1) / TABLE_PAGES * TABLE_PAGES, part;
	uint8_t *page;

	/* from the last one on */
	for (;; first -= TABLE_PAGES) {
		part = count - first < TABLE_PAGES ? count - first : TABLE_PAGES;
		table = machine_pages(machine, 2);
		page = machine_at(machine, table);
		put_u64(page + TABLE_AT(next), next, order);
		put_u64(page + TABLE_AT(nr_pages), part, order);
		for (i = 0; i < part; i++)
			put_u64(page + TABLE_AT(pages) + 8 * i, pages[first + i], order);
		set_key(trace, table);
		test_page_seal(machine, table, TRING_DIRECTORY_TABLE, TABLE_AT(pages) + 8 * part);
		next = table;
		if (!first)
			return table;
	}
}

static void put_array(const struct test_trace *trace, uint64_t physical, size_t at,
		      uint64_t table, uint64_t size, uint64_t offset)
{
	uint8_t *array = machine_at(trace->machine, physical) + at;
	bool order = trace->machine->order;

	put_u64(array + offsetof(struct tring_directory_array, table), table, order);
	put_u64(array + offsetof(struct tring_directory_array, size), size, order);
	put_u64(array + offsetof(struct tring_directory_array, offset), offset, order);
}

/* At an offset in its first page. */
void test_trace_blob(const struct test_trace *trace, const void *blob, size_t size)
{
	const size_t offset = 40;
	size_t count = (size + offset + PAGE - 1) / PAGE, i;
	uint64_t *pages = calloc(count, sizeof(*pages));
	uint8_t *copy = calloc(count, PAGE);

	CHECK(pages && copy);
	memcpy(copy + offset, blob, size);
	for (i = count; i--;) {
		pages[i] = machine_pages(trace->machine, 1);
		memcpy(machine_at(trace->machine, pages[i]), copy + i * PAGE, PAGE);
	}
	put_array(trace, trace->physical, TRACE_AT(blob), make_tables(trace, pages, count), size,
		  offset);
	test_page_seal(trace->machine, trace->physical, TRING_DIRECTORY_TRACE,
		       sizeof(struct tring_directory_trace));
	free(copy);
	free(pages);
}

/* What lies in the array: slots, then descriptions. */
static uint8_t *array_at(const struct test_ring *ring, uint64_t offset)
{
	return machine_at(ring->trace->machine, ring->pages[offset / PAGE] + offset % PAGE);
}

static uint8_t *description(const struct test_ring *ring, uint64_t index)
{
	return array_at(ring, 8 * ring->nr + STRIDE * index);
}

static void put_word_addresses(struct test_ring *ring, const struct test_ring *before)
{
	struct machine *machine = ring->trace->machine;
	uint8_t *page = machine_at(machine, ring->physical);
	uint64_t words = machine_pages(machine, 1);
	unsigned int i;

	for (i = 0; i < TRING_WORDS; i++) {
		ring->words[i] = words + 64 * i;
		/* what is the ring's, or the stream's, is not the memory's */
		if (before && i != TRING_WORD_OVERWRITTEN)
			ring->words[i] = before->words[i];
		put_u64(page + MEMORY_AT(words) + 8 * i, ring->words[i], machine->order);
	}
}

/* @before: the memory of the same ring that was made before, or NULL. */
void test_ring_init(struct test_ring *ring, struct test_trace *trace, uint32_t cpu, uint64_t nr,
		    uint64_t size, const struct test_ring *before)
{
	struct machine *machine = trace->machine;
	uint64_t bytes = 8 * nr + STRIDE * (nr + 1);
	size_t count = (bytes + PAGE - 1) / PAGE, i;
	bool order = machine->order;
	uint8_t *page;

	CHECK(nr < COUNT(ring->data) && count <= COUNT(ring->pages) && !(nr % 8));
	*ring = (struct test_ring) {
		.trace = trace, .physical = machine_pages(machine, 2), .cpu = cpu, .nr = nr,
		.size = size, .generation = before ? !before->generation : 0,
	};
	for (i = count; i--;)
		ring->pages[i] = machine_pages(machine, 1);
	page = machine_at(machine, ring->physical);
	put_u64(page + MEMORY_AT(trace), trace->physical, order);
	put_u32(page + MEMORY_AT(cpu), cpu, order);
	put_u32(page + MEMORY_AT(generation), ring->generation, order);
	put_u64(page + MEMORY_AT(nr_subbufs), nr, order);
	put_u64(page + MEMORY_AT(subbuf_size), size, order);
	put_u64(page + MEMORY_AT(subbufs), 8 * nr, order);
	put_u16(page + MEMORY_AT(stride), STRIDE, order);
	put_u16(page + MEMORY_AT(commits), COMMITS, order);
	put_u16(page + MEMORY_AT(start), START, order);
	put_u16(page + MEMORY_AT(data), DATA, order);
	put_u16(page + MEMORY_AT(events), EVENTS, order);
	put_u16(page + MEMORY_AT(bytes), BYTES, order);
	put_word_addresses(ring, before);
	put_array(trace, ring->physical, MEMORY_AT(arrays),
		  make_tables(trace, ring->pages, count), bytes, 0);
	for (i = 0; i <= nr; i++) {
		ring->data[i] = machine_pages(machine, size / PAGE);
		put_u64(description(ring, i) + COMMITS,
			(size - TRING_PACKET_HEADER_SIZE - 1) << 32, order);
		put_u64(description(ring, i) + DATA, ring->data[i] + MACHINE_VIRTUAL, order);
	}
	for (i = 0; i < nr; i++)
		put_u64(array_at(ring, 8 * i), (i - nr) << 25 | i << 2, order);
	set_key(trace, ring->physical);
	test_page_seal(machine, ring->physical, TRING_DIRECTORY_MEMORY, MEMORY_AT(saved));
}

void test_ring_word(const struct test_ring *ring, unsigned int word, uint64_t value)
{
	put_u64(machine_at(ring->trace->machine, ring->words[word]), value,
		ring->trace->machine->order);
}

void test_ring_position(const struct test_ring *ring, uint64_t packet, uint64_t offset)
{
	test_ring_word(ring, TRING_WORD_WRITE, (uint64_t)ring->generation << 62 |
		       (packet * ring->size + offset));
}

/* The sub-buffer of a slot has the slot's number, but for the spare one. */
static uint8_t *place(const struct test_ring *ring, uint64_t packet, unsigned int state,
		      const struct builder *builder)
{
	uint64_t index = packet % ring->nr, size = builder->end - builder->start;
	uint8_t *data = machine_at(ring->trace->machine, ring->data[index]);
	bool order = ring->trace->machine->order;

	CHECK(size <= ring->size);
	memcpy(data, builder->bytes + builder->start, size);
	put_u64(array_at(ring, 8 * index), packet << 25 | index << 2 | state, order);
	put_u64(description(ring, index) + START, (uint64_t)ring->generation << 62 |
		packet * ring->size, order);
	put_u32(description(ring, index) + BYTES, size, order);
	return data;
}

/* The last packet of a builder. Return: the packet in memory. */
uint8_t *test_ring_deliver(const struct test_ring *ring, uint64_t packet,
			   const struct builder *builder, uint64_t events)
{
	put_u64(description(ring, packet % ring->nr) + EVENTS, events,
		ring->trace->machine->order);
	return place(ring, packet, TRING_DIRECTORY_SLOT_DELIVERED, builder);
}

/* A packet that is not closed: its header has no sizes, no end and no lengths. */
uint8_t *test_ring_open(const struct test_ring *ring, uint64_t packet,
			const struct builder *builder, uint32_t committed, uint64_t events)
{
	uint64_t left = ring->size - 1 - committed;
	bool order = ring->trace->machine->order;
	uint8_t *data = place(ring, packet, TRING_DIRECTORY_SLOT_OPEN, builder);

	put_u64(description(ring, packet % ring->nr) + COMMITS, (left << 32) + events, order);
	put_u32(data + HEADER_AT(content_size), 0, order);
	put_u32(data + HEADER_AT(packet_size), 0, order);
	put_u64(data + HEADER_AT(timestamp_end), 0, order);
	memset(data + HEADER_AT(lengths), 0, TRING_TYPES);
	test_ring_word(ring, TRING_WORD_LAST_TS, builder->last);
	test_ring_word(ring, TRING_WORD_BEFORE_TS, builder->last);
	return data;
}

/* Sets a 64 bit member of a description. */
void test_ring_describe(const struct test_ring *ring, uint64_t index, size_t at, uint64_t value)
{
	put_u64(description(ring, index) + at, value, ring->trace->machine->order);
}
