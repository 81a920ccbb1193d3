// SPDX-License-Identifier: GPL-2.0
/* Description: all packets reach the file whole and in order, on each kind of disk. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <semaphore.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "helpers.h"
#include "record/drain.h"
#include "util/util.h"

#define PACKETS		8000
#define BLOCK		4096
/* Does not divide a packet's or a batch's size, so that packets arrive in pieces. */
#define PIECE		30011

/* The most that append.c needs for a batch of a megabyte. */
#define WRITES_A_SAVE	20

/* Behaviour of the disk. DISK_FULL affects all writes, the others only direct ones. */
enum disk {
	DISK_FINE,
	DISK_WITHOUT,
	DISK_REFUSES,
	DISK_SHORT,
	DISK_SLOW,
	DISK_FULL,
};

static enum disk disk;
static int direct_fd = -1, slow_fd = -1;
/* A write to slow_fd has begun; it may end. */
static sem_t slow_begun, slow_may_end;
static unsigned int direct_writes, other_writes;
static uint64_t disk_room;

static uint8_t *packets;
static size_t size, events, discarded_records;

/*
 * These functions replace the C library's. They imitate a slow or full disk,
 * and the test's file system need not support direct I/O.
 */
int open(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;
	int fd;

	va_start(args, flags);
	mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
	va_end(args);
	if (flags & O_DIRECT && disk == DISK_WITHOUT) {
		errno = EINVAL;
		return -1;
	}
	fd = syscall(SYS_openat, AT_FDCWD, path, flags & ~O_DIRECT, mode);
	if (flags & O_DIRECT)
		direct_fd = fd;
	else if (fd == direct_fd)
		direct_fd = -1;
	return fd;
}

int fstatfs(int fd, struct statfs *info)
{
	memset(info, 0, sizeof(*info));
	info->f_type = EXT4_SUPER_MAGIC;
	return fd < 0 ? -1 : 0;
}

static void take_long(void)
{
	const struct timespec wait = { .tv_nsec = 300000000 };

	nanosleep(&wait, NULL);	/* time: the slow disk's, above the writer's patience */
}

static bool write_directly(const void *data, size_t *wanted, off_t offset)
{
	bool aligned = !((uintptr_t)data % BLOCK || *wanted % BLOCK ||
			 offset % BLOCK);

	/* only a full disk leaves an unaligned offset; it refuses further writes, too */
	CHECK(aligned || disk == DISK_FULL);
	direct_writes++;
	if (disk == DISK_SLOW)
		take_long();
	if (disk == DISK_SHORT && *wanted > BLOCK)
		*wanted = *wanted / 2 / BLOCK * BLOCK;
	if (!aligned || disk == DISK_REFUSES)
		errno = EINVAL;
	return aligned && disk != DISK_REFUSES;
}

ssize_t pwrite(int fd, const void *data, size_t wanted, off_t offset)
{
	if (fd == slow_fd) {
		sem_post(&slow_begun);
		sem_wait(&slow_may_end);
	}
	if (fd != direct_fd)
		other_writes++;
	else if (!write_directly(data, &wanted, offset))
		return -1;
	if (disk == DISK_FULL && (uint64_t)offset >= disk_room) {
		errno = ENOSPC;
		return -1;
	}
	if (disk == DISK_FULL && offset + wanted > disk_room)
		wanted = disk_room - offset;
	return syscall(SYS_pwrite64, fd, data, wanted, offset);
}

static void make_packets(void)
{
	static struct builder builder;
	unsigned int i, record;

	packets = malloc(PACKETS * 1100);
	CHECK(packets);
	for (i = 0; i < PACKETS; i++) {
		build_init(&builder, i % 2, 0);
		builder.seq = i;
		build_begin(&builder, 1000 * i);
		for (record = 0; record < 20 + i % 30; record++)
			build_record(&builder, 1000 * i + record, 342, 1, 16);
		events += record;
		if (i % 3) {
			build_record(&builder, 1000 * i + record,
				     TRING_ID_DISCARDED, 1, 12);
			discarded_records++;
		}
		build_end(&builder);
		memcpy(packets + size, builder.bytes, builder.size);
		size += builder.size;
	}
}

