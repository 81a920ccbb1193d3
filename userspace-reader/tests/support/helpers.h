/* SPDX-License-Identifier: GPL-2.0 */
/* Shared helpers of the reader's tests. A test exits with 0, 1 or 77 (skipped). */
#ifndef TRING_TEST_HELPERS_H
#define TRING_TEST_HELPERS_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "tring_golden.h"
#include "wire/wire.h"

#define SKIPPED		77

/* Of the format of each event. */
#define COMMON_FIELDS \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"

/* Where a field lies in a packet's header. */
#define HEADER_AT(field)	offsetof(struct tring_packet_header, field)
#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

#define CHECK(condition)						\
	do {								\
		if (!(condition))					\
			fail(__FILE__, __LINE__, #condition);		\
	} while (0)

#define CHECK_EQ(a, b)							\
	fail_unless_equal(__FILE__, __LINE__, #a " == " #b,		\
			  (uint64_t)(a), (uint64_t)(b))

void fail(const char *file, int line, const char *what)
	__attribute__((noreturn));
void fail_unless_equal(const char *file, int line, const char *what,
		       uint64_t a, uint64_t b);

void put_u16(void *to, uint16_t value, bool big_endian);
void put_u32(void *to, uint32_t value, bool big_endian);
void put_u64(void *to, uint64_t value, bool big_endian);

const uint8_t *golden(bool big_endian);

/**
 * struct builder - writes packets by the rules of the format
 * @bytes: the packets
 * @size: bytes of all packets, the open one included
 * @start: offset of the open packet
 * @end: end of the open packet's last record
 * @last: last timestamp in the open packet
 * @last_pid: pid of the open packet's last record
 * @know_pid: true if @last_pid is valid
 * @big_endian: byte order
 * @cpu: CPU of all packets
 * @seq: sequence number of the next packet
 * @discarded: events_discarded of the next packet
 * @flags: flags of the next record
 * @preempt_count: preempt count of the next record
 * @short_ids: event ids by type; initially fixture_short_ids
 * @lengths: lengths by type, for the packets' headers
 */
struct builder {
	uint8_t		bytes[65536];
	size_t		size;
	size_t		start;
	size_t		end;
	uint64_t	last;
	int32_t		last_pid;
	bool		know_pid;
	bool		big_endian;
	uint32_t	cpu;
	uint64_t	seq;
	uint64_t	discarded;
	uint8_t		flags;
	uint8_t		preempt_count;
	uint16_t	short_ids[TRING_TYPES];
	uint8_t		lengths[TRING_TYPES];
};

extern const uint16_t fixture_short_ids[TRING_TYPES];

void build_init(struct builder *builder, bool big_endian, uint32_t cpu);
void build_begin(struct builder *builder, uint64_t stamp);
uint8_t *build_record(struct builder *builder, uint64_t stamp, uint16_t id,
		      int32_t pid, uint32_t length);
void build_discard(const struct builder *builder, uint8_t *record,
		   uint32_t fields);
void build_end(struct builder *builder);
size_t build_offset(unsigned int event);
void build_packet(struct builder *builder, uint64_t stamp, unsigned int events);
void build_write(const struct builder *builder, const char *dir);

/**
 * struct findings - faults that a stream reported
 * @count: number of reports
 * @reason: reason of each report
 * @offset: offset of each report
 * @skipped: skipped bytes of each report
 */
struct findings {
	size_t		count;
	enum tring_reason reason[64];
	uint64_t	offset[64];
	uint64_t	skipped[64];
};

void stream_with_findings(struct tring_stream *stream,
			  struct findings *findings, const void *data,
			  size_t size);
unsigned int count_records(struct tring_stream *stream, struct findings *findings,
			   const void *data, size_t size);

/* The texts that these and other helpers return need not be freed. */
const char *temp_dir(void);
char *make_path(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
void write_file(const char *path, const void *data, size_t size);
void write_text(const char *path, const char *text);
void write_extra(const char *dir, const char *name, const char *text);
int hold_trace(const char *dir);
char *read_file(const char *path);
const char *test_env(const char *name);
pid_t fork_child(void);
pid_t fork_with_output(const char *path);
pid_t fork_command(int (*command)(int argc, char **argv), const char *arguments,
		   const char *path);
int end_child(pid_t pid);
void report_range(const char *dir, unsigned int from, unsigned int to);
void check_same_reports(int (*report)(int argc, char **argv), const char *one,
			const char *other);
int remove_tree(const char *path);
int run(const char *command, char **output);
void wants(const char *output, const char *text);
void check_texts(const char *output, const char * const *wanted, size_t count);
void check_lines(char *output, const char * const *wanted, size_t count);
void check_equal(const char *output, const char *wanted, const char *what);
void check_run(int status, const char *said, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
pid_t start_tring(const char *path, const char *arguments, ...)
	__attribute__((format(printf, 2, 3)));
bool have(const char *program);
unsigned int count_of(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
char *output_of(int status, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
char *run_here(const char *command, int status);
void check_same_text(const char *command, const char *one, const char *other);
void wait_until(bool (*is_so)(const void *data), const void *data, const char *what);
void wait_for_path(const char *path);
void wait_for_text(const char *path, const char *text);
uint64_t test_seed(uint64_t usual);

/* The same in a shell, %s being a condition. */
#define SHELL_UNTIL	"until %s; do sleep 0.05; done"	/* time: the interval of polling */

void make_trace(const char *dir, bool big_endian);
void write_metadata(const char *dir, bool big_endian);
char *info_text(bool big_endian);
const char *short_ids_text(void);

#endif /* TRING_TEST_HELPERS_H */
