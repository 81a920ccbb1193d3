// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Options of a trace.dat, as trace-cmd.dat.v6(5) and trace-cmd.dat.v7(5) describe them. In
 * version 7 they lead to all that the file has, in sections that may be compressed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dat_file.h"

enum option {
	OPTION_DONE = 0,
	OPTION_DATE = 1,
	OPTION_STATISTICS = 2,
	OPTION_BUFFER = 3,
	OPTION_CLOCK = 4,
	OPTION_UNAME = 5,
	OPTION_OFFSET = 7,
	OPTION_CPU_COUNT = 8,
	OPTION_VERSION = 9,
	OPTION_TRACE_ID = 11,
	OPTION_TIME_SHIFT = 12,
	OPTION_TSC_TO_NS = 14,
	OPTION_HEADERS = 16,
	OPTION_FTRACE_EVENTS = 17,
	OPTION_EVENTS = 18,
	OPTION_KALLSYMS = 19,
	OPTION_PRINTK = 20,
	OPTION_CMDLINES = 21,
};

/* Characters of a kernel's file trace_clock. */
#define CLOCKS_MAX		1024

/*
 * Sections of descriptions, of which trace-cmd writes six. Many options may lead to one, and each
 * decompresses it anew.
 */
#define DESCRIPTIONS_MAX	64

/* Flag of a section. */
#define SECTION_COMPRESSED	1

/**
 * tring_dat_take_pages - take where a CPU's pages are
 * @cursor: moved behind it
 * @cpu: filled in; the numbers may be anything
 */
void tring_dat_take_pages(struct tring_dat_cursor *cursor, struct tring_dat_cpu *cpu)
{
	cpu->offset = tring_dat_number(cursor, 8);
	cpu->size = tring_dat_number(cursor, 8);
}

/**
 * tring_dat_add_cpu - add a CPU without pages to a buffer
 * @buffer: the buffer
 * @number: number of the CPU
 *
 * Return: the CPU, valid until the next one is added.
 */
struct tring_dat_cpu *tring_dat_add_cpu(struct tring_dat_buffer *buffer, uint32_t number)
{
	buffer->cpus = tring_one_more(buffer->cpus, buffer->count, sizeof(*buffer->cpus));
	buffer->cpus[buffer->count] = (struct tring_dat_cpu) { .cpu = number };
	return &buffer->cpus[buffer->count++];
}

/**
 * tring_dat_drop_cpus - let a buffer have no CPU
 * @buffer: the buffer
 */
void tring_dat_drop_cpus(struct tring_dat_buffer *buffer)
{
	free(buffer->cpus);
	buffer->cpus = NULL;
	buffer->count = 0;
}

static void take_buffer(struct tring_dat_file *file, struct tring_dat_cursor *option)
{
	uint64_t offset = tring_dat_number(option, 8);
	struct tring_dat_buffer *buffer = tring_dat_add_buffer(file, tring_dat_string(option));
	struct tring_dat_cpu *cpu;
	const char *clock;
	uint32_t count;

	buffer->offset = offset;
	if (file->version < 7)
		return;
	clock = tring_dat_string(option);
	if (!*buffer->name && !file->clock && *clock)
		file->clock = tring_format("%s", clock);
	buffer->page_size = tring_dat_number(option, 4);
	count = tring_dat_number(option, 4);
	/* 4 bytes for the CPU's number, and twice 8 */
	if (count > (option->size - option->at) / 20) {
		tring_dat_fail(option, "it names more CPUs than it has room for");
		count = 0;
	}
	/* the last one of a name counts */
	tring_dat_drop_cpus(buffer);
	while (count--) {
		cpu = tring_dat_add_cpu(buffer, tring_dat_number(option, 4));
		tring_dat_take_pages(option, cpu);
	}
}

/* The clock in use is between brackets. */
static void take_clock(struct tring_dat_file *file, const char *text)
{
	const char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;

	if (file->clock || !close)
		return;
	file->clock = tring_format("%.*s", (int)(close - open - 1), open + 1);
}

/**
 * tring_dat_take_clock - take the clock from behind the table of the CPUs, if it is there
 * @file: filled in, unless an option has the clock
 * @cursor: the place, where there may be anything else
 */
