// SPDX-License-Identifier: GPL-2.0
/*
 * Reads a trace for its tables: the events of all CPUs in the order of time, and the losses.
 *
 * What happened before --from is read, too, so that it is known what each task does from
 * there on; and the numbers do not depend on where packets begin.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "event/check.h"
#include "top_walk.h"
#include "util/util.h"

static bool wants(void *data, int32_t pid)
{
	struct tring_top_walk *walk = data;

	return tring_selection_has_pid(walk->selection, pid) &&
	       (!walk->selection->comms.count ||
		tring_selection_has_comm(walk->selection,
					 tring_names_comm(&walk->trace->names, pid)));
}

static const char *get_comm(void *data, int32_t pid)
{
	struct tring_top_walk *walk = data;

	return tring_names_comm(&walk->trace->names, pid);
}

static bool has_word(const char *text, const char *word)
{
	const size_t size = strlen(word);

	for (; *text; text += strcspn(text, " "), text += strspn(text, " "))
		if (strcspn(text, " ") == size && !strncmp(text, word, size))
			return true;
	return false;
}

static struct tring_left_out find_left_out(const struct tring_trace_info *info)
{
	const char *text = info->origins[TRING_ORIGIN_LEFT_OUT];

	return (struct tring_left_out) {
		.tasks = has_word(text, "tasks"),
		.cpus = has_word(text, "cpus"),
		.sched = has_word(text, "sched"),
		.calls = has_word(text, "raw_syscalls"),
		.interrupts = has_word(text, "irq"),
	};
}

/**
 * tring_top_walk_init - prepare the tables of a trace
 * @walk: with its @trace and @selection, and with what the caller sets of @walk->top
 */
void tring_top_walk_init(struct tring_top_walk *walk)
{
	const struct tring_selection *selection = walk->selection;
	struct tring_trace *trace = walk->trace;
	struct tring_top *top = &walk->top;
	size_t i;

	top->events = &trace->events;
	top->big_endian = trace->info.big_endian;
	top->frequency = trace->info.clock_frequency;
	top->cpu_count = trace->count;
	top->cpus = tring_allocate(trace->count * sizeof(*top->cpus));
	top->every_cpu = !selection->cpus.count;
	top->first = selection->first;
	top->last = selection->last;
	top->left_out = find_left_out(&trace->info);
	top->comm = get_comm;
	top->data = walk;
	if (selection->pids.count || selection->comms.count)
		top->wants = wants;
	for (i = 0; i < trace->count; i++) {
		top->cpus[i].cpu = trace->cpus[i].cpu;
		top->cpus[i].wanted = tring_selection_has_cpu(selection, trace->cpus[i].cpu);
		tring_packets_set_range(&trace->cpus[i].packets, &trace->cpus[i].stream, 0,
					selection->last);
	}
	tring_top_init(top);
}

static void find_next(struct tring_top_walk *walk)
{
	size_t i;

	walk->next = UINT64_MAX;
	for (i = 0; i < walk->top.cpu_count; i++)
		if (!walk->top.cpus[i].blind && walk->scouts[i].from < walk->next)
			walk->next = walk->scouts[i].from;
}

/* What was taken already is no part of a loss that is known only now. */
static void lose(struct tring_top_walk *walk, size_t at, uint64_t stamp)
{
	tring_top_lose(&walk->top, &walk->top.cpus[at],
		       stamp > walk->limit ? stamp : walk->limit);
}

/* Begins the losses before a time, the earliest first. */
static void begin_losses(struct tring_top_walk *walk, uint64_t stamp)
{
	struct tring_top *top = &walk->top;
	size_t i;

	while (walk->next < stamp) {
		for (i = 0; i < top->cpu_count; i++)
			if (!top->cpus[i].blind && walk->scouts[i].from == walk->next)
				lose(walk, i, walk->next);
		find_next(walk);
	}
}

