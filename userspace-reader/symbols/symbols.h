/* SPDX-License-Identifier: GPL-2.0 */
/* tring-symbols: names the functions of programs, by elfutils' libdw. */
#ifndef TRING_SYMBOLS_PROGRAM_H
#define TRING_SYMBOLS_PROGRAM_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * struct tring_binary - a program's file, or that of a library
 * @build_id: its build id, in hexadecimal
 * @path: where the recorded machine had it
 * @dwfl: libdw's; NULL if the file is not here
 * @module: the file in @dwfl
 * @next: the one that was opened before
 */
struct tring_binary {
	char		*build_id;
	char		*path;
	Dwfl		*dwfl;
	Dwfl_Module	*module;
	struct tring_binary *next;
};

struct tring_binary *tring_binary_get(const char *build_id, const char *path);
bool tring_binary_address(const struct tring_binary *binary, uint64_t offset, Dwarf_Addr *address);
void tring_function_answer(const struct tring_binary *binary, Dwarf_Addr address, bool returned);

#endif /* TRING_SYMBOLS_PROGRAM_H */
