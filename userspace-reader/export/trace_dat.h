/* SPDX-License-Identifier: GPL-2.0 */
/* Writes a trace.dat, which trace-cmd and KernelShark read: version 6 of the format. */
#ifndef TRING_TRACE_DAT_H
#define TRING_TRACE_DAT_H

#include <stdbool.h>
#include <stdint.h>

#include "ftrace_pages.h"
#include "output.h"
#include "event/events.h"
#include "trace/parts_dir.h"
#include "trace/trace_info.h"

/**
 * struct tring_trace_dat_cpu - what is written of a CPU
 * @cpu: number of the CPU
 * @start: offset of its pages in the file
 * @size: bytes of its pages
 * @statistics: offset of its statistics in the file
 */
struct tring_trace_dat_cpu {
	int		cpu;
	uint64_t	start;
	uint64_t	size;
	uint64_t	statistics;
};

/**
 * struct tring_trace_dat - a trace.dat that is being written
 * @output: the file
 * @parts: the directories of the trace that is converted
 * @info: its properties
 * @events: its events
 * @cpus: its CPUs, ascending
 * @count: number of @cpus
 * @page_size: bytes of a page
 * @pages: pages of the CPU that is being written
 * @table: offset of the table of the CPUs' pages
 * @wall: tell the wall clock, as whose times trace-cmd shows all times then
 */
struct tring_trace_dat {
	struct tring_output output;
	const struct tring_parts_list *parts;
	const struct tring_trace_info *info;
	const struct tring_events *events;
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
			     uint64_t events, uint64_t lost, uint64_t last);
int tring_trace_dat_close(struct tring_trace_dat *dat);

#endif /* TRING_TRACE_DAT_H */