/* Checks the file packet by packet. @wanted: number of packets. */
static void check_file(const struct tring_drain *drain, const char *path,
		       size_t wanted)
{
	struct tring_packet packet, original;
	struct tring_input input;
	size_t at = 0, from = 0, count = 0, i;

	CHECK_EQ(tring_input_open(&input, path), 0);
	CHECK_EQ(drain->bytes, input.size);
	while (at < input.size) {
		const uint8_t *data = (uint8_t *)input.data + at;

		CHECK_EQ(tring_packet_parse(data, input.size - at, &packet), 0);
		CHECK_EQ(tring_packet_parse(packets + from, size - from,
					    &original), 0);
		CHECK_EQ(packet.content_size, original.content_size);
		CHECK(!memcmp(data, packets + from, HEADER_AT(packet_size)));
		CHECK(!memcmp(data + HEADER_AT(packet_seq_num),
			      packets + from + HEADER_AT(packet_seq_num),
			      packet.content_size - HEADER_AT(packet_seq_num)));
		CHECK(packet.packet_size < original.packet_size + BLOCK);
		for (i = packet.content_size; i < packet.packet_size; i++)
			CHECK_EQ(data[i], 0);
		at += packet.packet_size;
		from += original.packet_size;
		count++;
	}
	CHECK_EQ(drain->packets, count);
	if (wanted)
		CHECK_EQ(count, wanted);
	tring_input_close(&input);
}

/* Compares the drain's counts with those of the packets in the file. */
static void check_counts(const struct tring_drain *drain, const char *path)
{
	size_t counted = 0, discarded = 0, at = 0;
	struct tring_packet packet;
	struct tring_cursor cursor;
	struct tring_record record;
	struct tring_input input;

	CHECK_EQ(tring_input_open(&input, path), 0);
	for (; at < input.size; at += packet.packet_size) {
		tring_packet_parse((uint8_t *)input.data + at, input.size - at,
				   &packet);
		tring_cursor_init(&cursor, &packet);
		while (tring_record_next(&cursor, &record) == TRING_OK)
			if (record.id == TRING_ID_DISCARDED)
				discarded++;
			else
				counted++;
	}
	CHECK_EQ(drain->events, counted);
	CHECK_EQ(drain->discarded_records, discarded);
	tring_input_close(&input);
}

static int service(struct tring_drain *drain, int fd, size_t *at, size_t end)
{
	int error = 0;

	while (*at < end && (!error || error == -EAGAIN)) {
		size_t piece = end - *at < PIECE ? end - *at : PIECE;

		CHECK_EQ(write(fd, packets + *at, piece), piece);
		*at += piece;
		error = tring_drain_service(drain, false);
		/* the pipe is open */
		CHECK(!drain->ended);
	}
	return error == -EAGAIN ? 0 : error;
}

/* Delivers the first packets. @at: set to their end */
typedef void begin_fn(struct tring_drain *drain, int fd, size_t *at, const char *path);

/* The packets of a quiet CPU reach the file although the batch is not full. */
static void check_quiet(struct tring_drain *drain, int fd, size_t *at,
			const char *path)
{
	CHECK_EQ(service(drain, fd, at, 100000), 0);
	CHECK(!tring_stream_file_is_saved(&drain->file));
	tring_drain_service(drain, true);
	CHECK(tring_stream_file_is_saved(&drain->file));
	check_file(drain, path, 0);
	CHECK(drain->packets > 50);
	CHECK_EQ(direct_writes, 0);
}

/* The first read fills the batch, so that the first packets of the file end in the next read. */
static void check_full_batch(struct tring_drain *drain, int fd, size_t *at,
			     const char *path)
{
	size_t capacity;

	CHECK_EQ(tring_stream_file_make_room(&drain->file, 0), 0);
	capacity = drain->file.batch.capacity;
	CHECK_EQ(fcntl(fd, F_SETPIPE_SZ, capacity), capacity);
	CHECK_EQ(write(fd, packets, capacity), capacity);
	*at = capacity;
	CHECK_EQ(tring_drain_service(drain, false), -EAGAIN);
	check_file(drain, path, 0);
}

