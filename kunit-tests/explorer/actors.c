// SPDX-License-Identifier: GPL-2.0
/*
 * Actors on other CPUs. A letter is one operation:
 *   t take a packet and put it back	T as t, with a flush if there is no packet
 *   w wait for a packet, then as T	h as T, but do not put the packet back
 *   k peek at all packets since the last k	F flush
 *   p peek at all packets, and the open one
 *   n take a snapshot			d drop the snapshot
 *   o take a packet of the snapshot	0 1 switch recording off or on
 *   + - resize to 4 or 2 sub-buffers	P set buffer_percent to 50
 *   W wait for this, then as t
 *   * / set the sub-buffer size to twice the minimum, or to the minimum
 *   ! stop the ring, as when it is found broken; a later + or N must start it again
 *   N begin a new trace; the reader is closed meanwhile
 *   c as N, by choosing another clock, which has a time in the past
 */
#include "ring/internal.h"
#include "world.h"

static struct tring_stream *stream_of(enum tring_stream_kind kind)
{
	return tring_buffer_stream(buffer, 0, kind);
}

static u64 sum_bytes(const void *data, size_t size)
{
	const u8 *bytes = data;
	u64 sum = 0;

	while (size--)
		sum = sum * 31 + *bytes++;
	return sum;
}

/* At rest: writers have wrapped in the current memory, so no older one has packets. */
static void check_lapsed(struct tring_stream *stream)
{
	struct tring_memory *current_memory = stream->cpu_buffer->memory;

	if (local_read(&current_memory->overwritten_packets) &&
	    stream->held->memory != current_memory)
		fail("a packet is older than packets that were overwritten");
}

static void put(struct tring_stream *stream)
{
	struct tring_subbuf *held = stream->held;
	/* If this must wait for another actor, that may free the memory. */
	bool is_surplus = held->memory->sealed && held->memory->users > 1 && !shim_fine &&
			  !mutex_is_locked(&stream->cpu_buffer->mutex);

	tring_reader_put(stream);
	if (is_surplus && held->data)
		fail("the pages of a packet that was read in a sealed memory are kept");
}

static int take(enum tring_stream_kind kind, bool flush)
{
	struct tring_stream *stream = stream_of(kind);
	bool was_held = stream->held;
	struct tring_packet packet;
	u64 sum;
	int err;

	TRACE("  take%s", flush ? " with flush" : "");
	err = tring_reader_take(stream, flush, &packet);
	TRACE("  take: %d", err);
	if (err && err != -EAGAIN)
		fail("tring_reader_take() returns %d", err);
	if (err)
		return err;
	model_packet(kind, packet.data, packet.size, packet.events);
	if (exploring) {
		sum = sum_bytes(packet.data, packet.size);
		point("held");
		if (sum_bytes(packet.data, packet.size) != sum)
			fail("a packet changes while a reader holds it");
	} else if (kind == TRING_LIVE && !was_held) {
		check_lapsed(stream);
	}
	put(stream);
	return 0;
}

/* The next take hands out this packet again. */
static void hold(enum tring_stream_kind kind)
{
	struct tring_packet packet;
	int err;

	err = tring_reader_take(stream_of(kind), true, &packet);
	if (err && err != -EAGAIN)
		fail("tring_reader_take() returns %d", err);
}

static void peek(struct tring_peek *cursor, bool is_exact)
{
	struct tring_peek before;
	char copy[SUBBUF_MAX];
	size_t size;
	u32 trace;
	int err;

	for (;;) {
		before = *cursor;
		trace = world.model.trace;
		err = tring_reader_peek(stream_of(TRING_LIVE), cursor, copy, sizeof(copy),
					&size);
		if (err)
			break;
		if (cursor->trace == before.trace && cursor->next <= before.next)
			fail("a peek goes back from %llu to %llu", before.next, cursor->next);
		/* What was copied before a new trace began is of the former one. */
		if (world.model.trace == trace)
			model_peek(copy, size, is_exact && !before.next);
		point("peeked");
	}
	if (err != -EAGAIN)
		fail("tring_reader_peek() returns %d", err);
}

/*
 * Peek at all that the live stream has. Returns the number of events; sets @is_whole if the
 * open packet did not have an open record.
 */