static void end_loss(struct tring_top_walk *walk, size_t at, const struct tring_stream *stream,
		     uint64_t stamp)
{
	struct tring_scout *scout = &walk->scouts[at];
	struct tring_top *top = &walk->top;
	struct tring_gap gap = {
		.cpu = &top->cpus[at],
		.from = scout->from ? scout->from : TRING_NO_VALUE,
		.to = stamp,
		.events = stream->lost_events,
		.packets = stream->lost_packets,
	};

	/* a loss whose time lies as a whole behind the selected one is none of it */
	if (scout->from <= walk->selection->last) {
		if (!gap.cpu->blind)
			lose(walk, at, scout->from);
		tring_top_gap(top, &gap);
	}
	walk->errors[at] = stream->errors;
	tring_scout_next(scout);
	find_next(walk);
}

static void take(struct tring_top_walk *walk, size_t at, const struct tring_stream *stream,
		 const struct tring_record *record)
{
	const struct tring_event *event = walk->trace->events.by_id[record->id];
	const uint8_t *start = stream->packet.data + record->offset;

	if (record->stamp > walk->selection->last) {
		walk->later = true;
		return;
	}
	walk->last = record->stamp;
	walk->unknown[at] += !event;
	tring_learn(event, record, &walk->trace->names);
	tring_top_take(&walk->top, &walk->top.cpus[at], record,
		       record->payload + record->length - start);
}

/* Return: true if the record is one of the markers, which are no events of the tables. */
static bool is_marker(struct tring_top_walk *walk, const struct tring_record *record)
{
	const char *end = (const char *)record->payload + record->length, *text;
	uint64_t number = 0;
	size_t size;

	if (!walk->marker || record->id != walk->marker_id || record->length < TRING_PAYLOAD_HEAD)
		return false;
	size = strlen(walk->marker);
	text = memmem(end - (record->length - TRING_PAYLOAD_HEAD),
		      record->length - TRING_PAYLOAD_HEAD, walk->marker, size);
	if (!text)
		return false;
	for (text += size; text < end && *text >= '0' && *text <= '9'; text++)
		number = 10 * number + *text - '0';
	walk->marked |= number == walk->marker_number;
	return true;
}

static void take_entry(struct tring_top_walk *walk, struct tring_merge_entry *entry)
{
	const struct tring_stream *stream = entry->stream;
	struct tring_cpu *cpu = stream->private;
	struct tring_record *record = &entry->record;
	size_t at = cpu - walk->trace->cpus;

	if (record->stamp < walk->limit)
		record->stamp = walk->limit;
	if (record->stamp > walk->next && record->stamp <= walk->selection->last)
		begin_losses(walk, record->stamp);
	if (stream->lost_events || stream->lost_packets || stream->errors != walk->errors[at])
		end_loss(walk, at, stream, record->stamp);
	else if (walk->top.cpus[at].blind)
		tring_top_sight(&walk->top, &walk->top.cpus[at], record->stamp);
	if (record->id == TRING_ID_DISCARDED)
		return;
	if (is_marker(walk, record)) {
		walk->last = record->stamp;
		return;
	}
	cpu->events++;
	take(walk, at, stream, record);
}

/*
 * The packets before a CPU's first one are in a part that is not read, or were overwritten. Others'
 * may go on from an earlier time.
 */
static void begin_late(struct tring_top_walk *walk)
{
	struct tring_top *top = &walk->top;
	size_t i;

	for (i = 0; i < top->cpu_count; i++) {
		const struct tring_stream *stream = &walk->trace->cpus[i].stream;

		if (tring_merge_has(&walk->merge, stream) && stream->packet.seq_num)
			tring_top_lose(top, &top->cpus[i], 0);
	}
}

static void read_all(struct tring_top_walk *walk)
{
	while (walk->entry && !walk->marked) {
		take_entry(walk, walk->entry);
		walk->entry = tring_merge_next(&walk->merge);
	}
}

/* Return: timestamp up to which times are counted. */
static uint64_t find_end(const struct tring_top_walk *walk)
{
	const struct tring_trace *trace = walk->trace;
	bool later = walk->later;
	size_t i;

	for (i = 0; i < trace->count; i++)
		later |= trace->cpus[i].stream.partial;
	return later ? walk->selection->last : walk->last;
}

