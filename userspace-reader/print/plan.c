// SPDX-License-Identifier: GPL-2.0
/*
 * Compiler from print formats to plans.
 *
 * libtraceevent parses "print fmt:" into a format string and one tree per
 * argument. The compiler goes through the string conversion by conversion, as
 * libtraceevent does. It gives up at the first conversion or argument that is
 * rare, or that depends on more than the payload and the kernel's symbols.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "conversion.h"
#include "plan.h"
#include "tring_format.h"
#include "util/text.h"
#include "util/util.h"

/* Limit for nested "?:" between strings; formats that exceed it get no plan. */
#define NESTING_MAX		8

/**
 * tring_plan_add - append an operation
 * @plan: the plan
 * @kind: kind of the operation
 *
 * Return: the operation, all but its kind zeroed; valid until the next call.
 */
struct tring_plan_op *tring_plan_add(struct tring_plan *plan,
				     enum tring_plan_kind kind)
{
	struct tring_plan_op *op;

	plan->ops = tring_one_more(plan->ops, plan->count, sizeof(*op));
	op = &plan->ops[plan->count++];
	memset(op, 0, sizeof(*op));
	op->kind = kind;
	return op;
}

/**
 * tring_plan_add_text - append literal text
 * @plan: the plan
 * @text: the text
 * @size: characters of @text
 *
 * Return: true, so that callers can chain it with operations that can fail.
 */
bool tring_plan_add_text(struct tring_plan *plan, const char *text, size_t size)
{
	struct tring_plan_op *op = tring_plan_add(plan, TRING_PLAN_TEXT);

	op->text = tring_allocate(size + TRING_LINE_SHORT);
	memcpy(op->text, text, size);
	op->text_size = size;
	return true;
}

/**
 * tring_plan_free - free a plan
 * @plan: from tring_plan_compile(), or zeroed
 */
void tring_plan_free(struct tring_plan *plan)
{
	size_t i, k;

	for (i = 0; i < plan->count; i++) {
		struct tring_plan_op *op = &plan->ops[i];

		for (k = 0; k < op->name_count; k++)
			free(op->names[k].text);
		free(op->names);
		free(op->text);
		free(op->expression.steps);
	}
	free(plan->ops);
	memset(plan, 0, sizeof(*plan));
}

/* Return: the event's field; NULL for common fields, which a record does not contain. */
static struct tep_format_field *find_own_field(const struct tring_event *event,
					       struct tep_format_field *field,
					       const char *name)
{
	if (!field)
		field = tep_find_any_field(event->parsed, name);
	return field && field->offset >= TRING_PAYLOAD_HEAD ? field : NULL;
}

/* Most numbers are a single field, which is loaded without evaluating steps. */
static bool add_expression(struct tring_plan_op *op,
			   const struct tring_event *event,
			   struct tep_print_arg *arg)
{
	const struct tring_step *first;

	if (!tring_expression_compile(&op->expression, event, arg))
		return false;
	first = op->expression.steps;
	if (op->expression.count == 1 && first->kind == TRING_STEP_FIELD) {
		op->number_size = first->size;
		op->offset = first->offset;
	}
	return true;
}

static bool compile_number(struct tring_plan *plan,
			   const struct tring_event *event,
			   const struct tring_conversion *conversion,
			   struct tep_print_arg *arg)
{
	static const uint8_t bits[] = { 8, 16, 32, 64, 64 };
	struct tring_plan_op *op = tring_plan_add(plan, TRING_PLAN_NUMBER);

	op->form = conversion->form;
	op->bits = bits[conversion->longs + 2];
	switch (conversion->letter) {
	case 'd':
	case 'i':
		op->form.is_signed = true;
		op->form.base = 10;
		break;
	case 'u':
		op->form.base = 10;
		break;
	case 'o':
		op->form.base = 8;
		break;
	default:
		op->form.base = 16;
		op->form.upper = conversion->letter == 'X';
		break;
	}
	return add_expression(op, event, arg);
}

/* An unknown letter after "%p" is printed as text. */
static bool compile_pointer(struct tring_plan *plan,
			    const struct tring_event *event,
			    struct tring_conversion *conversion, char letter,
			    struct tep_print_arg *arg)
{
	struct tring_plan_op *op;

	if (arg->type == TEP_PRINT_BSTRING)
		return false;
	/* network addresses, UUIDs and dumps */
	if (letter && strchr("mMiIUh", letter))
		return false;
	op = tring_plan_add(plan, TRING_PLAN_POINTER);
	if (letter && strchr("fFsS", letter)) {
		op->kind = TRING_PLAN_FUNCTION;
		op->exact = letter == 'F' || letter == 'S';
		conversion->size++;
	}
	return conversion->size <= TRING_CONVERSION_MAX &&
	       add_expression(op, event, arg);
}

