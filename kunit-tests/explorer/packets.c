// SPDX-License-Identifier: GPL-2.0
/*
 * The content of the ring against the model: packets that readers get, and counters. Each
 * packet must have exactly the records that the model expects in it, in their order, and
 * tell the losses before it.
 */
#include "ring/internal.h"
#include "ring/subbuf.h"
#include "tracefs/refusal_names.h"
#include "world.h"

#define model (world.model)

static u8 fill_of(int number, unsigned int offset)
{
	return number * 7 + offset * 3 + 1;
}

/* Fields that identify the event. A writer must not store before the fields. */
void model_payload(int number, u8 *payload)
{
	u8 *fields = payload + TRING_PAYLOAD_HEAD;
	unsigned int i;

	fields[0] = number;
	for (i = 1; i < model.attempts[number].event.length - TRING_PAYLOAD_HEAD; i++)
		fields[i] = fill_of(number, i);
}

/* The attempt whose record comes behind that of rank @order in the packet. */
static struct attempt *find_attempt(u32 packet, u32 order)
{
	struct attempt *attempt, *found = NULL;
	u32 i;

	for (i = 0; i < model.nr_attempts; i++) {
		attempt = &model.attempts[i];
		if (attempt->claimed && attempt->packet == packet &&
		    attempt->fate != FATE_CALL && attempt->fate != FATE_TAKEN_BACK &&
		    attempt->order > order && (!found || attempt->order < found->order))
			found = attempt;
	}
	if (!found)
		fail("packet %u has a record that no writer wrote", packet);
	return found;
}

/* Check id, pid and context of a record. */
static void check_head(const struct decoded_record *record, const struct attempt *attempt)
{
	const struct event *event = &attempt->event;
	unsigned int type = tring_head_type(event->head) ?: TRING_TYPE_LONG;
	u32 number = attempt - model.attempts;

	if (record->is_discarded && type != TRING_TYPE_LONG)
		type = TRING_TYPE_DISCARDED;
	if (record->type == TRING_TYPE_EXTENDED && attempt->is_compact)
		fail("record %u has a full timestamp for no reason", number);
	if (record->type != type && record->type != TRING_TYPE_EXTENDED)
		fail("record %u is of type %u, not %u", number, record->type, type);
	if (!record->is_discarded && record->id != event->id)
		fail("record %u is of event %u, not %u", number, record->id, event->id);
	if (record->pid != event->pid)
		fail("record %u has the pid %u, not %u", number, record->pid, event->pid);
	if (record->says_pid && attempt->is_pidless)
		fail("record %u says its pid for no reason", number);
	if (record->flags != event->flags || record->preempt_count != event->preempt_count)
		fail("record %u has the context %x and %u, not %x and %u", number,
		     record->flags, record->preempt_count, event->flags,
		     event->preempt_count);
}

static void check_event(const struct decoded_record *record, const struct attempt *attempt)
{
	u32 number = attempt - model.attempts, given, wanted, i;

	if (attempt->fate != FATE_COMMITTED)
		fail("event %u is read before it is committed, or twice", number);
	given = attempt->event.length - TRING_PAYLOAD_HEAD;
	wanted = max_t(u32, given, TRING_FIELDS_MIN);
	if (record->length != wanted)
		fail("event %u has %u bytes, not %u", number, record->length, wanted);
	for (i = 0; i < wanted; i++)
		if (record->fields[i] != (!i ? number : i < given ? fill_of(number, i) : 0))
			fail("event %u is damaged at %u", number, i);
}

/* Check that each record is as written, in order. Returns the number of events. */
static unsigned long check_records(const struct decoded *decoded, u32 order, bool again)
{
	const struct decoded_record *record;
	unsigned long events = 0;
	struct attempt *attempt;
	unsigned int i;

	for (i = 0; i < decoded->records; i++) {
		record = &decoded->record[i];
		attempt = find_attempt(decoded->seq_num, order);
		if (attempt->read && !again)
			fail("record %u is read twice", (u32)(attempt - model.attempts));
		if (record->stamp != attempt->stamp)
			fail("record %u has the stamp %lu, not %llu",
			     (u32)(attempt - model.attempts), record->stamp, attempt->stamp);
		check_head(record, attempt);
		if (record->is_discarded) {
			if (attempt->fate != FATE_KEPT)
				fail("a record is discarded, but not by its writer");
			if (record->length && record->fields[0])
				fail("a discarded record does not begin with a zero");
		} else {
			check_event(record, attempt);
			events++;
		}
		order = attempt->order;
	}
	return events;
}

