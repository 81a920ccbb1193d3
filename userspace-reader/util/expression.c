// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Arithmetic of print formats.
 *
 * libtraceevent parses a format into a tree and walks the tree for each event,
 * comparing the names of operators and types. This file compiles the tree into
 * a list of steps, once. The semantics are libtraceevent's, not C's: all numbers
 * are unsigned and have 64 bits, a field's sign is not extended, and a cast
 * truncates. An expression whose exact value is uncertain is not compiled.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "expression.h"
#include "util.h"

/**
 * struct compiler - state of a compilation
 * @event: event whose print format contains the expression
 * @steps: steps compiled so far
 * @count: number of steps
 */
struct compiler {
	const struct tring_event *event;
	struct tring_step steps[TRING_EXPRESSION_STEPS];
	unsigned int	count;
};

static bool add_step(struct compiler *compiler, struct tring_step step)
{
	if (compiler->count == TRING_EXPRESSION_STEPS)
		return false;
	compiler->steps[compiler->count++] = step;
	return true;
}

static bool add_value(struct compiler *compiler, uint64_t value)
{
	return add_step(compiler, (struct tring_step){
			.kind = TRING_STEP_VALUE, .value = value });
}

static bool add_kind(struct compiler *compiler, unsigned int kind)
{
	return add_step(compiler, (struct tring_step){ .kind = kind });
}

/*
 * Only the fixed part is certain to be in every payload. The bytes before the
 * fields are not recorded.
 */
static bool add_load(struct compiler *compiler, uint64_t offset, uint64_t size)
{
	if (offset < TRING_PAYLOAD_HEAD ||
	    offset > compiler->event->fixed_size ||
	    size > compiler->event->fixed_size - offset)
		return false;
	/* libtraceevent evaluates a number of any other size as 0 */
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return add_value(compiler, 0);
	return add_step(compiler, (struct tring_step){
			.kind = TRING_STEP_FIELD, .size = size,
			.offset = offset });
}

/**
 * tring_is_dynamic - does a field contain the location of its data?
 * @field: the field
 *
 * Return: true if it is a u32 with length and offset; tring_events_add() has
 * checked its size.
 */
bool tring_is_dynamic(const struct tep_format_field *field)
{
	return field->flags & TEP_FIELD_IS_DYNAMIC;
}

static struct tep_format_field *find_field(const struct compiler *compiler,
					   struct tep_print_arg *arg)
{
	if (arg->field.field)
		return arg->field.field;
	return tep_find_any_field(compiler->event->parsed, arg->field.name);
}

/* A cast keeps the low bits of the type's size; signedness makes no difference. */
static uint64_t find_mask(const char *type, size_t length)
{
	static const struct {
		const char *name;
		uint64_t mask;
		bool takes_unsigned;
	} masks[] = {
		{ "char", 0xff, true }, { "short", 0xffff, true },
		{ "int", 0xffffffff, true },
		{ "u8", 0xff, false }, { "s8", 0xff, false },
		{ "u16", 0xffff, false }, { "s16", 0xffff, false },
		{ "u32", 0xffffffff, false }, { "s32", 0xffffffff, false },
	};
	bool is_unsigned = length > 9 && !strncmp(type, "unsigned ", 9);
	size_t i;

	if (is_unsigned) {
		type += 9;
		length -= 9;
	}
	for (i = 0; i < sizeof(masks) / sizeof(masks[0]); i++)
		if (strlen(masks[i].name) == length &&
		    !strncmp(type, masks[i].name, length) &&
		    (masks[i].takes_unsigned || !is_unsigned))
			return masks[i].mask;
	return UINT64_MAX;
}

static bool add_mask(struct compiler *compiler, uint64_t mask)
{
	return mask == UINT64_MAX ||
	       add_step(compiler, (struct tring_step){
			.kind = TRING_STEP_MASK, .value = mask });
}

static bool compile(struct compiler *compiler, struct tep_print_arg *arg);

static bool is_constant(const struct tep_print_arg *arg, uint64_t *value)
{
	/* libtraceevent looks names up in its symbols */
	if (arg->type != TEP_PRINT_ATOM ||
	    !isdigit((unsigned char)*arg->atom.atom))
		return false;
	*value = strtoull(arg->atom.atom, NULL, 0);
	return true;
}

static bool compile_index(struct compiler *compiler, struct tep_print_arg *arg)
{
	struct tep_print_arg *array = arg->op.left, *cast = NULL;
	struct tep_format_field *field;
	uint64_t index, mask = UINT64_MAX;

	for (; array->type == TEP_PRINT_TYPE; array = array->typecast.item)
		if (!cast)
			cast = array;
	if (cast) {
		const char *type = cast->typecast.type;
		size_t length = strlen(type);

		/* "TYPE *": the mask is that of TYPE */
		if (length < 4 || type[length - 1] != '*')
			return false;
		mask = find_mask(type, length - 2);
	}
	if (array->type != TEP_PRINT_FIELD ||
	    !is_constant(arg->op.right, &index) || index > UINT16_MAX)
		return false;
	field = find_field(compiler, array);
	return field && add_load(compiler, field->offset +
				 index * field->elementsize,
				 field->elementsize) &&
	       add_mask(compiler, mask);
}

static bool compile_choice(struct compiler *compiler, struct tep_print_arg *arg)
{
	const struct tep_print_arg *sides = arg->op.right;

	return sides->type == TEP_PRINT_OP &&
	       compile(compiler, arg->op.left) &&
	       compile(compiler, sides->op.left) &&
	       compile(compiler, sides->op.right) &&
	       add_kind(compiler, TRING_STEP_SELECT);
}

