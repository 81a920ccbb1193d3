/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a filter means, by the shortest way: see reference.c.
 */
#ifndef FILTER_REFERENCE_H
#define FILTER_REFERENCE_H

#include "probes/filter_program.h"
#include "../filter_rows.h"

/* reference.c APIs: */
bool reference_fits(const char *text, const struct filter_record *record);

#endif /* FILTER_REFERENCE_H */
