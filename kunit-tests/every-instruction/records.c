// SPDX-License-Identifier: GPL-2.0
/*
 * Writers, and the account of their records that the ledger compares with the ring.
 * An interrupt can come here, too, and run the same code, so single instructions
 * update the account.
 *
 * The fields of a record begin with its number, in 3 bytes if the record has no more.
 * If there is room, its length, a checksum of both, a pattern and the complement of
 * the number follow.
 */
#include <linux/hash.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "compat.h"
#include "records.h"
#include "ring/fast.h"
#include "session/key.h"
#include "step.h"
#include "../write.h"

#define OPEN_MAX	16
/* Difference of another task's pid. */
#define ANOTHER_PID	100
/* Longer fields have the pattern only up to here, to save time. */
#define PATTERN_MAX	64

struct record_note record_notes[RECORDS_MAX];
struct tring_buffer *record_buffer;
u64 record_keys[RECORD_EVENTS];

static u32 next_number, moment;

static struct {
	struct tring_record	record;
	bool			open;
	bool			discard;
} open_records[OPEN_MAX];
static u32 next_open;

static u64 clock_now(void)
{
	enum tring_clock clock = READ_ONCE(record_buffer->clock);

	return clock == TRING_CLOCK_TSC ? step_now() + READ_ONCE(record_buffer->clock_offset) :
	       tring_clock_read(clock, &tring_cpu_buffer(record_buffer, 0)->clock_offset);
}

static u64 clock_latest(void)
{
	enum tring_clock clock = READ_ONCE(record_buffer->clock);

	return clock == TRING_CLOCK_TSC ? step_latest() + READ_ONCE(record_buffer->clock_offset) :
	       tring_clock_read(clock, &tring_cpu_buffer(record_buffer, 0)->clock_offset);
}

static u32 checksum(u32 number, u32 length)
{
	return hash_32(number, 32) ^ hash_32(length, 32);
}

static u32 pattern(u32 number, u32 offset)
{
	return number * 0x01000193 + offset;
}

/* Contexts that fit into the context byte, in turn; with @full ones that do not fit. */
static void choose_context(struct record_note *note, u32 number, bool full)
{
	static const u8 flags[] = {
		0, TRACE_FLAG_IRQS_OFF, TRING_FLAGS_RESCHED, TRACE_FLAG_SOFTIRQ,
		TRACE_FLAG_IRQS_OFF | TRACE_FLAG_HARDIRQ
	};

	note->flags = flags[number % ARRAY_SIZE(flags)];
	note->preempt_count = number % (TRING_CONTEXT_PREEMPT_MAX + 1);
	if (full && number % 2)
		note->flags |= TRACE_FLAG_NMI;
	else if (full)
		note->preempt_count = 0x17;
}

static u32 begin_record(enum record_event event, u32 length, bool full, u32 another)
{
	bool paused = step_pause();
	u32 number = next_number++;
	struct record_note *note = &record_notes[number % RECORDS_MAX];

	note->length = length;
	note->event = event;
	note->pid = step_pid() + another;
	choose_context(note, number, full);
	note->head = record_keys[event] | tring_context(note->flags, note->preempt_count);
	note->fate = RECORD_REFUSED;
	note->end = U32_MAX;
	note->newest = U64_MAX;
	note->found = 0;
	note->error = 0;
	note->lost = false;
	note->oldest = clock_now();
	note->begin = ++moment;
	step_resume(paused);
	return number;
}

static void note_refusal(u32 number, int error)
{
	struct record_note *note = &record_notes[number % RECORDS_MAX];

	note->error = error;
	/* Events while recording is off and events between two traces are not lost. */
	note->lost = error && error != -ESHUTDOWN &&
		     !READ_ONCE(this_cpu_ptr(record_buffer->cpu_buffers)->draining);
}

static void note_reserved(u32 number)
{
	struct record_note *note = &record_notes[number % RECORDS_MAX];

	note->end = ++moment;
	note->newest = clock_latest();
	note->fate = RECORD_OPEN;
}

