/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tring ring buffers: what the rest of the module may know of them. The fast
 * path is in ring/fast.h, the theory of operation at the top of ring.c.
 *
 * Concurrency matrix: may the row run at the same time as the column?
 *
 *                    writer  writer  reader  peek   flush  stats  switch  clock
 *                    same    other
 *                    CPU     CPU
 *   writer           nested  yes     yes     yes    nested yes    nested  drained
 *   reader, a stream yes     yes     EBUSY   mutex  yes    mutex  yes     EBUSY
 *   peek             yes     yes     mutex   mutex  mutex  mutex  yes     mutex
 *   flush            nested  yes     yes     mutex  nested yes    mutex   mutex
 *   stats            yes     yes     mutex   mutex  mutex  mutex  mutex   mutex
 *   switch           nested  yes     yes     yes    mutex  mutex  mutex   mutex
 *   clock            drained drained EBUSY   mutex  mutex  mutex  mutex   mutex
 *
 * "nested": interrupts it on the same CPU, at any instruction. "mutex": one
 * waits for the other, which is short. "drained": recording is off and a grace
 * period has passed. "EBUSY": the second one is told so. "switch" is what
 * resize, sub-buffer size and snapshot do: give a ring other memory. "clock" is all
 * that begins a new trace: another clock, or records with a context or without.
 * Destroying a buffer excludes all; its caller sees to that.
 */
#ifndef _TRING_RING_H
#define _TRING_RING_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/cache.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <asm/local.h>

#include "clock.h"
#include "record.h"
#include "tring_format.h"

#define TRING_SUBBUF_SIZE_MIN	PAGE_SIZE
#define TRING_SUBBUF_SIZE_MAX	(4UL << 20)
/*
 * What a packet's header and going on to the next one cost is spread over some
 * hundred events; pages of this order are there even where memory is in pieces.
 */
#define TRING_SUBBUF_SIZE_DEFAULT	(16UL << 10)
#define TRING_SUBBUFS_MIN	2UL
#define TRING_SUBBUFS_MAX	BIT(22)
#define TRING_BUFFER_SIZE_DEFAULT	(1408UL << 10)

/* Contexts that may nest on one CPU: task, softirq, irq, NMI; twice over. */
#define TRING_NESTING_MAX	8
/* A reservation that other writers keep disturbing gives up after these. */
#define TRING_RETRIES_MAX	16

/* So that the sign tells who is alone in the ring from who has interrupted another. */
#define TRING_NESTING_IDLE	(-2L)

/* In tring_subbuf::commits the lower half counts events, the upper half bytes. */
#define TRING_COMMITS_SHIFT	32

/* last_pid: the next record must say its pid. Below is a token, see ring.c. */
#define TRING_PID_UNKNOWN	BIT(31)

/**
 * enum tring_refusal - why a reservation was turned away
 * @TRING_REFUSED_NO_ROOM: all sub-buffers are full and overwrite is off
 * @TRING_REFUSED_OPEN_COMMIT: the ring wrapped onto a sub-buffer in which a
 *	writer that is interrupted right now has yet to commit
 * @TRING_REFUSED_TOO_LARGE: longer than a sub-buffer can hold
 * @TRING_REFUSED_RETRIES: nested writers won TRING_RETRIES_MAX times
 * @TRING_REFUSED_NESTED: nested too deep, or an event of the ring's own clock
 *	while an outer reservation of that context retries
 * @TRING_REFUSED_STOPPED: TRING_WARN_ON() stopped this CPU's ring
 * @TRING_REFUSED_NO_MEMORY: this CPU's sub-buffers are not allocated, or are
 *	being emptied for another trace
 * @TRING_REFUSED_OFF: recording is off; asked for, so no loss
 * @TRING_REFUSALS: how many reasons there are
 */
enum tring_refusal {
	TRING_REFUSED_NO_ROOM,
	TRING_REFUSED_OPEN_COMMIT,
	TRING_REFUSED_TOO_LARGE,
	TRING_REFUSED_RETRIES,
	TRING_REFUSED_NESTED,
	TRING_REFUSED_STOPPED,
	TRING_REFUSED_NO_MEMORY,
	TRING_REFUSED_OFF,
	TRING_REFUSALS
};

/* What of a position is the offset; see ring/internal.h. */
#define TRING_POSITION_BITS	61
/* Two bits of a position: more than two generations are never in use at once. */
#define TRING_GENERATIONS	4

/**
 * enum tring_stream_kind - the streams of packets that a CPU's ring has
 * @TRING_LIVE: what is recorded
 * @TRING_SNAPSHOT: what tring_buffer_snapshot() took aside
 * @TRING_STREAMS: how many there are
 */
