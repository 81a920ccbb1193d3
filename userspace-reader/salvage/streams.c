// SPDX-License-Identifier: GPL-2.0
/* Writes a CPU's packets to its file. One packet is in memory at a time. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/filler.h"
#include "salvage.h"
#include "trace/trace_dir.h"
#include "util/tree.h"
#include "util/util.h"

/**
 * struct stream - a file that is being written
 * @path: its path
 * @file: NULL until there is a packet
 * @error: negative errno of a write, after which nothing is written
 */
struct stream {
	char		*path;
	FILE		*file;
	int		error;
};

static void write_packet(struct stream *stream, const uint8_t *packet, size_t size)
{
	if (!stream->file && !stream->error)
		stream->error = tring_tree_begin(stream->path, &stream->file);
	if (!stream->error && fwrite(packet, 1, size, stream->file) != size)
		stream->error = -errno;
}

/* A viewer tells of a loss between two packets only: see "Losses" in uapi/format.md. */
static void write_filler(struct stream *stream, const uint8_t *like, uint64_t stamp, uint64_t seq,
			 uint64_t discarded)
{
	const struct tring_filler filler = { stamp, seq, discarded };
	uint8_t packet[TRING_FILLER_SIZE];

	tring_filler_write(packet, sizeof(packet), like, &filler);
	write_packet(stream, packet, sizeof(packet));
}

static void add_up(struct tring_salvage_cpu *cpu, const struct tring_salvaged *packet)
{
	if (packet->is_foreign) {
		cpu->foreign++;
		return;
	}
	cpu->there += packet->there;
	cpu->uncommitted += packet->uncommitted;
	cpu->repaired += packet->repaired;
	cpu->guessed += packet->is_guess;
	if (!packet->size) {
		/* no record of it is committed, or none can be read */
		cpu->missing += packet->there > 0 || !packet->is_sure;
		cpu->bytes_missing += packet->there ? packet->missing : 0;
		return;
	}
	cpu->packets++;
	cpu->faults += packet->faults;
	cpu->ends[packet->end]++;
	cpu->unsure += !packet->is_sure;
	if (packet->recovered <= packet->there) {
		cpu->recovered += packet->recovered;
		cpu->bytes_missing += packet->recovered < packet->there ? packet->missing : 0;
		return;
	}
	cpu->recovered += packet->there;
	cpu->surplus += packet->recovered - packet->there;
}

/* timestamp_begin of the packet behind, as far as its header can be believed. */
static uint64_t next_begin(const struct tring_ring *ring, size_t i)
{
	struct tring_packet header;

	return i + 1 < ring->count && tring_ring_header(ring, &ring->places[i + 1], &header) &&
	       header.seq_num == ring->places[i + 1].seq ? header.timestamp_begin : 0;
}

/* What the ring has refused and overwritten behind the last packet. */
static uint64_t losses_at_end(const struct tring_ring *ring, bool *is_known)
{
	uint64_t lost = 0;
	size_t i;

	for (i = 0; i < ring->memory_count; i++) {
		const struct tring_ring_memory *memory = &ring->memories[i];
		uint64_t sum = memory->lost + (memory->have[TRING_WORD_LOST] ?
					       memory->words[TRING_WORD_LOST] : 0);

		if (sum > lost)
			lost = sum;
		*is_known &= memory->have[TRING_WORD_LOST] &&
			     memory->have[TRING_WORD_LOST_BEFORE] &&
			     memory->have[TRING_WORD_OVERWRITTEN];
	}
	return lost;
}

static int close_stream(struct stream *stream)
{
	if (stream->file && fclose(stream->file) && !stream->error)
		stream->error = -errno;
	if (stream->error)
		tring_error("%s: %s", stream->path, strerror(-stream->error));
	free(stream->path);
	return stream->error;
}

/**
 * tring_salvage_stream - write the packets of a CPU
 * @ring: the CPU's ring
 * @dir: trace directory
 * @met: what occurs in the packets is added
 * @cpu: filled in
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_salvage_stream(const struct tring_ring *ring, const char *dir, struct tring_met *met,
			 struct tring_salvage_cpu *cpu)
{
	struct stream stream = { .path = tring_stream_path(dir, ring->cpu, false) };
	struct tring_salvage_order order = { .met = met };
	struct tring_salvaged packet = { 0 };
	uint8_t like[TRING_PACKET_HEADER_SIZE];
	bool is_known = true;
	uint64_t lost = losses_at_end(ring, &is_known), seq = 0;
	size_t i;

	*cpu = (struct tring_salvage_cpu) {
		.cpu = ring->cpu, .bad_slots = ring->bad_slots,
		.repaired_slots = ring->repaired_slots, .bad_arrays = ring->bad_arrays,
	};
	order.most = is_known ? lost : UINT64_MAX;
	if (!is_known && ring->count)
		cpu->earlier = ring->places[0].seq;
	for (i = 0; i < ring->count && !stream.error; i++) {
		order.next = next_begin(ring, i);
		tring_salvage_packet(ring, &ring->places[i], &order, &packet);
		add_up(cpu, &packet);
		if (!packet.size)
			continue;
		if (!stream.file && order.discarded)
			write_filler(&stream, packet.bytes, tring_load_u64(packet.bytes +
				     offsetof(struct tring_packet_header, timestamp_begin),
				     ring->trace->page.big_endian), ring->places[i].seq - 1, 0);
		write_packet(&stream, packet.bytes, packet.size);
		memcpy(like, packet.bytes, sizeof(like));
		seq = ring->places[i].seq;
	}
	if (stream.file && lost > order.discarded)
		write_filler(&stream, like, order.end, seq + 1, lost);
	tring_salvaged_free(&packet);
	return close_stream(&stream);
}
