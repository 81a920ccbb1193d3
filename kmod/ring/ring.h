/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tring ring buffers: the interface, and the structures that the inline fast path in
 * fast.h needs. docs/design.md explains how the ring works: comments here name its invariants by
 * their numbers.
 *
 * May the row run at the same time as the column?
 *
 *                    writer  writer  reader  peek   flush  stats  switch  new
 *                    same    other                                        trace
 *                    CPU     CPU
 *   writer           nested  yes     yes     yes    nested yes    nested  drained
 *   reader, a stream yes     yes     EBUSY   mutex  yes    mutex  yes     EBUSY
 *   peek             yes     yes     mutex   mutex  mutex  mutex  yes     mutex
 *   flush            nested  yes     yes     mutex  nested yes    mutex   mutex
 *   stats            yes     yes     mutex   mutex  mutex  mutex  mutex   mutex
 *   switch           nested  yes     yes     yes    mutex  mutex  mutex   mutex
 *   new trace        drained drained EBUSY   mutex  mutex  mutex  mutex   mutex
 *
 *   nested   the row interrupts the column on the same CPU, at any instruction
 *   mutex    one waits for the other, for a short time
 *   drained  recording is off, and the writers of before are through: drain.c
 *   EBUSY    the second one fails
 *
 * "switch" gives a ring another memory: resize, sub-buffer size, snapshot, allocator. "new trace"
 * empties the rings: tring_buffer_new_trace(), or another clock. The caller of
 * tring_buffer_exit() excludes everything else.
 */
#ifndef _TRING_RING_RING_H
#define _TRING_RING_RING_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/irq_work.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/seqlock.h>
#include <linux/wait.h>

#include <asm/local.h>

#include "clock.h"
#include "pages.h"
#include "record.h"

#define TRING_SUBBUF_SIZE_MIN	PAGE_SIZE
#define TRING_SUBBUF_SIZE_MAX	(4UL << 20)
/*
 * Large enough to spread a packet's header and a crossing over hundreds of events;
 * small enough that pages of this order are found in fragmented memory.
 */
#define TRING_SUBBUF_SIZE_DEFAULT	(16UL << 10)
#define TRING_SUBBUFS_MIN	2UL
#define TRING_SUBBUFS_MAX	BIT(22)
#define TRING_BUFFER_SIZE_DEFAULT	(1408UL << 10)

/* Contexts that may nest on one CPU: task, softirq, irq, NMI; twice over. */
#define TRING_NESTING_MAX	8
/* Turns of the reserve loop before a disturbed reservation gives up. */
#define TRING_RETRIES_MAX	16

/* Idle value of tring_cpu_buffer::nesting: the sign tells the outermost writer. */
#define TRING_NESTING_IDLE	(-2L)

/* Low half of tring_subbuf::commits: events. High half: bytes. */
#define TRING_COMMITS_SHIFT	32

/* last_pid: the next record carries its pid; a token lies in the bits below. */
#define TRING_PID_UNKNOWN	BIT(31)

/**
 * enum tring_refusal - why a reservation was refused
 * @TRING_REFUSED_NO_ROOM: all sub-buffers are full and overwrite is off
 * @TRING_REFUSED_OPEN_COMMIT: the ring wrapped onto a sub-buffer in which an interrupted
 *	writer has yet to commit
 * @TRING_REFUSED_TOO_LARGE: longer than a sub-buffer can hold
 * @TRING_REFUSED_RETRIES: nested writers won TRING_RETRIES_MAX times
 * @TRING_REFUSED_NESTED: nested too deep, or an event of the ring's own clock while a
 *	reservation of the same context level is tried again
 * @TRING_REFUSED_STOPPED: TRING_WARN_ON() stopped this CPU's ring
 * @TRING_REFUSED_NO_MEMORY: this CPU's ring has no sub-buffers, or is being emptied
 * @TRING_REFUSED_OFF: recording is off, or this CPU is left out; not a loss
 * @TRING_REFUSALS: number of reasons
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

/* Bits of a position below the memory's generation; see internal.h. */
#define TRING_POSITION_BITS	62
/* A ring has at most two memories in which writers are. */
#define TRING_GENERATIONS	2

/**
 * enum tring_stream_kind - the packet streams of a CPU's ring
 * @TRING_LIVE: what is being recorded
 * @TRING_SNAPSHOT: what tring_buffer_snapshot() set aside
 * @TRING_STREAMS: number of streams
 */
enum tring_stream_kind {
	TRING_LIVE,
	TRING_SNAPSHOT,
	TRING_STREAMS
};

