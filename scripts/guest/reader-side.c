// SPDX-License-Identifier: GPL-2.0
/*
 * reader-side COMMAND FILE... - reads a pipe of packets in the ways that a shell
 * cannot, for scripts/guest/reader-side.sh. Whatever comes out goes to a file,
 * and "count" says whether it is a stream of whole packets.
 *
 *	count FILE			check a stream; "packets P events E lost L"
 *	count-peeked FILE		the same, of packets that others read meanwhile
 *	read PIPE FILE			until the end
 *	splice PIPE FILE [LENGTH [PIPE-SIZE]]
 *	splice-full PIPE FILE COMMAND	into a Unix pipe, run COMMAND, which records,
 *					when that is full, go on
 *	splice-closed PIPE		into a Unix pipe that nobody reads
 *	splice-nonblock PIPE		that has nothing: must give EAGAIN
 *	mmap PIPE FILE			by GET_READER; "remapped N times"
 *	mmap-nonblock PIPE		that has nothing: must give EAGAIN
 *	mmap-refusals PIPE		what must not work
 *	mmap-stale PIPE FILE COMMAND	map, run COMMAND, which resizes, go on
 *	mmap-splice PIPE FILE COMMAND	map, splice, run COMMAND, which records, and
 *					go on with the same mapping
 *	mix PIPE FILE			by turns
 *	poll PIPE MILLISECONDS		"ready" or "not ready"
 *	peek-rewind FILE		llseek() of trace_raw_compact
 *
 * Exit status 0 only if all was as it must be; else it is said what was not.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail.h"
#include "records.h"
#include "tring_format.h"
#include "tring_mmap.h"

#define BUFFER_SIZE	(1 << 20)

static char buffer[BUFFER_SIZE];

static int open_pipe(const char *name, int flags)
{
	int fd = open(name, O_RDONLY | flags);

	if (fd < 0)
		fail("%s: %s", name, strerror(errno));
	return fd;
}

static int create(const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0)
		fail("%s: %s", name, strerror(errno));
	return fd;
}

static void write_all(int fd, const char *data, size_t length)
{
	ssize_t count;

	for (; length; data += count, length -= count) {
		count = write(fd, data, length);
		if (count <= 0)
			fail("write: %s", strerror(errno));
	}
}

/* Events in a packet that nobody took back; whatever is odd ends the program. */
static uint64_t count_records(const char *packet, size_t content)
{
	size_t offset = TRING_PACKET_HEADER_SIZE;
	struct guest_record record;
	uint64_t events = 0;

	while (offset < content) {
		take_record(packet, &offset, content, &record);
		events += !record.discarded;
	}
	return events;
}

static void count(const char *name, bool alone)
{
	uint64_t packets = 0, events = 0, lost = 0, sequence = 0, end = 0;
	int fd = open_pipe(name, 0);
	size_t size, position = 0;
	struct stat status;
	char *data;

	if (fstat(fd, &status))
		fail("%s: %s", name, strerror(errno));
	size = status.st_size;
	data = malloc(size + 1);
	while (position < size) {
		ssize_t ret = read(fd, data + position, size - position);

		if (ret <= 0)
			fail("%s: %s", name, ret ? strerror(errno) : "short");
		position += ret;
	}

	for (position = 0; position < size;) {
		struct tring_packet_header header;

		if (size - position < sizeof(header))
			fail("%zu bytes at the end", size - position);
		memcpy(&header, data + position, sizeof(header));
		if (header.magic != TRING_PACKET_MAGIC)
			fail("no packet at byte %zu, after %ju", position, (uintmax_t)sequence);
		if (header.packet_size / 8 > size - position ||
		    header.content_size > header.packet_size ||
		    header.content_size / 8 <= sizeof(header))
			fail("packet %ju has %u bits of %u, and there are %zu bytes",
			     (uintmax_t)header.packet_seq_num, header.content_size,
			     header.packet_size, size - position);
		if (packets && header.packet_seq_num <= sequence)
			fail("packet %ju after %ju", (uintmax_t)header.packet_seq_num,
			     (uintmax_t)sequence);
		if (header.timestamp_begin < end || header.timestamp_end < header.timestamp_begin)
			fail("packet %ju goes back in time", (uintmax_t)header.packet_seq_num);
		if (header.events_discarded < lost)
			fail("packet %ju: fewer events are lost than before",
			     (uintmax_t)header.packet_seq_num);
		if (alone && packets && header.packet_seq_num > sequence + 1 &&
		    header.events_discarded == lost)
			fail("packet %ju after %ju, and nothing is lost",
			     (uintmax_t)header.packet_seq_num, (uintmax_t)sequence);
		sequence = header.packet_seq_num;
		end = header.timestamp_end;
		lost = header.events_discarded;
		events += count_records(data + position, header.content_size / 8);
		packets++;
		position += header.packet_size / 8;
	}
	printf("packets %ju events %ju lost %ju\n", (uintmax_t)packets, (uintmax_t)events,
	       (uintmax_t)lost);
}

