/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An open trace: its CPUs' streams, merged by time. */
#ifndef TRING_TRACE_H
#define TRING_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dat/dat_records.h"
#include "event/events.h"
#include "event/names.h"
#include "selection.h"
#include "trace/packets.h"
#include "trace/parts_dir.h"
#include "trace/short_ids.h"
#include "trace/trace_info.h"
#include "tring.h"
#include "util/util.h"
#include "wire/wire.h"

struct follow;
struct tring_chunks;
struct tring_join;
struct tring_live_ring;
struct tring_scout;

/**
 * struct tring_cpu - one CPU's packets
 * @trace: the trace
 * @cpu: number of the CPU
 * @at: its place among the trace's CPUs
 * @path: source of its packets, for messages, if it has no files
 * @files: its packets, in the order of time
 * @count: number of @files
 * @packets: the file that is read, or the packets themselves
 * @stream: position in its packets
 * @events: number of events so far, but for those that the stream has skipped
 * @earlier: those of the files before, and those that were skipped
 * @dat_index: index of the CPU in a trace.dat
 * @held_events: number of events lost behind the CPU's last event that was given
 * @held_packets: number of packets missing in the same place
 * @held: a loss is to be given before the CPU's next event
 * @errors: pieces of bad input up to the last record
 * @told: its packets were read to the end, and what is wrong with them was told
 * @followed: it was followed, so its recorder may not have kept symbols yet
 * @growing: number of the file that grows
 * @last_packet: offset of the last packet in it
 * @whole: end of that packet
 * @chunks: packets of a ring that is read while it records; NULL for a trace
 */
struct tring_cpu {
	struct tring_trace *trace;
	int		cpu;
	size_t		at;
	char		*path;
	struct tring_packet_file *files;
	size_t		count;
	struct tring_packets packets;
	struct tring_stream stream;
	uint64_t	events;
	uint64_t	earlier;
	size_t		dat_index;
	uint64_t	held_events;
	uint64_t	held_packets;
	bool		held;
	bool		told;
	uint64_t	errors;
	size_t		growing;
	uint64_t	last_packet;
	uint64_t	whole;
	struct tring_chunks *chunks;
};

/**
 * struct tring_trace - a trace, or a ring's content
 * @dir: the trace
 * @parts: its directory, or those of its parts; none for what is no trace
 * @dat: the events of a trace.dat, NULL for a trace of tring's
 * @info: properties of the trace
 * @shorts: events of the short types
 * @events: descriptions of the events
 * @names: names of tasks
 * @cpus: the CPUs
 * @count: number of @cpus
 * @selection: which events are given, NULL for all
 * @is_stream: one CPU's packets; @parts are of a trace that describes them
 * @undescribed: nothing describes them
 * @newest: number of events to give, the last ones; 0 for all
 * @growing: the recording has not ended, so that the trace cannot be checked
 * @follow: what is known of a trace that may get more events; NULL for another one
 * @every: all events up to the end of @selection are given, whatever else it says, and each
 *	loss is told where it begins, too
 * @quiet: no message tells of a record that does not fit
 * @nameless: no name of a task that an event tells is needed
 * @live: the ring whose packets are taken; NULL for another trace
 * @more: the streams may get more events
 * @only: the only CPU that is read, as its records are, counted from 1; 0 for all
 * @late: earlier times are given as this one; 0 in a trace that is recorded
 * @given: number of events that were given
 * @problems: number of things that are wrong, but for what the streams have counted
 * @sink: gets the messages of a trace that was opened by tring_open(); zeroed in another one
 * @options: where they go from there
 * @path: @dir of such a trace, which owns it
 * @chosen: @selection of such a trace
 * @join: the traces that it is read with; NULL for none
 * @has_symbols: the symbols are loaded
 * @status: the first error of a call, a negative errno
 * @text: the text of the last message that told of an error
 *
 * What follows is private to trace.c.
 * @entries: one for each of @cpus, private to @merge
 * @merge: the CPUs in time order
 * @entry: the next event; NULL at the end
 * @begun: the streams are merged
 * @given_entry: @entry was given
 * @looked: @entry was looked at: its losses are counted, @event, @wrong and @selected valid
 * @event: its description
 * @wrong: why it does not fit
 * @selected: it is to be given
 * @limit: events behind this timestamp have to wait
 * @floor: events before this timestamp are not given
 * @ending: index of the next CPU whose last losses are to be given
 * @skip: number of events that are still left out because of @newest
 * @later: there are events behind the end of @selection
 * @scouts: what looks for losses ahead, for each of @cpus; NULL without @every
 * @next_loss: timestamp of the last event before the next loss that was not told;
 *	UINT64_MAX if there is none
 * @filter: what each event has to meet to be given; NULL without @selection, or if @every
 *	event is given
 * @last: with @every, timestamp behind which no event is given
 * @reached: latest timestamp that was given
 * @overtaken: number of events that came when later ones had been given, and were not told yet
 */
