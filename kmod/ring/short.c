// SPDX-License-Identifier: GPL-2.0
/*
 * Short types: the 28 types of records that stand for an event. An event without one is
 * recorded with its id in full, six bytes more.
 *
 * An event gets its type when it occurs, not when it is enabled: of a subsystem's events
 * most never occur, and types given at enabling made traces 8 % longer. The first records
 * of an event carry its id in full and ask for a type. The writer, which may be in an
 * NMI, notes the id without a lock; a work item gives the type some milliseconds later.
 * tring_buffer_add_event() gives a type at once if the event is known to occur.
 *
 * A type keeps its id and its length for the whole trace, as packets with it may be in the
 * ring or with a reader. A new trace frees the types of events that have no key any more.
 */

#include <linux/bug.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

#include "directory.h"
#include "internal.h"

/* ftrace gives this id to no event. */
#define ID_NONE	0

/* The first type that stands for @id, or is free for ID_NONE; 0 if there is none. */
static unsigned int find_type(const struct tring_buffer *buffer, u16 id)
{
	unsigned int type;

	for (type = TRING_TYPE_SHORT_MIN; type <= TRING_TYPE_SHORT_MAX; type++)
		if (buffer->short_ids[type] == id)
			return type;
	return 0;
}

/*
 * Give an event a short type if there is one for it. Another module's event may have got
 * the id of an event whose records are still in the trace: unless both have the same
 * length, its records carry their id in full, and do not ask for a type.
 */
static void give_type(struct tring_buffer *buffer, struct tring_key *key)
{
	u8 said = !key->length || key->length > TRING_LENGTH_FIXED_MAX ? TRING_LENGTH_VARIES :
		  max_t(unsigned int, key->length, TRING_FIELDS_MIN);
	u16 id = tring_head_id(key->head);
	unsigned int type = find_type(buffer, id);
	u64 varies = said == TRING_LENGTH_VARIES ? TRING_HEAD_VARIES : 0;

	lockdep_assert_held(&buffer->mutex);
	if (type && buffer->lengths[type] != said) {
		WRITE_ONCE(key->head, tring_event_key(id));
		return;
	}
	if (!type) {
		type = find_type(buffer, ID_NONE);
		if (!type)
			return;
		buffer->short_ids[type] = id;
		WRITE_ONCE(buffer->lengths[type], said);
		WRITE_ONCE(buffer->has_short, find_type(buffer, ID_NONE));
		tring_directory_update(buffer);
	}
	/*
	 * TB(short:A) length before key. Pairs with TB(short:B): a packet with a record
	 * of this type has its length.
	 */
	smp_wmb();
	WRITE_ONCE(key->head, (u64)id << TRING_HEAD_ID_SHIFT | varies | type);
}

/**
 * tring_buffer_add_event - add an event
 * @buffer: where the event is recorded
 * @key: filled in; stays in place until tring_buffer_remove_event(), or until the buffer
 *	is destroyed
 * @id: ftrace's id, 1 to TRING_ID_MAX
 * @length: bytes of its fields; 0 if the length varies
 * @at_once: the event will occur
 *
 * An event that will occur gets a short type now if one is free, another event when it
 * occurs, or now if its id has one already.
 *
 * Context: task, may sleep.
 */
void tring_buffer_add_event(struct tring_buffer *buffer, struct tring_key *key, u16 id,
			    unsigned int length, bool at_once)
{
	mutex_lock(&buffer->mutex);
	key->length = length;
	key->head = tring_event_key(id) | TRING_HEAD_WANTS;
	list_add_tail(&key->list, &buffer->keys);
	if (at_once || find_type(buffer, id))
		give_type(buffer, key);
	mutex_unlock(&buffer->mutex);
}
TRING_EXPORT(tring_buffer_add_event);

/**
 * tring_buffer_remove_event - remove an event
 * @buffer: where the event was recorded
 * @key: from tring_buffer_add_event(); no longer recorded with
 *
 * Context: task, may sleep.
 */
void tring_buffer_remove_event(struct tring_buffer *buffer, struct tring_key *key)
{
	mutex_lock(&buffer->mutex);
	list_del(&key->list);
	mutex_unlock(&buffer->mutex);
}
TRING_EXPORT(tring_buffer_remove_event);

/**
 * tring_short_want - note an event that was recorded without a short type
 * @buffer: where the event was recorded
 * @id: ftrace's id
 *
 * Race: two ids that share a place, or one that comes while the place is emptied, may
 * lose one of them. Worst case: the event asks again with its next record.
 *
 * Context: any.
 */
void tring_short_want(struct tring_buffer *buffer, u16 id)
{
	u16 *wanted = &buffer->wanted[id % TRING_WANTED];

	/* One interrupt for an event, not for each of its records until it has a type. */
	if (!READ_ONCE(buffer->has_short) || READ_ONCE(*wanted) == id)
		return;
	WRITE_ONCE(*wanted, id);
	irq_work_queue(&buffer->short_irq_work);
}
NOKPROBE_SYMBOL(tring_short_want);

static void give_types(struct work_struct *work)
{
	struct tring_buffer *buffer = container_of(work, struct tring_buffer, short_work);
	struct tring_key *key;
	unsigned int i;
	u16 id;

	mutex_lock(&buffer->mutex);
	for (i = 0; i < TRING_WANTED; i++) {
		id = READ_ONCE(buffer->wanted[i]);
		WRITE_ONCE(buffer->wanted[i], ID_NONE);
		list_for_each_entry(key, &buffer->keys, list)
			if (key->head & TRING_HEAD_WANTS && tring_head_id(key->head) == id)
				give_type(buffer, key);
	}
	mutex_unlock(&buffer->mutex);
}

static void schedule_give_types(struct irq_work *work)
{
	queue_work(tring_queue,
		   &container_of(work, struct tring_buffer, short_irq_work)->short_work);
}

/**
 * tring_short_init - set up the short types of a buffer
 * @buffer: a new one
 *
 * Context: task.
 */
void tring_short_init(struct tring_buffer *buffer)
{
	INIT_LIST_HEAD(&buffer->keys);
	buffer->has_short = true;
	buffer->short_irq_work = IRQ_WORK_INIT_HARD(schedule_give_types);
	INIT_WORK(&buffer->short_work, give_types);
}

/**
 * tring_short_stop - wait until no short type is given any more
 * @buffer: no probe records into it
 *
 * Context: task, may sleep.
 */
void tring_short_stop(struct tring_buffer *buffer)
{
	irq_work_sync(&buffer->short_irq_work);
	cancel_work_sync(&buffer->short_work);
}

/**
 * tring_short_forget - free the types of events that have no key
 * @buffer: about to begin a new trace, with writers kept out
 *
 * Context: task, with tring_buffer::mutex held.
 */
void tring_short_forget(struct tring_buffer *buffer)
{
	struct tring_key *key;
	unsigned int type;
	u32 used = 0;

	lockdep_assert_held(&buffer->mutex);
	list_for_each_entry(key, &buffer->keys, list)
		used |= BIT(tring_head_type(key->head));
	for (type = TRING_TYPE_SHORT_MIN; type <= TRING_TYPE_SHORT_MAX; type++) {
		if (used & BIT(type))
			continue;
		buffer->short_ids[type] = ID_NONE;
		buffer->lengths[type] = 0;
	}
	WRITE_ONCE(buffer->has_short, find_type(buffer, ID_NONE));
}
