/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an event triggers besides its record. See trigger.c.
 */
#ifndef _TRING_TRIGGER_H
#define _TRING_TRIGGER_H

#include <linux/types.h>

struct pt_regs;
struct seq_file;
struct trace_entry;
struct tring_event;
struct tring_event_set;

/**
 * enum tring_trigger_action - what a trigger does
 * @TRING_TRIGGER_TRACEON: switch recording on
 * @TRING_TRIGGER_TRACEOFF: switch recording off, behind the event
 * @TRING_TRIGGER_SNAPSHOT: have a snapshot taken that has the event
 * @TRING_TRIGGER_STACKTRACE: record a stack behind the event
 * @TRING_TRIGGER_ENABLE_EVENT: enable another event, or this one
 * @TRING_TRIGGER_DISABLE_EVENT: disable it
 * @TRING_TRIGGER_ACTIONS: number of actions
 */
enum tring_trigger_action {
	TRING_TRIGGER_TRACEON,
	TRING_TRIGGER_TRACEOFF,
	TRING_TRIGGER_SNAPSHOT,
	TRING_TRIGGER_STACKTRACE,
	TRING_TRIGGER_ENABLE_EVENT,
	TRING_TRIGGER_DISABLE_EVENT,
	TRING_TRIGGER_ACTIONS
};

/**
 * struct tring_trigger_text - a trigger as a user has written it
 * @remove: the trigger is to be removed
 * @action: what it does
 * @system: of the event to be enabled or disabled; NULL for other actions
 * @name: of that event
 * @count: how often it fires; negative: always
 * @condition: filter behind "if", or NULL
 */
struct tring_trigger_text {
	bool				remove;
	enum tring_trigger_action	action;
	const char			*system;
	const char			*name;
	long				count;
	const char			*condition;
};

/* trigger_text.c APIs: */
const char *tring_trigger_name(enum tring_trigger_action action);
bool tring_trigger_has_target(enum tring_trigger_action action);
int tring_trigger_parse(char *text, struct tring_trigger_text *parsed, const char **why);

/* trigger.c APIs: */
void tring_triggers_fire(struct tring_event *event, const struct trace_entry *entry,
			 struct pt_regs *regs, bool behind);
int tring_trigger_write(struct tring_event_set *set, const char *system, const char *name,
			char *text);
int tring_trigger_show(struct seq_file *m, struct tring_event_set *set, const char *system,
		       const char *name);
void tring_triggers_clear(struct tring_event_set *set);

#endif /* _TRING_TRIGGER_H */
