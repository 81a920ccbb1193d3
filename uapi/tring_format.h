/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The tring wire format: constants, the packet header and the pure functions
 * that the kernel, its tests and the reader share. The prose, the byte tables
 * and a worked hex dump are in uapi/format.md; change both in one commit.
 *
 * Nothing here allocates, sleeps, prints or keeps state.
 */
#ifndef _UAPI_TRING_FORMAT_H
#define _UAPI_TRING_FORMAT_H

#include <linux/types.h>
#ifdef __KERNEL__
#include <linux/build_bug.h>
#include <asm/byteorder.h>
#else
#include <assert.h>
#include <endian.h>
#include <stdbool.h>
#endif

/* Raised whenever an old reader could misread a new packet. */
#define TRING_FORMAT_VERSION		3

/* CTF 1.8's packet magic, so that a packet stream is a CTF stream. */
#define TRING_PACKET_MAGIC		0xC1FC1FC1u
#define TRING_UUID_SIZE			16

/* Is this code itself big endian? A reader asks the packet's magic instead. */
#ifdef __KERNEL__
#ifdef __BIG_ENDIAN
#define TRING_HOST_BIG_ENDIAN		true
#else
#define TRING_HOST_BIG_ENDIAN		false
#endif
#else
#define TRING_HOST_BIG_ENDIAN		(__BYTE_ORDER == __BIG_ENDIAN)
#endif

/* Values of a record word's type, of which some say which event it is. */
#define TRING_TYPES			32

/**
 * struct tring_packet_header - the first 96 bytes of every packet
 * @magic: TRING_PACKET_MAGIC in the writer's byte order
 * @uuid: of the trace that the packet belongs to
 * @cpu_id: CPU that wrote the packet
 * @timestamp_begin: full clock at the first reservation; the reference of
 *	the first record's compact timestamp
 * @timestamp_end: full clock at the reservation that closed the packet
 * @content_size: bits from the packet's start to the exact, unrounded end of
 *	the last record
 * @packet_size: bits from the packet's start to the next packet's start
 * @packet_seq_num: rises by one a packet; a gap is packets overwritten
 * @events_discarded: events lost in this stream up to @timestamp_end, refused
 *	and overwritten ones together; never decreases
 * @lengths: by a record's type: bytes of fields of each such record,
 *	TRING_LENGTH_VARIES if each says it itself, 0 if no record here is of
 *	that type or the type is none of an event. By 0, which is no type:
 *	TRING_PACKET_* flags
 *
 * The first three are the same in all packets of a ring, and written when it
 * gets its memory. Of the others whoever enters the sub-buffer writes
 * @timestamp_begin and @packet_seq_num, and whoever closes it the rest.
 */
struct tring_packet_header {
	__u32	magic;
	__u8	uuid[TRING_UUID_SIZE];
	__u32	cpu_id;
	__u64	timestamp_begin;
	__u64	timestamp_end;
	__u32	content_size;
	__u32	packet_size;
	__u64	packet_seq_num;
	__u64	events_discarded;
	__u8	lengths[TRING_TYPES];
};

#define TRING_PACKET_HEADER_SIZE	96

/* In tring_packet_header::lengths, what would be type 0's. */
#define TRING_PACKET_FLAGS		0
/* Its records have no context: no such byte, and nothing that it asks for. */
#define TRING_PACKET_NO_CONTEXT		0x01

/*
 * A record, at whatever byte it begins:
 *
 *	u32 word	27 bits of timestamp, 5 bits of type
 *	u64 timestamp	extended only
 *	u16 id		long and extended only: ftrace's id + TRING_LONG_ID_BASE,
 *			or TRING_TYPE_DISCARDED
 *	u8 context	TRING_CONTEXT_*; not if TRING_PACKET_NO_CONTEXT
 *	s32 pid		if the context says so; else that of the record before
 *	u8 flags, u8 preempt_count	if the context is full
 *	length		of the fields: none, u16 or u32
 *	fields		as in ftrace's format file from offset 8 on
 *
 * Little endian has the type in the word's low bits, big endian in the high
 * bits, because CTF readers take bit-fields from the least significant bit of a
 * little endian word and from the most significant bit of a big endian one.
 */
#define TRING_STAMP_BITS		27
#define TRING_TYPE_BITS			5
#define TRING_TYPE_MASK			((1u << TRING_TYPE_BITS) - 1)

/* 0 is no type: zeroes are no record. */
#define TRING_TYPE_SHORT_MIN		1	/* 1..28: the type is the event */
#define TRING_TYPE_SHORT_MAX		28
#define TRING_TYPE_DISCARDED		29	/* taken back; u32 length */
#define TRING_TYPE_LONG			30	/* u16 id, u32 length */
#define TRING_TYPE_EXTENDED		31	/* likewise, and a full timestamp */

