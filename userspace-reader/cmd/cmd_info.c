// SPDX-License-Identifier: GPL-2.0
/* tring info: prints where a trace comes from. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "util/text.h"
#include "dat/dat_file.h"
#include "trace/parts_dir.h"
#include "trace/trace_dir.h"
#include "trace/trace_info.h"
#include "cli/options.h"
#include "util/util.h"

static const struct tring_usage options = {
	.synopsis = "usage: tring info [DIR | FILE]\n",
	.description = "Prints where the trace in DIR comes from, by default "
		TRING_TRACE_DIR_DEFAULT ", or a\n"
		"trace.dat FILE: machine, kernel, user, command line, settings and clock.\n",
	.most = 1,
};

static void print_lines(char *text)
{
	char *line, *value;

	while ((line = strsep(&text, "\n"))) {
		char *escaped = tring_text_escaped(line);

		value = strchr(escaped, '=');
		if (value)
			printf("%-16.*s %s\n", (int)(value - escaped), escaped, value + 1);
		free(escaped);
	}
}

static void print_parts(const struct tring_parts_list *parts)
{
	const char *first = parts->dirs[0], *last = parts->dirs[parts->count - 1];

	if (parts->divided)
		printf("%-16s %zu: %s to %s\n", "parts", parts->count,
		       strrchr(first, '/') + 1, strrchr(last, '/') + 1);
}

static int print_info(const char *dir)
{
	struct tring_parts_list parts;
	int error = tring_parts_list(&parts, dir);
	struct tring_trace_info info;
	char *text;

	if (!error)
		error = tring_trace_dir_info(parts.dirs[0], &info, &text);
	if (!error) {
		print_lines(text);
		print_parts(&parts);
		free(text);
	}
	tring_parts_list_free(&parts);
	return error;
}

static int print_dat_info(const char *path)
{
	struct tring_dat_file file;
	int error = tring_dat_open(&file, path, -1);
	char *text;

	if (!error) {
		text = tring_dat_info_text(&file);
		print_lines(text);
		free(text);
	}
	tring_dat_close(&file);
	return error;
}

/**
 * tring_cmd_info - print where a trace comes from
 * @argc: as main's
 * @argv: as main's
 *
 * Return: TRING_EXIT_OK; _BAD if the trace cannot be read; or _USAGE.
 */
int tring_cmd_info(int argc, char **argv)
{
	int status = tring_options_parse(&options, NULL, argc, argv);
	const char *trace;

	if (status >= 0)
		return status;
	trace = optind < argc ? argv[optind] : TRING_TRACE_DIR_DEFAULT;
	if (tring_dat_is(trace) ? print_dat_info(trace) : print_info(trace))
		return TRING_EXIT_BAD;
	return TRING_EXIT_OK;
}
