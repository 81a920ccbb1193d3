/* SPDX-License-Identifier: GPL-2.0 */
/* Prints the streams of several CPUs, ordered by time. */
#ifndef TRING_REPORT_H
#define TRING_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/events.h"
#include "print/printer.h"
#include "selection.h"
#include "dat/dat_records.h"
#include "trace/packets.h"
#include "trace/parts_dir.h"
#include "trace/short_ids.h"
#include "trace/trace_info.h"
#include "wire/wire.h"
#include "util/util.h"

struct tring_chunks;

/**
 * struct tring_report_cpu - one CPU's packets
 * @cpu: number of the CPU
 * @path: source of its packets, for messages, if it has no files
 * @files: its packets, in the order of time
 * @count: number of @files
 * @packets: the file that is read, or the packets themselves
 * @stream: position in its packets
 * @events: number of events so far
 * @earlier: those of the files before
 * @dat_index: index of the CPU in a trace.dat
 * @gap_packets: number of packets missing between others
 * @gap_events: number of events lost where packets are missing
 * @held_events: number of events lost behind the CPU's last event that was printed
 * @held_packets: number of packets missing in the same place
 * @growing: number of the file that grows
 * @last_packet: offset of the last packet in it
 * @whole: end of that packet
 * @chunks: packets of a ring that is read while it records; NULL for a trace
 */
struct tring_report_cpu {
	int		cpu;
	char		*path;
	struct tring_packet_file *files;
	size_t		count;
	struct tring_packets packets;
	struct tring_stream stream;
	uint64_t	events;
	uint64_t	earlier;
	size_t		dat_index;
	uint64_t	gap_packets;
	uint64_t	gap_events;
	uint64_t	held_events;
	uint64_t	held_packets;
	size_t		growing;
	uint64_t	last_packet;
	uint64_t	whole;
	struct tring_chunks *chunks;
};

struct tring_report;

/**
 * struct tring_report_writer - how events and losses are written
 * @event: write an event, which is none that was discarded. Returns NULL, or the reason why
 *	its payload is bad
 * @loss: write what is missing at a place. @behind is the CPU's next event, or NULL at the end
 */
struct tring_report_writer {
	const char *(*event)(struct tring_report *report, const struct tring_report_cpu *cpu,
			     const struct tring_record *record);
	void (*loss)(struct tring_report *report, const struct tring_report_cpu *cpu,
		     const struct tring_record *behind, uint64_t events, uint64_t packets);
};

/**
 * struct tring_report - a trace, or a ring's content, to be printed
 * @dir: the trace, for tring_follow_print()
 * @parts: its directory, or those of its parts; none for what is no trace
 * @dat: the events of a trace.dat, NULL for a trace of tring's
 * @growing: the recording has not ended, so that the trace cannot be checked
 * @name: name of the trace among others; NULL if it is the only one
 * @info: properties of the trace
 * @shorts: events of the short types
 * @events: descriptions of the events
 * @cpus: the CPUs
 * @count: number of @cpus
 * @selection: which events to print, NULL for all
 * @style: how to print events
 * @writer: how events and losses are written; NULL for lines of text
 * @writer_data: for use by @writer
 * @printer: knows the names of tasks, from tring_report_begin() on
 * @entries: one for each of @cpus, private to @merge
 * @merge: the CPUs in time order
 * @entry: the next event or loss, from tring_report_begin() on; NULL at the end
 * @skip: number of events that are still left out because of @newest
 * @failed: the output cannot be written, so the rest is not read
 * @newest: number of events to print, the last ones; 0 for all
 * @printed: number of events printed
 * @lost: number of events lost where a line says so
 * @bad: number of errors outside the streams
 */
struct tring_report {
	const char	*dir;
	struct tring_parts_list parts;
	struct tring_dat_records *dat;
	bool		growing;
	const char	*name;
	struct tring_trace_info info;
	struct tring_short_ids shorts;
	struct tring_events events;
	struct tring_report_cpu *cpus;
	size_t		count;
	const struct tring_selection *selection;
	struct tring_style style;
	const struct tring_report_writer *writer;
	void		*writer_data;
	struct tring_printer printer;
	struct tring_merge_entry *entries;
	struct tring_merge merge;
	struct tring_merge_entry *entry;
	uint64_t	skip;
	bool		failed;
	uint64_t	newest;
	uint64_t	printed;
	uint64_t	lost;
	uint64_t	bad;
};

int tring_report_init(struct tring_report *report, size_t cpus);
struct tring_report_cpu *tring_report_add_cpu(struct tring_report *report,
					      int cpu, char *path);
struct tring_packet_file *tring_report_add_file(struct tring_report_cpu *cpu, char *path);
const char *tring_report_path(const struct tring_report_cpu *cpu);
void tring_report_stream(const struct tring_report *report, const struct tring_report_cpu *cpu,
			 struct tring_packets *packets, struct tring_stream *stream);
void tring_report_start_cpu(struct tring_report *report,
			    struct tring_report_cpu *cpu);
uint64_t tring_report_last_loss(const struct tring_report_cpu *cpu);
void tring_report_print_loss(const char *label, int cpu, uint64_t events, uint64_t packets,
			     const char *end);
void tring_report_fail(struct tring_report *report);
void tring_report_begin(struct tring_report *report);
void tring_report_take(struct tring_report *report);
void tring_report_finish(struct tring_report *report);
void tring_report_print(struct tring_report *report);
int tring_report_end(struct tring_report *report);

#endif /* TRING_REPORT_H */
