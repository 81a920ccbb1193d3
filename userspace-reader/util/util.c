// SPDX-License-Identifier: LGPL-2.1-or-later
/* Messages, files in memory, and small text files. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "text.h"
#include "util.h"

#define TEXT_ROOM	32768
/* Least room for a read, because a ring returns only whole packets. */
#define PACKET_ROOM	(4 * 1024 * 1024)
/* Memory of a mapped file is released in pieces of this size. */
#define RELEASE_SIZE	(4 * 1024 * 1024)
/* Limits for a text, of which /proc/kallsyms is the longest, and for a file of tracefs. */
#define TEXT_MAX	(64 * 1024 * 1024)
#define PACKETS_MAX	(1024 * 1024 * 1024)

/* What messages begin with. */
static const char *message_name = "tring";

enum tring_verbosity tring_verbosity = TRING_NORMAL;

/**
 * tring_set_name - set what messages begin with
 * @name: the program and its command, such as "tring record"; not copied
 */
void tring_set_name(const char *name)
{
	message_name = name;
}

/**
 * tring_bad_usage - print where the options are described
 *
 * The caller, or getopt, has printed what is wrong.
 *
 * Return: TRING_EXIT_USAGE.
 */
int tring_bad_usage(void)
{
	tring_error("\"%s --help\" lists the options", message_name);
	return TRING_EXIT_USAGE;
}

/* The first error of stdout. */
static int output_error;

static void flush_output(void)
{
	if (fflush(stdout) && !output_error)
		output_error = errno;
}

static _Thread_local struct tring_sink *sink;

/**
 * tring_sink_set - let this thread's messages go elsewhere
 * @to: where they go; NULL for stderr
 *
 * Return: where they went before.
 */
struct tring_sink *tring_sink_set(struct tring_sink *to)
{
	struct tring_sink *before = sink;

	sink = to;
	return before;
}

/**
 * tring_show_message - print a message on stderr
 * @text: the message, without characters that a terminal would obey
 */
void tring_show_message(const char *text)
{
	/* keeps the order if stdout and stderr are the same file */
	flush_output();
	/* one message at a time */
	flockfile(stderr);
	fprintf(stderr, "%s: %s\n", message_name, text);
	funlockfile(stderr);
}

static void print_message(enum tring_level level, const char *format, va_list args)
{
	char *text, *escaped;
	int size = vasprintf(&text, format, args);

	escaped = size < 0 ? NULL : malloc(TRING_ESCAPED_MAX * size + 1);
	if (!escaped)
		abort();
	/* a message of several lines quotes a filter, and what the kernel says of it */
	escaped[tring_text_escape(escaped, text, size, strchr(format, '\n') ? '\n' : 0)] = 0;
	if (sink)
		sink->take(sink, level, escaped);
	else
		tring_show_message(escaped);
	free(escaped);
	free(text);
}

/**
 * tring_error - tell what is wrong, on stderr if the thread has no other place
 * @format: format as of printf(), without prefix and newline
 */
void tring_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message(TRING_PROBLEM, format, args);
	va_end(args);
}

/**
 * tring_end_output - complete stdout at the end of the program
 * @status: exit status so far
 *
 * A command that prints much says by itself that it cannot go on, and clears the error.
 *
 * Return: @status; or TRING_EXIT_BAD in place of 0 if stdout could not be written, reported on
 * stderr.
 */
int tring_end_output(int status)
{
	flush_output();
	if (!ferror(stdout))
		return status;
	tring_error("the output cannot be written: %s",
		    strerror(output_error ? output_error : EIO));
	return status ? status : TRING_EXIT_BAD;
}

/**
 * tring_note - print on stderr what is worth knowing, unless tring is to be quiet
 * @format: format as of printf(), without prefix and newline
 */
void tring_note(const char *format, ...)
{
	va_list args;

	if (tring_verbosity < TRING_NORMAL)
		return;
	va_start(args, format);
	print_message(TRING_REMARK, format, args);
	va_end(args);
}

/**
 * tring_detail - print a step on stderr, if tring is to be verbose
 * @format: format as of printf(), without prefix and newline
 */
void tring_detail(const char *format, ...)
{
	va_list args;

	if (tring_verbosity < TRING_VERBOSE)
		return;
	va_start(args, format);
	print_message(TRING_REMARK, format, args);
	va_end(args);
}

/**
 * tring_errno_text - get the text of an error
 * @error: positive errno, or TRING_NOT_REGULAR
 *
 * Return: the text, valid until the next call.
 */
const char *tring_errno_text(int error)
{
	return error == TRING_NOT_REGULAR ? "not a regular file" : strerror(error);
}

static _Noreturn void fail_memory(void)
{
	tring_error("out of memory");
	abort();
}

