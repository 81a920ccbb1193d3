// SPDX-License-Identifier: GPL-2.0
/*
 * tring peek: prints what is in the ring now, without a recording.
 *
 * It reads all packets into memory first, CPU by CPU, and prints them as report
 * prints a trace, with the running kernel's format files.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "event/name_files.h"
#include "tracefs/control.h"
#include "show.h"
#include "trace/kernel.h"
#include "util/util.h"

/*
 * Limit of bytes read of a CPU, in sizes of its ring: a CPU that writes as fast as
 * peek reads has no end. The content at the begin, including what a resize has
 * left of an older ring, is less than this.
 */
#define SIZES_AT_MOST	4

enum {
	OPTION_SNAPSHOT = 256,
};

static const struct option long_options[] = {
	{ "instance", required_argument, NULL, 'B' },
	{ "cpu", required_argument, NULL, 'c' },
	{ "events", required_argument, NULL, 'n' },
	{ "snapshot", no_argument, NULL, OPTION_SNAPSHOT },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

/**
 * struct peek - options and state of tring peek
 * @instance: name of the instance, NULL for the top-level ring
 * @newest: number of events to print, the last ones; 0 for all
 * @snapshot: print the snapshot, which is consumed
 * @cpus: numbers of the CPUs to print
 * @cpu_count: number of @cpus; 0 for all CPUs
 * @control: the ring
 * @trace: packets of the ring
 */
struct peek {
	const char	*instance;
	uint64_t	newest;
	bool		snapshot;
	int		*cpus;
	size_t		cpu_count;
	struct tring_control control;
	struct tring_trace trace;
};

static void print_usage(void)
{
	fputs("usage: tring peek [-B INSTANCE] [-c CPU]... [-n EVENTS] [--snapshot]\n"
	      "\n"
	      "  -B, --instance NAME   an instance instead of the top-level ring\n"
	      "  -c, --cpu CPU         this CPU only; may be given several times\n"
	      "  -n, --events EVENTS   the newest EVENTS only\n"
	      "      --snapshot        the snapshot instead of the ring's content. This CONSUMES\n"
	      "                        the snapshot, including events left out by -n\n"
	      "\n"
	      "Prints what is in the ring now, ordered by time. Without --snapshot nothing is\n"
	      "consumed and no writer is stopped.\n", stdout);
}

static bool add_cpu(struct peek *peek, const char *text)
{
	uint64_t cpu;
	size_t i;

	if (!tring_parse_number(text, &cpu) || cpu > 1000000) {
		tring_error("bad value for -c: \"%s\"", text);
		return false;
	}
	for (i = 0; i < peek->cpu_count; i++)
		if (peek->cpus[i] == (int)cpu)
			return true;
	peek->cpus[peek->cpu_count++] = cpu;
	return true;
}

/* Return: -1 to go on, or an exit status. */
static int parse_options(struct peek *peek, int argc, char **argv)
{
	bool good = true;
	int option;

	peek->cpus = tring_allocate(argc * sizeof(*peek->cpus));
	while ((option = getopt_long(argc, argv, "B:c:n:h", long_options,
				     NULL)) != -1) {
		switch (option) {
		case 'B':
			peek->instance = optarg;
			break;
		case 'c':
			good &= add_cpu(peek, optarg);
			break;
		case 'n':
			if (tring_parse_number(optarg, &peek->newest) &&
			    peek->newest)
				break;
			tring_error("bad value for -n: \"%s\"", optarg);
			good = false;
			break;
		case OPTION_SNAPSHOT:
			peek->snapshot = true;
			break;
		case 'h':
			print_usage();
			return TRING_EXIT_OK;
		default:
			return tring_bad_usage();
		}
	}
	if (optind < argc) {
		tring_error("unexpected argument \"%s\"", argv[optind]);
		good = false;
	}
	return good ? -1 : tring_bad_usage();
}

static bool has_cpu(const int *cpus, size_t count, int cpu)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (cpus[i] == cpu)
			return true;
	return false;
}

