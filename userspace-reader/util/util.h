/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages, files in memory, and small text files. */
#ifndef TRING_UTIL_H
#define TRING_UTIL_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tring.h"

/* Exit statuses of tring itself; record also returns its command's. */
#define TRING_EXIT_OK		0
#define TRING_EXIT_BAD		1	/* bad input, counters that do not balance, an error */
#define TRING_EXIT_USAGE	2
#define TRING_EXIT_NOT_MET	3	/* what was to be waited for has not happened */

/* Error of a file that has no end, or waits for a writer. */
#define TRING_NOT_REGULAR	EMEDIUMTYPE

/**
 * struct tring_input - a whole file in memory
 * @path: name of the file, for messages
 * @data: content of the file
 * @size: number of bytes
 * @mapped: @data is mapped
 * @released: number of bytes from the start that need not stay in memory
 */
struct tring_input {
	const char	*path;
	void		*data;
	size_t		size;
	bool		mapped;
	size_t		released;
};

/* What tring prints on stderr besides errors. */
enum tring_verbosity {
	TRING_QUIET,
	TRING_NORMAL,
	TRING_VERBOSE,
};

extern enum tring_verbosity tring_verbosity;

/**
 * struct tring_sink - where a thread's messages go instead of stderr
 * @take: takes a message, which has neither prefix nor newline
 */
struct tring_sink {
	void (*take)(struct tring_sink *sink, enum tring_level level, const char *text);
};

struct tring_sink *tring_sink_set(struct tring_sink *sink);

/* The trace if the user names none. */
#define TRING_TRACE_DIR_DEFAULT	"tring-trace"

void tring_set_name(const char *name);
int tring_bad_usage(void);
void tring_error(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
int tring_end_output(int status);
void tring_note(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
void tring_detail(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
const char *tring_errno_text(int error);
void *tring_allocate(size_t size);
void tring_show_message(const char *text);
char *tring_uuid_text(const uint8_t *uuid);
char *tring_format(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
void tring_extend(char **text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void *tring_one_more(void *list, size_t count, size_t size);
bool tring_parse_number(const char *text, uint64_t *value);
bool tring_parse_size(const char *text, uint64_t *kb);
uint64_t tring_now_ns(void);

int tring_input_open(struct tring_input *input, const char *path);
int tring_input_read(struct tring_input *input, int fd, const char *path,
		     size_t limit);
void tring_input_advise(struct tring_input *input, bool search);
void tring_input_release(struct tring_input *input, size_t up_to);
void tring_input_close(struct tring_input *input);

char *tring_read_text(const char *path, size_t *size);
int tring_write_all(int fd, const void *bytes, size_t size);
size_t tring_write_at(int fd, const void *bytes, size_t size, uint64_t offset, int *error);

#endif /* TRING_UTIL_H */
