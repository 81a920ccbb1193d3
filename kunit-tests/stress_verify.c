// SPDX-License-Identifier: GPL-2.0
/*
 * The stress suite's reader, which compares every event and every counter with
 * the writers' accounts. See stress_kunit.c.
 */

#include "stress.h"
#include "tracefs/refusal_names.h"

void stress_fault(struct stress *stress, const char *what, u64 got, u64 wanted)
{
	if (stress->faults++)
		return;
	stress->fault = what;
	stress->got = got;
	stress->wanted = wanted;
}

void stress_expect(struct stress *stress, const char *what, u64 got, u64 wanted)
{
	if (got != wanted)
		stress_fault(stress, what, got, wanted);
}

/* A record has the short type of its event, or in long form its id. */
static void verify_id(struct stress *stress, const struct walk *walk)
{
	unsigned int fixed = tring_head_type(stress->fixed.head);
	unsigned int varying = tring_head_type(stress->varying.head);

	if (walk->type == TRING_TYPE_LONG)
		stress_expect(stress, "id", walk->id, STRESS_LONG_ID + TRING_LONG_ID_BASE);
	else if (walk->type == TRING_TYPE_EXTENDED)
		stress_expect(stress, "id of an extended record",
			      walk->id >= STRESS_VARYING_ID + TRING_LONG_ID_BASE &&
			      walk->id <= STRESS_LONG_ID + TRING_LONG_ID_BASE, true);
	else if (walk->room == STRESS_FIXED_LENGTH)
		stress_expect(stress, "type", walk->type, fixed);
	else
		stress_expect(stress, "type", walk->type, varying);
}

static void verify_event(struct stress *stress, struct stress_cpu *cpu,
			 const struct walk *walk)
{
	const struct stress_event *event = walk->fields;

	if (walk->room < sizeof(*event)) {
		stress_fault(stress, "room", walk->room, sizeof(*event));
		return;
	}
	if (event->length != walk->room || event->context >= STRESS_CONTEXTS) {
		stress_fault(stress, "length", event->length, walk->room);
		return;
	}
	verify_id(stress, walk);
	stress_expect(stress, "checksum", event->checksum,
		      stress_checksum(event, event->length));
	stress_expect(stress, "cpu", event->cpu, cpu->cpu);
	stress_expect(stress, "pid", walk->pid, event->pid);
	stress_expect(stress, "flags", walk->flags, event->flags);
	stress_expect(stress, "preempt_count", walk->preempt_count, event->preempt_count);
	if (event->sequence <= cpu->last_sequence[event->context])
		stress_fault(stress, "sequence", event->sequence,
			     cpu->last_sequence[event->context] + 1);
	cpu->last_sequence[event->context] = event->sequence;
	if (walk->stamp < event->before)
		stress_fault(stress, "timestamp is too old", walk->stamp, event->before);
	if (walk->stamp > event->after)
		stress_fault(stress, "timestamp is too new", walk->stamp, event->after);
	if (!walk_has_pid(walk))
		stress->pids_left_out++;
}

static void verify_packet(struct stress *stress, struct stress_cpu *cpu,
			  const struct tring_packet *packet)
{
	const struct tring_packet_header *header = packet->data;
	struct walk walk;

	if (!walk_packet(&walk, packet->data, packet->size)) {
		stress_fault(stress, walk.reason, walk.offset, 0);
		return;
	}
	stress_expect(stress, "cpu_id", header->cpu_id, cpu->cpu);
	if (header->packet_seq_num < cpu->next_packet)
		stress_fault(stress, "packet_seq_num", header->packet_seq_num,
			     cpu->next_packet);
	if (header->timestamp_begin < cpu->last_stamp)
		stress_fault(stress, "timestamp_begin", header->timestamp_begin,
			     cpu->last_stamp);
	if (header->events_discarded < cpu->last_lost)
		stress_fault(stress, "events_discarded", header->events_discarded,
			     cpu->last_lost);
	cpu->gap += header->packet_seq_num - cpu->next_packet;
	cpu->next_packet = header->packet_seq_num + 1;
	cpu->packets++;
	cpu->last_lost = header->events_discarded;
	cpu->last_stamp = header->timestamp_end;

	walk_begin(&walk, packet->data, packet->size);
	while (walk_next(&walk))
		if (!walk_is_discarded(&walk))
			verify_event(stress, cpu, &walk);
	stress_expect(stress, "events of the packet", packet->events, walk.events);
	cpu->read += walk.events;
}