/**
 * tring_allocate - allocate zeroed memory
 * @size: number of bytes
 *
 * Return: the memory, never NULL; the program ends without memory.
 */
void *tring_allocate(size_t size)
{
	void *memory = calloc(1, size ? size : 1);

	if (!memory)
		fail_memory();
	return memory;
}

/**
 * tring_format - format a string in allocated memory
 * @format: format as of printf()
 *
 * Return: string to free(), never NULL.
 */
char *tring_format(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		fail_memory();
	va_end(args);
	return text;
}

/**
 * tring_extend - append to a string in allocated memory
 * @text: the string, NULL if there is none yet; it may move
 * @format: format as of printf()
 */
void tring_extend(char **text, const char *format, ...)
{
	char *more, *whole;
	va_list args;

	va_start(args, format);
	if (vasprintf(&more, format, args) < 0)
		fail_memory();
	va_end(args);
	whole = tring_format("%s%s", *text ? *text : "", more);
	free(more);
	free(*text);
	*text = whole;
}

/**
 * tring_one_more - get room for one more item of a list
 * @list: the list, allocated by this function only, NULL if it is empty; it may move
 * @count: number of items
 * @size: bytes of an item
 *
 * Return: the list, never NULL.
 */
void *tring_one_more(void *list, size_t count, size_t size)
{
	/* the room is the next power of two */
	if (count & (count - 1))
		return list;
	list = reallocarray(list, count ? 2 * count : 1, size);
	if (!list)
		fail_memory();
	return list;
}

/**
 * tring_parse_number - parse an unsigned decimal number
 * @text: the digits, with nothing before or behind them
 * @value: set to the number
 *
 * Return: true if @text is a number.
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
 * tring_parse_size - parse a size
 * @text: a number of KiB; or a number and K, M or G for KiB, MiB or GiB
 * @kb: set to the number of KiB
 *
 * Return: true if @text is a size that is not 0.
 */
bool tring_parse_size(const char *text, uint64_t *kb)
{
	static const char units[] = "KMG";
	size_t digits = strspn(text, "0123456789");
	char *number = strndup(text, digits);
	const char *unit = text[digits] ? strchr(units, toupper((unsigned char)text[digits])) :
					  units;
	unsigned int shift;
	bool good;

	good = number && unit && (!text[digits] || !text[digits + 1]) &&
	       tring_parse_number(number, kb) && *kb;
	free(number);
	if (!good)
		return false;
	shift = 10 * (unit - units);
	/* the kernel counts bytes */
	if (*kb > UINT64_MAX >> (shift + 10))
		return false;
	*kb <<= shift;
	return true;
}

/**
 * tring_now_ns - get the monotonic time
 *
 * Return: nanoseconds.
 */
uint64_t tring_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

/* Another program may truncate a mapped file while tring reads it. */
static void handle_sigbus(int signal_number)
{
	static const char text[] = "tring: a file shrank while it was read\n";

	(void)signal_number;
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		_exit(TRING_EXIT_BAD);
	_exit(TRING_EXIT_BAD);
}

/*
 * Read to the end of the file, or until there are @limit bytes. Each read() has
 * room for at least @least bytes. After an error the bytes before it are kept.
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
		/* keeps one byte for a terminating zero */
		if (*size < limit)
			got = read(fd, *data + *size, room - *size - 1);
		if (got < 0 && errno == EINTR)
			continue;
		/* EAGAIN: a file that does not block has no more now */
		if (got < 0 && errno != EAGAIN)
			return -errno;
		if (got <= 0)
			break;
		*size += got;
	}
	(*data)[*size] = 0;
	return 0;
}

/* Return: the open file, or a negative errno. Files of proc and tracefs are regular. */
static int open_regular(const char *path, struct stat *info)
{
	/* without O_NONBLOCK the open of a FIFO waits for a writer */
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), error = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, info))
		error = -errno;
	else if (S_ISDIR(info->st_mode))
		error = -EISDIR;
	else if (!S_ISREG(info->st_mode))
		error = -TRING_NOT_REGULAR;
	if (!error)
		return fd;
	close(fd);
	return error;
}

/* As read_all(), but a file with more than @limit bytes is an error. */
static int read_up_to(int fd, size_t least, size_t limit, char **data, size_t *size)
{
	int error = read_all(fd, least, limit + 1, data, size);

	return !error && *size > limit ? -EFBIG : error;
}

/**
 * tring_input_close - release a file's memory
 * @input: input that tring_input_open() or tring_input_read() has filled in; may
 *	be zeroed
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
 * tring_input_advise - tell the kernel how a file will be read
 * @input: the file
 * @search: here and there, so that reading ahead costs time; otherwise from the begin to the
 *	end, as tring_input_open() has told it
 */
