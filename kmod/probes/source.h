/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ways in which an event of ftrace's gets into a ring. events.c chooses one for each
 * event when it is enabled; the first that suits, in this order.
 */
#ifndef _TRING_SOURCE_H
#define _TRING_SOURCE_H

#include <linux/mutex.h>
#include <linux/types.h>

struct trace_event_file;
struct tring_event;
struct tring_event_set;

/**
 * struct tring_source - a way in which events get into a ring
 * @name: as in the file event_sources
 * @is_slow: switching takes milliseconds, so a signal may stop it between two events
 * @needs_layout: @enable wants tring_event::layout
 * @suits: can it record the event whose file is given?
 * @enable: add the event's key to its ring and begin to record. tring_event::file is set.
 *	The event may be recorded before this returns. Returns 0 or a negative errno
 * @disable: record no further events. What runs already may still record
 * @release: free what @enable has made; nothing records any more. May be NULL
 *
 * All are called in a process with tring_events_mutex held, and may sleep.
 */
struct tring_source {
	const char	*name;
	bool		is_slow;
	bool		needs_layout;
	bool (*suits)(const struct tring_event *event, const struct trace_event_file *file);
	int (*enable)(struct tring_event_set *set, struct tring_event *event);
	void (*disable)(struct tring_event_set *set, struct tring_event *event);
	void (*release)(struct tring_event *event);
};

/* Protects all sets, except what probes read. See events.c for its place in the order. */
extern struct mutex tring_events_mutex;

/* events.c APIs: */
struct tring_event *tring_event_find(struct tring_event_set *set, const char *system,
				     const char *name);
struct tring_event *tring_event_find_or_add(struct tring_event_set *set, const char *system,
					    const char *name);
const struct tring_source *tring_source_of(struct tring_event_set *set, const char *system,
					   const char *name);
struct tring_event *tring_event_hold(struct tring_event_set *set, const char *system,
				     const char *name);
void tring_event_release(struct tring_event_set *set, struct tring_event *event);

/* files.c APIs: */
unsigned int tring_event_hash(const char *system, const char *name);
struct trace_event_file *tring_event_file_get(const char *system, const char *name);
void tring_event_file_put(struct trace_event_file *file);
void tring_event_files_exit(void);

/* probe.c APIs: */
extern const struct tring_source tring_probe_source;
const char *tring_fields_mismatch(const struct trace_event_fields *probe,
				  const struct trace_event_fields *kernel);
const char *tring_misfitting_field(const struct tring_event *event,
				   const struct trace_event_file *file);

/* syscalls.c APIs, with CONFIG_FTRACE_SYSCALLS: */
extern const struct tring_source tring_syscall_source;

/* counter.c APIs, with CONFIG_PERF_EVENTS: */
extern const struct tring_source tring_counter_source;
int tring_counters_init(void);
void tring_counters_exit(void);

#endif /* _TRING_SOURCE_H */