/* The number of records that the packet must have. */
static u32 count_records(u32 packet)
{
	const struct attempt *attempt;
	u32 i, records = 0;

	for (i = 0; i < model.nr_attempts; i++) {
		attempt = &model.attempts[i];
		if (attempt->claimed && attempt->packet == packet &&
		    attempt->fate != FATE_CALL && attempt->fate != FATE_TAKEN_BACK)
			records++;
	}
	return records;
}

static u32 mark_read(u32 packet)
{
	struct attempt *attempt;
	u32 i, order = 0;

	for (i = 0; i < model.nr_attempts; i++) {
		attempt = &model.attempts[i];
		if (!attempt->claimed || attempt->packet != packet ||
		    attempt->fate == FATE_CALL || attempt->fate == FATE_TAKEN_BACK)
			continue;
		attempt->read = true;
		order = attempt->order;
	}
	return order;
}

/* Committed events of this trace before @packet that no reader has read or will read. */
static u32 count_overwritten(u32 packet)
{
	const struct attempt *attempt;
	u32 i, overwritten = 0;

	for (i = 0; i < model.nr_attempts; i++) {
		attempt = &model.attempts[i];
		if (attempt->claimed && attempt->packet < packet &&
		    attempt->packet >= model.trace_packet && !attempt->read &&
		    attempt->fate == FATE_COMMITTED &&
		    !packet_of(attempt->packet)->aside)
			overwritten++;
	}
	return overwritten;
}

/* What a packet's header tells whether the packet is closed or not. */
static void check_identity(const struct decoded *decoded)
{
	unsigned int type;

	if (decoded->seq_num >= model.next_packet)
		fail("packet %lu is read before it is entered", decoded->seq_num);
	if (decoded->cpu != 0 || memcmp(decoded->uuid, buffer->uuid, TRING_UUID_SIZE))
		fail("packet %lu is of another CPU or trace", decoded->seq_num);
	if (decoded->lengths[0])
		fail("packet %lu has length %u for type 0", decoded->seq_num,
		     decoded->lengths[0]);
	/* A type may be given after the packet was closed. */
	for (type = TRING_TYPE_SHORT_MIN; type < TRING_TYPES; type++)
		if (decoded->lengths[type] && decoded->lengths[type] != buffer->lengths[type])
			fail("packet %lu has %u as the length of type %u, not %u",
			     decoded->seq_num, decoded->lengths[type], type,
			     buffer->lengths[type]);
	if (decoded->size != round_up(decoded->content, 8))
		fail("packet %lu has %u bytes and a size of %u", decoded->seq_num,
		     decoded->content, decoded->size);
	if (decoded->begin != packet_of(decoded->seq_num)->begin)
		fail("packet %lu begins at %lu, not at %llu", decoded->seq_num, decoded->begin,
		     packet_of(decoded->seq_num)->begin);
}

static void check_header(const struct decoded *decoded, bool is_exact)
{
	const struct packet_model *packet = packet_of(decoded->seq_num);
	u64 overwritten = count_overwritten(decoded->seq_num);

	check_identity(decoded);
	if (!packet->closed)
		fail("packet %lu is read before it is closed", decoded->seq_num);
	if (decoded->content != packet->content)
		fail("packet %lu has %u bytes, not %u", decoded->seq_num, decoded->content,
		     packet->content);
	if (decoded->end != packet->end)
		fail("packet %lu ends at %lu, not at %llu", decoded->seq_num, decoded->end,
		     packet->end);
	if ((is_exact && decoded->discarded < overwritten + packet->lost_low) ||
	    decoded->discarded < packet->lost_low ||
	    decoded->discarded > overwritten + packet->lost_high)
		fail("packet %lu: events_discarded is %lu; %llu overwritten, %u to %u refused",
		     decoded->seq_num, decoded->discarded, overwritten, packet->lost_low,
		     packet->lost_high);
}

static void check_sequence(const struct decoded *decoded, const struct stream_model *stream)
{
	u32 missing;

	if (decoded->seq_num < stream->expected)
		fail("packet %lu comes after packet %u", decoded->seq_num,
		     stream->expected - 1);
	for (missing = stream->expected; missing < decoded->seq_num; missing++)
		if (!model.may_overwrite && !packet_of(missing)->aside &&
		    stream == &model.streams[TRING_LIVE])
			fail("packet %u is overwritten, but that is off", missing);
	if (decoded->begin < stream->last_end)
		fail("packet %lu begins at %lu, the one before ends at %llu",
		     decoded->seq_num, decoded->begin, stream->last_end);
	if (decoded->discarded < stream->last_discarded)
		fail("events_discarded decreases");
}

