// SPDX-License-Identifier: GPL-2.0
/*
 * Reads all packets of the ring and compares every record and every counter with the
 * account that the writers kept.
 */
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "ledger.h"
#include "records.h"
#include "ring/fast.h"
#include "situations.h"
#include "../walk.h"
#include "tracefs/refusal_names.h"

static struct tring_stream *own_stream(void)
{
	return tring_buffer_stream(record_buffer, smp_processor_id(), TRING_LIVE);
}

static int take_packet(bool flush, struct tring_packet *packet)
{
	return tring_reader_take(own_stream(), flush, packet);
}

static void put_packet(void)
{
	tring_reader_put(own_stream());
}

static void read_stats(struct tring_stats *stats)
{
	tring_buffer_stats(record_buffer, smp_processor_id(), stats);
}

static struct {
	u32		numbers[RECORDS_MAX];	/* of records, in the stream's order */
	unsigned int	count;
	unsigned int	early;			/* number of records read during the round */
	const char	*wrong;
	bool		read_any;
	u64		last_packet;
	u64		last_lost;
	u64		last_end;
	struct tring_stats before;
} ledger;

/**
 * struct trace_note - the trace that a ring is in
 * @buffer: the ring's buffer
 * @number: tring_cpu_buffer::trace
 * @lost: events lost in this trace before this round
 * @packets: number of packets in the traces before
 */
static struct trace_note {
	const struct tring_buffer *buffer;
	u64			number;
	u64			lost;
	u64			packets;
} traces[RINGS], *trace;

static void complain(const char *what)
{
	if (!ledger.wrong)
		ledger.wrong = what;
}

/* ftrace's id of a record that is an event, or 0. */
static u16 id_of(const struct walk *walk)
{
	unsigned int event;

	if (!tring_type_is_short(walk->type))
		return walk->id - TRING_LONG_ID_BASE;
	for (event = 0; event < RECORD_EVENTS; event++)
		if (tring_head_type(record_keys[event]) == walk->type)
			return RECORD_ID + event;
	return 0;
}

static void compare_context(const struct walk *record, const struct record_note *note)
{
	if (record->pid != note->pid)
		complain("a record has another pid");
	if (record->flags != note->flags || record->preempt_count != note->preempt_count)
		complain("a record has another context");
}

static void account_record(const struct walk *record)
{
	struct record_note *note;
	u32 number;

	if (walk_is_discarded(record)) {
		if (record->room && *(u8 *)record->fields)
			complain("what a discarded record skips does not begin with zero");
		return;
	}
	if (!record_is_intact(record->fields, record->room, &number)) {
		complain("a record is not intact");
		return;
	}
	note = &record_notes[number];
	if (note->found++)
		complain("a record came twice");
	else if (ledger.count < RECORDS_MAX)
		ledger.numbers[ledger.count++] = number;
	if (id_of(record) != RECORD_ID + note->event)
		complain("a record is of another event");
	compare_context(record, note);
	if (record->stamp < note->oldest)
		complain("a timestamp is too old");
	if (record->stamp > note->newest)
		complain("a timestamp is too new");
}

static void account_packet(const struct tring_packet *packet)
{
	const struct tring_packet_header *header = packet->data;
	unsigned int first = ledger.count;
	struct walk walk;

	if (!walk_packet(&walk, packet->data, packet->size)) {
		complain(walk.reason);
		walk_dump(packet->data, packet->size);
		return;
	}
	if (ledger.read_any && header->packet_seq_num <= ledger.last_packet)
		complain("packets out of order");
	if (ledger.read_any && header->events_discarded < ledger.last_lost)
		complain("events_discarded decreases");
	if (ledger.read_any && header->timestamp_begin < ledger.last_end)
		complain("packets overlap");
	ledger.read_any = true;
	ledger.last_packet = header->packet_seq_num;
	ledger.last_lost = header->events_discarded;
	ledger.last_end = header->timestamp_end;

	walk_begin(&walk, packet->data, packet->size);
	while (walk_next(&walk))
		account_record(&walk);
	if (packet->events != ledger.count - first)
		complain("a packet's number of events is wrong");
}

/* Take a packet, if there is one, as a reader on another CPU may at any moment. */
void ledger_read_one(void)
{
	struct tring_packet packet;

	if (take_packet(false, &packet))
		return;
	account_packet(&packet);
	put_packet();
}

static u64 count_packets(const struct tring_stats *stats)
{
	return stats->packets_read + stats->packets_overwritten;
}

