/* SPDX-License-Identifier: GPL-2.0 */
/* Prints a trace while it is recorded. */
#ifndef TRING_FOLLOW_H
#define TRING_FOLLOW_H

#include "report.h"

void tring_follow_print(struct tring_report *report);

#endif /* TRING_FOLLOW_H */
