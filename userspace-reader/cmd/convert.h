/* SPDX-License-Identifier: GPL-2.0 */
/* The formats of convert: each reads the streams of a trace and calls a writer. */
#ifndef TRING_CONVERT_H
#define TRING_CONVERT_H

#include "read/report.h"

int tring_convert_to_trace_dat(struct tring_report *report, const char *output);
int tring_convert_to_json(struct tring_report *report, const char *output);
int tring_convert_to_csv(struct tring_report *report, const char *output);
void tring_json_print(struct tring_report *reports, size_t count,
		      void (*print)(struct tring_report *reports, size_t count));
int tring_convert_to_ctf(struct tring_report *report, const char *output);
int tring_convert_to_parquet(struct tring_report *report, const char *output);
int tring_convert_to_perfetto(struct tring_report *report, const char *output);

#endif /* TRING_CONVERT_H */
