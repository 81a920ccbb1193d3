// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Bounds of what libtraceevent reads and computes when it prints an event.
 *
 * libtraceevent trusts a print format: it divides by whatever a field contains,
 * prints as many bytes as a field says, and takes any argument of __print_hex()
 * for a field. So the tree of each argument is walked: when the event is loaded, for
 * what no payload makes right, and before libtraceevent prints a payload, for what
 * depends on the payload.
 */
#include <stdlib.h>
#include <string.h>

#include "bounds.h"
#include "util/expression.h"
#include "fields.h"

/* Most bytes of an array: libtraceevent gets as many zeroes after any offset. */
#define ARRAY_MAX	(2 * 65536)
#define INDEX_MAX	4095
#define WIDTH_MAX	4095
/* Bytes of an x86 instruction. */
#define INSTRUCTION_MAX	15

/**
 * struct walk - a walk through an event's arguments
 * @event: the event
 * @record: record to print; NULL if only the tree is checked
 * @wrong: why the record must not be printed
 * @characters: number of "%c" in the format
 * @stars: number of "*" in it
 */
struct walk {
	const struct tring_event *event;
	const struct tring_record *record;
	const char	*wrong;
	unsigned int	characters;
	unsigned int	stars;
};

static bool walk_argument(struct walk *walk, struct tep_print_arg *arg);

/* Return: false if the number cannot be computed. Without a record it is 1. */
static bool evaluate(const struct walk *walk, struct tep_print_arg *arg,
		     uint64_t *value)
{
	struct tring_expression expression;

	if (!tring_expression_compile(&expression, walk->event, arg))
		return false;
	*value = walk->record ?
		 tring_expression_evaluate(&expression, walk->record->payload) : 1;
	free(expression.steps);
	return true;
}

static bool fail(struct walk *walk, const char *wrong)
{
	walk->wrong = wrong;
	return false;
}

static bool is_at_most(struct walk *walk, struct tep_print_arg *arg,
		       uint64_t most, const char *wrong)
{
	uint64_t value;

	if (!evaluate(walk, arg, &value))
		return false;
	return value <= most || fail(walk, wrong);
}

static const struct tep_format_field *find_dynamic(const struct walk *walk,
						   const char *name)
{
	const struct tep_format_field *field;

	field = tep_find_any_field(walk->event->parsed, name);
	return field && tring_is_dynamic(field) ? field : NULL;
}

/* libtraceevent allocates gigabytes for a mask without a bit. */
static bool walk_mask(struct walk *walk, const char *name)
{
	const struct tep_format_field *field = find_dynamic(walk, name);
	bool big_endian = tep_is_file_bigendian(walk->event->parsed->tep);

	if (!field)
		return false;
	if (!walk->record ||
	    tring_load_u32(walk->record->payload + field->offset, big_endian) >> 16)
		return true;
	return fail(walk, "a mask of CPUs is empty");
}

/* What libtraceevent prints as an array: it takes anything else for a field. */
static bool is_array(const struct tep_print_arg *arg)
{
	if (arg->type == TEP_PRINT_DYNAMIC_ARRAY)
		return arg->dynarray.field && tring_is_dynamic(arg->dynarray.field);
	return arg->type == TEP_PRINT_FIELD && arg->field.field;
}

static bool walk_index(struct walk *walk, const struct tep_print_arg *arg)
{
	const struct tep_print_arg *array = arg->op.left;

	while (array->type == TEP_PRINT_TYPE)
		array = array->typecast.item;
	return is_array(array) &&
	       is_at_most(walk, arg->op.right, INDEX_MAX,
			  "an index is larger than an array can be");
}

/* Only the side that is printed must be good. */
static bool walk_choice(struct walk *walk, const struct tep_print_arg *arg)
{
	const struct tep_print_arg *sides = arg->op.right;
	uint64_t value;

	if (sides->type != TEP_PRINT_OP || !walk_argument(walk, arg->op.left))
		return false;
	if (!walk->record || !evaluate(walk, arg->op.left, &value))
		return walk_argument(walk, sides->op.left) &&
		       walk_argument(walk, sides->op.right);
	return walk_argument(walk, value ? sides->op.left : sides->op.right);
}

