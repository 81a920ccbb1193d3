// SPDX-License-Identifier: GPL-2.0
/*
 * Short ids: the types of records that stand for an event, as long as there are
 * any. What comes later is recorded with its id in full, which takes six bytes
 * more.
 *
 * Who enables a subsystem enables more events than ever occur, and there are 28
 * types. So an event gets one when it has occurred: its first records have its
 * id in full, and say that it wants a type, but for those that begin a packet or
 * have a full timestamp. That is noted without a lock, as the writer may be
 * anywhere, and done by a work item, some milliseconds later. Who knows that his
 * events will occur gets a type at once: tring_buffer_add_event().
 *
 * A type means the same event as long as there may be packets in the ring that
 * use it, or in the hands of a reader: until the trace is another one, with
 * another uuid. Then those types are free again whose events nobody records any
 * more.
 */

#include <linux/bug.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "compat.h"
#include "ring.h"
#include "internal.h"

/* No event has it. */
#define ID_NONE	0

/* The first type that stands for @id, or that is free for ID_NONE; 0: there is none. */
static unsigned int find_type(const struct tring_buffer *buffer, u16 id)
{
	unsigned int type;

	for (type = TRING_TYPE_SHORT_MIN; type <= TRING_TYPE_SHORT_MAX; type++)
		if (buffer->short_ids[type] == id)
			return type;
	return 0;
}

static void update_has_short(struct tring_buffer *buffer)
{
	WRITE_ONCE(buffer->has_short, find_type(buffer, ID_NONE) != 0);
}

/* What packets say of the length. */
static u8 length_in_packets(unsigned int length)
{
	if (!length || length > TRING_LENGTH_FIXED_MAX)
		return TRING_LENGTH_VARIES;
	return max_t(unsigned int, length, TRING_FIELDS_MIN);
}

/*
 * The type that stands for @id, or a free one, or 0. An event of a module that has
 * gone may have left its id to another, while its records are still there: that is
 * recorded in long form, unless packets say the same length of both.
 */
static unsigned int choose_type(const struct tring_buffer *buffer, u16 id,
				unsigned int length)
{
	unsigned int type = find_type(buffer, id);

	if (!type)
		return find_type(buffer, ID_NONE);
	return buffer->lengths[type] == length_in_packets(length) ? type : 0;
}

/*
 * For all headers that a writer with the new key may meet: memory that a ring gets
 * later has them from @buffer, which who gives it sees, as he has the mutex, too.
 */
static void set_length(struct tring_buffer *buffer, unsigned int type, u8 length)
{
	struct tring_cpu_buffer *cpu_buffer;
	int cpu;

	lockdep_assert_held(&buffer->mutex);
	WRITE_ONCE(buffer->lengths[type], length);
	for_each_possible_cpu(cpu) {
		cpu_buffer = tring_cpu_buffer(buffer, cpu);
		mutex_lock(&cpu_buffer->mutex);
		if (cpu_buffer->memory)
			tring_memory_set_length(cpu_buffer->memory,
						cpu_buffer->streams[TRING_LIVE].held, type);
		mutex_unlock(&cpu_buffer->mutex);
	}
}

/* A key with @type, which from now on stands for @id. */
static u64 use_type(struct tring_buffer *buffer, unsigned int type, u16 id,
		    unsigned int length)
{
	u64 key = (tring_event_key(id) & ~TRING_HEAD_OTHER) | type;
	u8 said = length_in_packets(length);

	if (said == TRING_LENGTH_VARIES)
		key |= TRING_HEAD_VARIES;
	buffer->short_users[type]++;
	if (buffer->short_ids[type] != id) {
		buffer->short_ids[type] = id;
		update_has_short(buffer);
		set_length(buffer, type, said);
	}
	/*
	 * TB(short:A) the length before the key, however our caller hands that to
	 * writers. Pairs with TB(take:A), through TB(deliver:A) of who has the key.
	 */
	smp_wmb();
	return key;
}

/* As far as there is one: what finds its id with another length wants none any more. */
static void give_key_type(struct tring_buffer *buffer, struct tring_key *key)
{
	u16 id = tring_head_id(key->head);
	unsigned int type = choose_type(buffer, id, key->length);

	if (type)
		WRITE_ONCE(key->head, use_type(buffer, type, id, key->length));
	else if (find_type(buffer, id))
		WRITE_ONCE(key->head, tring_event_key(id));
}

/**
 * tring_buffer_add_event - an event that will be recorded
 * @buffer: where
 * @id: ftrace's, not 0, TRING_ID_MAX at most
 * @length: of its fields, or 0 if that varies
 *
 * Context: task, may sleep.
 * Return: the key for tring_reserve(), until tring_buffer_remove_event().
 */
u64 tring_buffer_add_event(struct tring_buffer *buffer, u16 id, unsigned int length)
{
	u64 key = tring_event_key(id);
	unsigned int type;

	mutex_lock(&buffer->mutex);
	type = choose_type(buffer, id, length);
	if (type)
		key = use_type(buffer, type, id, length);
	mutex_unlock(&buffer->mutex);
	return key;
}
TRING_EXPORT(tring_buffer_add_event);

