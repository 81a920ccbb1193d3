// SPDX-License-Identifier: GPL-2.0
/*
 * Readers: a thread for each CPU's pipe, one for each CPU's snapshot, and some that
 * peek. A consuming reader opens the file, reads for a while, closes it, perhaps in
 * the middle of a packet, and opens it again.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program.h"
#include "tring_format.h"
#include "wire/wire.h"
#include "util/util.h"

/* Room for two of the largest packets. */
#define ROOM		(8U << 20)
#define PEEKERS		2
/* Number of peeked packets of each CPU that are noted. */
#define PEEKED_MAX	200000
#define POLL_MS		20

/* Outcome of one opening of a file. */
enum outcome {
	OUTCOME_AGAIN,		/* enough packets for now */
	OUTCOME_END		/* end of file */
};

struct reader {
	pthread_t	thread;
	unsigned int	cpu;
	bool		snapshot;
	struct notes	notes;
	uint64_t	random;
	uint8_t		*buffer;
	size_t		filled;
	uint64_t	packets_left;	/* number until the file is closed */
};

/* Note of a packet that was peeked at, to compare with the packet when it is read. */
struct peeked {
	uint64_t	number;
	uint64_t	hash;
	uint64_t	lost;
};

struct peeker {
	pthread_t	thread;
	uint64_t	random;
	uint8_t		*buffer;
	struct peeked	*peeked[TORTURE_CPUS_MAX];
	size_t		count[TORTURE_CPUS_MAX];
};

static struct reader live[TORTURE_CPUS_MAX], snapshots[TORTURE_CPUS_MAX];
static struct peeker peekers[PEEKERS];
static atomic_uint_fast64_t packets[SOURCES];

static const enum feature source_features[SOURCES] = {
	[SOURCE_READ] = FEATURE_READ,
	[SOURCE_SNAPSHOT] = FEATURE_SNAPSHOT,
	[SOURCE_PEEK] = FEATURE_PEEK,
};

/**
 * source_name - name of a source in messages
 * @source: the source
 */
const char *source_name(enum source source)
{
	return feature_name(source_features[source]);
}

/**
 * source_is_missing - is the source in use, but gave no packet?
 * @source: the source
 */
bool source_is_missing(enum source source)
{
	return torture.features[source_features[source]] && !packets_by(source);
}

/**
 * packets_by - number of packets from a source
 * @source: the source
 */
uint64_t packets_by(enum source source)
{
	return atomic_load(&packets[source]);
}

/**
 * live_notes - notes of all packets of a CPU's pipe
 * @cpu: the CPU
 */
struct notes *live_notes(unsigned int cpu)
{
	return &live[cpu].notes;
}

/**
 * snapshot_notes - notes of all packets of a CPU's snapshots
 * @cpu: the CPU
 */
struct notes *snapshot_notes(unsigned int cpu)
{
	return &snapshots[cpu].notes;
}

static void keep_note(struct reader *reader, const struct packet_note *note)
{
	note_packet(&reader->notes, note, source_name(SOURCE_READ), reader->cpu);
	atomic_fetch_add(&packets[SOURCE_READ], 1);
	if (reader->snapshot)
		atomic_fetch_add(&packets[SOURCE_SNAPSHOT], 1);
	if (reader->packets_left)
		reader->packets_left--;
}

/* Damage one byte of one event in a copy of the packet; check_packet() must notice. */
static void check_corrupted(struct reader *reader, const void *data, size_t size)
{
	static atomic_bool corrupted;
	struct tring_packet packet;
	struct tring_cursor cursor;
	struct tring_record record;
	struct packet_note note;
	uint8_t *copy;
	size_t at;

	if (tring_packet_parse(data, size, &packet) != TRING_OK)
		return;
	packet.short_ids = torture.short_ids;
	tring_cursor_init(&cursor, &packet);
	do {
		if (tring_record_next(&cursor, &record) != TRING_OK)
			return;
	} while (record.id == TRING_ID_DISCARDED);
	if (atomic_exchange(&corrupted, true))
		return;
	copy = tring_allocate(size);
	memcpy(copy, data, size);
	at = record.payload + TRING_PAYLOAD_HEAD - packet.data +
	     offsetof(struct torture_event, sequence);
	copy[at] ^= 0x10;
	check_packet(copy, size, reader->cpu, "corrupted", &note);
	free(copy);
}

static void take_packet(struct reader *reader, const void *data, size_t size)
{
	struct packet_note note;

	if (torture.corrupt)
		check_corrupted(reader, data, size);
	if (!check_packet(data, size, reader->cpu, source_name(SOURCE_READ), &note))
		return;
	keep_note(reader, &note);
}

