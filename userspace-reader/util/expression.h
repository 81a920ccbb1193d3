/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Arithmetic of print formats: compiled once from libtraceevent's tree, then evaluated. */
#ifndef TRING_EXPRESSION_H
#define TRING_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <traceevent/event-parse.h>

#include "number.h"
#include "tring.h"

/* Step limit of an expression; no format of the kernel needs as many. */
#define TRING_EXPRESSION_STEPS	48

enum tring_step_kind {
	TRING_STEP_VALUE,
	TRING_STEP_FIELD,
	TRING_STEP_DYNAMIC_LENGTH,
	TRING_STEP_MASK,
	TRING_STEP_NOT,
	TRING_STEP_COMPLEMENT,
	TRING_STEP_SELECT,
};

/* An operator of two numbers, by its characters, the second of which may be 0. */
#define TRING_STEP_OPERATOR(first, second)	((first) | (second) << 8)

/**
 * struct tring_step - one operation on a stack of numbers
 * @kind: operation, enum tring_step_kind or TRING_STEP_OPERATOR()
 * @size: size of the field to push, in bytes
 * @offset: offset of the field in the payload
 * @value: number to push, or mask
 */
struct tring_step {
	uint16_t	kind;
	uint8_t		size;
	uint32_t	offset;
	uint64_t	value;
};

/**
 * struct tring_expression - a number computed from a payload's fields
 * @steps: operations in postfix order
 * @count: number of steps
 * @big_endian: byte order of the payload
 */
struct tring_expression {
	struct tring_step *steps;
	unsigned int	count;
	bool		big_endian;
};

bool tring_expression_compile(struct tring_expression *expression,
			      const struct tring_event *event,
			      struct tep_print_arg *arg);
uint64_t tring_expression_evaluate(const struct tring_expression *expression,
				   const uint8_t *payload);
bool tring_is_dynamic(const struct tep_format_field *field);

#endif /* TRING_EXPRESSION_H */