/* What was lost behind the last event of a CPU lasts until the end. */
static void end_all(struct tring_top_walk *walk)
{
	struct tring_top *top = &walk->top;
	uint64_t end = find_end(walk);
	size_t i;

	begin_losses(walk, end < UINT64_MAX ? end + 1 : end);
	tring_top_end(top, end);
	for (i = 0; i < top->cpu_count; i++) {
		const struct tring_cpu *cpu = &walk->trace->cpus[i];
		struct tring_gap gap = {
			.cpu = &top->cpus[i],
			.from = walk->scouts[i].from ? walk->scouts[i].from : TRING_NO_VALUE,
			.to = TRING_NO_VALUE,
			.events = tring_cpu_last_loss(cpu),
			.packets = cpu->stream.pending_packets,
		};

		if (gap.cpu->blind)
			tring_top_gap(top, &gap);
	}
}

/**
 * tring_top_walk_tell - report what was wrong with the events
 * @walk: from tring_top_walk_begin()
 */
void tring_top_walk_tell(struct tring_top_walk *walk)
{
	struct tring_trace *trace = walk->trace;
	uint64_t damaged = walk->top.damaged;
	size_t i;

	for (i = 0; i < trace->count; i++) {
		trace->problems += trace->cpus[i].stream.errors + walk->unknown[i];
		if (walk->unknown[i])
			tring_error("%s: no format describes %" PRIu64 " events",
				    tring_cpu_path(&trace->cpus[i]), walk->unknown[i]);
	}
	trace->problems += damaged;
	if (damaged)
		tring_error("the payload of %" PRIu64 " events does not fit the format", damaged);
}

/**
 * tring_top_walk_begin - prepare to read
 * @walk: from tring_top_walk_init()
 */
void tring_top_walk_begin(struct tring_top_walk *walk)
{
	struct tring_trace *trace = walk->trace;
	size_t count = trace->count, i;

	walk->scouts = tring_allocate(count * sizeof(*walk->scouts));
	walk->errors = tring_allocate(count * sizeof(*walk->errors));
	walk->unknown = tring_allocate(count * sizeof(*walk->unknown));
	walk->entries = tring_allocate(count * sizeof(*walk->entries));
	for (i = 0; i < count; i++)
		tring_scout_init(&walk->scouts[i], &trace->cpus[i]);
	find_next(walk);
	for (i = 0; i < count; i++)
		walk->entries[i].stream = &trace->cpus[i].stream;
	tring_merge_init(&walk->merge, walk->entries, count);
	walk->entry = tring_merge_next(&walk->merge);
	begin_late(walk);
}

/**
 * tring_top_walk_run - read the trace
 * @walk: from tring_top_walk_init()
 *
 * What is wrong with the trace is reported on stderr and counted in @walk->trace.
 */
void tring_top_walk_run(struct tring_top_walk *walk)
{
	tring_top_walk_begin(walk);
	read_all(walk);
	end_all(walk);
	tring_top_walk_tell(walk);
}

/**
 * tring_top_walk_more - read on, because the streams have got more
 * @walk: from tring_top_walk_begin()
 *
 * Reads up to the marker of the number @walk->marker_number, or to the end if it is missing.
 * @walk->limit is that time then.
 */
void tring_top_walk_more(struct tring_top_walk *walk)
{
	struct tring_trace *trace = walk->trace;
	size_t i;

	for (i = 0; i < trace->count; i++)
		tring_scout_resume(&walk->scouts[i]);
	find_next(walk);
	for (i = 0; i < trace->count; i++)
		if (!tring_merge_has(&walk->merge, &trace->cpus[i].stream))
			walk->entry = tring_merge_resume(&walk->merge, &trace->cpus[i].stream);
	walk->marked = false;
	read_all(walk);
	begin_losses(walk, walk->last);
	walk->limit = walk->last;
}

/**
 * tring_top_walk_free - free the tables of a trace
 * @walk: from tring_top_walk_init()
 */
void tring_top_walk_free(struct tring_top_walk *walk)
{
	size_t i;

	for (i = 0; walk->scouts && i < walk->trace->count; i++)
		tring_scout_free(&walk->scouts[i]);
	tring_top_free(&walk->top);
	free(walk->top.cpus);
	free(walk->scouts);
	free(walk->errors);
	free(walk->unknown);
	free(walk->entries);
}
