/* SPDX-License-Identifier: GPL-2.0 */
/* Several traces on one time line. */
#ifndef TRING_TOGETHER_H
#define TRING_TOGETHER_H

#include "report.h"

int tring_together_align(struct tring_report *reports, size_t count, const char *filter);
void tring_together_name(struct tring_report *reports, size_t count);
void tring_together_print(struct tring_report *reports, size_t count);
void tring_together_free(struct tring_report *reports, size_t count);

#endif /* TRING_TOGETHER_H */
