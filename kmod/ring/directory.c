// SPDX-License-Identifier: GPL-2.0
/*
 * The directory of a trace: by it a reader of a memory image finds the rings without
 * symbols and page tables. uapi/tring_directory.h describes the pages, docs/blackbox.md how
 * a reader goes by them.
 *
 * All of it is written where rings are made, emptied or removed, with tring_buffer::mutex
 * held. A crash in the middle of that leaves a page whose checksum is wrong, and the copy of
 * it as it was before, or a copy whose checksum is wrong.
 */
#include <linux/build_bug.h>
#include <linux/cpumask.h>
#include <linux/io.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/panic_notifier.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/utsname.h>
#include <linux/uuid.h>
#include <linux/vmalloc.h>

#include "directory.h"
#include "internal.h"
#include "region.h"
#include "subbuf.h"
#include "tring_directory.h"
#include "tring_version.h"

static_assert(TRING_SLOT_INDEX_BITS == TRING_DIRECTORY_INDEX_BITS);
static_assert(TRING_SLOT_STATE_BITS == TRING_DIRECTORY_INDEX_SHIFT);
static_assert(TRING_SLOT_PACKET_SHIFT == TRING_DIRECTORY_NUMBER_SHIFT);
static_assert(TRING_SLOT_OPEN == TRING_DIRECTORY_SLOT_OPEN);
static_assert(TRING_SLOT_DELIVERED == TRING_DIRECTORY_SLOT_DELIVERED);
static_assert(TRING_POSITION_BITS == TRING_DIRECTORY_POSITION_BITS);
static_assert(TRING_CLOCK_MONO == (int)TRING_DIRECTORY_MONO);
static_assert(TRING_CLOCK_TSC == (int)TRING_DIRECTORY_TSC);
static_assert(TRING_CLOCK_BOOT == (int)TRING_DIRECTORY_BOOT);
static_assert(TRING_CLOCK_TAI == (int)TRING_DIRECTORY_TAI);
static_assert(sizeof(struct tring_directory_trace) <= PAGE_SIZE);
static_assert(sizeof(struct tring_directory_memory) <= PAGE_SIZE);

/* A page and its copy: log2 of their number. */
#define COPY_ORDER	1

#define TABLE_PAGES	((PAGE_SIZE - sizeof(struct tring_directory_table)) / sizeof(u64))

/* Of this boot of the module. */
static u8 boot_id[TRING_UUID_SIZE];

/*
 * Memories that outlive the kernel. A panic goes through them without a lock: each change is
 * one store, behind which the list is whole.
 */
static struct tring_memory *persistent;
static DEFINE_MUTEX(persistent_mutex);

static u64 physical_address(const void *address)
{
	/* Not is_vmalloc_addr(): it does not know what ioremap() and percpu have mapped. */
	if (virt_addr_valid(address))
		return virt_to_phys((void *)address);
	return PFN_PHYS(vmalloc_to_pfn(address)) + offset_in_page(address);
}

static void *copy_of(void *page)
{
	return page + PAGE_SIZE;
}

/* A page that images do not show yet, and room for its copy. */
static void *new_page(const struct tring_buffer *buffer)
{
	struct tring_directory_head *head = buffer->persistent ?
		tring_region_alloc(2 * PAGE_SIZE) :
		(void *)__get_free_pages(GFP_KERNEL | __GFP_ZERO, COPY_ORDER);

	if (!head)
		return NULL;
	head->physical = physical_address(head);
	head->virtual = (uintptr_t)head;
	head->version = TRING_DIRECTORY_VERSION;
	head->key = buffer->directory_key;
	return head;
}

/* Images show neither the page nor its copy any more. */
static void hide_page(struct tring_directory_head *head)
{
	struct tring_directory_head *copy = copy_of(head);

	WRITE_ONCE(copy->magic, 0);
	WRITE_ONCE(head->magic, 0);
}

static void forget_page(struct tring_directory_head *head)
{
	hide_page(head);
	if (tring_region_has(head))
		tring_region_free(head, 2 * PAGE_SIZE);
	else
		free_pages((unsigned long)head, COPY_ORDER);
}

