// SPDX-License-Identifier: GPL-2.0
/* The options of a command, from one table: how they are parsed, and what --help says. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "util/entry.h"
#include "util/trust.h"
#include "util/util.h"

/* No option has more of either kind. */
#define OPTIONS_MAX	64

/* Where --help begins to say what an option does. */
#define COLUMN		24

/* getopt's value for a long option is its index behind this one. */
#define LONG_OPTIONS	1024

/**
 * struct table - the options as getopt_long() takes them
 * @letters: those with a letter
 * @longs: those with a name
 */
struct table {
	char		letters[3 * OPTIONS_MAX];
	struct option	longs[OPTIONS_MAX];
};

const struct tring_option tring_instance_option[] = {
	TRING_OPTION_INSTANCE(0, "an instance instead of the top-level ring"),
	{ 0 },
};

static bool is_end(const struct tring_option *option)
{
	return !option->letter && !option->name && !option->help;
}

static bool is_heading(const struct tring_option *option)
{
	return !option->letter && !option->name;
}

static bool has_letter(const struct tring_option *option)
{
	return option->letter > 0 && option->letter < 256;
}

static bool is_in(const struct tring_option *option, const struct tring_usage *options)
{
	return !option->only || option->only & options->set;
}

static int argument_of(const struct tring_option *option)
{
	if (!option->argument)
		return no_argument;
	return *option->argument == '[' ? optional_argument : required_argument;
}

static void fill_table(struct table *table, const struct tring_usage *options)
{
	const struct tring_option *option = options->list;
	struct option *next = table->longs;
	char *letter = table->letters;

	memset(table, 0, sizeof(*table));
	/* getopt() stops at the first argument */
	if (options->runs)
		*letter++ = '+';
	*letter++ = 'h';
	*next++ = (struct option) { "help", no_argument, NULL, 'h' };
	for (; option && !is_end(option); option++) {
		if (!is_in(option, options))
			continue;
		if (has_letter(option)) {
			*letter++ = option->letter;
			if (option->argument)
				*letter++ = ':';
		}
		if (option->name)
			*next++ = (struct option) { option->name, argument_of(option), NULL,
						    LONG_OPTIONS + (option - options->list) };
	}
}

static const struct tring_option *find_option(const struct tring_usage *options, int value)
{
	const struct tring_option *option = options->list;

	if (value >= LONG_OPTIONS)
		return &options->list[value - LONG_OPTIONS];
	while (option->letter != value || !is_in(option, options))
		option++;
	return option;
}

static bool take(const struct tring_option *option, void *request, const char *text)
{
	char *place = (char *)request + option->at;

	if (option->take)
		return option->take(request, option, text);
	if (option->argument)
		memcpy(place, &text, sizeof(text));
	else
		*(bool *)place = true;
	return true;
}

static void print_option(const struct tring_option *option)
{
	const char *line = option->help, *argument = option->argument ? option->argument : "";
	char letter[] = { '-', option->letter, option->name ? ',' : 0, 0 };
	char *head = tring_format("%-*s%s%s%s%s", option->name ? 3 : 0,
				  has_letter(option) ? letter : "", option->name ? " --" : "",
				  option->name ? option->name : "",
				  *argument && *argument != '[' ? " " : "", argument);
	size_t size;

	printf("  %-*s", COLUMN - 4, head);
	for (; *line; line += size) {
		size = strcspn(line, "\n");
		printf("  %.*s\n", (int)size, line);
		size += line[size] == '\n';
		if (line[size])
			printf("%*s", COLUMN - 2, "");
	}
	free(head);
}

static void print_usage(const struct tring_usage *options)
{
	const struct tring_option *option = options->list;

	fputs(options->synopsis, stdout);
	if (option && !is_heading(option))
		putchar('\n');
	for (; option && !is_end(option); option++) {
		if (!option->help || !is_in(option, options))
			continue;
		if (is_heading(option))
			printf("\n%s\n", option->help);
		else
			print_option(option);
	}
	if (options->description)
		printf("\n%s", options->description);
}

static int check_arguments(const struct tring_usage *options, int argc, char **argv)
{
	if (options->missing && optind == argc)
		tring_error("%s is missing", options->missing);
	else if (options->most >= 0 && argc - optind > options->most)
		tring_error("unexpected argument \"%s\"", argv[optind + options->most]);
	else
		return -1;
	return tring_bad_usage();
}

/**
 * tring_options_parse - parse the options of a command
 * @options: the options
 * @request: what they set; a bad one may have changed it
 * @argc: as main's
 * @argv: as main's; the arguments that are no options begin at optind
 *
 * Return: -1 to go on, or an exit status; a mistake is reported on stderr.
 */
int tring_options_parse(const struct tring_usage *options, void *request, int argc,
			char **argv)
{
	struct table table;
	bool good = true;
	int value;

	fill_table(&table, options);
	while ((value = getopt_long(argc, argv, table.letters, table.longs, NULL)) != -1) {
		if (value == 'h') {
			print_usage(options);
			return TRING_EXIT_OK;
		}
		if (value == '?')
			return tring_bad_usage();
		good &= take(find_option(options, value), request, optarg);
	}
	return good ? check_arguments(options, argc, argv) : tring_bad_usage();
}

/* Each of these is a @take of struct tring_option. */

bool tring_take_path(void *request, const struct tring_option *option, const char *text)
{
	memcpy((char *)request + option->at, &text, sizeof(text));
	return tring_entry_is_path(text);
}

bool tring_take_rows(void *request, const struct tring_option *option, const char *text)
{
	uint64_t *rows = (uint64_t *)((char *)request + option->at);

	if (tring_parse_number(text, rows) && *rows <= INT32_MAX)
		return true;
	tring_error("bad value for --rows: \"%s\"", text);
	return false;
}

bool tring_take_force(void *request, const struct tring_option *option, const char *text)
{
	(void)request;
	(void)option;
	(void)text;
	tring_force = true;
	return true;
}

bool tring_take_verbosity(void *request, const struct tring_option *option, const char *text)
{
	(void)request;
	(void)text;
	tring_verbosity = option->letter == 'q' ? TRING_QUIET : TRING_VERBOSE;
	return true;
}
