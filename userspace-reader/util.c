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

static int read_all(int fd, char **data, size_t *size)
{
	size_t room = 65536, fill = 0;
	char *buffer = malloc(room);
	ssize_t got;

	while (buffer) {
		/* one byte stays free for a terminating zero */
		got = read(fd, buffer + fill, room - fill - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			int error = errno;

			free(buffer);
			return -error;
		}
		if (!got) {
			buffer[fill] = 0;
			*data = buffer;
			*size = fill;
			return 0;
		}
		fill += got;
		if (room - fill < 2) {
			char *larger = realloc(buffer, room * 2);

			if (!larger)
				free(buffer);
			buffer = larger;
			room *= 2;
		}
	}
	return -ENOMEM;
}

/**
 * tring_input_open - bring a file into memory
 * @input: filled in
 * @path: regular file (mapped) or anything that can be read to its end
 *
 * Return: 0 or a negative errno, said on stderr.
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
		char *data = NULL;

		error = read_all(fd, &data, &input->size);
		input->data = data;
	}
	if (fd >= 0)
		close(fd);
	if (error)
		tring_error("%s: %s", path, strerror(-error));
	return error;
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
 * tring_read_text - a small file as a string
 * @path: the file
 * @size: its bytes, may be NULL
 *
 * Return: string to free(); NULL with errno set, nothing is printed.
 */
char *tring_read_text(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), error;
	char *data = NULL;
	size_t fill = 0;

	if (fd < 0)
		return NULL;
	error = read_all(fd, &data, &fill);
	close(fd);
	if (error) {
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
 * Return: 0 or a negative errno, said on stderr.
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