/**
 * struct tring_subbuf - one sub-buffer
 * @start: position of the first byte of the packet in it; set by each writer that has a
 *	record there
 * @commits: of the packet that is being written. High half: uncommitted bytes less one,
 *	so that the sum turns negative when the packet is closed and every record is
 *	committed. Low half: committed events. See tring_commits()
 * @data: the packet; NULL once its pages are freed
 * @events: events in the packet, once delivered
 * @bytes: bytes of the packet up to its last record, once closed
 * @lost: events overwritten before the packet in its stream, once taken
 * @slot: that the sub-buffer is in; set before it is published there
 * @memory: the memory that it belongs to
 *
 * Only the CPU that owns the ring writes @start and @commits.
 */
struct tring_subbuf {
	local_t		start;
	local_t		commits;
	void		*data;
	unsigned long	events;
	unsigned int	bytes;
	atomic64_t	*slot;
	u64		lost;
	struct tring_memory *memory;
};

/**
 * struct tring_stream - a CPU's packets as a reader gets them
 * @cpu_buffer: the ring
 * @memories: memories with packets that are not taken yet, oldest first. The last one
 *	of the live stream is the current memory
 * @held: sub-buffer that the reader holds, or NULL
 * @lost: events overwritten in memories that have left the stream
 * @reader_open: a reader is open; under tring_buffer::mutex
 *
 * All but the last under tring_cpu_buffer::mutex.
 */
struct tring_stream {
	struct tring_cpu_buffer	*cpu_buffer;
	struct list_head	memories;
	struct tring_subbuf	*held;
	u64			lost;
	bool			reader_open;
};

/**
 * struct tring_stats - counters of one CPU's ring
 *
 * At rest reserved = committed + discarded + open and
 * committed = read + overwritten + remaining. Each member is counted where the thing
 * happens; only @open is derived. While writers run the values are approximate.
 * @snapshot is the part of @remaining that lies in the snapshot. @overwritten_snapshot
 * is the part of @overwritten that was dropped with a snapshot: the packets of the live
 * stream do not count it as discarded. @unanswered counts interrupts that the CPU did not
 * take in time, see drain.c.
 */
struct tring_stats {
	u64	reserved, committed, discarded, open;
	u64	read, overwritten, remaining, snapshot, overwritten_snapshot;
	u64	committed_bytes, read_bytes, overwritten_bytes, remaining_bytes, snapshot_bytes;
	u64	packets_read, packets_overwritten;
	u64	refused[TRING_REFUSALS];
	u64	unanswered;
};

/**
 * struct tring_cpu_buffer - the ring of one CPU
 *
 * Three parts on cache lines of their own: what the writer changes with each event, what
 * it changes with each sub-buffer, and what readers change.
 */
struct tring_cpu_buffer {
	/* Writer, each event. No other CPU writes here while the ring records. */
	local_t			write;		/* exact end of the last record */
	local_t			last_ts;
	u64			before_ts;
	struct tring_subbuf	*current_subbuf;
	unsigned long		limit;		/* highest record end; 0: off */
	enum tring_clock	clock;
	u32			last_pid;
	local_t			nesting;	/* TRING_NESTING_IDLE and up */
	local_t			reserved;	/* events */

	/* Writer, each sub-buffer or each refusal. */
	local_t			committed ____cacheline_aligned; /* in delivered packets */
	local_t			committed_bytes;
	local_t			delivered_packets;
	local_t			discarded;
	local_t			overwritten;
	local_t			overwritten_bytes;
	local_t			overwritten_packets;
	local_t			refused[TRING_REFUSALS];
	local_t			lost;		/* refused events of this trace */
	unsigned int		retry_context;
	struct irq_work		wake_work;

	/* Seldom written. */
	struct tring_buffer	*buffer ____cacheline_aligned;
	const u64		*clock_offset;	/* of @buffer */
	int			cpu;
	struct tring_memory	*memories[TRING_GENERATIONS]; /* by position */
	struct tring_memory	*memory;	/* current one, or NULL */
	struct tring_memory	*next_memory;	/* while they are replaced */
	bool			draining;	/* recording is on, the ring is being emptied */
	bool			stopped;
	bool			left_out;	/* by tring_buffer_set_cpus() */
	unsigned long		wanted_bytes;	/* size of the next memory */
	unsigned long		wake_packets;	/* packets that wake a reader; 0: any event */

