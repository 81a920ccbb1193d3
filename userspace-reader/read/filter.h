/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Filters by an event's fields, in trace-cmd's grammar.
 *
 * libtraceevent's own filters are not used: its parser frees memory twice after some syntax
 * errors, takes a misspelt field for one that never matches and "a == -5" for "a - 5", and
 * compares negative numbers as large ones.
 */
#ifndef TRING_FILTER_H
#define TRING_FILTER_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <traceevent/event-parse.h>

#include "event/events.h"
#include "event/names.h"
#include "wire/wire.h"

enum tring_filter_kind {
	/* numbers */
	TRING_FILTER_NUMBER,
	TRING_FILTER_FIELD,
	TRING_FILTER_TYPE,
	TRING_FILTER_FLAGS,
	TRING_FILTER_PREEMPT,
	TRING_FILTER_PID,
	TRING_FILTER_CPU,
	TRING_FILTER_MATH,
	/* truths */
	TRING_FILTER_COMPARE,
	TRING_FILTER_MATCH,
	TRING_FILTER_AND,
	TRING_FILTER_OR,
	TRING_FILTER_NOT,
	/* texts */
	TRING_FILTER_LITERAL,
	TRING_FILTER_STRING,
	TRING_FILTER_COMM,
	/* the event has no such field */
	TRING_FILTER_NOTHING,
};

/* Operators, in the order of the parser's table. */
enum tring_filter_operator {
	TRING_OP_OR, TRING_OP_AND, TRING_OP_REGEX, TRING_OP_NOT_REGEX, TRING_OP_EQUAL,
	TRING_OP_NOT_EQUAL, TRING_OP_LEFT, TRING_OP_RIGHT, TRING_OP_AT_MOST, TRING_OP_AT_LEAST,
	TRING_OP_LESS, TRING_OP_MORE, TRING_OP_GLOB, TRING_OP_BITS_OR, TRING_OP_BITS_XOR,
	TRING_OP_BITS_AND, TRING_OP_PLUS, TRING_OP_MINUS, TRING_OP_TIMES, TRING_OP_DIVIDE,
	TRING_OP_MODULO,
};

/**
 * struct tring_filter_node - a part of a filter
 * @kind: what it is
 * @operator: operator of a calculation, a comparison or a match
 * @left: left operand; of a match the text's field
 * @right: right operand
 * @number: value of a number
 * @is_signed: the number may be negative
 * @field: the field
 * @text: literal text
 * @regex: compiled @text, with TRING_OP_REGEX and TRING_OP_NOT_REGEX
 * @has_regex: @regex is valid
 */
struct tring_filter_node {
	enum tring_filter_kind kind;
	enum tring_filter_operator operator;
	struct tring_filter_node *left;
	struct tring_filter_node *right;
	uint64_t	number;
	bool		is_signed;
	struct tring_field field;
	char		*text;
	regex_t		regex;
	bool		has_regex;
};

/**
 * struct tring_filter_fault - what is wrong with a filter
 * @why: the reason, or NULL
 * @at: where, in the filter's text
 */
struct tring_filter_fault {
	const char	*why;
	size_t		at;
};

/**
 * struct tring_filter - a filter
 * @events: the events, which need not outlive the filter to free it
 * @roots: the filter for each event of @events; NULL for those that it does not name
 * @count: number of @roots
 * @fault: what is wrong with it
 * @buffer: text of a field, with a NUL behind it
 * @size: bytes of @buffer
 */
struct tring_filter {
	const struct tring_events *events;
	struct tring_filter_node **roots;
	size_t		count;
	struct tring_filter_fault fault;
	char		*buffer;
	size_t		size;
};

bool tring_filter_compile(struct tring_filter *filter, const struct tring_events *events,
			  const char *text);
struct tring_filter_node *tring_filter_parse(const struct tring_event *event, const char *text,
					     size_t at, bool *asked, bool *known,
					     struct tring_filter_fault *fault);
void tring_filter_free_node(struct tring_filter_node *node);
bool tring_filter_names(const struct tring_filter *filter, const struct tring_event *event);
bool tring_filter_matches(struct tring_filter *filter, const struct tring_event *event,
			  const struct tring_record *record, int cpu,
			  struct tring_names *names);
void tring_filter_free(struct tring_filter *filter);

#endif /* TRING_FILTER_H */