static void decode(const void *data, size_t size, struct decoded *decoded)
{
	const char *wrong = decode_packet(data, size, tring_session_of(buffer)->short_ids, decoded);

	if (wrong)
		fail("a packet cannot be read: %s", wrong);
	decoded->seq_num += model.trace_packet;
	TRACE("    packet %lu: stamps %lu to %lu, %u records, %lu lost", decoded->seq_num,
	      decoded->begin, decoded->end, decoded->records, decoded->discarded);
	if (decoded->size != size)
		fail("a packet of %u bytes is handed out as %zu", decoded->size, size);
}

/* Check a packet that a reader took. */
void model_packet(enum tring_stream_kind kind, const void *data, size_t size,
		  unsigned long events)
{
	struct stream_model *stream = &model.streams[kind];
	struct decoded decoded;
	unsigned long found;

	decode(data, size, &decoded);
	if (kind == TRING_SNAPSHOT && decoded.seq_num < PACKETS_MAX)
		model.packets[decoded.seq_num].aside = true;
	check_header(&decoded, true);
	check_sequence(&decoded, stream);
	found = check_records(&decoded, stream->last_order, false);
	if (found != events)
		fail("packet %lu has %lu events, not %lu", decoded.seq_num, found, events);
	if (decoded.records != count_records(decoded.seq_num))
		fail("packet %lu has %u records, not %u", decoded.seq_num, decoded.records,
		     count_records(decoded.seq_num));
	stream->last_order = mark_read(decoded.seq_num);
	stream->expected = decoded.seq_num + 1;
	stream->last_end = decoded.end;
	stream->last_discarded = decoded.discarded;
	model.packets_read++;
	model.read += found;
}

/*
 * Check a packet that a reader peeked at. @is_exact: no event was lost behind it. Returns
 * the number of events in it.
 */
unsigned long model_peek(const void *data, size_t size, bool is_exact)
{
	struct decoded decoded;
	unsigned long events;

	decode(data, size, &decoded);
	/* A new trace has its uuid, but this ring still has the packets of the old one. */
	if (model.may_be_emptied && memcmp(decoded.uuid, buffer->uuid, TRING_UUID_SIZE))
		return 0;
	/* Its count of losses may be out of date. */
	check_header(&decoded, is_exact);
	/* A packet that a reader has read may still be peeked at. */
	events = check_records(&decoded, 0, true);
	if (decoded.records != count_records(decoded.seq_num))
		fail("packet %lu has %u records, not %u", decoded.seq_num, decoded.records,
		     count_records(decoded.seq_num));
	return events;
}

/*
 * Check a copy of the open packet. It has the packet's first records, and each of them is
 * committed. Writers may have gone on, so only peek_all() can tell whether all are there.
 */
unsigned long model_peek_open(const void *data, size_t size)
{
	struct decoded decoded;
	unsigned long events;
	u64 lost;

	decode(data, size, &decoded);
	if (model.may_be_emptied && memcmp(decoded.uuid, buffer->uuid, TRING_UUID_SIZE))
		return 0;
	check_identity(&decoded);
	events = check_records(&decoded, 0, true);
	if (!decoded.records)
		fail("an open packet is shown without a record");
	if (decoded.end < decoded.record[decoded.records - 1].stamp ||
	    decoded.end > model.max_stamp)
		fail("open packet %lu ends at %lu, the last record is of %lu, the bound %llu",
		     decoded.seq_num, decoded.end, decoded.record[decoded.records - 1].stamp,
		     model.max_stamp);
	lost = model.lost + count_overwritten(decoded.seq_num);
	if ((!exploring && decoded.discarded < model.lost) ||
	    decoded.discarded > lost + model.maybe_lost + (shim_fine ? TRING_NESTING_MAX : 0))
		fail("open packet %lu: events_discarded is %lu; %llu lost, %u refused",
		     decoded.seq_num, decoded.discarded, lost, model.lost);
	return events;
}

/*
 * Note the packets that are in the snapshot now. No call returns that, so the model looks
 * it up in the ring. Reading the snapshot later checks that each of them is there.
 */
