// SPDX-License-Identifier: GPL-2.0
/* A pair in a trace: its events and fields, and what is wrong with them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pair.h"
#include "util/util.h"

/**
 * tring_is_event - check whether an event has a name
 * @event: the event
 * @name: EVENT or SYSTEM:EVENT
 */
bool tring_is_event(const struct tring_event *event, const char *name)
{
	const size_t size = strlen(event->system);

	if (strchr(name, ':'))
		return !strncmp(name, event->system, size) && name[size] == ':' &&
		       !strcmp(name + size + 1, event->name);
	return !strcmp(name, event->name);
}

/* Return: the event; NULL, reported on stderr, if the trace has none. */
static const struct tring_event *find_event(const struct tring_trace *trace, const char *name)
{
	const struct tring_event *found = NULL;
	size_t i;

	for (i = 0; i < tring_event_count(trace); i++) {
		const struct tring_event *event = tring_event_at(trace, i);

		if (!tring_is_event(event, name))
			continue;
		if (found) {
			tring_error("%s: there are %s:%s and %s:%s", name, found->system,
				    found->name, event->system, event->name);
			return NULL;
		}
		found = event;
	}
	return found;
}

static void report_fields(const struct tring_event *event, const char *name, const char *wrong)
{
	char *names = NULL;
	size_t i;

	for (i = 0; i < event->field_count; i++)
		if (event->fields[i].kind != TRING_FIELD_ARRAY)
			tring_extend(&names, "%s, ", event->fields[i].name);
	tring_error("%s: %s:%s %s; it has %scommon_pid, common_cpu", name, event->system,
		    event->name, wrong, names ? names : "");
	free(names);
}

/* Return: false if the event has no such field. */
static bool find_value(struct tring_value *value, const struct tring_event *event,
		       const char *name)
{
	*value = (struct tring_value) { .name = name };
	if (!strcmp(name, "common_pid"))
		value->kind = TRING_VALUE_PID;
	else if (!strcmp(name, "common_cpu"))
		value->kind = TRING_VALUE_CPU;
	else
		value->field = tring_find_field(event, name);
	return value->kind != TRING_VALUE_FIELD ||
	       (value->field && value->field->kind != TRING_FIELD_ARRAY);
}

static bool bind_value(struct tring_value *value, const struct tring_event *event,
		       const char *name)
{
	bool found = find_value(value, event, name);

	if (!found)
		report_fields(event, name, value->field ? "has an array there" :
							  "has no such field");
	return found;
}

/* @text: FIELD or FIELD=FIELD, which is changed */
static bool bind_key(struct tring_bound_pair *bound, char *text)
{
	struct tring_value *begin = &bound->begin_keys[bound->key_count];
	struct tring_value *end = &bound->end_keys[bound->key_count];
	char *other = strchr(text, '=');

	if (other)
		*other++ = 0;
	bound->key_count++;
	if (!bind_value(begin, bound->begin, text) ||
	    !bind_value(end, bound->end, other ? other : text))
		return false;
	if ((begin->field && begin->field->kind == TRING_FIELD_TEXT) ==
	    (end->field && end->field->kind == TRING_FIELD_TEXT))
		return true;
	tring_error("--key %s=%s: one is a text, the other one a number", begin->name, end->name);
	return false;
}

static char *keep(struct tring_bound_pair *bound, const char *text)
{
	return bound->texts[bound->text_count++] = tring_format("%s", text);
}

static bool bind_keys(struct tring_bound_pair *bound, const char *keys)
{
	char *rest = keep(bound, keys), *key;

	while ((key = strsep(&rest, ","))) {
		if (bound->key_count == TRING_PAIR_KEYS) {
			tring_error("--key %s: %d fields are possible", keys, TRING_PAIR_KEYS);
			return false;
		}
		if (!bind_key(bound, key))
			return false;
	}
	return true;
}

/* Without it begins that were undone are repeated, or have no end. */
static void bind_cancel(struct tring_bound_pair *bound, const struct tring_trace *trace)
{
	const struct tring_pair *pair = &bound->pair;
	char *rest, *key;
	size_t i = 0;

	if (!pair->cancel)
		return;
	bound->cancel = find_event(trace, pair->cancel);
	rest = keep(bound, pair->cancel_keys);
	while (bound->cancel && (key = strsep(&rest, ",")))
		if (!find_value(&bound->cancel_keys[i++], bound->cancel, key))
			bound->cancel = NULL;
}

static bool bind_by(struct tring_bound_pair *bound, const char *by)
{
	if (!by || find_value(&bound->by, bound->begin, by))
		return true;
	bound->by_end = true;
	return bind_value(&bound->by, bound->end, by);
}

static bool bind_time(const struct tring_field **field, const struct tring_event *event,
		      const char *name)
{
	struct tring_value value = { 0 };

	if (!name)
		return true;
	if (!bind_value(&value, event, name))
		return false;
	*field = value.field;
	if (*field && (*field)->kind == TRING_FIELD_NUMBER)
		return true;
	tring_error("%s: %s:%s has no time there", name, event->system, event->name);
	return false;
}

