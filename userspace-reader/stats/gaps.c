// SPDX-License-Identifier: GPL-2.0
/*
 * Losses that are known before the events behind them are read. A packet tells of the loss
 * behind the one before it; but from the begin of a loss on, other CPUs' events must be
 * understood without what was lost. So each CPU's packets are read twice, once ahead.
 */
#include "gaps.h"

/**
 * tring_scout_init - read ahead up to a CPU's first loss
 * @scout: filled in
 * @cpu: the CPU, whose stream is at its beginning
 */
void tring_scout_init(struct tring_scout *scout, const struct tring_cpu *cpu)
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
	tring_scout_next(scout);
}

/**
 * tring_scout_next - read ahead up to a CPU's next loss
 * @scout: the scout
 *
 * Where input is bad, events may be missing, too.
 */
void tring_scout_next(struct tring_scout *scout)
{
	struct tring_stream *stream = &scout->cpu.stream;
	struct tring_record record;

	while (tring_stream_next(stream, &record) == TRING_OK) {
		bool lost = stream->lost_events || stream->lost_packets ||
			    stream->errors != scout->errors;

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

/**
 * tring_scout_resume - read on ahead, because the CPU has got more packets
 * @scout: the scout
 *
 * A loss behind the packets that there were is told again by the first one behind it.
 */
void tring_scout_resume(struct tring_scout *scout)
{
	if (!scout->ended)
		return;
	scout->ended = false;
	tring_scout_next(scout);
}

/**
 * tring_scout_free - release what a scout has read
 * @scout: the scout
 */
void tring_scout_free(struct tring_scout *scout)
{
	tring_packets_close(&scout->cpu.packets);
}
