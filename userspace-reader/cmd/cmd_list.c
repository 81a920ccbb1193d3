// SPDX-License-Identifier: GPL-2.0
/* tring list: prints the events that tring can record, and their fields. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "record/elf_symbol.h"
#include "tracefs/available.h"
#include "tracefs/control.h"
#include "cli/options.h"
#include "util/text.h"
#include "util/util.h"

/**
 * struct request - what the user asks for
 * @verbose: with the fields
 * @symbols: a program's file, whose functions are wanted; NULL for events
 */
struct request {
	bool		verbose;
	const char	*symbols;
};

static const struct tring_option list[] = {
	{ 'v', "verbose", NULL, "with the type and the name of each field",
	  .at = offsetof(struct request, verbose) },
	{ 0, "symbols", "FILE", "the functions of a program, or of a library, that a probe\n"
	  "of uprobe_events can name", .at = offsetof(struct request, symbols) },
	{ 0 },
};

static const struct tring_usage options = {
	.synopsis = "usage: tring list [-v] [PATTERN]...\n"
		    "       tring list --symbols FILE\n",
	.description =
		"Prints the events that tring can record, SYSTEM:EVENT, one a line. PATTERN\n"
		"is as for \"tring record -e\": SYSTEM, EVENT or SYSTEM:EVENT, also a glob.\n",
	.list = list,
	.most = -1,
};

static bool is_wanted(const struct tring_event_name *event, char **patterns)
{
	bool wanted = !*patterns;

	for (; *patterns && !wanted; patterns++)
		wanted = tring_event_matches(event, *patterns);
	return wanted;
}

static int print_events(const struct tring_control *control,
			const struct tring_available *available, char **patterns, bool verbose)
{
	int bad = 0;
	size_t i;

	for (i = 0; i < available->count; i++) {
		const struct tring_event_name *event = &available->list[i];
		char *fields;

		if (!is_wanted(event, patterns))
			continue;
		printf("%s:%s\n", event->system, event->name);
		if (!verbose)
			continue;
		fields = tring_available_fields(control, event);
		bad |= !fields;
		fputs(fields ? fields : "", stdout);
		free(fields);
	}
	return bad;
}

/**
 * struct functions - functions of a file
 * @names: their names
 * @count: number of @names
 */
struct functions {
	char		**names;
	size_t		count;
};

static void take_function(void *data, const char *name)
{
	struct functions *functions = data;

	functions->names = tring_one_more(functions->names, functions->count, sizeof(name));
	functions->names[functions->count++] = tring_format("%s", name);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A name of several functions cannot be probed by it alone, and is left out. */
static int print_functions(const char *path)
{
	struct functions functions = { 0 };
	int error = tring_elf_functions(path, take_function, &functions);
	char **names = functions.names;
	size_t i;

	if (functions.count)
		qsort(names, functions.count, sizeof(*names), compare_names);
	for (i = 0; i < functions.count; i++) {
		if ((i && !strcmp(names[i], names[i - 1])) ||
		    (i + 1 < functions.count && !strcmp(names[i], names[i + 1])))
			continue;
		tring_text_print(stdout, names[i]);
		putchar('\n');
	}
	for (i = 0; i < functions.count; i++)
		free(names[i]);
	free(names);
	return error ? TRING_EXIT_BAD : TRING_EXIT_OK;
}

static int check_patterns(const struct tring_available *available, char **patterns)
{
	int bad = 0;

	for (; *patterns; patterns++)
		bad |= tring_available_check(available, *patterns, "") != 0;
	return bad;
}

/**
 * tring_cmd_list - print the events that tring can record
 * @argc: as main's
 * @argv: as main's
 *
 * Return: TRING_EXIT_OK; _BAD after an error, or if a pattern names no event; or _USAGE.
 */
int tring_cmd_list(int argc, char **argv)
{
	struct tring_available available = { 0 };
	struct tring_control control;
	struct request request = { 0 };
	int bad = tring_options_parse(&options, &request, argc, argv);

	if (bad >= 0)
		return bad;
	if (request.symbols && (argv[optind] || request.verbose)) {
		tring_error("--symbols is for functions, without -v and PATTERN");
		return tring_bad_usage();
	}
	if (request.symbols)
		return print_functions(request.symbols);
	bad = tring_control_open(&control, NULL, false);
	if (!bad)
		bad = tring_available_read(&available, &control);
	if (!bad) {
		bad = check_patterns(&available, argv + optind);
		/* what other patterns name is printed all the same */
		bad |= print_events(&control, &available, argv + optind, request.verbose);
	}
	tring_available_free(&available);
	tring_control_close(&control);
	return bad ? TRING_EXIT_BAD : TRING_EXIT_OK;
}
