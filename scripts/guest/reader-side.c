// SPDX-License-Identifier: GPL-2.0
/*
 * reader-side COMMAND FILE... - reads a pipe of packets in ways that a shell cannot,
 * for scripts/guest/reader-side.sh. The data go to a file.
 *
 *	read PIPE FILE			until the end
 *	splice PIPE FILE [LENGTH [PIPE-SIZE]]
 *	splice-full PIPE FILE COMMAND	into a Unix pipe; when this is full, run
 *					COMMAND, which records, and go on
 *	splice-nonblock PIPE		an empty pipe must give EAGAIN
 *	sendfile PIPE FILE		until the end
 *	mix PIPE FILE			read and splice by turns
 *	poll PIPE MILLISECONDS		"ready" or "not ready"
 *	look PIPE			"events" if poll() says POLLPRI, or "no events"
 *	peek-rewind FILE		llseek() of trace_raw_compact
 *
 * The exit status is 0 only if all checks have passed; otherwise a message is
 * printed.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <unistd.h>

#define BUFFER_SIZE	(1 << 20)

static char buffer[BUFFER_SIZE];

static int open_pipe(const char *name, int flags)
{
	int fd = open(name, O_RDONLY | flags);

	if (fd < 0)
		err(1, "%s", name);
	return fd;
}

/* A size of 0 is the usual one. */
static void make_pipe(int *ends, int size)
{
	if (pipe(ends) || (size && fcntl(ends[1], F_SETPIPE_SZ, size) < 0))
		err(1, "pipe");
}

static int create(const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0)
		err(1, "%s", name);
	return fd;
}

static void write_all(int fd, const char *data, size_t length)
{
	ssize_t count;

	for (; length; data += count, length -= count) {
		count = write(fd, data, length);
		if (count <= 0)
			err(1, "write");
	}
}

static void read_to_end(int from, int to)
{
	ssize_t ret;

	while ((ret = read(from, buffer, sizeof(buffer))) > 0)
		write_all(to, buffer, ret);
	if (ret)
		err(1, "read");
}

/* Moves the contents of the Unix pipe to the file. */
static void drain(int pipe, int to, size_t length)
{
	while (length) {
		ssize_t ret = read(pipe, buffer, length < sizeof(buffer) ? length :
								       sizeof(buffer));

		if (ret <= 0)
			errx(1, "read from a pipe: %s", ret ? strerror(errno) : "short");
		write_all(to, buffer, ret);
		length -= ret;
	}
}

static void splice_to_end(int from, int to, size_t length, int pipe_size)
{
	int ends[2];
	ssize_t ret;

	make_pipe(ends, pipe_size);
	while ((ret = splice(from, NULL, ends[1], NULL, length, 0)) > 0) {
		if ((size_t)ret > length)
			errx(1, "splice: %zd bytes, but %zu were asked for", ret, length);
		drain(ends[0], to, ret);
	}
	if (ret)
		err(1, "splice");
}

/*
 * Splices into a Unix pipe until it is full, again and again, in pieces that are
 * smaller and larger than a packet. The contents of the first full pipe must not
 * change while the ring is written.
 */
static void splice_full(int from, int to, const char *command)
{
	static const size_t lengths[] = { 1000, 70000, 4096, 1 };
	unsigned int turn, full = 0;
	size_t inside = 0;
	int ends[2];
	ssize_t ret;

	make_pipe(ends, 0);
	for (turn = 0;; turn++) {
		ret = splice(from, NULL, ends[1], NULL, lengths[turn % 4], SPLICE_F_NONBLOCK);
		if (ret > 0) {
			inside += ret;
			continue;
		}
		if (ret && (errno != EAGAIN || !inside))
			err(1, "splice, %zu bytes in the pipe", inside);
		if (ret && !full++ && system(command))
			errx(1, "%s: failed", command);
		if (!ret && !inside)
			break;
		drain(ends[0], to, inside);
		inside = 0;
	}
	if (full < 2)
		errx(1, "the pipe was full %u times", full);
}

