// SPDX-License-Identifier: GPL-2.0
/*
 * What becomes of packets that nobody reads, and of memory that is through.
 * All of it is counted as overwritten, though no writer wrote over it. When
 * that happens is in ring/switch.c DOC.
 */

#include <linux/list.h>

#include "ring.h"
#include "fast.h"
#include "internal.h"

/* Does a reader have a packet of this memory in its hands? */
static bool is_held(struct tring_cpu_buffer *cpu_buffer, struct tring_memory *memory)
{
	int kind;

	for (kind = 0; kind < TRING_STREAMS; kind++)
		if (cpu_buffer->streams[kind].held_memory == memory)
			return true;
	return false;
}

/**
 * tring_memory_let_go - a memory is through
 * @cpu_buffer: the ring
 * @memory: sealed, in a stream
 *
 * Context: task, with tring_cpu_buffer::mutex held.
 */
void tring_memory_let_go(struct tring_cpu_buffer *cpu_buffer, struct tring_memory *memory)
{
	list_del_init(&memory->list);
	if (is_held(cpu_buffer, memory))
		memory->abandoned = true;
	else
		tring_memory_free(memory);
}

/* A packet that was taken, and that no stream holds, goes back to its memory. */
static void return_subbuf(struct tring_cpu_buffer *cpu_buffer, struct tring_memory *memory,
			  struct tring_subbuf *subbuf)
{
	if (!memory->sealed) {
		/* What it has said may be older than a short type that came since. */
		tring_memory_set_up(memory, subbuf);
		memory->spare = subbuf;
	} else if (!memory->abandoned) {
		tring_memory_release(memory, subbuf);
	} else if (!is_held(cpu_buffer, memory)) {
		tring_memory_free(memory);
	}
}

/**
 * tring_stream_return - the packet that is held is held no more
 * @stream: whose
 *
 * Context: task, with tring_cpu_buffer::mutex held.
 */
void tring_stream_return(struct tring_stream *stream)
{
	struct tring_memory *memory = stream->held_memory;
	struct tring_subbuf *subbuf = stream->held;

	WRITE_ONCE(stream->held, NULL);
	stream->held_memory = NULL;
	return_subbuf(stream->cpu_buffer, memory, subbuf);
}

/* One packet or many are lost to readers, though no writer came over them. */
static void count_dropped(const struct tring_stream *stream,
			  const struct tring_content *content)
{
	struct tring_cpu_buffer *cpu_buffer = stream->cpu_buffer;

	cpu_buffer->dropped += content->events;
	if (!tring_stream_is_live(stream))
		cpu_buffer->dropped_snapshot += content->events;
	cpu_buffer->dropped_bytes += content->bytes;
	cpu_buffer->dropped_packets += content->packets + content->open_packets;
	/* Of packets that a broken ring never delivers, or that are open. */
	WRITE_ONCE(cpu_buffer->written_off, cpu_buffer->written_off + content->open_events);
	cpu_buffer->written_off_bytes += content->open_bytes;
}

/* As the only packet of some content. */
static struct tring_content content_of(const struct tring_subbuf *subbuf)
{
	return (struct tring_content) {
		.events = subbuf->events,
		.bytes = subbuf->bytes,
		.packets = 1,
	};
}

/**
 * tring_drop_content - count what a memory holds as overwritten
 * @stream: that the memory is in
 * @memory: no writer is in it
 *
 * Context: task, with tring_cpu_buffer::mutex held.
 */
void tring_drop_content(struct tring_stream *stream, struct tring_memory *memory)
{
	struct tring_content content = { };

	tring_memory_content(memory, &content);
	count_dropped(stream, &content);
	stream->lost += content.events + local_read(&memory->overwritten);
	if (tring_stream_is_live(stream))
		tring_count_gone(stream->cpu_buffer, content.packets);
}

/**
 * tring_drop_memory - lose what a memory holds, and it
 * @stream: that the memory is in
 * @memory: sealed
 *
 * Context: task, with tring_cpu_buffer::mutex held.
 */