	/* Reader side. */
	struct mutex		mutex ____cacheline_aligned;
	wait_queue_head_t	wait;
	struct work_struct	late_wake_work;	/* with CONFIG_PREEMPT_RT */
	atomic_t		eager_readers;	/* they wait for any event */
	struct tring_stream	streams[TRING_STREAMS];
	u64			trace;		/* number of traces that have ended */
	local_t			packets_gone;	/* delivered, no longer live */
	struct tring_stats	counted;	/* what readers and droppers did */
	call_single_data_t	call;		/* runs @call_function on the ring's CPU */
	atomic_t		call_state;
	smp_call_func_t		call_function;
	bool			hangs;		/* the last call was not answered yet */
	bool			has_writers;	/* seen by the last look of tring_drain() */
	bool			silent;		/* not waited for, see tring_drain() */
	bool			unsettled;	/* a memory that it has left is not sealed */

#ifdef TRING_KUNIT
	const struct tring_test_hooks *hooks;
#endif
};

/**
 * struct tring_observer - what a buffer tells its owner
 * @memory_added: a memory was allocated. Task context, with tring_buffer::mutex held.
 *	Returns 0 or an errno, with which the allocation fails
 * @memory_published: a memory is about to be used, or has come into another stream. Task
 *	context, with tring_cpu_buffer::mutex held
 * @memory_removed: a memory is about to be freed, or could not be added. Task context
 * @trace_begun: a trace has another uuid. Task context, with tring_buffer::mutex held and
 *	writers kept out
 * @unsettled: tring_buffer_settle() is to be called in a while. Task context
 */
struct tring_observer {
	int (*memory_added)(struct tring_buffer *buffer, struct tring_memory *memory);
	void (*memory_published)(struct tring_memory *memory, const struct tring_stream *stream);
	void (*memory_removed)(struct tring_memory *memory);
	void (*trace_begun)(struct tring_buffer *buffer);
	void (*unsettled)(struct tring_buffer *buffer);
};

/* Number of events that may ask for a short type at the same time. */
#define TRING_WANTED		8

/* One of so many records of a ring asks: a prime, so that no usual sequence of events has it. */
#define TRING_ASK_EVERY		7

/**
 * struct tring_buffer - one trace: a ring for each possible CPU
 * @cpu_buffers: the rings
 * @mutex: serialises configuration
 * @identity: of @uuid, @clock, @clock_offset and @clock_missed, for readers without @mutex
 * @uuid: of the trace
 * @overwrite: a full ring overwrites the oldest packet, else it refuses the new event
 * @wanted_recording: what was asked for last. Whatever sets it has
 *	tring_buffer_follow_recording() called behind it
 * @recording: writers may be in a ring
 * @allocated: CPUs that come online get sub-buffers
 * @percent: fill level that wakes a reader, see wait.c
 * @subbuf_order: log2 of a sub-buffer's size
 * @clock: source of the timestamps
 * @clock_offset: of that clock when the trace began, see tring_clock_offset(); writers raise
 *	it by the ticks by which they find that the clock was set back
 * @clock_missed: tring_clock_missed() when the trace began
 * @lengths: bytes of fields by short type, as packet headers have them
 * @allocator: of new memories
 * @observer: of the owner
 * @wanted: ids of some events that were recorded without a short type
 * @snapshot_requests: snapshots that were requested and not taken yet; while there is one,
 *	no packet is overwritten
 * @ask_work: the owner's; queued when a writer wants something
 */
struct tring_buffer {
	struct tring_cpu_buffer __percpu *cpu_buffers;
	struct mutex		mutex;		/* configuration */
	seqcount_mutex_t	identity;
	u8			uuid[TRING_UUID_SIZE];
	bool			overwrite;
	bool			wanted_recording;
	bool			recording;
	bool			allocated;
	unsigned int		percent;
	unsigned int		subbuf_order;
	enum tring_clock	clock;
	u64			clock_offset;
	u64			clock_missed;
	u8			lengths[TRING_TYPES] __aligned(8);
	const struct tring_allocator *allocator;
	const struct tring_observer *observer;

	/* Writers store here for some milliseconds: apart from what they read. */
	u16			wanted[TRING_WANTED] ____cacheline_aligned;
	atomic_t		snapshot_requests;
	struct irq_work		ask_work;
};

/**
 * struct tring_record - a reservation between reserve and commit
 * @payload: where a struct trace_entry would be if records had one: the caller writes
 *	the fields behind it, and nothing before
 * @cpu_buffer: ring that the record is in
 * @subbuf: sub-buffer that the record is in
 * @begin: offset of the record in the packet
 * @commits: added to tring_subbuf::commits by the commit
 *
 * Lives in the caller's registers or on its stack; private to the ring but for @payload.
 */
struct tring_record {
	void			*payload;
	struct tring_cpu_buffer	*cpu_buffer;
	struct tring_subbuf	*subbuf;
	unsigned long		begin;
	long			commits;
};

/**
 * struct tring_packet - a delivered packet that a reader holds
 * @data: begins with struct tring_packet_header
 * @size: bytes to hand out, the header's packet_size
 * @events: committed events in it
 */
