// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What a trace.dat says of its events and of itself: the copies of the kernel's files, the
 * clock, the machine, and where the pages of each CPU are.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "dat_file.h"
#include "dat_page.h"
#include "wire/wire.h"

#define MAGIC		"\x17\x08\x44tracing"
#define MAGIC_SIZE	10
#define VERSION_MIN	6
#define VERSION_SECTIONS 7

/* Sizes of pages that may be. */
#define PAGE_MIN	1024
#define PAGE_MAX	(64 * 1024 * 1024)

/* Words before what follows the descriptions in version 6. */
#define WORD_OPTIONS	"options  "
#define WORD_EVENTS	"flyrecord"
#define WORD_TEXT	"latency  "
#define WORD_SIZE	10

#define SECTION_BUFFER	3

/* Sections of options, which may lead to each other in a circle. */
#define SECTIONS_MAX	10000

/* Of any machine. */
#define CPUS_MAX	(1u << 20)

/* Of the statistics that "tring convert" writes. */
#define LAST_LOSS	"lost behind the last event:"

static bool is_file(const char *path)
{
	struct stat info;

	return !stat(path, &info) && S_ISREG(info.st_mode);
}

/* "FILE:INSTANCE", if there is no file of that name. Return: the colon, or NULL. */
static const char *find_instance(const char *path)
{
	const char *colon = strrchr(path, ':');
	char *name;
	bool found;

	if (!colon || is_file(path))
		return NULL;
	name = tring_format("%.*s", (int)(colon - path), path);
	found = is_file(name);
	free(name);
	return found ? colon : NULL;
}

/**
 * tring_dat_is - check whether a trace is a file, not a directory
 * @path: the trace, or a file and the name of an instance
 *
 * Return: true if it is.
 */
bool tring_dat_is(const char *path)
{
	return is_file(path) || find_instance(path);
}

/**
 * tring_dat_add_buffer - add a buffer
 * @file: the file
 * @name: name of the instance; empty for the main buffer, which exists
 *
 * Return: the buffer.
 */
struct tring_dat_buffer *tring_dat_add_buffer(struct tring_dat_file *file, const char *name)
{
	const size_t count = file->buffer_count;
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(file->buffers[i].name, name))
			return &file->buffers[i];
	file->buffers = tring_one_more(file->buffers, count, sizeof(*file->buffers));
	file->buffers[count] = (struct tring_dat_buffer) { .name = tring_format("%s", name) };
	return &file->buffers[file->buffer_count++];
}

/**
 * tring_dat_take_formats - take the formats of a system's events
 * @file: the formats are added to it
 * @cursor: moved behind them
 * @system: name of the system
 */
void tring_dat_take_formats(struct tring_dat_file *file, struct tring_dat_cursor *cursor,
			    const char *system)
{
	uint64_t count = tring_dat_number(cursor, 4);

	cursor->part = "the events' formats";
	for (; count && !cursor->bad; count--) {
		struct tring_dat_format format = { 0 };

		format.text = tring_dat_text(cursor, 8, &format.size);
		if (!format.text)
			return;
		format.system = tring_format("%s", system);
		file->formats = tring_one_more(file->formats, file->format_count, sizeof(format));
		file->formats[file->format_count++] = format;
	}
}

/**
 * tring_dat_take_systems - take the formats of all systems but ftrace's own
 * @file: the formats are added to it
 * @cursor: moved behind them
 */
void tring_dat_take_systems(struct tring_dat_file *file, struct tring_dat_cursor *cursor)
{
	uint64_t count = tring_dat_number(cursor, 4);

	for (; count && !cursor->bad; count--)
		tring_dat_take_formats(file, cursor, tring_dat_string(cursor));
}

/**
 * tring_dat_take_name - take a file with names
 * @file: filled in
 * @cursor: moved behind it
 * @name: which file
 */
void tring_dat_take_name(struct tring_dat_file *file, struct tring_dat_cursor *cursor,
			 enum tring_dat_names name)
{
	static const char * const parts[] = {
		"the names of functions", "the kernel's strings", "the names of tasks",
	};

	cursor->part = parts[name];
	free(file->names[name]);
	file->names[name] = tring_dat_text(cursor, name == TRING_DAT_CMDLINES ? 8 : 4, NULL);
}

