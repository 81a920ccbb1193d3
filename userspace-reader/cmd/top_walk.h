/* SPDX-License-Identifier: GPL-2.0 */
/* Reads a trace for its tables. */
#ifndef TRING_TOP_WALK_H
#define TRING_TOP_WALK_H

#include "print/printer.h"
#include "report.h"
#include "top/top.h"

/**
 * struct tring_top_walk - a trace and its tables
 * @report: the trace, loaded
 * @selection: what the user has asked for, applied to @report
 * @top: the tables; the caller has set how they are to be printed
 * @printer: knows the names of tasks
 */
struct tring_top_walk {
	struct tring_report *report;
	struct tring_selection *selection;
	struct tring_top top;
	struct tring_printer printer;
};

void tring_top_walk_init(struct tring_top_walk *walk);
void tring_top_walk_run(struct tring_top_walk *walk);
void tring_top_walk_free(struct tring_top_walk *walk);

#endif /* TRING_TOP_WALK_H */