struct tring_packet {
	const void	*data;
	size_t		size;
	unsigned long	events;
};

/**
 * struct tring_peek - cursor of a non-consuming reader; all but @with_open 0 in the beginning
 * @trace: tring_cpu_buffer::trace that the cursor is valid for
 * @next: packet_seq_num of the first packet that is wanted
 * @lost: overwritten events before it that the reader was not shown
 * @shown: events in packets that the reader was shown
 * @with_open: the reader wants to see the packet that is being written, too; turns false
 *	when it has, as what comes later into that packet is not shown
 */
struct tring_peek {
	u64	trace;
	u64	next;
	u64	lost;
	u64	shown;
	bool	with_open;
};

/* buffer.c */
int tring_buffer_init(struct tring_buffer *buffer, const struct tring_observer *observer);
void tring_buffer_exit(struct tring_buffer *buffer);
void tring_buffer_lock(struct tring_buffer *buffer);
void tring_buffer_unlock(struct tring_buffer *buffer);
int tring_buffer_allocate(struct tring_buffer *buffer);
int tring_ring_allocate(struct tring_buffer *buffer, int cpu);
void tring_buffer_follow_recording(struct tring_buffer *buffer);
void tring_buffer_set_recording(struct tring_buffer *buffer, bool on);
void tring_buffer_set_cpus(struct tring_buffer *buffer, const struct cpumask *cpus);
int tring_buffer_new_trace(struct tring_buffer *buffer, int clock);
unsigned long tring_buffer_size(struct tring_buffer *buffer, int cpu);
void tring_buffer_stats(struct tring_buffer *buffer, int cpu, struct tring_stats *stats);

/* drain.c */
bool tring_drain(struct tring_buffer *buffer, const struct cpumask *cpus);

/* switch.c */
int tring_buffer_resize(struct tring_buffer *buffer, int cpu, unsigned long bytes);
int tring_buffer_set_subbuf_size(struct tring_buffer *buffer, unsigned long bytes);
int tring_buffer_set_allocator(struct tring_buffer *buffer,
			       const struct tring_allocator *allocator);
int tring_buffer_snapshot(struct tring_buffer *buffer);
void tring_buffer_drop_snapshot(struct tring_buffer *buffer);
void tring_buffer_settle(struct tring_buffer *buffer, const struct cpumask *cpus);

/* read.c */
int tring_reader_open(struct tring_stream *stream);
void tring_reader_release(struct tring_stream *stream);
int tring_reader_take(struct tring_stream *stream, bool flush, struct tring_packet *packet);
void tring_reader_put(struct tring_stream *stream);

/* wait.c */
void tring_buffer_set_percent(struct tring_buffer *buffer, unsigned int percent);
bool tring_reader_has_data(struct tring_stream *stream);
bool tring_reader_has_enough(struct tring_stream *stream);
bool tring_reader_is_blocked(struct tring_stream *stream);
int tring_reader_wait(struct tring_stream *stream);

/* peek.c */
int tring_reader_peek(struct tring_stream *stream, struct tring_peek *peek, void *copy,
		      size_t room, size_t *size);

static inline struct tring_cpu_buffer *tring_cpu_buffer(struct tring_buffer *buffer, int cpu)
{
	return per_cpu_ptr(buffer->cpu_buffers, cpu);
}

/**
 * tring_buffer_set_overwrite - choose what a full ring does
 * @buffer: the buffer
 * @on: overwrite the oldest packet; else refuse the new event
 *
 * Takes effect at the next sub-buffer that is entered.
 *
 * Context: any.
 */
static inline void tring_buffer_set_overwrite(struct tring_buffer *buffer, bool on)
{
	WRITE_ONCE(buffer->overwrite, on);
}

/* Bytes of a sub-buffer. */
static inline unsigned long tring_buffer_subbuf_size(struct tring_buffer *buffer)
{
	return 1UL << READ_ONCE(buffer->subbuf_order);
}

/**
 * tring_stream_is_live - test for the live stream
 * @stream: from tring_buffer_stream()
 */
static inline bool tring_stream_is_live(const struct tring_stream *stream)
{
	return stream == &stream->cpu_buffer->streams[TRING_LIVE];
}

/**
 * tring_buffer_stream - a stream that a reader can open
 * @buffer: the buffer
 * @cpu: any possible CPU, online or not
 * @kind: which stream of that CPU
 */
static inline struct tring_stream *
tring_buffer_stream(struct tring_buffer *buffer, int cpu, enum tring_stream_kind kind)
{
	return &tring_cpu_buffer(buffer, cpu)->streams[kind];
}

#endif /* _TRING_RING_RING_H */
