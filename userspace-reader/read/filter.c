// SPDX-License-Identifier: LGPL-2.1-or-later
/* Filters by an event's fields: which events a filter is for, and which records match. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "event/fields.h"
#include "filter.h"
#include "util/util.h"

/**
 * struct question - a record that is examined
 * @filter: the filter
 * @record: the record, which fits its event's format
 * @cpu: its CPU
 * @names: names of tasks
 * @big_endian: byte order of the record
 * @failed: a number was divided by 0
 */
struct question {
	struct tring_filter *filter;
	const struct tring_record *record;
	int		cpu;
	struct tring_names *names;
	bool		big_endian;
	bool		failed;
};

/* A number of 65 bits. */
struct number {
	uint64_t	bits;
	bool		negative;
};

static struct number make_number(uint64_t bits, bool is_signed)
{
	return (struct number){ bits, is_signed && (int64_t)bits < 0 };
}

static struct number get_number(const struct tring_filter_node *node, struct question *question);

static uint64_t divide(const struct tring_filter_node *node, struct number left,
		       struct number right, struct question *question)
{
	uint64_t a = left.negative ? -left.bits : left.bits;
	uint64_t b = right.negative ? -right.bits : right.bits;
	bool negative = left.negative;
	uint64_t result;

	if (!b) {
		question->failed = true;
		return 0;
	}
	/* as in C: the rest has the sign of the left operand */
	result = node->operator == TRING_OP_DIVIDE ? a / b : a % b;
	if (node->operator == TRING_OP_DIVIDE)
		negative ^= right.negative;
	return negative ? -result : result;
}

static uint64_t calculate(const struct tring_filter_node *node, struct question *question)
{
	struct number left = get_number(node->left, question);
	struct number right = get_number(node->right, question);
	uint64_t a = left.bits, b = right.bits;

	switch (node->operator) {
	case TRING_OP_LEFT:
		return b < 64 ? a << b : 0;
	case TRING_OP_RIGHT:
		return b < 64 ? a >> b : 0;
	case TRING_OP_BITS_OR:
		return a | b;
	case TRING_OP_BITS_XOR:
		return a ^ b;
	case TRING_OP_BITS_AND:
		return a & b;
	case TRING_OP_PLUS:
		return a + b;
	case TRING_OP_MINUS:
		return a - b;
	case TRING_OP_TIMES:
		return a * b;
	default:
		return divide(node, left, right, question);
	}
}

static struct number get_number(const struct tring_filter_node *node, struct question *question)
{
	const struct tring_record *record = question->record;

	switch (node->kind) {
	case TRING_FILTER_NUMBER:
		return make_number(node->number, node->is_signed);
	case TRING_FILTER_FIELD:
		return make_number(tring_field_load(&node->field, record->payload,
						    question->big_endian), node->is_signed);
	case TRING_FILTER_TYPE:
		return make_number(record->id, false);
	case TRING_FILTER_FLAGS:
		return make_number(record->flags, false);
	case TRING_FILTER_PREEMPT:
		return make_number(record->preempt_count, false);
	case TRING_FILTER_PID:
		return make_number(record->pid, true);
	case TRING_FILTER_CPU:
		return make_number(question->cpu, false);
	default:
		return make_number(calculate(node, question), node->is_signed);
	}
}

static bool compare(const struct tring_filter_node *node, struct question *question)
{
	struct number left = get_number(node->left, question);
	struct number right = get_number(node->right, question);
	bool same = left.bits == right.bits && left.negative == right.negative;
	bool less = left.negative == right.negative ? left.bits < right.bits : left.negative;

	switch (node->operator) {
	case TRING_OP_EQUAL:
		return same;
	case TRING_OP_NOT_EQUAL:
		return !same;
	case TRING_OP_LESS:
		return less;
	case TRING_OP_AT_MOST:
		return less || same;
	case TRING_OP_MORE:
		return !less && !same;
	default:
		return !less;
	}
}

static const char *get_text(const struct tring_field *field, struct question *question)
{
	struct tring_filter *filter = question->filter;
	size_t size;
	const uint8_t *data = tring_field_data(field, question->record, question->big_endian,
					       &size);

	if (size >= filter->size) {
		free(filter->buffer);
		filter->size = 2 * size + 1;
		filter->buffer = tring_allocate(filter->size);
	}
	memcpy(filter->buffer, data, size);
	filter->buffer[size] = 0;
	return filter->buffer;
}

static bool match(const struct tring_filter_node *node, struct question *question)
{
	const char *text = node->left->kind == TRING_FILTER_COMM ?
			   tring_names_comm(question->names, question->record->pid) :
			   get_text(&node->left->field, question);

	switch (node->operator) {
	case TRING_OP_EQUAL:
		return !strcmp(text, node->text);
	case TRING_OP_NOT_EQUAL:
		return strcmp(text, node->text);
	case TRING_OP_GLOB:
		return !fnmatch(node->text, text, 0);
	case TRING_OP_REGEX:
		return !regexec(&node->regex, text, 0, NULL, 0);
	default:
		return regexec(&node->regex, text, 0, NULL, 0);
	}
}

