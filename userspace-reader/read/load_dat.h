/* SPDX-License-Identifier: GPL-2.0 */
/* Loads a trace.dat in place of a trace of tring's. */
#ifndef TRING_LOAD_DAT_H
#define TRING_LOAD_DAT_H

#include "report.h"

int tring_load_dat(struct tring_report *report, const char *path);

#endif /* TRING_LOAD_DAT_H */