static bool compile_array(struct tring_plan *plan,
			  const struct tring_event *event,
			  const struct tring_conversion *conversion,
			  const struct tep_print_arg *arg)
{
	const struct tep_format_field *field;
	struct tring_plan_op *op;

	field = find_own_field(event, arg->field.field, arg->field.name);
	/* size 0: the rest of the payload; 8 bytes: a pointer to a kernel string */
	if (!field || !field->size ||
	    (!(field->flags & TEP_FIELD_IS_ARRAY) && field->size == 8))
		return false;
	op = tring_plan_add(plan, TRING_PLAN_ARRAY_STRING);
	op->offset = field->offset;
	op->size = field->size;
	op->width = conversion->form.width;
	op->precision = conversion->form.precision;
	op->left = conversion->form.left;
	return true;
}

static bool compile_dynamic(struct tring_plan *plan,
			    const struct tring_event *event,
			    const struct tring_conversion *conversion,
			    const struct tep_print_arg *arg)
{
	const struct tep_format_field *field;
	struct tring_plan_op *op;

	field = find_own_field(event, arg->string.field, arg->string.string);
	if (!field || !tring_is_dynamic(field))
		return false;
	op = tring_plan_add(plan, TRING_PLAN_DYNAMIC_STRING);
	op->offset = field->offset;
	op->relative = field->flags & TEP_FIELD_IS_RELATIVE;
	op->width = conversion->form.width;
	op->precision = conversion->form.precision;
	op->left = conversion->form.left;
	return true;
}

/* Return: the text as the string conversion prints it. */
static char *convert_text(const struct tring_conversion *conversion, const char *text)
{
	int precision = conversion->form.precision;
	int size = strlen(text);

	if (precision >= 0 && size > precision)
		size = precision;
	return tring_format("%*.*s", conversion->form.left ?
			    -conversion->form.width : conversion->form.width,
			    size, text);
}

/*
 * The kernel replaces most names of enums by numbers. libtraceevent knows some
 * of the others, of softirqs and of a timer function's return values, which are
 * not compiled. All other names have the value -1 there.
 */
static bool read_value(const char *text, int64_t *value)
{
	bool number = isdigit((unsigned char)*text);

	*value = number ? (int64_t)strtoull(text, NULL, 0) : -1;
	return number || (!tring_ends_with(text, "_SOFTIRQ") &&
			  !tring_ends_with(text, "RESTART"));
}

static bool add_names(struct tring_plan_op *op,
		      const struct tring_conversion *conversion,
		      const struct tep_print_flag_sym *flag)
{
	const struct tep_print_flag_sym *each;
	size_t count = 0;

	for (each = flag; each; each = each->next)
		count++;
	op->names = tring_allocate(count * sizeof(*op->names));
	for (; flag; flag = flag->next) {
		struct tring_plan_name *name = &op->names[op->name_count];

		if (!flag->str || !read_value(flag->value, &name->value))
			return false;
		name->text = convert_text(conversion, flag->str);
		name->size = strlen(name->text);
		op->name_count++;
	}
	return true;
}

static bool compile_names(struct tring_plan *plan,
			  const struct tring_event *event,
			  const struct tring_conversion *conversion,
			  struct tep_print_arg *arg)
{
	struct tring_plan_op *op;

	if (arg->type == TEP_PRINT_SYMBOL) {
		op = tring_plan_add(plan, TRING_PLAN_SYMBOL);
		return add_names(op, conversion, arg->symbol.symbols) &&
		       add_expression(op, event, arg->symbol.field);
	}
	op = tring_plan_add(plan, TRING_PLAN_FLAGS);
	op->text = tring_format("%s", arg->flags.delim ? arg->flags.delim : "");
	op->text_size = strlen(op->text);
	return add_names(op, conversion, arg->flags.flags) &&
	       add_expression(op, event, arg->flags.field);
}

static bool compile_string(struct tring_plan *plan,
			   const struct tring_event *event,
			   const struct tring_conversion *conversion,
			   struct tep_print_arg *arg, int depth);

static bool compile_choice(struct tring_plan *plan,
			   const struct tring_event *event,
			   const struct tring_conversion *conversion,
			   struct tep_print_arg *arg, int depth)
{
	struct tep_print_arg *sides = arg->op.right;
	size_t test = plan->count, jump;

	if (strcmp(arg->op.op, "?") || sides->type != TEP_PRINT_OP)
		return false;
	if (!add_expression(tring_plan_add(plan, TRING_PLAN_SKIP_IF_ZERO),
			    event, arg->op.left) ||
	    !compile_string(plan, event, conversion, sides->op.left, depth + 1))
		return false;
	jump = plan->count;
	tring_plan_add(plan, TRING_PLAN_SKIP);
	plan->ops[test].skip = plan->count - test - 1;
	if (!compile_string(plan, event, conversion, sides->op.right,
			    depth + 1))
		return false;
	plan->ops[jump].skip = plan->count - jump - 1;
	return true;
}

