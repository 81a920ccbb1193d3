// SPDX-License-Identifier: GPL-2.0
/* tring list: prints the events that tring can record, and their fields. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "tracefs/available.h"
#include "tracefs/control.h"
#include "cli/options.h"
#include "util/util.h"

static const struct tring_option list[] = {
	{ 'v', "verbose", NULL, "with the type and the name of each field", .at = 0 },
	{ 0 },
};

static const struct tring_usage options = {
	.synopsis = "usage: tring list [-v] [PATTERN]...\n",
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
	bool verbose = false;
	int bad = tring_options_parse(&options, &verbose, argc, argv);

	if (bad >= 0)
		return bad;
	bad = tring_control_open(&control, NULL, false);
	if (!bad)
		bad = tring_available_read(&available, &control);
	if (!bad) {
		bad = check_patterns(&available, argv + optind);
		/* what other patterns name is printed all the same */
		bad |= print_events(&control, &available, argv + optind, verbose);
	}
	tring_available_free(&available);
	tring_control_close(&control);
	return bad ? TRING_EXIT_BAD : TRING_EXIT_OK;
}