static int check_cpus(const struct peek *peek)
{
	const struct tring_control *control = &peek->control;
	size_t i;

	for (i = 0; i < peek->cpu_count; i++) {
		if (has_cpu(control->cpus, control->cpu_count, peek->cpus[i]))
			continue;
		tring_error("%s: there is no CPU %d", control->dir,
			    peek->cpus[i]);
		return -ENOENT;
	}
	return 0;
}

static int read_limit(const struct tring_control *control, int cpu,
		      size_t *limit)
{
	char *file = tring_format("per_cpu/cpu%d/buffer_size_kb", cpu);
	char *text = tring_control_read(control, file);
	uint64_t size;
	int error = 0;

	/* a remark may follow the number */
	if (text)
		text[strspn(text, "0123456789")] = 0;
	if (!text) {
		error = -EIO;
	} else if (!tring_parse_number(text, &size) ||
		   size > SIZE_MAX / 1024 / SIZES_AT_MOST) {
		tring_error("%s/%s: not a size", control->dir, file);
		error = -EINVAL;
	} else {
		*limit = SIZES_AT_MOST * 1024 * size;
	}
	free(text);
	free(file);
	return error;
}

/* The limit may be in the middle of a packet. */
static void drop_torn_end(struct tring_input *input)
{
	const uint8_t *data = input->data;
	enum tring_reason reason = TRING_OK;
	struct tring_packet packet;
	size_t at = 0;

	while (at < input->size && tring_reason_is_soft(reason)) {
		reason = tring_packet_parse(data + at, input->size - at,
					    &packet);
		if (reason == TRING_PACKET_TRUNCATED ||
		    reason == TRING_PACKET_HEADER_TORN)
			input->size = at;
		else if (tring_reason_is_soft(reason))
			at += packet.packet_size;
	}
}

/* After an error the data before it is still printed, because it may be consumed. */
static int collect_cpu(struct peek *peek, int number)
{
	struct tring_trace *trace = &peek->trace;
	struct tring_cpu *cpu;
	size_t limit = SIZE_MAX;
	char *path;
	int fd, error = 0;

	fd = tring_control_open_packets(&peek->control, number,
					peek->snapshot ? TRING_PACKETS_SNAPSHOT :
							 TRING_PACKETS_PEEK,
					&path);
	cpu = tring_trace_add_cpu(trace, number, path);
	if (fd >= 0 && !peek->snapshot)
		error = read_limit(&peek->control, number, &limit);
	if (fd >= 0 && !error)
		error = tring_input_read(&cpu->packets.input, fd, path, limit);
	if (!error && cpu->packets.input.size >= limit) {
		tring_error("cpu%d: written as fast as it is read, stopped after %zu bytes",
			    number, cpu->packets.input.size);
		drop_torn_end(&cpu->packets.input);
	}
	if (fd < 0)
		return fd;
	close(fd);
	return error;
}

static void collect(struct peek *peek)
{
	const struct tring_control *control = &peek->control;
	size_t i;

	for (i = 0; i < control->cpu_count; i++) {
		int cpu = control->cpus[i];

		if (peek->cpu_count &&
		    !has_cpu(peek->cpus, peek->cpu_count, cpu))
			continue;
		if (collect_cpu(peek, cpu))
			peek->trace.problems++;
	}
}

/* short_ids is read after the packets: an event may get its type during that time. */
static void start_cpus(struct peek *peek)
{
	struct tring_trace *trace = &peek->trace;
	size_t i;

	if (tring_control_short_ids(&peek->control, &trace->shorts, NULL))
		trace->problems++;
	for (i = 0; i < trace->count; i++)
		tring_cpu_start(&trace->cpus[i]);
}

static void note_ids(const struct tring_cpu *cpu, bool *ids)
{
	struct tring_packets packets;
	struct tring_stream stream;
	struct tring_record record;

	tring_cpu_stream(cpu, &packets, &stream);
	while (tring_stream_next(&stream, &record) == TRING_OK)
		if (record.id <= TRING_ID_MAX)
			ids[record.id] = true;
	tring_packets_close(&packets);
}

