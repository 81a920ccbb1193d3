// SPDX-License-Identifier: GPL-2.0
/* tring info: prints where a trace comes from. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "cli/options.h"
#include "tring.h"
#include "util/text.h"
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
	struct tring_trace *trace;
	char *text;

	if (status >= 0)
		return status;
	/* it may have more that is wrong, which is of no interest here */
	tring_open(&trace, optind < argc ? argv[optind] : TRING_TRACE_DIR_DEFAULT, NULL);
	text = tring_info(trace);
	if (text)
		print_lines(text);
	else
		tring_error("%s", tring_status_text(trace));
	tring_close(trace);
	status = text ? TRING_EXIT_OK : TRING_EXIT_BAD;
	free(text);
	return status;
}
