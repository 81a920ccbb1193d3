// SPDX-License-Identifier: GPL-2.0
/*
 * The writers' CPU: writes events as any caller of tring_reserve() does, and has the
 * clock that writers read. Each level has a pid, flags and a preempt count of its own.
 *
 * A letter is an event:
 *   s small, of fixed length	e the smallest possible
 *   v as s, of varying length	g as s, without a short id
 *   w as s, but gets its short id only after it has occurred
 *   i as s with the pid of the task, as in a real interrupt
 *   f as s with a full context, longer than a byte
 *   d as s, then discarded	y as g with a full context, then discarded
 *   b big: with any event but e it fills a sub-buffer of the smallest size
 *   x as b, then discarded	l too large for any sub-buffer
 *   p ends where the sub-buffer ends, one byte too far
 *   q ends one byte before that
 * The last five are of varying length.
 */
#include "world.h"

/* The largest that fits any sub-buffer, even with the longest head. */
#define LENGTH_BIG	(PAGE_SIZE - 1 - TRING_PACKET_HEADER_SIZE - \
			 TRING_RECORD_HEAD_MAX + TRING_PAYLOAD_HEAD)
/* Does not fit a sub-buffer of the smallest size, even with the shortest head. */
#define LENGTH_TOO_LARGE	(LENGTH_BIG + TRING_RECORD_HEAD_MAX)
#define LENGTH_SMALL	18
/* The ring pads it to TRING_PAYLOAD_MIN. */
#define LENGTH_SMALLEST	10

/* Ticks that a compact stamp can tell. */
#define STAMP_SPAN	(1ull << TRING_STAMP_BITS)

enum kind {
	KIND_FIXED,
	KIND_SMALLEST,
	KIND_VARIES,
	KIND_LONG,
	KIND_WANTS,
	KINDS
};

struct letter {
	char		name;
	enum kind	kind;
	u16		length;		/* 0: see length_to_end() */
	bool		has_full_context;
	bool		is_of_task;
	bool		is_discarded;
};

static const struct letter letters[] = {
	{ 's', KIND_FIXED, LENGTH_SMALL },
	{ 'e', KIND_SMALLEST, LENGTH_SMALLEST },
	{ 'v', KIND_VARIES, LENGTH_SMALL },
	{ 'g', KIND_LONG, LENGTH_SMALL },
	{ 'w', KIND_WANTS, LENGTH_SMALL },
	{ 'i', KIND_FIXED, LENGTH_SMALL, .is_of_task = true },
	{ 'f', KIND_FIXED, LENGTH_SMALL, .has_full_context = true },
	{ 'd', KIND_FIXED, LENGTH_SMALL, .is_discarded = true },
	{ 'y', KIND_LONG, LENGTH_SMALL, .has_full_context = true, .is_discarded = true },
	{ 'b', KIND_VARIES, LENGTH_BIG },
	{ 'x', KIND_VARIES, LENGTH_BIG, .is_discarded = true },
	{ 'l', KIND_VARIES, LENGTH_TOO_LARGE },
	{ 'p', KIND_VARIES, 0 },
	{ 'q', KIND_VARIES, 0 },
};

static const struct {
	u8	flags;
	u8	preempt_count;
} contexts[LEVELS] = {
	[LEVEL_TASK]	= { 0, 0 },
	[LEVEL_SOFTIRQ]	= { 0x34, 1 },
	[LEVEL_IRQ]	= { 0x09, 2 },
	[LEVEL_NMI]	= { 0x01, TRING_CONTEXT_PREEMPT_MAX },
};

#define FIRST_ID	340
/* The pid of interrupts is the outermost writer's depth: must not pass for its token. */
#define FIRST_PID	((u16)(TRING_NESTING_IDLE + 1) - LEVEL_IRQ)
/* A flag of NMIs, which needs a full context. */
#define FLAG_OF_FULL	0x40

/* In the arena, because the ring changes them. */
static struct tring_key *keys;

/**
 * prepare_events - register the events with the ring
 */
void prepare_events(void)
{
	static const unsigned int lengths[KINDS] = {
		[KIND_FIXED]	= LENGTH_SMALL - TRING_PAYLOAD_HEAD,
		[KIND_SMALLEST]	= LENGTH_SMALLEST - TRING_PAYLOAD_HEAD,
		[KIND_WANTS]	= LENGTH_SMALL - TRING_PAYLOAD_HEAD,
	};
	int kind;

	keys = kcalloc(KINDS, sizeof(*keys), GFP_KERNEL);
	for (kind = 0; kind < KINDS; kind++) {
		if (kind == KIND_LONG)
			keys[kind].head = tring_event_key(FIRST_ID + kind);
		else
			tring_buffer_add_event(buffer, &keys[kind], FIRST_ID + kind,
					       lengths[kind], kind != KIND_WANTS);
	}
	/* Gets its short id when it asks for the first time, so that words are short. */
	keys[KIND_WANTS].asked = TRING_SHORT_ASKS - 1;
}

