/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random filters; see random.c.
 */
#ifndef FILTER_RANDOM_H
#define FILTER_RANDOM_H

#include <stdint.h>

/* Longest text of a random filter, its NUL included. */
#define FILTER_TEXT_SIZE	2048

/**
 * struct filter_word - a field that random filters compare
 * @name: its name
 * @kind: 'u' for an unsigned number, 's' for a signed one, 't' for a string, 'c' for a set of CPUs,
 *	'f' for code
 * @values: what it is compared with, ended by NULL
 */
struct filter_word {
	const char		*name;
	char			kind;
	const char *const	*values;
};

/* random.c APIs: */
void random_seed(uint64_t seed);
uint32_t random_below(uint32_t limit);
uint64_t random_number(void);
void random_filter(char *text, const struct filter_word *words, uint32_t count);

#endif /* FILTER_RANDOM_H */
