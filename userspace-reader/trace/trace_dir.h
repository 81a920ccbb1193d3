/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The directory that holds a recorded trace. */
#ifndef TRING_TRACE_DIR_H
#define TRING_TRACE_DIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/events.h"
#include "short_ids.h"
#include "trace_info.h"

/* Directory of the files that viewers do not read and report needs. */
#define TRING_EXTRAS		"tring"

#define TRING_FILE_INFO		"trace_info"
#define TRING_FILE_SHORT_IDS	"short_ids"
#define TRING_FILE_EVENTS	"events"
#define TRING_FILE_PRINTK	"printk_formats"
#define TRING_FILE_CMDLINES	"saved_cmdlines"
#define TRING_FILE_TASKS	"tasks"
#define TRING_FILE_KALLSYMS	"kallsyms"
#define TRING_FILE_MAPS		"maps"
#define TRING_FILE_RESERVE	"reserve"
#define TRING_FILE_HEADER_PAGE	"header_page"

char *tring_trace_path(const char *dir, const char *file);
char *tring_extra_path(const char *dir, const char *file);
char *tring_stream_path(const char *dir, int cpu, bool compressed);
int tring_parse_cpu(const char *name, const char *tail);
int tring_trace_cpus(const char *dir, int **cpus, int *count);
char *tring_trace_of(const char *file, int *cpu);
int tring_trace_dir_info(const char *dir, struct tring_trace_info *info, char **text);

int tring_trace_dir_probe(const char *dir, size_t cpus, uint64_t packets);
int tring_trace_dir_take(const char *dir);
int tring_trace_dir_begin(const char *dir);
int tring_trace_dir_create(const char *dir);
int tring_trace_metadata(const struct tring_trace_info *info,
			 const struct tring_short_ids *shorts,
			 const struct tring_events *events, char **text, size_t *size);
int tring_trace_dir_metadata(const char *dir,
			     const struct tring_trace_info *info,
			     const struct tring_short_ids *shorts,
			     const struct tring_events *events);
int tring_trace_dir_extra(const char *dir, const char *file, const char *text);
int tring_trace_formats(int dir, mode_t mode, bool is_alone, const struct tring_events *events);
int tring_trace_dir_events(const char *dir, const struct tring_events *events);
int tring_trace_dir_kernel(const char *dir, const char *tracing);
int tring_trace_dir_reserve(const char *dir, size_t cpus);
void tring_trace_dir_release(const char *dir);
int tring_trace_dir_cmdlines(const char *dir, const char *tracing, char **tasks);
int tring_trace_dir_tasks(const char *dir, const char *now);

#endif /* TRING_TRACE_DIR_H */