void tring_input_advise(struct tring_input *input, bool search)
{
	if (input->mapped)
		madvise(input->data, input->size, search ? MADV_RANDOM : MADV_SEQUENTIAL);
}

/**
 * tring_input_open - map a file, or read it into memory
 * @input: filled in
 * @path: path of a regular file, which is mapped, or of a file of tracefs
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_input_open(struct tring_input *input, const char *path)
{
	struct stat info;
	int fd = open_regular(path, &info), error = fd < 0 ? fd : 0;

	memset(input, 0, sizeof(*input));
	input->path = path;
	if (!error && info.st_size) {
		void *data = mmap(NULL, info.st_size, PROT_READ, MAP_PRIVATE,
				  fd, 0);

		if (data != MAP_FAILED) {
			signal(SIGBUS, handle_sigbus);
			input->data = data;
			input->size = info.st_size;
			input->mapped = true;
			tring_input_advise(input, false);
		}
	}
	if (!error && !input->mapped) {
		char *data;

		error = read_up_to(fd, PACKET_ROOM, PACKETS_MAX, &data,
				   &input->size);
		input->data = data;
	}
	if (fd >= 0)
		close(fd);
	if (error) {
		tring_error("%s: %s", path, tring_errno_text(-error));
		tring_input_close(input);
	}
	return error;
}

/**
 * tring_input_release - release memory that is hardly needed any more
 * @input: the file
 * @up_to: offset up to which its memory may be released
 *
 * A large trace must not displace everything else in memory. The data remains
 * accessible: an access reads it from the file again.
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

/* Only a file of tracefs, which seems to be empty, needs room for a whole packet. */
static size_t least_room(int fd, size_t limit)
{
	struct stat info;

	if (!fstat(fd, &info) && (!S_ISREG(info.st_mode) || info.st_size))
		return TEXT_ROOM;
	return limit < PACKET_ROOM ? limit : PACKET_ROOM;
}

/**
 * tring_input_read - read an open file into memory
 * @input: filled in; after an error with the data before it; to be closed in any
 *	case
 * @fd: the file; no part of it is read twice
 * @path: name of the file, for messages
 * @limit: number of bytes after which no further read begins
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
	error = read_all(fd, least_room(fd, limit), limit, &data, &input->size);
	input->data = data;
	if (error)
		tring_error("%s: %s", path, strerror(-error));
	return error;
}

/**
 * tring_read_text - read a small file into a string
 * @path: path of the file
 * @size: set to the number of bytes, may be NULL
 *
 * Return: string to free(); NULL with errno set, without a message. A file that is
 * not regular, or that no kernel makes so large, is an error.
 */
char *tring_read_text(const char *path, size_t *size)
{
	struct stat info;
	int fd = open_regular(path, &info), error = 0;
	char *data = NULL;
	size_t fill;

	if (fd < 0 || info.st_size > TEXT_MAX)
		error = fd < 0 ? fd : -EFBIG;
	else
		error = read_up_to(fd, TEXT_ROOM, TEXT_MAX, &data, &fill);
	if (fd >= 0)
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

/* @offset: negative for the place where the file is. Return: number of bytes written. */
static size_t write_out(int fd, const uint8_t *bytes, size_t size, off_t offset, int *error)
{
	size_t done = 0;

	*error = 0;
	while (!*error && done < size) {
		ssize_t wrote = offset < 0 ? write(fd, bytes + done, size - done) :
				pwrite(fd, bytes + done, size - done, offset + done);

		if (wrote > 0)
			done += wrote;
		else if (!wrote || errno != EINTR)
			*error = wrote ? -errno : -ENOSPC;
	}
	return done;
}

/**
 * tring_write_all - write bytes to a file
 * @fd: the file
 * @bytes: the bytes
 * @size: number of bytes
 *
 * Return: 0 or a negative errno.
 */
int tring_write_all(int fd, const void *bytes, size_t size)
{
	int error;

	write_out(fd, bytes, size, -1, &error);
	return error;
}

/**
 * tring_write_at - write at an offset of a file
 * @fd: the file
 * @bytes: the bytes
 * @size: number of bytes
 * @offset: offset in the file
 * @error: set to a negative errno if less was written, else to 0
 *
 * Return: number of bytes written.
 */
size_t tring_write_at(int fd, const void *bytes, size_t size, uint64_t offset, int *error)
{
	return write_out(fd, bytes, size, offset, error);
}

/**
 * tring_uuid_text - format a uuid in the 8-4-4-4-12 form
 * @uuid: 16 bytes
 *
 * Return: string to free().
 */
char *tring_uuid_text(const uint8_t *uuid)
{
	char text[2 * 16 + 1];

	tring_text_hex(text, uuid, 16);
	return tring_format("%.8s-%.4s-%.4s-%.4s-%s", text, text + 8, text + 12, text + 16,
			    text + 20);
}