enum tring_stream_kind {
	TRING_LIVE,
	TRING_SNAPSHOT,
	TRING_STREAMS
};

struct tring_buffer;
struct tring_cpu_buffer;
struct tring_memory;

/**
 * struct tring_subbuf - one sub-buffer
 * @start: position of the first byte of the packet that was entered here last,
 *	which a writer that has just entered may not have set yet
 * @commits: of the packet that is being written. In the upper half the bytes still
 *	to be committed, less one: negative when it is entered, closed and nothing
 *	in it is open, so that the hot path has the answer in the flags of the
 *	addition. In the lower half the events committed. See tring_commits()
 * @data: the packet; NULL if nothing will ever be written here again
 * @events: events in the packet, once delivered
 * @bytes: likewise its content, header included
 * @lost: events overwritten before it in its stream, once taken
 * @index: of this structure in tring_memory::subbufs
 * @memory: that it is in
 * @slot: that it is in; who puts it there says so before
 *
 * Only the CPU that owns the ring writes the first two.
 */
struct tring_subbuf {
	local_t		start;
	local_t		commits;
	void		*data;
	unsigned long	events;
	unsigned int	bytes;
	unsigned int	index;
	u64		lost;
	struct tring_memory *memory;
	atomic64_t	*slot;
};

/**
 * struct tring_stream - a CPU's packets as a reader gets them
 * @cpu_buffer: the ring
 * @memories: where packets lie that were not taken yet, oldest first. Of the
 *	live stream the last one is where writers are
 * @held: sub-buffer that was taken and not put yet
 * @held_memory: of @held
 * @lost: events overwritten in memories that are through
 * @reader_open: there is a reader; under tring_buffer::mutex
 *
 * All but the last under tring_cpu_buffer::mutex.
 */
struct tring_stream {
	struct tring_cpu_buffer	*cpu_buffer;
	struct list_head	memories;
	struct tring_subbuf	*held;
	struct tring_memory	*held_memory;
	u64			lost;
	bool			reader_open;
};

/**
 * struct tring_cpu_buffer - the ring of one CPU
 *
 * Three parts, each on cache lines of its own: what a writer changes with
 * each event, what it changes with each sub-buffer, what readers change.
 */
struct tring_cpu_buffer {
	/* Writer, each event. No other CPU writes here while recording. */
	local_t			write;		/* exact end of the last record */
	local_t			last_ts;	/* see "Timestamps" in ring.c */
	u64			before_ts;
	struct tring_subbuf	*current_subbuf;
	unsigned long		limit;		/* highest record end; 0: off */
	enum tring_clock	clock;
	u32			last_pid;	/* see "Context" in ring.c */
	local_t			nesting;	/* TRING_NESTING_IDLE and up */
	local_t			reserved;	/* events */

	/* Writer, each sub-buffer or each refusal. */
	local_t			committed ____cacheline_aligned; /* delivered ones */
	local_t			committed_bytes;
	local_t			delivered_packets;
	local_t			discarded;
	local_t			overwritten;
	local_t			overwritten_bytes;
	local_t			overwritten_packets;
	u64			head_bits;	/* 0, or what leaves the context out */
	local_t			refused[TRING_REFUSALS];
	local_t			lost;		/* sum of these, but for _OFF */
	unsigned int		retry_context;
	struct irq_work		wake_work;

	/* Seldom written. */
	struct tring_buffer	*buffer ____cacheline_aligned;
	int			cpu;
	struct tring_memory	*memories[TRING_GENERATIONS]; /* by position */
	struct tring_memory	*memory;	/* where writers are, or NULL */
	bool			draining;	/* recording, but being emptied */
	bool			stopped;
	bool			has_retired;	/* memories before @memory */
	unsigned long		wanted_bytes;	/* for the next allocation */
	unsigned long		wake_packets;	/* see ring/wait.c */

	/* Reader side. */
	struct mutex		mutex ____cacheline_aligned;
	wait_queue_head_t	wait;
	atomic_t		eager_readers;	/* see ring/wait.c */
	struct work_struct	drop_work;
	struct tring_stream	streams[TRING_STREAMS];
	unsigned long		packets_gone;	/* delivered, no longer live */
	u64			packets_read;
	u64			read;		/* events, of packets put back */
	u64			read_bytes;
	u64			dropped;	/* overwritten, but not by a writer */
	u64			dropped_snapshot; /* of these, taken aside before */
	u64			dropped_bytes;
	u64			dropped_packets;
	u64			written_off;	/* of these, never delivered */
	u64			written_off_bytes;

#ifdef TRING_KUNIT
	const struct tring_test_hooks *hooks;
	unsigned long		busted;
#endif
};

