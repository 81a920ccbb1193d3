// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Takes the packets of a running ring into memory, for as long as they are needed.
 *
 * What is earlier than a marker that is written before all CPUs are read was in the rings then,
 * so up to there the order across CPUs is right. What is later stays in memory until the next
 * marker. So there are never more events in memory than come in the time between, or than the
 * rings have room for.
 *
 * Each read adds a chunk of whole packets to its CPU. Two streams go through the chunks: the
 * one that is merged with those of other CPUs, and the one that looks for losses ahead of it, if
 * each loss is to be told where it begins. A chunk is freed when both have left it.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "event/name_files.h"
#include "live_ring.h"
#include "trace/kernel.h"
#include "tracefs/available.h"
#include "util/util.h"

#define MARKER		"tring follow "

#define FIRST_CAPACITY	(1024 * 1024)

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

/**
 * struct tring_live_cpu - a CPU of a ring that is read
 * @fd: source of packets
 * @ended: the ring has said that there are no more packets, because recording is off
 * @torn: begin of a packet whose rest was not read yet
 * @torn_size: bytes of @torn
 */
struct tring_live_cpu {
	int		fd;
	bool		ended;
	uint8_t		*torn;
	size_t		torn_size;
};

/**
 * struct tring_live_ring - a ring that is read
 * @control: the ring
 * @cpus: one for each CPU of @control
 * @marker_fd: where markers are written
 * @marker: begin of their text, before their number
 * @marker_event: their event; NULL if it is unknown
 * @number: number of the last marker
 * @time: up to which timestamp all events were given
 * @wait_fd: epoll of the CPUs
 * @size: bytes of each CPU's ring
 * @buffer: what was read last
 * @capacity: bytes of @buffer
 */