static void check_page_size(struct tring_dat_cursor *cursor, uint64_t size)
{
	if (size < PAGE_MIN || size > PAGE_MAX || size & (size - 1))
		tring_dat_fail(cursor, "the size of a page is out of range");
}

/**
 * tring_dat_take_headers - check how pages and events are laid out
 * @cursor: moved behind it
 */
void tring_dat_take_headers(struct tring_dat_cursor *cursor)
{
	static const char * const wanted[] = {
		" timestamp;\toffset:0;\tsize:8;", " commit;\toffset:8;\tsize:", " data;\toffset:",
	};
	char *text;
	size_t i;

	cursor->part = "the description of pages";
	if (!tring_dat_word(cursor, "header_page", sizeof("header_page")))
		tring_dat_fail(cursor, "it is not there");
	text = tring_dat_text(cursor, 8, NULL);
	for (i = 0; text && i < sizeof(wanted) / sizeof(wanted[0]); i++)
		if (!strstr(text, wanted[i]))
			tring_dat_fail(cursor, "it is none of ftrace's pages");
	free(text);
	if (!tring_dat_word(cursor, "header_event", sizeof("header_event")))
		tring_dat_fail(cursor, "it is not there");
	tring_dat_bytes(cursor, tring_dat_number(cursor, 8));
}

/* Version 6: options, if any, and then the places of the CPUs' pages. */
static void take_places(struct tring_dat_file *file, struct tring_dat_cursor *cursor,
			struct tring_dat_buffer *buffer, uint64_t page_size)
{
	struct tring_dat_cursor whole = *cursor;
	size_t number = buffer - file->buffers, i;

	cursor->part = "the options";
	if (tring_dat_word(cursor, WORD_OPTIONS, WORD_SIZE))
		tring_dat_take_options(file, cursor, &whole);
	buffer = &file->buffers[number];
	cursor->part = "the table of the CPUs";
	if (tring_dat_word(cursor, WORD_TEXT, WORD_SIZE))
		tring_dat_fail(cursor, "it has the text of a latency tracer, but no events");
	else if (!tring_dat_word(cursor, WORD_EVENTS, WORD_SIZE))
		tring_dat_fail(cursor, "it is not there");
	if (!cursor->bad && file->cpu_count > (cursor->size - cursor->at) / 16)
		tring_dat_fail(cursor, "the file ends in the middle of it, or is damaged");
	if (cursor->bad)
		return;
	buffer->page_size = page_size;
	tring_dat_drop_cpus(buffer);
	for (i = 0; i < file->cpu_count; i++)
		tring_dat_take_pages(cursor, tring_dat_add_cpu(buffer, i));
	tring_dat_take_clock(file, cursor);
}

/* Each part follows the one before it. */
static void take_version_6(struct tring_dat_file *file, struct tring_dat_cursor *cursor,
			   uint64_t page_size)
{
	tring_dat_take_headers(cursor);
	tring_dat_take_formats(file, cursor, "ftrace");
	tring_dat_take_systems(file, cursor);
	tring_dat_take_name(file, cursor, TRING_DAT_KALLSYMS);
	tring_dat_take_name(file, cursor, TRING_DAT_PRINTK);
	tring_dat_take_name(file, cursor, TRING_DAT_CMDLINES);
	file->cpu_count = tring_dat_number(cursor, 4);
	tring_dat_add_buffer(file, "");
	take_places(file, cursor, file->buffers, page_size);
}

/* Options lead to all other parts, and to further options. */
static void take_version_7(struct tring_dat_file *file, struct tring_dat_cursor *cursor)
{
	struct tring_dat_cursor whole = *cursor;
	unsigned int sections = 0;
	uint64_t offset;

	cursor->part = "the options";
	offset = tring_dat_number(cursor, 8);
	while (offset && !cursor->bad) {
		struct tring_dat_cursor options = *cursor;
		unsigned int id, flags;

		tring_dat_seek(&options, offset);
		id = tring_dat_number(&options, 2);
		flags = tring_dat_number(&options, 2);
		tring_dat_bytes(&options, 4 + 8);
		if (id || ++sections > SECTIONS_MAX)
			tring_dat_fail(&options, "they are not where they should be");
		if (flags & 1)
			tring_dat_decompress(&options);
		offset = tring_dat_take_options(file, &options, &whole);
		tring_dat_end(&options);
		cursor->bad |= options.bad;
	}
}

