// SPDX-License-Identifier: GPL-2.0
/*
 * A buffer's life and its settings: the first memory of each ring, recording on and off, clock,
 * and the beginning of a new trace; and its ledger. Each number of that is counted where the
 * thing happens; none is derived from the balance that it is to prove.
 *
 * A ring gets its first memory when recording becomes possible on its CPU, so a buffer
 * that is not used costs nothing. A CPU that goes offline keeps its ring and its content.
 */

#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/rcupdate.h>
#include <linux/uuid.h>

#include "internal.h"

/**
 * tring_ring_update_limit - let writers in, or keep them out
 * @cpu_buffer: the ring
 * @slowly: by the slow path only, as no record fits in a limit of 1
 *
 * Context: any, with tring_buffer::mutex held by the task, or by the task that waits for
 * it.
 */
void tring_ring_update_limit(struct tring_cpu_buffer *cpu_buffer, bool slowly)
{
	unsigned long limit = 0;

	if (READ_ONCE(cpu_buffer->buffer->wanted_recording) && cpu_buffer->memory &&
	    !cpu_buffer->left_out)
		limit = slowly ? 1 : cpu_buffer->memory->subbuf_size - 1;
	/*
	 * TB(first:A) memory, and what was reset in it, before the limit that lets
	 * writers in. Pairs with TB(first:B).
	 */
	smp_wmb();
	WRITE_ONCE(cpu_buffer->limit, limit);
	WRITE_ONCE(cpu_buffer->draining, false);
	/*
	 * TB(limit:A) limit before what may have stopped the ring. Pairs with TB(stop:A): a
	 * stop comes last.
	 */
	smp_mb();
	if (READ_ONCE(cpu_buffer->stopped) || !READ_ONCE(cpu_buffer->buffer->wanted_recording))
		WRITE_ONCE(cpu_buffer->limit, 0);
}
NOKPROBE_SYMBOL(tring_ring_update_limit);

/**
 * tring_ring_stop - no more records on this CPU
 * @cpu_buffer: the ring
 *
 * Its content stays readable. Another memory starts the ring again.
 *
 * Context: any.
 */
void tring_ring_stop(struct tring_cpu_buffer *cpu_buffer)
{
	WRITE_ONCE(cpu_buffer->stopped, true);
	/* TB(stop:A) stopped before limit. Pairs with TB(limit:A). */
	smp_mb();
	WRITE_ONCE(cpu_buffer->limit, 0);
}
NOKPROBE_SYMBOL(tring_ring_stop);

/**
 * tring_buffer_lock - exclude other changes of a buffer, and CPU hotplug
 * @buffer: the buffer
 *
 * From here on tring_drain() waits for all rings again.
 *
 * Context: task, may sleep.
 */
void tring_buffer_lock(struct tring_buffer *buffer)
{
	struct tring_cpu_buffer *cpu_buffer;

	/* CPU hotplug holds its lock when it takes the mutex: this order, too. */
	cpus_read_lock();
	mutex_lock(&buffer->mutex);
	tring_for_each_ring(cpu_buffer, buffer, cpu_possible_mask)
		cpu_buffer->silent = false;
}

/**
 * tring_buffer_unlock - undo tring_buffer_lock()
 * @buffer: the buffer
 */
void tring_buffer_unlock(struct tring_buffer *buffer)
{
	mutex_unlock(&buffer->mutex);
	cpus_read_unlock();
}

static void apply_limits(struct tring_buffer *buffer)
{
	int cpu;

	for_each_possible_cpu(cpu)
		tring_ring_update_limit(tring_cpu_buffer(buffer, cpu), false);
}

/* Drop all that readers could get, but for what is in the current memory. */
static void drop_streams(struct tring_cpu_buffer *cpu_buffer)
{
	int kind;

	for (kind = 0; kind < TRING_STREAMS; kind++) {
		tring_drop_held(&cpu_buffer->streams[kind]);
		tring_drop_stream(&cpu_buffer->streams[kind]);
	}
}

