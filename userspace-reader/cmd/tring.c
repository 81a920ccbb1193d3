// SPDX-License-Identifier: GPL-2.0
/* tring: calls a command, whose options are in cmd_*.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "tring_format.h"
#include "tring_version.h"
#include "util/program.h"
#include "util/util.h"

/* @run: NULL if the command is a program of its own, see util/program.c */
static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *purpose;
} commands[] = {
	{ "record", tring_cmd_record, "record events to a CTF 1.8 trace" },
	{ "list", tring_cmd_list, "print the events that can be recorded" },
	{ "start", tring_cmd_start, "record into the ring, to look at it afterwards" },
	{ "stop", tring_cmd_stop, "switch recording off" },
	{ "restart", tring_cmd_restart, "switch recording on again" },
	{ "snapshot", tring_cmd_snapshot, "save a snapshot of the running ring as a trace" },
	{ "extract", tring_cmd_extract, "save what the ring has as a trace" },
	{ "reset", tring_cmd_reset, "undo what start or a killed recorder has changed" },
	{ "report", tring_cmd_report, "print a trace, one line per event" },
	{ "top", tring_cmd_top, "print tables of a trace, or of the machine as it is now" },
	{ "latency", tring_cmd_latency, "print how long it takes from any event to another" },
	{ "why", tring_cmd_why, "tell what tasks waited for, and what that waited for" },
	{ "flame", tring_cmd_flame, "draw a flame graph of waits or of events" },
	{ "sql", NULL, "ask a trace questions in SQL" },
	{ "page", tring_cmd_page, "write a trace as one file that a browser shows" },
	{ "convert", tring_cmd_convert, "write a trace for another tool" },
	{ "info", tring_cmd_info, "print where a trace comes from" },
	{ "arm", tring_cmd_arm, "record into a ring that the next boot can read" },
	{ "wipe", tring_cmd_wipe, "erase what earlier boots have left" },
	{ "salvage", NULL, "save what a crashed machine's memory has as a trace" },
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
	fputs("\n\"tring help COMMAND\" lists a command's options.\n"
	      "\"man tring-trace-cmd\" has what trace-cmd's options are here.\n"
	      "\"tring --version\" prints the versions of tring and of the wire format.\n",
	      file);
}

/* @argv: the name of the command, which messages and getopt's show, and its arguments */
static int run_command(const struct command *command, int argc, char **argv)
{
	char *name = tring_format("tring %s", command->name);
	char *before = argv[0];
	int status;

	tring_set_name(name);
	argv[0] = name;
	status = command->run ? command->run(argc, argv) :
				tring_program_become(command->name, argv);
	argv[0] = before;
	tring_set_name("tring");
	free(name);
	return status;
}

static const struct command *find_command(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(name, commands[i].name))
			return &commands[i];
	tring_error("there is no command \"%s\"; \"tring help\" lists them", name);
	return NULL;
}

static int help(const char *name)
{
	char *argv[] = { NULL, "--help", NULL };
	const struct command *command;

	if (!name) {
		print_usage(stdout);
		return TRING_EXIT_OK;
	}
	command = find_command(name);
	return command ? run_command(command, 2, argv) : TRING_EXIT_USAGE;
}

static bool is_one_of(const char *text, const char *a, const char *b, const char *c)
{
	return !strcmp(text, a) || !strcmp(text, b) || !strcmp(text, c);
}

static int run(int argc, char **argv)
{
	const struct command *command;

	if (argc < 2) {
		print_usage(stderr);
		return TRING_EXIT_USAGE;
	}
	if (is_one_of(argv[1], "help", "--help", "-h"))
		return help(argc > 2 ? argv[2] : NULL);
	if (is_one_of(argv[1], "version", "--version", "-V")) {
		printf("tring %s, wire format %d\n", TRING_VERSION, TRING_FORMAT_VERSION);
		return TRING_EXIT_OK;
	}
	command = find_command(argv[1]);
	return command ? run_command(command, argc - 1, argv + 1) : TRING_EXIT_USAGE;
}

int main(int argc, char **argv)
{
	return tring_end_output(run(argc, argv));
}
