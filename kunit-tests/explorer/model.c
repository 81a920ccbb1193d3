// SPDX-License-Identifier: GPL-2.0
/*
 * The expected content of the ring. Each writer tells the model what its calls returned,
 * and the shim tells it each move of the ring's position at once. From these, the model
 * derives the packet and the order of events, which writer closes a packet and when, and
 * the losses that the packet must tell. The expected timestamp is the before_ts that the
 * writer stored before its move. It may differ from the clock that the writer read only
 * by the bound that earlier stamps set.
 */
#include "ring/internal.h"
#include "ring/subbuf.h"
#include "world.h"

#define model (world.model)

void model_init(unsigned long size, unsigned long subbufs, bool overwrite)
{
	memset(&model, 0, sizeof(model));
	model.size = size;
	model.subbufs = subbufs;
	model.may_overwrite = overwrite;
}

/* The next switch of memory is to these sizes. */
void model_next_memory(unsigned long size, unsigned long subbufs)
{
	model.next_size = size;
	model.next_subbufs = subbufs;
}

/* A new trace begins: no writer is in the ring, and unread packets are gone. */
void shim_trace_begins(void)
{
	u32 i;

	for (i = 0; i < model.nr_attempts; i++)
		if (model.attempts[i].claimed && !model.attempts[i].finished)
			fail("a new trace begins, but a record is open");
	/* Nothing but a header: its number goes to the next packet. */
	if (model.entered && model.position - model.base <= TRING_PACKET_HEADER_SIZE)
		model.next_packet--;
	model.first_packet = model.next_packet;
	model.trace_packet = model.next_packet;
	model.entered = false;
	model.is_plain = false;
	model.lost = 0;
	model.maybe_lost = 0;
	for (i = 0; i < TRING_STREAMS; i++) {
		model.streams[i].expected = model.next_packet;
		model.streams[i].last_discarded = 0;
	}
}

/* A writer begins to record @event, or a call that may flush begins (NULL). */
int model_attempt(const struct event *event)
{
	struct attempt *attempt;
	int number = model.nr_attempts;

	if (model.nr_attempts == ATTEMPTS_MAX)
		fail("more attempts than the explorer can note");
	model.nr_attempts++;
	attempt = &model.attempts[number];
	memset(attempt, 0, sizeof(*attempt));
	if (event)
		attempt->event = *event;
	attempt->may_be_off = model.may_be_off;
	attempt->may_be_emptied = model.may_be_emptied;
	if (!event || me->depth)
		model.is_plain = false;
	attempt->fate = event ? FATE_RESERVING : FATE_CALL;
	return number;
}

static struct packet_model *packet_of(u32 number)
{
	if (number >= PACKETS_MAX)
		fail("more packets than the explorer can note");
	return &model.packets[number];
}

static void close_packet(const struct attempt *attempt, unsigned long from)
{
	struct packet_model *packet = packet_of(model.packet);

	if (packet->closed)
		fail("packet %u is closed twice", model.packet);
	packet->closed = true;
	packet->end = attempt->stamp;
	packet->lost_low = attempt->lost_low;
	packet->lost_high = attempt->lost_high;
	packet->content = from - model.base;
}

/* The stamp is the clock, or a later stamp of an earlier writer. */
static void check_stamp(const struct attempt *attempt)
{
	if (attempt->stamp < attempt->clock)
		fail("stamp %llu is older than the clock read by its writer, %llu",
		     attempt->stamp, attempt->clock);
	if (attempt->stamp != attempt->clock && !attempt->is_bounded)
		fail("stamp %llu is neither the clock's, %llu, nor an earlier one",
		     attempt->stamp, attempt->clock);
}

/* Can a compact stamp tell @stamp, behind the last record? */
static bool is_compact(u64 stamp)
{
	return stamp >= model.plain_stamp &&
	       stamp - model.plain_stamp < 1ull << TRING_STAMP_BITS;
}