/**
 * tring_ring_allocate - give a ring its first memory
 * @buffer: the buffer
 * @cpu: CPU of the ring, online or about to be
 *
 * Context: task, may sleep, with CPU hotplug locked out and tring_buffer::mutex held.
 * Return: 0, -ENOMEM or -EINTR.
 */
int tring_ring_allocate(struct tring_buffer *buffer, int cpu)
{
	struct tring_cpu_buffer *cpu_buffer = tring_cpu_buffer(buffer, cpu);
	struct tring_memory *memory;

	lockdep_assert_held(&buffer->mutex);
	if (cpu_buffer->memory)
		return 0;
	memory = tring_memory_allocate(cpu_buffer, cpu_buffer->wanted_bytes, buffer->subbuf_order);
	if (IS_ERR(memory))
		return PTR_ERR(memory);
	mutex_lock(&cpu_buffer->mutex);
	tring_ring_switch(cpu_buffer, memory);
	mutex_unlock(&cpu_buffer->mutex);
	return 0;
}

/**
 * tring_buffer_allocate - make recording possible
 * @buffer: the buffer
 *
 * Allocates the sub-buffers of all CPUs that are online. The owner sees to those that come online
 * later. Does nothing the second time.
 *
 * Context: task, may sleep.
 * Return: 0, -ENOMEM or -EINTR; the rings that have got memory keep it.
 */
int tring_buffer_allocate(struct tring_buffer *buffer)
{
	int cpu, err = 0;

	tring_buffer_lock(buffer);
	for_each_online_cpu(cpu) {
		err = tring_ring_allocate(buffer, cpu);
		if (err)
			break;
	}
	buffer->allocated |= !err;
	tring_buffer_unlock(buffer);
	return err;
}
TRING_EXPORT(tring_buffer_allocate);

/**
 * tring_buffer_follow_recording - let the rings do what tring_buffer::wanted_recording says
 * @buffer: the buffer
 *
 * Off counts as off, though a CPU hangs and may still be in its ring.
 *
 * Context: task, may sleep, with tring_buffer_lock() held.
 */
void tring_buffer_follow_recording(struct tring_buffer *buffer)
{
	bool on = READ_ONCE(buffer->wanted_recording);
	int cpu;

	lockdep_assert_held(&buffer->mutex);
	if (on)
		WRITE_ONCE(buffer->recording, true);
	apply_limits(buffer);
	if (!on) {
		/* The writers that saw the old limit are through. */
		tring_drain(buffer, cpu_possible_mask);
		/* Readers get to the end of what is off. */
		tring_buffer_settle(buffer, cpu_possible_mask);
		WRITE_ONCE(buffer->recording, false);
		/*
		 * TB(limit:A) off before what may have been requested since. Pairs with
		 * TB(stop:A): a request comes last.
		 */
		smp_mb();
		if (READ_ONCE(buffer->wanted_recording))
			WRITE_ONCE(buffer->recording, true);
		for_each_possible_cpu(cpu)
			wake_up_all(&tring_cpu_buffer(buffer, cpu)->wait);
	}
}

/**
 * tring_buffer_set_recording - switch recording on or off
 * @buffer: the buffer
 * @on: new state
 *
 * When it returns after switching off, every record is committed, and a reader that finds
 * no more packets has reached the end. A CPU that hangs is not waited for: a record in whose
 * middle it is comes into its ring when it goes on. A request may change the state again.
 *
 * Context: task, may sleep.
 */
void tring_buffer_set_recording(struct tring_buffer *buffer, bool on)
{
	tring_buffer_lock(buffer);
	WRITE_ONCE(buffer->wanted_recording, on);
	tring_buffer_follow_recording(buffer);
	tring_buffer_unlock(buffer);
}
TRING_EXPORT(tring_buffer_set_recording);

/**
 * tring_buffer_set_cpus - choose the CPUs that record while recording is on
 * @buffer: the buffer
 * @cpus: the CPUs, online or not
 *
 * When it returns, every record of the others is committed, but of those that hang.
 *
 * Context: task, may sleep.
 */
