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
#include <linux/err.h>
#include <linux/io.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/panic_notifier.h>
#include <linux/random.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/utsname.h>
#include <linux/uuid.h>
#include <linux/vmalloc.h>

#include "directory.h"
#include "region.h"
#include "ring/internal.h"
#include "ring/subbuf.h"
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
static_assert(sizeof(local_t) == sizeof(u64));

/* A page and its copy. */
#define BOTH_SIZE	(2 * PAGE_SIZE)

#define TABLE_PAGES	((PAGE_SIZE - sizeof(struct tring_directory_table)) / sizeof(u64))

/* Of this boot of the module. */
static u8 boot_id[TRING_UUID_SIZE];

/*
 * Memories that outlive the kernel. A panic goes through them without a lock: each change is
 * one store, behind which the list is whole.
 */
static LIST_HEAD(persistent_memories);
static DEFINE_MUTEX(persistent_mutex);

static u64 physical_address(const void *address)
{
	/* Not is_vmalloc_addr(): it does not know what ioremap() and percpu have mapped. */
	if (virt_addr_valid(address))
		return virt_to_phys((void *)address);
	return PFN_PHYS(vmalloc_to_pfn(address)) + offset_in_page(address);
}

static void *copy_of_page(void *page)
{
	return page + PAGE_SIZE;
}

/* A page that images do not show yet, and room for its copy. */
static void *new_page(const struct tring_directory *directory)
{
	struct tring_directory_head *head = directory->allocator->alloc(BOTH_SIZE, NUMA_NO_NODE,
									true);

	if (IS_ERR(head))
		return NULL;
	head->physical = physical_address(head);
	head->virtual = (uintptr_t)head;
	head->version = TRING_DIRECTORY_VERSION;
	head->key = directory->key;
	return head;
}

/* Images show neither the page nor its copy any more. */
static void hide_page(struct tring_directory_head *head)
{
	struct tring_directory_head *copy = copy_of_page(head);

	WRITE_ONCE(copy->magic, 0);
	WRITE_ONCE(head->magic, 0);
}

static const struct tring_allocator *allocator_of(const void *data)
{
	return tring_region_has(data) ? &tring_region : &tring_pages;
}

static void forget_page(struct tring_directory_head *head)
{
	hide_page(head);
	allocator_of(head)->free(head, BOTH_SIZE, true);
}

/* What lies at a physical address in the memory that the directory is in. */
static void *page_at_address(const struct tring_directory_head *head, u64 physical)
{
	return (void *)(uintptr_t)(head->virtual + (physical - head->physical));
}

/* All of the page is there: from now on it is found, or found changed. */
static void publish_page(struct tring_directory_head *head, u64 magic, u32 size)
{
	const size_t begin = offsetof(struct tring_directory_head, key);
	struct tring_directory_head *copy = copy_of_page(head);

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
		table = page_at_address(head, array->table);
		array->table = table->next;
		forget_page(&table->head);
	}
	array->size = 0;
}

/* Describes what is contiguous in the kernel's addresses. */
static int describe_array(const struct tring_directory *directory,
			  struct tring_directory_array *array, const void *data, size_t size)
{
	u64 *link = &array->table;
	struct tring_directory_table *table, *last = NULL;
	const void *end = data + size;

	array->size = size;
	array->offset = offset_in_page(data);
	for (data -= array->offset; data < end; data += PAGE_SIZE) {
		if (!last || last->nr_pages == TABLE_PAGES) {
			table = new_page(directory);
			if (!table)
				return -ENOMEM;
			*link = physical_address(table);
			link = &table->next;
			/* The one before is published when it is known what follows. */
			if (last)
				publish_page(&last->head, TRING_DIRECTORY_TABLE, PAGE_SIZE);
			last = table;
		}
		last->pages[last->nr_pages++] = physical_address(data);
	}
	if (last)
		publish_page(&last->head, TRING_DIRECTORY_TABLE,
			     struct_size(last, pages, last->nr_pages));
	return 0;
}

