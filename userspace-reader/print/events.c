// SPDX-License-Identifier: GPL-2.0
/*
 * Event descriptions: the kernel's format files, parsed by libtraceevent.
 *
 * The files may come from another machine. So their offsets and sizes are
 * checked here, once; every struct tring_event has valid ones.
 */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "events.h"
#include "fold.h"
#include "tring_format.h"
#include "util.h"

/* Upper bound for the offset and for the size of a field. */
#define FIXED_SIZE_MAX		65536

/**
 * tring_events_init - initialize an empty set of events
 * @events: filled in; free it with tring_events_free()
 *
 * Return: 0 or -ENOMEM, reported on stderr.
 */
int tring_events_init(struct tring_events *events)
{
	memset(events, 0, sizeof(*events));
	events->tep = tep_alloc();
	if (!events->tep) {
		tring_error("out of memory");
		return -ENOMEM;
	}
	events->by_id = tring_allocate(TRING_EVENT_IDS * sizeof(*events->by_id));
	/* libtraceevent prints an event field by field if it cannot parse the print format */
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(events->tep, 8);
	return 0;
}

static void free_event(struct tring_event *event)
{
	free(event->system);
	free(event->name);
	free(event->text);
}

/**
 * tring_events_free - free a set of events
 * @events: from tring_events_init(), or zeroed
 */
void tring_events_free(struct tring_events *events)
{
	size_t i;

	for (i = 0; i < events->count; i++)
		free_event(&events->list[i]);
	free(events->list);
	free(events->by_id);
	if (events->tep)
		tep_free(events->tep);
	memset(events, 0, sizeof(*events));
}

static const char *check_fields(const struct tep_event *parsed,
				uint32_t *fixed_size)
{
	const struct tep_format_field *field;
	uint32_t end = TRING_PAYLOAD_HEAD;

	for (field = parsed->format.common_fields; field; field = field->next)
		if (field->offset < 0 || field->size < 0 ||
		    field->offset > TRING_PAYLOAD_HEAD ||
		    field->size > TRING_PAYLOAD_HEAD - field->offset)
			return "a common field is not in the first 8 bytes";
	for (field = parsed->format.fields; field; field = field->next) {
		if (field->offset < TRING_PAYLOAD_HEAD || field->size < 0 ||
		    field->offset > FIXED_SIZE_MAX ||
		    field->size > FIXED_SIZE_MAX)
			return "a field's offset or size is out of range";
		if (field->flags & TEP_FIELD_IS_DYNAMIC && field->size != 4)
			return "the location of a dynamic field does not have 4 bytes";
		if (end < (uint32_t)(field->offset + field->size))
			end = field->offset + field->size;
	}
	*fixed_size = end;
	return NULL;
}

/* The ring computes the same length from the kernel's own structs. */
static uint8_t length_of_fields(const struct tep_event *parsed,
				uint32_t fixed_size)
{
	const struct tep_format_field *field;
	uint32_t length = fixed_size - TRING_PAYLOAD_HEAD;

	for (field = parsed->format.fields; field; field = field->next)
		if (field->flags & TEP_FIELD_IS_DYNAMIC || !field->size)
			return TRING_LENGTH_VARIES;
	if (length > TRING_LENGTH_FIXED_MAX)
		return TRING_LENGTH_VARIES;
	return length < TRING_FIELDS_MIN ? TRING_FIELDS_MIN : length;
}

/* libtraceevent may stop in the middle of the fields without an error. */
static bool has_all_fields(const struct tep_event *parsed, const char *text)
{
	int count = 0;

	while ((text = strstr(text, "\n\tfield:"))) {
		text++;
		count++;
	}
	return count == parsed->format.nr_common + parsed->format.nr_fields;
}

/*
 * The format is parsed by a handle of its own first: libtraceevent cannot remove
 * a bad event from a handle.
 */
static const char *check_event(struct tring_event *event, int *id)
{
	struct tep_handle *scratch = tep_alloc();
	struct tep_event *parsed = NULL;
	const char *wrong = NULL;
	int error;

	if (!scratch)
		return "out of memory";
	tep_set_long_size(scratch, 8);
	error = tep_parse_format(scratch, &parsed, event->text, event->size,
				 "scratch");
	/* a bad print format is acceptable: the event is printed field by field */
	if (!parsed || (error && error != TEP_ERRNO__READ_PRINT_FAILED) ||
	    !has_all_fields(parsed, event->text))
		wrong = "libtraceevent cannot parse it";
	else if (parsed->id < 1 || parsed->id > TRING_ID_MAX)
		wrong = "the id is out of range";
	else
		wrong = check_fields(parsed, &event->fixed_size);
	if (!wrong) {
		event->length = length_of_fields(parsed, event->fixed_size);
		*id = parsed->id;
	}
	tep_free(scratch);
	return wrong;
}

