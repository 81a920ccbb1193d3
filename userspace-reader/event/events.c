// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Event descriptions: the kernel's format files, parsed by libtraceevent.
 *
 * The files may come from another machine. So their offsets and sizes are
 * checked here, once; every struct tring_event has valid ones.
 */
#include <errno.h>
#include <fts.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bounds.h"
#include "check.h"
#include "events.h"
#include "fields.h"
#include "format_check.h"
#include "functions.h"
#include "stack.h"
#include "tring_format.h"
#include "util/fold.h"
#include "util/text.h"
#include "util/util.h"

/* Upper bound for the offset and for the size of a field. */
#define FIXED_SIZE_MAX		65536
/* Those of the first 8 bytes. */
#define COMMON_FIELDS		4

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
	events->symbols = tring_allocate(sizeof(*events->symbols));
	/* libtraceevent prints an event field by field if it cannot parse the print format */
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(events->tep, 8);
	return 0;
}

static void free_event(struct tring_event *event)
{
	struct tring_event_private *private = tring_event_private(event);

	free(event->system);
	free(event->name);
	free(event->text);
	if (!private->like)
		free(event->fields);
	free(private->dynamic);
	free(private->comms);
	free(private->move);
	free(private->declared);
	free(private);
}

/**
 * tring_events_free - free a set of events
 * @events: from tring_events_init(), or zeroed
 */
void tring_events_free(struct tring_events *events)
{
	size_t i;

	for (i = 0; i < events->count; i++)
		free_event(events->list[i]);
	free(events->list);
	free(events->by_id);
	if (events->symbols)
		tring_symbols_free(events->symbols);
	free(events->symbols);
	tring_functions_remove(events);
	if (events->tep)
		tep_free(events->tep);
	memset(events, 0, sizeof(*events));
}

/* A field that is in the record; moves @end behind it. */
static const char *check_field(const struct tep_format_field *field, uint32_t *end)
{
	if (field->offset < TRING_PAYLOAD_HEAD || field->size < 0 ||
	    field->offset > FIXED_SIZE_MAX || field->size > FIXED_SIZE_MAX)
		return "a field's offset or size is out of range";
	if (field->flags & TEP_FIELD_IS_DYNAMIC && field->size != 4)
		return "the location of a dynamic field does not have 4 bytes";
	if (*end < (uint32_t)(field->offset + field->size))
		*end = field->offset + field->size;
	return NULL;
}

/* The first 8 bytes are made from the record's head; some kernels have more. */
static const char *check_common_field(const struct tep_format_field *field, uint32_t *end)
{
	if (field->offset >= TRING_PAYLOAD_HEAD)
		return check_field(field, end) ? "a common field is out of range" : NULL;
	if (field->offset < 0 || field->size < 0 ||
	    field->size > TRING_PAYLOAD_HEAD - field->offset)
		return "a common field is not in the first 8 bytes or behind them";
	return NULL;
}

static const char *check_fields(const struct tep_event *parsed,
				uint32_t *fixed_size)
{
	const struct tep_format_field *field;
	const char *wrong = NULL;

	*fixed_size = TRING_PAYLOAD_HEAD;
	for (field = parsed->format.common_fields; field && !wrong; field = field->next)
		wrong = check_common_field(field, fixed_size);
	for (field = parsed->format.fields; field && !wrong; field = field->next)
		wrong = check_field(field, fixed_size);
	return wrong;
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

/* The four fields whose content tring_record has; libtraceevent reads them in its copy. */
static const char *check_common(const struct tep_event *parsed)
{
	static const struct {
		const char *name;
		int offset;
		int size;
	} wanted[] = {
		{ "common_type", 0, 2 }, { "common_flags", 2, 1 },
		{ "common_preempt_count", 3, 1 }, { "common_pid", 4, 4 },
	};
	size_t i;

	for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		const struct tep_format_field *field;

		field = tep_find_common_field((struct tep_event *)parsed,
					      wanted[i].name);
		if (!field || field->offset != wanted[i].offset ||
		    field->size != wanted[i].size)
			return "the common fields are not ftrace's";
	}
	return NULL;
}

/* @has_common: the common fields were ftrace's, and libtraceevent has not got them */
static const char *check_parsed(struct tring_event *event, const struct tep_event *parsed,
				const struct tring_format *format, bool has_common)
{
	struct tring_event_private *private = tring_event_private(event);
	const char *wrong;

	/* libtraceevent may stop in the middle of the fields without an error */
	if (format->count - (has_common ? COMMON_FIELDS : 0) !=
	    (size_t)parsed->format.nr_common + parsed->format.nr_fields)
		return "libtraceevent cannot parse it";
	wrong = check_fields(parsed, &event->fixed_size);
	if (!wrong && !has_common)
		wrong = check_common(parsed);
	if (!wrong)
		private->length = length_of_fields(parsed, event->fixed_size);
	if (!wrong && tring_stack_is_counted(parsed, event->system, &private->frame_count,
					     &event->frames)) {
		event->fixed_size = event->frames;
		private->length = TRING_LENGTH_VARIES;
	}
	return wrong;
}

