// SPDX-License-Identifier: GPL-2.0
/*
 * Moves one CPU's packets from the ring to a file.
 *
 * Each packet is checked before it is written: which ids occur, whether every
 * record is sound, and whether the ring's counters are right. This takes some 30
 * instructions an event. The metadata depends on it, because modules record
 * events of any id, enabled or not. It is on the disk before the packets.
 *
 * For the same reason packets are not spliced: the check would have to read them
 * back. For 256 MiB in packets of 4 KiB with events of 32 bytes, read, check and
 * write take 0.25 s of CPU time; splice takes 0.11 s, and 0.27 s with a check
 * behind it. stream_file.c writes the packets to the file.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "drain.h"
#include "wire/filler.h"
#include "wire/count.h"
#include "event/events.h"
#include "wire/wire.h"
#include "util/util.h"

#define PACKET_SIZE_MAX		(256 * 1024 * 1024)

/* Limit, so that the caller of a busy CPU can look at other things. */
#define READS_A_SERVICE		8

/* Reads behind the last full one that bring the open packet: see move_packets(). */
#define READS_OF_THE_REST	2

/* A writer may still have an open record when recording has been stopped. */
#define FINISH_TRIES		200
#define FINISH_WAIT_NS		10000000

/**
 * tring_drain_init - prepare to move a CPU's packets
 * @drain: filled in
 * @cpu: number of the CPU
 * @pipe_fd: non-blocking source of packets; closed by tring_drain_close()
 * @path: path of the file to write
 */
void tring_drain_init(struct tring_drain *drain, int cpu, int pipe_fd,
		      const char *path)
{
	memset(drain, 0, sizeof(*drain));
	drain->cpu = cpu;
	drain->pipe_fd = pipe_fd;
	tring_stream_file_init(&drain->file, path);
	drain->ids = tring_allocate(TRING_EVENT_IDS * sizeof(*drain->ids));
}

/**
 * tring_drain_close - close both files and free the memory
 * @drain: the CPU; may be closed twice
 */
void tring_drain_close(struct tring_drain *drain)
{
	if (drain->pipe_fd >= 0)
		close(drain->pipe_fd);
	drain->pipe_fd = -1;
	tring_stream_file_close(&drain->file);
	free(drain->ids);
	drain->ids = NULL;
}

static void report(struct tring_drain *drain, size_t at,
		   enum tring_reason reason)
{
	drain->wrong++;
	tring_error("cpu%d: packet at offset %" PRIu64 ": at %zu: %s",
		    drain->cpu, drain->bytes, at, tring_reason_text(reason));
}

static void count_records(struct tring_drain *drain,
			  const struct tring_packet *packet)
{
	struct tring_count count = { .ids = drain->ids };
	struct tring_cursor cursor;
	struct tring_record record;
	enum tring_reason reason;

	if (!tring_count_packet(&count, packet)) {
		/* record by record, to report what is wrong */
		tring_cursor_init(&cursor, packet);
		while ((reason = tring_record_next(&cursor, &record)) !=
		       TRING_END) {
			if (reason != TRING_OK)
				report(drain, record.offset, reason);
			if (!tring_reason_is_soft(reason))
				break;
			tring_count_record(&count, &record);
		}
	}
	drain->events += count.events;
	drain->discarded_records += count.discarded_records;
	if (count.new_id || count.types & ~drain->types)
		drain->is_described = false;
	drain->types |= count.types;
}

/* Subtract a packet that was counted, but not written to the file. */
static void uncount(struct tring_drain *drain,
		    const struct tring_packet *packet)
{
	struct tring_cursor cursor;
	struct tring_record record;

	drain->packets--;
	drain->bytes -= packet->packet_size;
	tring_cursor_init(&cursor, packet);
	while (tring_reason_is_soft(tring_record_next(&cursor, &record)))
		if (record.id == TRING_ID_DISCARDED)
			drain->discarded_records--;
		else
			drain->events--;
}

static void uncount_batch(struct tring_drain *drain,
			  const struct tring_batch *batch)
{
	struct tring_packet packet;
	size_t at;

	for (at = batch->saved; at < batch->whole; at += packet.packet_size) {
		tring_packet_parse(batch->data + at, batch->whole - at,
				   &packet);
		uncount(drain, &packet);
	}
}

/* The function that has failed to write has reported the error. */
static int check_file(struct tring_drain *drain, int error)
{
	struct tring_stream_file *file = &drain->file;

	if (drain->failed)
		return error;
	drain->bytes = file->batch.offset + file->batch.whole;
	if (!file->failed)
		return error;
	drain->failed = true;
	uncount_batch(drain, &file->other);
	uncount_batch(drain, &file->batch);
	return error;
}

static void drop(struct tring_batch *batch, size_t at, size_t size)
{
	batch->fill -= size;
	memmove(batch->data + at, batch->data + at + size, batch->fill - at);
}

/*
 * A viewer counts losses by the difference of events_discarded in two packets, so what
 * the first one counts needs a packet before that. Before packet 0 the number wraps.
 *
 * It lies before that in time, too: babeltrace2 orders the packets of all parts by where they
 * begin, and swaps two that begin at the same time.
 */