static void publish_trace(struct tring_directory_trace *trace)
{
	publish_page(&trace->head, TRING_DIRECTORY_TRACE, sizeof(*trace));
}

/**
 * tring_directory_create - begin the directory of a trace
 * @directory: filled in
 * @buffer: the trace, a new one
 * @short_ids: ftrace's id by short type; the array may change
 *
 * Context: task, may sleep.
 * Return: 0, or -ENOMEM.
 */
int tring_directory_create(struct tring_directory *directory, struct tring_buffer *buffer,
			   const u16 *short_ids)
{
	struct tring_directory_trace *trace;

	directory->buffer = buffer;
	directory->short_ids = short_ids;
	directory->allocator = buffer->allocator;
	directory->key = get_random_u64();
	trace = new_page(directory);
	if (!trace)
		return -ENOMEM;
	directory->trace = trace;
	memcpy(trace->boot_id, boot_id, sizeof(boot_id));
	trace->cpus = num_possible_cpus();
	trace->page_size = PAGE_SIZE;
	trace->tick_frequency = HZ;
	strscpy(trace->host, init_utsname()->nodename, sizeof(trace->host));
	strscpy(trace->release, init_utsname()->release, sizeof(trace->release));
	strscpy(trace->version, TRING_VERSION, sizeof(trace->version));
	tring_directory_begin_trace(directory);
	return 0;
}

static void free_blob(void *blob, size_t room)
{
	if (blob)
		allocator_of(blob)->free(blob, room, false);
}

/* @blob: memory of @room bytes, or NULL. */
static void free_trace(struct tring_directory_trace *trace, void *blob, size_t room)
{
	hide_page(&trace->head);
	forget_array(&trace->head, &trace->blob);
	free_blob(blob, room);
	forget_page(&trace->head);
}

/**
 * tring_directory_destroy - remove the directory of a trace
 * @directory: shows no memory
 *
 * Context: task, may sleep.
 */
void tring_directory_destroy(struct tring_directory *directory)
{
	free_trace(directory->trace, directory->blob, directory->blob_room);
}

/**
 * tring_directory_begin_trace - write down what a trace keeps for its life
 * @directory: of a trace whose uuid and clock are new
 *
 * Context: task, with tring_buffer::mutex held, or before the trace is used.
 */
void tring_directory_begin_trace(struct tring_directory *directory)
{
	struct tring_directory_trace *trace = directory->trace;
	struct tring_buffer *buffer = directory->buffer;
	const u64 *offset = &buffer->clock_offset;

	memcpy(trace->uuid, buffer->uuid, sizeof(trace->uuid));
	trace->clock = buffer->clock;
	trace->clock_frequency = tring_clock_frequency(buffer->clock);
	/* With the flag each clock is read with its offset. */
	trace->clock_at = tring_clock_read(buffer->clock | TRING_CLOCK_SET_BACK, &offset);
	trace->real_at = ktime_get_real_ns();
	tring_directory_update(directory);
}

/**
 * tring_directory_update - write down the short types
 * @directory: of a trace where they have changed
 *
 * Context: task, with tring_buffer::mutex held, or before the trace is used.
 */
void tring_directory_update(struct tring_directory *directory)
{
	struct tring_directory_trace *trace = directory->trace;

	memcpy(trace->short_ids, directory->short_ids, sizeof(trace->short_ids));
	memcpy(trace->lengths, directory->buffer->lengths, sizeof(trace->lengths));
	publish_trace(trace);
}

/* Memory of @room bytes for the blob, all of which is described; 0 for none. */
static int move_blob(struct tring_directory *directory, size_t room)
{
	struct tring_directory_trace *trace = directory->trace;
	struct tring_directory_array array = { };
	size_t before = min_t(size_t, trace->blob.size, room);
	void *blob = NULL;
	int err = 0;

	if (room) {
		blob = directory->allocator->alloc(room, NUMA_NO_NODE, false);
		if (IS_ERR(blob))
			return PTR_ERR(blob);
		memcpy(blob, directory->blob, before);
		err = describe_array(directory, &array, blob, room);
	}
	if (!err) {
		array.size = before;
		swap(trace->blob, array);
		swap(directory->blob, blob);
		swap(directory->blob_room, room);
		publish_trace(trace);
	}
	forget_array(&trace->head, &array);
	free_blob(blob, room);
	return err;
}

