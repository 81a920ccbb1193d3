/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records that describe themselves, and the account of them. See records.c.
 */
#ifndef _TRING_RECORDS_H
#define _TRING_RECORDS_H

#include "ring/ring.h"

/**
 * enum record_event - what a record is of
 * @RECORD_FIXED: an event with a short id, all of RECORD_SMALL
 * @RECORD_VARYING: one with a short id, of any length
 * @RECORD_NO_SHORT: one that has none
 * @RECORD_EVENTS: how many there are
 */
enum record_event {
	RECORD_FIXED,
	RECORD_VARYING,
	RECORD_NO_SHORT,
	RECORD_EVENTS
};

/* ftrace's id of the first. */
#define RECORD_ID	340

/* A round has no more. */
#define RECORDS_MAX	1024

/* Bytes of a payload of each kind. */
#define RECORD_TINY	11	/* is padded by the ring */
#define RECORD_SMALL	32
#define RECORD_LONG	150
#define RECORD_HUGE	3600	/* two do not fit into a sub-buffer of 4 KiB */
#define RECORD_TOO_LARGE 4090	/* for one */
#define RECORD_WIDE	70000	/* a short id cannot say that */

enum record_fate {
	RECORD_REFUSED,
	RECORD_OPEN,
	RECORD_DISCARDED,
	RECORD_COMMITTED
};

/**
 * struct record_note - what we know of a record from without the ring
 * @begin: moment before its reservation
 * @end: moment after it; U32_MAX until then, and if it cannot be known
 * @oldest: its stamp is no older
 * @newest: and no newer
 * @length: of the payload
 * @event: what it is of
 * @pid: that its head must have
 * @flags: likewise
 * @preempt_count: likewise
 * @head: what the ring is told of these
 * @fate: so far
 * @error: if it was refused
 * @found: times that it was read
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
	unsigned int		found;
};

extern struct record_note record_notes[RECORDS_MAX];
extern struct tring_buffer *record_buffer;
extern u64 record_keys[RECORD_EVENTS];

void records_forget(void);
unsigned int records_count(void);
bool record_is_intact(const void *fields, u32 room, u32 *number);
const char *records_check_order(const u32 *numbers, unsigned int count,
				unsigned int early);

/* What writers do. */
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

/* Records that stay open for a while. */
void open_small(void);
void open_huge(void);
void close_first(void);
void close_last(void);
void close_all(void);
bool record_is_open(void);

#endif /* _TRING_RECORDS_H */