/**
 * tring_buffer_remove_event - nobody records it with this key any more
 * @buffer: of tring_buffer_add_event()
 * @key: from there
 *
 * Context: task, may sleep.
 */
void tring_buffer_remove_event(struct tring_buffer *buffer, u64 key)
{
	unsigned int type = tring_head_type(key);

	if (!type)
		return;
	mutex_lock(&buffer->mutex);
	WARN_ON_ONCE(!buffer->short_users[type]--);
	mutex_unlock(&buffer->mutex);
}
TRING_EXPORT(tring_buffer_remove_event);

/**
 * tring_buffer_add_key - an event that may be recorded
 * @buffer: where
 * @key: filled in; stays where it is until tring_buffer_remove_key()
 * @id: as for tring_buffer_add_event()
 * @length: likewise
 *
 * It has a short type at once if there is one that stands for it already.
 *
 * Context: task, may sleep.
 */
void tring_buffer_add_key(struct tring_buffer *buffer, struct tring_key *key, u16 id,
			  unsigned int length)
{
	mutex_lock(&buffer->mutex);
	key->length = length;
	key->head = tring_event_key(id) | TRING_HEAD_WANTS;
	if (find_type(buffer, id))
		give_key_type(buffer, key);
	list_add_tail(&key->list, &buffer->keys);
	mutex_unlock(&buffer->mutex);
}
TRING_EXPORT(tring_buffer_add_key);

/**
 * tring_buffer_remove_key - nobody records the event any more
 * @buffer: of tring_buffer_add_key()
 * @key: from there
 *
 * Context: task, may sleep.
 */
void tring_buffer_remove_key(struct tring_buffer *buffer, struct tring_key *key)
{
	mutex_lock(&buffer->mutex);
	list_del(&key->list);
	mutex_unlock(&buffer->mutex);
	tring_buffer_remove_event(buffer, key->head);
}
TRING_EXPORT(tring_buffer_remove_key);

/**
 * tring_short_want - an event was recorded, and has no short type
 * @buffer: where
 * @id: of the event
 *
 * Race: of two that are noted at once in one place one is lost, and so is one that
 * is noted while the place is emptied. It fails towards later: the event says so
 * again with its next record.
 *
 * Context: any.
 */
void tring_short_want(struct tring_buffer *buffer, u16 id)
{
	u16 *wanted = &buffer->wanted[id % TRING_WANTED];

	/* What is noted is as good as told: no interrupt for each record until then. */
	if (!READ_ONCE(buffer->has_short) || READ_ONCE(*wanted) == id)
		return;
	WRITE_ONCE(*wanted, id);
	irq_work_queue(&buffer->short_irq_work);
}

static void give_type(struct tring_buffer *buffer, u16 id)
{
	struct tring_key *key;

	list_for_each_entry(key, &buffer->keys, list)
		if (tring_head_id(key->head) == id && key->head & TRING_HEAD_WANTS)
			give_key_type(buffer, key);
}

static void give_types(struct work_struct *work)
{
	struct tring_buffer *buffer = container_of(work, struct tring_buffer, short_work);
	unsigned int i;
	u16 id;

	mutex_lock(&buffer->mutex);
	for (i = 0; i < TRING_WANTED; i++) {
		id = READ_ONCE(buffer->wanted[i]);
		WRITE_ONCE(buffer->wanted[i], ID_NONE);
		if (id != ID_NONE)
			give_type(buffer, id);
	}
	mutex_unlock(&buffer->mutex);
}

static void schedule_give_types(struct irq_work *work)
{
	schedule_work(&container_of(work, struct tring_buffer, short_irq_work)->short_work);
}

/**
 * tring_short_init - all types are free
 * @buffer: a new one
 *
 * Context: task.
 */
void tring_short_init(struct tring_buffer *buffer)
{
	INIT_LIST_HEAD(&buffer->keys);
	buffer->has_short = true;
	init_irq_work(&buffer->short_irq_work, schedule_give_types);
	INIT_WORK(&buffer->short_work, give_types);
}

/**
 * tring_short_stop - no type is given any more
 * @buffer: nobody records into it
 *
 * Context: task, may sleep.
 */
void tring_short_stop(struct tring_buffer *buffer)
{
	irq_work_sync(&buffer->short_irq_work);
	cancel_work_sync(&buffer->short_work);
}

/**
 * tring_short_forget - free the types that nobody uses
 * @buffer: about to be emptied, with writers kept out
 *
 * Context: task, with tring_buffer::mutex held.
 */
void tring_short_forget(struct tring_buffer *buffer)
{
	unsigned int type;

	lockdep_assert_held(&buffer->mutex);
	for (type = TRING_TYPE_SHORT_MIN; type <= TRING_TYPE_SHORT_MAX; type++) {
		if (buffer->short_users[type])
			continue;
		buffer->short_ids[type] = ID_NONE;
		buffer->lengths[type] = 0;
	}
	update_has_short(buffer);
}
