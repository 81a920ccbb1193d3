// SPDX-License-Identifier: GPL-2.0
/* tring report: a recorded trace as text, all CPUs in time order. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "printer.h"
#include "stats.h"
#include "trace_dir.h"
#include "trace_info.h"
#include "tring_parse.h"
#include "util.h"

#define OUTPUT_BUFFER	(256 * 1024)

/**
 * struct report_cpu - one CPU of a trace
 * @cpu: its number
 * @path: its packets
 * @input: the same in memory
 * @stream: the same walked
 * @lost: all that was lost up to the end, as the ring counted
 * @know_lost: is that known?
 */
struct report_cpu {
	int		cpu;
	char		*path;
	struct tring_input input;
	struct tring_stream stream;
	uint64_t	lost;
	bool		know_lost;
};

/**
 * struct report - a trace
 * @dir: its directory
 * @info: what the ring said of itself
 * @events: descriptions
 * @cpus: CPUs that have packets
 * @count: how many
 * @bad: things wrong outside the streams
 */
struct report {
	const char	*dir;
	struct tring_trace_info info;
	struct tring_events events;
	struct report_cpu *cpus;
	size_t		count;
	uint64_t	bad;
};

static void print_error(const struct tring_stream *stream, uint64_t offset,
			enum tring_reason reason, uint64_t skipped)
{
	const struct report_cpu *cpu = stream->private;

	tring_error_at(cpu->path, offset, reason, skipped);
}

static int is_stream(const struct dirent *entry)
{
	uint64_t cpu;

	return !strncmp(entry->d_name, "cpu", 3) &&
	       tring_parse_number(entry->d_name + 3, &cpu) && cpu < 1000000;
}

static bool read_stats(const struct report *report, int cpu, const char *tail,
		       uint64_t *lost)
{
	char *name = tring_format("cpu%d.%s", cpu, tail);
	char *path = tring_extra_path(report->dir, name);
	char *text = tring_read_text(path, NULL);
	struct tring_stats stats;
	bool good = text && !tring_stats_parse(&stats, text);

	if (good)
		*lost = tring_stats_lost(&stats);
	free(text);
	free(path);
	free(name);
	return good;
}

static void open_stream(struct report *report, const char *name)
{
	struct report_cpu *cpu = &report->cpus[report->count];
	uint64_t start;

	cpu->cpu = atoi(name + 3);
	cpu->path = tring_trace_path(report->dir, name);
	if (tring_input_open(&cpu->input, cpu->path)) {
		free(cpu->path);
		report->bad++;
		return;
	}
	tring_stream_init(&cpu->stream, cpu->input.data, cpu->input.size);
	cpu->stream.report = print_error;
	cpu->stream.private = cpu;
	tring_stream_know_uuid(&cpu->stream, report->info.uuid);
	if (read_stats(report, cpu->cpu, "start", &start))
		tring_stream_know_discarded(&cpu->stream, start);
	cpu->know_lost = read_stats(report, cpu->cpu, "end", &cpu->lost);
	report->count++;
}

static int open_streams(struct report *report)
{
	struct dirent **names = NULL;
	int count = scandir(report->dir, &names, is_stream, versionsort), i;

	if (count < 0) {
		tring_error("%s: %s", report->dir, strerror(errno));
		return -ENOENT;
	}
	report->cpus = tring_allocate(count * sizeof(*report->cpus));
	for (i = 0; i < count; i++) {
		open_stream(report, names[i]->d_name);
		free(names[i]);
	}
	free(names);
	return 0;
}

static int read_info(struct report *report)
{
	char *path = tring_extra_path(report->dir, TRING_FILE_INFO);
	char *text = tring_read_text(path, NULL);
	int error = 0;

	if (!text) {
		error = -errno;
		tring_error("%s: %s; is %s a trace made by tring record?", path,
			    strerror(-error), report->dir);
	} else {
		error = tring_trace_info_parse(&report->info, text, path);
	}
	free(text);
	free(path);
	return error;
}

static void give_text(struct report *report, const char *file,
		      int (*parse)(struct tep_handle *tep, const char *text))
{
	char *path = tring_extra_path(report->dir, file);
	char *text = tring_read_text(path, NULL);

	if (text && *text)
		parse(report->events.tep, text);
	free(text);
	free(path);
}

static void give_header_page(struct report *report)
{
	char *path = tring_extra_path(report->dir, TRING_FILE_HEADER_PAGE);
	size_t size = 0;
	char *text = tring_read_text(path, &size);

	if (text && size)
		tep_parse_header_page(report->events.tep, text, size, 8);
	free(text);
	free(path);
}