static bool walk_operation(struct walk *walk, const struct tep_print_arg *arg)
{
	uint64_t divisor;

	if (!arg->op.op || !arg->op.left || !arg->op.right)
		return false;
	if (!strcmp(arg->op.op, "["))
		return walk_index(walk, arg);
	if (!strcmp(arg->op.op, "?"))
		return walk_choice(walk, arg);
	if (!walk_argument(walk, arg->op.left) ||
	    !walk_argument(walk, arg->op.right))
		return false;
	if (strcmp(arg->op.op, "/") && strcmp(arg->op.op, "%"))
		return true;
	if (!evaluate(walk, arg->op.right, &divisor))
		return false;
	return divisor || fail(walk, "the print format divides by 0");
}

static bool walk_bytes(struct walk *walk, const struct tep_print_arg *array,
		       struct tep_print_arg *count, uint64_t size)
{
	return is_array(array) &&
	       is_at_most(walk, count, ARRAY_MAX / size,
			  "an array is longer than a payload can be");
}

static bool walk_numbers(struct walk *walk, const struct tep_print_arg *arg)
{
	const struct tep_print_arg *size = arg->int_array.el_size;
	unsigned long bytes;

	if (size->type != TEP_PRINT_ATOM)
		return false;
	bytes = strtoul(size->atom.atom, NULL, 0);
	return (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) &&
	       walk_bytes(walk, arg->int_array.field, arg->int_array.count, bytes);
}

static bool walk_calls(struct walk *walk, struct tep_print_arg *arg)
{
	for (; arg; arg = arg->next)
		if (!walk_argument(walk, arg))
			return false;
	return true;
}

/* The length of a relative array is computed through a null pointer. */
static bool has_length(const struct tep_format_field *field)
{
	return field && tring_is_dynamic(field) &&
	       !(field->flags & TEP_FIELD_IS_RELATIVE);
}

static bool walk_argument(struct walk *walk, struct tep_print_arg *arg)
{
	switch (arg->type) {
	case TEP_PRINT_NULL:
	case TEP_PRINT_ATOM:
		return true;
	case TEP_PRINT_FIELD:
	case TEP_PRINT_DYNAMIC_ARRAY:
		return is_array(arg);
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
		return has_length(arg->dynarray.field);
	case TEP_PRINT_STRING:
		return find_dynamic(walk, arg->string.string);
	case TEP_PRINT_BITMASK:
	case TEP_PRINT_CPUMASK:
		return walk_mask(walk, arg->bitmask.bitmask);
	case TEP_PRINT_TYPE:
		return walk_argument(walk, arg->typecast.item);
	case TEP_PRINT_FLAGS:
		return walk_argument(walk, arg->flags.field);
	case TEP_PRINT_SYMBOL:
		return walk_argument(walk, arg->symbol.field);
	case TEP_PRINT_HEX:
	case TEP_PRINT_HEX_STR:
		return walk_bytes(walk, arg->hex.field, arg->hex.size, 1);
	case TEP_PRINT_INT_ARRAY:
		return walk_numbers(walk, arg);
	case TEP_PRINT_FUNC:
		return walk_calls(walk, arg->func.args);
	case TEP_PRINT_OP:
		return walk_operation(walk, arg);
	default:
		return false;
	}
}

/* A "*" takes an argument of its own, and printf() as many characters as it says. */
static bool walk_conversion(struct walk *walk, const char **format,
			    struct tep_print_arg **arg)
{
	size_t size = 1 + strspn(*format + 1, "#0123456789.-*hlLzZ");
	bool star = memchr(*format, '*', size);

	*format += size;
	walk->characters += **format == 'c';
	walk->stars += star;
	/* up to 1.7 libtraceevent prints this letter without an argument */
	if (**format == 'c')
		return !star;
	if (star) {
		if (!*arg || !is_at_most(walk, *arg, WIDTH_MAX,
					 "a width is larger than a line"))
			return false;
		*arg = (*arg)->next;
	}
	if (!*arg)
		return false;
	*arg = (*arg)->next;
	return true;
}