/* Must precede the commit, after which a reader may take the record. */
static void note_fate(u32 number, enum record_fate fate)
{
	record_notes[number % RECORDS_MAX].fate = fate;
}

static void fill(void *fields, u32 number, u32 length)
{
	u32 size = length - TRING_PAYLOAD_HEAD, offset;

	memcpy(fields, &number, min_t(u32, size, sizeof(number)));
	if (length < RECORD_SMALL)
		return;
	*(u32 *)(fields + 4) = length;
	*(u32 *)(fields + 8) = checksum(number, length);
	for (offset = 12; offset + 4 <= min_t(u32, size - 4, PATTERN_MAX); offset += 4)
		*(u32 *)(fields + offset) = pattern(number, offset);
	*(u32 *)(fields + size - 4) = ~number;
}

/* Fill a reserved record and note its fate. */
static noinline void fill_record(u32 number, void *payload, u32 length,
				 enum record_fate fate)
{
	bool paused = step_pause();

	note_reserved(number);
	fill(payload + TRING_PAYLOAD_HEAD, number, length);
	note_fate(number, fate);
	step_resume(paused);
}

/**
 * record_is_intact - compare the fields of a record with its account
 * @fields: fields of a committed record
 * @room: bytes of the fields
 * @number: receives the record's number
 */
bool record_is_intact(const void *fields, u32 room, u32 *number)
{
	const struct record_note *note;
	u32 length, offset;

	/* The highest byte of a tiny record's number is the ring's padding. */
	*number = *(u32 *)fields;
	if (*number >= records_noted())
		return false;
	note = &record_notes[*number];
	length = note->length;
	if (room != max_t(u32, length, TRING_PAYLOAD_MIN) - TRING_PAYLOAD_HEAD)
		return false;
	if (length < RECORD_SMALL)
		return true;
	if (*(u32 *)(fields + 4) != length ||
	    *(u32 *)(fields + 8) != checksum(*number, length))
		return false;
	for (offset = 12; offset + 4 <= min_t(u32, room - 4, PATTERN_MAX); offset += 4)
		if (*(u32 *)(fields + offset) != pattern(*number, offset))
			return false;
	return *(u32 *)(fields + room - 4) == ~*number;
}

/*
 * The fast path, inlined: as in a probe of an event with a fixed length, in one of
 * an event whose length varies, and where nothing is known of the event.
 */
static noinline int ring_write_fixed(u32 number)
{
	struct tring_record TRING_UNINITIALIZED record;
	struct record_note *note = &record_notes[number % RECORDS_MAX];
	int err;

	preempt_disable_notrace();
	err = __tring_reserve(record_buffer, note->head, false, note->pid, RECORD_SMALL,
			      &record);
	if (!err) {
		fill_record(number, record.payload, RECORD_SMALL, RECORD_COMMITTED);
		__tring_commit(&record);
	}
	preempt_enable_notrace();
	return err;
}

static noinline int ring_write_varying(u32 number, u32 length)
{
	struct tring_record TRING_UNINITIALIZED record;
	struct record_note *note = &record_notes[number % RECORDS_MAX];
	int err;

	preempt_disable_notrace();
	err = __tring_reserve(record_buffer, note->head, true, note->pid, length, &record);
	if (!err) {
		fill_record(number, record.payload, length, RECORD_COMMITTED);
		__tring_commit(&record);
	}
	preempt_enable_notrace();
	return err;
}

static noinline int ring_write_any(u32 number, u32 length)
{
	struct tring_record TRING_UNINITIALIZED record;
	struct record_note *note = &record_notes[number % RECORDS_MAX];
	int err = tring_reserve(record_buffer, note->head, note->pid, length, &record);

	if (err)
		return err;
	fill_record(number, record.payload, length, RECORD_COMMITTED);
	tring_commit(&record);
	return 0;
}

static noinline int ring_discard_any(u32 number, u32 length)
{
	struct tring_record TRING_UNINITIALIZED record;
	struct record_note *note = &record_notes[number % RECORDS_MAX];
	int err = tring_reserve(record_buffer, note->head, note->pid, length, &record);

	if (err)
		return err;
	fill_record(number, record.payload, length, RECORD_DISCARDED);
	tring_discard(&record);
	return 0;
}