static bool first_is_damaged(const struct tring_dat_file *file, const struct tring_dat_cpu *cpu)
{
	uint64_t room = file->buffer->page_size;
	struct tring_dat_page page;

	if (room > cpu->size)
		room = cpu->size;
	return !tring_dat_page_begin(&page, (const uint8_t *)file->input.data + cpu->offset, room,
				     file->big_endian, file->long_size);
}

/* The pages of all CPUs have to be there. */
static void check_buffer(const struct tring_dat_file *file, struct tring_dat_cursor *cursor)
{
	const struct tring_dat_buffer *buffer = file->buffer;
	bool compressed = buffer->compressed;
	size_t i;

	cursor->part = "the table of the CPUs";
	check_page_size(cursor, buffer->page_size);
	for (i = 0; i < buffer->count && !cursor->bad; i++) {
		const struct tring_dat_cpu *cpu = &buffer->cpus[i];
		char *why = tring_format("CPU %u: %s", cpu->cpu,
					 "its pages lie behind the end of the file, which was cut off");

		if (cpu->size &&
		    (cpu->offset > cursor->size || cpu->size > cursor->size - cpu->offset))
			tring_dat_fail(cursor, why);
		else if (cpu->size && !compressed && cpu->offset & (buffer->page_size - 1))
			tring_dat_fail(cursor, "a CPU's pages do not begin with a page");
		else if (cpu->size && !compressed && first_is_damaged(file, cpu))
			tring_dat_fail(cursor, "the first page of a CPU is damaged");
		else if (cpu->cpu >= CPUS_MAX)
			tring_dat_fail(cursor, "the number of a CPU is out of range");
		free(why);
	}
}

/* Version 7: the section of a buffer tells whether its pages are compressed. */
static void take_flags(struct tring_dat_cursor *cursor, struct tring_dat_buffer *buffer)
{
	tring_dat_seek(cursor, buffer->offset);
	if (tring_dat_number(cursor, 2) != SECTION_BUFFER)
		tring_dat_fail(cursor, "they are not where they should be");
	buffer->compressed = tring_dat_number(cursor, 2) & 1;
}

static void choose_buffer(struct tring_dat_file *file, struct tring_dat_cursor *cursor,
			  uint64_t page_size)
{
	const char *wanted = file->instance ? file->instance : "";
	size_t i;

	for (i = 0; i < file->buffer_count; i++)
		if (!strcmp(file->buffers[i].name, wanted))
			break;
	cursor->part = "the buffers";
	if (i == file->buffer_count && file->instance)
		tring_dat_fail(cursor, "the file has no such instance");
	else if (i == file->buffer_count)
		tring_dat_fail(cursor, "there is no main one with events");
	if (cursor->bad)
		return;
	/* they are of the main buffer alone */
	if (file->instance)
		tring_dat_drop_shifts(&file->times);
	if (file->version < VERSION_SECTIONS && file->instance) {
		cursor->part = "an instance";
		tring_dat_seek(cursor, file->buffers[i].offset);
		take_places(file, cursor, &file->buffers[i], page_size);
	}
	file->buffer = &file->buffers[i];
	if (!file->instance)
		file->buffer->page_size = page_size;
	if (file->version >= VERSION_SECTIONS)
		take_flags(cursor, file->buffer);
	if (!cursor->bad)
		check_buffer(file, cursor);
}

/* In version 7 a CPU without pages may have no place, and gets one. */
static struct tring_dat_cpu *find_cpu(struct tring_dat_buffer *buffer, uint32_t number)
{
	size_t i;

	for (i = 0; i < buffer->count; i++)
		if (buffer->cpus[i].cpu == number)
			return &buffer->cpus[i];
	return tring_dat_add_cpu(buffer, number);
}

/* Lines of all CPUs, each of which begins with "CPU: N". */
static void find_last_losses(struct tring_dat_file *file)
{
	char *rest = file->statistics, *line;
	unsigned int number = CPUS_MAX;
	uint64_t events;

	while (rest && (line = strsep(&rest, "\n"))) {
		if (sscanf(line, "CPU: %u", &number) == 1 || number >= CPUS_MAX ||
		    strncmp(line, LAST_LOSS, strlen(LAST_LOSS)))
			continue;
		events = strtoull(line + strlen(LAST_LOSS), NULL, 10);
		if (events)
			find_cpu(file->buffer, number)->last_loss = events;
	}
}

