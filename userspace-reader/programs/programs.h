/* SPDX-License-Identifier: GPL-2.0 */
/* The functions of programs, by address. */
#ifndef TRING_PROGRAMS_H
#define TRING_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tring.h"
#include "util/line.h"

struct tring_programs;

/**
 * struct tring_place - a place in a program, valid as long as the programs are
 * @file: its file, or what the kernel calls the memory
 * @offset: offset in the file
 * @functions: names of the functions there, the innermost one first, each of which the compiler
 *	has put into the next one
 * @count: number of @functions; 0 if they are unknown
 * @behind: bytes from the begin of the last one
 * @is_blind: its code has no frame pointer, so that its caller is not in the stack
 *
 * What follows is private to programs.c.
 * @build_id: of the file
 * @returned: it is where a call returns to
 * @is_missing: the file is not on this machine
 */
struct tring_place {
	char		*file;
	uint64_t	offset;
	char		**functions;
	size_t		count;
	uint64_t	behind;
	bool		is_blind;

	char		*build_id;
	bool		returned;
	bool		is_missing;
};

/**
 * typedef tring_programs_fn - takes an address of a stack
 * @data: the caller's
 * @address: the address
 * @place: what is there; NULL if that is unknown
 */
typedef void tring_programs_fn(void *data, uint64_t address, const struct tring_place *place);

struct tring_programs *tring_programs_begin(struct tring_trace *trace);
bool tring_programs_stack(struct tring_programs *programs, const struct tring_item *item,
			  const uint64_t *addresses, size_t count, tring_programs_fn *take,
			  void *data);
void tring_programs_end(struct tring_programs *programs);

#endif /* TRING_PROGRAMS_H */
