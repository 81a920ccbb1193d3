/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Events of a trace.dat, read by libtracecmd. */
#ifndef TRING_DAT_RECORDS_H
#define TRING_DAT_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dat_file.h"
#include "wire/wire.h"

struct tracecmd_input;
struct tep_record;

/* All events are read once, and those of some CPUs once more, ahead or before. */
#define TRING_DAT_PASSES	2

/**
 * struct tring_dat_position - a stream's position in a CPU's events
 * @pass: the pass, through all CPUs
 * @cpu: the CPU
 * @record: the event that was read last
 * @begun: an event was read
 * @page: offset of the last event's page in the file
 * @ended: there is no further event
 * @last: time of the last event
 * @unordered: an event was before the one in front of it
 */
struct tring_dat_position {
	struct tring_dat_pass *pass;
	const struct tring_dat_cpu *cpu;
	struct tep_record *record;
	bool		begun;
	uint64_t	page;
	bool		ended;
	uint64_t	last;
	bool		unordered;
};

/**
 * struct tring_dat_pass - libtracecmd's handles
 * @records: the file
 * @file: the file's handle, which is that of the main buffer, too; NULL before it is needed
 * @buffer: the handle of the buffer that is read
 * @positions: by CPU, as in the buffer
 */
struct tring_dat_pass {
	struct tring_dat_records *records;
	struct tracecmd_input *file;
	struct tracecmd_input *buffer;
	struct tring_dat_position *positions;
};

/**
 * struct tring_dat_records - events of a trace.dat
 * @file: what the file says of them
 * @passes: how far they were read
 */
struct tring_dat_records {
	struct tring_dat_file file;
	struct tring_dat_pass passes[TRING_DAT_PASSES];
};

int tring_dat_records_open(struct tring_dat_records *records);
int tring_dat_records_start(struct tring_dat_records *records, unsigned int pass, size_t cpu,
			    struct tring_stream *stream);
void tring_dat_records_copy(struct tring_stream *stream);
void tring_dat_records_close(struct tring_dat_records *records);

#endif /* TRING_DAT_RECORDS_H */
