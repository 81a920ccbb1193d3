/* SPDX-License-Identifier: GPL-2.0 */
/* Writes down what programs have in their memory. */
#ifndef TRING_RECORD_MAPS_H
#define TRING_RECORD_MAPS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sideband.h"
#include "trace/trace_info.h"
#include "util/intern.h"

/**
 * struct tring_maps_writer - the file "maps" of a trace
 * @sideband: what perf tells
 * @is_wanted: the trace has addresses of programs
 * @info: the trace's clock
 * @file: the file; NULL without one
 * @files: files that have a number: as /proc has them, device, inode and path; as perf has them,
 *	build id and path
 * @before: its clock, and the one of @sideband, at the same time
 * @lost: number of records that perf has lost so far
 * @error: a negative errno, reported on stderr, if a line is missing
 */
struct tring_maps_writer {
	struct tring_sideband sideband;
	bool		is_wanted;
	const struct tring_trace_info *info;
	FILE		*file;
	struct tring_intern files;
	struct {
		uint64_t stamp;
		uint64_t ns;
	} before;
	uint64_t	lost;
	int		error;
};

void tring_maps_watch(struct tring_maps_writer *maps, const struct tring_trace_info *info,
		      bool watch);
int tring_maps_begin(struct tring_maps_writer *maps, const char *dir);
void tring_maps_go_on(struct tring_maps_writer *maps);
int tring_maps_end(struct tring_maps_writer *maps);

#endif /* TRING_RECORD_MAPS_H */