/* Take the complete packets out of the buffer; false if there is no packet. */
static bool take_whole_packets(struct reader *reader)
{
	struct tring_packet_header header;
	size_t at = 0, size;

	while (reader->filled - at >= sizeof(header)) {
		memcpy(&header, reader->buffer + at, sizeof(header));
		size = header.packet_size / 8;
		if (header.magic != TRING_PACKET_MAGIC || size < sizeof(header) ||
		    size > ROOM / 2) {
			fault(CHECK_RECORDS, "CPU %u, %s: no packet, but magic %#x size %zu",
			      reader->cpu, source_name(SOURCE_READ), header.magic, size);
			reader->filled = 0;
			return false;
		}
		if (reader->filled - at < size)
			break;
		take_packet(reader, reader->buffer + at, size);
		at += size;
	}
	memmove(reader->buffer, reader->buffer + at, reader->filled - at);
	reader->filled -= at;
	return true;
}

/* Size of a read: small, a page, or large. */
static size_t pick_size(struct reader *reader)
{
	uint64_t dice = random_number(&reader->random);

	switch (dice % 8) {
	case 0:
		return 1 + (dice >> 8) % 200;
	case 1:
		return 1 + (dice >> 8) % 5000;
	case 2:
		return 4096;
	default:
		return 65536 << (dice >> 8) % 4;
	}
}

static void wait_for_data(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	poll(&poll_fd, 1, POLL_MS);
}

static enum outcome by_read(struct reader *reader, int fd)
{
	ssize_t count;
	size_t wanted;

	while (reader->packets_left) {
		wanted = pick_size(reader);
		if (wanted > ROOM - reader->filled)
			wanted = ROOM - reader->filled;
		count = read(fd, reader->buffer + reader->filled, wanted);
		if (!count) {
			if (reader->filled)
				fault(CHECK_RECORDS, "CPU %u: the end in mid-packet",
				      reader->cpu);
			return OUTCOME_END;
		}
		if (count > 0) {
			reader->filled += count;
			if (!take_whole_packets(reader))
				return OUTCOME_AGAIN;
		} else if (errno == EAGAIN) {
			wait_for_data(fd);
			/* Count the attempt, so that an idle file is closed, too. */
			reader->packets_left -= reader->packets_left > 0;
		} else if (errno != EINTR) {
			fault(CHECK_FILES, "CPU %u: read: %s", reader->cpu,
			      strerror(errno));
			return OUTCOME_AGAIN;
		}
	}
	return OUTCOME_AGAIN;
}

static enum outcome read_a_while(struct reader *reader, const char *path)
{
	int flags = O_RDONLY | O_CLOEXEC;
	enum outcome outcome;
	int fd;

	/* A blocking read returns when recording ends, at the latest. */
	if (random_number(&reader->random) % 4)
		flags |= O_NONBLOCK;
	fd = open(path, flags);
	if (fd < 0) {
		fault(CHECK_FILES, "%s: %s", path, strerror(errno));
		sleep_us(1000);
		return OUTCOME_AGAIN;
	}
	reader->filled = 0;
	reader->packets_left = 1 + random_number(&reader->random) % 600;
	outcome = by_read(reader, fd);
	close(fd);
	return outcome;
}

static void *run_reader(void *data)
{
	struct reader *reader = data;
	enum outcome outcome = OUTCOME_AGAIN;
	bool draining;
	char *path;

	path = join_path("per_cpu/cpu%u/%s", reader->cpu,
			 reader->snapshot ? "snapshot_raw_compact" : "trace_pipe_raw_compact");
	do {
		draining = atomic_load(&torture.drain);
		outcome = read_a_while(reader, path);
		if (outcome == OUTCOME_END)
			sleep_us(reader->snapshot ? 5000 : 1000);
	} while (outcome != OUTCOME_END || !draining);
	free(path);
	return NULL;
}

static void start_reader(struct reader *reader, unsigned int cpu, bool snapshot)
{
	reader->cpu = cpu;
	reader->snapshot = snapshot;
	reader->random = tring_now_ns() * (2 * cpu + snapshot + 1) | 1;
	reader->buffer = tring_allocate(ROOM);
	if (pthread_create(&reader->thread, NULL, run_reader, reader))
		die("no thread");
}

static void keep_peeked(struct peeker *peeker, unsigned int cpu,
			const struct packet_note *note)
{
	struct peeked *peeked;

	if (peeker->count[cpu] == PEEKED_MAX)
		return;
	peeked = &peeker->peeked[cpu][peeker->count[cpu]++];
	peeked->number = note->number;
	peeked->hash = note->hash;
	peeked->lost = note->lost;
}

/*
 * Peek from the oldest packet on, for a random number of packets. The last one may be open,
 * and get longer until it is read, so only those before are kept to be compared.
 */