static void take_all(struct tring_dat_file *file, struct tring_dat_cursor *cursor)
{
	const char *version;
	uint64_t page_size;

	cursor->part = "the file's head";
	if (!tring_dat_word(cursor, MAGIC, MAGIC_SIZE)) {
		tring_error("%s: it is neither a trace.dat nor a directory that tring record made",
			    file->path);
		cursor->bad = true;
		return;
	}
	version = tring_dat_string(cursor);
	file->version = strtoul(version, NULL, 10);
	if (file->version < VERSION_MIN || file->version > VERSION_SECTIONS) {
		tring_error("%s: version %s of trace.dat; this tring reads 6 and 7", file->path,
			    version);
		cursor->bad = true;
		return;
	}
	file->big_endian = tring_dat_number(cursor, 1);
	cursor->big_endian = file->big_endian;
	file->long_size = tring_dat_number(cursor, 1);
	if (file->long_size != 4 && file->long_size != 8)
		tring_dat_fail(cursor, "a long has neither 4 nor 8 bytes");
	page_size = tring_dat_number(cursor, 4);
	check_page_size(cursor, page_size);
	if (file->version >= VERSION_SECTIONS) {
		file->compression = tring_format("%s", tring_dat_string(cursor));
		tring_dat_string(cursor);
		if (strcmp(file->compression, "none") && strcmp(file->compression, "zstd"))
			tring_dat_fail(cursor, "it is compressed by something else than zstd");
		take_version_7(file, cursor);
	} else {
		file->compression = tring_format("none");
		take_version_6(file, cursor, page_size);
	}
	if (!cursor->bad)
		choose_buffer(file, cursor, page_size);
}

/* What was not asked for is named, as it is not printed. */
static void tell_of_instances(const struct tring_dat_file *file)
{
	size_t i;

	for (i = 0; i < file->buffer_count && !file->instance; i++)
		if (*file->buffers[i].name)
			tring_note("%s: the events of the instance %s are in %s:%s", file->path,
				   file->buffers[i].name, file->path, file->buffers[i].name);
}

/**
 * tring_dat_open - read what a trace.dat says of its events
 * @file: filled in; to be closed also after an error
 * @path: the file; "FILE:INSTANCE" for the events of an instance
 * @input: what it has, for @file to close, and @path is for messages; NULL for the file
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_dat_open(struct tring_dat_file *file, const char *path, struct tring_input *input)
{
	const char *colon = input ? NULL : find_instance(path);
	struct tring_dat_cursor cursor = { 0 };
	int error = 0;

	memset(file, 0, sizeof(*file));
	file->path = tring_format("%.*s", colon ? (int)(colon - path) : (int)strlen(path), path);
	file->instance = colon ? tring_format("%s", colon + 1) : NULL;
	if (input)
		file->input = *input;
	else
		error = tring_input_open(&file->input, file->path);
	if (error)
		return error;
	cursor.path = file->path;
	cursor.data = file->input.data;
	cursor.size = file->input.size;
	take_all(file, &cursor);
	if (cursor.bad)
		return -EINVAL;
	find_last_losses(file);
	tell_of_instances(file);
	return 0;
}

/**
 * tring_dat_close - free what a trace.dat says
 * @file: from tring_dat_open()
 */
void tring_dat_close(struct tring_dat_file *file)
{
	size_t i;

	for (i = 0; i < file->format_count; i++) {
		free(file->formats[i].system);
		free(file->formats[i].text);
	}
	for (i = 0; i < file->buffer_count; i++) {
		free(file->buffers[i].name);
		free(file->buffers[i].cpus);
	}
	for (i = 0; i < TRING_DAT_NAMES; i++)
		free(file->names[i]);
	tring_dat_drop_shifts(&file->times);
	free(file->formats);
	free(file->buffers);
	free(file->path);
	free(file->instance);
	free(file->compression);
	free(file->clock);
	free(file->uname);
	free(file->tracer);
	free(file->statistics);
	tring_input_close(&file->input);
	memset(file, 0, sizeof(*file));
}
