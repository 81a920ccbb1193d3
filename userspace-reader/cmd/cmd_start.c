// SPDX-License-Identifier: GPL-2.0
/* tring start: begins to record into a ring that nothing reads until something is looked for. */
#include <stdio.h>

#include "commands.h"
#include "record/recording.h"
#include "record/request.h"
#include "record/start.h"
#include "recording_options.h"
#include "util/util.h"

static void print_usage(void)
{
	fputs("usage: tring start [-e EVENT[,EVENT]... [-f FILTER]... [-R TRIGGER]...]...\n"
	      "                   [-B INSTANCE] [-b SIZE] [--kprobe TEXT] [--uprobe TEXT]\n"
	      "                   [-P PID[,PID]...]... [-c] [-M MASK]\n"
	      "                   [-p function [-l FUNCTION]... [-n FUNCTION]...]\n"
	      "                   [-p function_graph -g FUNCTION... [--max-graph-depth DEPTH]]\n"
	      "                   [-T] [--userstacktrace] [-C CLOCK] [--overwrite | --discard]\n"
	      "                   [-q | -v]\n"
	      "\n"
	      "  -e, --event EVENT     SYSTEM, EVENT, SYSTEM:EVENT or a glob, or several with\n"
	      "                        commas; all for all; default: enabled events. See\n"
	      "                        \"tring list\"\n"
	      "  -f, --filter FILTER   of the events of the -e before it, record those that the\n"
	      "                        filter lets through, as 'prev_prio < 100'\n"
	      "  -R, --trigger TRIGGER  set a trigger on the events of the -e before it, as\n"
	      "                        'traceoff:1 if prev_prio < 100', or 'snapshot:1'\n"
	      "      --kprobe TEXT     record an event that is defined until \"tring reset\", by a\n"
	      "                        line of ftrace's kprobe_events: p:NAME FUNCTION ...\n"
	      "      --uprobe TEXT     the same of uprobe_events: p:NAME FILE:OFFSET ...\n"
	      "  -p, --plugin TRACER   function: record calls of functions; function_graph:\n"
	      "                        record their begins and ends\n"
	      "  -l FUNCTION           record calls of these functions only; a name or a glob,\n"
	      "                        or several with commas\n"
	      "  -n FUNCTION           do not record calls of these functions\n"
	      "  -g FUNCTION           the functions of function_graph, as -l\n"
	      "      --max-graph-depth DEPTH  leave out calls inside DEPTH others\n"
	      "  -T, --stacktrace      record the kernel's stack behind each event\n"
	      "      --userstacktrace  record the program's stack behind each event\n"
	      "  -P, --pid PID         only events of these tasks, or of several with commas\n"
	      "  -c, --children        with -P: and of their children\n"
	      "  -M, --cpumask MASK    only events on these CPUs: 3 is CPU 0 and 1, hexadecimal\n"
	      "  -B, --instance NAME   a separate ring, created if it does not exist\n"
	      "  -b, --buffer-size SIZE  size of each CPU's ring: 4M, 64K, or a number of KiB\n"
	      "  -C, --clock CLOCK     mono, tsc, boot or tai\n"
	      "      --overwrite       a full ring overwrites its oldest events\n"
	      "      --discard         a full ring refuses new events\n"
	      "  -q, --quiet           print errors only\n"
	      "  -v, --verbose         print also what is changed in the kernel\n"
	      "\n"
	      "Begins a new trace, which drops the ring's content, and ends while the ring records\n"
	      "on. \"tring snapshot\" and \"tring extract\" save what it has; \"tring stop\" and\n"
	      "\"tring restart\" switch it; \"tring reset\" undoes all of it.\n", stdout);
}

static const struct tring_accepted_options accepted = {
	.letters = "e:f:R:p:l:n:g:TP:cM:B:b:C:qvh",
	.print_usage = print_usage,
};

/**
 * tring_cmd_start - begin to record into a ring that nothing reads
 * @argc: as main's
 * @argv: as main's
 *
 * Return: TRING_EXIT_OK, _BAD or _USAGE.
 */
int tring_cmd_start(int argc, char **argv)
{
	struct tring_recording_options options = { 0 };
	int status = tring_recording_options_parse(&options, argc, argv, &accepted);

	if (status < 0) {
		status = tring_request_check(&options);
		if (!status)
			status = tring_start(&options) ? TRING_EXIT_BAD : TRING_EXIT_OK;
	}
	tring_recording_options_free(&options);
	return status;
}
