// SPDX-License-Identifier: LGPL-2.1-or-later
/* Does a record fit its event's format, and which tasks does it name? */
#include <stdlib.h>
#include <string.h>

#include "cgroups.h"
#include "check.h"
#include "fields.h"
#include "stack.h"
#include "util/util.h"

/**
 * struct tring_comm - two fields with a task's pid and name
 * @pid: field with the pid
 * @comm: field with the name; NULL behind the last pair
 * @is_path: the name is that of a file, with its path
 */
struct tring_comm {
	const struct tring_field *pid;
	const struct tring_field *comm;
	bool		is_path;
};

/*
 * Only of the kernel's own events it is known that both fields are of one task. In another
 * event, a kprobe for instance, "comm" may be the task that runs.
 */
static bool has_comms(const struct tring_event *event, const char *system)
{
	static const char * const systems[] = { "sched", "task", "signal", "oom", "cgroup" };
	size_t i;

	/* the name of the one that waits, and the pid that it waits for */
	if (!strcmp(event->name, "sched_process_wait"))
		return false;
	for (i = 0; i < sizeof(systems) / sizeof(systems[0]); i++)
		if (!strcmp(system, systems[i]))
			return true;
	return false;
}

/* The kernel names a task by the file that it executes, and a script by the script. */
static bool is_exec(const struct tring_event *event)
{
	return !strcmp(event->name, "sched_process_exec");
}

/*
 * "comm" goes with "pid", "next_comm" with "next_pid", "newcomm" with "pid", and so does
 * "filename" of an exec.
 */
static const struct tring_field *find_pid(const struct tring_event *event,
					  const struct tring_field *comm)
{
	size_t stem = strlen(comm->name);
	const struct tring_field *pid;
	char *name;

	if (is_exec(event) && !strcmp(comm->name, "filename") && comm->kind == TRING_FIELD_TEXT)
		return tring_find_field(event, "pid");
	if (stem < 4 || strcmp(comm->name + stem - 4, "comm") || !strcmp(comm->name, "oldcomm") ||
	    comm->kind != TRING_FIELD_TEXT)
		return NULL;
	stem = strcmp(comm->name, "newcomm") ? stem - 4 : 0;
	name = tring_format("%.*spid", (int)stem, comm->name);
	pid = tring_find_field(event, name);
	free(name);
	return pid && pid->kind == TRING_FIELD_NUMBER && pid->size == 4 ? pid : NULL;
}

static bool is_dynamic(const struct tring_field *field)
{
	return field->place == TRING_PLACE_LOCATION || field->place == TRING_PLACE_RELATIVE;
}

/**
 * tring_check_prepare - find what is to be checked of an event's records
 * @event: the event, with its fields
 * @system: the event's system
 */
void tring_check_prepare(struct tring_event *event, const char *system)
{
	struct tring_event_private *private = tring_event_private(event);
	size_t pairs = 0, dynamic = 0, i;

	private->dynamic = tring_allocate((event->field_count + 1) * sizeof(*private->dynamic));
	for (i = 0; i < event->field_count; i++)
		if (is_dynamic(&event->fields[i]))
			private->dynamic[dynamic++] = &event->fields[i];
	if (!has_comms(event, system))
		return;
	private->comms = tring_allocate((event->field_count + 1) * sizeof(*private->comms));
	for (i = event->field_count; i-- > 0; ) {
		const struct tring_field *comm = &event->fields[i], *pid = find_pid(event, comm);

		if (pid)
			private->comms[pairs++] = (struct tring_comm) {
				pid, comm, is_exec(event)
			};
	}
	private->move = tring_move_prepare(event, system);
}

static bool is_inside(const struct tring_field *field, const struct tring_record *record,
		      bool big_endian)
{
	uint32_t size, start = tring_field_find(field, record, big_endian, &size);

	return (start >= TRING_PAYLOAD_HEAD || !size) && start + size <= record->length;
}

/**
 * tring_check_record - check that a record has all fields of its event
 * @event: the event
 * @record: the record
 *
 * Return: NULL; or the reason why the payload is bad.
 */
const char *tring_check_record(const struct tring_event *event, const struct tring_record *record)
{
	const struct tring_field **field = tring_event_private(event)->dynamic;
	bool big_endian;

	if (record->length < event->fixed_size)
		return "payload is shorter than the event's format";
	if (!*field)
		return tring_stack_check(event, record);
	big_endian = tep_is_file_bigendian(event->parsed->tep);
	for (; *field; field++)
		if (!is_inside(*field, record, big_endian))
			return "a dynamic field lies outside of the payload";
	return NULL;
}

/*
 * The last name of the path, cut as the kernel does. What was executed by its descriptor has a
 * name that kernels choose in different ways.
 */
static const char *cut_path(const char *path, uint32_t *size)
{
	static const char by_descriptor[] = "/dev/fd/";
	const char *slash = memrchr(path, '/', *size);

	if (*size > strlen(by_descriptor) &&
	    !memcmp(path, by_descriptor, strlen(by_descriptor)))
		return NULL;
	if (slash) {
		*size -= slash + 1 - path;
		path = slash + 1;
	}
	if (*size > TRING_COMM_MAX - 1)
		*size = TRING_COMM_MAX - 1;
	return path;
}

/**
 * tring_check_names - take the names of tasks that a record has, and their cgroups
 * @event: its event, which has such fields
 * @record: the record, for which tring_check_record() returned NULL
 * @names: gets the names
 */
void tring_check_names(const struct tring_event *event, const struct tring_record *record,
		       struct tring_names *names)
{
	const struct tring_event_private *private = tring_event_private(event);
	bool big_endian = tep_is_file_bigendian(event->parsed->tep);
	const uint8_t *payload = record->payload;
	const struct tring_comm *pair;

	for (pair = private->comms; pair->comm; pair++) {
		uint32_t size, start = tring_field_find(pair->comm, record, big_endian, &size);
		uint32_t most;
		const char *comm;

		if (start < TRING_PAYLOAD_HEAD)
			continue;
		comm = (const char *)payload + start;
		most = strnlen(comm, record->length - start);
		if (pair->is_path)
			comm = cut_path(comm, &most);
		else if (most > TRING_COMM_MAX)
			most = TRING_COMM_MAX;
		if (comm)
			tring_names_learn(names, tring_field_load(pair->pid, payload, big_endian),
					  comm, most);
	}
	if (private->move && names->cgroups)
		tring_cgroups_move(names->cgroups, private->move, record, big_endian);
}
