// SPDX-License-Identifier: GPL-2.0
/* tring record: its options and the steps of a recording; recording.c has the steps. */
#include <stdio.h>

#include "commands.h"
#include "record/recording.h"
#include "record/request.h"
#include "recording_options.h"
#include "trace/trace_dir.h"
#include "util/util.h"

static void print_usage(void)
{
	fputs("usage: tring record [-e EVENT[,EVENT]... [-f FILTER]]... [-o DIR] [-B INSTANCE]\n"
	      "                    [-b SIZE] [--kprobe TEXT] [--uprobe TEXT] [-P PID[,PID]...]...\n"
	      "                    [-F] [-c] [-M MASK]\n"
	      "                    [-p function [-l FUNCTION]... [-n FUNCTION]...]\n"
	      "                    [-p function_graph -g FUNCTION... [--max-graph-depth DEPTH]]\n"
	      "                    [-T] [--userstacktrace] [-C CLOCK] [-r PRIO]\n"
	      "                    [--overwrite | --discard] [--force] [-q | -v]\n"
	      "                    [--split SIZE|TIME] [--max-size SIZE] [--compress[=LEVEL]]\n"
	      "                    [-s SECONDS | -- COMMAND...]\n"
	      "\n"
	      "  -e, --event EVENT     SYSTEM, EVENT, SYSTEM:EVENT or a glob, or several with\n"
	      "                        commas; all for all; default: enabled events. See\n"
	      "                        \"tring list\"\n"
	      "  -f, --filter FILTER   of the events of the -e before it, record those that the\n"
	      "                        filter lets through, as 'prev_prio < 100'\n"
	      "  -R, --trigger TRIGGER  set a trigger on the events of the -e before it, as\n"
	      "                        'traceoff:1 if prev_prio < 100'\n"
	      "      --kprobe TEXT     record an event that is defined for this recording, by a\n"
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
	      "  -o, --output DIR      the trace; default: " TRING_TRACE_DIR_DEFAULT "\n"
	      "      --force           as root, write to DIR also if other users can write there\n"
	      "  -P, --pid PID         only events of these tasks, or of several with commas\n"
	      "  -F, --command-only    only events of COMMAND, and of the tasks of -P\n"
	      "  -c, --children        with -P and -F: and of their children\n"
	      "  -M, --cpumask MASK    only events on these CPUs: 3 is CPU 0 and 1, hexadecimal\n"
	      "  -B, --instance NAME   a separate ring, created for this recording if it does\n"
	      "                        not exist\n"
	      "  -b, --buffer-size SIZE  size of each CPU's ring: 4M, 64K, or a number of KiB\n"
	      "  -C, --clock CLOCK     mono, tsc, boot or tai\n"
	      "  -r, --realtime PRIO   read the rings with this priority of SCHED_FIFO, 1 to 99\n"
	      "      --overwrite       a full ring overwrites its oldest events\n"
	      "      --discard         a full ring refuses new events\n"
	      "      --split SIZE      divide the trace into parts of this size, such as 1G, or of\n"
	      "                        this time, such as 60s: DIR/000001, DIR/000002, ...\n"
	      "      --max-size SIZE   keep the newest parts, which have this size together\n"
	      "      --compress        compress the packets; --compress=LEVEL by a level of zstd,\n"
	      "                        1 to 19, or -1 and less for more speed; default: 1\n"
	      "  -s, --seconds SECONDS stop after this time\n"
	      "  -q, --quiet           print errors and lost events only\n"
	      "  -v, --verbose         print also what is changed in the kernel\n"
	      "\n"
	      "Begins a new trace, which drops the ring's content. Records until COMMAND ends,\n"
	      "the time is up, or Ctrl-C.\n", stdout);
}

static const struct tring_accepted_options accepted = {
	/* + : stop at the command, whose options are its own */
	.letters = "+e:f:R:p:l:n:g:To:P:FcM:B:b:C:r:s:qvh",
	.has_command = true,
	.print_usage = print_usage,
};

static int record(const struct tring_recording_options *options)
{
	struct tring_recording recording;
	int status = TRING_EXIT_OK;
	bool bad = false;

	if (tring_recording_prepare(&recording, options)) {
		bad = true;
	} else {
		if (!options->command && options->seconds <= 0)
			tring_note("recording, Ctrl-C ends it");
		bad |= tring_recording_run(&recording) != 0;
		bad |= tring_recording_finish(&recording) != 0;
		bad |= tring_recording_show_summary(&recording) != 0;
		if (tring_child_reap(&recording.child))
			status = recording.child.status;
	}
	bad |= tring_recording_end(&recording) != 0;
	/* a command's success must not hide an error of the recording */
	return bad && !status ? TRING_EXIT_BAD : status;
}

/**
 * tring_cmd_record - record events to a CTF trace
 * @argc: as main's
 * @argv: as main's
 *
 * Return: exit status of the command, if there is one and recording succeeded;
 * else TRING_EXIT_OK, _BAD or _USAGE.
 */
int tring_cmd_record(int argc, char **argv)
{
	struct tring_recording_options options = {
		.dir = TRING_TRACE_DIR_DEFAULT,
	};
	int status = tring_recording_options_parse(&options, argc, argv, &accepted);

	if (status < 0) {
		status = tring_request_check(&options);
		if (!status)
			status = record(&options);
	}
	tring_recording_options_free(&options);
	return status;
}