/* What lies at a physical address in the memory that the directory is in. */
static void *address_of(const struct tring_directory_head *head, u64 physical)
{
	return (void *)(uintptr_t)(head->virtual + (physical - head->physical));
}

/* All of the page is there: from now on it is found, or found changed. */
static void publish(struct tring_directory_head *head, u64 magic, u32 size)
{
	const size_t begin = offsetof(struct tring_directory_head, key);
	struct tring_directory_head *copy = copy_of(head);

	head->size = size;
	head->checksum = tring_directory_checksum(head + 1, size - sizeof(*head));
	/* TB(directory:A) the page before its magic number. Pairs with an image of it. */
	smp_wmb();
	WRITE_ONCE(head->magic, magic);

	/* Until here the copy is of the page as it was before. */
	memcpy((void *)copy + begin, (void *)head + begin, size - begin);
	copy->physical = physical_address(copy);
	copy->virtual = (uintptr_t)copy;
	/* TB(directory:A) the copy before its magic number. Pairs with an image of it. */
	smp_wmb();
	WRITE_ONCE(copy->magic, magic | TRING_DIRECTORY_COPY);
}

/* @head: of the page that has @array. */
static void forget_array(const struct tring_directory_head *head,
			 struct tring_directory_array *array)
{
	struct tring_directory_table *table;

	while (array->table) {
		table = address_of(head, array->table);
		array->table = table->next;
		forget_page(&table->head);
	}
	array->size = 0;
}

/* Describes what is contiguous in the kernel's addresses. */
static int describe_array(const struct tring_buffer *buffer, struct tring_directory_array *array,
			  const void *data, size_t size)
{
	u64 *link = &array->table;
	struct tring_directory_table *table, *last = NULL;
	const void *end = data + size;

	array->size = size;
	array->offset = offset_in_page(data);
	for (data -= array->offset; data < end; data += PAGE_SIZE) {
		if (!last || last->nr_pages == TABLE_PAGES) {
			table = new_page(buffer);
			if (!table)
				return -ENOMEM;
			*link = physical_address(table);
			link = &table->next;
			/* The one before is published when it is known what follows. */
			if (last)
				publish(&last->head, TRING_DIRECTORY_TABLE, PAGE_SIZE);
			last = table;
		}
		last->pages[last->nr_pages++] = physical_address(data);
	}
	if (last)
		publish(&last->head, TRING_DIRECTORY_TABLE,
			struct_size(last, pages, last->nr_pages));
	return 0;
}

static void publish_trace(struct tring_directory_trace *trace)
{
	publish(&trace->head, TRING_DIRECTORY_TRACE, sizeof(*trace));
}

/**
 * tring_directory_create - begin the directory of a trace
 * @buffer: a new one
 *
 * Context: task, may sleep.
 * Return: 0, or -ENOMEM.
 */
int tring_directory_create(struct tring_buffer *buffer)
{
	struct tring_directory_trace *trace;

	buffer->directory_key = get_random_u64();
	trace = new_page(buffer);
	if (!trace)
		return -ENOMEM;
	buffer->directory = trace;
	memcpy(trace->boot_id, boot_id, sizeof(boot_id));
	trace->cpus = num_possible_cpus();
	trace->page_size = PAGE_SIZE;
	trace->tick_frequency = HZ;
	strscpy(trace->host, init_utsname()->nodename, sizeof(trace->host));
	strscpy(trace->release, init_utsname()->release, sizeof(trace->release));
	strscpy(trace->version, TRING_VERSION, sizeof(trace->version));
	tring_directory_begin_trace(buffer);
	return 0;
}

static void *blob_alloc(const struct tring_buffer *buffer, size_t size)
{
	return buffer->persistent ? tring_region_alloc(size) : kvmalloc(size, GFP_KERNEL);
}

static void blob_free(void *blob, size_t size)
{
	if (tring_region_has(blob))
		tring_region_free(blob, size);
	else
		kvfree(blob);
}

/* @blob: memory of @room bytes, or NULL. */
static void free_trace(struct tring_directory_trace *trace, void *blob, size_t room)
{
	hide_page(&trace->head);
	forget_array(&trace->head, &trace->blob);
	blob_free(blob, room);
	forget_page(&trace->head);
}