static void give_kernel_text(struct tring_trace *trace, char *path,
			     int (*give)(struct tring_events *events, char *text,
					 const char *path))
{
	char *text = tring_read_text(path, NULL);

	/* some kernels lack some of the files, which printing does not depend on */
	if (text && give(&trace->events, text, path))
		trace->problems++;
	free(text);
	free(path);
}

static void give_cmdlines(struct tring_trace *trace, const char *tracing)
{
	char *text = tring_kernel_cmdlines(tracing);

	if (text && tring_give_tasks(&trace->events, text, "names of tasks"))
		trace->problems++;
	free(text);
}

/* Load the files of the kernel that the events in the packets need. */
static void load_events(struct peek *peek)
{
	bool *ids = tring_allocate(TRING_EVENT_IDS * sizeof(*ids));
	const char *tracing = peek->control.tracing;
	struct tring_trace *trace = &peek->trace;
	char *formats = tring_format("%s/events", tracing);
	size_t i;

	for (i = 0; i < trace->count; i++)
		note_ids(&trace->cpus[i], ids);
	if (tring_events_add_print(&trace->events, formats) ||
	    tring_events_add_ids(&trace->events, formats, ids))
		trace->problems++;
	if (tring_kernel_has_symbols(&trace->events, ids))
		give_kernel_text(trace,
				 tring_format("%s", TRING_KERNEL_SYMBOLS),
				 tring_give_symbols);
	give_kernel_text(trace, tring_format("%s/" TRING_KERNEL_PRINTK,
					      tracing),
			 tring_give_strings);
	give_cmdlines(trace, tracing);
	free(formats);
	free(ids);
}

/* Packets may also be missing because of bad input, a snapshot or another reader. */
static void show_gaps(const struct tring_trace *trace)
{
	size_t i;

	for (i = 0; i < trace->count; i++) {
		const struct tring_cpu *cpu = &trace->cpus[i];
		bool overwritten = cpu->gap_events && !cpu->stream.errors;
		const char *what = overwritten ? "were overwritten during the read" :
						 "are missing";

		if (cpu->gap_packets)
			tring_error("cpu%d: %" PRIu64 " packets %s, %" PRIu64
				    " events were lost there", cpu->cpu,
				    cpu->gap_packets, what, cpu->gap_events);
	}
}

static int open_ring(struct peek *peek)
{
	struct tring_control *control = &peek->control;
	struct tring_trace *trace = &peek->trace;
	int error = tring_control_open(control, peek->instance, false);

	if (!error)
		error = check_cpus(peek);
	if (!error)
		error = tring_control_info(control, &trace->info, NULL);
	if (!error)
		error = tring_trace_init(trace, control->cpu_count);
	trace->newest = peek->newest;
	return error;
}

/**
 * tring_cmd_peek - print what is in the ring
 * @argc: as main's
 * @argv: as main's
 *
 * Return: TRING_EXIT_OK, also if events were overwritten during the read; _BAD
 * after an error; or _USAGE.
 */
int tring_cmd_peek(int argc, char **argv)
{
	struct peek peek = { 0 };
	struct tring_shown shown = { .trace = &peek.trace };
	struct tring_show show = { .traces = &shown, .count = 1 };
	int status = parse_options(&peek, argc, argv);

	if (status < 0) {
		if (open_ring(&peek)) {
			peek.trace.problems++;
		} else {
			collect(&peek);
			start_cpus(&peek);
			load_events(&peek);
			tring_show_all(&show);
			show_gaps(&peek.trace);
			if (!peek.trace.given && !peek.trace.problems)
				tring_error("there is no event in the %s",
					    peek.snapshot ? "snapshot" :
							    "ring");
		}
		status = tring_show_end(&peek.trace);
	}
	tring_control_close(&peek.control);
	free(peek.cpus);
	return status;
}
