/* SPDX-License-Identifier: GPL-2.0 */
/* The functions of a program's file, and where they are. */
#ifndef TRING_ELF_SYMBOL_H
#define TRING_ELF_SYMBOL_H

#include <stdint.h>

/**
 * typedef tring_elf_fn - takes a function of a file
 * @data: the caller's
 * @name: its name, of any bytes
 */
typedef void tring_elf_fn(void *data, const char *name);

int tring_elf_function(const char *path, const char *name, uint64_t offset, uint64_t *place);
int tring_elf_functions(const char *path, tring_elf_fn *take, void *data);

#endif /* TRING_ELF_SYMBOL_H */
