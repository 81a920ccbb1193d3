/* SPDX-License-Identifier: GPL-2.0 */
/* The streams of several CPUs as text, in time order. */
#ifndef TRING_REPORT_H
#define TRING_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "print/events.h"
#include "trace/short_ids.h"
#include "trace/trace_info.h"
#include "tring_parse.h"
#include "util.h"

/**
 * struct tring_report_cpu - one CPU's packets
 * @cpu: its number
 * @path: where they came from, for messages
 * @input: the packets
 * @stream: the same walked
 * @lost: all that was lost up to the end, as the ring counted
 * @know_lost: is that known?
 * @gap_packets: packets that were missing between others
 * @gap_events: events that were lost where packets were missing
 */
struct tring_report_cpu {
	int		cpu;
	char		*path;
	struct tring_input input;
	struct tring_stream stream;
	uint64_t	lost;
	bool		know_lost;
	uint64_t	gap_packets;
	uint64_t	gap_events;
};

/**
 * struct tring_report - what is to be printed
 * @info: what the ring said of itself
 * @shorts: which events the short records are of
 * @events: descriptions
 * @cpus: CPUs
 * @count: how many
 * @newest: print no more than these, the last ones; 0 for all
 * @printed: events printed
 * @bad: things wrong outside the streams
 */
struct tring_report {
	struct tring_trace_info info;
	struct tring_short_ids shorts;
	struct tring_events events;
	struct tring_report_cpu *cpus;
	size_t		count;
	uint64_t	newest;
	uint64_t	printed;
	uint64_t	bad;
};

int tring_report_init(struct tring_report *report, size_t cpus);
struct tring_report_cpu *tring_report_add_cpu(struct tring_report *report,
					      int cpu, char *path);
void tring_report_stream(const struct tring_report *report,
			 const struct tring_report_cpu *cpu,
			 struct tring_stream *stream);
void tring_report_start_cpu(struct tring_report *report,
			    struct tring_report_cpu *cpu);
uint64_t tring_report_last_loss(const struct tring_report_cpu *cpu);
void tring_report_print(struct tring_report *report);
int tring_report_end(struct tring_report *report);

#endif /* TRING_REPORT_H */
