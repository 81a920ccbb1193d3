/* SPDX-License-Identifier: GPL-2.0 */
/* Where a function is in a program's file. */
#ifndef TRING_ELF_SYMBOL_H
#define TRING_ELF_SYMBOL_H

#include <stdint.h>

int tring_elf_function(const char *path, const char *name, uint64_t offset, uint64_t *place);

#endif /* TRING_ELF_SYMBOL_H */
