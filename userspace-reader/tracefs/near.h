/* SPDX-License-Identifier: GPL-2.0 */
/* Names of events that are near to a misspelt one. */
#ifndef TRING_NEAR_H
#define TRING_NEAR_H

#include <stddef.h>

struct tring_available;

size_t tring_edit_distance(const char *a, const char *b);
char *tring_near_names(const struct tring_available *available, const char *pattern);

#endif /* TRING_NEAR_H */
