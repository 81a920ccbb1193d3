// SPDX-License-Identifier: LGPL-2.1-or-later
/* Properties of a trace.dat, as far as it has those of a trace. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dat_file.h"

/* What stands in place of the clock's name if the file does not tell it. */
#define CLOCK_UNKNOWN	"unknown"

/* A processor's cycles have a name of tring's, too. */
static const char *clock_name(const struct tring_dat_file *file)
{
	if (!file->clock)
		return CLOCK_UNKNOWN;
	if (!strcmp(file->clock, "x86-tsc") || !strcmp(file->clock, "tsc2nsec"))
		return "tsc";
	return file->clock;
}

/* Clocks that do not count nanoseconds. */
static bool counts_ns(const struct tring_dat_file *file)
{
	static const char * const others[] = { "counter", "x86-tsc", "ppc-tb" };
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (file->clock && !file->scaled && !strcmp(file->clock, others[i]))
			return false;
	return true;
}

/*
 * The name of the machine, the kernel's release and the architecture stand behind "Linux";
 * what is between the last two is the kernel's version.
 */
static void describe_machine(const char *uname, struct tring_trace_info *info)
{
	char host[sizeof(info->hostname)], release[256], machine[256];
	const char *last = strrchr(uname, ' ');

	if (sscanf(uname, "%*s %63s %255s", host, release) != 2 || !last)
		return;
	snprintf(machine, sizeof(machine), "%s", last + 1);
	snprintf(info->hostname, sizeof(info->hostname), "%s", host);
	snprintf(info->origins[0], sizeof(info->origins[0]), "%s", release);
	snprintf(info->origins[1], sizeof(info->origins[1]), "%s", machine);
}

/**
 * tring_dat_describe - get the properties of a trace.dat
 * @file: from tring_dat_open()
 * @info: filled in; the times are nanoseconds, as trace-cmd converts them
 */
void tring_dat_describe(const struct tring_dat_file *file, struct tring_trace_info *info)
{
	size_t i;

	memset(info, 0, sizeof(*info));
	info->big_endian = file->big_endian;
	info->clock_frequency = 1000000000;
	info->no_wall = !file->wall;
	/* in CTF it has to be an identifier */
	snprintf(info->clock, sizeof(info->clock), "%s", clock_name(file));
	for (i = 0; info->clock[i]; i++)
		if (info->clock[i] == '-')
			info->clock[i] = '_';
	memcpy(info->uuid, &file->trace_id, sizeof(file->trace_id));
	if (file->uname)
		describe_machine(file->uname, info);
	if (!counts_ns(file))
		tring_note("%s: the clock %s does not count nanoseconds, which its numbers are %s",
			   file->path, file->clock, "shown as");
}

static void add(char **text, const char *key, const char *value)
{
	tring_extend(text, "%s=%s\n", key, value);
}

static void add_number(char **text, const char *key, uint64_t number)
{
	char *value = tring_format("%" PRIu64, number);

	add(text, key, value);
	free(value);
}

/**
 * tring_dat_info_text - get what a trace.dat says of itself
 * @file: from tring_dat_open()
 *
 * Return: lines of key=value, to free().
 */
char *tring_dat_info_text(const struct tring_dat_file *file)
{
	char *text = NULL;
	size_t i;

	add(&text, "format", "trace.dat");
	add_number(&text, "format_version", file->version);
	add(&text, "compression", file->compression);
	add(&text, "byte_order", file->big_endian ? "be" : "le");
	add_number(&text, "long_size", file->long_size);
	add_number(&text, "page_size", file->buffer->page_size);
	add(&text, "clock", file->clock ? file->clock : CLOCK_UNKNOWN);
	add(&text, "wall_clock", file->wall ? "known" : "unknown");
	if (file->uname)
		add(&text, "uname", file->uname);
	if (file->tracer)
		add(&text, "tracer", file->tracer);
	if (file->trace_id)
		add_number(&text, "trace_id", file->trace_id);
	add_number(&text, "cpus", file->buffer->count);
	add_number(&text, "formats", file->format_count);
	for (i = 0; i < file->buffer_count; i++)
		if (*file->buffers[i].name)
			add(&text, "instance", file->buffers[i].name);
	return text;
}