static int load_events(struct report *report)
{
	char *dir = tring_extra_path(report->dir, TRING_FILE_EVENTS);
	struct tep_handle *tep = report->events.tep;
	enum tep_endian host = TRING_HOST_BIG_ENDIAN ? TEP_BIG_ENDIAN :
						       TEP_LITTLE_ENDIAN;
	int bad;

	tep_set_local_bigendian(tep, host);
	tep_set_file_bigendian(tep, report->info.big_endian ?
			       TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	give_header_page(report);
	give_text(report, TRING_FILE_KALLSYMS, tep_parse_kallsyms);
	give_text(report, TRING_FILE_PRINTK, tep_parse_printk_formats);
	give_text(report, TRING_FILE_CMDLINES, tep_parse_saved_cmdlines);
	bad = tring_events_add_all(&report->events, dir);
	free(dir);
	if (bad > 0)
		report->bad += bad;
	return bad < 0 ? bad : 0;
}

static void print_loss(int cpu, uint64_t events, uint64_t packets)
{
	if (events)
		printf("CPU:%d [LOST %" PRIu64 " EVENTS]\n", cpu, events);
	/* the ring counts the events of what it overwrites, a torn file not */
	if (packets)
		printf("CPU:%d [%" PRIu64 " PACKETS MISSING]\n", cpu, packets);
}

static void print_events(struct report *report)
{
	struct tring_merge_entry *entries, *entry;
	struct tring_printer printer;
	struct tring_merge merge;
	size_t i;

	entries = tring_allocate(report->count * sizeof(*entries));
	for (i = 0; i < report->count; i++)
		entries[i].stream = &report->cpus[i].stream;
	tring_printer_init(&printer, &report->events,
			   report->info.clock_frequency);
	tring_merge_init(&merge, entries, report->count);
	while ((entry = tring_merge_next(&merge))) {
		const struct tring_stream *stream = entry->stream;
		const struct report_cpu *cpu = stream->private;
		const char *wrong;

		print_loss(cpu->cpu, stream->lost_events, stream->lost_packets);
		if (entry->record.id == TRING_ID_DISCARDED)
			continue;
		wrong = tring_printer_print(&printer, stdout, &entry->record,
					    cpu->cpu);
		if (wrong) {
			tring_error("%s: offset 0x%" PRIx64 ": id %u: %s",
				    cpu->path, stream->packet.offset +
				    entry->record.offset, entry->record.id,
				    wrong);
			report->bad++;
		}
	}
	tring_printer_free(&printer);
	free(entries);
}

/* What the last packet could not know: it was closed before. */
static void print_last_losses(const struct report *report)
{
	size_t i;

	for (i = 0; i < report->count; i++) {
		const struct report_cpu *cpu = &report->cpus[i];
		uint64_t lost = cpu->stream.pending_events;

		if (cpu->know_lost && cpu->stream.know_discarded &&
		    cpu->lost > cpu->stream.seen_discarded)
			lost += cpu->lost - cpu->stream.seen_discarded;
		print_loss(cpu->cpu, lost, cpu->stream.pending_packets);
	}
}

static void close_report(struct report *report)
{
	size_t i;

	for (i = 0; i < report->count; i++) {
		tring_input_close(&report->cpus[i].input);
		free(report->cpus[i].path);
	}
	free(report->cpus);
	tring_events_free(&report->events);
}

/**
 * tring_cmd_report - print a trace
 * @argc: as main's
 * @argv: as main's
 *
 * Return: TRING_EXIT_OK, or _BAD if anything was wrong with the trace.
 */
int tring_cmd_report(int argc, char **argv)
{
	struct report report = { .dir = TRING_TRACE_DIR_DEFAULT };
	bool help = argc == 2 && (!strcmp(argv[1], "--help") ||
				  !strcmp(argv[1], "-h"));
	int error;
	size_t i;

	if (argc > 2 || help) {
		fputs("usage: tring report [DIR]\n\nPrints the trace in DIR, by default "
		      TRING_TRACE_DIR_DEFAULT ", one line an event.\n",
		      help ? stdout : stderr);
		return help ? TRING_EXIT_OK : TRING_EXIT_USAGE;
	}
	if (argc == 2)
		report.dir = argv[1];
	setvbuf(stdout, NULL, _IOFBF, OUTPUT_BUFFER);
	error = read_info(&report);
	if (!error)
		error = tring_events_init(&report.events);
	if (!error)
		error = load_events(&report);
	if (!error)
		error = open_streams(&report);
	if (!error) {
		print_events(&report);
		print_last_losses(&report);
		for (i = 0; i < report.count; i++)
			report.bad += report.cpus[i].stream.errors;
	}
	close_report(&report);
	if (fflush(stdout) || ferror(stdout))
		error = -EIO;
	return error || report.bad ? TRING_EXIT_BAD : TRING_EXIT_OK;
}
