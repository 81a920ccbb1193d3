/* SPDX-License-Identifier: GPL-2.0 */
/* Summary of a trace: the number of each event, and the range of its fields. */
#ifndef TRING_SUMMARY_H
#define TRING_SUMMARY_H

#include "tring.h"

void tring_summarise(struct tring_trace *trace);

#endif /* TRING_SUMMARY_H */
