/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The tring wire format: constants, the packet header, and pure functions that
 * the kernel, its tests and the reader share. uapi/format.md describes the
 * format and has a hex dump of the golden packets; change both in one commit.
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

/* Raised by every change after which an old reader could misread a packet. */
#define TRING_FORMAT_VERSION		4

/* The packet magic of CTF 1.8: a packet stream is a CTF stream. */
#define TRING_PACKET_MAGIC		0xC1FC1FC1u
#define TRING_UUID_SIZE			16

/* Byte order of the machine that runs this code. A packet's magic tells the packet's. */
#ifdef __KERNEL__
#ifdef __BIG_ENDIAN
#define TRING_HOST_BIG_ENDIAN		true
#else
#define TRING_HOST_BIG_ENDIAN		false
#endif
#else
#define TRING_HOST_BIG_ENDIAN		(__BYTE_ORDER == __BIG_ENDIAN)
#endif

/* Number of values that a record word's type can have. */
#define TRING_TYPES			32

/**
 * struct tring_packet_header - the first 112 bytes of every packet
 * @magic: TRING_PACKET_MAGIC in the writer's byte order
 * @uuid: identifies the trace that the packet belongs to
 * @lengths: by a record's type: bytes of fields of each record of that type;
 *	TRING_LENGTH_VARIES if each record has its own length; 0 if no record of
 *	the packet has that type, and for every type that is not short
 * @version: TRING_FORMAT_VERSION
 * @reserved: zero; a reader ignores it
 * @timestamp_begin: full clock value at the first reservation; the reference of
 *	the first record's compact timestamp
 * @timestamp_end: full clock value at the last reservation in the packet
 * @content_size: bits from the packet's start to the exact, unrounded end of
 *	the last record; 0 from the time at which the first writer enters the
 *	packet until it is closed and has no open record
 * @packet_size: bits from the packet's start to the next packet's start
 * @packet_seq_num: number of the packet in its stream, from 0 in each trace
 * @events_discarded: events lost in this stream and trace until the packet was closed,
 *	refused and overwritten ones together; never decreases
 * @cpu_id: CPU that wrote the packet; 64 bits, so that the header has no hole
 *	and ends on a multiple of 8
 *
 * CTF readers see @magic and @uuid, and the fields from @timestamp_begin on.
 * The 44 bytes between are padding to them: no viewer prints them.
 */
struct tring_packet_header {
	__u32	magic;
	__u8	uuid[TRING_UUID_SIZE];
	__u8	lengths[TRING_TYPES];
	__u8	version;
	__u8	reserved[11];
	__u64	timestamp_begin;
	__u64	timestamp_end;
	__u32	content_size;
	__u32	packet_size;
	__u64	packet_seq_num;
	__u64	events_discarded;
	__u64	cpu_id;
};

#define TRING_PACKET_HEADER_SIZE	112

/*
 * A record, which may begin at any byte:
 *
 *	u32 word	27 bits of timestamp, 5 bits of type
 *	u64 timestamp	extended records only
 *	u16 id		long and extended records only: ftrace's id +
 *			TRING_LONG_ID_BASE, or TRING_TYPE_DISCARDED
 *	u8 context	TRING_CONTEXT_*
 *	s32 pid		if TRING_CONTEXT_HAS_PID; else the previous record's pid
 *	u8 flags, u8 preempt_count	if the context is TRING_CONTEXT_FULL
 *	length		of the fields: none, u16 or u32, by the type
 *	fields		as in ftrace's format file from offset 8 on
 *
 * The type is in the low bits of a little endian word and in the high bits of a
 * big endian word, because CTF readers fill bit-fields in that order.
 */
#define TRING_STAMP_BITS		27
#define TRING_TYPE_BITS			5
#define TRING_TYPE_MASK			((1u << TRING_TYPE_BITS) - 1)

/* No record has type 0, so zeroed bytes are not taken for records. */
#define TRING_TYPE_SHORT_MIN		1	/* 1..28: the type stands for an event */
#define TRING_TYPE_SHORT_MAX		28
#define TRING_TYPE_DISCARDED		29	/* u32 length */
#define TRING_TYPE_LONG			30	/* u16 id, u32 length */
#define TRING_TYPE_EXTENDED		31	/* full timestamp, u16 id, u32 length */

/* Value in tring_packet_header::lengths: a u16 length precedes the fields. */
#define TRING_LENGTH_VARIES		255
/* Largest length of fields in tring_packet_header::lengths. */
#define TRING_LENGTH_FIXED_MAX		254

/* Keeps the ids of CTF event classes apart from short types, which are ids too. */
#define TRING_LONG_ID_BASE		TRING_TYPES
#define TRING_ID_MAX			(0xffff - TRING_LONG_ID_BASE)

/*
 * The context byte. It is TRING_CONTEXT_FULL if the flags have a bit that it has
 * no room for, or if the preempt count is 7 or more. Then the pid, the flags and
 * the preempt count follow in ftrace's own encoding.
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

/* NEED_RESCHED and PREEMPT_RESCHED in trace_entry's flags: set together as a rule. */
#define TRING_FLAGS_RESCHED		0x24

