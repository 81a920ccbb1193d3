/* SPDX-License-Identifier: GPL-2.0 */
/* The program that names functions. */
#ifndef TRING_PROGRAMS_NAMES_H
#define TRING_PROGRAMS_NAMES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "maps.h"

/**
 * struct tring_names_helper - tring-symbols, which runs once the first name is asked for
 * @pid: its process; 0 while there is none
 * @to: where requests go
 * @from: the same, for its answers
 * @is_missing: it cannot be run
 * @bad: number of @bad_files
 * @bad_files: build ids and paths of files at which it has failed
 */
struct tring_names_helper {
	pid_t		pid;
	int		to;
	FILE		*from;
	bool		is_missing;
	size_t		bad;
	char		**bad_files;
};

typedef void tring_names_fn(void *data, const char *text);

const char *tring_names_ask(struct tring_names_helper *helper, const struct tring_mapped *file,
			    uint64_t place, bool returned, tring_names_fn *take, void *data);
void tring_names_end(struct tring_names_helper *helper);

#endif /* TRING_PROGRAMS_NAMES_H */