/* In tring_packet_header::lengths: a u16 length precedes the fields. */
#define TRING_LENGTH_VARIES		255
/* Longest fields that a length there can say. */
#define TRING_LENGTH_FIXED_MAX		254

/* So that no number of a CTF event class means two things. */
#define TRING_LONG_ID_BASE		TRING_TYPES
#define TRING_ID_MAX			(0xffff - TRING_LONG_ID_BASE)

/*
 * The context byte. Flags that it has no bit for, NEED_RESCHED and
 * PREEMPT_RESCHED apart, or a preempt count of 7 and more: it is full, both
 * follow in ftrace's own encoding, and so does the pid.
 */
#define TRING_CONTEXT_IRQS_OFF		0x01
#define TRING_CONTEXT_HAS_PID		0x02
#define TRING_CONTEXT_NEED_RESCHED	0x04
#define TRING_CONTEXT_HARDIRQ		0x08
#define TRING_CONTEXT_SOFTIRQ		0x10
#define TRING_CONTEXT_PREEMPT_SHIFT	5
#define TRING_CONTEXT_PREEMPT_MAX	6
#define TRING_CONTEXT_FULL		(7 << TRING_CONTEXT_PREEMPT_SHIFT)
#define TRING_CONTEXT_FLAGS		0x1d

/* Of trace_entry's flags: the two that come together. */
#define TRING_FLAGS_RESCHED		0x24

#define TRING_WORD_SIZE			4
#define TRING_STAMP_SIZE		8
#define TRING_ID_SIZE			2
#define TRING_PID_SIZE			4
#define TRING_FULL_SIZE			2
#define TRING_SHORT_LENGTH_SIZE		2
#define TRING_LONG_LENGTH_SIZE		4
/* What precedes the fields at most. */
#define TRING_RECORD_HEAD_MAX		(TRING_WORD_SIZE + TRING_STAMP_SIZE + TRING_ID_SIZE + 1 + \
					 TRING_PID_SIZE + TRING_FULL_SIZE + \
					 TRING_LONG_LENGTH_SIZE)

/*
 * A payload is what ftrace would have recorded: struct trace_entry (u16 id, u8
 * flags, u8 preempt_count, s32 pid) and the fields. Of the first a record has
 * what is above instead. There are never fewer fields than a discarded record
 * needs to say its length.
 */
#define TRING_PAYLOAD_HEAD		8
#define TRING_FIELDS_MIN		4
#define TRING_PAYLOAD_MIN		(TRING_PAYLOAD_HEAD + TRING_FIELDS_MIN)

#ifdef __KERNEL__
static_assert(sizeof(struct tring_packet_header) == TRING_PACKET_HEADER_SIZE);
#else
_Static_assert(sizeof(struct tring_packet_header) == TRING_PACKET_HEADER_SIZE,
	       "no padding in a packet header");
#endif

/**
 * tring_stamp_mask - the bits that a compact timestamp keeps
 * @bits: width of the compact timestamp, 1..63
 */
static inline __u64 tring_stamp_mask(unsigned int bits)
{
	return ((__u64)1 << bits) - 1;
}

/**
 * tring_stamp_is_compact - may this record carry a compact timestamp?
 * @stamp: full timestamp of the record
 * @previous: full timestamp of the record before it in the stream, or of any
 *	still earlier one: an older value only makes the answer "no" more often
 * @bits: width of the compact timestamp
 *
 * "At most one overflow of the low bits" would not do: a difference of exactly
 * 2^bits has the same low bits as no difference at all. A clock that went
 * backwards gives a huge unsigned difference and so takes the full timestamp.
 */
static inline bool tring_stamp_is_compact(__u64 stamp, __u64 previous,
					  unsigned int bits)
{
	return stamp - previous <= tring_stamp_mask(bits);
}

/**
 * tring_stamp_rebuild - full timestamp from a compact one
 * @previous: full timestamp of the record before, timestamp_begin for the first
 * @compact: the low @bits bits of the timestamp
 * @bits: width of the compact timestamp
 *
 * This is CTF 1.8's clock update rule: fewer low bits than before means that
 * they wrapped exactly once.
 */
static inline __u64 tring_stamp_rebuild(__u64 previous, __u64 compact,
					unsigned int bits)
{
	__u64 mask = tring_stamp_mask(bits);
	__u64 stamp = (previous & ~mask) + (compact & mask);

	if ((compact & mask) < (previous & mask))
		stamp += mask + 1;
	return stamp;
}

