/* SPDX-License-Identifier: GPL-2.0 */
/* What perf tells of the memory of programs while they run. */
#ifndef TRING_SIDEBAND_H
#define TRING_SIDEBAND_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct tring_sideband_ring;

/**
 * struct tring_sideband - perf's events of all CPUs
 * @fd: poll() finds it readable once a ring should be read; -1 without events
 * @rings: one for each CPU
 * @count: number of @rings
 */
struct tring_sideband {
	int		fd;
	struct tring_sideband_ring *rings;
	size_t		count;
};

/**
 * typedef tring_sideband_fn - takes a record of perf's
 * @data: the caller's
 * @record: the record; its last 8 bytes are its time
 * @ns: that time
 */
typedef void tring_sideband_fn(void *data, const struct perf_event_header *record, uint64_t ns);

int tring_sideband_begin(struct tring_sideband *sideband, clockid_t clock);
void tring_sideband_read(struct tring_sideband *sideband, tring_sideband_fn *take, void *data);
uint64_t tring_sideband_lost(const struct tring_sideband *sideband);
void tring_sideband_end(struct tring_sideband *sideband);

#endif /* TRING_SIDEBAND_H */