/* As one in TRING_ASK_EVERY records asks. */
static void ask_for_short_id(unsigned int id)
{
	WRITE_ONCE(buffer->wanted[id % TRING_WANTED], id);
	irq_work_queue(&buffer->ask_work);
}

/* Payload of a varying record that ends @before bytes before its sub-buffer's end. */
static u16 length_to_end(unsigned int before, u32 pid)
{
	const struct model *model = &world.model;
	unsigned long offset = TRING_PACKET_HEADER_SIZE, room;
	u32 last_pid = tring_cpu_buffer(buffer, 0)->last_pid;

	before += TRING_WORD_SIZE + 1 + TRING_SHORT_LENGTH_SIZE;
	if (model->entered)
		offset = model->position - model->base;
	if (!model->entered || last_pid != pid)
		before += TRING_PID_SIZE;
	room = model->size - offset - before;
	if (room < TRING_FIELDS_MIN || room > LENGTH_BIG - TRING_PAYLOAD_HEAD)
		return LENGTH_SMALL;
	return room + TRING_PAYLOAD_HEAD;
}

static struct event event_of(const struct letter *letter)
{
	struct event event = { .length = letter->length, .id = FIRST_ID + letter->kind };
	u64 key = READ_ONCE(keys[letter->kind].head);

	event.pid = FIRST_PID + (letter->is_of_task ? LEVEL_TASK : me->level);
	event.flags = contexts[me->level].flags;
	event.preempt_count = contexts[me->level].preempt_count;
	if (letter->has_full_context)
		event.flags |= FLAG_OF_FULL;
	event.head = key | tring_context(event.flags, event.preempt_count);
	if (!event.length)
		event.length = length_to_end(letter->name == 'q', event.pid);
	return event;
}

static void write_event(const struct letter *letter)
{
	struct event event = event_of(letter);
	struct tring_record record = { };
	int outer = me->attempt, number, err;

	number = model_attempt(&event);
	TRACE("  event %d of pid %u: %c, %u bytes", number, event.pid, letter->name,
	      event.length);
	me->attempt = number;
	me->depth++;
	err = tring_reserve(buffer, event.head, event.pid, event.length, &record);
	if (err) {
		TRACE("  event %d is refused: %d", number, err);
		model_refused(number, err);
	} else {
		model_reserved(number, record.subbuf->data);
		model_payload(number, record.payload);
		if (event.head & TRING_HEAD_WANTS)
			ask_for_short_id(event.id);
		if (letter->is_discarded) {
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
		TRACE("  event %d is done", number);
	}
	me->depth--;
	me->attempt = outer;
}

/* Write the events of a word, with a point after each. */
void write_word(const char *word)
{
	unsigned int i;

	for (; *word && *word != ' '; word++) {
		for (i = 0; i < ARRAY_SIZE(letters) && letters[i].name != *word; i++)
			;
		if (i == ARRAY_SIZE(letters))
			fail("no such letter in a word: %c", *word);
		write_event(&letters[i]);
		if (me == &world.cpu)
			point("between");
	}
}

/* Each read of the clock is a tick, or a trick that the schedule chooses. */
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
	case '<':	/* steps back by half a tick */
		world.now -= 5;
		break;
	case '-':	/* steps back by two and a half ticks */
		world.now -= 25;
		break;
	case 'c':	/* the largest difference that a compact stamp can tell */
		world.now += STAMP_SPAN - 1;
		break;
	case 'j':	/* the smallest that it cannot tell */
		world.now += STAMP_SPAN;
		break;
	case 'J':
		world.now += STAMP_SPAN + 1;
		break;
	default:
		fail("no such letter of a clock: %c", tricks[trick - 1]);
	}
}

static u64 read_either_clock(bool is_other)
{
	struct attempt *attempt;
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
	if (me->attempt >= 0) {
		attempt = &world.model.attempts[me->attempt];
		attempt->clock = now;
		attempt->is_of_other_clock = is_other;
		if (!attempt->first_clock)
			attempt->first_clock = now;
	}
	return now;
}

/* The ring reads these instead of a real clock: the other one after the letter c. */
u64 tring_clock_read_other(enum tring_clock clock, const u64 *const *offset)
{
	if (clock != OTHER_CLOCK)
		fail("clock %d is read", clock);
	return read_either_clock(true);
}

u64 read_clock(struct tring_cpu_buffer *cpu_buffer)
{
	return read_either_clock(false);
}

u64 tring_clock_offset(enum tring_clock clock)
{
	return 0;
}

u64 tring_clock_missed(enum tring_clock clock)
{
	return 0;
}

bool tring_clock_available(enum tring_clock clock)
{
	return true;
}
