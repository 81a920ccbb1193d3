/* SPDX-License-Identifier: GPL-2.0 */
/* The options of tring record and tring start: what is recorded, and how. */
#ifndef TRING_TAKE_RECORDING_H
#define TRING_TAKE_RECORDING_H

#include "record/options.h"
#include "cli/options.h"

/* The set of options of a command that writes a trace while it records. */
#define TRING_RECORDS_TO_FILE	1
/* The others have this one. */
#define TRING_RECORDS_TO_RING	2

int tring_recording_options_parse(struct tring_recording_options *options, int argc, char **argv,
				  const struct tring_usage *command);
bool tring_recording_option(struct tring_recording_options *options, int option,
			    const char *text);
struct tring_pair;
bool tring_recording_pair(struct tring_recording_options *options, const struct tring_pair *pair);
bool tring_take_compression(void *request, const struct tring_option *option, const char *text);
int tring_start_ring(int argc, char **argv, const struct tring_usage *usage, bool persistent);
void tring_recording_options_free(struct tring_recording_options *options);

#endif /* TRING_TAKE_RECORDING_H */
