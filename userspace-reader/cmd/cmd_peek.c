// SPDX-License-Identifier: GPL-2.0
/* tring peek: prints what is in the ring now, without a recording. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "read/peek.h"
#include "show/show.h"
#include "trace_end.h"
#include "cli/options.h"
#include "util/util.h"

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

static bool take(void *request, const struct tring_option *option, const char *text)
{
	struct peek *peek = request;

	if (option->letter == 'c')
		return add_cpu(peek, text);
	if (tring_parse_number(text, &peek->trace.newest) && peek->trace.newest)
		return true;
	tring_error("bad value for -n: \"%s\"", text);
	return false;
}

static const struct tring_option list[] = {
	TRING_OPTION_INSTANCE(offsetof(struct peek, instance),
			      "an instance instead of the top-level ring"),
	{ 'c', "cpu", "CPU", "this CPU only; may be given several times", .take = take },
	{ 'n', "events", "EVENTS", "the newest EVENTS only", .take = take },
	{ 0, "snapshot", NULL, "the snapshot instead of the ring's content. This CONSUMES\n"
	  "the snapshot, including events left out by -n",
	  .at = offsetof(struct peek, wanted.snapshot) },
	{ 0 },
};

static const struct tring_usage options = {
	.synopsis = "usage: tring peek [-B INSTANCE] [-c CPU]... [-n EVENTS] [--snapshot]\n",
	.description =
		"Prints what is in the ring now, ordered by time. Without --snapshot nothing\n"
		"is consumed and no writer is stopped.\n",
	.list = list,
};

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
	struct peek peek = {
		.wanted.cpus = tring_allocate(argc * sizeof(*peek.wanted.cpus)),
	};
	struct tring_shown shown = { .trace = &peek.trace };
	struct tring_show show = { .traces = &shown, .count = 1 };
	int status = tring_options_parse(&options, &peek, argc, argv);

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
		status = tring_trace_end(&peek.trace, show.failed);
	}
	free(peek.wanted.cpus);
	return status;
}