/**
 * tring_events_add - load one format file
 * @events: set to add the event to
 * @dir: directory that contains SYSTEM/NAME/format
 * @system: the event's system
 * @name: the event's name
 *
 * Does nothing if the set already has an event with the same id.
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_events_add(struct tring_events *events, const char *dir,
		     const char *system, const char *name)
{
	char *path = tring_format("%s/%s/%s/format", dir, system, name);
	struct tring_event event = { 0 }, *larger;
	const char *wrong;
	char *folded;
	int error = 0, id = 0;

	event.text = tring_read_text(path, &event.size);
	if (!event.text) {
		error = -errno;
		tring_error("%s: %s", path, strerror(-error));
		goto out;
	}
	wrong = check_event(&event, &id);
	if (wrong) {
		tring_error("%s: %s", path, wrong);
		free(event.text);
		error = -EINVAL;
		goto out;
	}
	if (events->by_id[id]) {
		free(event.text);
		goto out;
	}
	folded = tring_format("%s", event.text);
	tring_fold_constants(folded);
	tep_parse_format(events->tep, &event.parsed, folded, event.size, system);
	free(folded);
	larger = reallocarray(events->list, events->count + 1, sizeof(event));
	if (!larger || !event.parsed) {
		tring_error("out of memory");
		free(event.text);
		error = -ENOMEM;
		goto out;
	}
	event.system = tring_format("%s", system);
	event.name = tring_format("%s", name);
	events->list = larger;
	events->list[events->count++] = event;
	events->by_id[id] = events->count;
out:
	free(path);
	return error;
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.' &&
	       (entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN);
}

typedef int event_fn(struct tring_events *events, const char *dir,
		     const char *system, const char *name, void *data);

static int walk_system(struct tring_events *events, const char *dir,
		       const char *system, event_fn *call, void *data)
{
	char *path = tring_format("%s/%s", dir, system);
	struct dirent **names = NULL;
	int count = scandir(path, &names, is_visible, alphasort);
	int i, error = 0;

	free(path);
	for (i = 0; i < count; i++) {
		if (!error)
			error = call(events, dir, system, names[i]->d_name,
				     data);
		free(names[i]);
	}
	free(names);
	return error;
}

static int walk(struct tring_events *events, const char *dir, event_fn *call,
		void *data)
{
	struct dirent **systems = NULL;
	int count = scandir(dir, &systems, is_visible, alphasort);
	int i, error = 0;

	if (count < 0) {
		error = -errno;
		tring_error("%s: %s", dir, strerror(-error));
		return error;
	}
	for (i = 0; i < count; i++) {
		if (!error)
			error = walk_system(events, dir, systems[i]->d_name,
					    call, data);
		free(systems[i]);
	}
	free(systems);
	return error;
}

/* A bad file is counted and skipped, so that it does not hide other events. */
static int add_any(struct tring_events *events, const char *dir,
		   const char *system, const char *name, void *data)
{
	int *bad = data;

	if (tring_events_add(events, dir, system, name))
		++*bad;
	return 0;
}

/**
 * tring_events_add_all - load every format file under a directory
 * @events: set to add the events to
 * @dir: directory that contains SYSTEM/NAME/format
 *
 * Return: 0; a negative errno if the directory cannot be read; else the number
 * of unusable files. Errors are reported on stderr.
 */
int tring_events_add_all(struct tring_events *events, const char *dir)
{
	int bad = 0;
	int error = walk(events, dir, add_any, &bad);

	return error ? error : bad;
}

/* A kernel without perf has no files "id", but the formats contain the id too. */
static int read_id(const char *dir, const char *system, const char *name)
{
	char *path = tring_format("%s/%s/%s/id", dir, system, name);
	char *text = tring_read_text(path, NULL), *line;
	int id = 0;

	if (text) {
		id = atoi(text);
	} else {
		free(path);
		path = tring_format("%s/%s/%s/format", dir, system, name);
		text = tring_read_text(path, NULL);
		line = text ? strstr(text, "\nID: ") : NULL;
		if (line)
			id = atoi(line + strlen("\nID: "));
	}
	free(text);
	free(path);
	return id;
}

static int add_wanted(struct tring_events *events, const char *dir,
		      const char *system, const char *name, void *data)
{
	const bool *ids = data;
	int id = read_id(dir, system, name);

	if (id > 0 && id < TRING_EVENT_IDS && ids[id] && !events->by_id[id])
		tring_events_add(events, dir, system, name);
	return 0;
}

/**
 * tring_events_add_ids - load the format files of events with given ids
 * @events: set to add the events to
 * @dir: directory that contains SYSTEM/NAME/format and SYSTEM/NAME/id
 * @ids: TRING_EVENT_IDS entries, true for each wanted id
 *
 * Return: 0; a negative errno if the directory cannot be read; else the number
 * of ids without an event. Errors are reported on stderr.
 */
int tring_events_add_ids(struct tring_events *events, const char *dir,
			 bool *ids)
{
	bool walked = false;
	unsigned int id;
	int bad = 0;

	for (id = 1; id < TRING_EVENT_IDS; id++) {
		if (!ids[id] || events->by_id[id])
			continue;
		if (!walked) {
			int error = walk(events, dir, add_wanted, ids);

			if (error)
				return error;
			walked = true;
		}
		if (events->by_id[id])
			continue;
		tring_error("event id %u was recorded, but no event has it",
			    id);
		bad++;
	}
	return bad;
}

/**
 * tring_events_add_print - load ftrace's own "print" event
 * @events: set to add the event to
 * @dir: directory that contains SYSTEM/NAME/format
 *
 * Modules write this event into a ring whether or not events are enabled. If
 * the kernel has no format for it, nothing is added; a record of it is then
 * reported as one without an event.
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_events_add_print(struct tring_events *events, const char *dir)
{
	char *path = tring_format("%s/ftrace/print/format", dir);
	bool there = !access(path, F_OK);

	free(path);
	return there ? tring_events_add(events, dir, "ftrace", "print") : 0;
}

/**
 * tring_events_find - find an event's description
 * @events: set to search
 * @id: the event's id
 *
 * Return: the description, or NULL.
 */
const struct tring_event *tring_events_find(const struct tring_events *events,
					    uint16_t id)
{
	uint32_t index = events->by_id[id];

	return index ? &events->list[index - 1] : NULL;
}