void tring_buffer_set_cpus(struct tring_buffer *buffer, const struct cpumask *cpus)
{
	struct tring_cpu_buffer *cpu_buffer;

	tring_buffer_lock(buffer);
	tring_for_each_ring(cpu_buffer, buffer, cpu_possible_mask)
		WRITE_ONCE(cpu_buffer->left_out, !cpumask_test_cpu(cpu_buffer->cpu, cpus));
	apply_limits(buffer);
	/* The writers of the CPUs that are left out are through. */
	tring_drain(buffer, cpu_possible_mask);
	tring_buffer_unlock(buffer);
}

/*
 * Empty a ring for a new trace. No writer is in it, no reader is open. Unread events count as
 * overwritten. Packet numbers and events_discarded begin at 0.
 */
static void forget_ring(struct tring_cpu_buffer *cpu_buffer)
{
	struct tring_memory *memory = cpu_buffer->memory;
	int kind;

	drop_streams(cpu_buffer);
	if (memory) {
		tring_drop_content(&cpu_buffer->streams[TRING_LIVE], memory);
		memory->first_packet = 0;
		tring_memory_empty(memory);
		local_set(&cpu_buffer->write, tring_packet_position(memory, 0));
	}
	for (kind = 0; kind < TRING_STREAMS; kind++)
		cpu_buffer->streams[kind].lost = 0;
	local_set(&cpu_buffer->last_ts, TRING_STAMP_UNKNOWN);
	cpu_buffer->before_ts = 0;
	cpu_buffer->stopped = false;
	/* No writer counts here, because the ring is draining. */
	local_set(&cpu_buffer->lost, 0);
	cpu_buffer->trace++;
}

/**
 * tring_buffer_new_trace - begin a new trace, with another clock if wanted
 * @buffer: the buffer
 * @clock: source of its timestamps, an enum tring_clock; negative: the present one
 *
 * The trace gets another uuid; packet numbers and events_discarded begin at 0. Unread
 * events of the former trace, the snapshot's included, count as overwritten. Events that
 * come meanwhile are refused and counted, if recording is on.
 *
 * Context: task, may sleep.
 * Return: 0; -EINVAL if this machine has no such clock to rely on; -EBUSY while a reader is
 * open, or if a CPU hangs: the trace goes on.
 */
int tring_buffer_new_trace(struct tring_buffer *buffer, int clock)
{
	struct tring_cpu_buffer *cpu_buffer;
	int err = -EBUSY;

	if (clock >= 0 && !tring_clock_available(clock))
		return -EINVAL;

	tring_buffer_lock(buffer);
	tring_for_each_ring(cpu_buffer, buffer, cpu_possible_mask)
		if (cpu_buffer->streams[TRING_LIVE].reader_open ||
		    cpu_buffer->streams[TRING_SNAPSHOT].reader_open)
			goto out;
	/* A memory that a ring has left is of the former trace, too. */
	tring_buffer_settle(buffer, cpu_possible_mask);
	tring_for_each_ring(cpu_buffer, buffer, cpu_possible_mask) {
		/* Invariant 12. Events that come meanwhile belong to neither trace. */
		WRITE_ONCE(cpu_buffer->draining, true);
		WRITE_ONCE(cpu_buffer->limit, 0);
	}
	/* The writers that saw the old limits are through. */
	if (!tring_drain(buffer, cpu_possible_mask))
		goto update_limits;

	write_seqcount_begin(&buffer->identity);
	generate_random_uuid(buffer->uuid);
	buffer->clock = clock >= 0 ? clock : buffer->clock;
	buffer->clock_offset = tring_clock_offset(buffer->clock);
	buffer->clock_missed = tring_clock_missed(buffer->clock);
	write_seqcount_end(&buffer->identity);
	buffer->observer->trace_begun(buffer);
	tring_for_each_ring(cpu_buffer, buffer, cpu_possible_mask) {
		mutex_lock(&cpu_buffer->mutex);
		cpu_buffer->clock = clock >= 0 ? clock : cpu_buffer->clock & ~TRING_CLOCK_SET_BACK;
		forget_ring(cpu_buffer);
		mutex_unlock(&cpu_buffer->mutex);
	}
	/* A writer that has read the old clock is refused by the old limit. */
	tring_drain(buffer, cpu_possible_mask);
	tring_for_each_ring(cpu_buffer, buffer, cpu_possible_mask)
		if (cpu_buffer->silent)
			tring_ring_stop(cpu_buffer);
	err = 0;
update_limits:
	apply_limits(buffer);
out:
	tring_buffer_unlock(buffer);
	return err;
}
TRING_EXPORT(tring_buffer_new_trace);

