/* SPDX-License-Identifier: GPL-2.0 */
/* Conversions of print formats: "%-16s", "%#lx" and so on. */
#ifndef TRING_CONVERSION_H
#define TRING_CONVERSION_H

#include <stdbool.h>
#include <stddef.h>

#include "line.h"

/* libtraceevent has room for so much of a conversion. */
#define TRING_CONVERSION_MAX	30

/**
 * struct tring_conversion - what stands between a '%' and its letter
 * @form: flags, width and precision
 * @longs: 'l's less 'h's
 * @letter: what it ends with
 * @size: characters with the '%' and the letter
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