static unsigned long peek_with_open(bool *is_whole)
{
	struct tring_peek cursor = { .with_open = true };
	unsigned long events = 0;
	char copy[SUBBUF_MAX];
	size_t size;
	u32 trace;
	int err;

	while (cursor.with_open) {
		trace = world.model.trace;
		err = tring_reader_peek(stream_of(TRING_LIVE), &cursor, copy, sizeof(copy),
					&size);
		if (err)
			break;
		if (world.model.trace == trace)
			events += cursor.with_open ? model_peek(copy, size, false) :
						     model_peek_open(copy, size);
		point("peeked");
	}
	if (err && err != -EAGAIN && err != -EBUSY)
		fail("tring_reader_peek() returns %d", err);
	*is_whole = err != -EBUSY;
	return events;
}

/* At rest: a peek that goes on must come to the same end as one that begins. */
void peek_all(void)
{
	const struct tring_subbuf *held = stream_of(TRING_LIVE)->held;
	struct tring_peek cursor = { };
	struct tring_stats stats;
	char copy[SUBBUF_MAX];
	unsigned long events;
	bool is_whole;
	size_t size;

	/* Every event that a reader could get, and no other. */
	events = peek_with_open(&is_whole);
	tring_buffer_stats(buffer, 0, &stats);
	if (!is_whole || events != stats.remaining - stats.snapshot)
		fail("a peek shows %lu of %llu events", events, stats.remaining - stats.snapshot);
	peek(&world.cursor, false);
	peek(&cursor, true);
	if (cursor.next && cursor.next != world.cursor.next)
		fail("a peek ends before packet %llu, another before %llu", world.cursor.next,
		     cursor.next);
	if (!held)
		return;
	memset(&cursor, 0, sizeof(cursor));
	if (tring_reader_peek(stream_of(TRING_LIVE), &cursor, copy, sizeof(copy), &size) ||
	    cursor.next != ((const struct tring_packet_header *)held->data)->packet_seq_num + 1)
		fail("a peek does not show the packet that a reader holds");
}

/* After a resize: former memories hold no more than the ring, and none is empty. */
static void check_surplus(struct tring_stream *stream, unsigned long bytes)
{
	struct tring_memory *memory;
	unsigned long held = 0;

	list_for_each_entry(memory, &stream->memories, list) {
		struct tring_content content = { };

		if (!memory->sealed)
			continue;
		tring_memory_content(memory, &content);
		held += content.packets << memory->order;
		/* Another actor may have taken the last packet since. */
		if (!content.packets && !content.open_packets && !memory->packets_taken)
			fail("a memory without a packet is kept after a resize");
	}
	if (config->overwrite && held > bytes)
		fail("%lu bytes are kept in a ring of %lu", held, bytes);
}

static void resize(unsigned long subbufs)
{
	unsigned long bytes = subbufs * tring_buffer_subbuf_size(buffer);
	int err;

	model_next_memory(tring_buffer_subbuf_size(buffer), subbufs);
	err = tring_buffer_resize(buffer, 0, bytes);
	if (err == -EBUSY && config->storm)
		world.model.next_size = 0;
	else if (err)
		fail("tring_buffer_resize() returns %d", err);
	else if (!shim_fine)
		check_surplus(stream_of(TRING_LIVE), bytes);
}

static void set_subbuf_size(unsigned long size)
{
	unsigned long bytes = tring_cpu_buffer(buffer, 0)->wanted_bytes;
	int err;

	model_next_memory(size, max(DIV_ROUND_UP(bytes, size), TRING_SUBBUFS_MIN));
	err = tring_buffer_set_subbuf_size(buffer, size);
	if (err)
		fail("tring_buffer_set_subbuf_size() returns %d", err);
}

static void snapshot(void)
{
	int err;

	model_next_memory(tring_buffer_subbuf_size(buffer), world.model.subbufs);
	tring_buffer_lock(buffer);
	err = tring_buffer_snapshot(buffer);
	tring_buffer_unlock(buffer);
	if (err)
		fail("tring_buffer_snapshot() returns %d", err);
	model_aside(stream_of(TRING_SNAPSHOT));
}

