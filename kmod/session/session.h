/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A session: a ring buffer, and what belongs to a trace besides. The events get short types
 * (short.c), triggers ask for what their context cannot do (session.c), and readers of memory
 * images find the rings (blackbox/directory.c).
 *
 * Its users have the struct tring_buffer.
 */
#ifndef _TRING_SESSION_H
#define _TRING_SESSION_H

#include <linux/list.h>
#include <linux/workqueue.h>

#include "blackbox/directory.h"
#include "key.h"
#include "ring/ring.h"

/**
 * struct tring_session - a trace
 * @buffer: the rings
 * @short_ids: ftrace's id by short type; 0 for a type that is free
 * @keys: events that tring_buffer_add_event() added
 * @snapshots_taken: snapshots taken because of requests
 * @snapshots_asked: requests that a snapshot has met
 * @work: does what was asked for
 * @hotplug: entry in the CPU hotplug state's list
 * @directory: by which readers of memory images find the rings
 *
 * All but @work and @hotplug under tring_buffer::mutex.
 */
struct tring_session {
	struct tring_buffer	buffer;
	u16			short_ids[TRING_TYPES];
	struct list_head	keys;
	u64			snapshots_taken;
	u64			snapshots_asked;
	struct delayed_work	work;
	struct hlist_node	hotplug;
	struct tring_directory	directory;
};

static inline struct tring_session *tring_session_of(struct tring_buffer *buffer)
{
	return container_of(buffer, struct tring_session, buffer);
}

/* session.c */
int tring_session_init(void);
void tring_session_exit(void);
struct tring_buffer *tring_buffer_create(void);
void tring_buffer_destroy(struct tring_buffer *buffer);
void tring_buffer_request_recording(struct tring_buffer *buffer, bool on);
void tring_buffer_request_snapshot(struct tring_buffer *buffer);

/* short.c */

/* An event that has asked so often for a short type gets one. */
#define TRING_SHORT_ASKS	3

void tring_buffer_add_event(struct tring_buffer *buffer, struct tring_key *key, u16 id,
			    unsigned int length, bool at_once);
void tring_buffer_remove_event(struct tring_buffer *buffer, struct tring_key *key);
void tring_short_give(struct tring_session *session);
void tring_short_forget(struct tring_session *session);

#endif /* _TRING_SESSION_H */