static bool is_true(const struct tring_filter_node *node, struct question *question)
{
	switch (node->kind) {
	case TRING_FILTER_OR:
		return is_true(node->left, question) || is_true(node->right, question);
	case TRING_FILTER_AND:
		return is_true(node->left, question) && is_true(node->right, question);
	case TRING_FILTER_NOT:
		return !is_true(node->left, question);
	case TRING_FILTER_COMPARE:
		return compare(node, question);
	case TRING_FILTER_MATCH:
		return match(node, question);
	case TRING_FILTER_NOTHING:
		return false;
	default:
		return get_number(node, question).bits;
	}
}

/**
 * tring_filter_names - check whether a filter is for an event
 * @filter: the filter
 * @event: the event
 *
 * Return: true if it names the event.
 */
bool tring_filter_names(const struct tring_filter *filter, const struct tring_event *event)
{
	return filter->roots[event->number];
}

/**
 * tring_filter_matches - check whether a record matches
 * @filter: the filter
 * @event: the record's event
 * @record: the record, for which tring_check_record() returned NULL
 * @cpu: CPU of the record
 * @names: names of tasks
 *
 * Return: true if the filter names the event and its condition is true.
 */
bool tring_filter_matches(struct tring_filter *filter, const struct tring_event *event,
			  const struct tring_record *record, int cpu, struct tring_names *names)
{
	const struct tring_filter_node *root = filter->roots[event->number];
	struct question question = {
		.filter = filter, .record = record, .cpu = cpu, .names = names,
		.big_endian = tep_is_file_bigendian(event->parsed->tep),
	};

	return root && is_true(root, &question) && !question.failed;
}

/* Return: whether "NAME", "SYSTEM" or "SYSTEM/NAME" of a list, up to @end, is the event's. */
static bool is_named(const struct tring_event *event, const char *name, const char *end)
{
	char *copy = tring_format("%.*s", (int)(end - name), name), *slash = strchr(copy, '/');
	bool named;

	if (slash) {
		*slash = 0;
		named = !fnmatch(copy, event->system, 0) && !fnmatch(slash + 1, event->name, 0);
	} else {
		named = !fnmatch(copy, event->system, 0) || !fnmatch(copy, event->name, 0);
	}
	free(copy);
	return named;
}

/* Compiles for all events of a name. Return: whether there are any. */
static bool compile_named(struct tring_filter *filter, const char *text, size_t start,
			  size_t end, size_t condition, bool *asked, bool *known)
{
	struct tring_filter_fault *fault = &filter->fault;
	bool any = false;
	size_t i;

	for (i = 0; i < filter->events->count && !fault->why; i++) {
		const struct tring_event *event = filter->events->list[i];
		struct tring_filter_node **root = &filter->roots[i];

		if (!is_named(event, text + start, text + end))
			continue;
		any = true;
		if (*root)
			continue;
		if (text[condition]) {
			*root = tring_filter_parse(event, text, condition, asked, known, fault);
			continue;
		}
		*root = tring_allocate(sizeof(**root));
		(*root)->number = 1;
	}
	return any;
}

static void compile_all(struct tring_filter *filter, const char *text, bool *asked, bool *known)
{
	struct tring_filter_fault *fault = &filter->fault;
	size_t end = strcspn(text, ":"), condition = end + !!text[end], at = 0, i;

	while (!fault->why) {
		size_t size, start;

		at += strspn(text + at, " \t");
		start = at;
		size = strcspn(text + start, ",:");
		at += size;
		while (size && strchr(" \t", text[start + size - 1]))
			size--;
		if (!compile_named(filter, text, start, start + size, condition, asked, known) &&
		    !fault->why) {
			fault->why = "the trace has no such event";
			fault->at = start;
		}
		if (text[at] != ',')
			break;
		at++;
	}
	for (i = 0; text[i] && !fault->why; i++) {
		if (asked[i] && !known[i]) {
			fault->why = "the event has no such field";
			fault->at = i;
		}
	}
	if (!fault->why && text[end] && !text[condition + strspn(text + condition, " \t")]) {
		fault->why = "the condition is missing";
		fault->at = end;
	}
}

static void forget_roots(struct tring_filter *filter)
{
	size_t i;

	for (i = 0; i < filter->count; i++) {
		tring_filter_free_node(filter->roots[i]);
		filter->roots[i] = NULL;
	}
}

/**
 * tring_filter_compile - compile a filter
 * @filter: filled in; to be freed with tring_filter_free() also if it is wrong, when it names no
 *	event
 * @events: the events, which must live as long as records are matched
 * @text: "EVENT[,EVENT]...[: CONDITION]"
 *
 * Of several events, some may lack a field; what is asked of it is false then.
 *
 * Return: true if the filter is right; else its @fault says what is wrong.
 */
bool tring_filter_compile(struct tring_filter *filter, const struct tring_events *events,
			  const char *text)
{
	bool *asked = tring_allocate(strlen(text) + 1);
	bool *known = tring_allocate(strlen(text) + 1);

	*filter = (struct tring_filter) {
		.events = events, .count = events->count,
		.roots = tring_allocate(events->count * sizeof(*filter->roots)),
	};
	compile_all(filter, text, asked, known);
	if (filter->fault.why)
		forget_roots(filter);
	free(asked);
	free(known);
	return !filter->fault.why;
}

/**
 * tring_filter_free - free a filter
 * @filter: the filter
 */
void tring_filter_free(struct tring_filter *filter)
{
	forget_roots(filter);
	free(filter->roots);
	free(filter->buffer);
}
