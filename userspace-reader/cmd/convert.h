/* SPDX-License-Identifier: GPL-2.0 */
/* The formats of convert: each reads the streams of a trace and calls a writer. */
#ifndef TRING_CONVERT_H
#define TRING_CONVERT_H

#include "show.h"

int tring_convert_to_trace_dat(struct tring_trace *trace, const char *output, bool wall);
int tring_convert_to_json(struct tring_trace *trace, const char *output);
int tring_convert_to_csv(struct tring_trace *trace, const char *output);
void tring_json_show(struct tring_show *show, void (*write)(struct tring_show *show));
int tring_convert_to_ctf(struct tring_trace *trace, const char *output);
int tring_convert_to_parquet(struct tring_trace *trace, const char *output);
int tring_convert_to_perfetto(struct tring_trace *trace, const char *output);

#endif /* TRING_CONVERT_H */