/**
 * tring_buffer_size - size of one CPU's ring
 * @buffer: the buffer
 * @cpu: CPU of the ring
 *
 * Return: bytes; as last set if the ring has no memory yet.
 */
unsigned long tring_buffer_size(struct tring_buffer *buffer, int cpu)
{
	struct tring_cpu_buffer *cpu_buffer = tring_cpu_buffer(buffer, cpu);
	unsigned long bytes;

	mutex_lock(&buffer->mutex);
	bytes = cpu_buffer->memory ? cpu_buffer->memory->nr_subbufs << cpu_buffer->memory->order :
				     cpu_buffer->wanted_bytes;
	mutex_unlock(&buffer->mutex);
	return bytes;
}

/* All that a stream has to give. */
static void stream_content(struct tring_stream *stream, struct tring_content *content)
{
	struct tring_memory *memory;

	list_for_each_entry(memory, &stream->memories, list)
		tring_memory_content(memory, content);
	if (stream->held) {
		content->events += stream->held->events;
		content->bytes += stream->held->bytes;
	}
}

/**
 * tring_buffer_stats - read the counters of one CPU's ring
 * @buffer: the buffer
 * @cpu: CPU of the ring
 * @stats: filled in
 *
 * Context: task, may sleep.
 */
void tring_buffer_stats(struct tring_buffer *buffer, int cpu, struct tring_stats *stats)
{
	struct tring_cpu_buffer *cpu_buffer = tring_cpu_buffer(buffer, cpu);
	struct tring_content content = { };
	int reason;

	mutex_lock(&cpu_buffer->mutex);
	*stats = cpu_buffer->counted;
	stream_content(&cpu_buffer->streams[TRING_SNAPSHOT], &content);
	stats->snapshot = content.events;
	stats->snapshot_bytes = content.bytes;
	stream_content(&cpu_buffer->streams[TRING_LIVE], &content);
	stats->remaining = content.events;
	stats->remaining_bytes = content.bytes;
	stats->reserved = local_read(&cpu_buffer->reserved);
	stats->committed += local_read(&cpu_buffer->committed) + content.open_events;
	stats->committed_bytes += local_read(&cpu_buffer->committed_bytes) + content.open_bytes;
	stats->discarded = local_read(&cpu_buffer->discarded);
	stats->open = stats->reserved - stats->committed - stats->discarded;
	stats->overwritten += local_read(&cpu_buffer->overwritten);
	stats->overwritten_bytes += local_read(&cpu_buffer->overwritten_bytes);
	stats->packets_overwritten += local_read(&cpu_buffer->overwritten_packets);
	for (reason = 0; reason < TRING_REFUSALS; reason++)
		stats->refused[reason] = local_read(&cpu_buffer->refused[reason]);
	mutex_unlock(&cpu_buffer->mutex);
}
TRING_EXPORT(tring_buffer_stats);

static void wake_readers_late(struct work_struct *work)
{
	wake_up_all(&container_of(work, struct tring_cpu_buffer, late_wake_work)->wait);
}

/*
 * With CONFIG_PREEMPT_RT an interrupt cannot take the lock of a wait queue. The thread of the
 * CPU's that runs an irq_work there waits for each real-time task, for as long as it likes. So
 * another CPU wakes the reader.
 */
static void wake_readers(struct irq_work *work)
{
	struct tring_cpu_buffer *cpu_buffer = container_of(work, struct tring_cpu_buffer,
							   wake_work);

	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		queue_work(system_unbound_wq, &cpu_buffer->late_wake_work);
	else
		wake_up_all(&cpu_buffer->wait);
}

