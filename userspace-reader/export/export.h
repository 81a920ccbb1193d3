/* SPDX-License-Identifier: GPL-2.0 */
/* Traces in the formats of other tools. */
#ifndef TRING_EXPORT_H
#define TRING_EXPORT_H

#include "tring.h"

int tring_export_json(struct tring_trace *trace, const char *path);
int tring_export_ctf(struct tring_trace *trace, const char *path);
int tring_export_parquet(struct tring_trace *trace, const char *path);
int tring_export_perfetto(struct tring_trace *trace, const char *path);
int tring_export_trace_dat(struct tring_trace *trace, const char *path, bool wall);

#endif /* TRING_EXPORT_H */