struct tring_live_ring {
	struct tring_control control;
	struct tring_live_cpu *cpus;
	int		marker_fd;
	char		*marker;
	const struct tring_event *marker_event;
	uint64_t	number;
	uint64_t	time;
	int		wait_fd;
	size_t		size;
	uint8_t		*buffer;
	size_t		capacity;
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
	/* nothing looks ahead */
	if (!cpu->trace->every) {
		cpu->chunks->ahead = next;
		old->left = true;
	}
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

/* Takes what is in the buffer. */
static void add_packets(struct tring_live_ring *ring, struct tring_live_cpu *cpu,
			struct tring_chunks *chunks, size_t size)
{
	size_t whole = tring_packet_whole(ring->buffer, size);

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

/* Return: number of bytes; 0 if there are none now; or a negative errno, reported. */
static ssize_t read_packets(struct tring_live_ring *ring, const struct tring_cpu *of, size_t *room)
{
	struct tring_live_cpu *cpu = &ring->cpus[of->at];
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
		add_packets(ring, cpu, of->chunks, cpu->torn_size + got);
		return got;
	}
	if (!got || errno == EAGAIN)
		return 0;
	got = -errno;
	tring_error("cpu%d: read: %s", of->cpu, strerror(-got));
	return got;
}

/*
 * Reads all that was written up to now. A read that leaves room has taken all closed packets, and
 * the next one closes the open packet. A CPU that writes as fast as it is read has no end, so the
 * size of its ring is the limit: what was there at the begin was read, or overwritten.
 */
static int read_cpu(struct tring_live_ring *ring, const struct tring_cpu *cpu)
{
	size_t rest = 2, all = 0, room;

	while (rest && all <= ring->size) {
		ssize_t got = read_packets(ring, cpu, &room);

		if (got <= 0)
			return got;
		all += got;
		if ((size_t)got < room)
			rest--;
	}
	return 0;
}

/* In a ring that is full the marker is lost, too; then the end of what is read serves. */
static void mark(struct tring_live_ring *ring)
{
	char *text = tring_format("%s%" PRIu64, ring->marker, ++ring->number);
	ssize_t written = write(ring->marker_fd, text, strlen(text));

	(void)written;
	free(text);
}

/* A CPU that has ended would wake up its reader for ever. */
static void wait_for(const struct tring_live_ring *ring, const struct tring_live_cpu *cpu)
{
	struct epoll_event event = { .events = EPOLLIN };

	/* one that is there already is refused, which does no harm */
	epoll_ctl(ring->wait_fd, cpu->ended ? EPOLL_CTL_DEL : EPOLL_CTL_ADD, cpu->fd, &event);
}

/* A ring that says that it has ended is one that does not record. */
static int check_recording(struct tring_live_ring *ring)
{
	bool ended = false;
	size_t i;

	for (i = 0; i < ring->control.cpu_count; i++) {
		wait_for(ring, &ring->cpus[i]);
		ended |= ring->cpus[i].ended;
	}
	if (!ended || tring_control_is_on(&ring->control))
		return 0;
	tring_error("another program has switched recording off");
	return -ECANCELED;
}

/**
 * tring_live_ring_take - take all events up to now
 * @trace: from tring_live_ring_open()
 *
 * Return: 0 or a negative errno, reported.
 */
int tring_live_ring_take(struct tring_trace *trace)
{
	struct tring_live_ring *ring = trace->live;
	int error = 0;
	size_t i;

	if (!trace->begun)
		tring_trace_merge(trace);
	mark(ring);
	for (i = 0; i < trace->count && !error; i++)
		error = read_cpu(ring, &trace->cpus[i]);
	/* an event may have got its type meanwhile */
	if (!error)
		error = tring_control_short_ids(&ring->control, &trace->shorts, NULL);
	if (error)
		return error;
	trace->late = ring->time;
	trace->limit = UINT64_MAX;
	tring_trace_resume(trace);
	return check_recording(ring);
}

/**
 * tring_live_ring_is_marker - check whether an event is a marker, which is not given
 * @trace: from tring_live_ring_open()
 * @record: a record
 *
 * If it is the last one, what is behind it has to wait.
 */
bool tring_live_ring_is_marker(struct tring_trace *trace, const struct tring_record *record)
{
	struct tring_live_ring *ring = trace->live;
	const char *end = (const char *)record->payload + record->length, *text;
	uint64_t number = 0;

	ring->time = record->stamp;
	if (!ring->marker_event || record->id != ring->marker_event->id ||
	    record->length < TRING_PAYLOAD_HEAD)
		return false;
	text = memmem(record->payload + TRING_PAYLOAD_HEAD, record->length - TRING_PAYLOAD_HEAD,
		      ring->marker, strlen(ring->marker));
	if (!text)
		return false;
	for (text += strlen(ring->marker); text < end && *text >= '0' && *text <= '9'; text++)
		number = 10 * number + *text - '0';
	if (number == ring->number)
		trace->limit = record->stamp;
	return true;
}

/**
 * tring_live_ring_start - set up the stream of a CPU
 * @cpu: a CPU of tring_live_ring_open()
 */
void tring_live_ring_start(struct tring_cpu *cpu)
{
	tring_cpu_start(cpu);
	cpu->stream.enter = NULL;
	cpu->stream.more = next_chunk;
	cpu->stream.find_data = NULL;
	cpu->stream.source = cpu->chunks;
	/* the ring's trace has begun just now, so the first packet's losses are all there are */
	tring_stream_know_discarded(&cpu->stream, 0);
}

static int open_cpu(struct tring_trace *trace, size_t number)
{
	struct tring_live_ring *ring = trace->live;
	struct tring_live_cpu *cpu = &ring->cpus[number];
	struct tring_cpu *added;
	char *path;

	cpu->fd = tring_control_open_packets(&ring->control, ring->control.cpus[number],
					     TRING_PACKETS_PIPE, &path);
	added = tring_trace_add_cpu(trace, ring->control.cpus[number], path);
	added->chunks = make_chunks();
	tring_live_ring_start(added);
	if (cpu->fd < 0)
		return cpu->fd;
	wait_for(ring, cpu);
	return 0;
}

static int open_marker(struct tring_live_ring *ring)
{
	char *path = tring_format("%s/trace_marker", ring->control.dir);
	int error = 0;

	ring->marker = tring_format(MARKER "%d ", getpid());
	ring->marker_fd = open(path, O_WRONLY | O_CLOEXEC);
	ring->wait_fd = epoll_create1(EPOLL_CLOEXEC);
	if (ring->marker_fd < 0 || ring->wait_fd < 0) {
		error = -errno;
		tring_error("%s: %s", path, strerror(-error));
	}
	free(path);
	return error;
}

static void add_tasks(struct tring_trace *trace)
{
	const bool wanted = trace->options.tasks;
	char *tasks = NULL;

	tring_kernel_names(&trace->names, trace->live->control.tracing, wanted ? &tasks : NULL);
	if (tasks)
		tring_give_cgroups(&trace->names, tasks, "/proc");
	free(tasks);
}

/* The events that are enabled now, and the names of tasks. */
static int describe(struct tring_trace *trace)
{
	struct tring_live_ring *ring = trace->live;
	char *formats = tring_format("%s/events", ring->control.tracing);
	int error = tring_events_add_if(&trace->events, formats, "ftrace", "print");

	if (!error)
		error = tring_available_load(&trace->events, &ring->control);
	if (!error && !trace->options.unnamed)
		add_tasks(trace);
	ring->marker_event = tring_event_find(trace, "ftrace", "print");
	free(formats);
	return error;
}

static struct tring_live_ring *make_ring(void)
{
	struct tring_live_ring *ring = tring_allocate(sizeof(*ring));