static void read_to_end(int from, int to)
{
	ssize_t ret;

	while ((ret = read(from, buffer, sizeof(buffer))) > 0)
		write_all(to, buffer, ret);
	if (ret)
		fail("read: %s", strerror(errno));
}

/* What is in the Unix pipe goes to the file. */
static void drain(int pipe, int to, size_t length)
{
	while (length) {
		ssize_t ret = read(pipe, buffer, length < sizeof(buffer) ? length :
								       sizeof(buffer));

		if (ret <= 0)
			fail("read from a pipe: %s", ret ? strerror(errno) : "short");
		write_all(to, buffer, ret);
		length -= ret;
	}
}

static void splice_to_end(int from, int to, size_t length, int pipe_size)
{
	int ends[2];
	ssize_t ret;

	if (pipe(ends) || (pipe_size && fcntl(ends[1], F_SETPIPE_SZ, pipe_size) < 0))
		fail("pipe: %s", strerror(errno));
	while ((ret = splice(from, NULL, ends[1], NULL, length, 0)) > 0) {
		if ((size_t)ret > length)
			fail("splice: %zd bytes, but %zu were asked for", ret, length);
		drain(ends[0], to, ret);
	}
	if (ret)
		fail("splice: %s", strerror(errno));
}

/*
 * Into a Unix pipe until it is full, time and again, in pieces that are smaller
 * and larger than a packet. What is in it the first time must be as good after
 * the ring has gone on.
 */
static void splice_full(int from, int to, const char *command)
{
	static const size_t lengths[] = { 1000, 70000, 4096, 1 };
	unsigned int turn, full = 0;
	size_t inside = 0;
	int ends[2];
	ssize_t ret;

	if (pipe(ends))
		fail("pipe: %s", strerror(errno));
	for (turn = 0;; turn++) {
		ret = splice(from, NULL, ends[1], NULL, lengths[turn % 4], SPLICE_F_NONBLOCK);
		if (ret > 0) {
			inside += ret;
			continue;
		}
		if (ret && (errno != EAGAIN || !inside))
			fail("splice: %s, %zu bytes in the pipe", strerror(errno), inside);
		if (ret && !full++ && system(command))
			fail("%s: failed", command);
		if (!ret && !inside)
			break;
		drain(ends[0], to, inside);
		inside = 0;
	}
	if (full < 2)
		fail("the pipe was full %u times", full);
}

static void splice_closed(int from)
{
	int ends[2];

	signal(SIGPIPE, SIG_IGN);
	if (pipe(ends) || close(ends[0]))
		fail("pipe: %s", strerror(errno));
	if (splice(from, NULL, ends[1], NULL, 1 << 16, 0) != -1 || errno != EPIPE)
		fail("splice to a pipe that nobody reads: %s", strerror(errno));
}

static void splice_nonblock(const char *name)
{
	int blocking = open_pipe(name, 0), ends[2];

	if (pipe(ends))
		fail("pipe: %s", strerror(errno));
	if (splice(blocking, NULL, ends[1], NULL, 4096, SPLICE_F_NONBLOCK) != -1 ||
	    errno != EAGAIN)
		fail("SPLICE_F_NONBLOCK: %s", strerror(errno));
	if (fcntl(blocking, F_SETFL, O_NONBLOCK))
		fail("O_NONBLOCK: %s", strerror(errno));
	if (splice(blocking, NULL, ends[1], NULL, 4096, 0) != -1 || errno != EAGAIN)
		fail("O_NONBLOCK: %s", strerror(errno));
}

