// SPDX-License-Identifier: GPL-2.0
/* tring peek: prints what is in the ring now, without a recording. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "commands.h"
#include "open.h"
#include "show.h"
#include "cli/options.h"
#include "util/util.h"

#define CPU_MAX	1000000

/**
 * struct peek - options and state of tring peek
 * @instance: name of the instance, NULL for the top-level ring
 * @cpus: the CPUs, with commas between them; NULL for all
 * @newest: number of events; 0 for all
 * @snapshot: the snapshot instead of the ring's content
 */
struct peek {
	const char	*instance;
	char		*cpus;
	uint64_t	newest;
	bool		snapshot;
};

static bool take(void *request, const struct tring_option *option, const char *text)
{
	struct peek *peek = request;
	uint64_t cpu;

	if (option->letter == 'n' && tring_parse_number(text, &peek->newest) && peek->newest)
		return true;
	if (option->letter == 'c' && tring_parse_number(text, &cpu) && cpu <= CPU_MAX) {
		tring_extend(&peek->cpus, "%s%" PRIu64, peek->cpus ? "," : "", cpu);
		return true;
	}
	tring_error("bad value for -%c: \"%s\"", option->letter, text);
	return false;
}

static const struct tring_option list[] = {
	TRING_OPTION_INSTANCE(offsetof(struct peek, instance),
			      "an instance instead of the top-level ring"),
	{ 'c', "cpu", "CPU", "this CPU only; may be given several times", .take = take },
	{ 'n', "events", "EVENTS", "the newest EVENTS only", .take = take },
	{ 0, "snapshot", NULL, "the snapshot instead of the ring's content. This CONSUMES\n"
	  "the snapshot, including events left out by -n",
	  .at = offsetof(struct peek, snapshot) },
	{ 0 },
};

static const struct tring_usage options = {
	.synopsis = "usage: tring peek [-B INSTANCE] [-c CPU]... [-n EVENTS] [--snapshot]\n",
	.description =
		"Prints what is in the ring now, ordered by time. Without --snapshot nothing\n"
		"is consumed and no writer is stopped.\n",
	.list = list,
};

static void show(const struct peek *peek, struct tring_opened *opened)
{
	const struct tring_wanted wanted = { .size = sizeof(wanted), .newest = peek->newest };
	struct tring_shown shown = { .trace = opened->trace };
	struct tring_show show = { .traces = &shown, .count = 1 };

	tring_select(opened->trace, &wanted);
	tring_show_all(&show);
	if (!show.given && !tring_problems(opened->trace))
		tring_error("there is no event in the %s", peek->snapshot ? "snapshot" : "ring");
	opened->failed = show.failed;
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
	struct tring_options how = tring_opened_options;
	struct peek peek = { 0 };
	struct tring_opened opened = { 0 };
	int status = tring_options_parse(&options, &peek, argc, argv);

	if (status < 0) {
		how.cpus = peek.cpus;
		how.snapshot = peek.snapshot;
		opened.failed = tring_open_ring(&opened.trace, peek.instance, &how);
		if (!opened.failed)
			show(&peek, &opened);
		status = tring_opened_end(&opened);
	}
	free(peek.cpus);
	return status;
}
