// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Losses that are known before the events behind them are read. A packet tells of the loss
 * behind the one before it; but from the begin of a loss on, other CPUs' events must be
 * understood without what was lost. So each CPU's packets are read twice, once ahead.
 */
#include <stdlib.h>

#include "ahead.h"
#include "util/util.h"

static bool has_loss(const struct tring_stream *stream, uint64_t errors)
{
	return stream->lost_events || stream->lost_packets || stream->errors != errors;
}

/*
 * The packets before a CPU's first one may be in a part that is not read, or were overwritten.
 * Others' may go on from an earlier time.
 */
static bool is_late(const struct tring_scout *scout)
{
	return !scout->begun && scout->cpu.stream.packet.seq_num;
}

/* Reads ahead up to the next loss. Where input is bad, events may be missing, too. */
static void read_on(struct tring_scout *scout)
{
	struct tring_stream *stream = &scout->cpu.stream;
	struct tring_record record;

	scout->told = false;
	while (tring_stream_next(stream, &record) == TRING_OK) {
		bool lost = has_loss(stream, scout->errors) || is_late(scout);

		scout->begun = true;
		scout->from = scout->last;
		scout->last = record.stamp;
		scout->errors = stream->errors;
		scout->cpu.events += record.id != TRING_ID_DISCARDED;
		if (lost)
			return;
	}
	scout->from = UINT64_MAX;
	if (!scout->ended && (tring_cpu_last_loss(&scout->cpu) || stream->pending_packets ||
			      stream->errors != scout->errors))
		scout->from = scout->last;
	scout->ended = true;
}

static void send(struct tring_scout *scout, const struct tring_cpu *cpu)
{
	struct tring_stream *stream = &scout->cpu.stream;

	*scout = (struct tring_scout) { .cpu = *cpu };
	tring_packets_copy(&scout->cpu.packets, &cpu->packets);
	tring_stream_go_on(stream, NULL, 0);
	stream->source = &scout->cpu.packets;
	if (stream->fetch)
		tring_dat_records_copy(stream);
	stream->private = &scout->cpu;
	/* the CPU's own stream reports what is wrong */
	stream->report = NULL;
	stream->enter = NULL;
	read_on(scout);
}

static void find_next(struct tring_trace *trace)
{
	size_t i;

	trace->next_loss = UINT64_MAX;
	for (i = 0; i < trace->count; i++)
		if (!trace->scouts[i].told && trace->scouts[i].from < trace->next_loss)
			trace->next_loss = trace->scouts[i].from;
}

/**
 * tring_ahead_begin - look for the first losses
 * @trace: the trace, whose streams are at their begin
 */
void tring_ahead_begin(struct tring_trace *trace)
{
	size_t i;

	tring_ahead_free(trace);
	trace->scouts = tring_allocate(trace->count * sizeof(*trace->scouts));
	for (i = 0; i < trace->count; i++) {
		send(&trace->scouts[i], &trace->cpus[i]);
		/* a CPU whose first packets are missing ends a loss without a number */
		trace->cpus[i].held |= trace->scouts[i].begun && !trace->scouts[i].from;
	}
	find_next(trace);
}

/**
 * tring_ahead_tell_cpu - tell that a loss of a CPU begins, unless it was told
 * @trace: the trace
 * @at: index of the CPU
 * @item: filled in
 *
 * Return: true if there is something to tell.
 */
bool tring_ahead_tell_cpu(struct tring_trace *trace, size_t at, struct tring_item *item)
{
	struct tring_scout *scout = &trace->scouts[at];

	if (scout->told || scout->from == UINT64_MAX)
		return false;
	scout->told = true;
	find_next(trace);
	*item = (struct tring_item) {
		.kind = TRING_ITEM_LOSS_BEGINS, .cpu = trace->cpus[at].cpu, .cpu_at = at,
		.since = scout->from, .trace = trace,
	};
	return true;
}

/**
 * tring_ahead_tell - tell of the earliest loss that begins before a time and was not told
 * @trace: the trace
 * @before: the time
 * @item: filled in
 *
 * Return: true if there is something to tell.
 */
bool tring_ahead_tell(struct tring_trace *trace, uint64_t before, struct tring_item *item)
{
	size_t i;

	if (trace->next_loss >= before)
		return false;
	for (i = 0; trace->scouts[i].told || trace->scouts[i].from != trace->next_loss; i++)
		;
	return tring_ahead_tell_cpu(trace, i, item);
}

/**
 * tring_ahead_end_loss - look for the next loss of a CPU, whose last one has ended
 * @trace: the trace
 * @at: index of the CPU
 *
 * Return: timestamp of the last record before the loss that has ended, 0 without one.
 */
uint64_t tring_ahead_end_loss(struct tring_trace *trace, size_t at)
{
	uint64_t since = trace->scouts[at].from;

	read_on(&trace->scouts[at]);
	find_next(trace);
	return since;
}

/**
 * tring_ahead_resume - read on ahead, because the CPUs have got more packets
 * @trace: the trace
 *
 * A loss behind the packets that there were is told again by the first one behind it.
 */
void tring_ahead_resume(struct tring_trace *trace)
{
	size_t i;

	for (i = 0; i < trace->count; i++) {
		struct tring_scout *scout = &trace->scouts[i];
		bool told = scout->told;

		if (!scout->ended)
			continue;
		scout->ended = false;
		read_on(scout);
		scout->told = told && scout->from != UINT64_MAX;
	}
	find_next(trace);
}

/**
 * tring_ahead_free - release what was read ahead
 * @trace: the trace
 */
void tring_ahead_free(struct tring_trace *trace)
{
	size_t i;

	for (i = 0; trace->scouts && i < trace->count; i++)
		tring_packets_close(&trace->scouts[i].cpu.packets);
	free(trace->scouts);
	trace->scouts = NULL;
}