void tring_drop_memory(struct tring_stream *stream, struct tring_memory *memory)
{
	tring_drop_content(stream, memory);
	tring_memory_let_go(stream->cpu_buffer, memory);
}

/**
 * tring_drop_stream - lose what a stream holds but for the current memory
 * @stream: the stream
 *
 * A packet that is held stays. Memory that is not sealed yet stays, too.
 *
 * Context: task, with tring_cpu_buffer::mutex held.
 */
void tring_drop_stream(struct tring_stream *stream)
{
	struct tring_memory *memory, *next;

	list_for_each_entry_safe(memory, next, &stream->memories, list)
		if (memory->sealed)
			tring_drop_memory(stream, memory);
}

/**
 * tring_drop_retired - memories before the current one have had their time
 * @cpu_buffer: the ring
 *
 * Context: task, with tring_cpu_buffer::mutex held.
 */
void tring_drop_retired(struct tring_cpu_buffer *cpu_buffer)
{
	struct tring_stream *live = &cpu_buffer->streams[TRING_LIVE];

	tring_drop_stream(live);
	tring_ring_update_retired(cpu_buffer);
}

/**
 * tring_ring_update_retired - tell writers whether there are older memories
 * @cpu_buffer: the ring
 *
 * Context: task, with tring_cpu_buffer::mutex held.
 */
void tring_ring_update_retired(struct tring_cpu_buffer *cpu_buffer)
{
	WRITE_ONCE(cpu_buffer->has_retired,
		   !list_is_singular(&cpu_buffer->streams[TRING_LIVE].memories));
	/*
	 * TB(retired:A) before the caller looks whether writers overwrite. Pairs
	 * with TB(overwritten:A).
	 */
	smp_mb();
}

/**
 * tring_drop_packet - lose the oldest packet of a memory
 * @stream: that the memory is in
 * @memory: sealed
 *
 * Context: task, with tring_cpu_buffer::mutex held.
 * Return: false if there was none, and the memory is gone.
 */
bool tring_drop_packet(struct tring_stream *stream, struct tring_memory *memory)
{
	struct tring_cpu_buffer *cpu_buffer = stream->cpu_buffer;
	struct tring_content content;
	struct tring_subbuf *subbuf;

	if (tring_memory_take(stream, memory, &subbuf)) {
		tring_drop_memory(stream, memory);
		return false;
	}
	content = content_of(subbuf);
	count_dropped(stream, &content);
	/* No writer is in there, so this may be done here. */
	local_add(content.events, &memory->overwritten);
	return_subbuf(cpu_buffer, memory, subbuf);
	return true;
}

/**
 * tring_drop_held - lose the packet that a former reader held and gave up
 * @stream: the stream; it may hold none
 *
 * Context: task, with tring_cpu_buffer::mutex held.
 */
void tring_drop_held(struct tring_stream *stream)
{
	struct tring_content content;

	if (!stream->held)
		return;
	content = content_of(stream->held);
	count_dropped(stream, &content);
	stream->lost += content.events;
	tring_stream_return(stream);
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
	struct tring_memory *memory = cpu_buffer->memory;
	int kind;

	if (!memory)
		return;
	for (kind = 0; kind < TRING_STREAMS; kind++) {
		tring_drop_held(&cpu_buffer->streams[kind]);
		tring_drop_stream(&cpu_buffer->streams[kind]);
	}
	tring_drop_content(&cpu_buffer->streams[TRING_LIVE], memory);

	memory->first_packet += tring_packets_begun(memory, local_read(&cpu_buffer->write));
	tring_memory_empty(memory);
	local_set(&cpu_buffer->write, tring_packet_position(memory, 0));
	local_set(&cpu_buffer->last_ts, TRING_STAMP_UNKNOWN);
	cpu_buffer->last_pid = TRING_PID_UNKNOWN;
	cpu_buffer->before_ts = 0;
	cpu_buffer->current_subbuf = &tring_no_subbuf;
	cpu_buffer->stopped = false;
	tring_ring_update_retired(cpu_buffer);
}