static int note_early_losses(struct tring_drain *drain, const struct tring_packet *first)
{
	uint8_t packet[TRING_FILLER_BLOCK];
	struct tring_filler filler = {
		.stamp = first->timestamp_begin - !!first->timestamp_begin,
		.seq_num = first->seq_num - 1,
	};

	if (drain->has_last || !first->discarded)
		return 0;
	memset(packet, 0, sizeof(packet));
	tring_filler_write(packet, sizeof(packet), first->data, &filler);
	return tring_stream_file_begin(&drain->file, packet);
}

/* A trace of what a ring has recorded since the trace before: see started.c. */
static void forget_told(const struct tring_drain *drain, uint8_t *data,
			struct tring_packet *packet)
{
	if (!drain->told)
		return;
	packet->discarded -= drain->told < packet->discarded ? drain->told : packet->discarded;
	tring_packet_set_discarded(data, packet->discarded);
}

/* Count whole packets; drop bytes that are not a packet. */
static int take_packets(struct tring_drain *drain)
{
	struct tring_batch *batch = &drain->file.batch;

	while (batch->fill - batch->whole >= TRING_PACKET_HEADER_SIZE) {
		size_t at = batch->whole, rest = batch->fill - at, next;
		struct tring_packet packet;
		enum tring_reason reason;
		int error;

		reason = tring_packet_parse(batch->data + at, rest, &packet);
		if (reason == TRING_PACKET_TRUNCATED &&
		    packet.packet_size <= PACKET_SIZE_MAX)
			return tring_stream_file_make_room(&drain->file,
							   packet.packet_size);
		if (reason != TRING_OK)
			report(drain, at, reason);
		if (reason == TRING_PACKET_EMPTY) {
			/* some viewers stop at an empty packet */
			drop(batch, at, packet.packet_size);
			continue;
		}
		if (reason != TRING_OK &&
		    reason != TRING_PACKET_TIME_BACKWARDS) {
			next = tring_packet_find(batch->data, batch->fill,
						 at + 1, NULL);
			/* the batch may end within the next header */
			if (next == batch->fill)
				next -= TRING_PACKET_HEADER_SIZE - 1;
			drop(batch, at, next - at);
			continue;
		}
		forget_told(drain, batch->data + at, &packet);
		error = note_early_losses(drain, &packet);
		if (error)
			return error;
		count_records(drain, &packet);
		if (!drain->has_last)
			drain->first = packet.timestamp_begin;
		memcpy(drain->last, packet.data, sizeof(drain->last));
		drain->has_last = true;
		drain->packets++;
		batch->last = at;
		batch->whole += packet.packet_size;
	}
	return 0;
}

/* Return: true if the ring is as full as buffer_percent says, or recording has ended. */
static bool is_full(const struct tring_drain *drain)
{
	struct pollfd poll_fd = { .fd = drain->pipe_fd, .events = POLLIN };

	return poll(&poll_fd, 1, 0) > 0;
}

static int describe(struct tring_drain *drain)
{
	int error = 0;

	if (!drain->is_described && drain->describe)
		error = drain->describe(drain->describe_data, drain);
	drain->is_described = !error;
	return error;
}

/* Write packets with one of the functions of stream_file.h. */
static int write_with(struct tring_drain *drain,
		      int (*write)(struct tring_stream_file *file))
{
	int error = describe(drain);

	if (error)
		error = tring_stream_file_give_up(&drain->file, error);
	else
		error = write(&drain->file);
	return check_file(drain, error);
}

/* Write the packets that should not wait for a full batch. */
static int write_packets(struct tring_drain *drain)
{
	const struct tring_stream_file *file = &drain->file;
	const struct tring_batch *batch = &file->batch;

	if (!tring_stream_file_is_batched(file))
		return write_with(drain, tring_stream_file_save);
	if (batch->whole && batch->fill == batch->capacity)
		return write_with(drain, tring_stream_file_pass_on);
	return check_file(drain, 0);
}

/*
 * A read of 0 bytes would look like the end. A batch may be full because the first packets of
 * a file were saved through the page cache, before the file was known to be written directly,
 * or because the last packet was extended.
 */
static int make_room(struct tring_drain *drain)
{
	const struct tring_batch *batch = &drain->file.batch;

	if (batch->fill < batch->capacity)
		return 0;
	return write_with(drain, tring_stream_file_pass_on);
}

/* Return: number of bytes read, 0 at the end, or a negative errno. */
static ssize_t read_packets(struct tring_drain *drain)
{
	struct tring_batch *batch = &drain->file.batch;
	size_t room = batch->capacity - batch->fill;
	ssize_t got;

	do
		got = read(drain->pipe_fd, batch->data + batch->fill, room);
	while (got < 0 && errno == EINTR);
	if (got >= 0)
		return got;
	if (errno != EAGAIN)
		tring_error("cpu%d: read: %s", drain->cpu, strerror(errno));
	return -errno;
}

/*
 * A read takes the closed packets, or closes and takes the open one if it finds no
 * other. So two reads take everything, also if the ring is not as full as
 * buffer_percent says and has closed packets nevertheless.
 */