/* So many events may ask for a short type at once. */
#define TRING_WANTED		8

/**
 * struct tring_buffer - one trace: a ring for each possible CPU
 * @cpu_buffers: the rings
 * @mutex: serialises configuration
 * @uuid: of the trace; a new one whenever old timestamps lose their meaning
 * @overwrite: when full, overwrite the oldest (else refuse the new)
 * @wanted_recording: what tring_buffer_set_recording() was last told
 * @recording: writers may be in
 * @allocated: CPUs that come online get sub-buffers
 * @percent: how full a ring must be for readers to be woken; see ring/wait.c
 * @subbuf_order: log2 of a sub-buffer's size
 * @clock: timestamps' source
 * @lengths: of the short types in use, and flags, as packet headers have it
 * @short_ids: ftrace's ids of these, 0 for a type that is not in use
 * @short_users: how many keys have it
 * @has_short: there is a type that is not in use
 * @keys: of events, those that tring_buffer_add_key() knows
 * @hotplug: for CPUs that come online
 * @wanted: ids of some events that were recorded and have no short type
 * @short_irq_work: tells @short_work that there are some
 * @short_work: gives them types
 */
struct tring_buffer {
	struct tring_cpu_buffer __percpu *cpu_buffers;
	struct mutex		mutex;		/* configuration */
	u8			uuid[TRING_UUID_SIZE];
	bool			overwrite;
	bool			wanted_recording;
	bool			recording;
	bool			allocated;
	unsigned int		percent;
	unsigned int		subbuf_order;
	enum tring_clock	clock;
	u8			lengths[TRING_TYPES] __aligned(8);
	u16			short_ids[TRING_TYPES];
	unsigned int		short_users[TRING_TYPES];
	bool			has_short;
	struct list_head	keys;
	struct hlist_node	hotplug;

	/* Writers write here, though not for long: apart from what they read. */
	u16			wanted[TRING_WANTED] ____cacheline_aligned;
	struct irq_work		short_irq_work;
	struct work_struct	short_work;
};

/**
 * struct tring_record - a reservation between reserve and commit
 * @payload: where a struct trace_entry would be if records had one: the caller
 *	writes the fields behind it, and nothing before
 * @cpu_buffer: ring that it is in
 * @subbuf: sub-buffer that it is in
 * @begin: where it begins, from the sub-buffer's start
 * @commits: what its commit adds to the sub-buffer's
 *
 * Lives in the caller's registers or on its stack; private to the ring but for
 * @payload.
 */
struct tring_record {
	void			*payload;
	struct tring_cpu_buffer	*cpu_buffer;
	struct tring_subbuf	*subbuf;
	unsigned long		begin;
	long			commits;
};

/**
 * struct tring_packet - a delivered sub-buffer in the reader's hands
 * @data: starts with struct tring_packet_header
 * @size: bytes to hand out, the header's packet_size
 * @events: committed events in it
 * @memory_serial: which memory it lies in, see struct tring_map
 * @index: of its sub-buffer in that memory
 */
struct tring_packet {
	const void	*data;
	size_t		size;
	unsigned long	events;
	u64		memory_serial;
	unsigned int	index;
};

/**
 * struct tring_peek - where somebody is who reads without consuming
 * @next: packet_seq_num of the first packet that is wanted
 * @lost: overwritten events before it, as far as they were not shown
 * @shown: events in packets that were shown
 *
 * All 0 in the beginning.
 */
struct tring_peek {
	u64	next;
	u64	lost;
	u64	shown;
};

/**
 * struct tring_map - the memory that a stream's next packet lies in
 * @serial: number that no other memory of this ring has or had
 * @subbufs: sub-buffers in it, the reader's included
 * @subbuf_size: bytes of each
 */
struct tring_map {
	u64		serial;
	unsigned long	subbufs;
	unsigned long	subbuf_size;
};

/**
 * struct tring_stats - counters of one CPU's ring
 *
 * At rest reserved = committed + discarded + open and
 * committed = read + overwritten + remaining. Each member is counted on its
 * own, none derived from these equations, @open excepted. While writers run
 * the values are of a moment that need not balance. What lies in a snapshot is
 * part of @remaining, and is @snapshot of it; what was given up there is part of
 * @overwritten, and is @overwritten_snapshot of it, which packets do not tell of.
 */
