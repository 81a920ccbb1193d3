/* SPDX-License-Identifier: GPL-2.0 */
/* Conversions of print formats: "%-16s", "%#lx" and so on. */
#ifndef TRING_CONVERSION_H
#define TRING_CONVERSION_H

#include <stdbool.h>
#include <stddef.h>

#include "util/line.h"

/* Longest conversion that libtraceevent accepts, in characters. */
#define TRING_CONVERSION_MAX	30

/**
 * struct tring_conversion - one conversion of a print format
 * @form: flags, width and precision
 * @longs: number of 'l' minus number of 'h'
 * @letter: conversion letter, its last character
 * @size: characters from the '%' to the letter, both included
 */
struct tring_conversion {
	struct tring_number_form form;
	int		longs;
	char		letter;
	size_t		size;
};

bool tring_conversion_read(struct tring_conversion *conversion,
			   const char *text);

#endif /* TRING_CONVERSION_H */
