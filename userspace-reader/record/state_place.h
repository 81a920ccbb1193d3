/* SPDX-License-Identifier: GPL-2.0 */
/* The place of the files that recorders leave for the case that they are killed. */
#ifndef TRING_STATE_PLACE_H
#define TRING_STATE_PLACE_H

#include <stddef.h>

struct tring_control;

char *tring_place_make(const struct tring_control *control);
char *tring_place_find(const struct tring_control *control, size_t number);
size_t tring_place_count(void);

#endif /* TRING_STATE_PLACE_H */
