// SPDX-License-Identifier: GPL-2.0
/*
 * What runs on the writers' CPU: events as any caller of tring_reserve() writes
 * them, and the clock that they read.
 *
 * Letters of a word: s and e small events (13 and 12 bytes), d a small one that
 * is discarded, m a medium one, b a big one, which with any other fills a
 * sub-buffer of the smallest size, x a big one that is discarded, l one that
 * is too large, p one that would end where the sub-buffer does, which is one
 * byte too far, q one that ends a byte before.
 */
#include "world.h"

#define EVENT_ID	340

/* Whoever counts what 27 bits can tell. */
#define STAMP_SPAN	(1ull << TRING_STAMP_BITS)

static void write_event(u16 length, bool discard)
{
	struct tring_record record = { };
	int outer = me->attempt, number, err;

	number = model_attempt(length, me->level, false);
	TRACE("  event %d of level %d: %u bytes%s", number, me->level, length,
	      discard ? ", to be discarded" : "");
	me->attempt = number;
	me->depth++;
	err = tring_reserve(buffer, EVENT_ID, length, &record);
	if (err) {
		TRACE("  event %d is refused: %d", number, err);
		model_refused(number, err);
	} else {
		model_reserved(number);
		if (length >= TRING_PAYLOAD_MIN)
			model_payload(number, record.payload);
		if (discard) {
			world.model.attempts[number].fate = FATE_DISCARDING;
			world.model.discarded++;
			tring_discard(&record);
			if (world.model.attempts[number].fate == FATE_DISCARDING)
				fail("a discard neither keeps its place nor takes it back");
		} else {
			world.model.attempts[number].fate = FATE_COMMITTED;
			world.model.committed++;
			tring_commit(&record);
		}
		model_finished(number);
		TRACE("  event %d is through", number);
	}
	me->depth--;
	me->attempt = outer;
}

/* Payload of a record that ends @before bytes before its sub-buffer's end. */
static u16 length_to_end(unsigned int before)
{
	const struct model *model = &world.model;
	unsigned long offset = TRING_PACKET_HEADER_SIZE, room;

	if (model->entered)
		offset = tring_record_align(model->position - model->base);
	room = model->size - offset - before;
	if (room < TRING_HEADER_WORDS_SIZE + TRING_PAYLOAD_MIN || room > 180)
		return 13;
	if (room <= TRING_HEADER_WORDS_SIZE + TRING_WORDS_PAYLOAD_MAX)
		return room - TRING_HEADER_WORDS_SIZE;
	return room - TRING_HEADER_BYTES_SIZE;
}

/* Write the events of a word; between two of them is a point. */
void write_word(const char *word)
{
	for (; *word && *word != ' '; word++) {
		switch (*word) {
		case 's':
			write_event(13, false);
			break;
		case 'e':
			write_event(12, false);
			break;
		case 'd':
			write_event(13, true);
			break;
		case 'm':
			write_event(58, false);
			break;
		case 'b':
			write_event(170, false);
			break;
		case 'x':
			write_event(170, true);
			break;
		case 'p':
			write_event(length_to_end(0), false);
			break;
		case 'q':
			write_event(length_to_end(1), false);
			break;
		case 'l':
			write_event(300, false);
			break;
		default:
			fail("no such letter in a word: %c", *word);
		}
		if (me == &world.cpu)
			point("between");
	}
}

/* The clock ticks each time that it is read, or does what the schedule says. */
static void wind_clock(void)
{
	const char *tricks = config->clock;
	unsigned int trick = 0;

	if (exploring && tricks && world.clock_times && may_interrupt())
		trick = choose(1 + strlen(tricks));
	if (!trick) {
		world.now += 10;
		return;
	}
	note_interrupt();
	world.clock_times--;
	TRACE("  the clock: %c", tricks[trick - 1]);
	switch (tricks[trick - 1]) {
	case '0':	/* stands still */
		break;
	case '-':	/* steps back behind two ticks */
		world.now -= 25;
		break;
	case 'c':	/* the last difference that a compact stamp can tell */
		world.now += STAMP_SPAN - 1;
		break;
	case 'j':	/* the first that it cannot */
		world.now += STAMP_SPAN;
		break;
	case 'J':
		world.now += STAMP_SPAN + 1;
		break;
	default:
		fail("no such letter of a clock: %c", tricks[trick - 1]);
	}
}

/* Real clocks are never read: the ring asks read_clock(). */
u64 tring_clock_read_other(enum tring_clock clock)
{
	fail("clock %d is read", clock);
}

bool tring_clock_available(enum tring_clock clock)
{
	return true;
}

u64 read_clock(struct tring_cpu_buffer *cpu_buffer)
{
	u64 now;

	wind_clock();
	now = world.now;
	if (exploring && me == &world.cpu && world.traced_clock && may_interrupt() &&
	    choose(2)) {
		note_interrupt();
		world.traced_clock--;
		TRACE("  the clock is traced");
		write_word("s");
	}
	if (exploring && config->storm == 'c')
		write_word("s");
	if (me->attempt >= 0)
		world.model.attempts[me->attempt].clock = now;
	return now;
}