static bool is_operator(const char *text)
{
	static const char * const operators[] = {
		"|", "||", "&", "&&", "==", "!=", "<", "<=", ">", ">=", "<<", ">>",
		"+", "-", "*", "/", "%",
	};
	size_t i;

	for (i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
		if (!strcmp(text, operators[i]))
			return true;
	return false;
}

static bool compile_operation(struct compiler *compiler,
			      struct tep_print_arg *arg)
{
	const char *text = arg->op.op;
	uint64_t divisor;

	if (!strcmp(text, "["))
		return compile_index(compiler, arg);
	if (!strcmp(text, "?"))
		return compile_choice(compiler, arg);
	if (!strcmp(text, "!"))
		return compile(compiler, arg->op.right) &&
		       add_kind(compiler, TRING_STEP_NOT);
	if (!strcmp(text, "~"))
		return compile(compiler, arg->op.right) &&
		       add_kind(compiler, TRING_STEP_COMPLEMENT);
	if (!is_operator(text))
		return false;
	/* libtraceevent does not check for a division by zero */
	if (strchr("/%", *text) &&
	    (!is_constant(arg->op.right, &divisor) || !divisor))
		return false;
	return compile(compiler, arg->op.left) &&
	       compile(compiler, arg->op.right) &&
	       add_kind(compiler, TRING_STEP_OPERATOR(text[0], text[1]));
}

static bool compile(struct compiler *compiler, struct tep_print_arg *arg)
{
	struct tep_format_field *field;
	uint64_t value;
	const char *type;

	switch (arg->type) {
	case TEP_PRINT_NULL:
		/* left operand of a unary sign */
		return add_value(compiler, 0);
	case TEP_PRINT_ATOM:
		return is_constant(arg, &value) && add_value(compiler, value);
	case TEP_PRINT_FIELD:
		field = find_field(compiler, arg);
		return field && add_load(compiler, field->offset, field->size);
	case TEP_PRINT_TYPE:
		type = arg->typecast.type;
		return compile(compiler, arg->typecast.item) &&
		       add_mask(compiler, find_mask(type, strlen(type)));
	case TEP_PRINT_OP:
		return compile_operation(compiler, arg);
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
		field = arg->dynarray.field;
		return field && tring_is_dynamic(field) &&
		       field->offset >= TRING_PAYLOAD_HEAD &&
		       add_step(compiler, (struct tring_step){
				.kind = TRING_STEP_DYNAMIC_LENGTH,
				.offset = field->offset });
	default:
		return false;
	}
}

/**
 * tring_expression_compile - compile a number of a print format
 * @expression: filled in; free @expression->steps with free()
 * @event: event whose print format contains the number
 * @arg: libtraceevent's tree
 *
 * Return: false if the exact value cannot be computed.
 */
bool tring_expression_compile(struct tring_expression *expression,
			      const struct tring_event *event,
			      struct tep_print_arg *arg)
{
	struct compiler compiler = { .event = event };
	size_t size;

	if (!arg || !compile(&compiler, arg))
		return false;
	size = compiler.count * sizeof(*compiler.steps);
	expression->steps = tring_allocate(size);
	memcpy(expression->steps, compiler.steps, size);
	expression->count = compiler.count;
	expression->big_endian = tep_is_file_bigendian(event->parsed->tep);
	return true;
}

static uint64_t operate(unsigned int kind, uint64_t left, uint64_t right)
{
	switch (kind) {
	case '|':
		return left | right;
	case '&':
		return left & right;
	case TRING_STEP_OPERATOR('&', '&'):
		return left && right;
	case TRING_STEP_OPERATOR('|', '|'):
		return left || right;
	case TRING_STEP_OPERATOR('=', '='):
		return left == right;
	case TRING_STEP_OPERATOR('!', '='):
		return left != right;
	case '<':
		return left < right;
	case TRING_STEP_OPERATOR('<', '='):
		return left <= right;
	case '>':
		return left > right;
	case TRING_STEP_OPERATOR('>', '='):
		return left >= right;
	case TRING_STEP_OPERATOR('<', '<'):
		/* processors use the low 6 bits of the count; libtraceevent relies on that */
		return left << (right & 63);
	case TRING_STEP_OPERATOR('>', '>'):
		return left >> (right & 63);
	case '+':
		return left + right;
	case '-':
		return left - right;
	case '*':
		return left * right;
	case '/':
		return left / right;
	default:
		return left % right;
	}
}

/**
 * tring_expression_evaluate - evaluate an expression
 * @expression: from tring_expression_compile()
 * @payload: payload that contains at least the event's fixed part
 *
 * Return: the number.
 */
uint64_t tring_expression_evaluate(const struct tring_expression *expression,
				   const uint8_t *payload)
{
	bool big_endian = expression->big_endian;
	uint64_t stack[TRING_EXPRESSION_STEPS], *top = stack;
	unsigned int i;

	for (i = 0; i < expression->count; i++) {
		const struct tring_step *step = &expression->steps[i];

		switch (step->kind) {
		case TRING_STEP_VALUE:
			*top++ = step->value;
			break;
		case TRING_STEP_FIELD:
			*top++ = tring_load(payload + step->offset, step->size,
					    big_endian);
			break;
		case TRING_STEP_DYNAMIC_LENGTH:
			*top++ = tring_load_u32(payload + step->offset,
						big_endian) >> 16;
			break;
		case TRING_STEP_MASK:
			top[-1] &= step->value;
			break;
		case TRING_STEP_NOT:
			top[-1] = !top[-1];
			break;
		case TRING_STEP_COMPLEMENT:
			top[-1] = ~top[-1];
			break;
		case TRING_STEP_SELECT:
			top -= 2;
			top[-1] = top[-1] ? top[0] : top[1];
			break;
		default:
			top--;
			top[-1] = operate(step->kind, top[-1], top[0]);
			break;
		}
	}
	return top[-1];
}