static void peek_once(struct peeker *peeker, unsigned int cpu)
{
	uint64_t left = 1 + random_number(&peeker->random) % 1000;
	struct tring_packet_header header;
	struct packet_note note;
	struct notes order = { };
	size_t filled = 0, at, size;
	bool noted = false;
	ssize_t count;
	char *path;
	int fd;

	path = join_path("per_cpu/cpu%u/trace_raw_compact", cpu);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	free(path);
	if (fd < 0) {
		fault(CHECK_FILES, "CPU %u: trace_raw_compact: %s", cpu, strerror(errno));
		return;
	}
	while (left && !atomic_load(&torture.stop)) {
		count = read(fd, peeker->buffer + filled, ROOM - filled);
		/* Writers keep the open packet from being copied. */
		if (count < 0 && errno != EBUSY)
			fault(CHECK_FILES, "CPU %u: peek: %s", cpu, strerror(errno));
		if (count <= 0)
			break;
		filled += count;
		for (at = 0; filled - at >= sizeof(header); at += size) {
			memcpy(&header, peeker->buffer + at, sizeof(header));
			size = header.packet_size / 8;
			if (header.magic != TRING_PACKET_MAGIC || size < sizeof(header) ||
			    size > ROOM / 2) {
				fault(CHECK_RECORDS, "CPU %u, peek: no packet", cpu);
				goto out;
			}
			if (filled - at < size)
				break;
			if (noted)
				keep_peeked(peeker, cpu, &note);
			noted = check_packet(peeker->buffer + at, size, cpu, "peek", &note);
			if (noted)
				note_packet(&order, &note, "peek", cpu);
			atomic_fetch_add(&packets[SOURCE_PEEK], 1);
			left -= left > 0;
		}
		memmove(peeker->buffer, peeker->buffer + at, filled - at);
		filled -= at;
	}
out:
	free(order.notes);
	close(fd);
}

static void *run_peeker(void *data)
{
	struct peeker *peeker = data;

	while (!atomic_load(&torture.stop)) {
		peek_once(peeker, random_number(&peeker->random) % torture.cpus);
		sleep_us(random_number(&peeker->random) % 20000);
	}
	return NULL;
}

static int compare_numbers(const void *a, const void *b)
{
	const struct packet_note *left = a, *right = b;

	return left->number < right->number ? -1 : left->number > right->number;
}

/**
 * compare_peeked - compare peeked packets with the same packets when they were read
 * @cpu: the CPU
 * @sorted: notes of all packets read, by number
 * @count: number of @sorted
 *
 * Return: number of packets that were both peeked at and read.
 */
uint64_t compare_peeked(unsigned int cpu, const struct packet_note *sorted, size_t count)
{
	const struct packet_note *note;
	uint64_t compared = 0;
	int peeker;
	size_t i;

	for (peeker = 0; peeker < PEEKERS; peeker++) {
		for (i = 0; i < peekers[peeker].count[cpu]; i++) {
			const struct peeked *peeked = &peekers[peeker].peeked[cpu][i];
			struct packet_note key = { .number = peeked->number };

			note = bsearch(&key, sorted, count, sizeof(key), compare_numbers);
			if (!note)
				continue;
			compared++;
			if (note->hash != peeked->hash)
				fault(CHECK_PEEKED, "CPU %u: packet %" PRIu64 " differs", cpu,
				      note->number);
			if (peeked->lost > note->lost)
				fault(CHECK_PEEKED, "CPU %u: packet %" PRIu64
				      " said %" PRIu64 " lost, then %" PRIu64, cpu,
				      note->number, peeked->lost, note->lost);
		}
	}
	return compared;
}

/**
 * readers_start - start all readers
 */
void readers_start(void)
{
	unsigned int cpu, i;

	for (cpu = 0; cpu < torture.cpus; cpu++) {
		start_reader(&live[cpu], cpu, false);
		if (torture.features[FEATURE_SNAPSHOT])
			start_reader(&snapshots[cpu], cpu, true);
	}
	for (i = 0; i < PEEKERS && torture.features[FEATURE_PEEK]; i++) {
		peekers[i].random = tring_now_ns() | 1;
		peekers[i].buffer = tring_allocate(ROOM);
		for (cpu = 0; cpu < torture.cpus; cpu++)
			peekers[i].peeked[cpu] =
				tring_allocate(PEEKED_MAX * sizeof(struct peeked));
		if (pthread_create(&peekers[i].thread, NULL, run_peeker, &peekers[i]))
			die("no thread");
	}
}

/**
 * peekers_join - wait for the peeking readers, which end at torture.stop
 */
void peekers_join(void)
{
	unsigned int i;

	for (i = 0; i < PEEKERS && torture.features[FEATURE_PEEK]; i++)
		pthread_join(peekers[i].thread, NULL);
}

/**
 * readers_join - wait for the consuming readers, which end at torture.drain
 */
void readers_join(void)
{
	unsigned int cpu;

	for (cpu = 0; cpu < torture.cpus; cpu++) {
		pthread_join(live[cpu].thread, NULL);
		if (torture.features[FEATURE_SNAPSHOT])
			pthread_join(snapshots[cpu].thread, NULL);
	}
}
