// SPDX-License-Identifier: GPL-2.0
/* tring peek: prints what is in the ring now, without a recording. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "read/peek.h"
#include "show.h"
#include "util/util.h"

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
 * @wanted: what to read
 * @trace: packets of the ring
 */
struct peek {
	const char	*instance;
	struct tring_peek_wanted wanted;
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
	for (i = 0; i < peek->wanted.cpu_count; i++)
		if (peek->wanted.cpus[i] == (int)cpu)
			return true;
	peek->wanted.cpus[peek->wanted.cpu_count++] = cpu;
	return true;
}

/* Return: -1 to go on, or an exit status. */
static int parse_options(struct peek *peek, int argc, char **argv)
{
	bool good = true;
	int option;

	peek->wanted.cpus = tring_allocate(argc * sizeof(*peek->wanted.cpus));
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
			if (tring_parse_number(optarg, &peek->trace.newest) &&
			    peek->trace.newest)
				break;
			tring_error("bad value for -n: \"%s\"", optarg);
			good = false;
			break;
		case OPTION_SNAPSHOT:
			peek->wanted.snapshot = true;
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
		if (tring_peek(&peek.trace, peek.instance, &peek.wanted)) {
			peek.trace.problems++;
		} else {
			tring_show_all(&show);
			show_gaps(&peek.trace);
			if (!peek.trace.given && !peek.trace.problems)
				tring_error("there is no event in the %s",
					    peek.wanted.snapshot ? "snapshot" : "ring");
		}
		status = tring_show_end(&peek.trace);
	}
	free(peek.wanted.cpus);
	return status;
}
