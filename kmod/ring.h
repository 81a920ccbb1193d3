/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tring ring buffers: what the rest of the module may know of them. The fast
 * path is in ring_fast.h, the theory of operation at the top of ring.c.
 *
 * Concurrency matrix: may the row run at the same time as the column?
 *
 *                    writer  writer  reader  flush  stats  config  destroy
 *                    same    other
 *                    CPU     CPU
 *   writer           nested  yes     yes     nested yes    drained no
 *   reader, one CPU  yes     yes     EBUSY   yes    mutex  EBUSY   no
 *   flush            nested  yes     yes     nested yes    mutex   no
 *   stats            yes     yes     mutex   mutex  mutex  mutex   no
 *   config           drained drained EBUSY   mutex  mutex  mutex   no
 *
 * "nested": interrupts it on the same CPU, at any instruction. "drained":
 * recording is off and a grace period has passed, or the call says EBUSY.
 * "config" is resize, sub-buffer size and clock. "no": the caller excludes it.
 */
#ifndef _TRING_RING_H
#define _TRING_RING_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/cache.h>
#include <linux/irq_work.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/types.h>
#include <linux/wait.h>

#include <asm/local.h>

#include "clock.h"
#include "tring_format.h"

#define TRING_SUBBUF_SIZE_MIN	PAGE_SIZE
#define TRING_SUBBUF_SIZE_MAX	(4UL << 20)
#define TRING_SUBBUFS_MIN	2UL
#define TRING_SUBBUFS_MAX	BIT(22)
#define TRING_BUFFER_SIZE_DEFAULT	(1408UL << 10)

/* Contexts that may nest on one CPU: task, softirq, irq, NMI; twice over. */
#define TRING_NESTING_MAX	8
/* A reservation that other writers keep disturbing gives up after these. */
#define TRING_RETRIES_MAX	16

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
 * @TRING_REFUSED_NO_MEMORY: this CPU's sub-buffers are not allocated
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

struct tring_buffer;
struct tring_cpu_buffer;

/**
 * struct tring_subbuf - one sub-buffer
 * @start: stream position of its first byte, with TRING_START_UNENTERED until
 *	the ring's position is inside the packet
 * @uncommitted: bytes still to be committed; 0 when it is entered, closed and
 *	nothing in it is open. Counted down because the hot path then has the
 *	answer in the flags of the subtraction
 * @committed: events committed in the packet that is being written
 * @data: the packet
 * @events: events in the packet, once delivered
 * @index: of this structure in tring_cpu_buffer::subbufs
 *
 * Only the CPU that owns the ring writes the first three.
 */
struct tring_subbuf {
	local_t		start;
	local_t		uncommitted;
	local_t		committed;
	void		*data;
	unsigned long	events;
	unsigned int	index;
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
	local_t			nesting;
	unsigned long		subbuf_size;
	enum tring_clock	clock;
	local_t			reserved;	/* events */

	/* Writer, each sub-buffer or each refusal. */
	local_t			committed ____cacheline_aligned; /* delivered ones */
	local_t			committed_bytes;
	local_t			discarded;
	local_t			overwritten;
	local_t			overwritten_bytes;
	local_t			overwritten_packets;
	local_t			refused[TRING_REFUSALS];
	unsigned int		retry_context;
	struct irq_work		wake_work;

	/* Set up once, or while nothing records. */
	struct tring_buffer	*buffer ____cacheline_aligned;
	int			cpu;
	unsigned int		subbuf_order;	/* log2 of subbuf_size */
	unsigned long		nr_subbufs;	/* in the ring; one more is spare */
	atomic64_t		*slots;		/* nr_subbufs slot words */
	struct tring_subbuf	*subbufs;	/* nr_subbufs + 1 */
	bool			allocated;
	bool			draining;	/* recording, but memory changes */
	bool			stopped;
	unsigned long		wanted_bytes;	/* for the next allocation */

	/* Reader side. */
	struct mutex		mutex ____cacheline_aligned;
	wait_queue_head_t	wait;
	bool			reader_open;	/* tring_buffer::mutex */
	struct tring_subbuf	*held;		/* taken, not yet put */
	struct tring_subbuf	*spare;		/* given for the next one taken */
	u64			next_packet;	/* sequence number to look for */
	u64			packets_taken;
	u64			read;		/* events, of packets put back */
	u64			read_bytes;

#ifdef TRING_KUNIT
	const struct tring_test_hooks *hooks;
	unsigned long		busted;
#endif
};