static bool bind_condition(struct tring_bound_pair *bound, const char *condition)
{
	char *name, *number;

	if (!condition)
		return true;
	name = keep(bound, condition);
	number = strchr(name, '=');
	*number++ = 0;
	bound->number = strtoll(number, NULL, 0);
	return bind_time(&bound->condition, bound->begin, name);
}

/* Return: false, reported on stderr, if the trace has not both events. */
static bool find_events(struct tring_bound_pair *bound, const struct tring_trace *trace)
{
	const struct tring_pair *pair = &bound->pair;
	const char *missing = NULL;

	bound->begin = find_event(trace, pair->begin);
	bound->end = find_event(trace, pair->end);
	if (!bound->begin)
		missing = pair->begin;
	else if (!bound->end)
		missing = pair->end;
	if (missing && pair->name)
		tring_error("the trace has no event %s: tring record --pair %s", missing,
			    pair->name);
	else if (missing)
		tring_error("the trace has no event %s: tring record -e %s -e %s", missing,
			    pair->begin, pair->end);
	return !missing;
}

/**
 * tring_pair_is_recorded - check whether a trace may have a pair
 * @pair: the pair
 * @trace: the trace
 *
 * Return: true if it has both events.
 */
bool tring_pair_is_recorded(const struct tring_pair *pair, const struct tring_trace *trace)
{
	return find_event(trace, pair->begin) && find_event(trace, pair->end);
}

/**
 * tring_pair_bind - find the events and fields of a pair in a trace
 * @bound: filled in; to be freed with tring_pair_free() also after an error
 * @pair: the pair
 * @trace: the trace
 *
 * Return: false, reported on stderr, if the trace has not all of them.
 */
bool tring_pair_bind(struct tring_bound_pair *bound, const struct tring_pair *pair,
		     const struct tring_trace *trace)
{
	*bound = (struct tring_bound_pair) { .pair = *pair };
	bind_cancel(bound, trace);
	return find_events(bound, trace) && bind_keys(bound, pair->keys) &&
	       bind_by(bound, pair->by) &&
	       bind_time(&bound->begin_time, bound->begin, pair->begin_time) &&
	       bind_time(&bound->end_time, bound->end, pair->end_time) &&
	       bind_condition(bound, pair->condition);
}

/**
 * tring_pair_free - free what tring_pair_bind() has allocated
 * @bound: the pair
 */
void tring_pair_free(struct tring_bound_pair *bound)
{
	while (bound->text_count)
		free(bound->texts[--bound->text_count]);
}

/* A device's number as the kernel's print formats have it: the major one has 12 bits. */
static void add_device(struct tring_line *line, uint32_t device)
{
	tring_line_put(line, "%" PRIu32 ",%" PRIu32, device >> 20, device & 0xfffff);
}

static int64_t number_of(const struct tring_value *value, const struct tring_item *item)
{
	switch (value->kind) {
	case TRING_VALUE_PID:
		return item->record->pid;
	case TRING_VALUE_CPU:
		return item->cpu;
	case TRING_VALUE_FIELD:
		break;
	}
	return tring_number(item, value->field);
}

/**
 * tring_value_add_key - add a value, so that equal ones are equal bytes
 * @line: the bytes so far
 * @value: a field of the event
 * @item: the event
 */
void tring_value_add_key(struct tring_line *line, const struct tring_value *value,
			 const struct tring_item *item)
{
	int64_t number;

	if (value->field && value->field->kind == TRING_FIELD_TEXT) {
		size_t size;
		const char *text = tring_text(item, value->field, &size);

		if (text)
			tring_line_text(line, text, size);
		/* no text has a NUL, so the next value begins behind it */
		tring_line_char(line, 0);
		return;
	}
	number = number_of(value, item);
	tring_line_text(line, (const char *)&number, sizeof(number));
}

static void add_address(struct tring_line *line, struct tring_trace *trace, uint64_t address)
{
	const struct tring_symbol *symbol = tring_function(trace, address);

	if (symbol && symbol->name && symbol->address == address) {
		tring_line_string(line, symbol->name);
		return;
	}
	tring_line_string(line, "0x");
	tring_line_room(line, TRING_LINE_NUMBER);
	line->at = tring_put_hex(line->at, address);
}

/**
 * tring_value_add_text - add a value as a user reads it
 * @line: the text so far
 * @value: a field of the event
 * @item: the event
 *
 * A text may have any bytes. An address is the symbol that is there.
 */
void tring_value_add_text(struct tring_line *line, const struct tring_value *value,
			  const struct tring_item *item)
{
	static const struct tring_number_form is_signed = {
		.base = 10, .is_signed = true, .plain = true, .precision = -1,
	}, is_unsigned = { .base = 10, .plain = true, .precision = -1 };
	const struct tring_field *field = value->field;
	size_t size;

	if (field && field->kind == TRING_FIELD_TEXT) {
		const char *text = tring_text(item, field, &size);

		if (text)
			tring_line_text(line, text, size);
	} else if (field && strchr(field->type, '*')) {
		add_address(line, item->trace, tring_number(item, field));
	} else if (field && !strcmp(field->type, "dev_t")) {
		add_device(line, tring_number(item, field));
	} else {
		tring_line_number(line, number_of(value, item),
				  field && !field->is_signed ? &is_unsigned : &is_signed);
	}
}
