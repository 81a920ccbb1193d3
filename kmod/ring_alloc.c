// SPDX-License-Identifier: GPL-2.0
/*
 * Memory of the rings: allocated on each CPU's own node when recording becomes
 * possible there, so that a buffer that nobody uses costs nothing. A CPU that
 * goes offline keeps its ring and what is in it. See ring.c DOC.
 */

#include <linux/cpuhotplug.h>
#include <linux/cpu.h>
#include <linux/gfp.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <linux/uuid.h>

#include "compat.h"
#include "ring.h"
#include "ring_fast.h"
#include "ring_internal.h"
#include "slot.h"

/*
 * A ring whose first packet is not entered yet, or that has no memory, points
 * here, so that the fast path need not ask. No position is near this start,
 * which sends every writer to the slow path: also those that interrupt the
 * first one after it has moved the position into packet 0.
 */
static struct tring_subbuf no_subbuf = { .start = LOCAL_INIT(TRING_START_UNENTERED) };

static enum cpuhp_state hotplug_state;

/**
 * tring_memory_free - free what a ring was made of
 * @memory: may be empty, and is afterwards
 *
 * Context: task, may sleep.
 */
void tring_memory_free(struct tring_memory *memory)
{
	unsigned long i;

	if (memory->subbufs)
		for (i = 0; i <= memory->nr_subbufs; i++)
			free_pages((unsigned long)memory->subbufs[i].data,
				   memory->order - PAGE_SHIFT);
	kvfree(memory->subbufs);
	kvfree(memory->slots);
	memset(memory, 0, sizeof(*memory));
}

/**
 * tring_memory_allocate - sub-buffers and slots for one ring
 * @memory: filled in, or left empty
 * @cpu: whose node it comes from
 * @bytes: size of the ring, rounded up to TRING_SUBBUFS_MIN sub-buffers
 * @order: log2 of a sub-buffer's size
 *
 * Context: task, may sleep. A fatal signal ends it.
 * Return: 0, -ENOMEM or -EINTR.
 */
int tring_memory_allocate(struct tring_memory *memory, int cpu, unsigned long bytes,
			  unsigned int order)
{
	/* No OOM killer for a trace buffer: a size that is too large is an error. */
	gfp_t gfp = GFP_KERNEL | __GFP_ZERO | __GFP_RETRY_MAYFAIL | __GFP_NOWARN;
	unsigned long nr = max(DIV_ROUND_UP(bytes, 1UL << order), TRING_SUBBUFS_MIN);
	int node = cpu_to_node(cpu);
	struct page *page;
	unsigned long i;
	int err = -ENOMEM;

	memset(memory, 0, sizeof(*memory));
	memory->order = order;
	memory->slots = kvmalloc_node(array_size(nr, sizeof(*memory->slots)), gfp, node);
	memory->subbufs = kvmalloc_node(array_size(nr + 1, sizeof(*memory->subbufs)),
					gfp, node);
	if (!memory->slots || !memory->subbufs)
		goto fail;
	memory->nr_subbufs = nr;

	for (i = 0; i <= nr; i++) {
		if (fatal_signal_pending(current)) {
			err = -EINTR;
			goto fail;
		}
		page = alloc_pages_node(node, gfp, order - PAGE_SHIFT);
		if (!page)
			goto fail;
		memory->subbufs[i].data = page_address(page);
		memory->subbufs[i].index = i;
		cond_resched();
	}
	return 0;

fail:
	tring_memory_free(memory);
	return err;
}

/* The first packet that a ring has not begun, in a stream that goes on. */
static u64 next_new_packet(struct tring_cpu_buffer *cpu_buffer)
{
	u64 write = local_read(&cpu_buffer->write);

	return (write + cpu_buffer->subbuf_size - 1) >> cpu_buffer->subbuf_order;
}

/* Make the ring empty, with @packet as the next one. */
static void start_ring(struct tring_cpu_buffer *cpu_buffer, u64 packet)
{
	unsigned long i;

	local_set(&cpu_buffer->write, packet << cpu_buffer->subbuf_order);
	local_set(&cpu_buffer->last_ts, TRING_STAMP_UNKNOWN);
	cpu_buffer->before_ts = 0;
	cpu_buffer->current_subbuf = &no_subbuf;
	cpu_buffer->next_packet = packet;
	cpu_buffer->held = NULL;
	cpu_buffer->stopped = false;

	for (i = 0; i <= cpu_buffer->nr_subbufs; i++) {
		/* no packet's, entered or not */
		local_set(&cpu_buffer->subbufs[i].start, -1);
		local_set(&cpu_buffer->subbufs[i].uncommitted, cpu_buffer->subbuf_size);
		local_set(&cpu_buffer->subbufs[i].committed, 0);
		cpu_buffer->subbufs[i].events = 0;
	}
	/* Each slot looks as if its packet of the lap before had been read. */
	for (i = 0; i < cpu_buffer->nr_subbufs; i++)
		atomic64_set(tring_slot_of(cpu_buffer, packet + i),
			     tring_slot_word(TRING_SLOT_FREE, i,
					     packet + i - cpu_buffer->nr_subbufs));
	cpu_buffer->spare = &cpu_buffer->subbufs[cpu_buffer->nr_subbufs];
}