static const struct tring_buffer_meta *map_ring(int fd, size_t *length)
{
	long page_size = sysconf(_SC_PAGESIZE);
	const struct tring_buffer_meta *meta;
	unsigned int tries;

	/* It may be resized in between. */
	for (tries = 0; tries < 10; tries++) {
		meta = mmap(NULL, page_size, PROT_READ, MAP_SHARED, fd, 0);
		if (meta == MAP_FAILED)
			fail("mmap of the meta page: %s", strerror(errno));
		if (meta->meta_page_size != page_size || meta->meta_struct_len < sizeof(*meta))
			fail("a meta page of %u bytes, %u used", meta->meta_page_size,
			     meta->meta_struct_len);
		*length = meta->meta_page_size + (size_t)meta->nr_subbufs * meta->subbuf_size;
		munmap((void *)meta, page_size);
		meta = mmap(NULL, *length, PROT_READ, MAP_SHARED, fd, 0);
		if (meta != MAP_FAILED)
			return meta;
		if (errno != EINVAL)
			fail("mmap of %zu bytes: %s", *length, strerror(errno));
	}
	fail("mmap of %zu bytes: %s", *length, strerror(errno));
}

/* The packet that GET_READER has fetched, from where read() has left it. */
static void write_packet(const struct tring_buffer_meta *meta, int to)
{
	const char *subbuf = (const char *)meta + meta->meta_page_size +
			     (size_t)meta->reader.id * meta->subbuf_size;
	struct tring_packet_header header;

	if (meta->reader.id >= meta->nr_subbufs || meta->reader.size > meta->subbuf_size ||
	    meta->reader.read >= meta->reader.size)
		fail("bytes %u to %u of sub-buffer %u", meta->reader.read, meta->reader.size,
		     meta->reader.id);
	memcpy(&header, subbuf, sizeof(header));
	if (header.magic != TRING_PACKET_MAGIC || header.packet_size / 8 != meta->reader.size)
		fail("in sub-buffer %u there is no packet of %u bytes", meta->reader.id,
		     meta->reader.size);
	write_all(to, subbuf + meta->reader.read, meta->reader.size - meta->reader.read);
}

/* Until the end; returns how often it had to map anew. */
static unsigned int mmap_to_end(int from, int to)
{
	const struct tring_buffer_meta *meta;
	unsigned int remapped = 0;
	uint64_t lost = 0, said;
	size_t length;

	meta = map_ring(from, &length);
	while (!ioctl(from, TRING_MMAP_IOCTL_GET_READER) || errno == ESTALE) {
		if (meta->reader.size) {
			write_packet(meta, to);
			lost += meta->reader.lost_events;
			memcpy(&said, (const char *)meta + meta->meta_page_size +
			       (size_t)meta->reader.id * meta->subbuf_size +
			       offsetof(struct tring_packet_header, events_discarded),
			       sizeof(said));
			if (lost != said)
				fail("lost %ju, the packet says %ju", (uintmax_t)lost,
				     (uintmax_t)said);
			continue;
		}
		munmap((void *)meta, length);
		meta = map_ring(from, &length);
		remapped++;
	}
	if (errno != ENODATA)
		fail("GET_READER: %s", strerror(errno));
	if (meta->reader.size)
		fail("there is no packet, but one of %u bytes", meta->reader.size);
	munmap((void *)meta, length);
	return remapped;
}

static void mmap_nonblock(int from)
{
	size_t length;

	map_ring(from, &length);
	if (ioctl(from, TRING_MMAP_IOCTL_GET_READER) != -1 || errno != EAGAIN)
		fail("GET_READER of nothing: %s", strerror(errno));
}

static void refuse_map(int fd, size_t length, int protection, int flags, off_t offset,
		       int wanted, const char *what)
{
	if (mmap(NULL, length, protection, flags, fd, offset) != MAP_FAILED)
		fail("%s: mapped", what);
	if (errno != wanted)
		fail("%s: %s", what, strerror(errno));
}