struct tring_stats {
	u64	reserved, committed, discarded, open;
	u64	read, overwritten, remaining, snapshot, overwritten_snapshot;
	u64	committed_bytes, read_bytes, overwritten_bytes, remaining_bytes, snapshot_bytes;
	u64	packets_read, packets_overwritten;
	u64	refused[TRING_REFUSALS];
};

/* ring/alloc.c APIs: */
struct tring_buffer *tring_buffer_create(void);
void tring_buffer_destroy(struct tring_buffer *buffer);
int tring_buffer_allocate(struct tring_buffer *buffer);
int tring_ring_init(void);
void tring_ring_exit(void);

/* ring/config.c APIs: */
void tring_buffer_set_recording(struct tring_buffer *buffer, bool on);
void tring_buffer_set_overwrite(struct tring_buffer *buffer, bool on);
int tring_buffer_set_clock(struct tring_buffer *buffer, enum tring_clock clock);
int tring_buffer_set_context(struct tring_buffer *buffer, bool on);
bool tring_buffer_has_context(const struct tring_buffer *buffer);
unsigned long tring_buffer_size(struct tring_buffer *buffer, int cpu);
unsigned long tring_buffer_total_size(struct tring_buffer *buffer);
unsigned long tring_buffer_subbuf_size(struct tring_buffer *buffer);

/* ring/switch.c APIs: */
int tring_buffer_resize(struct tring_buffer *buffer, int cpu, unsigned long bytes);
int tring_buffer_set_subbuf_size(struct tring_buffer *buffer, unsigned long bytes);
int tring_buffer_snapshot(struct tring_buffer *buffer);
void tring_buffer_drop_snapshot(struct tring_buffer *buffer);
bool tring_buffer_has_snapshot(struct tring_buffer *buffer);

/* ring.c APIs: */
int tring_write(struct tring_buffer *buffer, u64 key, const void *payload, u32 length);

/* ring/short.c APIs: */
u64 tring_buffer_add_event(struct tring_buffer *buffer, u16 id, unsigned int length);
void tring_buffer_remove_event(struct tring_buffer *buffer, u64 key);
void tring_buffer_add_key(struct tring_buffer *buffer, struct tring_key *key, u16 id,
			  unsigned int length);
void tring_buffer_remove_key(struct tring_buffer *buffer, struct tring_key *key);

/* ring/read.c APIs: */
int tring_reader_open(struct tring_stream *stream);
void tring_reader_release(struct tring_stream *stream);
int tring_reader_take(struct tring_stream *stream, bool flush, struct tring_packet *packet);
void tring_reader_put(struct tring_stream *stream);
int tring_reader_give_away(struct tring_stream *stream);
void tring_reader_flush(struct tring_stream *stream);
int tring_reader_map(struct tring_stream *stream, struct tring_map *map);
struct page *tring_reader_map_page(struct tring_stream *stream, u64 serial,
				   unsigned long number);

/* ring/peek.c APIs: */
int tring_reader_peek(struct tring_stream *stream, struct tring_peek *peek, void *copy,
		      size_t room, size_t *size);

/* ring/wait.c APIs: */
void tring_buffer_set_percent(struct tring_buffer *buffer, unsigned int percent);
bool tring_reader_has_data(struct tring_stream *stream);
bool tring_reader_has_enough(struct tring_stream *stream);
int tring_reader_wait(struct tring_stream *stream, bool enough);
struct wait_queue_head *tring_reader_wait_queue(struct tring_stream *stream);

/* ring/stats.c APIs: */
void tring_buffer_stats(struct tring_buffer *buffer, int cpu, struct tring_stats *stats);
const char *tring_refusal_name(enum tring_refusal reason);

static inline struct tring_cpu_buffer *
tring_cpu_buffer(struct tring_buffer *buffer, int cpu)
{
	return per_cpu_ptr(buffer->cpu_buffers, cpu);
}

/**
 * tring_stream_is_live - is something recorded into it?
 * @stream: from tring_buffer_stream()
 */
static inline bool tring_stream_is_live(const struct tring_stream *stream)
{
	return stream == &stream->cpu_buffer->streams[TRING_LIVE];
}

/**
 * tring_buffer_stream - what a reader reads
 * @buffer: the buffer
 * @cpu: any possible CPU, online or not
 * @kind: which of its streams
 */
static inline struct tring_stream *
tring_buffer_stream(struct tring_buffer *buffer, int cpu, enum tring_stream_kind kind)
{
	return &tring_cpu_buffer(buffer, cpu)->streams[kind];
}

#endif /* _TRING_RING_H */
