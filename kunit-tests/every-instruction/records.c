// SPDX-License-Identifier: GPL-2.0
/*
 * Writers, each of which notes before and after it what the ring must then do,
 * in an account of its own. Everything here is interrupted, too, and may be run
 * by what interrupts it: the account is kept with single instructions.
 *
 * A record carries its number at offset 4, where a struct trace_entry has the
 * pid; if there is room, its length and a checksum of both, then a pattern, and
 * the number's complement at the end.
 */
#include <linux/hash.h>
#include <linux/string.h>

#include "compat.h"
#include "records.h"
#include "ring_fast.h"
#include "step.h"

#define OPEN_MAX	16
/* Longer ones have their pattern at both ends only, for the sake of time. */
#define PATTERN_MAX	64

struct record_note record_notes[RECORDS_MAX];
struct tring_buffer *record_buffer;

static u32 next_number, moment;

static struct {
	struct tring_record	record;
	bool			open;
} open_records[OPEN_MAX];
static u32 next_open;

static u64 clock_now(void)
{
	enum tring_clock clock = READ_ONCE(record_buffer->clock);

	return clock == TRING_CLOCK_TSC ? step_now() : tring_clock_read(clock);
}

static u64 clock_latest(void)
{
	enum tring_clock clock = READ_ONCE(record_buffer->clock);

	return clock == TRING_CLOCK_TSC ? step_latest() : tring_clock_read(clock);
}

static u32 checksum(u32 number, u32 length)
{
	return hash_32(number, 32) ^ hash_32(length, 32);
}

static u32 pattern(u32 number, u32 offset)
{
	return number * 0x01000193 + offset;
}

static u32 begin_record(u32 length)
{
	bool paused = step_pause();
	u32 number = next_number++;
	struct record_note *note = &record_notes[number % RECORDS_MAX];

	note->length = length;
	note->fate = RECORD_REFUSED;
	note->end = U32_MAX;
	note->newest = U64_MAX;
	note->found = 0;
	note->error = 0;
	/* Without stepping our clock is not read, and any time may come. */
	note->oldest = paused ? clock_now() : 0;
	note->begin = ++moment;
	step_resume(paused);
	return number;
}

static void note_refusal(u32 number, int error)
{
	record_notes[number % RECORDS_MAX].error = error;
}

static void note_reserved(u32 number)
{
	struct record_note *note = &record_notes[number % RECORDS_MAX];

	note->end = ++moment;
	note->newest = clock_latest();
	note->fate = RECORD_OPEN;
}

/* A reader may find it as soon as it is committed. */
static void note_fate(u32 number, enum record_fate fate)
{
	record_notes[number % RECORDS_MAX].fate = fate;
}

static void fill(void *payload, u32 number, u32 length)
{
	u32 offset;

	*(u32 *)(payload + 4) = number;
	if (length < RECORD_SMALL)
		return;
	*(u32 *)(payload + 8) = length;
	*(u32 *)(payload + 12) = checksum(number, length);
	for (offset = 16; offset + 4 <= min_t(u32, length - 4, PATTERN_MAX); offset += 4)
		*(u32 *)(payload + offset) = pattern(number, offset);
	*(u32 *)(payload + length - 4) = ~number;
}

/* The reservation succeeded: fill it, and say what will become of it. */
static noinline void fill_record(u32 number, void *payload, u32 length,
				 enum record_fate fate)
{
	bool paused = step_pause();

	note_reserved(number);
	fill(payload, number, length);
	note_fate(number, fate);
	step_resume(paused);
}

/**
 * record_is_intact - does a payload say of itself what it should?
 * @payload: of a record that is an event
 * @room: its size, up to 3 bytes more than the payload
 * @number: of the record
 */
bool record_is_intact(const void *payload, u32 room, u32 *number)
{
	const struct record_note *note;
	u32 length, offset;

	*number = *(u32 *)(payload + 4);
	if (*number >= records_count() || *(u16 *)payload != RECORD_ID)
		return false;
	note = &record_notes[*number];
	length = max_t(u32, note->length, TRING_PAYLOAD_MIN);
	if (room < length || room - length > 3)
		return false;
	length = note->length;
	if (length < TRING_PAYLOAD_MIN)
		return *(u32 *)(payload + 8) == 0;
	if (length < RECORD_SMALL)
		return true;
	if (*(u32 *)(payload + 8) != length ||
	    *(u32 *)(payload + 12) != checksum(*number, length))
		return false;
	for (offset = 16; offset + 4 <= min_t(u32, length - 4, PATTERN_MAX); offset += 4)
		if (*(u32 *)(payload + offset) != pattern(*number, offset))
			return false;
	return *(u32 *)(payload + length - 4) == ~*number;
}