/*
 * The part of a format file that describes the fields, with an empty print format. Those of the
 * first 8 bytes, which are the same in each event, are half of them. Return: string to free().
 */
static char *take_fields(const struct tring_event *event, const char *print, bool *has_common)
{
	static const char common[] =
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";
	const char *at = strstr(event->text, common);
	const char *rest = at ? at + strlen(common) - 1 : event->text;
	int head = at ? at - event->text : 0;

	*has_common = at;
	return tring_format("%.*s%.*s\"\"\n", head, event->text, (int)(print - rest), rest);
}

/* They are printed as they are. */
static const char *check_names(const char *system, const char *name)
{
	return tring_is_printable(system, strlen(system)) &&
	       tring_is_printable(name, strlen(name)) ? NULL :
	       "a name has other characters than printable ones of ASCII";
}

/* Return: the text for libtraceevent; without its print format if it must not get that. */
static char *make_text(const struct tring_event *event, const struct tring_format *format,
		       const struct tring_events *events, bool *whole)
{
	size_t fields = format->print - event->text;
	char *text = tring_format("%s", event->text);

	tring_fold_constants(text, tep_get_long_size(events->tep));
	tring_fold_calls(&text, events->tick_frequency);
	*whole = tring_print_check(text + fields, format);
	if (*whole)
		return text;
	free(text);
	return tring_format("%.*s\"\"\n", (int)fields, event->text);
}

static const struct tep_format_field *find_alias(const struct tep_event *parsed,
						 const char *alias)
{
	const struct tep_format_field *field = parsed->format.fields;

	while (field && strcmp(field->alias, alias))
		field = field->next;
	return field;
}

/*
 * Some events have two fields of one name, but CTF, JSON and Parquet cannot. The alias, which
 * libtraceevent frees, is the name there: that of a later field gets underscores.
 */
static void name_fields(struct tep_event *parsed)
{
	const struct tep_format_field *other;
	struct tep_format_field *field;
	char *alias;

	for (field = parsed->format.fields; field; field = field->next) {
		if (find_alias(parsed, field->name) == field)
			continue;
		alias = tring_format("%s", field->name);
		while ((other = find_alias(parsed, alias)) && other != field)
			tring_extend(&alias, "_");
		field->alias = alias;
	}
}

/*
 * Half of a kernel's events have the fields of another one of their system, such as the ends of
 * system calls, and to parse fields takes most of the start of a recorder. In ftrace's own events
 * the name matters, too. Return: false if no event before has the same fields.
 */
static bool share_fields(const struct tring_events *events, struct tring_event *event,
			 const struct tring_format *format)
{
	static const char begin[] = "\nformat:\n";
	struct tring_event_private *private = tring_event_private(event);
	const char *text = strstr(event->text, begin);
	size_t i = strcmp(event->system, "ftrace") ? events->count : 0;

	private->described = format->print - text;
	for (; i && !strcmp(events->list[i - 1]->system, event->system); i--) {
		struct tring_event *like = events->list[i - 1];
		const struct tring_event_private *of_like = tring_event_private(like);

		if (of_like->described != private->described ||
		    memcmp(strstr(like->text, begin), text, private->described))
			continue;
		private->like = of_like->like ? of_like->like : like;
		private->length = of_like->length;
		event->parsed = like->parsed;
		event->fields = like->fields;
		event->field_count = like->field_count;
		event->fixed_size = like->fixed_size;
		return true;
	}
	return false;
}

/*
 * An event without a usable print format is printed field by field. libtraceevent cannot remove an
 * event from its handle: a bad one stays there, and no other event gets its id.
 */
static const char *parse(struct tring_events *events, struct tring_event *event,
			 const struct tring_format *format)
{
	struct tep_event *parsed = NULL;
	const char *wrong = NULL;
	bool whole = false, has_common = false;
	char *text = events->only_fields ?
		take_fields(event, format->print, &has_common) :
		make_text(event, format, events, &whole);

	if (tep_parse_format(events->tep, &parsed, text, strlen(text), event->system) || !parsed)
		wrong = "libtraceevent cannot parse it";
	else
		wrong = check_parsed(event, parsed, format, has_common);
	free(text);
	if (wrong)
		return wrong;
	event->parsed = parsed;
	name_fields(parsed);
	tring_fields_describe(event);
	if (!events->only_fields &&
	    !(whole ? tring_bounds_known(event) : tring_bounds_handled(event)))
		parsed->flags |= TEP_EVENT_FL_FAILED;
	return NULL;
}

/* Return: NULL, also if there is an event with the same id; or what is wrong. */
static const char *check_and_parse(struct tring_events *events, struct tring_event *event)
{
	const char *wrong = check_names(event->system, event->name);
	struct tring_format format = {};

	if (!wrong)
		wrong = tring_format_check(event->text, event->size, event->name, &format);
	if (!wrong && (format.id < 1 || format.id > TRING_ID_MAX))
		wrong = "the id is out of range";
	event->id = format.id;
	if (!wrong && !events->by_id[event->id] && !tep_find_event(events->tep, event->id) &&
	    !(events->only_fields && share_fields(events, event, &format)))
		wrong = parse(events, event, &format);
	free(format.fields);
	return wrong;
}