/* What is in the ring is lost to readers: account for it. */
static u64 write_off_content(struct tring_cpu_buffer *cpu_buffer)
{
	u64 packet = next_new_packet(cpu_buffer);
	struct tring_content content;

	tring_ring_content(cpu_buffer, &content);
	local_add(content.open_events, &cpu_buffer->committed);
	local_add(content.open_bytes, &cpu_buffer->committed_bytes);
	local_add(content.events, &cpu_buffer->overwritten);
	local_add(content.bytes, &cpu_buffer->overwritten_bytes);
	/* A packet that a former reader held and gave up counts here too. */
	if (cpu_buffer->held)
		cpu_buffer->packets_taken--;
	local_set(&cpu_buffer->overwritten_packets, packet - cpu_buffer->packets_taken);
	return packet;
}

/**
 * tring_ring_forget - empty a ring
 * @cpu_buffer: the ring; no writer is in, no reader is open
 *
 * What was not read is counted as overwritten. Packet numbers go on.
 *
 * Context: task, with both mutexes held.
 */
void tring_ring_forget(struct tring_cpu_buffer *cpu_buffer)
{
	if (cpu_buffer->allocated)
		start_ring(cpu_buffer, write_off_content(cpu_buffer));
}

/**
 * tring_ring_exchange_memory - give a ring other memory
 * @cpu_buffer: the ring; no writer is in, no reader is open
 * @memory: its new memory; afterwards its old one, which may be none
 *
 * Context: task, with both mutexes held.
 */
void tring_ring_exchange_memory(struct tring_cpu_buffer *cpu_buffer,
				struct tring_memory *memory)
{
	struct tring_memory old = { };
	u64 packet = 0;

	if (cpu_buffer->allocated) {
		packet = write_off_content(cpu_buffer);
		old.slots = cpu_buffer->slots;
		old.subbufs = cpu_buffer->subbufs;
		old.nr_subbufs = cpu_buffer->nr_subbufs;
		old.order = cpu_buffer->subbuf_order;
	}
	cpu_buffer->slots = memory->slots;
	cpu_buffer->subbufs = memory->subbufs;
	cpu_buffer->nr_subbufs = memory->nr_subbufs;
	cpu_buffer->subbuf_order = memory->order;
	cpu_buffer->subbuf_size = 1UL << memory->order;
	start_ring(cpu_buffer, packet);
	/* TB(allocated:A) memory before the word. Pairs with TB(allocated:B). */
	smp_store_release(&cpu_buffer->allocated, true);
	*memory = old;
}

/* Give @cpu its first memory, if it has none. */
static int allocate_ring(struct tring_buffer *buffer, int cpu)
{
	struct tring_cpu_buffer *cpu_buffer = tring_cpu_buffer(buffer, cpu);
	struct tring_memory memory;
	int err;

	lockdep_assert_held(&buffer->mutex);
	if (cpu_buffer->allocated)
		return 0;
	err = tring_memory_allocate(&memory, cpu, cpu_buffer->wanted_bytes,
				    buffer->subbuf_order);
	if (err)
		return err;
	mutex_lock(&cpu_buffer->mutex);
	tring_ring_exchange_memory(cpu_buffer, &memory);
	tring_ring_update_limit(cpu_buffer);
	mutex_unlock(&cpu_buffer->mutex);
	return 0;
}

/**
 * tring_buffer_allocate - make recording possible
 * @buffer: the buffer
 *
 * Allocates the sub-buffers of all CPUs that are online and see to it that CPUs
 * that come online later get theirs. Does nothing the second time.
 *
 * Context: task, may sleep.
 * Return: 0, -ENOMEM or -EINTR; the rings that got memory keep it.
 */
int tring_buffer_allocate(struct tring_buffer *buffer)
{
	int cpu, err = 0;

	cpus_read_lock();
	mutex_lock(&buffer->mutex);
	for_each_online_cpu(cpu) {
		err = allocate_ring(buffer, cpu);
		if (err)
			break;
	}
	if (!err)
		buffer->allocated = true;
	mutex_unlock(&buffer->mutex);
	cpus_read_unlock();
	return err;
}
TRING_EXPORT(tring_buffer_allocate);

