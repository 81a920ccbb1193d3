// SPDX-License-Identifier: GPL-2.0
/* Description: killed in the middle of any write, record leaves a file of whole packets. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "helpers.h"
#include "record/stream_file.h"

#define PAGE		4096
#define PACKETS		60

static struct builder builder;
/* End of the packets that were written completely when a save began, and when it ended. */
static size_t *saved;
/* The process is killed at the end of this page of a write, counted over all writes. */
static unsigned int kill_at, pages;
static bool has_direct, is_tmpfs;
static int direct_fd = -1;

/* Replaces the C library's: the file system of the test may lack direct I/O. */
int open(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;
	int fd;

	va_start(args, flags);
	mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
	va_end(args);
	if (flags & O_DIRECT && !has_direct) {
		errno = EINVAL;
		return -1;
	}
	fd = syscall(SYS_openat, AT_FDCWD, path, flags & ~O_DIRECT, mode);
	if (flags & O_DIRECT)
		direct_fd = fd;
	return fd;
}

/* Replaces the C library's: the file system of the test may be any. */
int fstatfs(int fd, struct statfs *info)
{
	CHECK(fd >= 0);
	memset(info, 0, sizeof(*info));
	info->f_type = is_tmpfs ? TMPFS_MAGIC : EXT4_SUPER_MAGIC;
	return 0;
}

static void count_page(void)
{
	if (pages++ == kill_at)
		_exit(0);
}

/*
 * Replaces the C library's: the kernel gives up a write to the page cache after any
 * page. It completes a direct write first, but tmpfs copies that to the page cache.
 */
ssize_t pwrite(int fd, const void *data, size_t size, off_t offset)
{
	size_t done = 0, piece;

	count_page();
	while (done < size) {
		piece = PAGE - (offset + done) % PAGE;
		if ((fd == direct_fd && !is_tmpfs) || piece > size - done)
			piece = size - done;
		CHECK_EQ(syscall(SYS_pwrite64, fd, (const uint8_t *)data + done, piece,
				 offset + done), piece);
		done += piece;
		count_page();
	}
	return size;
}

/* Adds the packets up to @end to the batch, and the first half of the next one. */
static void give(struct tring_stream_file *file, size_t *from, size_t end, size_t last)
{
	struct tring_batch *batch = &file->batch;
	size_t torn = end + 40 < builder.size ? 40 : 0, old = batch->fill - batch->whole;

	CHECK_EQ(tring_stream_file_make_room(file, 0), 0);
	memcpy(batch->data + batch->fill, builder.bytes + *from + old,
	       end + torn - *from - old);
	batch->last = batch->whole + last - *from;
	batch->whole += end - *from;
	batch->fill = batch->whole + torn;
	*from = end;
}

/* Return: number of packets after the next save. */
static unsigned int next_save(unsigned int packets)
{
	packets += packets % 15 + 1;
	return packets < PACKETS ? packets : PACKETS;
}

/* The recorder: saves, and every fourth time it passes a batch on. */
static void write_all(const char *path, const size_t *ends)
{
	struct tring_stream_file file;
	size_t from = 0;
	unsigned int i, next, count = 0;

	tring_stream_file_init(&file, path);
	for (i = 0; i < PACKETS; i = next) {
		next = next_save(i);
		give(&file, &from, ends[next], ends[next - 1]);
		saved[1] = ends[next];
		if (++count % 4 == 0 && tring_stream_file_is_direct(&file)) {
			CHECK_EQ(tring_stream_file_pass_on(&file), 0);
			/* else the next save waits for the write */
			while (count % 8 && file.is_written &&
			       !tring_writer_is_through(&file.writer))
				sched_yield();
			continue;
		}
		CHECK_EQ(tring_stream_file_save(&file), 0);
		saved[0] = ends[next];
	}
	CHECK_EQ(tring_stream_file_save(&file), 0);
	tring_stream_file_close(&file);
	_exit(1);
}