/**
 * tring_directory_destroy - remove the directory of a trace
 * @buffer: without memories
 *
 * Context: task, may sleep.
 */
void tring_directory_destroy(struct tring_buffer *buffer)
{
	if (buffer->directory)
		free_trace(buffer->directory, buffer->blob, buffer->blob_room);
}

/**
 * tring_directory_begin_trace - write down what a trace keeps for its life
 * @buffer: its uuid and clock are new
 *
 * Context: task, with tring_buffer::mutex held, or before @buffer is used.
 */
void tring_directory_begin_trace(struct tring_buffer *buffer)
{
	int cpu = cpumask_first(cpu_possible_mask);
	struct tring_cpu_buffer *cpu_buffer = tring_cpu_buffer(buffer, cpu);
	struct tring_directory_trace *trace = buffer->directory;

	memcpy(trace->uuid, buffer->uuid, sizeof(trace->uuid));
	trace->clock = buffer->clock;
	trace->clock_frequency = tring_clock_frequency(buffer->clock);
	/* With the flag each clock is read with its offset. */
	trace->clock_at = tring_clock_read(buffer->clock | TRING_CLOCK_SET_BACK, cpu_buffer);
	trace->real_at = ktime_get_real_ns();
	tring_directory_update(buffer);
}

/**
 * tring_directory_update - write down the short types
 * @buffer: they have changed
 *
 * Context: task, with tring_buffer::mutex held, or before @buffer is used.
 */
void tring_directory_update(struct tring_buffer *buffer)
{
	struct tring_directory_trace *trace = buffer->directory;

	memcpy(trace->short_ids, buffer->short_ids, sizeof(trace->short_ids));
	memcpy(trace->lengths, buffer->lengths, sizeof(trace->lengths));
	publish_trace(trace);
}

/* Memory of @room bytes for the blob, all of which is described; 0 for none. */
static int move_blob(struct tring_buffer *buffer, size_t room)
{
	struct tring_directory_trace *trace = buffer->directory;
	struct tring_directory_array array = { };
	size_t before = min_t(size_t, trace->blob.size, room);
	void *blob = NULL;
	int err = 0;

	if (room) {
		blob = blob_alloc(buffer, room);
		if (!blob)
			return -ENOMEM;
		memcpy(blob, buffer->blob, before);
		err = describe_array(buffer, &array, blob, room);
	}
	if (!err) {
		array.size = before;
		swap(trace->blob, array);
		swap(buffer->blob, blob);
		swap(buffer->blob_room, room);
		publish_trace(trace);
	}
	forget_array(&trace->head, &array);
	blob_free(blob, room);
	return err;
}

/**
 * tring_directory_append_blob - leave bytes for the readers of memory images
 * @buffer: the trace
 * @from: the bytes
 * @size: their number; 0 removes what is there
 *
 * The memory grows by half of it at least, so that what many calls append is copied a few
 * times only.
 *
 * Context: task, may sleep, with tring_buffer::mutex held.
 * Return: 0, -ENOMEM, or -EFBIG: together they would be more than TRING_BLOB_MAX bytes.
 */
int tring_directory_append_blob(struct tring_buffer *buffer, const void *from, size_t size)
{
	struct tring_directory_trace *trace = buffer->directory;
	size_t before = trace->blob.size, wanted = before + size;
	int err = 0;

	lockdep_assert_held(&buffer->mutex);
	if (!size)
		return move_blob(buffer, 0);
	if (size > TRING_BLOB_MAX - before)
		return -EFBIG;
	if (wanted > buffer->blob_room)
		err = move_blob(buffer, clamp_t(size_t, before + before / 2, wanted,
						TRING_BLOB_MAX));
	/* Memory that outlives the kernel has little room. */
	if (err == -ENOMEM)
		err = move_blob(buffer, wanted);
	if (err)
		return err;
	memcpy(buffer->blob + before, from, size);
	/* TB(directory:A) the bytes before their number. Pairs with an image of them. */
	smp_wmb();
	trace->blob.size = wanted;
	publish_trace(trace);
	return 0;
}

