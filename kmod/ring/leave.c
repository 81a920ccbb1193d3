// SPDX-License-Identifier: GPL-2.0
/*
 * The ways in which a writer goes back or on without a record: a reservation is
 * given up, a packet is closed before it is full, or the ring goes on in other
 * memory. See ring.c DOC, "Discard" and "Entering and closing a sub-buffer".
 */

#include <linux/minmax.h>
#include <linux/string.h>

#include "compat.h"
#include "ring.h"
#include "fast.h"
#include "internal.h"
#include "position.h"
#include "subbuf.h"

/*
 * A record whose fields begin with a length, or get one, for readers to skip. It
 * keeps its context: a reader takes the pid of what follows from it.
 */
static void write_off_record(void *data, u32 size, bool has_context)
{
	u16 id = TRING_TYPE_DISCARDED;
	unsigned int type;
	u32 word, at, skip;

	memcpy(&word, data, sizeof(word));
	type = tring_header_type(word, TRING_HOST_BIG_ENDIAN);
	at = tring_context_offset(type);
	if (type > TRING_TYPE_SHORT_MAX) {
		memcpy(data + at - sizeof(id), &id, sizeof(id));
	} else {
		word = tring_header_pack(tring_header_stamp(word, TRING_HOST_BIG_ENDIAN),
					 TRING_TYPE_DISCARDED, TRING_HOST_BIG_ENDIAN);
		memcpy(data, &word, sizeof(word));
	}
	if (has_context)
		at += tring_context_size(*(u8 *)(data + at));
	at += sizeof(skip);
	skip = size - at;
	memcpy(data + at - sizeof(skip), &skip, sizeof(skip));
	if (skip)
		*(u8 *)(data + at) = 0;
}

/**
 * tring_discard_slow - tring_discard(), of which there is no fast path
 * @cpu_buffer: of the record, as all that follows
 * @subbuf: its
 * @begin: its
 * @size: its
 *
 * Context: as tring_commit().
 */
void tring_discard_slow(struct tring_cpu_buffer *cpu_buffer, struct tring_subbuf *subbuf,
			u32 begin, u32 size)
{
	unsigned long position = local_read(&subbuf->start) + begin;
	unsigned long last = local_read(&cpu_buffer->last_ts);

	/*
	 * Before the position goes back, or a nested writer could be compact
	 * relative to a record that is no more, or leave its pid out because of
	 * it. If the cmpxchg fails, a nested writer's stamp is in there, and its
	 * record is behind ours.
	 */
	if (!tring_busted(cpu_buffer, TRING_BUSTED_NO_POISON))
		local_cmpxchg(&cpu_buffer->last_ts, last, last | TRING_STAMP_UNKNOWN);
	tring_pid_mark(cpu_buffer, position);
	tring_step(cpu_buffer, TRING_STEP_DISCARD_POISONED);
	local_inc(&cpu_buffer->discarded);

	if (!tring_local_try_cmpxchg(&cpu_buffer->write, position + size, position)) {
		tring_step(cpu_buffer, TRING_STEP_DISCARD_KEPT);
		write_off_record(subbuf->data + begin, size,
				 !READ_ONCE(cpu_buffer->head_bits));
		tring_commit_bytes(cpu_buffer, subbuf, tring_commits(0, size));
	}
	local_dec(&cpu_buffer->nesting);
}
TRING_EXPORT(tring_discard_slow);

/*
 * Move the position to where no record of the present packet is, which closes
 * it, if it holds one. False if a nested writer came in between.
 */
static bool leave_packet(struct tring_cpu_buffer *cpu_buffer,
			 const struct tring_position *pos, unsigned long to)
{
	if (!tring_claim_nested(cpu_buffer, pos->write, to, pos->stamp))
		return false;
	/*
	 * No record has this stamp, but the next packet must not begin before
	 * this one ends.
	 */
	tring_stamp_raise(cpu_buffer, pos->last, pos->stamp | TRING_STAMP_UNKNOWN);
	if (pos->offset > TRING_PACKET_HEADER_SIZE) {
		tring_packet_find_and_close(cpu_buffer, pos);
		tring_wake_readers(cpu_buffer);
	}
	return true;
}

/**
 * tring_flush - close the open packet, if it holds a record
 * @cpu_buffer: the ring
 *
 * Context: on the ring's CPU with preemption off, nested in a writer or not; or
 * anywhere while that CPU is offline and kept so.
 */
void tring_flush(struct tring_cpu_buffer *cpu_buffer)
{
	struct tring_position pos;
	unsigned int tries, outer;

	outer = begin_retry(cpu_buffer);
	for (tries = 0; tries < TRING_RETRIES_MAX; tries++) {
		read_position(cpu_buffer, &pos);
		settle_position(cpu_buffer, &pos);
		if (pos.offset <= TRING_PACKET_HEADER_SIZE)
			break;
		if (leave_packet(cpu_buffer, &pos,
				 tring_packet_position(pos.memory, pos.packet + 1)))
			break;
	}
	end_retry(cpu_buffer, outer);
}

/**
 * tring_switch - go on in other memory
 * @cpu_buffer: the ring
 * @memory: empty, of the generation after the present one
 *
 * From one cmpxchg on all records go there. Those that are open in the present
 * memory are committed there; the last of them delivers, as ever.
 *
 * Context: as tring_flush(), with tring_cpu_buffer::mutex held by whoever
 * waits for us, and a grace period since the last time.
 * Return: false if NMIs did not let us: nothing has changed.
 */
bool tring_switch(struct tring_cpu_buffer *cpu_buffer, struct tring_memory *memory)
{
	struct tring_position pos;
	unsigned int tries, outer;
	bool moved = false;

	/*
	 * The fast path looks at the limit only. Too low a limit sends it to
	 * the slow path, which looks at the memory that the position is in; too
	 * high a one would let a record pass its sub-buffer's end.
	 */
	tring_ring_limit(cpu_buffer, min(memory->subbuf_size,
					 cpu_buffer->memory->subbuf_size) - 1);
	WRITE_ONCE(cpu_buffer->memories[memory->generation], memory);

	outer = begin_retry(cpu_buffer);
	for (tries = 0; tries < TRING_RETRIES_MAX && !moved; tries++) {
		read_position(cpu_buffer, &pos);
		settle_position(cpu_buffer, &pos);
		tring_step(cpu_buffer, TRING_STEP_SWITCH_READ);
		pos.memory->packets = tring_packets_begun(pos.memory, pos.write);
		/* Nobody is in there before we have moved the position. */
		memory->first_packet = pos.memory->first_packet + pos.memory->packets;
		moved = leave_packet(cpu_buffer, &pos, tring_packet_position(memory, 0));
	}
	end_retry(cpu_buffer, outer);

	tring_step(cpu_buffer, TRING_STEP_SWITCH_MOVED);
	tring_ring_limit(cpu_buffer, moved ? memory->subbuf_size - 1 :
			 cpu_buffer->memory->subbuf_size - 1);
	tring_step(cpu_buffer, TRING_STEP_SWITCH_DONE);
	return moved;
}
