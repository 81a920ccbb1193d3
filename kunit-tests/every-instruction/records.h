/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Self-describing records and the account of them. See records.c.
 */
#ifndef _TRING_RECORDS_H
#define _TRING_RECORDS_H

#include "ring/ring.h"

/**
 * enum record_event - event of a record
 * @RECORD_FIXED: has a short type and the fixed length RECORD_SMALL
 * @RECORD_VARYING: has a short type and a varying length
 * @RECORD_NO_SHORT: has no short type
 * @RECORD_EVENTS: number of events
 */
enum record_event {
	RECORD_FIXED,
	RECORD_VARYING,
	RECORD_NO_SHORT,
	RECORD_EVENTS
};

/* ftrace's id of the first event. */
#define RECORD_ID	340

/* Number of records that a round may have. */
#define RECORDS_MAX	1024

/* Lengths of payloads. */
#define RECORD_TINY	11	/* the ring pads it */
#define RECORD_SMALL	32
#define RECORD_LONG	150
#define RECORD_HUGE	3600	/* a sub-buffer of 4 KiB has room for one */
#define RECORD_TOO_LARGE 4090	/* a sub-buffer of 4 KiB has no room for it */
#define RECORD_WIDE	70000	/* too long for a short type */

enum record_fate {
	RECORD_REFUSED,
	RECORD_OPEN,
	RECORD_DISCARDED,
	RECORD_COMMITTED
};

/**
 * struct record_note - the test's account of a record
 * @begin: moment before its reservation
 * @end: moment after its reservation; U32_MAX while that is unknown
 * @oldest: lower bound of its timestamp
 * @newest: upper bound of its timestamp
 * @length: length of its payload
 * @event: its event
 * @pid: pid that its head must have
 * @flags: flags that its head must have
 * @preempt_count: preempt count that its head must have
 * @head: argument of tring_reserve() for these
 * @fate: outcome so far
 * @error: error of tring_reserve() if it was refused
 * @lost: it was refused and is lost to the trace
 * @found: number of times that it was read
 */
struct record_note {
	u32			begin;
	u32			end;
	u64			oldest;
	u64			newest;
	u32			length;
	enum record_event	event;
	u32			pid;
	u8			flags;
	u8			preempt_count;
	u64			head;
	enum record_fate	fate;
	int			error;
	bool			lost;
	unsigned int		found;
};

extern struct record_note record_notes[RECORDS_MAX];
extern struct tring_buffer *record_buffer;
extern u64 record_keys[RECORD_EVENTS];

void records_forget(void);
unsigned int records_count(void);
unsigned int records_noted(void);
bool record_is_intact(const void *fields, u32 room, u32 *number);
const char *records_check_order(const u32 *numbers, unsigned int count,
				unsigned int early);

/* Actions of writers. */
void write_tiny(void);
void write_small(void);
void write_fixed_and_varying(void);
void write_long(void);
void write_huge(void);
void write_too_large(void);
void write_wide(void);
void write_full(void);
void write_no_short(void);
void write_no_short_full(void);
void write_wanting(void);
void write_as_another(void);
void write_copied(void);
void write_copied_full(void);
void discard_tiny(void);
void discard_small(void);
void discard_long(void);
void discard_huge(void);
void discard_full(void);
void discard_no_short(void);
void discard_beneath(void);

/* Actions that leave records open and close them. */
void open_small(void);
void open_huge(void);
void close_first(void);
void close_last(void);
void close_all(void);
bool record_is_open(void);

#endif /* _TRING_RECORDS_H */