static int move_packets(struct tring_drain *drain, bool everything)
{
	int reads, rest = everything ? READS_OF_THE_REST : 0, error = 0;

	for (reads = 0; reads < READS_A_SERVICE && !error; reads++) {
		ssize_t got;

		if (!is_full(drain) && !rest--)
			return -EAGAIN;
		error = make_room(drain);
		if (error)
			break;
		got = read_packets(drain);
		if (got < 0)
			return got;
		if (!got) {
			drain->ended = true;
			return 0;
		}
		drain->file.batch.fill += got;
		error = take_packets(drain);
		if (!error)
			error = write_packets(drain);
	}
	return error;
}

/**
 * tring_drain_service - move available packets to the file
 * @drain: the CPU; @drain->ended is set at the end of the packets
 * @save: move the open packet, too, and have everything in the file
 *
 * Return: 0, -EAGAIN if there is nothing more right now, or another negative
 * errno, reported on stderr.
 */
int tring_drain_service(struct tring_drain *drain, bool save)
{
	int error, failed = 0;

	error = check_file(drain, tring_stream_file_poll(&drain->file));
	if (!error && !drain->file.batch.data)
		error = tring_stream_file_make_room(&drain->file, 0);
	if (!error)
		error = move_packets(drain, save);
	/* a busy CPU's packets get to the file by themselves */
	if (save && (error == -EAGAIN || (!error && drain->ended)))
		failed = write_with(drain, tring_stream_file_save);
	return failed ? failed : error;
}

/**
 * tring_drain_save - have all whole packets in the file
 * @drain: the CPU
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_drain_save(struct tring_drain *drain)
{
	int error = write_with(drain, tring_stream_file_save);

	return error ? error : check_file(drain, tring_stream_file_settle(&drain->file));
}

/**
 * tring_drain_turn - go on with another file
 * @drain: the CPU, saved; or writing has failed, and then to the other file, too
 * @path: path of the other file
 *
 * What was met once is described for the other file, too. The counts begin anew, but for that
 * of the discarded records.
 *
 * Return: the former file, to close; -1 if it had no packet.
 */
int tring_drain_turn(struct tring_drain *drain, const char *path)
{
	drain->bytes = 0;
	drain->packets = 0;
	drain->events = 0;
	drain->wrong = 0;
	drain->has_last = false;
	return tring_stream_file_turn(&drain->file, path);
}

/* Save everything, and wait until the disk has it. */
static int save_and_sync(struct tring_drain *drain)
{
	int error = tring_drain_save(drain);
	int failed = tring_stream_file_sync(&drain->file);

	drain->unsure = failed;
	return error ? error : failed;
}

/**
 * tring_drain_finish - move the remaining packets after recording was stopped
 * @drain: the CPU
 *
 * Return: 0 at the end of the packets; -ETIMEDOUT if the ring does not reach its
 * end; or another negative errno. Errors are reported on stderr.
 */
int tring_drain_finish(struct tring_drain *drain)
{
	const struct timespec wait = { .tv_nsec = FINISH_WAIT_NS };
	struct tring_batch *batch = &drain->file.batch;
	int tries = 0, error = 0, failed;

	while (!drain->ended && tries < FINISH_TRIES) {
		error = tring_drain_service(drain, true);
		if (error && error != -EAGAIN)
			break;
		if (error == -EAGAIN) {
			nanosleep(&wait, NULL);
			tries++;
		}
	}
	failed = save_and_sync(drain);
	if (failed || (error && error != -EAGAIN))
		return failed ? failed : error;
	if (!drain->ended) {
		tring_error("cpu%d: the ring has not come to its end after recording was stopped",
			    drain->cpu);
		return -ETIMEDOUT;
	}
	if (batch->fill > batch->whole) {
		tring_error("cpu%d: dropped %zu bytes of a torn packet at the end",
			    drain->cpu, batch->fill - batch->whole);
		drain->wrong++;
		batch->fill = batch->whole;
	}
	return 0;
}

/**
 * tring_drain_note_losses - write down what was lost behind the last packet
 * @drain: the CPU, after tring_drain_finish(), with or without an error
 * @lost: number of events that the trace lacks in all
 *
 * The file gets a packet without events whose events_discarded is @lost, so that each
 * viewer shows the loss. Nothing is written if the last packet in the file has it.
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_drain_note_losses(struct tring_drain *drain, uint64_t lost)
{
	uint8_t packet[TRING_FILLER_SIZE];
	struct tring_filler filler;
	struct tring_packet last;
	int error;

	if (!drain->has_last)
		return 0;
	tring_packet_parse(drain->last, sizeof(drain->last), &last);
	if (!drain->failed && lost <= last.discarded)
		return 0;
	/* a packet of one event begins where it ends: see note_early_losses() */
	filler.stamp = last.timestamp_end + 1;
	filler.seq_num = last.seq_num + 1;
	filler.discarded = lost;
	tring_filler_write(packet, sizeof(packet), drain->last, &filler);
	error = tring_stream_file_add(&drain->file, packet, sizeof(packet));
	if (!error)
		drain->bytes += sizeof(packet);
	return error;
}