	*ring = (struct tring_live_ring) {
		.marker_fd = -1, .wait_fd = -1, .capacity = FIRST_CAPACITY,
	};
	ring->buffer = tring_allocate(ring->capacity);
	return ring;
}

static int begin(struct tring_trace *trace)
{
	const struct tring_control *control = &trace->live->control;
	struct tring_live_cpu *cpus = tring_allocate(control->cpu_count * sizeof(*cpus));
	int error = tring_control_info(control, &trace->info, NULL);
	size_t i;

	for (i = 0; i < control->cpu_count; i++)
		cpus[i].fd = -1;
	trace->live->cpus = cpus;
	return error ? error : tring_trace_init(trace, control->cpu_count);
}

/**
 * tring_live_ring_open - open a ring to take its packets
 * @trace: from tring_trace_make()
 * @instance: name of the instance, whose trace has begun and has no events yet; NULL for the
 *	top-level ring
 *
 * Return: 0 or a negative errno, reported.
 */
int tring_live_ring_open(struct tring_trace *trace, const char *instance)
{
	struct tring_live_ring *ring = make_ring();
	int error = tring_control_open(&ring->control, instance, false);
	size_t i;

	trace->live = ring;
	trace->more = true;
	if (!error)
		error = begin(trace);
	if (!error)
		error = open_marker(ring);
	if (!error)
		error = tring_control_size(&ring->control, "buffer_size_kb", &ring->size);
	if (!error)
		error = describe(trace);
	for (i = 0; i < ring->control.cpu_count && !error; i++)
		error = open_cpu(trace, i);
	return error;
}

/**
 * tring_live_ring_close - close the files of a ring, and free its packets
 * @trace: any trace
 */
void tring_live_ring_close(struct tring_trace *trace)
{
	struct tring_live_ring *ring = trace->live;
	size_t i;

	if (!ring)
		return;
	for (i = 0; ring->cpus && i < ring->control.cpu_count; i++) {
		if (ring->cpus[i].fd >= 0)
			close(ring->cpus[i].fd);
		free(ring->cpus[i].torn);
	}
	for (i = 0; i < trace->count; i++)
		free_chunks(trace->cpus[i].chunks);
	if (ring->marker_fd >= 0)
		close(ring->marker_fd);
	if (ring->wait_fd >= 0)
		close(ring->wait_fd);
	tring_control_close(&ring->control);
	free(ring->cpus);
	free(ring->marker);
	free(ring->buffer);
	free(ring);
}

/**
 * tring_ring_fd - get what tells that a ring is to be read
 * @trace: a ring that is consumed
 *
 * Return: a file to poll() for POLLIN: a CPU has as much as the ring's buffer_percent says;
 * -1 for another trace.
 */
int tring_ring_fd(const struct tring_trace *trace)
{
	return trace->live ? trace->live->wait_fd : -1;
}

/**
 * tring_ring_time - get the time up to which tring_next() has given all events
 * @trace: a ring that is consumed, after tring_next() has returned -EAGAIN
 *
 * Return: ticks of the trace's clock; 0 if nothing was read.
 */
uint64_t tring_ring_time(const struct tring_trace *trace)
{
	return trace->live ? trace->live->time : 0;
}
