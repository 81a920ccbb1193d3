/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The files of an old trace, which a new one replaces. */
#ifndef TRING_OLD_TRACE_H
#define TRING_OLD_TRACE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct tring_old_trace - what a directory has
 * @size: bytes of its files on the disk
 * @is_empty: it has no file
 * @foreign: path of a file that is not of a trace; NULL without one
 */
struct tring_old_trace {
	uint64_t	size;
	bool		is_empty;
	char		*foreign;
};

int tring_old_trace_look(struct tring_old_trace *old, int dir);
int tring_old_trace_remove(int dir, char **foreign);
int tring_old_part_remove(int dir, const char *name, char **foreign);

#endif /* TRING_OLD_TRACE_H */
