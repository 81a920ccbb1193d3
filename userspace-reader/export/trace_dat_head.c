// SPDX-License-Identifier: GPL-2.0
/*
 * What surrounds the pages of a trace.dat, which trace-cmd and KernelShark read: version 6 of
 * the format, as trace-cmd.dat.v6(5) describes it. First come the files that describe the
 * events, then options, and the table of the CPUs' pages, which is filled in at the end.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace_dat_head.h"
#include "tring_version.h"
#include "util/clock.h"
#include "util/fold.h"
#include "util/store.h"
#include "util/util.h"

/* What follows the magic: the version of the format. */
#define MAGIC		"\x17\x08\x44tracing"
#define MAGIC_SIZE	10
#define FORMAT_VERSION	"6"
#define LONG_SIZE	8

enum option {
	OPTION_END = 0,
	OPTION_DATE = 1,
	OPTION_STATISTICS = 2,
	OPTION_CLOCK = 4,
	OPTION_UNAME = 5,
	OPTION_VERSION = 9,
	OPTION_TSC_TO_NS = 14,
};

/* The pages are this program's, whatever the traced kernel's look like. */
static const char header_page[] =
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
	"\tfield: char data;\toffset:16;\tsize:%zu;\tsigned:1;\n";

static const char header_event[] =
	"# compressed entry header\n"
	"\ttype_len    :    5 bits\n"
	"\ttime_delta  :   27 bits\n"
	"\tarray       :   32 bits\n"
	"\n"
	"\tpadding     : type == 29\n"
	"\ttime_extend : type == 30\n"
	"\ttime_stamp : type == 31\n"
	"\tdata max type_len  == 28\n";

/* Numbers at the end of the file take the place of as many characters. */
#define STATISTICS	"CPU: %d\nread events: %20" PRIu64 "\nlost events: %20" PRIu64 \
			"\nlost behind the last event: %20" PRIu64 "\n\n"

static void add_number(struct tring_trace_dat *dat, uint64_t value, size_t size)
{
	uint8_t bytes[8];
	size_t i;

	for (i = 0; i < size; i++)
		bytes[dat->big_endian ? size - 1 - i : i] = value >> 8 * i;
	tring_output_add(&dat->output, bytes, size);
}

/* With the NUL at its end. */
static void add_string(struct tring_trace_dat *dat, const char *text)
{
	tring_output_add(&dat->output, text, strlen(text) + 1);
}

/* @length_size: bytes of the length that precedes the text */
static void add_text(struct tring_trace_dat *dat, const char *text, size_t size,
		     size_t length_size)
{
	add_number(dat, size, length_size);
	tring_output_add(&dat->output, text, size);
}

static void add_headers(struct tring_trace_dat *dat)
{
	char *page = tring_format(header_page, dat->page_size - TRING_FTRACE_PAGE_HEAD);

	add_string(dat, "header_page");
	add_text(dat, page, strlen(page), 8);
	add_string(dat, "header_event");
	add_text(dat, header_event, strlen(header_event), 8);
	free(page);
}

static bool is_of(const struct tring_event *event, const char *system)
{
	return !strcmp(event->system, system);
}

/* Formats that libtraceevent evaluates wrongly are changed, as report does it. */
static void add_formats(struct tring_trace_dat *dat, const char *system)
{
	size_t events = tring_event_count(dat->trace), i;
	uint32_t count = 0;

	for (i = 0; i < events; i++)
		count += is_of(tring_event_at(dat->trace, i), system);
	add_number(dat, count, 4);
	for (i = 0; i < events; i++) {
		const struct tring_event *event = tring_event_at(dat->trace, i);
		char *text;

		if (!is_of(event, system))
			continue;
		text = tring_format("%s", event->text);
		tring_fold_constants(text, LONG_SIZE);
		add_text(dat, text, strlen(text), 8);
		free(text);
	}
}

/* Return: true if no event before it has the same system. */
static bool begins_system(const struct tring_trace *trace, size_t index)
{
	const char *system = tring_event_at(trace, index)->system;
	size_t i;

	if (!strcmp(system, "ftrace"))
		return false;
	for (i = 0; i < index; i++)
		if (is_of(tring_event_at(trace, i), system))
			return false;
	return true;
}

