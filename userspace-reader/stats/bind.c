// SPDX-License-Identifier: GPL-2.0
/*
 * Which events tell of what. An event is known by its system and name; what the tables need
 * is found among its fields by name, because kernels and word sizes differ. An event that
 * lacks one of these fields is like any other.
 */
#include <stdlib.h>
#include <string.h>

#include "bind.h"
#include "util/text.h"
#include "util/util.h"

#define VECTORS	"irq_vectors"

static const struct known {
	const char *system;
	/* with a blank at the end: the beginning of the name */
	const char *name;
	enum tring_kind kind;
	const char *fields[TRING_NUMBERS];
} known[] = {
	{ "sched", "sched_switch", TRING_KIND_SWITCH, { "prev_pid", "prev_state", "next_pid" } },
	{ "sched", "sched_waking", TRING_KIND_WAKING, { "pid" } },
	{ "sched", "sched_wakeup", TRING_KIND_WAKEUP, { "pid" } },
	{ "sched", "sched_wakeup_new", TRING_KIND_NEW, { "pid" } },
	{ "sched", "sched_migrate_task", TRING_KIND_MIGRATE, { "pid", "dest_cpu" } },
	{ "irq", "irq_handler_entry", TRING_KIND_IRQ_ENTRY, { "irq" } },
	{ "irq", "irq_handler_exit", TRING_KIND_IRQ_EXIT, { "irq" } },
	{ "irq", "softirq_entry", TRING_KIND_SOFTIRQ_ENTRY, { "vec" } },
	{ "irq", "softirq_exit", TRING_KIND_SOFTIRQ_EXIT, { "vec" } },
	{ "irq", "softirq_raise", TRING_KIND_RAISE, { "vec" } },
	{ "timer", "timer_expire_entry", TRING_KIND_EXPIRE_ENTRY, { "function" } },
	{ "timer", "timer_expire_exit", TRING_KIND_EXPIRE_EXIT, { NULL } },
	{ "timer", "hrtimer_expire_entry", TRING_KIND_EXPIRE_ENTRY, { "function" } },
	{ "timer", "hrtimer_expire_exit", TRING_KIND_EXPIRE_EXIT, { NULL } },
	{ "raw_syscalls", "sys_enter", TRING_KIND_RAW_ENTER, { "id" } },
	{ "raw_syscalls", "sys_exit", TRING_KIND_RAW_EXIT, { "id", "ret" } },
	{ "ftrace", "print", TRING_KIND_MARKER, { NULL } },
	{ "syscalls", "sys_enter_ ", TRING_KIND_CALL_ENTER, { "__syscall_nr" } },
	{ "syscalls", "sys_exit_ ", TRING_KIND_CALL_EXIT, { "__syscall_nr", "ret" } },
};

/* Return: what follows the beginning; "" if the whole name is the same; else NULL. */
static const char *match(const char *name, const char *pattern)
{
	size_t size = strcspn(pattern, " ");

	if (strncmp(name, pattern, size) || (!pattern[size] && name[size]))
		return NULL;
	return name + size;
}

static const struct tring_field *find_number(const struct tring_event *event, const char *name)
{
	const struct tring_field *field = tring_find_field(event, name);

	return field && field->kind == TRING_FIELD_NUMBER ? field : NULL;
}

static bool bind_numbers(struct tring_bound *bound, const struct known *from)
{
	size_t i;

	for (i = 0; i < TRING_NUMBERS && from->fields[i]; i++) {
		bound->numbers[i] = find_number(bound->event, from->fields[i]);
		if (!bound->numbers[i])
			return false;
	}
	return true;
}

static const struct tring_field *find_text(const struct tring_event *event, const char *name)
{
	const struct tring_field *field = tring_find_field(event, name);

	return field && field->kind == TRING_FIELD_TEXT ? field : NULL;
}

static void bind_known(struct tring_bound *bound)
{
	const struct tring_event *event = bound->event;
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const char *rest;

		if (strcmp(event->system, known[i].system))
			continue;
		rest = match(event->name, known[i].name);
		if (!rest || !bind_numbers(bound, &known[i]))
			continue;
		bound->kind = known[i].kind;
		if (*rest)
			bound->label = tring_format("%s", rest);
		if (bound->kind == TRING_KIND_IRQ_ENTRY)
			bound->name = find_text(event, "name");
		if (bound->kind == TRING_KIND_MARKER)
			bound->name = find_text(event, "buf");
		if (bound->kind >= TRING_KIND_WAKING && bound->kind <= TRING_KIND_NEW)
			bound->numbers[TRING_TARGET_CPU] = find_number(event, "target_cpu");
		return;
	}
}

/* Return: number of the event that begins where this one, NAME_exit, ends. */
static int64_t find_begin(const struct tring_trace *trace, const char *name)
{
	size_t size = strlen(name) - strlen("exit"), i;

	for (i = 0; i < tring_event_count(trace); i++) {
		const struct tring_event *event = tring_event_at(trace, i);

		if (!strcmp(event->system, VECTORS) && !strncmp(event->name, name, size) &&
		    !strcmp(event->name + size, "entry"))
			return i;
	}
	return -1;
}

/* x86 has interrupts without a handler's irq: NAME_entry and NAME_exit. */
static void bind_vector(struct tring_bound *bound, const struct tring_trace *trace, size_t at)
{
	const char *name = bound->event->name;

	if (strcmp(bound->event->system, VECTORS))
		return;
	if (tring_ends_with(name, "_entry")) {
		bound->kind = TRING_KIND_VECTOR_ENTRY;
		bound->vector = at;
		bound->label = tring_format("%.*s", (int)(strlen(name) - strlen("_entry")), name);
	} else if (tring_ends_with(name, "_exit")) {
		bound->vector = find_begin(trace, name);
		if (bound->vector >= 0)
			bound->kind = TRING_KIND_VECTOR_EXIT;
	}
}

/**
 * tring_bind - find out what each event tells
 * @trace: the trace, which has to live as long
 *
 * Return: one for each of its events, to be freed with tring_bound_free().
 */
struct tring_bound *tring_bind(const struct tring_trace *trace)
{
	size_t count = tring_event_count(trace), i;
	struct tring_bound *bound = tring_allocate(count * sizeof(*bound));

	for (i = 0; i < count; i++) {
		bound[i].event = tring_event_at(trace, i);
		bind_known(&bound[i]);
		bind_vector(&bound[i], trace, i);
	}
	return bound;
}

/**
 * tring_bound_free - free what tring_bind() has made
 * @bound: from tring_bind()
 * @count: number of events
 */
void tring_bound_free(struct tring_bound *bound, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		free(bound[i].label);
	free(bound);
}