/* Take and verify a packet; false if there was none. */
bool stress_read_one(struct stress *stress, struct stress_cpu *cpu, bool flush)
{
	struct tring_packet packet;
	int err;

	err = tring_reader_take(cpu->stream, flush, &packet);
	if (err) {
		stress_expect(stress, "error of tring_reader_take()", -err, EAGAIN);
		return false;
	}
	verify_packet(stress, cpu, &packet);
	tring_reader_put(cpu->stream);
	return true;
}

/* Peek at all packets of a ring while it is written, read and replaced. */
void stress_peek_all(struct stress *stress, int cpu, void *copy)
{
	struct tring_stream *stream = tring_buffer_stream(stress->buffer, cpu, TRING_LIVE);
	struct tring_packet_header *header = copy;
	struct tring_peek peek = { };
	struct walk walk;
	u64 lost = 0;
	size_t size;

	while (!tring_reader_peek(stream, &peek, copy, CHANGED_SUBBUF_MAX, &size)) {
		if (!walk_packet(&walk, copy, size))
			stress_fault(stress, walk.reason, walk.offset, 0);
		stress_expect(stress, "peeked packet_seq_num", header->packet_seq_num,
			      peek.next - 1);
		if (header->events_discarded < lost)
			stress_fault(stress, "peeked events_discarded",
				     header->events_discarded, lost);
		lost = header->events_discarded;
		stress->peeked++;
	}
}

void stress_balance_cpu(struct stress *stress, struct stress_cpu *cpu)
{
	u64 attempts = 0, committed = 0, discarded = 0, lost = 0;
	u64 refused[TRING_REFUSALS] = { };
	struct stress_writer *writer;
	struct tring_stats stats;
	int context, reason;

	for (context = 0; context < STRESS_CONTEXTS; context++) {
		writer = &cpu->writers[context];
		attempts += writer->attempts;
		committed += writer->committed;
		discarded += writer->discarded;
		for (reason = 0; reason < TRING_REFUSALS; reason++)
			refused[reason] += writer->refused[reason];
		stress_expect(stress, "unknown errors", writer->unknown_errors, 0);
	}
	tring_buffer_stats(stress->buffer, cpu->cpu, &stats);
	stress_expect(stress, "stats: open", stats.open, 0);
	stress_expect(stress, "stats: remaining", stats.remaining, 0);
	stress_expect(stress, "stats: committed", stats.committed, committed);
	stress_expect(stress, "stats: discarded", stats.discarded, discarded);
	stress_expect(stress, "stats: read", stats.read, cpu->read);
	stress_expect(stress, "stats: packets_read", stats.packets_read, cpu->packets);
	stress_expect(stress, "stats: packets_overwritten", stats.packets_overwritten, cpu->gap);
	stress_expect(stress, "committed = read + overwritten", committed,
		      stats.read + stats.overwritten);
	stress_expect(stress, "balance of committed bytes", stats.committed_bytes,
		      stats.read_bytes + stats.overwritten_bytes);
	for (reason = 0; reason < TRING_REFUSALS; reason++) {
		stress_expect(stress, tring_refusal_name(reason), stats.refused[reason],
			      refused[reason]);
		lost += refused[reason];
	}
	stress_expect(stress, "attempts", attempts, committed + discarded + lost);
	/* Events that were dropped with a snapshot are not lost in this stream. */
	if (stress->changer ? cpu->last_lost > lost + stats.overwritten :
			      cpu->last_lost != lost + stats.overwritten)
		stress_fault(stress, "events_discarded", cpu->last_lost,
			     lost + stats.overwritten);
	kunit_info(stress->test,
		   "CPU %d: %llu attempts (%llu soft, %llu hard), %llu read, %llu overwritten, %llu refused, %llu discarded\n",
		   cpu->cpu, attempts, cpu->writers[STRESS_SOFT].attempts,
		   cpu->writers[STRESS_HARD].attempts, stats.read, stats.overwritten,
		   lost, discarded);
}