struct tring_trace {
	const char	*dir;
	struct tring_parts_list parts;
	struct tring_dat_records *dat;
	struct tring_trace_info info;
	struct tring_short_ids shorts;
	struct tring_events events;
	struct tring_names names;
	struct tring_cpu *cpus;
	size_t		count;
	const struct tring_selection *selection;
	bool		is_stream;
	bool		undescribed;
	uint64_t	newest;
	bool		followed;
	bool		growing;
	struct follow	*follow;
	bool		every;
	bool		quiet;
	bool		nameless;
	struct tring_live_ring *live;
	bool		more;
	size_t		only;
	uint64_t	late;
	uint64_t	given;
	uint64_t	problems;
	struct tring_sink sink;
	struct tring_options options;
	char		*path;
	struct tring_selection chosen;
	struct tring_join *join;
	bool		has_symbols;
	int		status;
	char		*text;

	struct tring_merge_entry *entries;
	struct tring_merge merge;
	struct tring_merge_entry *entry;
	bool		begun;
	bool		given_entry;
	bool		looked;
	const struct tring_event *event;
	const char	*wrong;
	bool		selected;
	uint64_t	limit;
	uint64_t	floor;
	size_t		ending;
	uint64_t	skip;
	bool		later;
	struct tring_scout *scouts;
	uint64_t	next_loss;
	const struct tring_selection *filter;
	uint64_t	last;
	uint64_t	reached;
	uint64_t	overtaken;
};

struct tring_trace *tring_trace_make(const struct tring_options *options, const char *path);
struct tring_sink *tring_trace_enter(struct tring_trace *trace);
int tring_trace_leave(struct tring_trace *trace, struct tring_sink *before, int error);
int tring_trace_init(struct tring_trace *trace, size_t cpus);
void tring_trace_free(struct tring_trace *trace);
void tring_trace_merge(struct tring_trace *trace);
void tring_trace_resume(struct tring_trace *trace);
int tring_trace_next(struct tring_trace *trace, struct tring_item *item);
struct tring_cpu *tring_trace_add_cpu(struct tring_trace *trace, int cpu, char *path);
struct tring_packet_file *tring_cpu_add_file(struct tring_cpu *cpu, char *path);
void tring_cpu_stream(const struct tring_cpu *cpu, struct tring_packets *packets,
		      struct tring_stream *stream);
void tring_cpu_start(struct tring_cpu *cpu);
uint64_t tring_cpu_last_loss(const struct tring_cpu *cpu);
void tring_cpu_problem(struct tring_cpu *cpu, const struct tring_record *record,
		       const char *wrong);

/**
 * tring_cpu_events - get the number of events that were read
 * @cpu: the CPU
 *
 * Return: the number in the file that is read.
 */
static inline uint64_t tring_cpu_events(const struct tring_cpu *cpu)
{
	return cpu->events + cpu->stream.skipped - cpu->earlier;
}

#endif /* TRING_TRACE_H */