/**
 * struct tring_buffer - one trace: a ring for each possible CPU
 * @cpu_buffers: the rings
 * @mutex: serialises configuration
 * @uuid: of the trace; a new one whenever old timestamps lose their meaning
 * @overwrite: when full, overwrite the oldest (else refuse the new)
 * @wanted_recording: what tring_buffer_set_recording() was last told
 * @recording: writers may be in
 * @allocated: CPUs that come online get sub-buffers
 * @subbuf_order: log2 of a sub-buffer's size
 * @clock: timestamps' source
 * @hotplug: for CPUs that come online
 */
struct tring_buffer {
	struct tring_cpu_buffer __percpu *cpu_buffers;
	struct mutex		mutex;		/* configuration */
	u8			uuid[TRING_UUID_SIZE];
	bool			overwrite;
	bool			wanted_recording;
	bool			recording;
	bool			allocated;
	unsigned int		subbuf_order;
	enum tring_clock	clock;
	struct hlist_node	hotplug;
};

/**
 * struct tring_record - a reservation between reserve and commit
 * @payload: where the caller writes; starts with the 16-bit event id, which is
 *	already there
 * @cpu_buffer: ring that it is in
 * @subbuf: sub-buffer that it is in
 * @begin: exact end of the record before it, from the sub-buffer's start
 * @size: bytes that it takes, those that alignment skipped before it included
 *
 * Lives in the caller's registers or on its stack; private to the ring but for
 * @payload.
 */
struct tring_record {
	void			*payload;
	struct tring_cpu_buffer	*cpu_buffer;
	struct tring_subbuf	*subbuf;
	u32			begin;
	u32			size;
};

/**
 * struct tring_packet - a delivered sub-buffer in the reader's hands
 * @data: starts with struct tring_packet_header
 * @size: bytes to hand out, the header's packet_size
 * @events: committed events in it
 */
struct tring_packet {
	const void	*data;
	size_t		size;
	unsigned long	events;
};

/**
 * struct tring_stats - counters of one CPU's ring
 *
 * At rest reserved = committed + discarded + open and
 * committed = read + overwritten + remaining. Each member is counted on its
 * own, none derived from these equations, @open excepted. While writers run
 * the values are a snapshot that need not balance.
 */
struct tring_stats {
	u64	reserved, committed, discarded, open;
	u64	read, overwritten, remaining;
	u64	committed_bytes, read_bytes, overwritten_bytes, remaining_bytes;
	u64	packets_read, packets_overwritten;
	u64	refused[TRING_REFUSALS];
};

/* ring_alloc.c APIs: */
struct tring_buffer *tring_buffer_create(void);
void tring_buffer_destroy(struct tring_buffer *buffer);
int tring_buffer_allocate(struct tring_buffer *buffer);
int tring_ring_init(void);
void tring_ring_exit(void);

/* ring_config.c APIs: */
void tring_buffer_set_recording(struct tring_buffer *buffer, bool on);
void tring_buffer_set_overwrite(struct tring_buffer *buffer, bool on);
int tring_buffer_resize(struct tring_buffer *buffer, int cpu, unsigned long bytes);
int tring_buffer_set_subbuf_size(struct tring_buffer *buffer, unsigned long bytes);
int tring_buffer_set_clock(struct tring_buffer *buffer, enum tring_clock clock);
unsigned long tring_buffer_size(struct tring_buffer *buffer, int cpu);
unsigned long tring_buffer_total_size(struct tring_buffer *buffer);
unsigned long tring_buffer_subbuf_size(struct tring_buffer *buffer);

/* ring.c APIs: */
int tring_write(struct tring_buffer *buffer, u16 id, const void *payload, u32 length);

/* ring_read.c APIs: */
int tring_reader_open(struct tring_buffer *buffer, int cpu);
void tring_reader_release(struct tring_buffer *buffer, int cpu);
int tring_reader_take(struct tring_buffer *buffer, int cpu, bool flush,
		      struct tring_packet *packet);
void tring_reader_put(struct tring_buffer *buffer, int cpu);
bool tring_reader_has_data(struct tring_buffer *buffer, int cpu);
int tring_reader_wait(struct tring_buffer *buffer, int cpu);
struct wait_queue_head *tring_reader_wait_queue(struct tring_buffer *buffer, int cpu);
void tring_buffer_stats(struct tring_buffer *buffer, int cpu, struct tring_stats *stats);
const char *tring_refusal_name(enum tring_refusal reason);

static inline struct tring_cpu_buffer *
tring_cpu_buffer(struct tring_buffer *buffer, int cpu)
{
	return per_cpu_ptr(buffer->cpu_buffers, cpu);
}

#endif /* _TRING_RING_H */
