/* SPDX-License-Identifier: GPL-2.0 */
/* The options of tring record and tring start: what is recorded, and how. */
#ifndef TRING_RECORDING_OPTIONS_H
#define TRING_RECORDING_OPTIONS_H

#include <stdbool.h>

#include "record/recording.h"

/**
 * struct tring_accepted_options - the options that a command has
 * @letters: as for getopt(3); a long option that stands for a letter goes with it
 * @has_command: a COMMAND may follow, and the trace may be split
 * @print_usage: prints what the command does
 */
struct tring_accepted_options {
	const char	*letters;
	bool		has_command;
	void		(*print_usage)(void);
};

int tring_recording_options_parse(struct tring_recording_options *options, int argc, char **argv,
				  const struct tring_accepted_options *accepted);
bool tring_recording_option(struct tring_recording_options *options, int option,
			    const char *text);
void tring_recording_options_free(struct tring_recording_options *options);

#endif /* TRING_RECORDING_OPTIONS_H */