static void add_events(struct tring_trace_dat *dat)
{
	size_t events = tring_event_count(dat->trace), i;
	uint32_t systems = 0;

	add_formats(dat, "ftrace");
	for (i = 0; i < events; i++)
		systems += begins_system(dat->trace, i);
	add_number(dat, systems, 4);
	for (i = 0; i < events; i++) {
		const char *system = tring_event_at(dat->trace, i)->system;

		if (!begins_system(dat->trace, i))
			continue;
		add_string(dat, system);
		add_formats(dat, system);
	}
}

/* A trace may lack the file. */
static int add_file(struct tring_trace_dat *dat, const char *file, size_t length_size)
{
	size_t size;
	char *text = tring_file(dat->trace, file, &size);
	int error = text || errno == ENOENT ? 0 : -errno;

	if (error)
		tring_error("%s: %s", file, tring_errno_text(-error));
	add_text(dat, text ? text : "", size, length_size);
	free(text);
	return error;
}

static void add_option(struct tring_trace_dat *dat, enum option option, const char *text)
{
	add_number(dat, option, 2);
	add_text(dat, text, strlen(text) + 1, 4);
}

/*
 * All times in the file are nanoseconds, but trace-cmd takes those of some clocks for
 * something else, unless it is told how to convert them.
 */
static void add_clock(struct tring_trace_dat *dat)
{
	const char *name = tring_env(dat->trace, "clock");
	char *clock = tring_format("[%s]\n", name);

	if (strcmp(name, "mono")) {
		add_number(dat, OPTION_TSC_TO_NS, 2);
		add_number(dat, 16, 4);
		add_number(dat, 1, 4);		/* factor */
		add_number(dat, 0, 4);		/* shift */
		add_number(dat, 0, 8);		/* offset */
	}
	add_option(dat, OPTION_CLOCK, clock);
	free(clock);
}

/* Microseconds from the Unix epoch to the clock's zero. */
static void add_date(struct tring_trace_dat *dat)
{
	struct tring_wall zero;
	char *date;

	tring_wall(dat->trace, 0, &zero);
	date = tring_format("0x%" PRIx64, tring_wall_ns(&zero) / 1000);
	add_option(dat, OPTION_DATE, date);
	free(date);
}

/* Return: text to free(). */
static char *statistics_text(int cpu, uint64_t events, uint64_t lost, uint64_t last)
{
	return tring_format(STATISTICS, cpu, events, lost, last);
}

static void add_options(struct tring_trace_dat *dat)
{
	char *uname = tring_format("Linux %s %s %s", tring_env(dat->trace, "hostname"),
				   tring_env(dat->trace, "kernel_release"),
				   tring_env(dat->trace, "architecture"));
	size_t i;

	add_string(dat, "options  ");
	if (dat->wall)
		add_date(dat);
	add_clock(dat);
	add_option(dat, OPTION_UNAME, uname);
	add_option(dat, OPTION_VERSION, "tring " TRING_VERSION);
	for (i = 0; i < dat->count; i++) {
		char *text = statistics_text(dat->cpus[i].cpu, 0, 0, 0);

		dat->cpus[i].statistics = tring_output_at(&dat->output) + 2 + 4;
		add_option(dat, OPTION_STATISTICS, text);
		free(text);
	}
	add_number(dat, OPTION_END, 2);
	free(uname);
}

static void add_zeroes(struct tring_trace_dat *dat, uint64_t size)
{
	static const uint8_t zeroes[4096];

	while (size) {
		size_t part = size < sizeof(zeroes) ? size : sizeof(zeroes);

		tring_output_add(&dat->output, zeroes, part);
		size -= part;
	}
}