/* Start a new account. The ring holds no unread packet. */
void ledger_begin(void)
{
	u64 number = this_cpu_ptr(record_buffer->cpu_buffers)->trace;

	records_forget();
	memset(&ledger, 0, offsetof(typeof(ledger), before));
	read_stats(&ledger.before);
	for (trace = traces; trace->buffer && trace->buffer != record_buffer; trace++)
		;
	if (trace->buffer != record_buffer || trace->number != number)
		*trace = (struct trace_note) {
			.buffer = record_buffer,
			.number = number,
			.packets = count_packets(&ledger.before),
		};
}

/* Events that are lost in this trace, this round's included. */
static u64 count_lost(void)
{
	u64 lost = trace->lost - ledger.before.overwritten;
	struct tring_stats stats;
	unsigned int i;

	read_stats(&stats);
	for (i = 0; i < records_noted(); i++)
		lost += record_notes[i].lost;
	return lost + stats.overwritten;
}

static void read_out(void)
{
	struct tring_packet packet;

	while (!take_packet(false, &packet)) {
		account_packet(&packet);
		put_packet();
	}
	while (!take_packet(true, &packet)) {
		account_packet(&packet);
		put_packet();
		/* The packet was closed just now, so it must count every loss. */
		if (ledger.last_lost != count_lost())
			complain("events_discarded is not what was lost");
	}
}

static const int errors[TRING_REFUSALS] = {
	[TRING_REFUSED_NO_ROOM]		= -ENOBUFS,
	[TRING_REFUSED_OPEN_COMMIT]	= -EBUSY,
	[TRING_REFUSED_TOO_LARGE]	= -E2BIG,
	[TRING_REFUSED_RETRIES]		= -EAGAIN,
	[TRING_REFUSED_NESTED]		= -ELOOP,
	[TRING_REFUSED_STOPPED]		= -EIO,
	[TRING_REFUSED_NO_MEMORY]	= -ENOMEM,
	[TRING_REFUSED_OFF]		= -ESHUTDOWN,
};

static void compare_counters(void)
{
	u64 reserved = 0, committed = 0, discarded = 0;
	u64 refused[TRING_REFUSALS] = { };
	const struct tring_stats *was = &ledger.before;
	struct tring_stats now;
	unsigned int i, reason;

	for (i = 0; i < records_noted(); i++) {
		const struct record_note *note = &record_notes[i];

		if (note->fate == RECORD_REFUSED) {
			for (reason = 0; reason < TRING_REFUSALS; reason++)
				if (errors[reason] == note->error)
					refused[reason]++;
			continue;
		}
		reserved++;
		committed += note->fate == RECORD_COMMITTED;
		discarded += note->fate == RECORD_DISCARDED;
	}

	read_stats(&now);
	if (now.reserved - was->reserved != reserved)
		complain("the counter of reserved events is wrong");
	if (now.committed - was->committed != committed)
		complain("the counter of committed events is wrong");
	if (now.discarded - was->discarded != discarded)
		complain("the counter of discarded events is wrong");
	if (now.open)
		complain("a record is still open");
	if (now.remaining)
		complain("something remains in the ring");
	if (now.read - was->read != ledger.count)
		complain("the counter of events read is wrong");
	if (now.overwritten - was->overwritten != committed - ledger.count)
		complain("the counter of overwritten events is wrong");
	/* A packet without a record may remain. */
	if (now.committed_bytes != now.read_bytes + now.overwritten_bytes +
	    now.remaining_bytes)
		complain("the counters of bytes do not balance");
	if (ledger.read_any &&
	    count_packets(&now) - trace->packets != ledger.last_packet + 1)
		complain("the counters of packets do not balance");
	for (reason = 0; reason < TRING_REFUSALS; reason++)
		if (now.refused[reason] - was->refused[reason] != refused[reason])
			complain(tring_refusal_name(reason));
}

/**
 * ledger_end - read all packets and compare
 *
 * Context: task, may sleep.
 * Return: description of the first fault, or NULL.
 */
const char *ledger_end(void)
{
	const char *order;

	if (records_count() > RECORDS_MAX)
		complain("the account is too short");
	ledger.early = ledger.count;
	read_out();
	compare_counters();
	trace->lost = count_lost();
	order = records_check_order(ledger.numbers, ledger.count, ledger.early);
	if (order)
		complain(order);
	return ledger.wrong;
}
