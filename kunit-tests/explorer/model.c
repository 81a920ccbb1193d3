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
	bool is_idle = buffer && tring_cpu_buffer(buffer, 0)->nesting.value == TRING_NESTING_IDLE;
	u32 i;

	for (i = 0; i < model.nr_attempts; i++) {
		if (model.attempts[i].finished)
			continue;
		if (model.attempts[i].claimed)
			fail("a new trace begins, but a record is open");
		/* Between two accesses: the writer has not come into the ring yet. */
		if (is_idle)
			model.attempts[i].trace = model.trace + 1;
	}
	/* Nothing but a header: its number goes to the next packet. */
	if (model.entered && model.position - model.base <= TRING_PACKET_HEADER_SIZE)
		model.next_packet--;
	model.first_packet = model.next_packet;
	model.trace_packet = model.next_packet;
	model.trace++;
	model.entered = false;
	model.is_plain = false;
	model.lost = 0;
	model.maybe_lost = 0;
	model.max_stamp = 0;
	if (world.is_new_clock) {
		world.now = 1000;
		model.has_other_clock = true;
	}
	world.is_new_clock = false;
	for (i = 0; i < TRING_STREAMS; i++) {
		model.streams[i].expected = model.next_packet;
		model.streams[i].last_discarded = 0;
		model.streams[i].last_end = 0;
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
	attempt->trace = model.trace;
	attempt->may_be_off = model.may_be_off;
	attempt->may_be_emptied = model.may_be_emptied;
	if (!event || me->depth)
		model.is_plain = false;
	attempt->fate = event ? FATE_RESERVING : FATE_CALL;
	return number;
}

/* A new trace may be about to begin from here on, also for writers that have not returned. */
void model_may_be_emptied(bool may_be)
{
	u32 i;

	model.may_be_emptied = may_be;
	for (i = 0; i < model.nr_attempts; i++)
		if (!model.attempts[i].finished)
			model.attempts[i].may_be_emptied |= may_be;
}

/* The expected content of packet @number. */
struct packet_model *packet_of(u32 number)
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
	if (attempt->is_of_other_clock != model.has_other_clock)
		fail("a writer has read a clock that is not that of the trace");
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
	if (attempt->trace != model.trace)
		fail("a writer that came before a new trace has begun gets into it");
	attempt->claimed = true;
	check_stamp(attempt);
	attempt->begin = from;
	attempt->end = to;
	/* The ring knows the stamp of the last record if nothing disturbed it. */
	is_undisturbed = model.is_plain && me->depth == 1 &&
			 attempt == &model.attempts[model.nr_attempts - 1];
	attempt->is_compact = is_undisturbed && is_compact(attempt->stamp);
	/* The slow path, which a clock that steps back takes, always writes the pid. */
	attempt->is_pidless = is_undisturbed && !attempt->is_slowed &&
			      is_compact(attempt->first_clock) &&
			      !(attempt->event.head & TRING_HEAD_OTHER) &&
			      attempt->event.pid == model.plain_pid;
	attempt->order = ++model.orders;
	if (!model.entered || to - model.base >= model.size) {
		if (model.entered)
			close_packet(attempt, from);
		else
			attempt->is_compact = true;
		model.packet = model.next_packet++;
		model.base = to & ~(model.size - 1);
		model.entered = true;
		packet_of(model.packet)->begin = attempt->stamp;
		packet_of(model.packet)->entered_by = attempt - model.attempts;
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
	attempt->no_room = false;
	attempt->kept_open = false;
	note_full(attempt);
}

/* At a step, before its point: what the ring shows of the attempt. */
void model_step(int number, struct tring_cpu_buffer *cpu_buffer, int step)
{
	struct attempt *attempt = &model.attempts[number];

	/* A memory is being switched, or recording was requested: not by the fast path. */
	if (cpu_buffer->limit <= 1 || (shim_fine && model.may_be_off))
		attempt->is_slowed = true;
	/* After this step the writer does not read the count of refusals again. */
	if (!attempt->knows_lost && step == TRING_STEP_RESERVE_BOUND) {
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
		is_right = attempt->no_room;
		break;
	case -EBUSY:
		reason = TRING_REFUSED_OPEN_COMMIT;
		is_right = attempt->kept_open;
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
	case -EIO:
		reason = TRING_REFUSED_STOPPED;
		is_right = model.may_be_stopped;
		break;
	case -ENOMEM:
		reason = TRING_REFUSED_NO_MEMORY;
		is_right = attempt->may_be_emptied || model.may_be_emptied;
		break;
	case -ESHUTDOWN:
		reason = TRING_REFUSED_OFF;
		/*
		 * The ring gives this reason, too, for the last events before a new trace:
		 * those that come between two of its accesses.
		 */
		is_right = attempt->may_be_off || model.may_be_off ||
			   (shim_fine && (attempt->may_be_emptied || model.may_be_emptied));
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

/* Recording is off: no record is open, and none will be reserved. */
void model_is_off(void)
{
	u32 i;

	for (i = 0; i < model.nr_attempts; i++)
		if (model.attempts[i].claimed && !model.attempts[i].finished)
			fail("recording is off, but a record is open");
	model.is_off = true;
}
