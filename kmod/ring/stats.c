// SPDX-License-Identifier: GPL-2.0
/*
 * The ledger of a ring. Each number is counted where the thing happens; none is derived
 * from the balance that it is to prove.
 */

#include <linux/string.h>

#include "internal.h"

static const char *const refusal_names[TRING_REFUSALS] = {
	[TRING_REFUSED_NO_ROOM]		= "no_room",
	[TRING_REFUSED_OPEN_COMMIT]	= "open_commit",
	[TRING_REFUSED_TOO_LARGE]	= "too_large",
	[TRING_REFUSED_RETRIES]		= "retries",
	[TRING_REFUSED_NESTED]		= "nested",
	[TRING_REFUSED_STOPPED]		= "stopped",
	[TRING_REFUSED_NO_MEMORY]	= "no_memory",
	[TRING_REFUSED_OFF]		= "off",
};

/**
 * tring_refusal_name - name of a refusal in the stats file
 * @reason: below TRING_REFUSALS
 */
const char *tring_refusal_name(enum tring_refusal reason)
{
	return refusal_names[reason];
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
	stream_content(&cpu_buffer->streams[TRING_SNAPSHOT], &content);
	stats->snapshot = content.events;
	stats->snapshot_bytes = content.bytes;
	stream_content(&cpu_buffer->streams[TRING_LIVE], &content);
	stats->reserved = local_read(&cpu_buffer->reserved);
	stats->committed = local_read(&cpu_buffer->committed) + content.open_events +
			   cpu_buffer->written_off;
	stats->discarded = local_read(&cpu_buffer->discarded);
	stats->open = stats->reserved - stats->committed - stats->discarded;
	stats->read = cpu_buffer->read;
	stats->overwritten = local_read(&cpu_buffer->overwritten) + cpu_buffer->dropped;
	stats->overwritten_snapshot = cpu_buffer->dropped_snapshot;
	stats->remaining = content.events;
	stats->committed_bytes = local_read(&cpu_buffer->committed_bytes) +
				 content.open_bytes + cpu_buffer->written_off_bytes;
	stats->read_bytes = cpu_buffer->read_bytes;
	stats->overwritten_bytes = local_read(&cpu_buffer->overwritten_bytes) +
				   cpu_buffer->dropped_bytes;
	stats->remaining_bytes = content.bytes;
	stats->packets_read = cpu_buffer->packets_read;
	stats->packets_overwritten = local_read(&cpu_buffer->overwritten_packets) +
				     cpu_buffer->dropped_packets;
	for (reason = 0; reason < TRING_REFUSALS; reason++)
		stats->refused[reason] = local_read(&cpu_buffer->refused[reason]);
	mutex_unlock(&cpu_buffer->mutex);
}
TRING_EXPORT(tring_buffer_stats);
