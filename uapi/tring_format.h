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
#define TRING_FORMAT_VERSION		1

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

/**
 * struct tring_packet_header - the first 64 bytes of every packet
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
};

#define TRING_PACKET_HEADER_SIZE	64

/*
 * Record header word: 27 bits of timestamp and a 5-bit type_len. Little endian
 * has type_len in the low bits, big endian in the high bits, because CTF
 * readers take bit-fields from the least significant bit of a little endian
 * word and from the most significant bit of a big endian one.
 */
#define TRING_STAMP_BITS		27
#define TRING_TYPE_BITS			5
#define TRING_TYPE_MASK			((1u << TRING_TYPE_BITS) - 1)

#define TRING_TYPE_BYTES		0	/* u32 length follows */
#define TRING_TYPE_WORDS_MAX		28	/* 1..28: payload in words */
#define TRING_TYPE_EXTENDED		31	/* u32 length, u64 timestamp */

#define TRING_RECORD_ALIGN		4
#define TRING_HEADER_WORDS_SIZE		4
#define TRING_HEADER_BYTES_SIZE		8
#define TRING_HEADER_EXTENDED_SIZE	16

#define TRING_WORDS_PAYLOAD_MAX		(TRING_TYPE_WORDS_MAX * 4)

/*
 * A payload opens with ftrace's struct trace_entry: u16 id, u8 flags,
 * u8 preempt_count, s32 pid. It is never smaller than what a discarded record
 * turns into: id TRING_ID_DISCARDED, u32 skip at payload offset 8, then skip
 * bytes of which the first, if there is one, is zeroed.
 */
#define TRING_PAYLOAD_MIN		12
#define TRING_ID_DISCARDED		0
#define TRING_SKIP_OFFSET		8
#define TRING_SKIPPED_OFFSET		12

#ifdef __KERNEL__
static_assert(sizeof(struct tring_packet_header) == TRING_PACKET_HEADER_SIZE);
#else
_Static_assert(sizeof(struct tring_packet_header) == TRING_PACKET_HEADER_SIZE,
	       "a packet header is one cache line");
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
 * @type_len: 0..31
 * @big_endian: byte order of the stream
 */
static inline __u32 tring_header_pack(__u64 stamp, unsigned int type_len,
				      bool big_endian)
{
	__u32 low = (__u32)stamp & (__u32)tring_stamp_mask(TRING_STAMP_BITS);

	if (big_endian)
		return ((__u32)type_len << TRING_STAMP_BITS) | low;
	/* the shift drops the high bits, no mask needed */
	return ((__u32)stamp << TRING_TYPE_BITS) | type_len;
}

/**
 * tring_header_type - type_len of a record header word
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
 * tring_header_size - bytes before the payload
 * @length: exact payload length
 * @compact: as tring_stamp_is_compact() says
 */
static inline unsigned int tring_header_size(__u32 length, bool compact)
{
	if (!compact)
		return TRING_HEADER_EXTENDED_SIZE;
	return length <= TRING_WORDS_PAYLOAD_MAX ? TRING_HEADER_WORDS_SIZE :
						   TRING_HEADER_BYTES_SIZE;
}

/**
 * tring_header_type_for - type_len that a record gets
 * @length: exact payload length
 * @compact: as tring_stamp_is_compact() says
 */
static inline unsigned int tring_header_type_for(__u32 length, bool compact)
{
	if (!compact)
		return TRING_TYPE_EXTENDED;
	return length <= TRING_WORDS_PAYLOAD_MAX ? (length + 3) / 4 :
						   TRING_TYPE_BYTES;
}

/**
 * tring_record_align - where the next record starts
 * @offset: exact end of the record before it
 */
static inline __u64 tring_record_align(__u64 offset)
{
	return (offset + TRING_RECORD_ALIGN - 1) &
	       ~(__u64)(TRING_RECORD_ALIGN - 1);
}

#endif /* _UAPI_TRING_FORMAT_H */
