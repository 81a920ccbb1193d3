/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Event descriptions: the kernel's format files, parsed by libtraceevent. */
#ifndef TRING_EVENTS_H
#define TRING_EVENTS_H

#include <stddef.h>
#include <stdint.h>
#include <traceevent/event-parse.h>

#include "symbols.h"
#include "tring.h"

/* Number of possible event ids: an id has 16 bits. */
#define TRING_EVENT_IDS		65536

/**
 * struct tring_event_private - what only the library knows of an event
 * @event: what tring.h describes; the first member, see tring_event_private()
 * @length: bytes of fields in a short record; TRING_LENGTH_VARIES if the length
 *	varies or is too large
 * @frame_count: payload offset of the number of addresses, if the event has @event.frames
 * @dynamic: fields whose location is in the record; NULL behind the last
 * @comms: fields with the names of tasks; NULL for none
 * @move: fields that change the cgroup of a task, or its command line; NULL for none
 * @declared: the fields in the metadata of a trace, behind the name of their length; NULL before
 *	it was written
 * @described: bytes of @event.text that describe the fields; 0 if they are not compared
 * @like: event whose parsed form, fields and @declared are this one's; NULL for none
 */
struct tring_event_private {
	struct tring_event event;
	uint8_t		length;
	uint32_t	frame_count;
	const struct tring_field **dynamic;
	struct tring_comm *comms;
	struct tring_move *move;
	char		*declared;
	size_t		described;
	struct tring_event *like;
};

/* All events come from tring_events_add_text(). Return: what only the library knows of one. */
static inline struct tring_event_private *tring_event_private(const struct tring_event *event)
{
	return (struct tring_event_private *)event;
}

/**
 * struct tring_events - the events of a trace
 * @tep: libtraceevent's handle
 * @plugins: libtraceevent's plugins, NULL if they were not loaded
 * @tick_frequency: timer ticks per second of the traced kernel, see tring_functions_add()
 * @symbols: the kernel's functions
 * @list: descriptions, in the order in which they were added
 * @count: number of entries in @list
 * @by_id: by id; NULL for ids without a description
 * @only_fields: the events will not be printed: their print formats are not parsed, and fields
 *	that several of them have are parsed once
 */
struct tring_events {
	struct tep_handle *tep;
	struct tep_plugin_list *plugins;
	uint64_t	tick_frequency;
	struct tring_symbols *symbols;
	struct tring_event **list;
	size_t		count;
	struct tring_event **by_id;
	bool		only_fields;
};

int tring_events_init(struct tring_events *events);
void tring_events_free(struct tring_events *events);
int tring_events_add(struct tring_events *events, const char *dir,
		     const char *system, const char *name);
int tring_events_add_if(struct tring_events *events, const char *dir, const char *system,
			const char *name);
int tring_events_add_text(struct tring_events *events, char *text, size_t size,
			  const char *system, const char *name, const char *path);
int tring_events_add_all(struct tring_events *events, const char *dir);
unsigned int tring_events_next_id(const bool *ids, unsigned int from);
int tring_events_add_ids(struct tring_events *events, const char *dir,
			 bool *ids);
const struct tring_event *tring_events_find(const struct tring_events *events,
					    uint16_t id);

#endif /* TRING_EVENTS_H */