/*
 * Before a CPU comes online. If there is no memory it comes up all the same,
 * and what it would have recorded is refused and counted.
 */
static int prepare_cpu(unsigned int cpu, struct hlist_node *node)
{
	struct tring_buffer *buffer = hlist_entry(node, struct tring_buffer, hotplug);

	mutex_lock(&buffer->mutex);
	if (buffer->allocated && allocate_ring(buffer, cpu))
		pr_warn_ratelimited("tring: no memory for the ring of CPU %u\n", cpu);
	mutex_unlock(&buffer->mutex);
	return 0;
}

static void wake_readers_work(struct irq_work *work)
{
	struct tring_cpu_buffer *cpu_buffer =
		container_of(work, struct tring_cpu_buffer, wake_work);

	wake_up_all(&cpu_buffer->wait);
}

/**
 * tring_buffer_create - a buffer that records nothing yet
 *
 * It has no sub-buffers, the default sizes, recording off, overwrite on.
 *
 * Context: task, may sleep.
 * Return: the buffer, or NULL if there is no memory.
 */
struct tring_buffer *tring_buffer_create(void)
{
	struct tring_cpu_buffer *cpu_buffer;
	struct tring_buffer *buffer;
	int cpu;

	buffer = kzalloc(sizeof(*buffer), GFP_KERNEL);
	if (!buffer)
		return NULL;
	buffer->cpu_buffers = __alloc_percpu(sizeof(struct tring_cpu_buffer),
					     __alignof__(struct tring_cpu_buffer));
	if (!buffer->cpu_buffers)
		goto fail;
	mutex_init(&buffer->mutex);
	generate_random_uuid(buffer->uuid);
	buffer->overwrite = true;
	buffer->subbuf_order = ilog2(TRING_SUBBUF_SIZE_MIN);
	buffer->clock = TRING_CLOCK_MONO;

	for_each_possible_cpu(cpu) {
		cpu_buffer = tring_cpu_buffer(buffer, cpu);
		cpu_buffer->buffer = buffer;
		cpu_buffer->cpu = cpu;
		cpu_buffer->clock = buffer->clock;
		cpu_buffer->current_subbuf = &no_subbuf;
		cpu_buffer->wanted_bytes = TRING_BUFFER_SIZE_DEFAULT;
		mutex_init(&cpu_buffer->mutex);
		init_waitqueue_head(&cpu_buffer->wait);
		init_irq_work(&cpu_buffer->wake_work, wake_readers_work);
	}
	if (cpuhp_state_add_instance_nocalls(hotplug_state, &buffer->hotplug))
		goto fail;
	return buffer;

fail:
	free_percpu(buffer->cpu_buffers);
	kfree(buffer);
	return NULL;
}
TRING_EXPORT(tring_buffer_create);

/**
 * tring_buffer_destroy - free a buffer
 * @buffer: no reader is open, and nobody records into it or ever will
 *
 * Context: task, may sleep.
 */
void tring_buffer_destroy(struct tring_buffer *buffer)
{
	struct tring_cpu_buffer *cpu_buffer;
	struct tring_memory memory;
	int cpu;

	cpuhp_state_remove_instance_nocalls(hotplug_state, &buffer->hotplug);
	/* Writers that an unregistered probe left behind. */
	synchronize_rcu();
	for_each_possible_cpu(cpu) {
		cpu_buffer = tring_cpu_buffer(buffer, cpu);
		irq_work_sync(&cpu_buffer->wake_work);
		if (!cpu_buffer->allocated)
			continue;
		memory.slots = cpu_buffer->slots;
		memory.subbufs = cpu_buffer->subbufs;
		memory.nr_subbufs = cpu_buffer->nr_subbufs;
		memory.order = cpu_buffer->subbuf_order;
		tring_memory_free(&memory);
	}
	free_percpu(buffer->cpu_buffers);
	kfree(buffer);
}
TRING_EXPORT(tring_buffer_destroy);

/**
 * tring_ring_init - once, before the first buffer
 *
 * Return: 0 or an error of the CPU hotplug core.
 */
int tring_ring_init(void)
{
	int state = cpuhp_setup_state_multi(CPUHP_BP_PREPARE_DYN, "tring:prepare",
					    prepare_cpu, NULL);

	if (state < 0)
		return state;
	hotplug_state = state;
	return 0;
}

/**
 * tring_ring_exit - once, after the last buffer
 */
void tring_ring_exit(void)
{
	cpuhp_remove_multi_state(hotplug_state);
}
