/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Events of a trace.dat. */
#ifndef TRING_DAT_RECORDS_H
#define TRING_DAT_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dat_file.h"
#include "dat_page.h"
#include "wire/wire.h"

/* All events are read once, and those of some CPUs once more, ahead or before. */
#define TRING_DAT_PASSES	2

/**
 * struct tring_dat_position - a stream's position in a CPU's events
 * @records: the file
 * @cpu: the CPU
 * @pages: its pages that are in memory: all, or those of a compressed chunk
 * @chunk: offset of the next chunk in the file
 * @chunks: how many chunks are to come
 * @page: page of the last event
 * @offset: offset of @page in the file, or of its chunk and in that
 * @lost: events lost in front of the next one
 * @lost_packets: how often an unknown number of events was lost there
 * @ended: there is no further event
 * @last: time of the last event
 * @unordered: an event was before the one in front of it
 */
struct tring_dat_position {
	struct tring_dat_records *records;
	const struct tring_dat_cpu *cpu;
	struct tring_dat_cursor pages;
	uint64_t	chunk;
	uint32_t	chunks;
	struct tring_dat_page page;
	uint64_t	offset;
	uint64_t	lost;
	uint64_t	lost_packets;
	bool		ended;
	uint64_t	last;
	bool		unordered;
};

/**
 * struct tring_dat_records - events of a trace.dat
 * @file: what the file says of them
 * @positions: of each pass by CPU, as in the buffer; NULL before they are needed
 */
struct tring_dat_records {
	struct tring_dat_file file;
	struct tring_dat_position *positions[TRING_DAT_PASSES];
};

void tring_dat_records_start(struct tring_dat_records *records, unsigned int pass, size_t cpu,
			     struct tring_stream *stream);
uint64_t tring_dat_records_place(const struct tring_stream *stream);
void tring_dat_records_copy(struct tring_stream *stream);
void tring_dat_records_close(struct tring_dat_records *records);

#endif /* TRING_DAT_RECORDS_H */