static void check_records(const struct tring_packet *packet)
{
	struct tring_cursor cursor;
	struct tring_record record;
	enum tring_reason reason;

	tring_cursor_init(&cursor, packet);
	do {
		reason = tring_record_next(&cursor, &record);
	} while (reason == TRING_OK);
	CHECK_EQ(reason, TRING_END);
}

/* Return: bytes of the original packets that are in the file. */
static size_t check_file(const char *path)
{
	static uint8_t bytes[4 * sizeof(builder.bytes)];
	struct tring_packet packet, original;
	uint64_t begin = 0;
	bool filler = false;
	size_t at, from = 0;
	ssize_t size = 0;
	int fd = open(path, O_RDONLY);

	if (fd >= 0)
		size = read(fd, bytes, sizeof(bytes));
	CHECK(size >= 0 && size < (ssize_t)sizeof(bytes));
	close(fd);
	for (at = 0; at < (size_t)size; at += packet.packet_size) {
		CHECK_EQ(tring_packet_parse(bytes + at, size - at, &packet), TRING_OK);
		CHECK_EQ(tring_packet_parse(builder.bytes + from, builder.size - from,
					    &original), TRING_OK);
		check_records(&packet);
		/* viewers order the packets by that */
		CHECK(packet.timestamp_begin > begin);
		begin = packet.timestamp_begin;
		if (packet.content_size == TRING_PACKET_HEADER_SIZE + 13) {
			filler = true;
			continue;
		}
		CHECK(!filler);
		CHECK_EQ(packet.seq_num, original.seq_num);
		CHECK_EQ(packet.content_size, original.content_size);
		CHECK(!memcmp(bytes + at + TRING_PACKET_HEADER_SIZE,
			      builder.bytes + from + TRING_PACKET_HEADER_SIZE,
			      packet.content_size - TRING_PACKET_HEADER_SIZE));
		from += original.packet_size;
	}
	return from;
}

static bool check_kill(const char *path, const size_t *ends)
{
	int status;
	size_t there;

	unlink(path);
	pages = 0;
	saved[0] = 0;
	saved[1] = 0;
	fflush(NULL);
	if (!fork())
		write_all(path, ends);
	CHECK(wait(&status) > 0);
	CHECK(WIFEXITED(status));
	there = check_file(path);
	CHECK(there >= saved[0]);
	CHECK(there <= saved[1]);
	return !WEXITSTATUS(status);
}

static void check(const char *path, const size_t *ends)
{
	for (kill_at = 0; check_kill(path, ends); kill_at++)
		;
	/* more than a page for each save */
	CHECK(kill_at > 2 * 10);
	CHECK_EQ(check_file(path), builder.size);
}

static void build(size_t *ends, unsigned int first)
{
	unsigned int i;

	build_init(&builder, false, 0);
	for (i = 0; i < PACKETS; i++) {
		build_packet(&builder, 1000 * (i + 1), i ? 2 + i * 7 % 120 : first);
		ends[i + 1] = builder.size;
	}
}

/* Return: whether a save ends less than a header behind or before the end of a page. */
static bool is_tight(const size_t *ends, bool before)
{
	unsigned int i;

	for (i = next_save(0); i < PACKETS; i = next_save(i)) {
		size_t used = ends[i] % PAGE;

		if (used && used < TRING_PACKET_HEADER_SIZE)
			return !before;
		if (PAGE - used < TRING_PACKET_HEADER_SIZE)
			return before;
	}
	return false;
}

int main(void)
{
	static size_t ends[PACKETS + 1];
	char *path = make_path("%s/cpu0", temp_dir());
	unsigned int first, before;

	saved = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(saved != MAP_FAILED);
	for (before = 0; before < 2; before++) {
		for (first = 2; build(ends, first), !is_tight(ends, before); first++)
			CHECK(first < 150);
		has_direct = false;
		check(path, ends);
		has_direct = true;
		check(path, ends);
		is_tmpfs = true;
		check(path, ends);
		is_tmpfs = false;
	}
	return 0;
}
