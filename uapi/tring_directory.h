/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The directory of a trace: pages in the kernel's memory by which a reader of a memory image
 * finds the rings, without symbols and without page tables. The kernel writes them where
 * rings are made, emptied and removed, and never while events are recorded.
 *
 * One page stands for a trace, one for each memory of a ring of that trace, and as many more
 * as that memory's table of pages takes. Each page is aligned to the machine's pages, begins
 * with struct tring_directory_head and names its own physical address: a copy of it, in the
 * page cache for example, does not lie there. The kernel clears the magic number before it
 * frees a page.
 *
 * Behind each page lies a copy of it, because one of them may be damaged. Its magic number is
 * another one, and it names its own addresses.
 *
 * All numbers have the byte order of the machine; the magic numbers tell it. docs/blackbox.md
 * describes how a reader goes by them.
 */
#ifndef _UAPI_TRING_DIRECTORY_H
#define _UAPI_TRING_DIRECTORY_H

#include <linux/types.h>

#include "tring_format.h"

/* Raised by every change after which an old reader could misread a directory. */
#define TRING_DIRECTORY_VERSION		1

/* What a page is: the first eight bytes. */
#define TRING_DIRECTORY_TRACE		0x8a7472694e675401ull
#define TRING_DIRECTORY_MEMORY		0x8a7472694e674d01ull
#define TRING_DIRECTORY_TABLE		0x8a7472694e675001ull
#define TRING_DIRECTORY_REGION		0x8a7472694e675201ull
/* Set in the magic number of a page's copy. */
#define TRING_DIRECTORY_COPY		0x80ull

/**
 * struct tring_directory_head - the beginning of each page of a directory
 * @magic: what the page is
 * @physical: physical address of the page
 * @virtual: address of the page in the kernel. The kernel's address of whatever else the
 *	directory leads to, less this one, is the physical one less @physical
 * @key: a random number, the same on all pages of a directory
 * @version: TRING_DIRECTORY_VERSION
 * @size: bytes of the page that have a meaning
 * @checksum: tring_directory_checksum() of those bytes behind the head
 */
struct tring_directory_head {
	__u64	magic;
	__u64	physical;
	__u64	virtual;
	__u64	key;
	__u32	version;
	__u32	size;
	__u64	checksum;
};

/**
 * struct tring_directory_array - memory that is contiguous in the kernel's addresses only
 * @table: physical address of the first struct tring_directory_table; 0: there is no array
 * @size: bytes
 * @offset: bytes of its first page that lie before it
 */
struct tring_directory_array {
	__u64	table;
	__u64	size;
	__u64	offset;
};

/**
 * struct tring_directory_table - the pages of an array, and some that its size may grow into
 * @head: its beginning
 * @next: physical address of the table with the pages that follow; 0: none do
 * @nr_pages: number of @pages
 * @pages: physical addresses
 */
struct tring_directory_table {
	struct tring_directory_head head;
	__u64	next;
	__u64	nr_pages;
	__u64	pages[];
};

/**
 * enum tring_directory_clock - source of a trace's timestamps
 * @TRING_DIRECTORY_MONO: CLOCK_MONOTONIC
 * @TRING_DIRECTORY_TSC: the x86 time stamp counter
 * @TRING_DIRECTORY_BOOT: CLOCK_BOOTTIME
 * @TRING_DIRECTORY_TAI: CLOCK_TAI
 */
enum tring_directory_clock {
	TRING_DIRECTORY_MONO,
	TRING_DIRECTORY_TSC,
	TRING_DIRECTORY_BOOT,
	TRING_DIRECTORY_TAI
};

/* Bytes of the texts in a directory, the zero at the end included. */
#define TRING_DIRECTORY_TEXT		65

/**
 * struct tring_directory_trace - a trace
 * @head: its beginning
 * @uuid: of the trace, as in its packets
 * @boot_id: random, the same for all traces of a boot of the module
 * @clock_frequency: ticks in a second
 * @clock_at: the clock when the trace began
 * @real_at: the wall clock at that time, in ns since 1970
 * @cpus: number of possible CPUs
 * @page_size: bytes of a page, which all of the directory's pages have
 * @tick_frequency: CONFIG_HZ
 * @clock: an enum tring_directory_clock
 * @short_ids: ftrace's id by short type; 0 for a type that is free
 * @lengths: bytes of fields by short type, as in packet headers
 * @blob: what user space has left there, to decode the trace by
 * @host: the machine's name
 * @release: of the kernel
 * @version: of the module
 */
struct tring_directory_trace {
	struct tring_directory_head head;
	__u8	uuid[TRING_UUID_SIZE];
	__u8	boot_id[TRING_UUID_SIZE];
	__u64	clock_frequency;
	__u64	clock_at;
	__u64	real_at;
	__u32	cpus;
	__u32	page_size;
	__u32	tick_frequency;
	__u32	clock;
	__u16	short_ids[TRING_TYPES];
	__u8	lengths[TRING_TYPES];
	struct tring_directory_array blob;
	char	host[TRING_DIRECTORY_TEXT];
	char	release[TRING_DIRECTORY_TEXT];
	char	version[TRING_DIRECTORY_TEXT];
};

