/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a trace.dat says of its events and of itself, without the events. */
#ifndef TRING_DAT_FILE_H
#define TRING_DAT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dat_clock.h"
#include "dat_cursor.h"
#include "trace/trace_info.h"
#include "util/util.h"

/**
 * struct tring_dat_format - format of an event
 * @system: the event's system
 * @text: content of the format file; NULL once it was given away
 * @size: bytes of @text
 */
struct tring_dat_format {
	char		*system;
	char		*text;
	size_t		size;
};

/**
 * struct tring_dat_cpu - pages of a CPU
 * @cpu: number of the CPU
 * @offset: offset of the pages in the file
 * @size: their bytes in the file; 0 if the CPU has none
 * @last_loss: events lost behind the last one, as far as the file says
 */
struct tring_dat_cpu {
	uint32_t	cpu;
	uint64_t	offset;
	uint64_t	size;
	uint64_t	last_loss;
};

/**
 * struct tring_dat_buffer - a buffer of ftrace's: the main one, or an instance
 * @name: name of the instance; empty for the main one
 * @offset: offset of what describes it
 * @page_size: bytes of a page
 * @compressed: its pages are
 * @cpus: its CPUs
 * @count: number of @cpus
 */
struct tring_dat_buffer {
	char		*name;
	uint64_t	offset;
	uint64_t	page_size;
	bool		compressed;
	struct tring_dat_cpu *cpus;
	size_t		count;
};

/* Texts that are copies of the kernel's files. */
enum tring_dat_names {
	TRING_DAT_KALLSYMS,
	TRING_DAT_PRINTK,
	TRING_DAT_CMDLINES,
	TRING_DAT_NAMES,
};

/**
 * struct tring_dat_file - a trace.dat
 * @path: the file
 * @instance: name of the instance that was asked for; NULL for the main buffer
 * @input: content of the file
 * @version: version of the format
 * @big_endian: byte order
 * @long_size: bytes of a long
 * @compression: name of the compression; "none" without
 * @formats: formats of the events
 * @format_count: number of @formats
 * @names: the kernel's files with names, each NULL if the trace lacks it
 * @clock: name of the clock; NULL if unknown
 * @uname: machine and kernel; NULL if unknown
 * @tracer: program and version that wrote the file; NULL if unknown
 * @statistics: of the CPUs, as texts one after another; NULL without
 * @trace_id: number of the recording; 0 if unknown
 * @wall: the times are those of the wall clock
 * @scaled: the times are converted to nanoseconds
 * @times: how times are converted
 * @buffers: main buffer, then the instances
 * @buffer_count: number of @buffers
 * @buffer: the one that is read
 * @cpu_count: number of CPUs that the file names
 * @section_count: number of descriptions that were read, as far as they have sections
 */
struct tring_dat_file {
	char		*path;
	char		*instance;
	struct tring_input input;
	unsigned int	version;
	bool		big_endian;
	unsigned int	long_size;
	char		*compression;
	struct tring_dat_format *formats;
	size_t		format_count;
	char		*names[TRING_DAT_NAMES];
	char		*clock;
	char		*uname;
	char		*tracer;
	char		*statistics;
	uint64_t	trace_id;
	bool		wall;
	bool		scaled;
	struct tring_dat_clock times;
	struct tring_dat_buffer *buffers;
	size_t		buffer_count;
	struct tring_dat_buffer *buffer;
	uint32_t	cpu_count;
	unsigned int	section_count;
};

bool tring_dat_is(const char *path);
int tring_dat_open(struct tring_dat_file *file, const char *path, struct tring_input *input);
void tring_dat_close(struct tring_dat_file *file);
void tring_dat_describe(const struct tring_dat_file *file, struct tring_trace_info *info);
char *tring_dat_info_text(const struct tring_dat_file *file);

/* private to the files that read a trace.dat */
struct tring_dat_buffer *tring_dat_add_buffer(struct tring_dat_file *file, const char *name);
void tring_dat_take_headers(struct tring_dat_cursor *cursor);
void tring_dat_take_formats(struct tring_dat_file *file, struct tring_dat_cursor *cursor,
			    const char *system);
void tring_dat_take_systems(struct tring_dat_file *file, struct tring_dat_cursor *cursor);
void tring_dat_take_name(struct tring_dat_file *file, struct tring_dat_cursor *cursor,
			 enum tring_dat_names name);
struct tring_dat_cpu *tring_dat_add_cpu(struct tring_dat_buffer *buffer, uint32_t number);
void tring_dat_drop_cpus(struct tring_dat_buffer *buffer);
void tring_dat_take_pages(struct tring_dat_cursor *cursor, struct tring_dat_cpu *cpu);
void tring_dat_take_clock(struct tring_dat_file *file, struct tring_dat_cursor *cursor);
uint64_t tring_dat_take_options(struct tring_dat_file *file, struct tring_dat_cursor *cursor,
				struct tring_dat_cursor *whole);

#endif /* TRING_DAT_FILE_H */
