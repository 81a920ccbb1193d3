// SPDX-License-Identifier: GPL-2.0
/*
 * Printing of a payload by its event's plan.
 *
 * The payload is read in place. The printer has checked that its fixed part is
 * complete and that its dynamic fields are inside. Bytes beyond the payload's
 * end read as zeroes, as in the copy that libtraceevent gets.
 */
#include <string.h>

#include "plan.h"

/**
 * struct run - a payload being printed
 * @plan: the event's plan
 * @trace: the trace, which knows the kernel's functions
 * @line: line to add the text to
 * @payload: the payload
 * @length: bytes of @payload
 */
struct run {
	const struct tring_plan *plan;
	struct tring_trace *trace;
	struct tring_line *line;
	const uint8_t *payload;
	uint32_t length;
};

static inline uint64_t evaluate(const struct run *run,
				const struct tring_plan_op *op)
{
	if (op->number_size)
		return tring_load(run->payload + op->offset, op->number_size,
				  run->plan->big_endian);
	return tring_expression_evaluate(&op->expression, run->payload);
}

static void add_hex(struct tring_line *line, uint64_t value)
{
	tring_line_room(line, TRING_LINE_NUMBER);
	*line->at++ = '0';
	*line->at++ = 'x';
	line->at = tring_put_hex(line->at, value);
}

static void run_number(const struct run *run, const struct tring_plan_op *op)
{
	uint64_t value = evaluate(run, op);
	unsigned int unused = 64 - op->bits;

	if (op->form.is_signed)
		value = (int64_t)(value << unused) >> unused;
	else
		value = value << unused >> unused;
	tring_line_number(run->line, value, &op->form);
}

static void add_function(const struct run *run, uint64_t address, bool exact)
{
	const struct tring_symbol *symbol;

	symbol = tring_function(run->trace, address);
	if (!symbol->name) {
		add_hex(run->line, address);
		return;
	}
	tring_line_string(run->line, symbol->name);
	if (exact) {
		tring_line_char(run->line, '+');
		add_hex(run->line, address - symbol->address);
	}
}

/* The hrtimer plugin prints "start - address" as the offset, in at most 127 characters. */
static void add_function_back(const struct run *run, uint64_t address)
{
	static const struct tring_number_form eight = {
		.base = 16, .zeroes = true, .width = 8, .precision = -1,
	};
	const size_t most = 127;
	const struct tring_symbol *symbol;
	size_t start = run->line->at - run->line->start;

	symbol = tring_function(run->trace, address);
	if (symbol->name) {
		tring_line_string(run->line, symbol->name);
		tring_line_char(run->line, '/');
		add_hex(run->line, symbol->address - address);
		if (run->line->at - run->line->start > (ptrdiff_t)(start + most))
			run->line->at = run->line->start + start + most;
	} else {
		tring_line_string(run->line, "0x");
		tring_line_number(run->line, address, &eight);
	}
}

/* The kmem plugin prints the caller before the text of the print format. */
static void add_caller(const struct run *run, uint64_t address)
{
	const struct tring_symbol *symbol;

	symbol = tring_function(run->trace, address);
	if (!symbol->name)
		return;
	tring_line_char(run->line, '(');
	tring_line_string(run->line, symbol->name);
	tring_line_char(run->line, '+');
	add_hex(run->line, (uint32_t)(address - symbol->address));
	tring_line_string(run->line, ") ");
}

static void add_string(const struct run *run, const struct tring_plan_op *op,
		       uint32_t offset, uint32_t most)
{
	const char *text = (const char *)run->payload + offset;
	size_t size;

	if (most > run->length - offset)
		most = run->length - offset;
	if (op->precision >= 0 && most > (uint32_t)op->precision)
		most = op->precision;
	size = strnlen(text, most);
	if (op->width)
		tring_line_padded(run->line, text, size, op->width, op->left);
	else
		tring_line_text(run->line, text, size);
}

/* Return: offset of a dynamic field's data; @size is set to its length. */
static uint32_t place_dynamic(const struct run *run,
			      const struct tring_plan_op *op, uint32_t *size)
{
	uint32_t place = tring_load_u32(run->payload + op->offset,
					run->plan->big_endian);

	*size = place >> 16;
	place &= 0xffff;
	return op->relative ? place + op->offset + 4 : place;
}