#define TRING_WORD_SIZE			4
#define TRING_STAMP_SIZE		8
#define TRING_ID_SIZE			2
#define TRING_PID_SIZE			4
#define TRING_FULL_SIZE			2
#define TRING_SHORT_LENGTH_SIZE		2
#define TRING_LONG_LENGTH_SIZE		4
/* Largest number of bytes before the fields. */
#define TRING_RECORD_HEAD_MAX		(TRING_WORD_SIZE + TRING_STAMP_SIZE + TRING_ID_SIZE + 1 + \
					 TRING_PID_SIZE + TRING_FULL_SIZE + \
					 TRING_LONG_LENGTH_SIZE)

/*
 * A payload is what ftrace would have recorded: struct trace_entry (u16 id, u8
 * flags, u8 preempt_count, s32 pid) and the fields. A record encodes struct
 * trace_entry as above. The fields have at least 4 bytes, because a discarded
 * record keeps its u32 length there.
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
 * tring_stamp_mask - mask of a compact timestamp's bits
 * @bits: width of the compact timestamp, 1..63
 */
static inline __u64 tring_stamp_mask(unsigned int bits)
{
	return ((__u64)1 << bits) - 1;
}

/**
 * tring_stamp_is_compact - check whether a record may have a compact timestamp
 * @stamp: full timestamp of the record
 * @previous: full timestamp of the previous record in the stream, or of an
 *	earlier one; an older value only makes the answer "no" more often
 * @bits: width of the compact timestamp
 *
 * "The low bits overflow at most once" is not sufficient: a difference of exactly
 * 2^bits has the same low bits as no difference. If the clock went backwards the
 * unsigned difference is huge, so the record takes the full timestamp.
 */
static inline bool tring_stamp_is_compact(__u64 stamp, __u64 previous,
					  unsigned int bits)
{
	return stamp - previous <= tring_stamp_mask(bits);
}

/**
 * tring_stamp_rebuild - full timestamp from a compact one
 * @previous: full timestamp of the previous record; timestamp_begin for the first
 * @compact: the low @bits bits of the timestamp
 * @bits: width of the compact timestamp
 *
 * This is the clock update rule of CTF 1.8: if the low bits are less than the
 * previous ones, they wrapped exactly once.
 */
static inline __u64 tring_stamp_rebuild(__u64 previous, __u64 compact,
					unsigned int bits)
{
	return previous + ((compact - previous) & tring_stamp_mask(bits));
}

/**
 * tring_header_pack - make a record's word
 * @stamp: timestamp; the low TRING_STAMP_BITS bits are kept
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
 * tring_header_type - type in a record's word
 * @word: the word, as a number in the stream's byte order
 * @big_endian: byte order of the stream
 */
static inline unsigned int tring_header_type(__u32 word, bool big_endian)
{
	return big_endian ? word >> TRING_STAMP_BITS : word & TRING_TYPE_MASK;
}

/**
 * tring_header_stamp - compact timestamp in a record's word
 * @word: the word, as a number in the stream's byte order
 * @big_endian: byte order of the stream
 */
static inline __u32 tring_header_stamp(__u32 word, bool big_endian)
{
	return big_endian ? word & (__u32)tring_stamp_mask(TRING_STAMP_BITS) :
			    word >> TRING_TYPE_BITS;
}

/**
 * tring_context_pack - make a context byte without TRING_CONTEXT_HAS_PID
 * @flags: flags of struct trace_entry
 * @preempt_count: preempt_count of struct trace_entry
 *
 * Return: the byte; TRING_CONTEXT_FULL if it cannot hold both values.
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
 * tring_context_is_full - check whether flags and preempt count follow the pid
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
	/* NEED_RESCHED stands for PREEMPT_RESCHED, too */
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
 * tring_context_size - size of the context byte and what it announces
 * @context: the context byte
 */
static inline unsigned int tring_context_size(__u8 context)
{
	return 1 + (context & TRING_CONTEXT_HAS_PID ? TRING_PID_SIZE : 0) +
	       (tring_context_is_full(context) ? TRING_FULL_SIZE : 0);
}

/**
 * tring_context_offset - offset of the context byte in a record
 * @type: type of the record
 */
static inline unsigned int tring_context_offset(unsigned int type)
{
	if (type < TRING_TYPE_LONG)
		return TRING_WORD_SIZE;
	return TRING_WORD_SIZE + TRING_ID_SIZE +
	       (type == TRING_TYPE_EXTENDED ? TRING_STAMP_SIZE : 0);
}

/**
 * tring_length_size - size of the length that precedes the fields
 * @type: type of the record
 * @varies: for a short type: the packet's header has TRING_LENGTH_VARIES
 */
static inline unsigned int tring_length_size(unsigned int type, bool varies)
{
	if (type > TRING_TYPE_SHORT_MAX)
		return TRING_LONG_LENGTH_SIZE;
	return varies ? TRING_SHORT_LENGTH_SIZE : 0;
}

/**
 * tring_type_is_short - check whether a type stands for an event
 * @type: type of a record
 */
static inline bool tring_type_is_short(unsigned int type)
{
	return type >= TRING_TYPE_SHORT_MIN && type <= TRING_TYPE_SHORT_MAX;
}

#endif /* _UAPI_TRING_FORMAT_H */