/**
 * tring_directory_append_blob - leave bytes for the readers of memory images
 * @directory: of the trace
 * @from: the bytes
 * @size: their number; 0 removes what is there
 *
 * The memory grows by half of it at least, so that what many calls append is copied a few
 * times only.
 *
 * Context: task, may sleep, with tring_buffer::mutex held.
 * Return: 0, -ENOMEM, -EINTR after a fatal signal, or -EFBIG: together they would be more than
 * TRING_BLOB_MAX bytes.
 */
int tring_directory_append_blob(struct tring_directory *directory, const void *from, size_t size)
{
	struct tring_directory_trace *trace = directory->trace;
	size_t before = trace->blob.size, wanted = before + size;
	int err = 0;

	lockdep_assert_held(&directory->buffer->mutex);
	if (!size)
		return move_blob(directory, 0);
	if (size > TRING_BLOB_MAX - before)
		return -EFBIG;
	if (wanted > directory->blob_room)
		err = move_blob(directory, clamp_t(size_t, before + before / 2, wanted,
						   TRING_BLOB_MAX));
	/* Memory that outlives the kernel has little room. */
	if (err == -ENOMEM)
		err = move_blob(directory, wanted);
	if (err)
		return err;
	memcpy(directory->blob + before, from, size);
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

/* Go on in memory of another kind. If that fails the directory is as it was. */
static int move_directory(struct tring_directory *directory,
			  const struct tring_allocator *allocator)
{
	struct tring_directory old = *directory;
	struct tring_directory_trace *trace;
	struct tring_directory_head head;
	int err = 0;

	directory->allocator = allocator;
	trace = new_page(directory);
	if (!trace) {
		*directory = old;
		return -ENOMEM;
	}
	head = trace->head;
	*trace = *old.trace;
	trace->head = head;
	trace->blob = (struct tring_directory_array) { };
	directory->trace = trace;
	directory->blob = NULL;
	directory->blob_room = 0;
	if (old.trace->blob.size)
		err = tring_directory_append_blob(directory, old.blob, old.trace->blob.size);
	if (err) {
		free_trace(trace, directory->blob, directory->blob_room);
		*directory = old;
		return err;
	}
	publish_trace(trace);
	publish_memories(directory->buffer);
	free_trace(old.trace, old.blob, old.blob_room);
	return 0;
}

/**
 * tring_directory_set_persistent - move a trace into memory that outlives the kernel, or back
 * @directory: of the trace
 * @on: into that memory; rings that have none yet get it there
 *
 * Works while the rings record and are read, as tring_buffer_resize().
 *
 * Context: task, may sleep.
 * Return: 0; -ENODEV, -EBUSY or -ENOMEM of tring_region_begin(); else as
 * tring_buffer_resize().
 */
int tring_directory_set_persistent(struct tring_directory *directory, bool on)
{
	const struct tring_allocator *was, *wanted = on ? &tring_region : &tring_pages;
	struct tring_buffer *buffer = directory->buffer;
	int err = on ? tring_region_begin() : 0;

	if (err)
		return err;
	tring_buffer_lock(buffer);
	was = directory->allocator;
	if (was == wanted)
		goto unlock;
	err = move_directory(directory, wanted);
	if (err)
		goto unlock;
	err = tring_buffer_set_allocator(buffer, wanted);
	if (err) {
		/* Where it is now it shows the rings, too, if it cannot go back. */
		move_directory(directory, was);
		directory->allocator = was;
	}
unlock:
	tring_buffer_unlock(buffer);
	return err;
}

/**
 * tring_directory_add - describe a memory
 * @directory: of the trace
 * @memory: a new one; images show it once tring_directory_publish() was called
 *
 * Context: task, with tring_buffer::mutex held.
 * Return: 0, or -ENOMEM, with tring_directory_remove() to be called.
 */
int tring_directory_add(struct tring_directory *directory, struct tring_memory *memory)
{
	struct tring_cpu_buffer *cpu_buffer = memory->cpu_buffer;
	struct tring_directory_memory *page;
	struct tring_shown *shown;
	unsigned int i;
	int err;

	shown = kzalloc(struct_size(shown, words, TRING_WORDS), GFP_KERNEL);
	memory->shown = shown;
	if (!shown)
		return -ENOMEM;
	page = new_page(directory);
	shown->directory = directory;
	shown->page = page;
	INIT_LIST_HEAD(&shown->list);
	if (!page)
		return -ENOMEM;
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
	shown->words[TRING_WORD_WRITE] = &cpu_buffer->write;
	shown->words[TRING_WORD_LAST_TS] = &cpu_buffer->last_ts;
	shown->words[TRING_WORD_BEFORE_TS] = &cpu_buffer->before_ts;
	shown->words[TRING_WORD_LOST] = &cpu_buffer->lost;
	shown->words[TRING_WORD_LOST_BEFORE] = &cpu_buffer->streams[TRING_LIVE].lost;
	shown->words[TRING_WORD_OVERWRITTEN] = &memory->overwritten;
	shown->words[TRING_WORD_RESERVED] = &cpu_buffer->reserved;
	shown->words[TRING_WORD_COMMITTED] = &cpu_buffer->committed;
	shown->words[TRING_WORD_DISCARDED] = &cpu_buffer->discarded;
	for (i = 0; i < TRING_WORDS; i++)
		page->words[i] = physical_address(shown->words[i]);
	err = describe_array(directory, &page->arrays, memory->slots, memory->arrays_size);
	if (!err && tring_region_has(page)) {
		mutex_lock(&persistent_mutex);
		/* TB(directory:A) the memory before its place. Pairs with a panic's look at it. */
		list_add_rcu(&shown->list, &persistent_memories);
		mutex_unlock(&persistent_mutex);
	}
	return err;
}

/**
 * tring_directory_remove - forget a memory
 * @memory: no writer is in it; it need not have been added
 *
 * Context: task.
 */
void tring_directory_remove(struct tring_memory *memory)
{
	struct tring_shown *shown = memory->shown;

	if (!shown)
		return;
	mutex_lock(&persistent_mutex);
	list_del_rcu(&shown->list);
	mutex_unlock(&persistent_mutex);
	if (shown->page) {
		hide_page(&shown->page->head);
		forget_array(&shown->page->head, &shown->page->arrays);
		forget_page(&shown->page->head);
	}
	kfree(shown);
	memory->shown = NULL;
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
	struct tring_shown *shown = memory->shown;
	struct tring_directory_memory *page = shown->page;

	page->trace = shown->directory->trace->head.physical;
	page->generation = memory->generation;
	page->words[TRING_WORD_LOST_BEFORE] = physical_address(&stream->lost);
	WRITE_ONCE(shown->words[TRING_WORD_LOST_BEFORE], &stream->lost);
	publish_page(&page->head, TRING_DIRECTORY_MEMORY,
		     offsetof(struct tring_directory_memory, saved));
}

/* All other CPUs are stopped, wherever they were. */
static int save_at_panic(struct notifier_block *block, unsigned long event, void *data)
{
	struct tring_directory_memory *page, *copy;
	struct tring_shown *shown;
	unsigned int i;

	list_for_each_entry_rcu(shown, &persistent_memories, list, true) {
		page = shown->page;
		for (i = 0; i < TRING_WORDS; i++)
			page->saved[i] = *(const u64 *)READ_ONCE(shown->words[i]);
		page->is_saved = 1;
		copy = copy_of_page(page);
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
