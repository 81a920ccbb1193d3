// SPDX-License-Identifier: GPL-2.0
/*
 * Which of ftrace's events have a message of their own in Perfetto's traces: those from
 * which Perfetto derives what tasks, CPUs, interrupts and system calls did. The numbers are
 * those of Perfetto's ftrace_event.proto, and do not change.
 */
#include <stdlib.h>
#include <string.h>

#include "perfetto_messages.h"
#include "export.h"
#include "util/util.h"

#define MESSAGE_FIELDS	7
#define SYS_ENTER	329
#define SYS_EXIT	330
#define NUMBER		TRING_FIELD_NUMBER
#define TEXT		TRING_FIELD_TEXT
#define ARRAY		TRING_FIELD_ARRAY

static const struct message {
	uint32_t	number;
	const char	*system;
	const char	*name;
	struct {
		const char	*name;
		uint32_t	number;
		enum tring_field_kind kind;
	} fields[MESSAGE_FIELDS];
} messages[] = {
	{ 3, "ftrace", "print", { { "ip", 1, NUMBER }, { "buf", 2, TEXT } } },
	{ 4, "sched", "sched_switch", {
		{ "prev_comm", 1, TEXT }, { "prev_pid", 2, NUMBER }, { "prev_prio", 3, NUMBER },
		{ "prev_state", 4, NUMBER }, { "next_comm", 5, TEXT }, { "next_pid", 6, NUMBER },
		{ "next_prio", 7, NUMBER } } },
	{ 11, "power", "cpu_frequency", { { "state", 1, NUMBER }, { "cpu_id", 2, NUMBER } } },
	{ 13, "power", "cpu_idle", { { "state", 1, NUMBER }, { "cpu_id", 2, NUMBER } } },
	{ 17, "sched", "sched_wakeup", {
		{ "comm", 1, TEXT }, { "pid", 2, NUMBER }, { "prio", 3, NUMBER },
		{ "success", 4, NUMBER }, { "target_cpu", 5, NUMBER } } },
	{ 20, "sched", "sched_waking", {
		{ "comm", 1, TEXT }, { "pid", 2, NUMBER }, { "prio", 3, NUMBER },
		{ "success", 4, NUMBER }, { "target_cpu", 5, NUMBER } } },
	{ 24, "irq", "softirq_entry", { { "vec", 1, NUMBER } } },
	{ 25, "irq", "softirq_exit", { { "vec", 1, NUMBER } } },
	{ 26, "irq", "softirq_raise", { { "vec", 1, NUMBER } } },
	{ 36, "irq", "irq_handler_entry", { { "irq", 1, NUMBER }, { "name", 2, TEXT } } },
	{ 37, "irq", "irq_handler_exit", { { "irq", 1, NUMBER }, { "ret", 2, NUMBER } } },
	{ 114, "sched", "sched_wakeup_new", {
		{ "comm", 1, TEXT }, { "pid", 2, NUMBER }, { "prio", 3, NUMBER },
		{ "success", 4, NUMBER }, { "target_cpu", 5, NUMBER } } },
	{ 235, "task", "task_newtask", {
		{ "pid", 1, NUMBER }, { "comm", 2, TEXT }, { "clone_flags", 3, NUMBER },
		{ "oom_score_adj", 4, NUMBER } } },
	{ 236, "task", "task_rename", {
		{ "pid", 1, NUMBER }, { "oldcomm", 2, TEXT }, { "newcomm", 3, TEXT },
		{ "oom_score_adj", 4, NUMBER } } },
	{ 237, "sched", "sched_process_exec", {
		{ "filename", 1, TEXT }, { "pid", 2, NUMBER }, { "old_pid", 3, NUMBER } } },
	{ 238, "sched", "sched_process_exit", {
		{ "comm", 1, TEXT }, { "pid", 2, NUMBER }, { "prio", 4, NUMBER } } },
	{ 239, "sched", "sched_process_fork", {
		{ "parent_comm", 1, TEXT }, { "parent_pid", 2, NUMBER },
		{ "child_comm", 3, TEXT }, { "child_pid", 4, NUMBER } } },
	{ 240, "sched", "sched_process_free", {
		{ "comm", 1, TEXT }, { "pid", 2, NUMBER }, { "prio", 3, NUMBER } } },
	{ 242, "sched", "sched_process_wait", {
		{ "comm", 1, TEXT }, { "pid", 2, NUMBER }, { "prio", 3, NUMBER } } },
	{ SYS_ENTER, "raw_syscalls", "sys_enter", { { "id", 1, NUMBER }, { "args", 2, ARRAY } } },
	{ SYS_EXIT, "raw_syscalls", "sys_exit", { { "id", 1, NUMBER }, { "ret", 2, NUMBER } } },
	{ 353, "sched", "sched_pi_setprio", {
		{ "comm", 1, TEXT }, { "newprio", 2, NUMBER }, { "oldprio", 3, NUMBER },
		{ "pid", 4, NUMBER } } },
	{ 491, "sched", "sched_migrate_task", {
		{ "comm", 1, TEXT }, { "pid", 2, NUMBER }, { "prio", 3, NUMBER },
		{ "orig_cpu", 4, NUMBER }, { "dest_cpu", 5, NUMBER } } },
};

static const struct message *find_message(const char *system, const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(messages) / sizeof(messages[0]); i++)
		if (!strcmp(messages[i].name, name) && !strcmp(messages[i].system, system))
			return &messages[i];
	return NULL;
}

static uint32_t find_number(const struct message *message, const struct tring_field *field)
{
	size_t i;

	for (i = 0; i < MESSAGE_FIELDS && message->fields[i].name; i++)
		if (!strcmp(message->fields[i].name, field->name) &&
		    message->fields[i].kind == field->kind)
			return message->fields[i].number;
	return 0;
}

/*
 * An event of one system call becomes that of all calls: its number says which it is, and
 * the arguments come in the same order. A trace that has both events would have each call
 * twice, so there the events of one call are generic.
 */
static bool find_call(struct tring_perfetto_places *places, const struct tring_trace *trace,
		      const struct tring_event *event)
{
	const struct tring_field *fields = event->fields;
	bool enter = !strncmp(event->name, "sys_enter_", strlen("sys_enter_"));
	bool leave = !strncmp(event->name, "sys_exit_", strlen("sys_exit_"));
	size_t i;

	if (strcmp(event->system, "syscalls") || !(enter || leave) || !event->field_count ||
	    strcmp(fields[0].name, "__syscall_nr") || tring_has_raw_calls(trace))
		return false;
	places->message = enter ? SYS_ENTER : SYS_EXIT;
	for (i = 0; i < event->field_count; i++)
		if (fields[i].kind == TRING_FIELD_NUMBER)
			places->numbers[i] = i ? 2 : 1;
	return true;
}

/**
 * tring_perfetto_find_places - find out where the fields of an event go
 * @places: filled in; its @numbers to be freed
 * @trace: the trace
 * @event: the event
 */
void tring_perfetto_find_places(struct tring_perfetto_places *places,
				const struct tring_trace *trace,
				const struct tring_event *event)
{
	const struct message *message = find_message(event->system, event->name);
	size_t i;

	places->numbers = tring_allocate((event->field_count + 1) * sizeof(*places->numbers));
	if (message) {
		places->message = message->number;
		for (i = 0; i < event->field_count; i++)
			places->numbers[i] = find_number(message, &event->fields[i]);
		return;
	}
	if (find_call(places, trace, event))
		return;
	free(places->numbers);
	places->numbers = NULL;
	places->message = TRING_PERFETTO_GENERIC;
}
