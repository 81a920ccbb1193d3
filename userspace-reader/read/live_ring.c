// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reads the packets of a running ring into memory, for as long as they are needed.
 *
 * Each read adds a chunk of whole packets to its CPU. Two streams go through the chunks: the
 * one that is merged with those of other CPUs, and the one that looks for losses ahead of it.
 * A chunk is freed when both have left it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "live_ring.h"
#include "util/util.h"

#define FIRST_CAPACITY	(1024 * 1024)
#define PACKET_SIZE_MAX	(256 * 1024 * 1024)

/**
 * struct tring_chunk - packets of one read
 * @next: the packets of the next one; NULL if there are none yet
 * @left: one of the two streams has left it
 * @size: bytes of @data
 * @data: the packets
 */
struct tring_chunk {
	struct tring_chunk *next;
	bool		left;
	size_t		size;
	uint8_t		data[];
};

/**
 * struct tring_chunks - packets of a CPU
 * @merged: chunk of the stream that is merged
 * @ahead: chunk of the other one
 * @last: the last chunk
 */
struct tring_chunks {
	struct tring_chunk *merged;
	struct tring_chunk *ahead;
	struct tring_chunk *last;
};

/*
 * The stream that looks ahead is a copy, which has got another source. Return: false if there
 * are no more chunks now.
 */
static bool next_chunk(struct tring_stream *stream)
{
	const struct tring_cpu *cpu = stream->private;
	bool is_merged = stream->source == cpu->chunks;
	struct tring_chunk **at = is_merged ? &cpu->chunks->merged : &cpu->chunks->ahead;
	struct tring_chunk *old = *at, *next = old->next;

	if (!next)
		return false;
	*at = next;
	if (old->left)
		free(old);
	else
		old->left = true;
	tring_stream_go_on(stream, next->data, next->size);
	return true;
}

static struct tring_chunk *make_chunk(const uint8_t *data, size_t size)
{
	struct tring_chunk *chunk = tring_allocate(sizeof(*chunk) + size);

	chunk->size = size;
	if (size)
		memcpy(chunk->data, data, size);
	return chunk;
}

/* Both streams begin behind an empty chunk. */
static struct tring_chunks *make_chunks(void)
{
	struct tring_chunks *chunks = tring_allocate(sizeof(*chunks));

	chunks->last = make_chunk(NULL, 0);
	chunks->merged = chunks->last;
	chunks->ahead = chunks->last;
	return chunks;
}

static void free_chunks(struct tring_chunks *chunks)
{
	struct tring_chunk *chunk = chunks ? chunks->merged : NULL;

	while (chunk) {
		struct tring_chunk *next = chunk->next;

		free(chunk);
		chunk = next;
	}
	free(chunks);
}

/* Return: end of the last whole packet. What is no packet is left to the streams to report. */
static size_t find_whole(const uint8_t *data, size_t size)
{
	size_t at = 0;

	while (size - at >= TRING_PACKET_HEADER_SIZE) {
		struct tring_packet packet;
		enum tring_reason reason = tring_packet_parse(data + at, size - at, &packet);

		if (reason == TRING_PACKET_TRUNCATED && packet.packet_size <= PACKET_SIZE_MAX)
			break;
		if (!tring_reason_is_soft(reason))
			return size;
		at += packet.packet_size;
	}
	return at;
}

/* Takes what is in the buffer. */
static void add_packets(struct tring_live_ring *ring, struct tring_live_cpu *cpu, size_t size)
{
	size_t whole = find_whole(ring->buffer, size);
	struct tring_chunks *chunks = cpu->chunks;

	if (whole) {
		chunks->last->next = make_chunk(ring->buffer, whole);
		chunks->last = chunks->last->next;
	}
	free(cpu->torn);
	cpu->torn_size = size - whole;
	cpu->torn = tring_allocate(cpu->torn_size + 1);
	memcpy(cpu->torn, ring->buffer + whole, cpu->torn_size);
}

/* The begin of a packet leaves at least half of the buffer free. */
static void make_room(struct tring_live_ring *ring, size_t begun)
{
	if (2 * begun <= ring->capacity)
		return;
	free(ring->buffer);
	ring->capacity = 4 * begun;
	ring->buffer = tring_allocate(ring->capacity);
}

/* Return: number of bytes; 0 if there are none now; or a negative errno, reported on stderr. */
static ssize_t read_packets(struct tring_live_ring *ring, size_t number, size_t *room)
{
	struct tring_live_cpu *cpu = &ring->cpus[number];
	ssize_t got;

	make_room(ring, cpu->torn_size);
	if (cpu->torn_size)
		memcpy(ring->buffer, cpu->torn, cpu->torn_size);
	*room = ring->capacity - cpu->torn_size;
	do
		got = read(cpu->fd, ring->buffer + cpu->torn_size, *room);
	while (got < 0 && errno == EINTR);
	cpu->ended = !got;
	if (got > 0) {
		add_packets(ring, cpu, cpu->torn_size + got);
		return got;
	}
	if (!got || errno == EAGAIN)
		return 0;
	got = -errno;
	tring_error("cpu%d: read: %s", ring->control->cpus[number], strerror(-got));
	return got;
}

