/* SPDX-License-Identifier: GPL-2.0 */
/* Event descriptions: the kernel's format files, parsed by libtraceevent. */
#ifndef TRING_EVENTS_H
#define TRING_EVENTS_H

#include <stddef.h>
#include <stdint.h>
#include <traceevent/event-parse.h>

/* Number of possible event ids: an id has 16 bits. */
#define TRING_EVENT_IDS		65536

/**
 * struct tring_event - one event's description
 * @system: subsystem, such as "sched"
 * @name: event name, such as "sched_switch"
 * @text: content of the format file
 * @size: bytes of @text
 * @parsed: libtraceevent's form of @text, owned by the handle
 * @fixed_size: payload bytes up to the end of the last field
 * @length: bytes of fields in a short record; TRING_LENGTH_VARIES if the length
 *	varies or is too large
 * @frames: payload offset of addresses that are counted and end the record; 0 for none
 * @frame_count: payload offset of their number
 * @damaged: the print format is damaged, which was said
 */
struct tring_event {
	char		*system;
	char		*name;
	char		*text;
	size_t		size;
	struct tep_event *parsed;
	uint32_t	fixed_size;
	uint8_t		length;
	uint32_t	frames;
	uint32_t	frame_count;
	bool		damaged;
};

/**
 * struct tring_events - the events of a trace
 * @tep: libtraceevent's handle
 * @plugins: libtraceevent's plugins, NULL if they were not loaded
 * @list: descriptions, in the order in which they were added
 * @count: number of entries in @list
 * @by_id: index into @list plus 1; 0 for ids without a description
 * @unsafe: addresses of strings that are no formats for libtraceevent
 * @unsafe_count: number of @unsafe
 */
struct tring_events {
	struct tep_handle *tep;
	struct tep_plugin_list *plugins;
	struct tring_event *list;
	size_t		count;
	uint32_t	*by_id;
	uint64_t	*unsafe;
	size_t		unsafe_count;
};

int tring_events_init(struct tring_events *events);
void tring_events_free(struct tring_events *events);
int tring_events_add(struct tring_events *events, const char *dir,
		     const char *system, const char *name);
int tring_events_add_text(struct tring_events *events, char *text, size_t size,
			  const char *system, const char *name, const char *path);
int tring_events_add_all(struct tring_events *events, const char *dir);
int tring_events_add_ids(struct tring_events *events, const char *dir,
			 bool *ids);
int tring_events_add_print(struct tring_events *events, const char *dir);
void tring_events_add_unsafe(struct tring_events *events, uint64_t address);
const struct tring_event *tring_events_find(const struct tring_events *events,
					    uint16_t id);

#endif /* TRING_EVENTS_H */
