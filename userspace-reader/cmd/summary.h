/* SPDX-License-Identifier: GPL-2.0 */
/* Summary of a trace: the number of each event, and the range of its fields. */
#ifndef TRING_SUMMARY_H
#define TRING_SUMMARY_H

#include "read/report.h"

void tring_report_summarise(struct tring_report *report);

#endif /* TRING_SUMMARY_H */