static void claim(struct attempt *attempt, unsigned long from, unsigned long to)
{
	bool is_undisturbed;

	if (attempt->claimed)
		fail("one reservation moves the position twice");
	if (model.is_off)
		fail("an event is reserved, but recording is off");
	attempt->claimed = true;
	check_stamp(attempt);
	attempt->begin = from;
	attempt->end = to;
	/* The ring knows the stamp of the last record if nothing disturbed it. */
	is_undisturbed = model.is_plain && me->depth == 1 &&
			 attempt == &model.attempts[model.nr_attempts - 1];
	attempt->is_compact = is_undisturbed && is_compact(attempt->stamp);
	/* The slow path, which a clock that steps back takes, always writes the pid. */
	attempt->is_pidless = is_undisturbed && is_compact(attempt->first_clock) &&
			      !(attempt->event.head & TRING_HEAD_OTHER) &&
			      attempt->event.pid == model.plain_pid;
	attempt->order = ++model.orders;
	if (!model.entered || to - model.base >= model.size) {
		if (model.entered)
			close_packet(attempt, from);
		model.packet = model.next_packet++;
		model.base = to & ~(model.size - 1);
		model.entered = true;
		packet_of(model.packet)->begin = attempt->stamp;
		packet_of(model.packet)->entered_by = attempt - model.attempts;
		attempt->is_compact = true;
		attempt->is_pidless = false;
		attempt->begin = model.base + TRING_PACKET_HEADER_SIZE;
	}
	if (to <= attempt->begin || to - model.base >= model.size)
		fail("the position moves from %lu to %lu", from, to);
	attempt->packet = model.packet;
}

static void take_back(struct attempt *attempt, unsigned long from, unsigned long to)
{
	if (from != attempt->end || to != attempt->begin)
		fail("a discard moves the position from %lu to %lu", from, to);
	attempt->fate = FATE_TAKEN_BACK;
}

static void go_to_memory(struct attempt *attempt, unsigned long from)
{
	if (!model.next_size)
		fail("the ring goes to other memory without a request");
	if (model.entered && from - model.base > TRING_PACKET_HEADER_SIZE) {
		close_packet(attempt, from);
	} else if (model.entered) {
		/* Nothing but a header: its number goes to the next packet. */
		model.next_packet--;
	}
	model.first_packet = model.next_packet;
	model.size = model.next_size;
	model.subbufs = model.next_subbufs;
	model.next_size = 0;
}

static void move_by_call(struct attempt *attempt, unsigned long from, unsigned long to)
{
	if (attempt->claimed)
		fail("one call moves the position twice");
	attempt->claimed = true;
	check_stamp(attempt);
	attempt->order = ++model.orders;
	if (tring_generation(to) != tring_generation(from)) {
		go_to_memory(attempt, from);
		if (to & (model.size - 1))
			fail("a switch moves the position from %lu to %lu", from, to);
	} else {
		if (!model.entered || from - model.base <= TRING_PACKET_HEADER_SIZE)
			fail("a flush closes a packet without a record");
		if (to != model.base + model.size)
			fail("a flush moves the position from %lu to %lu", from, to);
		close_packet(attempt, from);
	}
	attempt->packet = model.packet;
	model.entered = false;
}

void shim_watched_moved(long from, long to)
{
	struct attempt *attempt;

	if (me->attempt < 0)
		fail("the position moves outside of an attempt");
	attempt = &model.attempts[me->attempt];
	TRACE("    position %ld -> %ld", from, to);
	model.position = to;
	switch (attempt->fate) {
	case FATE_RESERVING:
		claim(attempt, from, to);
		break;
	case FATE_DISCARDING:
		take_back(attempt, from, to);
		break;
	case FATE_CALL:
		move_by_call(attempt, from, to);
		break;
	default:
		fail("a writer that has its place moves the position");
	}
}

/* The writer has committed or discarded its record and returned. */
void model_finished(int number)
{
	struct attempt *attempt = &model.attempts[number];

	attempt->finished = true;
	model.plain_stamp = attempt->stamp;
	model.plain_pid = attempt->event.pid;
	model.is_plain = attempt->fate == FATE_COMMITTED && me->depth == 1 &&
			 number + 1 == (int)model.nr_attempts;
}

/* Does an open record keep a packet as old as @packet open? */
static bool is_kept_open(u32 packet)
{
	const struct attempt *attempt;
	u32 i;

	for (i = 0; i < model.nr_attempts; i++) {
		attempt = &model.attempts[i];
		if (!attempt->finished && attempt->claimed && attempt->packet <= packet + 1)
			return true;
	}
	return false;
}