static void write_fixed(u32 another)
{
	u32 number = begin_record(RECORD_FIXED, RECORD_SMALL, false, another);
	int err = ring_write_fixed(number);

	if (err)
		note_refusal(number, err);
}

void write_small(void)
{
	write_fixed(0);
}

/* The second record has the same pid as the one before it. */
void write_as_another(void)
{
	write_fixed(ANOTHER_PID);
	write_fixed(ANOTHER_PID);
}

static void write_varying(u32 length)
{
	u32 number = begin_record(RECORD_VARYING, length, false, 0);
	int err = ring_write_varying(number, length);

	if (err)
		note_refusal(number, err);
}

static void write_any(enum record_event event, u32 length, bool full)
{
	u32 number = begin_record(event, length, full, 0);
	int err = ring_write_any(number, length);

	if (err)
		note_refusal(number, err);
}

static void discard_any(enum record_event event, u32 length, bool full)
{
	u32 number = begin_record(event, length, full, 0);
	int err = ring_discard_any(number, length);

	if (err)
		note_refusal(number, err);
}

void write_tiny(void)
{
	write_any(RECORD_VARYING, RECORD_TINY, false);
}

void write_long(void)
{
	write_varying(RECORD_LONG);
}

/* Probes of events with a fixed and a varying length inline different code. */
void write_fixed_and_varying(void)
{
	write_small();
	write_long();
}

void write_huge(void)
{
	write_any(RECORD_VARYING, RECORD_HUGE, false);
}

void write_too_large(void)
{
	write_any(RECORD_VARYING, RECORD_TOO_LARGE, false);
}

void write_wide(void)
{
	write_varying(RECORD_WIDE);
	write_any(RECORD_VARYING, RECORD_WIDE, false);
}

void write_full(void)
{
	write_any(RECORD_FIXED, RECORD_SMALL, true);
	write_any(RECORD_VARYING, RECORD_LONG, true);
}

void write_no_short(void)
{
	write_any(RECORD_NO_SHORT, RECORD_SMALL, false);
}

void write_no_short_full(void)
{
	write_any(RECORD_NO_SHORT, RECORD_LONG, true);
}

/* A record in long form that asks for a short type, which the event does not get. */
void write_wanting(void)
{
	u32 number = begin_record(RECORD_NO_SHORT, RECORD_SMALL, false, 0);
	int err;

	record_notes[number % RECORDS_MAX].head |= TRING_HEAD_WANTS;
	err = ring_write_any(number, RECORD_SMALL);
	if (err)
		note_refusal(number, err);
}

void discard_tiny(void)
{
	discard_any(RECORD_VARYING, RECORD_TINY, false);
}

void discard_small(void)
{
	discard_any(RECORD_FIXED, RECORD_SMALL, false);
}

void discard_long(void)
{
	discard_any(RECORD_VARYING, RECORD_LONG, false);
}

void discard_huge(void)
{
	discard_any(RECORD_VARYING, RECORD_HUGE, false);
}

void discard_full(void)
{
	discard_any(RECORD_VARYING, RECORD_TINY, true);
}

void discard_no_short(void)
{
	discard_any(RECORD_NO_SHORT, RECORD_SMALL, false);
}

static noinline int ring_write_copied(const void *payload, u32 length)
{
	return tring_write(record_buffer, record_keys[RECORD_VARYING], payload, length);
}

static void copy_record(u32 length, bool full)
{
	u32 number = begin_record(RECORD_VARYING, length, full, 0);
	struct record_note *note = &record_notes[number % RECORDS_MAX];
	u8 payload[RECORD_LONG];
	bool paused = step_pause();
	int err;

	memset(payload, 0, sizeof(payload));
	*(struct trace_entry *)payload = (struct trace_entry){
		.flags = note->flags,
		.preempt_count = note->preempt_count,
		.pid = note->pid,
	};
	fill(payload + TRING_PAYLOAD_HEAD, number, length);
	note_fate(number, RECORD_COMMITTED);
	step_resume(paused);
	err = ring_write_copied(payload, length);
	paused = step_pause();
	/* The record's place was reserved before now; its exact moment is unknown. */
	note_reserved(number);
	note_fate(number, err ? RECORD_REFUSED : RECORD_COMMITTED);
	note_refusal(number, err);
	step_resume(paused);
}

