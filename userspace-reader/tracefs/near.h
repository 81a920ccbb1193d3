/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of events that are near to a misspelt one. */
#ifndef TRING_NEAR_H
#define TRING_NEAR_H

#include <stddef.h>

struct tring_available;

size_t tring_edit_distance(const char *a, const char *b);
char *tring_near_names(const struct tring_available *available, const char *pattern);

#endif /* TRING_NEAR_H */