static void publish_memories(struct tring_buffer *buffer)
{
	struct tring_cpu_buffer *cpu_buffer;
	struct tring_memory *memory;
	struct tring_stream *stream;
	int cpu, kind;

	for_each_possible_cpu(cpu) {
		cpu_buffer = tring_cpu_buffer(buffer, cpu);
		mutex_lock(&cpu_buffer->mutex);
		for (kind = 0; kind < TRING_STREAMS; kind++) {
			stream = &cpu_buffer->streams[kind];
			list_for_each_entry(memory, &stream->memories, list)
				tring_directory_publish(memory, stream);
		}
		mutex_unlock(&cpu_buffer->mutex);
	}
}

/**
 * tring_directory_move - go on with a directory in the memory that the rings are to have
 * @buffer: its tring_buffer::persistent has changed
 *
 * Context: task, with tring_buffer::mutex held.
 * Return: 0; -ENOMEM: the directory is as it was.
 */
int tring_directory_move(struct tring_buffer *buffer)
{
	struct tring_directory_trace *old = buffer->directory, *trace = new_page(buffer);
	struct tring_directory_head head;
	size_t room = buffer->blob_room;
	void *blob = buffer->blob;
	int err = 0;

	lockdep_assert_held(&buffer->mutex);
	if (!trace)
		return -ENOMEM;
	head = trace->head;
	*trace = *old;
	trace->head = head;
	trace->blob = (struct tring_directory_array) { };
	buffer->directory = trace;
	buffer->blob = NULL;
	buffer->blob_room = 0;
	if (old->blob.size)
		err = tring_directory_append_blob(buffer, blob, old->blob.size);
	if (err) {
		free_trace(trace, buffer->blob, buffer->blob_room);
		buffer->directory = old;
		buffer->blob = blob;
		buffer->blob_room = room;
		return err;
	}
	publish_trace(trace);
	publish_memories(buffer);
	free_trace(old, blob, room);
	return 0;
}

/* With the stream whose events are lost before it. */
static void list_persistent(struct tring_memory *memory)
{
	memory->lost_before = &memory->cpu_buffer->streams[TRING_LIVE].lost;
	mutex_lock(&persistent_mutex);
	memory->next_persistent = persistent;
	/* TB(directory:A) the memory before its place. Pairs with a panic's look at it. */
	smp_wmb();
	WRITE_ONCE(persistent, memory);
	mutex_unlock(&persistent_mutex);
}

static void unlist_persistent(struct tring_memory *memory)
{
	struct tring_memory **link = &persistent;

	mutex_lock(&persistent_mutex);
	while (*link && *link != memory)
		link = &(*link)->next_persistent;
	if (*link)
		WRITE_ONCE(*link, memory->next_persistent);
	mutex_unlock(&persistent_mutex);
}

/**
 * tring_directory_add - describe a memory
 * @memory: a new one; images show it once tring_directory_publish() was called
 *
 * Context: task, with tring_buffer::mutex held.
 * Return: 0, or -ENOMEM.
 */
int tring_directory_add(struct tring_memory *memory)
{
	struct tring_cpu_buffer *cpu_buffer = memory->cpu_buffer;
	struct tring_directory_memory *page = new_page(cpu_buffer->buffer);
	int err;

	if (!page)
		return -ENOMEM;
	memory->directory = page;
	page->cpu = cpu_buffer->cpu;
	page->nr_subbufs = memory->nr_subbufs;
	page->subbuf_size = memory->subbuf_size;
	page->subbufs = (void *)memory->subbufs - (void *)memory->slots;
	page->stride = sizeof(struct tring_subbuf);
	page->start = offsetof(struct tring_subbuf, start);
	page->commits = offsetof(struct tring_subbuf, commits);
	page->data = offsetof(struct tring_subbuf, data);
	page->events = offsetof(struct tring_subbuf, events);
	page->bytes = offsetof(struct tring_subbuf, bytes);
	page->words[TRING_WORD_WRITE] = physical_address(&cpu_buffer->write);
	page->words[TRING_WORD_LAST_TS] = physical_address(&cpu_buffer->last_ts);
	page->words[TRING_WORD_BEFORE_TS] = physical_address(&cpu_buffer->before_ts);
	page->words[TRING_WORD_LOST] = physical_address(&cpu_buffer->lost);
	page->words[TRING_WORD_OVERWRITTEN] = physical_address(&memory->overwritten);
	page->words[TRING_WORD_RESERVED] = physical_address(&cpu_buffer->reserved);
	page->words[TRING_WORD_COMMITTED] = physical_address(&cpu_buffer->committed);
	page->words[TRING_WORD_DISCARDED] = physical_address(&cpu_buffer->discarded);
	err = describe_array(cpu_buffer->buffer, &page->arrays, memory->slots,
			     memory->arrays_size);
	if (!err && tring_region_has(page))
		list_persistent(memory);
	return err;
}

