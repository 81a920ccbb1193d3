// SPDX-License-Identifier: GPL-2.0
/*
 * The ledger of a ring. Each number is counted where the thing happens; none is derived
 * from the balance that it is to prove.
 */

#include "internal.h"

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
