// SPDX-License-Identifier: GPL-2.0
/* Options of the commands that have -B alone. */
#include <getopt.h>
#include <stddef.h>

#include "instance_option.h"
#include "util/util.h"

static const struct option long_options[] = {
	{ "instance", required_argument, NULL, 'B' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

/**
 * tring_parse_instance - parse the options of a command that has -B alone
 * @instance: set to the name of the instance if one is given
 * @argc: as main's
 * @argv: as main's
 * @print_usage: prints what the command does
 *
 * Return: -1 to go on, or an exit status; a mistake is reported on stderr.
 */
int tring_parse_instance(const char **instance, int argc, char **argv,
			 void (*print_usage)(void))
{
	int option;

	while ((option = getopt_long(argc, argv, "B:h", long_options, NULL)) != -1) {
		switch (option) {
		case 'B':
			*instance = optarg;
			break;
		case 'h':
			print_usage();
			return TRING_EXIT_OK;
		default:
			return tring_bad_usage();
		}
	}
	if (optind == argc)
		return -1;
	tring_error("unexpected argument \"%s\"", argv[optind]);
	return tring_bad_usage();
}