static bool compile_text(struct tring_plan *plan,
			 const struct tring_conversion *conversion, const char *text)
{
	char *converted = convert_text(conversion, text);

	tring_plan_add_text(plan, converted, strlen(converted));
	free(converted);
	return true;
}

static bool compile_string(struct tring_plan *plan,
			   const struct tring_event *event,
			   const struct tring_conversion *conversion,
			   struct tep_print_arg *arg, int depth)
{
	if (depth > NESTING_MAX || conversion->longs ||
	    conversion->form.zeroes || conversion->form.alternate)
		return false;
	switch (arg->type) {
	case TEP_PRINT_FIELD:
		return compile_array(plan, event, conversion, arg);
	case TEP_PRINT_STRING:
		return compile_dynamic(plan, event, conversion, arg);
	case TEP_PRINT_BSTRING:
		return compile_text(plan, conversion, arg->string.string);
	case TEP_PRINT_ATOM:
		return compile_text(plan, conversion, arg->atom.atom);
	case TEP_PRINT_FLAGS:
	case TEP_PRINT_SYMBOL:
		return compile_names(plan, event, conversion, arg);
	case TEP_PRINT_OP:
		return compile_choice(plan, event, conversion, arg, depth);
	default:
		return false;
	}
}

static bool compile_conversion(struct tring_plan *plan,
			       const struct tring_event *event,
			       const char **format, struct tep_print_arg **arg)
{
	struct tring_conversion conversion;
	bool good;

	if (!*arg || !tring_conversion_read(&conversion, *format))
		return false;
	switch (conversion.letter) {
	case 'd':
	case 'i':
	case 'u':
	case 'o':
	case 'x':
	case 'X':
		good = compile_number(plan, event, &conversion, *arg);
		break;
	case 'p':
		good = compile_pointer(plan, event, &conversion,
				       (*format)[conversion.size], *arg);
		break;
	case 's':
		good = compile_string(plan, event, &conversion, *arg, 0);
		break;
	default:
		good = false;
		break;
	}
	*format += conversion.size;
	*arg = (*arg)->next;
	return good;
}

/* Compiles the text up to the next conversion. */
static bool compile_literal(struct tring_plan *plan, const char **format)
{
	char *text = tring_allocate(strlen(*format) + 1), *to = text;
	const char *at;
	bool good = true;

	for (at = *format; *at && good; at++) {
		if (*at == '%') {
			if (at[1] != '%')
				break;
			at++;
			*to++ = '%';
		} else if (*at != '\\') {
			*to++ = *at;
		} else if (!at[1]) {
			good = false;
		} else {
			at++;
			*to++ = *at == 'n' ? '\n' : *at == 't' ? '\t' :
				*at == 'r' ? '\r' : *at;
		}
	}
	*format = at;
	tring_plan_add_text(plan, text, to - text);
	free(text);
	return good;
}

/**
 * tring_plan_compile_format - compile an event's print format
 * @plan: plan to append to
 * @event: the event
 *
 * Return: false if the format cannot be compiled.
 */
bool tring_plan_compile_format(struct tring_plan *plan,
			       const struct tring_event *event)
{
	struct tep_print_arg *arg = event->parsed->print_fmt.args;
	const char *format = event->parsed->print_fmt.format;

	while (*format)
		if (*format == '%' && format[1] != '%' ?
		    !compile_conversion(plan, event, &format, &arg) :
		    !compile_literal(plan, &format))
			return false;
	return true;
}

/**
 * tring_plan_compile - compile how an event is printed
 * @plan: filled in; free it with tring_plan_free() if the result is true
 * @event: the event; libtraceevent's plugins must be loaded
 *
 * Return: true if the event has a plan.
 */
bool tring_plan_compile(struct tring_plan *plan,
			const struct tring_event *event)
{
	const int odd = TEP_EVENT_FL_ISBPRINT | TEP_EVENT_FL_FAILED |
			TEP_EVENT_FL_PRINTRAW;
	const struct tep_event *parsed = event->parsed;
	bool good;

	memset(plan, 0, sizeof(*plan));
	plan->tep = parsed->tep;
	plan->big_endian = tep_is_file_bigendian(plan->tep);
	if (parsed->flags & odd || !parsed->print_fmt.format)
		return false;
	if (parsed->handler && !(parsed->flags & TEP_EVENT_FL_NOHANDLE))
		good = tring_plan_compile_handler(plan, event);
	else
		good = tring_plan_compile_format(plan, event);
	if (!good)
		tring_plan_free(plan);
	return good;
}