/* Note whether a reservation that needs the next packet would be refused now. */
static void note_full(struct attempt *attempt)
{
	u32 lap = model.next_packet - model.subbufs;

	if (model.next_packet < model.first_packet + model.subbufs)
		return;
	if (!model.may_overwrite && lap >= model.streams[TRING_LIVE].expected)
		attempt->no_room = true;
	if (is_kept_open(lap))
		attempt->kept_open = true;
}

void shim_watched_read(long value)
{
	struct attempt *attempt;

	if (me->attempt < 0)
		return;
	attempt = &model.attempts[me->attempt];
	attempt->lost_low = model.lost;
	attempt->knows_lost = false;
	/* The writer reads the position once more before a refusal. */
	attempt->was_no_room = attempt->no_room;
	attempt->was_kept_open = attempt->kept_open;
	attempt->no_room = false;
	attempt->kept_open = false;
	note_full(attempt);
}

/* At a step, before its point: what the ring shows of the attempt. */
void model_step(int number, struct tring_cpu_buffer *cpu_buffer, int step)
{
	struct attempt *attempt = &model.attempts[number];

	/* After this step the writer does not read the count of refusals again. */
	if (!attempt->knows_lost && (step == TRING_STEP_SWITCH_READ ||
				     step == TRING_STEP_RESERVE_BOUND)) {
		attempt->knows_lost = true;
		/* With fine points, a refusal may be counted but not told to the model yet. */
		attempt->lost_high = model.lost + model.maybe_lost + (shim_fine ? me->depth : 0);
	}
	if (step == TRING_STEP_RESERVE_BEFORE) {
		attempt->stamp = cpu_buffer->before_ts;
		attempt->is_bounded = attempt->stamp <= model.max_stamp;
		if (attempt->stamp > model.max_stamp)
			model.max_stamp = attempt->stamp;
	} else if (step == TRING_STEP_ENTER_READ) {
		note_full(attempt);
	} else if (step == TRING_STEP_DISCARD_KEPT) {
		if (model.position == attempt->end)
			fail("a discard keeps its place, but no record is behind it");
		attempt->fate = FATE_KEPT;
	}
}

/* @header: of the packet in which the writer has reserved */
void model_reserved(int number, const struct tring_packet_header *header)
{
	struct attempt *attempt = &model.attempts[number];

	if (!attempt->claimed)
		fail("a reservation without a move of the position");
	if (me->depth > TRING_NESTING_MAX)
		fail("a reservation is nested too deep, but not refused");
	attempt->fate = FATE_OPEN;
	/* This record keeps the packet open. */
	if (model.attempts[packet_of(attempt->packet)->entered_by].fate != FATE_RESERVING &&
	    (header->content_size || header->packet_size))
		fail("packet %u is open, but has a content_size or packet_size",
		     attempt->packet);
}

static unsigned int largest_payload(void)
{
	return model.size - 1 - TRING_PACKET_HEADER_SIZE - TRING_RECORD_HEAD_MAX +
	       TRING_PAYLOAD_HEAD;
}