/* By turns, with odd lengths, so that a packet is read in more than one way. */
static void mix(int from, int to)
{
	unsigned int turn;
	int ends[2];
	ssize_t ret;

	make_pipe(ends, 0);
	for (turn = 0;; turn++) {
		if (turn % 2) {
			ret = splice(from, NULL, ends[1], NULL, 5000, 0);
			if (ret > 0)
				drain(ends[0], to, ret);
		} else {
			ret = read(from, buffer, 1234);
			if (ret > 0)
				write_all(to, buffer, ret);
		}
		if (ret < 0)
			err(1, "turn %u", turn);
		if (!ret)
			return;
	}
}

/* sendfile() to a Unix pipe; from a file that can seek, also to a file. */
static void sendfile_to_end(int from, int to)
{
	bool can_seek = lseek(from, 0, SEEK_CUR) >= 0;
	int ends[2];
	ssize_t ret;

	make_pipe(ends, 0);
	/* A short write would lose the rest, so the kernel refuses. */
	if (!can_seek && (sendfile(to, from, NULL, 4096) != -1 || errno != EINVAL))
		err(1, "sendfile from a stream to a file");
	do {
		ret = sendfile(can_seek ? to : ends[1], from, NULL, 10000);
		if (ret > 0 && !can_seek)
			drain(ends[0], to, ret);
	} while (ret > 0);
	if (ret)
		err(1, "sendfile");
}

static void splice_nonblock(int from)
{
	int ends[2];

	make_pipe(ends, 0);
	if (splice(from, NULL, ends[1], NULL, 4096, 0) != -1 || errno != EAGAIN)
		err(1, "O_NONBLOCK");
}

static void poll_once(int fd, int milliseconds)
{
	struct pollfd entry = { .fd = fd, .events = POLLIN };
	int ret = poll(&entry, 1, milliseconds);

	if (ret < 0 || (ret && !(entry.revents & POLLIN)))
		err(1, "poll, events %x", entry.revents);
	puts(ret ? "ready" : "not ready");
}

static void look(int fd)
{
	struct pollfd entry = { .fd = fd, .events = POLLPRI };

	puts(poll(&entry, 1, 0) > 0 && entry.revents == POLLPRI ? "events" : "no events");
}

static void peek_rewind(int fd)
{
	char first[64], again[64];

	if (read(fd, first, sizeof(first)) != sizeof(first))
		err(1, "read");
	if (lseek(fd, 1, SEEK_SET) != -1 || errno != EINVAL)
		err(1, "lseek to 1");
	if (pread(fd, again, 1, 0) != -1 || errno != ESPIPE)
		err(1, "pread");
	if (lseek(fd, 0, SEEK_SET) || read(fd, again, sizeof(again)) != sizeof(again))
		err(1, "lseek to 0");
	if (memcmp(first, again, sizeof(first)))
		errx(1, "another packet after lseek to 0");
}

int main(int argc, char **argv)
{
	const char *command = argc > 2 ? argv[1] : "", *name = argc > 2 ? argv[2] : "";
	int from, to = -1;

	from = open_pipe(name, !strcmp(command, "splice-nonblock") ? O_NONBLOCK : 0);
	if (!strcmp(command, "splice-nonblock")) {
		splice_nonblock(from);
	} else if (!strcmp(command, "look")) {
		look(from);
	} else if (!strcmp(command, "peek-rewind")) {
		peek_rewind(from);
	} else if (argc < 4) {
		errx(1, "usage: see the head of reader-side.c");
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
		else if (!strcmp(command, "sendfile"))
			sendfile_to_end(from, to);
		else if (!strcmp(command, "mix"))
			mix(from, to);
		else
			errx(1, "usage: see the head of reader-side.c");
	}
	return 0;
}