static void check(enum disk kind, begin_fn *begin)
{
	char *path = make_path("%s/cpu0", temp_dir());
	struct tring_drain drain;
	int fds[2], error;
	size_t at = 0;

	/* a stream is a new file */
	unlink(path);
	disk = kind;
	direct_writes = 0;
	other_writes = 0;
	CHECK(!pipe(fds));
	CHECK(!fcntl(fds[0], F_SETFL, O_NONBLOCK));
	tring_drain_init(&drain, 0, fds[0], path);
	if (begin)
		begin(&drain, fds[1], &at, path);
	error = service(&drain, fds[1], &at, size);
	close(fds[1]);
	if (error)
		CHECK_EQ(tring_drain_finish(&drain), error);
	else
		error = tring_drain_finish(&drain);
	CHECK_EQ(error, kind == DISK_FULL ? -ENOSPC : 0);
	check_file(&drain, path, error ? 0 : PACKETS);
	check_counts(&drain, path);
	CHECK_EQ(drain.wrong, 0);
	if (!error) {
		CHECK_EQ(drain.events, events);
		CHECK_EQ(drain.discarded_records, discarded_records);
	}
	tring_drain_close(&drain);
}

static bool is_through(const void *writer)
{
	return tring_writer_is_through((void *)writer);
}

/* Settling a write waits for its end. */
static void check_writer(void)
{
	static const uint8_t data[3] = "abc";
	char *path = make_path("%s/writes", temp_dir());
	struct tring_writer writers[2] = { 0 };
	struct tring_write writes[3] = { 0 };
	unsigned int i;

	CHECK_EQ(sem_init(&slow_begun, 0, 0), 0);
	CHECK_EQ(sem_init(&slow_may_end, 0, 0), 0);
	disk = DISK_SLOW;
	for (i = 0; i < COUNT(writes); i++) {
		writes[i].fd = open(path, O_WRONLY | O_CREAT, 0644);
		CHECK(writes[i].fd >= 0);
		writes[i].data = data + i;
		writes[i].size = 1;
		writes[i].offset = i;
	}
	slow_fd = writes[0].fd;
	tring_writer_begin(&writers[0], &writes[0]);
	sem_wait(&slow_begun);
	CHECK(!tring_writer_is_through(&writers[0]));
	CHECK(!tring_writer_wait(&writers[0]));
	CHECK(tring_writer_is_slow(&writers[0]));
	/* a slow disk does not delay another writer */
	tring_writer_begin(&writers[1], &writes[1]);
	wait_until(is_through, &writers[1], "the other writer writes");
	CHECK(tring_writer_wait(&writers[1]));
	CHECK(!tring_writer_is_slow(&writers[1]));
	tring_writer_settle(&writers[1]);
	CHECK_EQ(writes[1].done, 1);
	sem_post(&slow_may_end);
	tring_writer_settle(&writers[0]);
	CHECK_EQ(writes[0].done, 1);
	tring_writer_begin(&writers[0], &writes[2]);
	tring_writer_settle(&writers[0]);
	CHECK_EQ(writes[2].done, 1);
	CHECK(!strcmp(read_file(path), "abc"));
	for (i = 0; i < COUNT(writes); i++)
		close(writes[i].fd);
	slow_fd = -1;
}

int main(void)
{
	uint64_t begin_ns;

	check_writer();
	make_packets();
	CHECK(size > 5 * 512 * 1024);

	begin_ns = tring_now_ns();
	check(DISK_FINE, NULL);
	CHECK(direct_writes >= 1);
	/* not direct: the first packets, the last ones and a batch each second */
	CHECK(other_writes < WRITES_A_SAVE * (3 + (tring_now_ns() - begin_ns) / 1000000000));
	check(DISK_FINE, check_quiet);
	CHECK(direct_writes >= 1);
	check(DISK_FINE, check_full_batch);
	check(DISK_WITHOUT, check_full_batch);
	check(DISK_REFUSES, check_full_batch);
	check(DISK_WITHOUT, NULL);
	CHECK_EQ(direct_writes, 0);
	check(DISK_REFUSES, NULL);
	CHECK(direct_writes <= 1);
	check(DISK_SHORT, NULL);
	check(DISK_SLOW, NULL);
	/* the page cache takes over from the slow disk */
	CHECK(other_writes > 3);

	for (disk_room = 1000; disk_room < size; disk_room += 250007)
		check(DISK_FULL, NULL);
	free(packets);
	return 0;
}