/**
 * tring_trace_dat_open - begin a trace.dat
 * @dat: with its @trace and @wall, the rest is filled in; to be closed with
 *	tring_trace_dat_close(), unless after an error
 * @path: name that the file gets; only a trace.dat is replaced
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_trace_dat_open(struct tring_trace_dat *dat, const char *path)
{
	size_t i;

	dat->big_endian = tring_big_endian(dat->trace);
	dat->count = tring_cpu_count(dat->trace);
	dat->cpus = tring_allocate(dat->count * sizeof(*dat->cpus));
	for (i = 0; i < dat->count; i++)
		dat->cpus[i].cpu = tring_cpu_at(dat->trace, i);
	dat->page_size = TRING_FTRACE_PAGE;
	return tring_output_open(&dat->output, path, MAGIC, MAGIC_SIZE);
}

/* CPUs without a stream have a place in the table, too. */
static uint32_t cpus_in_table(const struct tring_trace_dat *dat)
{
	return dat->count ? dat->cpus[dat->count - 1].cpu + 1 : 1;
}

/**
 * tring_trace_dat_begin - write what precedes the pages
 * @dat: the file, which loses what it has; @dat->page_size is set
 *
 * Return: 0; or a negative errno if a file of the trace cannot be read, reported on
 * stderr, but what precedes the pages is written.
 */
int tring_trace_dat_begin(struct tring_trace_dat *dat)
{
	uint32_t cpus = cpus_in_table(dat);
	int error, later;

	tring_output_restart(&dat->output);
	tring_output_add(&dat->output, MAGIC, MAGIC_SIZE);
	add_string(dat, FORMAT_VERSION);
	add_number(dat, dat->big_endian, 1);
	add_number(dat, LONG_SIZE, 1);
	add_number(dat, dat->page_size, 4);
	add_headers(dat);
	add_events(dat);
	error = add_file(dat, "kallsyms", 4);
	later = add_file(dat, "printk_formats", 4);
	error = error ? error : later;
	later = add_file(dat, "saved_cmdlines", 8);
	error = error ? error : later;
	add_number(dat, cpus, 4);
	add_options(dat);
	add_string(dat, "flyrecord");
	dat->table = tring_output_at(&dat->output);
	add_zeroes(dat, 16ull * cpus);
	add_zeroes(dat, -tring_output_at(&dat->output) & (dat->page_size - 1));
	return error;
}

/**
 * tring_trace_dat_begin_cpu - begin with the pages of a CPU
 * @dat: the file; the caller adds the events to @dat->pages
 * @cpu: the CPU, of @dat->cpus
 */
void tring_trace_dat_begin_cpu(struct tring_trace_dat *dat, struct tring_trace_dat_cpu *cpu)
{
	cpu->start = tring_output_at(&dat->output);
	tring_ftrace_pages_init(&dat->pages, &dat->output, dat->big_endian,
				dat->page_size);
}

/**
 * tring_trace_dat_end_cpu - end the pages of a CPU
 * @dat: the file
 * @cpu: the CPU
 * @events: number of events
 * @lost: number of events lost, with @cpu->last
 */
void tring_trace_dat_end_cpu(struct tring_trace_dat *dat, struct tring_trace_dat_cpu *cpu,
			     uint64_t events, uint64_t lost)
{
	char *text = statistics_text(cpu->cpu, events, lost, cpu->last);

	tring_ftrace_pages_end(&dat->pages);
	tring_ftrace_pages_free(&dat->pages);
	cpu->size = tring_output_at(&dat->output) - cpu->start;
	tring_output_patch(&dat->output, cpu->statistics, text, strlen(text));
	free(text);
}

/**
 * tring_trace_dat_close - complete the file
 * @dat: the file
 *
 * Return: 0; or a negative errno, reported on stderr, without a file.
 */
int tring_trace_dat_close(struct tring_trace_dat *dat)
{
	size_t i;

	for (i = 0; i < dat->count; i++) {
		const struct tring_trace_dat_cpu *cpu = &dat->cpus[i];
		uint8_t entry[16];

		tring_store_u64(entry, cpu->start, dat->big_endian);
		tring_store_u64(entry + 8, cpu->size, dat->big_endian);
		tring_output_patch(&dat->output, dat->table + 16ull * cpu->cpu, entry,
				   sizeof(entry));
	}
	return tring_output_close(&dat->output);
}