static void mmap_refusals(int fd)
{
	size_t page_size = sysconf(_SC_PAGESIZE), length;
	const struct tring_buffer_meta *meta;

	if (ioctl(fd, TRING_MMAP_IOCTL_GET_READER) != -1 || errno != ENODEV)
		fail("GET_READER without a mapping: %s", strerror(errno));
	meta = map_ring(fd, &length);
	refuse_map(fd, length + page_size, PROT_READ, MAP_SHARED, 0, EINVAL, "too long");
	refuse_map(fd, page_size, PROT_READ, MAP_SHARED, length, EINVAL, "past the end");
	refuse_map(fd, length, PROT_READ, MAP_PRIVATE, 0, EPERM, "private");
	refuse_map(fd, length, PROT_READ | PROT_WRITE, MAP_PRIVATE, 0, EPERM,
		   "private and writable");
	/* The file is open for reading only, which the kernel asks first. */
	refuse_map(fd, length, PROT_READ | PROT_WRITE, MAP_SHARED, 0, EACCES, "writable");
	refuse_map(fd, length, PROT_READ | PROT_EXEC, MAP_SHARED, 0, EPERM, "executable");
	if (mprotect((void *)meta, length, PROT_READ | PROT_WRITE) != -1 || errno != EACCES)
		fail("made writable later");
	if (mprotect((void *)meta, length, PROT_READ | PROT_EXEC) != -1 || errno != EACCES)
		fail("made executable later");
	if (ioctl(fd, TRING_MMAP_IOCTL_GET_READER + 1) != -1 || errno != ENOTTY)
		fail("another ioctl: %s", strerror(errno));
	/* Half of it goes; the rest is still a mapping. */
	if (munmap((char *)meta + page_size, length - page_size))
		fail("munmap: %s", strerror(errno));
	if (ioctl(fd, TRING_MMAP_IOCTL_GET_READER) && errno != ENODATA)
		fail("GET_READER after munmap() of a part: %s", strerror(errno));
	munmap((void *)meta, page_size);
	if (ioctl(fd, TRING_MMAP_IOCTL_GET_READER) != -1 || errno != ENODEV)
		fail("GET_READER after munmap(): %s", strerror(errno));
}

/* A mapping, and the packet in hand, survive what makes them stale. */
static void mmap_stale(int from, int to, const char *command)
{
	const struct tring_buffer_meta *meta;
	unsigned int stale = 0;
	char *before;
	size_t length;
	unsigned int id;

	meta = map_ring(from, &length);
	if (ioctl(from, TRING_MMAP_IOCTL_GET_READER))
		fail("GET_READER: %s", strerror(errno));
	id = meta->reader.id;
	before = malloc(meta->subbuf_size);
	memcpy(before, (const char *)meta + meta->meta_page_size +
	       (size_t)id * meta->subbuf_size, meta->subbuf_size);
	if (system(command))
		fail("%s: failed", command);
	if (memcmp(before, (const char *)meta + meta->meta_page_size +
		   (size_t)id * meta->subbuf_size, meta->subbuf_size))
		fail("the packet in hand has changed");
	for (;;) {
		write_packet(meta, to);
		while (ioctl(from, TRING_MMAP_IOCTL_GET_READER)) {
			if (errno == ENODATA && stale)
				return;
			if (errno != ESTALE)
				fail("GET_READER: %s, ESTALE %u times", strerror(errno), stale);
			/* Asking again must not lose the packet. */
			if (ioctl(from, TRING_MMAP_IOCTL_GET_READER) != -1 || errno != ESTALE)
				fail("ESTALE, then %s", strerror(errno));
			stale++;
			munmap((void *)meta, length);
			meta = map_ring(from, &length);
		}
	}
}

/* What was spliced while the ring was mapped is still where the mapping shows it. */
static void mmap_splice(int from, int to, const char *command)
{
	const struct tring_buffer_meta *meta;
	unsigned int fetched = 0;
	size_t length;

	meta = map_ring(from, &length);
	splice_to_end(from, to, 1 << 16, 0);
	if (system(command))
		fail("%s: failed", command);
	for (; !ioctl(from, TRING_MMAP_IOCTL_GET_READER); fetched++)
		write_packet(meta, to);
	if (errno != ENODATA || !fetched)
		fail("GET_READER: %s, after %u packets", strerror(errno), fetched);
}

