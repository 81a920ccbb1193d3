// SPDX-License-Identifier: GPL-2.0
/*
 * Buffers come and go here, and rings get their first memory: when recording
 * becomes possible on their CPU, so that a buffer that nobody uses costs
 * nothing. A CPU that goes offline keeps its ring and what is in it.
 */

#include <linux/cpuhotplug.h>
#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/uuid.h>

#include "compat.h"
#include "ring.h"
#include "fast.h"
#include "internal.h"

static enum cpuhp_state hotplug_state;

/**
 * tring_ring_first_memory - a ring that has no memory gets its first
 * @cpu_buffer: the ring
 * @memory: for it, empty
 *
 * Context: task, with both mutexes held.
 */
void tring_ring_first_memory(struct tring_cpu_buffer *cpu_buffer,
			     struct tring_memory *memory)
{
	cpu_buffer->memories[memory->generation] = memory;
	list_add_tail(&memory->list, &cpu_buffer->streams[TRING_LIVE].memories);
	WRITE_ONCE(cpu_buffer->memory, memory);
	tring_ring_update_wake(cpu_buffer);
	tring_ring_update_limit(cpu_buffer);
}

/* Give @cpu its first memory, if it has none. */
static int allocate_ring(struct tring_buffer *buffer, int cpu)
{
	struct tring_cpu_buffer *cpu_buffer = tring_cpu_buffer(buffer, cpu);
	struct tring_memory *memory;

	lockdep_assert_held(&buffer->mutex);
	if (cpu_buffer->memory)
		return 0;
	memory = tring_memory_allocate(cpu_buffer, cpu_buffer->wanted_bytes,
				       buffer->subbuf_order);
	if (IS_ERR(memory))
		return PTR_ERR(memory);
	mutex_lock(&cpu_buffer->mutex);
	tring_ring_first_memory(cpu_buffer, memory);
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
	if (READ_ONCE(cpu_buffer->has_retired))
		schedule_work(&cpu_buffer->drop_work);
}

/* What a ring holds in older memory, its writers have overwritten newer things. */
static void drop_retired_work(struct work_struct *work)
{
	struct tring_cpu_buffer *cpu_buffer =
		container_of(work, struct tring_cpu_buffer, drop_work);

	mutex_lock(&cpu_buffer->mutex);
	if (local_read(&cpu_buffer->memory->overwritten_packets))
		tring_drop_retired(cpu_buffer);
	mutex_unlock(&cpu_buffer->mutex);
}

static void init_ring(struct tring_buffer *buffer, int cpu)
{
	struct tring_cpu_buffer *cpu_buffer = tring_cpu_buffer(buffer, cpu);
	struct tring_stream *stream;
	int kind;

	cpu_buffer->buffer = buffer;
	cpu_buffer->cpu = cpu;
	cpu_buffer->clock = buffer->clock;
	local_set(&cpu_buffer->last_ts, TRING_STAMP_UNKNOWN);
	local_set(&cpu_buffer->nesting, TRING_NESTING_IDLE);
	cpu_buffer->last_pid = TRING_PID_UNKNOWN;
	cpu_buffer->current_subbuf = &tring_no_subbuf;
	cpu_buffer->wanted_bytes = TRING_BUFFER_SIZE_DEFAULT;
	mutex_init(&cpu_buffer->mutex);
	init_waitqueue_head(&cpu_buffer->wait);
	init_irq_work(&cpu_buffer->wake_work, wake_readers_work);
	INIT_WORK(&cpu_buffer->drop_work, drop_retired_work);
	for (kind = 0; kind < TRING_STREAMS; kind++) {
		stream = &cpu_buffer->streams[kind];
		stream->cpu_buffer = cpu_buffer;
		INIT_LIST_HEAD(&stream->memories);
	}
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
	tring_short_init(buffer);

	for_each_possible_cpu(cpu)
		init_ring(buffer, cpu);
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
	int cpu, kind;

	cpuhp_state_remove_instance_nocalls(hotplug_state, &buffer->hotplug);
	/* Writers that an unregistered probe left behind. */
	synchronize_rcu();
	tring_short_stop(buffer);
	for_each_possible_cpu(cpu) {
		cpu_buffer = tring_cpu_buffer(buffer, cpu);
		irq_work_sync(&cpu_buffer->wake_work);
		cancel_work_sync(&cpu_buffer->drop_work);
		mutex_lock(&cpu_buffer->mutex);
		for (kind = 0; kind < TRING_STREAMS; kind++) {
			tring_drop_held(&cpu_buffer->streams[kind]);
			tring_drop_stream(&cpu_buffer->streams[kind]);
		}
		tring_memory_free(cpu_buffer->memory);
		mutex_unlock(&cpu_buffer->mutex);
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