static void new_trace(bool by_clock)
{
	int err;

	tring_reader_release(stream_of(TRING_LIVE));
	tring_reader_release(stream_of(TRING_SNAPSHOT));
	model_may_be_emptied(true);
	if (by_clock) {
		world.is_new_clock = true;
		err = tring_buffer_new_trace(buffer, OTHER_CLOCK);
	} else {
		err = tring_buffer_new_trace(buffer, -1);
	}
	model_may_be_emptied(false);
	if (err)
		fail("a new trace cannot begin: %d", err);
	/* With fine points writers have come in already. */
	if (!shim_fine)
		model_emptied(tring_cpu_buffer(buffer, 0)->memory);
	if (tring_reader_open(stream_of(TRING_LIVE)) ||
	    tring_reader_open(stream_of(TRING_SNAPSHOT)))
		fail("a reader cannot be opened again");
}

static void act(char letter)
{
	bool is_whole;

	TRACE(" actor %d: %c", world.running, letter);
	switch (letter) {
	case 't':
		take(TRING_LIVE, false);
		break;
	case 'T':
		take(TRING_LIVE, true);
		break;
	case 'w':
		if (take(TRING_LIVE, true) == -EAGAIN) {
			tring_reader_wait(stream_of(TRING_LIVE));
			take(TRING_LIVE, true);
		}
		break;
	case 'P':
		tring_buffer_set_percent(buffer, 50);
		break;
	case 'W':
		world.waits_for_half = true;
		/* As poll() waits. */
		wait_event_interruptible(stream_of(TRING_LIVE)->cpu_buffer->wait,
					 tring_reader_has_enough(stream_of(TRING_LIVE)) ||
					 !READ_ONCE(buffer->recording));
		take(TRING_LIVE, false);
		break;
	case 'h':
		hold(TRING_LIVE);
		break;
	case 'k':
		peek(&world.cursor, false);
		break;
	case 'p':
		peek_with_open(&is_whole);
		break;
	case 'F':
		tring_ring_flush(stream_of(TRING_LIVE)->cpu_buffer);
		break;
	case '0':
		world.model.may_be_off = true;
		tring_buffer_set_recording(buffer, false);
		model_is_off();
		break;
	case '1':
		world.model.is_off = false;
		tring_buffer_set_recording(buffer, true);
		world.model.may_be_off = false;
		break;
	/* The worker follows some time later, so events may be refused for as long. */
	case '(':
		world.model.may_be_off = true;
		tring_buffer_request_recording(buffer, false);
		if (!shim_fine && tring_cpu_buffer(buffer, 0)->limit)
			fail("a request to switch off leaves the ring on");
		break;
	case ')':
		tring_buffer_request_recording(buffer, true);
		break;
	case '!':
		world.model.may_be_stopped = true;
		tring_ring_stop(tring_cpu_buffer(buffer, 0));
		break;
	case 'N':
		new_trace(false);
		break;
	case 'c':
		new_trace(true);
		break;
	case 'n':
		snapshot();
		break;
	case 'o':
		take(TRING_SNAPSHOT, false);
		break;
	case 'd':
		tring_buffer_drop_snapshot(buffer);
		break;
	case '+':
		resize(4);
		break;
	case '-':
		resize(2);
		break;
	case '*':
		set_subbuf_size(2 * PAGE_SIZE);
		break;
	case '/':
		set_subbuf_size(PAGE_SIZE);
		break;
	default:
		fail("no such letter of an actor: %c", letter);
	}
	/* If the writers' CPU is offline, the actor flushes itself, as an attempt. */
	if (me->attempt >= 0)
		world.model.attempts[me->attempt].finished = true;
	me->attempt = -1;
}

void run_actor(int number)
{
	const char *letter;

	for (letter = config->actors[number]; *letter; letter++) {
		act(*letter);
		point("done with one");
	}
}

/* The kernel's worker: runs one work at a time. */
void run_worker(int number)
{
	struct work_struct *work;

	for (;;) {
		work = world.work[0];
		if (work) {
			TRACE(" worker");
			memmove(world.work, world.work + 1, sizeof(work) * (WORK_MAX - 1));
			world.work[WORK_MAX - 1] = NULL;
			work->pending = false;
			work->function(work);
			point("work is done");
		} else {
			block(WAIT_WORK, NULL, 0);
		}
	}
}

/* Read everything that is left. */
void drain_all(void)
{
	unsigned int packets;

	for (packets = 0; !take(TRING_SNAPSHOT, false); packets++)
		if (packets > PACKETS_MAX)
			fail("the snapshot does not come to an end");
	for (packets = 0; !take(TRING_LIVE, true); packets++)
		if (packets > PACKETS_MAX)
			fail("the ring does not come to an end");
}
