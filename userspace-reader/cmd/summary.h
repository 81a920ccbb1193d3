/* SPDX-License-Identifier: GPL-2.0 */
/* What is in a trace: how many of which event, and between which values. */
#ifndef TRING_SUMMARY_H
#define TRING_SUMMARY_H

#include "report.h"

void tring_report_summarise(struct tring_report *report);

#endif /* TRING_SUMMARY_H */