/**
 * enum tring_directory_word - words of a ring that change while it records
 * @TRING_WORD_WRITE: position of the writer: bits 0..61 are the byte in the stream of the
 *	packets of one memory, and bit 62 is that memory's generation
 * @TRING_WORD_LAST_TS: stamp of the last record or an older one; bit 63 is a flag
 * @TRING_WORD_BEFORE_TS: another such stamp. The later one is no earlier than any record's
 * @TRING_WORD_LOST: events of this trace that the ring refused
 * @TRING_WORD_LOST_BEFORE: events that were overwritten in memories that have left the
 *	stream in which this memory is. Live packets and the snapshot are two streams
 * @TRING_WORD_OVERWRITTEN: events that were overwritten in this memory
 * @TRING_WORD_RESERVED: records since the ring was made
 * @TRING_WORD_COMMITTED: events in delivered packets since the ring was made
 * @TRING_WORD_DISCARDED: records given up since the ring was made
 * @TRING_WORDS: number of words
 */
enum tring_directory_word {
	TRING_WORD_WRITE,
	TRING_WORD_LAST_TS,
	TRING_WORD_BEFORE_TS,
	TRING_WORD_LOST,
	TRING_WORD_LOST_BEFORE,
	TRING_WORD_OVERWRITTEN,
	TRING_WORD_RESERVED,
	TRING_WORD_COMMITTED,
	TRING_WORD_DISCARDED,
	TRING_WORDS
};

/*
 * A slot's word: state in bits 0..1, index of the sub-buffer that lies in the slot in bits
 * 2..24, and the low 39 bits of the packet's number, from 0 in each memory, above them.
 */
#define TRING_DIRECTORY_SLOT_FREE	0	/* nothing unread in it */
#define TRING_DIRECTORY_SLOT_OPEN	1	/* the packet is being written */
#define TRING_DIRECTORY_SLOT_DELIVERED	2	/* complete and unread */
#define TRING_DIRECTORY_INDEX_SHIFT	2
#define TRING_DIRECTORY_INDEX_BITS	23
#define TRING_DIRECTORY_NUMBER_SHIFT	25

/* TRING_WORD_WRITE. */
#define TRING_DIRECTORY_POSITION_BITS	62

/**
 * struct tring_directory_memory - slots and sub-buffers of one CPU's ring
 * @head: its beginning
 * @trace: physical address of struct tring_directory_trace
 * @cpu: of the ring
 * @generation: of the positions in this memory
 * @nr_subbufs: number of slots; there is one sub-buffer more
 * @subbuf_size: bytes of a sub-buffer
 * @arrays: slots, a 64 bit word each, and sub-buffers
 * @subbufs: offset of the first sub-buffer's description in @arrays
 * @stride: bytes from one such description to the next
 * @commits: offset of a sub-buffer's commits in its description, a long: 2^32 times the bytes
 *	of the sub-buffer behind the packet's header that are not committed, less one, plus the
 *	committed events. Negative: all bytes are committed
 * @start: offset of the position of the packet, a long
 * @data: offset of the kernel's address of the packet; 0 or of freed pages if the sub-buffer
 *	lies in no slot, or in a free one
 * @events: offset of the events of a delivered packet, a long
 * @bytes: offset of the bytes of a closed packet up to its last record, a u32
 * @reserved: zero; a reader ignores it
 * @words: physical address by enum tring_directory_word, of 64 bits each
 * @saved: the words' values at a panic
 * @is_saved: not 0: @saved is valid
 */
struct tring_directory_memory {
	struct tring_directory_head head;
	__u64	trace;
	__u32	cpu;
	__u32	generation;
	__u64	nr_subbufs;
	__u64	subbuf_size;
	struct tring_directory_array arrays;
	__u64	subbufs;
	__u16	stride;
	__u16	commits;
	__u16	start;
	__u16	data;
	__u16	events;
	__u16	bytes;
	__u32	reserved;
	__u64	words[TRING_WORDS];
	/* What follows is not in the checksum. */
	__u64	saved[TRING_WORDS];
	__u64	is_saved;
};

/**
 * struct tring_directory_region - the first page of memory that outlives the kernel
 * @head: its beginning
 * @size: bytes of this memory, the same in the copy of this page
 * @turn: number of the boot of the module that has recorded here, from 1 on, counted in
 *	this region
 * @state: an enum tring_directory_state
 * @flushed: not 0: a panic has written the caches back
 *
 * @state and @flushed are not in the checksum.
 */
struct tring_directory_region {
	struct tring_directory_head head;
	__u64	size;
	__u64	turn;
	/* What follows is not in the checksum. */
	__u32	state;
	__u32	flushed;
};

/**
 * enum tring_directory_state - what a region holds
 * @TRING_REGION_EMPTY: nothing
 * @TRING_REGION_USED: rings
 * @TRING_REGION_SALVAGED: rings that user space has read after the crash
 */
enum tring_directory_state {
	TRING_REGION_EMPTY,
	TRING_REGION_USED,
	TRING_REGION_SALVAGED
};

/**
 * tring_directory_checksum - FNV-1a, of 64 bits
 * @data: the bytes
 * @size: their number
 */
static inline __u64 tring_directory_checksum(const void *data, __u64 size)
{
	const __u8 *byte = data;
	__u64 sum = 0xcbf29ce484222325ull;

	while (size--)
		sum = (sum ^ *byte++) * 0x100000001b3ull;
	return sum;
}

#endif /* _UAPI_TRING_DIRECTORY_H */