/* tring_write() with lengths that are unknown at compile time. */
void write_copied(void)
{
	copy_record(RECORD_TINY, false);
	copy_record(RECORD_LONG, false);
}

void write_copied_full(void)
{
	copy_record(RECORD_SMALL, true);
}

static void open_record(enum record_event event, u32 length, bool full, bool discard)
{
	unsigned int i = next_open++;
	u32 number = begin_record(event, length, full, 0);
	struct record_note *note = &record_notes[number % RECORDS_MAX];
	int err = tring_reserve(record_buffer, note->head, note->pid, length,
				&open_records[i].record);

	if (err) {
		note_refusal(number, err);
		return;
	}
	fill_record(number, open_records[i].record.payload, length,
		    discard ? RECORD_DISCARDED : RECORD_COMMITTED);
	open_records[i].discard = discard;
	open_records[i].open = true;
}

static void close_record(unsigned int i)
{
	if (!open_records[i].open)
		return;
	open_records[i].open = false;
	if (open_records[i].discard)
		tring_discard(&open_records[i].record);
	else
		tring_commit(&open_records[i].record);
}

void open_small(void)
{
	open_record(RECORD_FIXED, RECORD_SMALL, false, false);
}

void open_huge(void)
{
	open_record(RECORD_VARYING, RECORD_HUGE, false, false);
}

/* These records have another one behind them, so the ring keeps them as discarded. */
void discard_beneath(void)
{
	open_record(RECORD_FIXED, RECORD_SMALL, false, true);
	open_record(RECORD_VARYING, RECORD_TINY, false, true);
	open_record(RECORD_FIXED, RECORD_SMALL, true, true);
	open_record(RECORD_NO_SHORT, RECORD_SMALL, false, true);
	write_small();
	close_all();
}

/* Close the oldest open record. */
void close_first(void)
{
	unsigned int i;

	for (i = 0; i < OPEN_MAX; i++) {
		if (open_records[i].open) {
			close_record(i);
			return;
		}
	}
}

/* Close the newest open record. */
void close_last(void)
{
	unsigned int i;

	for (i = OPEN_MAX; i-- > 0;) {
		if (open_records[i].open) {
			close_record(i);
			return;
		}
	}
}

void close_all(void)
{
	unsigned int i;

	for (i = 0; i < OPEN_MAX; i++)
		close_record(i);
}

/* Start a new account. */
void records_forget(void)
{
	next_number = 0;
	moment = 0;
	next_open = 0;
}

unsigned int records_count(void)
{
	return next_number;
}

/* Number of records in record_notes[]; fewer than records_count() if that is too small. */
unsigned int records_noted(void)
{
	return min_t(unsigned int, next_number, RECORDS_MAX);
}

/**
 * records_check_order - compare the stream's order with the reservations' order
 * @numbers: numbers of the records in the order of the stream
 * @count: number of @numbers
 * @early: number of records that were read before the last record was written
 *
 * If one reservation was made during another one, either may come first. Records
 * that were overwritten must be older than the records that were read afterwards.
 *
 * Return: description of the fault, or NULL.
 */
const char *records_check_order(const u32 *numbers, unsigned int count,
				unsigned int early)
{
	unsigned int i, number;
	u32 latest_begin = 0;

	for (i = 0; i < count; i++) {
		const struct record_note *note = &record_notes[numbers[i]];

		if (note->end < latest_begin)
			return "records out of order";
		latest_begin = max(latest_begin, note->begin);
	}
	for (number = 0; number < records_noted(); number++) {
		const struct record_note *note = &record_notes[number];

		if (note->fate != RECORD_COMMITTED || note->found)
			continue;
		for (i = early; i < count; i++)
			if (record_notes[numbers[i]].end < note->begin)
				return "a record is missing behind one that was found";
	}
	return NULL;
}