/**
 * tring_header_pack - record header word
 * @stamp: timestamp, of which the low TRING_STAMP_BITS bits are kept
 * @type: 0..31
 * @big_endian: byte order of the stream
 */
static inline __u32 tring_header_pack(__u64 stamp, unsigned int type,
				      bool big_endian)
{
	__u32 low = (__u32)stamp & (__u32)tring_stamp_mask(TRING_STAMP_BITS);

	if (big_endian)
		return ((__u32)type << TRING_STAMP_BITS) | low;
	/* the shift drops the high bits, no mask needed */
	return ((__u32)stamp << TRING_TYPE_BITS) | type;
}

/**
 * tring_header_type - type of a record header word
 * @word: the word, as a number in the stream's byte order
 * @big_endian: byte order of the stream
 */
static inline unsigned int tring_header_type(__u32 word, bool big_endian)
{
	return big_endian ? word >> TRING_STAMP_BITS : word & TRING_TYPE_MASK;
}

/**
 * tring_header_stamp - compact timestamp of a record header word
 * @word: the word, as a number in the stream's byte order
 * @big_endian: byte order of the stream
 */
static inline __u32 tring_header_stamp(__u32 word, bool big_endian)
{
	return big_endian ? word & (__u32)tring_stamp_mask(TRING_STAMP_BITS) :
			    word >> TRING_TYPE_BITS;
}

/**
 * tring_context_pack - the context byte, but for TRING_CONTEXT_HAS_PID
 * @flags: of struct trace_entry
 * @preempt_count: of struct trace_entry
 *
 * Return: TRING_CONTEXT_FULL if a byte cannot say it.
 */
static inline __u8 tring_context_pack(__u8 flags, __u8 preempt_count)
{
	__u8 resched = flags & TRING_FLAGS_RESCHED;

	if (flags & ~(TRING_CONTEXT_FLAGS | TRING_FLAGS_RESCHED) ||
	    (resched && resched != TRING_FLAGS_RESCHED) ||
	    preempt_count > TRING_CONTEXT_PREEMPT_MAX)
		return TRING_CONTEXT_FULL;
	return (flags & TRING_CONTEXT_FLAGS) |
	       preempt_count << TRING_CONTEXT_PREEMPT_SHIFT;
}

/**
 * tring_context_is_full - do flags and preempt count follow?
 * @context: the context byte
 */
static inline bool tring_context_is_full(__u8 context)
{
	return context >= TRING_CONTEXT_FULL;
}

/**
 * tring_context_flags - flags of struct trace_entry
 * @context: a context byte that is not full
 */
static inline __u8 tring_context_flags(__u8 context)
{
	/* NEED_RESCHED stands for both */
	return (context & TRING_CONTEXT_FLAGS) |
	       (context & TRING_CONTEXT_NEED_RESCHED) << 3;
}

/**
 * tring_context_preempt_count - preempt_count of struct trace_entry
 * @context: a context byte that is not full
 */
static inline __u8 tring_context_preempt_count(__u8 context)
{
	return context >> TRING_CONTEXT_PREEMPT_SHIFT;
}

/**
 * tring_context_size - bytes from the context byte to the length
 * @context: the context byte
 */
static inline unsigned int tring_context_size(__u8 context)
{
	return 1 + (context & TRING_CONTEXT_HAS_PID ? TRING_PID_SIZE : 0) +
	       (tring_context_is_full(context) ? TRING_FULL_SIZE : 0);
}

/**
 * tring_context_offset - bytes before the context byte
 * @type: of the record
 */
static inline unsigned int tring_context_offset(unsigned int type)
{
	if (type == TRING_TYPE_EXTENDED)
		return TRING_WORD_SIZE + TRING_STAMP_SIZE + TRING_ID_SIZE;
	return type == TRING_TYPE_LONG ? TRING_WORD_SIZE + TRING_ID_SIZE :
					 TRING_WORD_SIZE;
}

/**
 * tring_length_size - bytes of the length before the fields
 * @type: of the record
 * @varies: of a short type: the packet's header says TRING_LENGTH_VARIES
 */
static inline unsigned int tring_length_size(unsigned int type, bool varies)
{
	if (type > TRING_TYPE_SHORT_MAX)
		return TRING_LONG_LENGTH_SIZE;
	return varies ? TRING_SHORT_LENGTH_SIZE : 0;
}

/**
 * tring_type_is_short - is the type an event's short id?
 * @type: of a record
 */
static inline bool tring_type_is_short(unsigned int type)
{
	return type >= TRING_TYPE_SHORT_MIN && type <= TRING_TYPE_SHORT_MAX;
}

#endif /* _UAPI_TRING_FORMAT_H */
