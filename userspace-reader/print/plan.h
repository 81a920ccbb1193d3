/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Plans: how an event's fields are printed, compiled once per event.
 *
 * A plan writes the same bytes as libtraceevent. An event has no plan if that
 * is not certain for all payloads; libtraceevent prints such an event.
 */
#ifndef TRING_PLAN_H
#define TRING_PLAN_H

#include <stdbool.h>
#include <stdint.h>
#include <traceevent/event-parse.h>

#include "tring.h"
#include "util/expression.h"
#include "util/line.h"

enum tring_plan_kind {
	TRING_PLAN_TEXT,
	TRING_PLAN_NUMBER,
	TRING_PLAN_POINTER,
	TRING_PLAN_FUNCTION,
	TRING_PLAN_ARRAY_STRING,
	TRING_PLAN_DYNAMIC_STRING,
	TRING_PLAN_FLAGS,
	TRING_PLAN_SYMBOL,
	TRING_PLAN_SKIP,
	TRING_PLAN_SKIP_IF_ZERO,
	TRING_PLAN_TASK_STATE,
	TRING_PLAN_CALLER,
	TRING_PLAN_FUNCTION_BACK,
};

/**
 * struct tring_plan_name - name of a number
 * @value: the number
 * @text: the name, padded to the conversion's width
 * @size: characters of @text
 */
struct tring_plan_name {
	int64_t		value;
	char		*text;
	uint32_t	size;
};

/**
 * struct tring_plan_op - one piece of the output
 * @kind: operation, enum tring_plan_kind
 * @number_size: bytes of the field, if the number is a single field; 0 if
 *	@expression must be evaluated
 * @bits: bits of the number that its conversion uses, 8 to 64
 * @left: left-align a string
 * @relative: location of dynamic data is relative to the end of its field
 * @exact: print a function's offset, too
 * @offset: offset of the field in the payload
 * @size: size of the field
 * @width: minimum width of a string
 * @precision: maximum length of a string; -1 for no limit
 * @skip: number of operations to skip
 * @form: format of a number
 * @expression: number to print, or condition
 * @text: literal text, or the delimiter of flags
 * @text_size: characters of @text
 * @names: names of flags or symbols
 * @name_count: number of @names
 */
struct tring_plan_op {
	uint8_t		kind;
	uint8_t		number_size;
	uint8_t		bits;
	bool		left;
	bool		relative;
	bool		exact;
	uint32_t	offset;
	uint32_t	size;
	int		width;
	int		precision;
	unsigned int	skip;
	struct tring_number_form form;
	struct tring_expression expression;
	char		*text;
	uint32_t	text_size;
	struct tring_plan_name *names;
	size_t		name_count;
};

/**
 * struct tring_plan - how to print an event
 * @ops: operations, in order
 * @count: number of operations
 * @tep: libtraceevent's handle, with the kernel's functions
 * @big_endian: byte order of the payloads
 */
struct tring_plan {
	struct tring_plan_op *ops;
	size_t		count;
	struct tep_handle *tep;
	bool		big_endian;
};

bool tring_plan_compile(struct tring_plan *plan,
			const struct tring_event *event);
bool tring_plan_compile_format(struct tring_plan *plan,
			       const struct tring_event *event);
bool tring_plan_compile_handler(struct tring_plan *plan,
				const struct tring_event *event);
struct tring_plan_op *tring_plan_add(struct tring_plan *plan,
				     enum tring_plan_kind kind);
bool tring_plan_add_text(struct tring_plan *plan, const char *text,
			 size_t size);
void tring_plan_run(const struct tring_plan *plan, struct tring_trace *trace,
		    struct tring_line *line, const uint8_t *payload, uint32_t length);
void tring_plan_free(struct tring_plan *plan);

#endif /* TRING_PLAN_H */
