/* SPDX-License-Identifier: GPL-2.0 */
/* What surrounds the pages of a trace.dat: version 6 of the format. */
#ifndef TRING_TRACE_DAT_HEAD_H
#define TRING_TRACE_DAT_HEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "ftrace_pages.h"
#include "output.h"

/**
 * struct tring_trace_dat_cpu - what is written of a CPU
 * @cpu: number of the CPU
 * @start: offset of its pages in the file
 * @size: bytes of its pages
 * @statistics: offset of its statistics in the file
 * @last: events lost behind its last one, which no page can tell
 */
struct tring_trace_dat_cpu {
	int		cpu;
	uint64_t	start;
	uint64_t	size;
	uint64_t	statistics;
	uint64_t	last;
};

/**
 * struct tring_trace_dat - a trace.dat that is being written
 * @output: the file
 * @trace: the trace that is converted
 * @big_endian: its byte order
 * @cpus: its CPUs, ascending
 * @count: number of @cpus
 * @page_size: bytes of a page
 * @pages: pages of the CPU that is being written
 * @table: offset of the table of the CPUs' pages
 * @wall: tell the wall clock, as whose times trace-cmd shows all times then
 */
struct tring_trace_dat {
	struct tring_output output;
	struct tring_trace *trace;
	bool		big_endian;
	struct tring_trace_dat_cpu *cpus;
	size_t		count;
	size_t		page_size;
	struct tring_ftrace_pages pages;
	uint64_t	table;
	bool		wall;
};

int tring_trace_dat_open(struct tring_trace_dat *dat, const char *path);
int tring_trace_dat_begin(struct tring_trace_dat *dat);
void tring_trace_dat_begin_cpu(struct tring_trace_dat *dat, struct tring_trace_dat_cpu *cpu);
void tring_trace_dat_end_cpu(struct tring_trace_dat *dat, struct tring_trace_dat_cpu *cpu,
			     uint64_t events, uint64_t lost);
int tring_trace_dat_close(struct tring_trace_dat *dat);

#endif /* TRING_TRACE_DAT_HEAD_H */
