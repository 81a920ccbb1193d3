// SPDX-License-Identifier: GPL-2.0
/* Messages, files in memory, and small text files. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "util.h"

#define TEXT_ROOM	32768
/* A ring that gives whole packets only must find room for its largest. */
#define PACKET_ROOM	(4 * 1024 * 1024)
/* What has been read of a mapped file is let go in pieces of this size. */
#define RELEASE_SIZE	(4 * 1024 * 1024)

/**
 * tring_error - say something on stderr
 * @format: as printf's, without prefix and newline
 */
void tring_error(const char *format, ...)
{
	va_list args;

	/* in the order in which things happened, also when both go to one file */
	fflush(stdout);
	va_start(args, format);
	fputs("tring: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
}

/**
 * tring_error_at - say where in a stream something is wrong, and what
 * @path: of the stream's file
 * @offset: in it
 * @reason: what is wrong
 * @skipped: bytes passed over because of it, or 0
 */
void tring_error_at(const char *path, uint64_t offset,
		    enum tring_reason reason, uint64_t skipped)
{
	if (skipped)
		tring_error("%s: offset 0x%" PRIx64 ": %s; %" PRIu64
			    " bytes passed over", path, offset,
			    tring_reason_text(reason), skipped);
	else
		tring_error("%s: offset 0x%" PRIx64 ": %s", path, offset,
			    tring_reason_text(reason));
}

/**
 * tring_allocate - zeroed memory
 * @size: bytes
 *
 * Return: never NULL; the program ends when there is no memory.
 */
void *tring_allocate(size_t size)
{
	void *memory = calloc(1, size ? size : 1);

	if (!memory) {
		tring_error("out of memory");
		abort();
	}
	return memory;
}

/**
 * tring_format - formatted string in memory of its own
 * @format: as printf's
 *
 * Return: string to free(), never NULL.
 */
char *tring_format(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0) {
		tring_error("out of memory");
		abort();
	}
	va_end(args);
	return text;
}

/**
 * tring_parse_number - unsigned decimal number, nothing else around it
 * @text: the digits
 * @value: the number
 *
 * Return: was it one?
 */
bool tring_parse_number(const char *text, uint64_t *value)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*value = strtoull(text, &end, 10);
	return !errno && !*end;
}

/**
 * tring_now_ns - monotonic time of this program
 *
 * Return: nanoseconds.
 */
uint64_t tring_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

/* A mapped file that another program cuts short must not look like a bug. */
static void handle_sigbus(int signal_number)
{
	static const char text[] = "tring: a file shrank while it was read\n";

	(void)signal_number;
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		_exit(TRING_EXIT_BAD);
	_exit(TRING_EXIT_BAD);
}

/*
 * Up to the end of the file or until there are @limit bytes. Each read() is
 * offered @least bytes or more. What came before an error is kept.
 */
static int read_all(int fd, size_t least, size_t limit, char **data,
		    size_t *size)
{
	size_t room = 0;

	*data = NULL;
	*size = 0;
	for (;;) {
		ssize_t got = 0;

		if (room - *size <= least) {
			char *larger = realloc(*data, 2 * (room + least));

			if (!larger)
				return -ENOMEM;
			*data = larger;
			room = 2 * (room + least);
		}
		/* one byte stays free for a terminating zero */
		if (*size < limit)
			got = read(fd, *data + *size, room - *size - 1);
		if (got < 0 && errno == EINTR)
			continue;
		/* EAGAIN: all that there is now, of what does not block */
		if (got < 0 && errno != EAGAIN)
			return -errno;
		if (got <= 0)
			break;
		*size += got;
	}
	(*data)[*size] = 0;
	return 0;
}

/**
 * tring_input_close - let go of a file
 * @input: from tring_input_open(); may be zeroed
 */
void tring_input_close(struct tring_input *input)
{
	if (input->mapped)
		munmap(input->data, input->size);
	else
		free(input->data);
	memset(input, 0, sizeof(*input));
}

/**
 * tring_input_open - bring a file into memory
 * @input: filled in
 * @path: regular file (mapped) or anything that can be read to its end
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_input_open(struct tring_input *input, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), error = 0;
	struct stat info;

	memset(input, 0, sizeof(*input));
	input->path = path;
	if (fd < 0 || fstat(fd, &info)) {
		error = -errno;
	} else if (S_ISREG(info.st_mode) && info.st_size) {
		void *data = mmap(NULL, info.st_size, PROT_READ, MAP_PRIVATE,
				  fd, 0);

		if (data != MAP_FAILED) {
			signal(SIGBUS, handle_sigbus);
			madvise(data, info.st_size, MADV_SEQUENTIAL);
			input->data = data;
			input->size = info.st_size;
			input->mapped = true;
		}
	}
	if (!error && !input->mapped) {
		char *data;

		error = read_all(fd, PACKET_ROOM, SIZE_MAX, &data,
				 &input->size);
		input->data = data;
	}
	if (fd >= 0)
		close(fd);
	if (error) {
		tring_error("%s: %s", path, strerror(-error));
		tring_input_close(input);
	}
	return error;
}

/**
 * tring_input_release - what lies before is not looked at any more, or seldom
 * @input: the file
 * @up_to: offset in it
 *
 * A large trace must not push everything else out of memory. What was let go is
 * still there: a look at it reads it again.
 */
void tring_input_release(struct tring_input *input, size_t up_to)
{
	size_t size;

	if (!input->mapped || up_to < input->released ||
	    up_to - input->released < RELEASE_SIZE)
		return;
	size = (up_to - input->released) / RELEASE_SIZE * RELEASE_SIZE;
	madvise((char *)input->data + input->released, size, MADV_DONTNEED);
	input->released += size;
}

/**
 * tring_input_read - bring what a file gives into memory
 * @input: filled in, after an error with what came before it; to be closed
 * @fd: the file; nothing of it is asked for twice
 * @path: for messages
 * @limit: read no more once there are so many bytes
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_input_read(struct tring_input *input, int fd, const char *path,
		     size_t limit)
{
	char *data;
	int error;

	memset(input, 0, sizeof(*input));
	input->path = path;
	error = read_all(fd, PACKET_ROOM, limit, &data, &input->size);
	input->data = data;
	if (error)
		tring_error("%s: %s", path, strerror(-error));
	return error;
}

/**
 * tring_read_text - a small file as a string
 * @path: the file
 * @size: its bytes, may be NULL
 *
 * Return: string to free(); NULL with errno set, nothing is printed.
 */
char *tring_read_text(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), error;
	char *data;
	size_t fill;

	if (fd < 0)
		return NULL;
	error = read_all(fd, TEXT_ROOM, SIZE_MAX, &data, &fill);
	close(fd);
	if (error) {
		free(data);
		errno = -error;
		return NULL;
	}
	if (size)
		*size = fill;
	return data;
}

/**
 * tring_write_text - replace a small file at once
 * @path: the file; there is never half of it under this name
 * @text: its bytes
 * @size: how many
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_write_text(const char *path, const void *text, size_t size)
{
	char *draft = tring_format("%s.new", path);
	FILE *file = fopen(draft, "we");
	int error = 0;

	if (!file || fwrite(text, 1, size, file) != size)
		error = -errno;
	if (file && fclose(file) && !error)
		error = -errno;
	if (!error && rename(draft, path))
		error = -errno;
	if (error) {
		tring_error("%s: %s", path, strerror(-error));
		unlink(draft);
	}
	free(draft);
	return error;
}