/**
 * tring_live_ring_read - read the packets of a CPU
 * @ring: the ring
 * @number: index of the CPU
 * @everything: read all that was written up to now, which closes the open packet; otherwise
 *	the closed packets suffice
 *
 * A read that leaves room has taken all closed packets, and the next one closes the open
 * packet. A CPU that writes as fast as it is read has no end, so the size of its ring is
 * the limit: what was there at the begin was read, or overwritten.
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_live_ring_read(struct tring_live_ring *ring, size_t number, bool everything)
{
	size_t rest = everything ? 2 : 1, all = 0, room;

	while (rest && all <= ring->size) {
		ssize_t got = read_packets(ring, number, &room);

		if (got <= 0)
			return got;
		all += got;
		if ((size_t)got < room)
			rest--;
	}
	return 0;
}

/**
 * tring_live_ring_mark - write a marker
 * @ring: the ring
 * @text: its text
 *
 * Return: 0; a negative errno if it was not recorded, as in a ring that is full.
 */
int tring_live_ring_mark(const struct tring_live_ring *ring, const char *text)
{
	return write(ring->marker_fd, text, strlen(text)) < 0 ? -errno : 0;
}

static int open_cpu(struct tring_live_ring *ring, size_t number, struct tring_trace *trace)
{
	struct tring_live_cpu *cpu = &ring->cpus[number];
	struct tring_cpu *added;
	char *path;

	cpu->fd = tring_control_open_packets(ring->control, ring->control->cpus[number],
					     TRING_PACKETS_PIPE, &path);
	cpu->chunks = make_chunks();
	added = tring_trace_add_cpu(trace, ring->control->cpus[number], path);
	added->chunks = cpu->chunks;
	tring_cpu_start(added);
	added->stream.enter = NULL;
	added->stream.more = next_chunk;
	added->stream.source = cpu->chunks;
	/* the ring's trace has begun just now, so the first packet's losses are all there are */
	tring_stream_know_discarded(&added->stream, 0);
	return cpu->fd < 0 ? cpu->fd : 0;
}

static int open_marker(struct tring_live_ring *ring)
{
	char *path = tring_format("%s/trace_marker", ring->control->dir);
	int error = 0;

	ring->marker_fd = open(path, O_WRONLY | O_CLOEXEC);
	if (ring->marker_fd < 0) {
		error = -errno;
		tring_error("%s: %s", path, strerror(-error));
	}
	free(path);
	return error;
}

static int read_size(struct tring_live_ring *ring)
{
	char *text = tring_control_read(ring->control, "buffer_size_kb");
	uint64_t kb;
	int error = text ? 0 : -EIO;

	/* a remark may follow the number */
	if (text)
		text[strspn(text, "0123456789")] = 0;
	if (text && !tring_parse_number(text, &kb)) {
		tring_error("%s/buffer_size_kb: not a size", ring->control->dir);
		error = -EINVAL;
	}
	if (!error)
		ring->size = kb * 1024;
	free(text);
	return error;
}

/**
 * tring_live_ring_open - open a ring to read it
 * @ring: filled in; to be closed also after an error
 * @control: the ring, whose trace has begun and has no events yet; must outlive @ring
 * @trace: gets the CPUs, with their streams; must not outlive @ring
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_live_ring_open(struct tring_live_ring *ring, const struct tring_control *control,
			 struct tring_trace *trace)
{
	int error;
	size_t i;

	*ring = (struct tring_live_ring) { .control = control, .capacity = FIRST_CAPACITY };
	ring->buffer = tring_allocate(ring->capacity);
	ring->cpus = tring_allocate(control->cpu_count * sizeof(*ring->cpus));
	for (i = 0; i < control->cpu_count; i++)
		ring->cpus[i].fd = -1;
	error = open_marker(ring);
	if (!error)
		error = read_size(ring);
	for (i = 0; i < control->cpu_count && !error; i++)
		error = open_cpu(ring, i, trace);
	return error;
}

/**
 * tring_live_ring_close - close the files of a ring, and free its packets
 * @ring: the ring, may be zeroed
 */
void tring_live_ring_close(struct tring_live_ring *ring)
{
	size_t i;

	for (i = 0; ring->cpus && i < ring->control->cpu_count; i++) {
		if (ring->cpus[i].fd >= 0)
			close(ring->cpus[i].fd);
		free_chunks(ring->cpus[i].chunks);
		free(ring->cpus[i].torn);
	}
	if (ring->control && ring->marker_fd >= 0)
		close(ring->marker_fd);
	free(ring->cpus);
	free(ring->buffer);
	*ring = (struct tring_live_ring) { 0 };
}