static bool walk_format(struct walk *walk)
{
	const struct tep_event *parsed = walk->event->parsed;
	struct tep_print_arg *arg = parsed->print_fmt.args;
	const char *format = parsed->print_fmt.format;

	if (!format || !walk_calls(walk, arg))
		return false;
	for (; *format; format++) {
		if (*format == '\\' && format[1])
			format++;
		else if (*format == '%' && format[1] == '%')
			format++;
		else if (*format == '%' && !walk_conversion(walk, &format, &arg))
			return false;
		if (!*format)
			break;
	}
	/* whether "%c" takes an argument depends on the version, and so which one is a width */
	return !walk->characters || !walk->stars;
}

static bool is_event(const struct tring_event *event, const char *system, const char *name)
{
	return !strcmp(event->parsed->system, system) && !strcmp(event->parsed->name, name);
}

/*
 * The handler in libtraceevent's plugin writes all bytes of an instruction into an array for the
 * longest, and a zero over the blank behind the last. Else the event is printed by its format.
 */
static void choose_handler(const struct tring_event *event, const struct tring_record *record)
{
	const struct tring_field *length;
	uint64_t value;

	if (!is_event(event, "kvm", "kvm_emulate_insn"))
		return;
	length = tring_find_number(event, "len");
	value = length ? tring_load(record->payload + length->offset, length->size,
				    tep_is_file_bigendian(event->parsed->tep)) : 0;
	if (value && value <= INSTRUCTION_MAX)
		event->parsed->flags &= ~TEP_EVENT_FL_NOHANDLE;
	else
		event->parsed->flags |= TEP_EVENT_FL_NOHANDLE;
}

/**
 * tring_bounds_handled - ask for a plugin that prints an event without its print format
 * @event: the event, whose print format libtraceevent does not understand
 *
 * Return: true if a handler of libtraceevent's own plugins does, which reads numbers only.
 */
bool tring_bounds_handled(const struct tring_event *event)
{
	static const char * const names[] = {
		"kvm_mmu_get_page", "kvm_mmu_sync_page", "kvm_mmu_unsync_page",
		"kvm_mmu_zap_page", "kvm_mmu_prepare_zap_page",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (is_event(event, "kvmmmu", names[i]))
			return event->parsed->handler;
	return false;
}

/* The fields by which libtraceevent finds the format of a record, and its arguments. */
static bool has_format_fields(const struct tring_event *event)
{
	return tring_find_number(event, "ip") && tring_find_number(event, "fmt") &&
	       tep_find_field(event->parsed, "buf");
}

/**
 * tring_bounds_known - check whether libtraceevent may print an event by its format
 * @event: the event, parsed. A handler of a plugin that must not print it is disabled
 *
 * Return: false if the event must be printed field by field.
 */
bool tring_bounds_known(const struct tring_event *event)
{
	struct walk walk = { .event = event };

	/* it indents a line by the number of functions so far */
	if (is_event(event, "ftrace", "function"))
		event->parsed->flags |= TEP_EVENT_FL_NOHANDLE;
	if (event->parsed->flags & TEP_EVENT_FL_ISBPRINT)
		return has_format_fields(event);
	return walk_format(&walk);
}

/**
 * tring_bounds_check - check whether libtraceevent may print a record
 * @event: the record's event
 * @record: record whose payload fits its event's format
 *
 * Return: NULL, or why it must not.
 */
const char *tring_bounds_check(const struct tring_event *event,
			       const struct tring_record *record)
{
	struct walk walk = { .event = event, .record = record };

	if (event->parsed->flags & (TEP_EVENT_FL_FAILED | TEP_EVENT_FL_ISBPRINT))
		return NULL;
	choose_handler(event, record);
	if (walk_format(&walk) || walk.wrong)
		return walk.wrong;
	return "the print format is not understood";
}