/*
 * The fast path, inlined: with a length that the compiler knows, as in most
 * probes, and with one that it does not know.
 */
static noinline int ring_write_small(u32 number)
{
	struct tring_record TRING_UNINITIALIZED record;
	int err = tring_reserve(record_buffer, RECORD_ID, RECORD_SMALL, &record);

	if (err)
		return err;
	fill_record(number, record.payload, RECORD_SMALL, RECORD_COMMITTED);
	tring_commit(&record);
	return 0;
}

static noinline int ring_write_any(u32 number, u32 length)
{
	struct tring_record TRING_UNINITIALIZED record;
	int err = tring_reserve(record_buffer, RECORD_ID, length, &record);

	if (err)
		return err;
	fill_record(number, record.payload, length, RECORD_COMMITTED);
	tring_commit(&record);
	return 0;
}

static noinline int ring_discard_any(u32 number, u32 length)
{
	struct tring_record TRING_UNINITIALIZED record;
	int err = tring_reserve(record_buffer, RECORD_ID, length, &record);

	if (err)
		return err;
	fill_record(number, record.payload, length, RECORD_DISCARDED);
	tring_discard(&record);
	return 0;
}

void write_small(void)
{
	u32 number = begin_record(RECORD_SMALL);
	int err = ring_write_small(number);

	if (err)
		note_refusal(number, err);
}

static void write_any(u32 length)
{
	u32 number = begin_record(length);
	int err = ring_write_any(number, length);

	if (err)
		note_refusal(number, err);
}

static void discard_any(u32 length)
{
	u32 number = begin_record(length);
	int err = ring_discard_any(number, length);

	if (err)
		note_refusal(number, err);
}

void write_tiny(void)
{
	write_any(RECORD_TINY);
}

void write_long(void)
{
	write_any(RECORD_LONG);
}

void write_huge(void)
{
	write_any(RECORD_HUGE);
}

void write_too_large(void)
{
	write_any(RECORD_TOO_LARGE);
}

void discard_small(void)
{
	discard_any(RECORD_SMALL);
}

void discard_long(void)
{
	discard_any(RECORD_LONG);
}

void discard_huge(void)
{
	discard_any(RECORD_HUGE);
}

static void copy_record(u32 length)
{
	u32 number = begin_record(length);
	u8 payload[RECORD_LONG];
	bool paused = step_pause();
	int err;

	memset(payload, 0, sizeof(payload));
	fill(payload, number, length);
	note_fate(number, RECORD_COMMITTED);
	step_resume(paused);
	err = tring_write(record_buffer, RECORD_ID, payload, length);
	paused = step_pause();
	/* When it had its place we do not know: before now. */
	note_reserved(number);
	note_fate(number, err ? RECORD_REFUSED : RECORD_COMMITTED);
	note_refusal(number, err);
	step_resume(paused);
}

/* tring_write(), with lengths that the compiler does not know. */
void write_copied(void)
{
	copy_record(RECORD_TINY);
	copy_record(RECORD_LONG);
}

static void open_record(u32 length)
{
	unsigned int i = next_open++;
	u32 number = begin_record(length);
	int err = tring_reserve(record_buffer, RECORD_ID, length, &open_records[i].record);

	if (err) {
		note_refusal(number, err);
		return;
	}
	fill_record(number, open_records[i].record.payload, length, RECORD_COMMITTED);
	open_records[i].open = true;
}

static void close_record(unsigned int i)
{
	if (!open_records[i].open)
		return;
	open_records[i].open = false;
	tring_commit(&open_records[i].record);
}

void open_small(void)
{
	open_record(RECORD_SMALL);
}

void open_huge(void)
{
	open_record(RECORD_HUGE);
}

/* Commits in the order of the reservations, and in the reverse order. */
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

/* A new account. */
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

/**
 * records_check_order - is the stream's order that of the reservations?
 * @numbers: of the records as they lie in the stream
 * @count: how many
 * @early: so many of them were read before the last record was written
 *
 * Of two reservations, one of which was made while the other was being tried,
 * either may come first. Records that were lost by overwriting must be older
 * than those found after that.
 *
 * Return: what is wrong, or NULL.
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
	for (number = 0; number < records_count(); number++) {
		const struct record_note *note = &record_notes[number];

		if (note->fate != RECORD_COMMITTED || note->found)
			continue;
		for (i = early; i < count; i++)
			if (record_notes[numbers[i]].end < note->begin)
				return "a record is missing behind one that was found";
	}
	return NULL;
}