/**
 * tring_events_add_text - add an event
 * @events: set to add the event to
 * @text: content of the format file, with a NUL behind it; must be from malloc(),
 *	and the set or this function frees it
 * @size: bytes of @text
 * @system: the event's system
 * @name: the event's name
 * @path: path of the format file, for messages
 *
 * Does nothing if the set already has an event with the same id.
 *
 * Return: 0, or -EINVAL for a damaged file, reported on stderr.
 */
int tring_events_add_text(struct tring_events *events, char *text, size_t size,
			  const char *system, const char *name, const char *path)
{
	struct tring_event_private *private = tring_allocate(sizeof(*private));
	struct tring_event *event = &private->event;
	const char *wrong;

	*event = (struct tring_event) {
		.text = text, .size = size, .number = events->count,
		.system = tring_format("%s", system), .name = tring_format("%s", name),
	};
	wrong = check_and_parse(events, event);
	if (wrong)
		tring_error("%s: %s", path, wrong);
	if (!event->parsed) {
		free_event(event);
		return wrong ? -EINVAL : 0;
	}
	tring_check_prepare(event, system);
	events->list = tring_one_more(events->list, events->count, sizeof(*events->list));
	events->list[events->count++] = event;
	events->by_id[event->id] = event;
	return 0;
}

/* @optional: it is no error if there is no file */
static int add_file(struct tring_events *events, const char *dir, const char *system,
		    const char *name, bool optional)
{
	char *path = tring_format("%s/%s/%s/format", dir, system, name);
	size_t size;
	char *text = tring_read_text(path, &size);
	int error = text ? 0 : -errno;

	if (text)
		error = tring_events_add_text(events, text, size, system, name, path);
	else if (optional && error == -ENOENT)
		error = 0;
	else
		tring_error("%s: %s", path, tring_errno_text(-error));
	free(path);
	return error;
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
	return add_file(events, dir, system, name, false);
}

/**
 * tring_events_add_if - load one format file if it is there
 * @events: set to add the event to
 * @dir: directory that contains SYSTEM/NAME/format
 * @system: the event's system
 * @name: the event's name
 *
 * A record of an event without a format is reported as one without an event.
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_events_add_if(struct tring_events *events, const char *dir, const char *system,
			const char *name)
{
	return add_file(events, dir, system, name, true);
}

static int compare_names(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

typedef void event_fn(struct tring_events *events, const char *dir,
		      const char *system, const char *name, void *data);

/* Return: 0; or a negative errno, reported, if the directory cannot be read. */
static int walk(struct tring_events *events, const char *dir, event_fn *call, void *data)
{
	char *paths[] = { (char *)dir, NULL };
	FTS *tree = fts_open(paths, FTS_COMFOLLOW | FTS_PHYSICAL | FTS_NOCHDIR, compare_names);
	FTSENT *entry;
	int error = tree ? 0 : -errno;

	while (tree && (entry = fts_read(tree))) {
		if (!entry->fts_level && entry->fts_errno)
			error = -entry->fts_errno;
		if (entry->fts_level < 2 || entry->fts_info != FTS_D)
			continue;
		call(events, dir, entry->fts_parent->fts_name, entry->fts_name, data);
		fts_set(tree, entry, FTS_SKIP);
	}
	if (tree)
		fts_close(tree);
	if (error)
		tring_error("%s: %s", dir, strerror(-error));
	return error;
}

/*
 * A bad file is counted and skipped, so that it does not hide other events. In the directory of
 * an event that a recorder describes just now the file is still missing.
 */
static void add_any(struct tring_events *events, const char *dir,
		    const char *system, const char *name, void *data)
{
	int *bad = data;

	if (add_file(events, dir, system, name, true))
		++*bad;
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

static void add_wanted(struct tring_events *events, const char *dir,
		       const char *system, const char *name, void *data)
{
	const bool *ids = data;
	int id = read_id(dir, system, name);

	if (id > 0 && id < TRING_EVENT_IDS && ids[id] && !events->by_id[id])
		tring_events_add(events, dir, system, name);
}

/**
 * tring_events_next_id - find the next id of a set
 * @ids: TRING_EVENT_IDS entries, true for each id of the set
 * @from: first id that is looked at
 *
 * Few of them are in a set, so this is much faster than a loop.
 *
 * Return: the id; TRING_EVENT_IDS if there is none.
 */
unsigned int tring_events_next_id(const bool *ids, unsigned int from)
{
	const bool *next = memchr(ids + from, true, TRING_EVENT_IDS - from);

	return next ? next - ids : TRING_EVENT_IDS;
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

	for (id = tring_events_next_id(ids, 1); id < TRING_EVENT_IDS;
	     id = tring_events_next_id(ids, id + 1)) {
		if (events->by_id[id])
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
 * tring_events_find - find an event's description
 * @events: set to search
 * @id: the event's id
 *
 * Return: the description, or NULL.
 */
const struct tring_event *tring_events_find(const struct tring_events *events,
					    uint16_t id)
{
	return events->by_id[id];
}