void tring_dat_take_clock(struct tring_dat_file *file, struct tring_dat_cursor *cursor)
{
	struct tring_dat_cursor tail = *cursor;
	char *text;

	if (file->clock || cursor->size - cursor->at < 8 || tring_dat_number(&tail, 8) > CLOCKS_MAX)
		return;
	tail = *cursor;
	text = tail.size - tail.at < 8 + CLOCKS_MAX ? NULL : tring_dat_text(&tail, 8, NULL);
	if (text)
		take_clock(file, text);
	free(text);
}

static void replace(char **text, const char *by)
{
	free(*text);
	*text = tring_format("%s", by);
}

static void take_section(struct tring_dat_file *file, struct tring_dat_cursor *whole,
			 unsigned int id, uint64_t offset)
{
	struct tring_dat_cursor section = *whole;
	unsigned int flags;

	section.part = "a section";
	tring_dat_seek(&section, offset);
	if (++file->section_count > DESCRIPTIONS_MAX)
		tring_dat_fail(&section, "the options name more than any trace.dat has");
	if (tring_dat_number(&section, 2) != id)
		tring_dat_fail(&section, "it is another one than the options say");
	flags = tring_dat_number(&section, 2);
	/* a description, and the size, which the content tells, too */
	tring_dat_bytes(&section, 4 + 8);
	if (flags & SECTION_COMPRESSED)
		tring_dat_decompress(&section);
	if (id == OPTION_HEADERS)
		tring_dat_take_headers(&section);
	else if (id == OPTION_FTRACE_EVENTS)
		tring_dat_take_formats(file, &section, "ftrace");
	else if (id == OPTION_EVENTS)
		tring_dat_take_systems(file, &section);
	else if (id >= OPTION_KALLSYMS)
		tring_dat_take_name(file, &section, TRING_DAT_KALLSYMS + id - OPTION_KALLSYMS);
	tring_dat_end(&section);
	whole->bad |= section.bad;
}

/* @text: the option's content as a text. Options of no use here are left out. */
static void take_option(struct tring_dat_file *file, struct tring_dat_cursor *option,
			unsigned int id, const char *text,
			struct tring_dat_cursor *whole)
{
	switch (id) {
	case OPTION_DATE:
		file->wall = true;
		/* microseconds */
		file->times.offset += (uint64_t)strtoll(text, NULL, 0) * 1000;
		break;
	case OPTION_OFFSET:
		file->times.offset += strtoll(text, NULL, 0);
		break;
	case OPTION_TIME_SHIFT:
		tring_dat_take_shifts(&file->times, option);
		break;
	case OPTION_STATISTICS:
		tring_extend(&file->statistics, "%s\n", text);
		break;
	case OPTION_BUFFER:
		take_buffer(file, option);
		break;
	case OPTION_CLOCK:
		take_clock(file, text);
		break;
	case OPTION_UNAME:
		replace(&file->uname, text);
		break;
	case OPTION_CPU_COUNT:
		file->cpu_count = tring_dat_number(option, 4);
		break;
	case OPTION_VERSION:
		replace(&file->tracer, text);
		break;
	case OPTION_TRACE_ID:
		file->trace_id = tring_dat_number(option, 8);
		break;
	case OPTION_TSC_TO_NS:
		file->scaled = true;
		tring_dat_take_scale(&file->times, option);
		break;
	case OPTION_HEADERS ... OPTION_CMDLINES:
		take_section(file, whole, id, tring_dat_number(option, 8));
		break;
	}
}

/**
 * tring_dat_take_options - take options up to their end
 * @file: filled in
 * @cursor: moved behind the options
 * @whole: the whole file
 *
 * Return: offset of further options; 0 if there are none.
 */
uint64_t tring_dat_take_options(struct tring_dat_file *file, struct tring_dat_cursor *cursor,
				struct tring_dat_cursor *whole)
{
	while (!cursor->bad) {
		unsigned int id = tring_dat_number(cursor, 2);
		struct tring_dat_cursor option;
		size_t size;
		char *text;

		if (id == OPTION_DONE && file->version < 7)
			break;
		text = tring_dat_text(cursor, 4, &size);
		if (!text)
			break;
		option = *cursor;
		option.size = cursor->at;
		option.at = cursor->at - size;
		if (id == OPTION_DONE) {
			free(text);
			return tring_dat_number(&option, 8);
		}
		take_option(file, &option, id, text, whole);
		cursor->bad |= option.bad | whole->bad;
		free(text);
	}
	return 0;
}