void model_aside(struct tring_stream *stream)
{
	struct tring_memory *memory;
	u64 word, packet;

	list_for_each_entry(memory, &stream->memories, list)
		for (packet = 0; packet < memory->packets; packet++) {
			word = tring_slot_of(memory, packet)->value;
			if (!tring_slot_distance(word, packet) &&
			    tring_slot_state(word) == TRING_SLOT_DELIVERED)
				packet_of(model.trace_packet + memory->first_packet +
					  packet)->aside = true;
		}
}

/* At the beginning of a trace: no header tells of the trace before. */
void model_emptied(const struct tring_memory *memory)
{
	const struct tring_packet_header *header;
	unsigned long i;

	for (i = 0; i <= memory->nr_subbufs; i++) {
		header = memory->subbufs[i].data;
		if (header->content_size || header->packet_size || header->packet_seq_num ||
		    header->timestamp_begin || header->timestamp_end ||
		    header->events_discarded ||
		    memcmp(header->uuid, buffer->uuid, TRING_UUID_SIZE))
			fail("sub-buffer %lu has the header of an older trace", i);
	}
}

/* The last packet must account for all losses. */
void model_final_loss(void)
{
	u64 lost = model.lost + count_overwritten(U32_MAX);
	u64 told = model.streams[TRING_LIVE].last_discarded;

	if (told < lost || told > lost + model.maybe_lost)
		fail("events_discarded at the end: %llu, not %llu", told, lost);
}

static void expect(const char *what, u64 got, u64 wanted)
{
	if (got != wanted)
		fail("%s: %llu, not %llu", what, got, wanted);
}

/* At rest: the fast path is open, and readers are woken at the right level. */
static void check_limits(const struct tring_buffer *buffer,
			 const struct tring_cpu_buffer *cpu_buffer)
{
	u32 half = clamp(model.subbufs / 2, 1U, model.subbufs - 1);

	expect("limit", cpu_buffer->limit, model.is_off ? 0 : model.size - 1);
	/* The only level that an actor sets is 50 percent. */
	expect("wake_packets", cpu_buffer->wake_packets, buffer->percent ? half : 0);
}

/* At rest: compare the counters of the ring with the model and with each other. */
void model_balance(struct tring_buffer *buffer, bool drained)
{
	struct tring_stats stats;
	int reason;

	check_limits(buffer, tring_cpu_buffer(buffer, 0));
	tring_buffer_stats(buffer, 0, &stats);
	expect("stats: reserved", stats.reserved, model.committed + model.discarded);
	expect("stats: committed", stats.committed, model.committed);
	expect("stats: discarded", stats.discarded, model.discarded);
	expect("stats: open", stats.open, 0);
	expect("stats: read", stats.read, model.read);
	expect("stats: packets_read", stats.packets_read, model.packets_read);
	expect("committed = read + overwritten + remaining",
	       stats.read + stats.overwritten + stats.remaining, stats.committed);
	expect("committed = read + overwritten + remaining in bytes",
	       stats.read_bytes + stats.overwritten_bytes + stats.remaining_bytes,
	       stats.committed_bytes);
	if (stats.remaining > stats.snapshot &&
	    !tring_reader_has_data(tring_buffer_stream(buffer, 0, TRING_LIVE)))
		fail("there is an event to read, but readers are told of none");
	for (reason = 0; reason < TRING_REFUSALS; reason++)
		if (stats.refused[reason] != model.refused[reason])
			fail("stats: refused[%d]: %llu, not %u", reason, stats.refused[reason],
			     model.refused[reason]);
	if (!drained)
		return;
	expect("stats: remaining", stats.remaining, 0);
	expect("stats: remaining_bytes", stats.remaining_bytes, 0);
	expect("readers are told of data",
	       tring_reader_has_data(tring_buffer_stream(buffer, 0, TRING_LIVE)), 0);
	/* All but the current memory are read to their end, and freed. */
	expect("sub-buffers with pages", shim_pages_in_use(),
	       tring_cpu_buffer(buffer, 0)->memory->nr_subbufs + 1);
	expect("stats: overwritten", stats.overwritten, model.committed - model.read);
	/* A packet with nothing but its header does not count. */
	expect("stats: packets_overwritten", stats.packets_overwritten,
	       model.next_packet - model.entered - model.packets_read);
	expect("nesting", local_read(&tring_cpu_buffer(buffer, 0)->nesting) -
			  TRING_NESTING_IDLE, 0);
}
