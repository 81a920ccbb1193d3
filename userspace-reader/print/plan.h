/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How an event's fields are printed, worked out once an event id.
 *
 * A plan writes byte for byte what libtraceevent does. There is none where that
 * cannot be told for all payloads; then libtraceevent prints the event.
 */
#ifndef TRING_PLAN_H
#define TRING_PLAN_H

#include <stdbool.h>
#include <stdint.h>
#include <traceevent/event-parse.h>

#include "events.h"
#include "expression.h"
#include "line.h"

enum tring_plan_kind {
	TRING_PLAN_TEXT,
	TRING_PLAN_NUMBER,
	TRING_PLAN_POINTER,
	TRING_PLAN_FUNCTION,
	TRING_PLAN_ARRAY_STRING,
	TRING_PLAN_DYNAMIC_STRING,
	TRING_PLAN_FLAGS,
	TRING_PLAN_SYMBOL,
	TRING_PLAN_HEX,
	TRING_PLAN_NUMBERS,
	TRING_PLAN_SKIP,
	TRING_PLAN_SKIP_IF_ZERO,
	TRING_PLAN_TASK_STATE,
	TRING_PLAN_CALLER,
	TRING_PLAN_FUNCTION_BACK,
	TRING_PLAN_NEEDS_NAME,
};

/**
 * struct tring_plan_name - a name for a number
 * @value: the number
 * @text: the name, with the blanks that a width asks for
 * @size: characters of @text
 */
struct tring_plan_name {
	int64_t		value;
	char		*text;
	uint32_t	size;
};

/**
 * struct tring_plan_op - one piece of the output
 * @kind: which
 * @number_size: bytes of the field that is all of the number, 0 if
 *	@expression is needed
 * @bits: of the number that count for its conversion, 8 to 64
 * @left: a string's blanks go behind it
 * @relative: a dynamic string lies from its field's end on
 * @exact: a function's offset is printed, too
 * @blanks: between a dump's bytes
 * @dynamic: an array lies where the payload says
 * @offset: of the field in the payload
 * @size: of the field, or of the elements of an array of numbers
 * @width: of a string
 * @precision: of a string, -1 for none
 * @skip: operations to pass over; of a name that is needed, its offset
 * @form: of a number
 * @expression: what is printed, asked for or counted
 * @text: as it is, or what stands between flags
 * @text_size: characters of @text
 * @names: of flags and symbols
 * @name_count: how many
 */
struct tring_plan_op {
	uint8_t		kind;
	uint8_t		number_size;
	uint8_t		bits;
	bool		left;
	bool		relative;
	bool		exact;
	bool		blanks;
	bool		dynamic;
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
 * struct tring_plan - an event's output
 * @ops: in order
 * @count: how many
 * @tep: knows the kernel's functions
 * @big_endian: byte order of the payloads
 */
struct tring_plan {
	struct tring_plan_op *ops;
	size_t		count;
	struct tep_handle *tep;
	bool		big_endian;
};

/**
 * enum tring_plan_result - what became of a payload
 * @TRING_PLAN_DONE: it is printed
 * @TRING_PLAN_ASK: libtraceevent must print this one
 * @TRING_PLAN_BAD: it asks for more than a payload can have, and libtraceevent
 *	must not print it either
 */
enum tring_plan_result {
	TRING_PLAN_DONE,
	TRING_PLAN_ASK,
	TRING_PLAN_BAD,
};

struct tring_symbols;

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
enum tring_plan_result tring_plan_run(const struct tring_plan *plan,
				      struct tring_symbols *symbols,
				      struct tring_line *line,
				      const uint8_t *payload, uint32_t length);
void tring_plan_free(struct tring_plan *plan);

#endif /* TRING_PLAN_H */