void model_refused(int number, int err)
{
	struct attempt *attempt = &model.attempts[number];
	u32 later = model.nr_attempts - number - 1;
	enum tring_refusal reason;
	bool is_right;

	note_full(attempt);
	switch (err) {
	case -ENOBUFS:
		reason = TRING_REFUSED_NO_ROOM;
		is_right = attempt->no_room || attempt->was_no_room;
		break;
	case -EBUSY:
		reason = TRING_REFUSED_OPEN_COMMIT;
		is_right = attempt->kept_open || attempt->was_kept_open;
		break;
	case -E2BIG:
		reason = TRING_REFUSED_TOO_LARGE;
		is_right = attempt->event.length > largest_payload();
		break;
	case -EAGAIN:
		reason = TRING_REFUSED_RETRIES;
		/* The events of a clock that traces itself are refused as nested instead. */
		is_right = later >= TRING_RETRIES_MAX && config->storm != 'c';
		break;
	case -ELOOP:
		reason = TRING_REFUSED_NESTED;
		is_right = config->entry || config->traced_clock || config->storm ||
			   me->depth > TRING_NESTING_MAX;
		break;
	case -ENOMEM:
		reason = TRING_REFUSED_NO_MEMORY;
		is_right = attempt->may_be_emptied || model.may_be_emptied;
		break;
	case -ESHUTDOWN:
		reason = TRING_REFUSED_OFF;
		/* The ring gives this reason, too, for the last events before a new trace. */
		is_right = attempt->may_be_off || model.may_be_off ||
			   attempt->may_be_emptied || model.may_be_emptied;
		break;
	default:
		fail("tring_reserve() returns %d", err);
	}
	if (!is_right)
		fail("a reservation is refused without a reason: %d", err);
	if (attempt->claimed)
		fail("a reservation that moved the position is refused: %d", err);
	attempt->fate = FATE_REFUSED;
	attempt->finished = true;
	model.refused[reason]++;
	if (reason == TRING_REFUSED_OFF)
		return;
	if (!attempt->may_be_emptied && !model.may_be_emptied)
		model.lost++;
	else if (shim_fine)
		/* Events between two traces are lost to neither, but when do those end? */
		model.maybe_lost++;
}

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

static void check_header(const struct decoded *decoded, bool is_exact)
{
	const struct packet_model *packet = packet_of(decoded->seq_num);
	u64 overwritten = count_overwritten(decoded->seq_num);
	unsigned int type;

	if (decoded->seq_num >= model.next_packet || !packet->closed)
		fail("packet %lu is read before it is closed", decoded->seq_num);
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
	if (decoded->content != packet->content)
		fail("packet %lu has %u bytes, not %u", decoded->seq_num, decoded->content,
		     packet->content);
	if (decoded->size != round_up(decoded->content, 8))
		fail("packet %lu has %u bytes and a size of %u", decoded->seq_num,
		     decoded->content, decoded->size);
	if (decoded->begin != packet->begin || decoded->end != packet->end)
		fail("packet %lu is of %lu to %lu, not of %llu to %llu", decoded->seq_num,
		     decoded->begin, decoded->end, packet->begin, packet->end);
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
	const char *wrong = decode_packet(data, size, buffer->short_ids, decoded);

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

/* Check a packet that a reader peeked at. */
void model_peek(const void *data, size_t size)
{
	struct decoded decoded;

	decode(data, size, &decoded);
	/* A new trace has its uuid, but this ring still has the packets of the old one. */
	if (model.may_be_emptied && memcmp(decoded.uuid, buffer->uuid, TRING_UUID_SIZE))
		return;
	/* Its count of losses may be out of date. */
	check_header(&decoded, false);
	/* A packet that a reader has read may still be peeked at. */
	check_records(&decoded, 0, true);
	if (decoded.records != count_records(decoded.seq_num))
		fail("packet %lu has %u records, not %u", decoded.seq_num, decoded.records,
		     count_records(decoded.seq_num));
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

/* Recording is off: no record is open, and none will be reserved. */
void model_is_off(void)
{
	u32 i;

	for (i = 0; i < model.nr_attempts; i++)
		if (model.attempts[i].claimed && !model.attempts[i].finished)
			fail("recording is off, but a record is open");
	model.is_off = true;
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

/* At rest: compare the counters of the ring with the model and with each other. */
void model_balance(struct tring_buffer *buffer, bool drained)
{
	struct tring_stats stats;
	int reason;

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
	for (reason = 0; reason < TRING_REFUSALS; reason++)
		expect(tring_refusal_name(reason), stats.refused[reason],
		       model.refused[reason]);
	if (!drained)
		return;
	expect("stats: remaining", stats.remaining, 0);
	expect("stats: remaining_bytes", stats.remaining_bytes, 0);
	expect("stats: overwritten", stats.overwritten, model.committed - model.read);
	/* A packet with nothing but its header does not count. */
	expect("stats: packets_overwritten", stats.packets_overwritten,
	       model.next_packet - model.entered - model.packets_read);
	expect("nesting", local_read(&tring_cpu_buffer(buffer, 0)->nesting) -
			  TRING_NESTING_IDLE, 0);
}
