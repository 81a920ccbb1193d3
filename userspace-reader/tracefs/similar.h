/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of events that are similar to a misspelt one. */
#ifndef TRING_SIMILAR_H
#define TRING_SIMILAR_H

#include <stddef.h>

struct tring_available;

size_t tring_edit_distance(const char *a, const char *b);
char *tring_similar_names(const struct tring_available *available, const char *pattern);

#endif /* TRING_SIMILAR_H */
