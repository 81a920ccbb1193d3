/* SPDX-License-Identifier: GPL-2.0 */
/* A trace for the tests of convert, with events of every kind. */
#ifndef TRING_TEST_EVERY_KIND_H
#define TRING_TEST_EVERY_KIND_H

#include <stdbool.h>
#include <stddef.h>

void make_every_kind(const char *dir, bool order);

#endif /* TRING_TEST_EVERY_KIND_H */
