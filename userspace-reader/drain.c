// SPDX-License-Identifier: GPL-2.0
/*
 * One CPU's packets on their way from the ring to a file.
 *
 * Only whole packets are written: viewers refuse a file that ends in half of
 * one. Each packet is walked before it is written, which costs a few
 * nanoseconds an event and tells which ids occur and whether the ring's own
 * count is right.
 *
 * That is why nothing is spliced past user space: what the walk needs would
 * have to be read back. With packets of 4 KiB and events of 32 bytes read, walk
 * and write take 0.25 s of CPU time for 256 MiB; splice 0.11 s, and 0.27 s with
 * the walk behind it.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "drain.h"
#include "tally.h"
#include "tring_parse.h"
#include "util.h"

#define BUFFER_SIZE		(512 * 1024)
#define PACKET_SIZE_MAX		(256 * 1024 * 1024)

/* A busy CPU must not keep the others waiting. */
#define READS_A_SERVICE		16

/*
 * A look at a ring without a full sub-buffer closes the open one, so a quiet
 * CPU is looked at less often or its packets would hold an event each. The
 * longest interval is what a ring of the default size bears when a burst comes
 * out of silence.
 */
#define INTERVAL_MIN_NS		10000000ull
#define INTERVAL_MAX_NS		80000000ull
#define QUIET_BYTES		4096
#define BUSY_BYTES		(BUFFER_SIZE / 2)

/* A writer may still hold a record open when recording has been stopped. */
#define FINISH_TRIES		200
#define FINISH_WAIT_NS		10000000

/**
 * tring_drain_init - nothing read yet
 * @drain: the CPU
 * @cpu: its number
 * @pipe_fd: its packets, not blocking; closed by tring_drain_close()
 * @path: file to append them to, NULL to throw them away
 * @ids: which of the 65536 event ids were met, NULL if that does not matter
 */
void tring_drain_init(struct tring_drain *drain, int cpu, int pipe_fd,
		      const char *path, bool *ids)
{
	memset(drain, 0, sizeof(*drain));
	drain->cpu = cpu;
	drain->pipe_fd = pipe_fd;
	drain->path = path ? tring_format("%s", path) : NULL;
	drain->ids = ids;
	drain->file_fd = -1;
	drain->capacity = BUFFER_SIZE;
	drain->buffer = tring_allocate(drain->capacity);
	drain->interval_ns = INTERVAL_MIN_NS;
}

/**
 * tring_drain_close - let go of both files
 * @drain: the CPU; may be closed twice
 */
void tring_drain_close(struct tring_drain *drain)
{
	if (drain->pipe_fd >= 0)
		close(drain->pipe_fd);
	if (drain->file_fd >= 0)
		close(drain->file_fd);
	free(drain->buffer);
	free(drain->path);
	drain->pipe_fd = -1;
	drain->file_fd = -1;
	drain->buffer = NULL;
	drain->path = NULL;
}

static void report(struct tring_drain *drain, size_t at,
		   enum tring_reason reason)
{
	drain->wrong++;
	tring_error("cpu%d: packet at offset %" PRIu64 ": at %zu: %s",
		    drain->cpu, drain->bytes, at, tring_reason_text(reason));
}

static int open_file(struct tring_drain *drain)
{
	if (drain->file_fd < 0)
		drain->file_fd = open(drain->path, O_WRONLY | O_CREAT |
				      O_TRUNC | O_CLOEXEC, 0644);
	return drain->file_fd < 0 ? -errno : 0;
}

/* Return: bytes written, less than @size only after an error. */
static size_t write_file(struct tring_drain *drain, size_t size)
{
	size_t done = 0;
	ssize_t wrote;

	if (!drain->path)
		return size;
	drain->failed = open_file(drain);
	while (!drain->failed && done < size) {
		wrote = write(drain->file_fd, drain->buffer + done,
			      size - done);
		if (wrote > 0)
			done += wrote;
		else if (!wrote || errno != EINTR)
			drain->failed = wrote ? -errno : -EIO;
	}
	if (drain->failed)
		tring_error("%s: %s", drain->path, strerror(-drain->failed));
	return done;
}

static void count_records(struct tring_drain *drain,
			  const struct tring_packet *packet)
{
	struct tring_tally tally = { .ids = drain->ids };
	struct tring_cursor cursor;
	struct tring_record record;
	enum tring_reason reason;

	if (drain->ids && tring_tally_packet(&tally, packet)) {
		drain->events += tally.events;
		drain->taken_back += tally.taken_back;
		return;
	}
	/* record by record, to say what is wrong */
	tring_cursor_init(&cursor, packet);
	while ((reason = tring_record_next(&cursor, &record)) != TRING_END) {
		if (reason != TRING_OK)
			report(drain, record.offset, reason);
		if (!tring_reason_is_soft(reason))
			break;
		if (record.id == TRING_ID_DISCARDED)
			drain->taken_back++;
		else
			drain->events++;
		if (drain->ids)
			drain->ids[record.id] = true;
	}
}

/* Only what is whole counts, and stays in the file. */
static void count_packets(struct tring_drain *drain, size_t size)
{
	struct tring_packet packet;
	size_t at = 0;

	while (at < size) {
		tring_packet_parse(drain->buffer + at, drain->fill - at,
				   &packet);
		if (packet.packet_size > size - at)
			break;
		count_records(drain, &packet);
		at += packet.packet_size;
		drain->bytes += packet.packet_size;
		drain->packets++;
	}
}

