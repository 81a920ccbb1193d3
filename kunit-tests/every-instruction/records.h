/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records that describe themselves, and the account of them. See records.c.
 */
#ifndef _TRING_RECORDS_H
#define _TRING_RECORDS_H

#include "ring.h"

#define RECORD_ID	340

/* A round has no more. */
#define RECORDS_MAX	1024

/* Bytes of a payload of each kind. */
#define RECORD_TINY	8	/* is padded by the ring */
#define RECORD_SMALL	32
#define RECORD_LONG	150	/* its length does not fit into the type */
#define RECORD_HUGE	3600	/* two do not fit into a sub-buffer of 4 KiB */
#define RECORD_TOO_LARGE 4090	/* for one */

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
	enum record_fate	fate;
	int			error;
	unsigned int		found;
};

extern struct record_note record_notes[RECORDS_MAX];
extern struct tring_buffer *record_buffer;

void records_forget(void);
unsigned int records_count(void);
bool record_is_intact(const void *payload, u32 room, u32 *number);
const char *records_check_order(const u32 *numbers, unsigned int count,
				unsigned int early);

/* What writers do. */
void write_tiny(void);
void write_small(void);
void write_long(void);
void write_huge(void);
void write_too_large(void);
void write_copied(void);
void discard_small(void);
void discard_long(void);
void discard_huge(void);

/* Records that stay open for a while. */
void open_small(void);
void open_huge(void);
void close_first(void);
void close_last(void);
void close_all(void);
bool record_is_open(void);

#endif /* _TRING_RECORDS_H */