/* By turns; odd lengths, so that packets are passed on half-way. */
static void mix(int from, int to)
{
	const struct tring_buffer_meta *meta = NULL;
	unsigned int turn, by_map = 0;
	int ends[2], ended = 0;
	size_t length = 0;
	ssize_t ret;

	if (pipe(ends))
		fail("pipe: %s", strerror(errno));
	for (turn = 0; !ended; turn++) {
		switch (turn % 5) {
		case 0:
			ret = read(from, buffer, 1234);
			if (ret > 0)
				write_all(to, buffer, ret);
			break;
		case 1:
		case 3:
			/* first without a mapping, then with one */
			ret = splice(from, NULL, ends[1], NULL, 5000, 0);
			if (ret > 0)
				drain(ends[0], to, ret);
			break;
		case 2:
			meta = map_ring(from, &length);
			ret = 1;
			break;
		default:
			ret = ioctl(from, TRING_MMAP_IOCTL_GET_READER) ? 0 : 1;
			if (ret) {
				write_packet(meta, to);
				by_map++;
			} else if (errno != ENODATA) {
				ret = -1;
			}
			munmap((void *)meta, length);
			meta = NULL;
			break;
		}
		if (ret < 0)
			fail("turn %u: %s", turn, strerror(errno));
		ended = !ret;
	}
	if (by_map < 2)
		fail("%u packets by mmap", by_map);
}

static void poll_once(int fd, int milliseconds)
{
	struct pollfd entry = { .fd = fd, .events = POLLIN };
	int ret = poll(&entry, 1, milliseconds);

	if (ret < 0 || (ret && !(entry.revents & POLLIN)))
		fail("poll: %s, events %x", strerror(errno), entry.revents);
	puts(ret ? "ready" : "not ready");
}

static void peek_rewind(int fd)
{
	char first[64], again[64];

	if (read(fd, first, sizeof(first)) != sizeof(first))
		fail("read: %s", strerror(errno));
	if (lseek(fd, 1, SEEK_SET) != -1 || errno != EINVAL)
		fail("lseek to 1: %s", strerror(errno));
	if (pread(fd, again, 1, 0) != -1 || errno != ESPIPE)
		fail("pread: %s", strerror(errno));
	if (lseek(fd, 0, SEEK_SET) || read(fd, again, sizeof(again)) != sizeof(again))
		fail("lseek to 0: %s", strerror(errno));
	if (memcmp(first, again, sizeof(first)))
		fail("another packet after lseek to 0");
}

int main(int argc, char **argv)
{
	const char *command = argc > 2 ? argv[1] : "", *name = argc > 2 ? argv[2] : "";
	int from, to = -1;

	if (!strcmp(command, "count") || !strcmp(command, "count-peeked")) {
		count(name, !strcmp(command, "count"));
		return 0;
	}
	if (!strcmp(command, "splice-nonblock")) {
		splice_nonblock(name);
		return 0;
	}
	from = open_pipe(name, !strcmp(command, "mmap-nonblock") ? O_NONBLOCK : 0);
	if (!strcmp(command, "splice-closed")) {
		splice_closed(from);
	} else if (!strcmp(command, "mmap-nonblock")) {
		mmap_nonblock(from);
	} else if (!strcmp(command, "mmap-refusals")) {
		mmap_refusals(from);
	} else if (!strcmp(command, "peek-rewind")) {
		peek_rewind(from);
	} else if (argc < 4) {
		fail("usage: see the head of reader-side.c");
	} else if (!strcmp(command, "poll")) {
		poll_once(from, atoi(argv[3]));
	} else {
		to = create(argv[3]);
		if (!strcmp(command, "read"))
			read_to_end(from, to);
		else if (!strcmp(command, "splice"))
			splice_to_end(from, to, argc > 4 ? strtoul(argv[4], NULL, 0) : 1 << 16,
				      argc > 5 ? atoi(argv[5]) : 0);
		else if (!strcmp(command, "splice-full") && argc > 4)
			splice_full(from, to, argv[4]);
		else if (!strcmp(command, "mmap"))
			printf("remapped %u times\n", mmap_to_end(from, to));
		else if (!strcmp(command, "mmap-stale") && argc > 4)
			mmap_stale(from, to, argv[4]);
		else if (!strcmp(command, "mmap-splice") && argc > 4)
			mmap_splice(from, to, argv[4]);
		else if (!strcmp(command, "mix"))
			mix(from, to);
		else
			fail("usage: see the head of reader-side.c");
	}
	return 0;
}