static void init_ring(struct tring_buffer *buffer, int cpu)
{
	struct tring_cpu_buffer *cpu_buffer = tring_cpu_buffer(buffer, cpu);
	int kind;

	cpu_buffer->buffer = buffer;
	cpu_buffer->cpu = cpu;
	cpu_buffer->clock = buffer->clock;
	cpu_buffer->clock_offset = &buffer->clock_offset;
	local_set(&cpu_buffer->last_ts, TRING_STAMP_UNKNOWN);
	local_set(&cpu_buffer->nesting, TRING_NESTING_IDLE);
	cpu_buffer->last_pid = TRING_PID_UNKNOWN;
	cpu_buffer->current_subbuf = &tring_no_subbuf;
	cpu_buffer->wanted_bytes = TRING_BUFFER_SIZE_DEFAULT;
	mutex_init(&cpu_buffer->mutex);
	init_waitqueue_head(&cpu_buffer->wait);
	cpu_buffer->wake_work = IRQ_WORK_INIT_HARD(wake_readers);
	INIT_WORK(&cpu_buffer->late_wake_work, wake_readers_late);
	INIT_CSD(&cpu_buffer->call, tring_ring_answer, cpu_buffer);
	for (kind = 0; kind < TRING_STREAMS; kind++) {
		cpu_buffer->streams[kind].cpu_buffer = cpu_buffer;
		INIT_LIST_HEAD(&cpu_buffer->streams[kind].memories);
	}
}

/**
 * tring_buffer_init - set up a buffer
 * @buffer: filled with zeroes, but for ask_work
 * @observer: of the owner
 *
 * It has no sub-buffers yet, the default sizes, recording off, overwrite on.
 *
 * Context: task, may sleep.
 * Return: 0 or -ENOMEM.
 */
int tring_buffer_init(struct tring_buffer *buffer, const struct tring_observer *observer)
{
	int cpu;

	buffer->cpu_buffers = alloc_percpu(struct tring_cpu_buffer);
	if (!buffer->cpu_buffers)
		return -ENOMEM;
	mutex_init(&buffer->mutex);
	seqcount_mutex_init(&buffer->identity, &buffer->mutex);
	generate_random_uuid(buffer->uuid);
	buffer->overwrite = true;
	buffer->subbuf_order = ilog2(TRING_SUBBUF_SIZE_MIN);
	buffer->clock = TRING_CLOCK_MONO;
	buffer->clock_missed = tring_clock_missed(buffer->clock);
	buffer->allocator = &tring_pages;
	buffer->observer = observer;
	for_each_possible_cpu(cpu)
		init_ring(buffer, cpu);
	return 0;
}

/**
 * tring_buffer_exit - free what a buffer has
 * @buffer: no reader is open, no writer is in it or ever will be, and the owner changes it no more
 *
 * Waits for CPUs that hang, as they may be in a ring.
 *
 * Context: task, may sleep.
 */
void tring_buffer_exit(struct tring_buffer *buffer)
{
	struct tring_cpu_buffer *cpu_buffer;

	tring_for_each_ring(cpu_buffer, buffer, cpu_possible_mask)
		tring_ring_stop_calls(cpu_buffer);
	/* The interrupts of the calls are through. */
	synchronize_rcu();
	tring_for_each_ring(cpu_buffer, buffer, cpu_possible_mask) {
		irq_work_sync(&cpu_buffer->wake_work);
		cancel_work_sync(&cpu_buffer->late_wake_work);
		mutex_lock(&cpu_buffer->mutex);
		/* Left while the CPU hung. No writer is in it. */
		if (cpu_buffer->unsettled)
			tring_ring_settle(cpu_buffer, false);
		drop_streams(cpu_buffer);
		tring_memory_put(cpu_buffer->memory);
		mutex_unlock(&cpu_buffer->mutex);
	}
	free_percpu(buffer->cpu_buffers);
}
