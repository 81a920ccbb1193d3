// SPDX-License-Identifier: LGPL-2.1-or-later
/* The events and losses of a trace, of all CPUs, in the order of time. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "ahead.h"
#include "event/check.h"
#include "event/functions.h"
#include "follow.h"
#include "join.h"
#include "live_ring.h"
#include "trace.h"
#include "wire/plain_record.h"

/**
 * tring_trace_init - prepare a trace
 * @trace: filled in, except @trace->info, which the caller has set; to be freed
 *	with tring_trace_free() also after an error
 * @cpus: largest number of CPUs
 *
 * Return: 0 or -ENOMEM, reported.
 */
int tring_trace_init(struct tring_trace *trace, size_t cpus)
{
	struct tep_handle *tep;
	int error;

	trace->cpus = tring_allocate(cpus * sizeof(*trace->cpus));
	trace->limit = UINT64_MAX;
	error = tring_events_init(&trace->events);
	if (error)
		return error;
	tring_functions_add(&trace->events, trace->info.tick_frequency);
	tep = trace->events.tep;
	tep_set_local_bigendian(tep, TRING_HOST_BIG_ENDIAN ?
				TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_file_bigendian(tep, trace->info.big_endian ?
			       TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tring_names_init(&trace->names);
	return 0;
}

/**
 * tring_trace_add_cpu - add a CPU
 * @trace: the trace
 * @cpu: number of the CPU
 * @path: source of its packets, allocated; the trace frees it. NULL if it has files
 *
 * Return: the CPU; before tring_cpu_start() the caller fills in @packets.input, or
 * adds files.
 */
struct tring_cpu *tring_trace_add_cpu(struct tring_trace *trace, int cpu, char *path)
{
	struct tring_cpu *added = &trace->cpus[trace->count];

	added->trace = trace;
	added->at = trace->count++;
	added->cpu = cpu;
	added->path = path;
	return added;
}

/**
 * tring_cpu_add_file - add a file of a CPU's packets behind those that it has
 * @cpu: the CPU
 * @path: path of the file, allocated; the trace frees it, and what the caller adds to the file
 *
 * Return: the file.
 */
struct tring_packet_file *tring_cpu_add_file(struct tring_cpu *cpu, char *path)
{
	struct tring_packet_file *added;

	cpu->files = tring_one_more(cpu->files, cpu->count, sizeof(*cpu->files));
	added = &cpu->files[cpu->count++];
	*added = (struct tring_packet_file){ .path = path };
	cpu->packets.files = cpu->files;
	cpu->packets.count = cpu->count;
	return added;
}

/* Return: the source of the packets that are read, for messages. */
static const char *path_of(const struct tring_cpu *cpu)
{
	return cpu->count ? tring_packet_file_path(&cpu->files[cpu->packets.at]) : cpu->path;
}

static void report_error(const struct tring_stream *stream, uint64_t offset,
			 enum tring_reason reason, uint64_t skipped)
{
	const struct tring_cpu *cpu = stream->private;
	char *place = tring_packets_place(&cpu->packets, path_of(cpu));

	if (skipped)
		tring_error("%s: offset 0x%" PRIx64 ": %s; %" PRIu64 " bytes skipped", place,
			    offset, tring_reason_text(reason), skipped);
	else
		tring_error("%s: offset 0x%" PRIx64 ": %s", place, offset,
			    tring_reason_text(reason));
	free(place);
}

static void release_input(const struct tring_stream *stream)
{
	struct tring_cpu *cpu = stream->private;

	tring_packets_release(&cpu->packets, stream);
}

/* The counters of a part tell what its packets do not. */
static void leave_file(struct tring_stream *stream)
{
	struct tring_cpu *cpu = stream->private;

	stream->pending_events = tring_cpu_last_loss(cpu);
	cpu->files[cpu->packets.at].events = tring_cpu_events(cpu);
	cpu->earlier += tring_cpu_events(cpu);
}

static void know_trace(const struct tring_trace *trace, struct tring_stream *stream)
{
	tring_stream_know_uuid(stream, trace->info.uuid);
	tring_stream_know_short_ids(stream, trace->shorts.ids);
}

/**
 * tring_cpu_stream - set up another stream of a CPU's packets
 * @cpu: the CPU, with its files, of a trace with its short ids
 * @packets: filled in; to be closed
 * @stream: filled in; does not report bad input. In a trace.dat, one that was set up before
 *	for the CPU ends
 */
void tring_cpu_stream(const struct tring_cpu *cpu, struct tring_packets *packets,
		      struct tring_stream *stream)
{
	const struct tring_trace *trace = cpu->trace;

	tring_packets_copy(packets, &cpu->packets);
	packets->leave = NULL;
	tring_packets_start(packets, stream);
	know_trace(trace, stream);
	if (trace->dat)
		tring_dat_records_start(trace->dat, 1, cpu->dat_index, stream);
}

/**
 * tring_cpu_start - set up the stream of a CPU's packets
 * @cpu: the CPU, with its files, of a trace with its short ids
 */
void tring_cpu_start(struct tring_cpu *cpu)
{
	const struct tring_trace *trace = cpu->trace;

	tring_packets_start(&cpu->packets, &cpu->stream);
	know_trace(trace, &cpu->stream);
	if (trace->dat)
		tring_dat_records_start(trace->dat, 0, cpu->dat_index, &cpu->stream);
	cpu->packets.leave = leave_file;
	cpu->stream.report = cpu->told ? NULL : report_error;
	cpu->stream.enter = release_input;
	cpu->stream.private = cpu;
	cpu->events = 0;
	cpu->earlier = 0;
}

/* Return: number of first events that are not given, counted on separate streams. */
static uint64_t count_skipped(const struct tring_trace *trace)
{
	uint64_t events = 0;
	size_t i;

	if (!trace->newest)
		return 0;
	for (i = 0; i < trace->count; i++) {
		struct tring_packets packets;
		struct tring_stream stream;
		struct tring_record record;

		tring_cpu_stream(&trace->cpus[i], &packets, &stream);
		while (tring_stream_next(&stream, &record) == TRING_OK)
			events += record.id != TRING_ID_DISCARDED;
		tring_packets_close(&packets);
	}
	return events > trace->newest ? events - trace->newest : 0;
}

/**
 * tring_cpu_last_loss - get the number of events lost behind a CPU's last event
 * @cpu: the CPU, after all packets of a file were read
 *
 * Return: number of events, including those lost after the last packet was closed, and
 * those that were recorded and are not in the file.
 */
uint64_t tring_cpu_last_loss(const struct tring_cpu *cpu)
{
	const struct tring_packet_file *file = cpu->count ? &cpu->files[cpu->packets.at] : NULL;
	const struct tring_stream *stream = &cpu->stream;
	uint64_t events = tring_cpu_events(cpu), lost;

	if (!file || !file->know_end || !stream->know_discarded ||
	    stream->packet.timestamp_end > stream->to)
		return stream->pending_events;
	lost = file->lost;
	/* packets that were left out have an unknown number of events */
	if (!stream->partial && file->recorded > events)
		lost += file->recorded - events;
	return stream->pending_events +
	       (lost > stream->seen_discarded ? lost - stream->seen_discarded : 0);
}

/**
 * tring_cpu_problem - tell that a record does not fit its event's format
 * @cpu: the CPU
 * @record: the record that was read last
 * @wrong: the reason
 */
void tring_cpu_problem(struct tring_cpu *cpu, const struct tring_record *record,
		       const char *wrong)
{
	struct tring_sink *before = tring_trace_enter(cpu->trace);
	bool unknown = record->id == TRING_ID_UNKNOWN;
	char *place = tring_packets_place(&cpu->packets, path_of(cpu));

	tring_error("%s: offset 0x%" PRIx64 ": %s %u: %s", place,
		    cpu->stream.packet.offset + record->offset, unknown ? "short" : "id",
		    unknown ? record->type : record->id, wrong);
	free(place);
	cpu->trace->problems++;
	tring_trace_leave(cpu->trace, before, 0);
}

/* What is not given may still tell the names of tasks. */
static bool is_needed(const struct tring_trace *trace, uint16_t id)
{
	const struct tring_event *event = trace->events.by_id[id];

	return !trace->filter || !trace->filter->ids || trace->filter->ids[id] ||
	       (event && tring_event_private(event)->comms && !trace->nameless);
}

/* Return: the short types of events that need not be looked at. */
static uint32_t find_unwanted(const struct tring_trace *trace)
{
	uint32_t types = 0;
	unsigned int type;

	/* here all are looked at, or a type may get an event meanwhile */
	if (trace->skip || trace->only || trace->live || trace->follow)
		return 0;
	for (type = TRING_TYPE_SHORT_MIN; type <= TRING_TYPE_SHORT_MAX; type++)
		if (trace->shorts.ids[type] && !is_needed(trace, trace->shorts.ids[type]))
			types |= 1u << type;
	return types;
}

/**
 * tring_trace_merge - go to the first event or loss
 * @trace: the trace, with its events and with its CPUs started
 */
void tring_trace_merge(struct tring_trace *trace)
{
	size_t i;

	trace->skip = count_skipped(trace);
	free(trace->entries);
	trace->entries = tring_allocate(trace->count * sizeof(*trace->entries));
	trace->filter = trace->every ? NULL : trace->selection;
	trace->last = trace->every && trace->selection ? trace->selection->last : UINT64_MAX;
	trace->next_loss = UINT64_MAX;
	/* before the merge takes the first record of each stream */
	if (trace->every)
		tring_ahead_begin(trace);
	for (i = 0; i < trace->count; i++) {
		trace->entries[i].stream = &trace->cpus[i].stream;
		trace->cpus[i].stream.unwanted = find_unwanted(trace);
	}
	tring_merge_init(&trace->merge, trace->entries + (trace->only ? trace->only - 1 : 0),
			 trace->only ? 1 : trace->count);
	trace->entry = tring_merge_next(&trace->merge);
	trace->begun = true;
	trace->given_entry = false;
	trace->looked = false;
	trace->ending = 0;
	trace->later = false;
}

/**
 * tring_trace_resume - go on with streams that were at their end and have got more
 * @trace: the trace, merged
 */
void tring_trace_resume(struct tring_trace *trace)
{
	size_t i;

	if (trace->given_entry) {
		trace->entry = tring_merge_next(&trace->merge);
		trace->given_entry = false;
		trace->looked = false;
	}
	if (trace->every)
		tring_ahead_resume(trace);
	for (i = 0; i < trace->count; i++) {
		struct tring_stream *stream = &trace->cpus[i].stream;

		if (tring_merge_has(&trace->merge, stream))
			continue;
		trace->entry = tring_merge_resume(&trace->merge, stream);
	}
}

/* No message comes of a usual record, so that it is not for each that messages go to the trace. */
static __attribute__((noinline)) void find_entry(struct tring_trace *trace)
{
	struct tring_sink *before = tring_trace_enter(trace);

	if (trace->begun)
		trace->entry = tring_merge_next(&trace->merge);
	else
		tring_trace_merge(trace);
	tring_trace_leave(trace, before, 0);
}

static void go_on(struct tring_trace *trace)
{
	if (!trace->begun || !tring_merge_plain(&trace->merge))
		find_entry(trace);
	trace->given_entry = false;
	trace->looked = false;
}

static bool is_shown_cpu(const struct tring_trace *trace, const struct tring_cpu *cpu)
{
	return !trace->selection || trace->every ||
	       tring_selection_has_cpu(trace->selection, cpu->cpu);
}

/*
 * A loss is held until an event of the CPU is given behind it. Where input is bad, events may be
 * missing, too, of which nothing else is known.
 */
static void take_loss(struct tring_trace *trace, struct tring_cpu *cpu)
{
	const struct tring_stream *stream = &cpu->stream;

	cpu->errors = stream->errors;
	if (trace->skip || !is_shown_cpu(trace, cpu))
		return;
	cpu->held_events += stream->lost_events;
	cpu->held_packets += stream->lost_packets;
	cpu->held = trace->every || cpu->held_events || cpu->held_packets;
}

/* The name of its task, which takes longest, comes last. */
static bool is_selected(struct tring_trace *trace, const struct tring_selection *selection,
			const struct tring_cpu *cpu, const struct tring_record *record)
{
	return tring_selection_has(selection, record) &&
	       tring_selection_has_cpu(selection, cpu->cpu) &&
	       (!selection->comms.count ||
		tring_selection_has_comm(selection,
					 tring_names_comm(&trace->names, record->pid))) &&
	       tring_selection_has_fields(selection, trace->event, record, trace->wrong,
					  cpu->cpu, &trace->names);
}

static void look(struct tring_trace *trace, struct tring_cpu *cpu,
		 const struct tring_record *record)
{
	const struct tring_stream *stream = &cpu->stream;

	trace->looked = true;
	trace->selected = false;
	if (stream->lost_events | stream->lost_packets | (stream->errors ^ cpu->errors))
		take_loss(trace, cpu);
	if (record->id == TRING_ID_DISCARDED)
		return;
	cpu->events++;
	if (trace->skip) {
		trace->skip--;
		return;
	}
	if (record->stamp > trace->last) {
		trace->later = true;
		return;
	}
	if (trace->only) {
		trace->event = NULL;
		trace->wrong = NULL;
		trace->selected = true;
		return;
	}
	trace->event = trace->events.by_id[record->id];
	if (!is_needed(trace, record->id))
		return;
	trace->wrong = tring_learn(trace->event, record,
				   trace->nameless ? NULL : &trace->names);
	trace->selected = record->stamp >= trace->floor &&
			  (!trace->filter || is_selected(trace, trace->filter, cpu, record));
}

/* Return: as of tring_ahead_end_loss(). */
static uint64_t end_loss(struct tring_trace *trace, size_t at)
{
	struct tring_sink *before = tring_trace_enter(trace);
	uint64_t since = tring_ahead_end_loss(trace, at);

	tring_trace_leave(trace, before, 0);
	return since;
}

static int give_loss(struct tring_trace *trace, struct tring_cpu *cpu,
		     const struct tring_record *behind, struct tring_item *item)
{
	*item = (struct tring_item) {
		.kind = TRING_ITEM_LOSS, .cpu = cpu->cpu, .cpu_at = cpu->at,
		.record = behind, .events = cpu->held_events, .packets = cpu->held_packets,
		.trace = trace,
	};
	if (trace->every)
		item->since = end_loss(trace, item->cpu_at);
	cpu->held_events = 0;
	cpu->held_packets = 0;
	cpu->held = false;
	return 1;
}

/* Of a trace that is recorded, what a CPU has saved may come behind later events of others. */
static void note_order(struct tring_trace *trace, uint64_t stamp)
{
	if (stamp < trace->reached)
		trace->overtaken++;
	else
		trace->reached = stamp;
}

static int give_event(struct tring_trace *trace, struct tring_cpu *cpu,
		      const struct tring_record *record, struct tring_item *item)
{
	item->kind = TRING_ITEM_EVENT;
	item->cpu = cpu->cpu;
	item->cpu_at = cpu->at;
	item->record = record;
	item->event = trace->event;
	item->wrong = trace->wrong;
	item->wanted = !trace->every || !trace->selection ||
		       is_selected(trace, trace->selection, cpu, record);
	item->trace = trace;
	trace->given_entry = true;
	trace->given++;
	if (trace->followed)
		note_order(trace, record->stamp);
	if (!trace->wrong || (trace->undescribed && !trace->event))
		return 1;
	if (trace->quiet)
		trace->problems++;
	else
		tring_cpu_problem(cpu, record, trace->wrong);
	return 1;
}

/* What is missing behind each CPU's last event. */
static int give_last_loss(struct tring_trace *trace, struct tring_item *item)
{
	while (trace->ending < trace->count) {
		struct tring_cpu *cpu = &trace->cpus[trace->ending++];
		uint64_t last = tring_cpu_last_loss(cpu);

		if (trace->only && trace->only != trace->ending)
			continue;
		trace->problems += cpu->told ? 0 : cpu->stream.errors;
		cpu->told = true;
		if (!is_shown_cpu(trace, cpu))
			continue;
		cpu->held_events += last;
		cpu->held_packets += cpu->stream.pending_packets;
		if (cpu->held_events || cpu->held_packets ||
		    (trace->every && trace->scouts[cpu->at].told))
			return give_loss(trace, cpu, NULL, item);
	}
	return 0;
}

/*
 * A loss is given before the first event behind it that is given; or before any record, if it
 * has to be known when it has ended.
 */
static bool ends_loss(const struct tring_trace *trace, const struct tring_cpu *cpu,
		      const struct tring_record *record)
{
	return cpu->held && (trace->selected || trace->every ||
			     (!trace->selection && record->stamp >= trace->floor));
}

static int give_entry(struct tring_trace *trace, struct tring_merge_entry *entry,
		      struct tring_item *item)
{
	struct tring_cpu *cpu = entry->stream->private;
	struct tring_record *record = &entry->record;

	if (record->stamp < trace->late)
		record->stamp = trace->late;
	if (trace->next_loss < record->stamp && tring_ahead_tell(trace, record->stamp, item))
		return 1;
	if (!trace->looked)
		look(trace, cpu, record);
	if (ends_loss(trace, cpu, record)) {
		if (trace->every && tring_ahead_tell_cpu(trace, cpu->at, item))
			return 1;
		return give_loss(trace, cpu, record, item);
	}
	if (trace->live && tring_live_ring_is_marker(trace, record))
		return 0;
	return trace->selected ? give_event(trace, cpu, record, item) : 0;
}

static int give_end(struct tring_trace *trace, struct tring_item *item)
{
	if (tring_ahead_tell(trace, UINT64_MAX, item))
		return 1;
	return trace->more ? -EAGAIN : give_last_loss(trace, item);
}

/**
 * tring_trace_next - get the next event or loss of one trace, also of one among several
 * @trace: the trace
 * @item: filled in; valid until the next call
 *
 * Return: as tring_next().
 */
int tring_trace_next(struct tring_trace *trace, struct tring_item *item)
{
	bool is_done = trace->given_entry || !trace->begun;

	for (;; is_done = true) {
		if (is_done)
			go_on(trace);
		if (!trace->entry)
			return give_end(trace, item);
		if (trace->entry->record.stamp > trace->limit)
			return -EAGAIN;
		if (give_entry(trace, trace->entry, item))
			return 1;
	}
}

/**
 * tring_next - get the next event or loss
 * @trace: the trace
 * @item: filled in; valid until the next call
 *
 * Return: 1; 0 at the end; or -EAGAIN if there is none yet, in a trace that is followed.
 */
int tring_next(struct tring_trace *trace, struct tring_item *item)
{
	return trace->join ? tring_join_next(trace->join, item) : tring_trace_next(trace, item);
}

/**
 * tring_given - get the number of events that tring_next() has given so far
 * @trace: the trace; of several that are joined, each has its own number
 */
uint64_t tring_given(const struct tring_trace *trace)
{
	return trace->given;
}

static void free_cpu(struct tring_cpu *cpu)
{
	tring_packets_close(&cpu->packets);
	while (cpu->count) {
		free(cpu->files[--cpu->count].path);
		free(cpu->files[cpu->count].compressed);
		free(cpu->files[cpu->count].dir);
	}
	free(cpu->files);
	free(cpu->path);
}

/**
 * tring_trace_free - release a trace
 * @trace: trace that tring_trace_init() has filled in, or zeroed
 */
void tring_trace_free(struct tring_trace *trace)
{
	size_t i;

	tring_join_part(trace->join);
	tring_ahead_free(trace);
	tring_live_ring_close(trace);
	for (i = 0; i < trace->count; i++)
		free_cpu(&trace->cpus[i]);
	free(trace->cpus);
	free(trace->entries);
	tring_parts_list_free(&trace->parts);
	if (trace->dat)
		tring_dat_records_close(trace->dat);
	free(trace->dat);
	if (trace->events.tep)
		tring_names_free(&trace->names);
	tring_events_free(&trace->events);
	tring_selection_free(&trace->chosen);
	tring_follow_free(trace);
}