static void run_dynamic_string(const struct run *run,
			       const struct tring_plan_op *op)
{
	uint32_t size, offset = place_dynamic(run, op, &size);

	/* libtraceevent ignores a nonzero length: the string ends at a NUL */
	if (size)
		add_string(run, op, offset, UINT32_MAX);
}

static void run_flags(const struct run *run, const struct tring_plan_op *op)
{
	int64_t value = evaluate(run, op);
	bool printed = false;
	size_t i;

	for (i = 0; i < op->name_count; i++) {
		const struct tring_plan_name *name = &op->names[i];

		if (!value && name->value < 0) {
			tring_line_text(run->line, name->text, name->size);
			break;
		}
		if (name->value <= 0 || (value & name->value) != name->value)
			continue;
		if (printed)
			tring_line_text(run->line, op->text, op->text_size);
		tring_line_text(run->line, name->text, name->size);
		printed = true;
		value &= ~name->value;
	}
	if (!value)
		return;
	if (printed)
		tring_line_text(run->line, op->text, op->text_size);
	add_hex(run->line, value);
}

static void run_symbol(const struct run *run, const struct tring_plan_op *op)
{
	int64_t value = evaluate(run, op);
	size_t i;

	for (i = 0; i < op->name_count; i++) {
		if (op->names[i].value == value) {
			tring_line_text(run->line, op->names[i].text,
					op->names[i].size);
			return;
		}
	}
	add_hex(run->line, value);
}

/* Prints the letters of the sched_switch plugin. */
static void run_task_state(const struct run *run,
			   const struct tring_plan_op *op)
{
	uint64_t state = evaluate(run, op);
	bool found = false;
	unsigned int bit;

	for (bit = 0; bit < op->text_size; bit++) {
		if (!op->text[bit] || !(state >> bit & 1))
			continue;
		if (found)
			tring_line_char(run->line, '|');
		tring_line_char(run->line, op->text[bit]);
		found = true;
	}
	if (!found)
		tring_line_char(run->line, 'R');
}

static void run_op(const struct run *run, const struct tring_plan_op *op)
{
	struct tring_line *line = run->line;
	uint64_t value;

	switch (op->kind) {
	case TRING_PLAN_TEXT:
		tring_line_short(line, op->text, op->text_size);
		break;
	case TRING_PLAN_NUMBER:
		run_number(run, op);
		break;
	case TRING_PLAN_POINTER:
		value = evaluate(run, op);
		if (value)
			add_hex(line, value);
		else
			tring_line_string(line, "(nil)");
		break;
	case TRING_PLAN_FUNCTION:
		add_function(run, evaluate(run, op), op->exact);
		break;
	case TRING_PLAN_ARRAY_STRING:
		add_string(run, op, op->offset, op->size);
		break;
	case TRING_PLAN_DYNAMIC_STRING:
		run_dynamic_string(run, op);
		break;
	case TRING_PLAN_FLAGS:
		run_flags(run, op);
		break;
	case TRING_PLAN_SYMBOL:
		run_symbol(run, op);
		break;
	case TRING_PLAN_TASK_STATE:
		run_task_state(run, op);
		break;
	case TRING_PLAN_FUNCTION_BACK:
		add_function_back(run, evaluate(run, op));
		break;
	case TRING_PLAN_CALLER:
		add_caller(run, evaluate(run, op));
		break;
	}
}

/**
 * tring_plan_run - print an event's fields by its plan
 * @plan: from tring_plan_compile()
 * @trace: the trace, which knows the kernel's functions
 * @line: line to add the text to
 * @payload: payload that contains the event's fixed part and all of its dynamic
 *	data
 * @length: bytes of @payload
 */
void tring_plan_run(const struct tring_plan *plan, struct tring_trace *trace,
		    struct tring_line *line, const uint8_t *payload, uint32_t length)
{
	const struct run run = {
		.plan = plan, .trace = trace, .line = line,
		.payload = payload, .length = length,
	};
	size_t at;

	for (at = 0; at < plan->count; at++) {
		const struct tring_plan_op *op = &plan->ops[at];

		if (op->kind == TRING_PLAN_SKIP ||
		    (op->kind == TRING_PLAN_SKIP_IF_ZERO &&
		     !evaluate(&run, op)))
			at += op->skip;
		else
			run_op(&run, op);
	}
}
