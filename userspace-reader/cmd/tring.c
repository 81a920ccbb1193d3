// SPDX-License-Identifier: GPL-2.0
/* tring: calls record, report, peek, dump or stat, whose options are in cmd_*.c. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "tring_format.h"
#include "util.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *purpose;
} commands[] = {
	{ "record", tring_cmd_record, "record events to a CTF 1.8 trace" },
	{ "report", tring_cmd_report, "print a trace, one line per event" },
	{ "peek", tring_cmd_peek, "print what is in the running ring" },
	{ "dump", tring_cmd_dump, "show packets and records as stored" },
	{ "stat", tring_cmd_stat, "show the running ring's counters" },
};

static void print_usage(FILE *file)
{
	size_t i;

	fputs("usage: tring COMMAND [OPTION]...\n\n", file);
	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		fprintf(file, "  tring %-8s %s\n", commands[i].name,
			commands[i].purpose);
	fputs("\n\"tring COMMAND --help\" lists a command's options.\n", file);
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc < 2) {
		print_usage(stderr);
		return TRING_EXIT_USAGE;
	}
	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		print_usage(stdout);
		return TRING_EXIT_OK;
	}
	if (!strcmp(argv[1], "--version")) {
		printf("tring, wire format %d\n", TRING_FORMAT_VERSION);
		return TRING_EXIT_OK;
	}
	tring_error("there is no command \"%s\"", argv[1]);
	print_usage(stderr);
	return TRING_EXIT_USAGE;
}