/**
 * tring_directory_remove - forget a memory
 * @memory: no writer is in it
 *
 * Context: task.
 */
void tring_directory_remove(struct tring_memory *memory)
{
	struct tring_directory_memory *page = memory->directory;

	if (!page)
		return;
	unlist_persistent(memory);
	hide_page(&page->head);
	forget_array(&page->head, &page->arrays);
	forget_page(&page->head);
	memory->directory = NULL;
}

/**
 * tring_directory_publish - show a memory in images
 * @memory: described; its generation is set
 * @stream: that it is in
 *
 * Context: task, with tring_cpu_buffer::mutex held.
 */
void tring_directory_publish(struct tring_memory *memory, const struct tring_stream *stream)
{
	struct tring_directory_memory *page = memory->directory;

	page->trace = memory->cpu_buffer->buffer->directory->head.physical;
	page->generation = memory->generation;
	page->words[TRING_WORD_LOST_BEFORE] = physical_address(&stream->lost);
	WRITE_ONCE(memory->lost_before, &stream->lost);
	publish(&page->head, TRING_DIRECTORY_MEMORY,
		offsetof(struct tring_directory_memory, saved));
}

/* All other CPUs are stopped, wherever they were. */
static int save_at_panic(struct notifier_block *block, unsigned long event, void *data)
{
	struct tring_directory_memory *page, *copy;
	struct tring_cpu_buffer *cpu_buffer;
	struct tring_memory *memory;

	for (memory = READ_ONCE(persistent); memory; memory = memory->next_persistent) {
		page = memory->directory;
		cpu_buffer = memory->cpu_buffer;
		page->saved[TRING_WORD_WRITE] = local_read(&cpu_buffer->write);
		page->saved[TRING_WORD_LAST_TS] = local_read(&cpu_buffer->last_ts);
		page->saved[TRING_WORD_BEFORE_TS] = READ_ONCE(cpu_buffer->before_ts);
		page->saved[TRING_WORD_LOST] = local_read(&cpu_buffer->lost);
		page->saved[TRING_WORD_LOST_BEFORE] = READ_ONCE(*memory->lost_before);
		page->saved[TRING_WORD_OVERWRITTEN] = local_read(&memory->overwritten);
		page->saved[TRING_WORD_RESERVED] = local_read(&cpu_buffer->reserved);
		page->saved[TRING_WORD_COMMITTED] = local_read(&cpu_buffer->committed);
		page->saved[TRING_WORD_DISCARDED] = local_read(&cpu_buffer->discarded);
		page->is_saved = 1;
		copy = copy_of(page);
		memcpy(copy->saved, page->saved, sizeof(page->saved));
		copy->is_saved = 1;
	}
	tring_region_write_back();
	return NOTIFY_DONE;
}

/* Last: what other notifiers do may be recorded, too. */
static struct notifier_block panic_block = {
	.notifier_call	= save_at_panic,
	.priority	= INT_MIN,
};

/**
 * tring_directory_init - set up what all directories share
 */
void tring_directory_init(void)
{
	generate_random_uuid(boot_id);
	atomic_notifier_chain_register(&panic_notifier_list, &panic_block);
}

/**
 * tring_directory_exit - undo tring_directory_init()
 */
void tring_directory_exit(void)
{
	atomic_notifier_chain_unregister(&panic_notifier_list, &panic_block);
}
