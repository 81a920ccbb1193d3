// SPDX-License-Identifier: GPL-2.0
/*
 * Short types: the 28 types of records that stand for an event. An event without one is
 * recorded with its id in full, six bytes more.
 *
 * An event gets its type when it occurs, not when it is enabled: of a subsystem's events
 * most never occur, and types given at enabling made traces 8 % longer. The first records
 * of an event carry its id in full, and one in TRING_ASK_EVERY records of a ring asks for a
 * type. The writer, which may be in an NMI, notes the id without a lock; the session's work
 * looks some milliseconds later. The more often an event occurs, the sooner it has asked
 * TRING_SHORT_ASKS times, and gets a type: with each event of the kernel, types for the first
 * that occur made traces 18 % longer. When no type is left, no event asks any more.
 * tring_buffer_add_event() gives a type at once if the event is known to occur.
 *
 * A type keeps its id and its length for the whole trace, as packets with it may be in the
 * ring or with a reader. A new trace frees the types of events that have no key any more.
 */

#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/mutex.h>

#include "compat.h"
#include "session.h"

/* ftrace gives this id to no event. */
#define ID_NONE	0

/* The first type that stands for @id, or is free for ID_NONE; 0 if there is none. */
static unsigned int find_type(const struct tring_session *session, u16 id)
{
	unsigned int type;

	for (type = TRING_TYPE_SHORT_MIN; type <= TRING_TYPE_SHORT_MAX; type++)
		if (session->short_ids[type] == id)
			return type;
	return 0;
}

/*
 * Give an event a short type if there is one for it. Else its records carry their id in full,
 * and do not ask for a type in this trace: all are taken, or another module's event has got the
 * id of an event with another length, whose records are still in the trace.
 */
static void give_type(struct tring_session *session, struct tring_key *key)
{
	struct tring_buffer *buffer = &session->buffer;
	u8 said = !key->length || key->length > TRING_LENGTH_FIXED_MAX ? TRING_LENGTH_VARIES :
		  max_t(unsigned int, key->length, TRING_FIELDS_MIN);
	u16 id = tring_head_id(key->head);
	unsigned int type = find_type(session, id);
	u64 varies = said == TRING_LENGTH_VARIES ? TRING_HEAD_VARIES : 0;
	bool is_new = !type;

	lockdep_assert_held(&buffer->mutex);
	if (is_new)
		type = find_type(session, ID_NONE);
	if (!type || (!is_new && buffer->lengths[type] != said)) {
		WRITE_ONCE(key->head, tring_event_key(id));
		return;
	}
	if (is_new) {
		session->short_ids[type] = id;
		WRITE_ONCE(buffer->lengths[type], said);
		tring_directory_update(&session->directory);
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
	struct tring_session *session = tring_session_of(buffer);

	mutex_lock(&buffer->mutex);
	key->length = length;
	key->asked = 0;
	key->head = tring_event_key(id) | TRING_HEAD_WANTS;
	list_add_tail(&key->list, &session->keys);
	if (at_once || find_type(session, id))
		give_type(session, key);
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
 * tring_short_give - give short types to the events that have asked often enough
 * @session: the session
 *
 * Context: task, with tring_buffer::mutex held.
 */
void tring_short_give(struct tring_session *session)
{
	u16 *asking = session->buffer.wanted, wanted[TRING_WANTED], id;
	struct tring_key *key;
	unsigned int i;

	for (i = 0; i < TRING_WANTED; i++) {
		wanted[i] = READ_ONCE(asking[i]);
		WRITE_ONCE(asking[i], ID_NONE);
	}
	list_for_each_entry(key, &session->keys, list) {
		id = tring_head_id(key->head);
		if (key->head & TRING_HEAD_WANTS && wanted[id % TRING_WANTED] == id &&
		    ++key->asked >= TRING_SHORT_ASKS)
			give_type(session, key);
	}
	if (find_type(session, ID_NONE))
		return;
	list_for_each_entry(key, &session->keys, list)
		if (key->head & TRING_HEAD_WANTS)
			give_type(session, key);
}

/**
 * tring_short_forget - free the types of events that have no key
 * @session: about to begin a new trace, with writers kept out
 *
 * Context: task, with tring_buffer::mutex held.
 */
void tring_short_forget(struct tring_session *session)
{
	struct tring_key *key;
	unsigned int type;
	u32 used = 0;

	lockdep_assert_held(&session->buffer.mutex);
	list_for_each_entry(key, &session->keys, list) {
		used |= BIT(tring_head_type(key->head));
		if (tring_head_type(key->head))
			continue;
		key->asked = 0;
		WRITE_ONCE(key->head, key->head | TRING_HEAD_WANTS);
	}
	for (type = TRING_TYPE_SHORT_MIN; type <= TRING_TYPE_SHORT_MAX; type++) {
		if (used & BIT(type))
			continue;
		session->short_ids[type] = ID_NONE;
		session->buffer.lengths[type] = 0;
	}
}