/* The first @size bytes of the buffer are whole packets. */
static int write_packets(struct tring_drain *drain, size_t size)
{
	size_t done;

	if (drain->failed || !size)
		return drain->failed;
	done = write_file(drain, size);
	count_packets(drain, done);
	if (drain->failed && drain->file_fd >= 0 &&
	    ftruncate(drain->file_fd, drain->bytes))
		tring_error("%s: cannot cut off the torn packet at its end: %s",
			    drain->path, strerror(errno));
	drain->fill -= size;
	memmove(drain->buffer, drain->buffer + size, drain->fill);
	return drain->failed;
}

static void drop(struct tring_drain *drain, size_t at, size_t size)
{
	drain->fill -= size;
	memmove(drain->buffer + at, drain->buffer + at + size,
		drain->fill - at);
}

static int make_room(struct tring_drain *drain, size_t size)
{
	uint8_t *larger;

	if (size <= drain->capacity)
		return 0;
	larger = realloc(drain->buffer, size);
	if (!larger) {
		tring_error("cpu%d: out of memory for a packet of %zu bytes",
			    drain->cpu, size);
		return -ENOMEM;
	}
	drain->buffer = larger;
	drain->capacity = size;
	return 0;
}

/* Write what is whole; what is left starts with a packet that is not. */
static int take_packets(struct tring_drain *drain)
{
	size_t at = 0, next;

	while (drain->fill - at >= TRING_PACKET_HEADER_SIZE) {
		struct tring_packet packet;
		enum tring_reason reason;

		reason = tring_packet_parse(drain->buffer + at,
					    drain->fill - at, &packet);
		if (reason == TRING_PACKET_TRUNCATED &&
		    packet.packet_size <= PACKET_SIZE_MAX) {
			int error = write_packets(drain, at);

			return error ? error :
			       make_room(drain, packet.packet_size);
		}
		if (reason != TRING_OK)
			report(drain, at, reason);
		if (reason == TRING_PACKET_EMPTY) {
			/* some viewers stop at an empty packet */
			drop(drain, at, packet.packet_size);
			continue;
		}
		if (reason != TRING_OK &&
		    reason != TRING_PACKET_TIME_BACKWARDS) {
			next = tring_packet_find(drain->buffer, drain->fill,
						 at + 1, NULL);
			/* the next header may be here in part */
			if (next == drain->fill)
				next -= TRING_PACKET_HEADER_SIZE - 1;
			drop(drain, at, next - at);
			continue;
		}
		at += packet.packet_size;
	}
	return write_packets(drain, at);
}

static void choose_interval(struct tring_drain *drain, size_t got)
{
	if (got < QUIET_BYTES)
		drain->interval_ns *= 2;
	else if (got > BUSY_BYTES)
		drain->interval_ns /= 2;
	if (drain->interval_ns > INTERVAL_MAX_NS)
		drain->interval_ns = INTERVAL_MAX_NS;
	if (drain->interval_ns < INTERVAL_MIN_NS)
		drain->interval_ns = INTERVAL_MIN_NS;
}

/**
 * tring_drain_service - move what the ring has to the file
 * @drain: the CPU; @drain->ended is set when the ring says so
 *
 * Return: 0, -EAGAIN if there is nothing more right now, or another negative
 * errno, said on stderr.
 */
int tring_drain_service(struct tring_drain *drain)
{
	size_t total = 0;
	int reads, error = 0;
	ssize_t got;

	for (reads = 0; reads < READS_A_SERVICE && !error; reads++) {
		size_t room = drain->capacity - drain->fill;

		got = read(drain->pipe_fd, drain->buffer + drain->fill, room);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == EAGAIN) {
			error = -EAGAIN;
			break;
		}
		if (got < 0) {
			error = -errno;
			tring_error("cpu%d: read: %s", drain->cpu,
				    strerror(-error));
			break;
		}
		if (!got) {
			drain->ended = true;
			break;
		}
		drain->fill += got;
		total += got;
		error = take_packets(drain);
		/* a full read means that more is there, a short one that not */
		if ((size_t)got < room)
			break;
	}
	choose_interval(drain, total);
	drain->due_ns = tring_now_ns() + drain->interval_ns;
	return error;
}

/**
 * tring_drain_finish - move the rest after recording was stopped
 * @drain: the CPU
 *
 * Return: 0 when the ring said that there is no more; -ETIMEDOUT when it kept
 * something back; or another negative errno. Said on stderr.
 */
int tring_drain_finish(struct tring_drain *drain)
{
	const struct timespec wait = { .tv_nsec = FINISH_WAIT_NS };
	int tries = 0, error = 0;

	while (!drain->ended && tries < FINISH_TRIES) {
		error = tring_drain_service(drain);
		if (error && error != -EAGAIN)
			return error;
		if (error == -EAGAIN) {
			nanosleep(&wait, NULL);
			tries++;
		}
	}
	if (!drain->ended) {
		tring_error("cpu%d: the ring keeps packets back after recording was stopped",
			    drain->cpu);
		return -ETIMEDOUT;
	}
	if (drain->fill) {
		tring_error("cpu%d: dropped %zu bytes of a torn packet at the end",
			    drain->cpu, drain->fill);
		drain->wrong++;
		drain->fill = 0;
	}
	return 0;
}
