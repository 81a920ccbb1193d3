// SPDX-License-Identifier: GPL-2.0
/*
 * A single comparison of a filter, "FIELD OPERATOR VALUE", from its text to its step.
 *
 * ftrace has some meanings that one would not guess. They stay, as a filter means the same in both:
 *  - A value is cut to the size of the field: for one byte, 300 is 44.
 *  - Numbers of other sizes than 1, 2, 4 and 8 bytes never match, nor does "CPU & 3".
 *  - A pattern that begins with a digit is taken literally, "1*" as well.
 *  - "*end" compares the end of an array, not of the string in it.
 *  - If the address of a string is bad, neither == nor != matches.
 *
 * 6.1 knows no CPUS{...} and no .function; here they work on each kernel.
 */
#include <linux/align.h>
#include <linux/cpumask.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "filter_compare.h"

/* As MAX_FILTER_STR_VAL of linux/trace_events.h, its NUL included. */
#define PATTERN_SIZE	256
/* ftrace reads a number into as many bytes, its NUL included. */
#define NUMBER_SIZE	24

static const char no_value[] = "Invalid value (did you forget quotes)?";

enum operator { GLOB, UNEQUAL, EQUAL, AT_MOST, BELOW, AT_LEAST, ABOVE, BITS, OPERATORS };

/* What begins with another one comes before it. */
static const char *const filter_operators[OPERATORS] = {
	[GLOB]		= "~",
	[UNEQUAL]	= "!=",
	[EQUAL]		= "==",
	[AT_MOST]	= "<=",
	[BELOW]		= "<",
	[AT_LEAST]	= ">=",
	[ABOVE]		= ">",
	[BITS]		= "&",
};

/**
 * struct comparison - what comes in front of a value
 * @field: the field
 * @is_user: .ustring is behind its name
 * @is_function: .function is
 * @operator: the operator
 */
struct comparison {
	struct tring_field	field;
	bool			is_user;
	bool			is_function;
	enum operator		operator;
};

/* ftrace counts from 1 here. Returns ftrace's error. */
static int fail_at(struct tring_filter_parser *parser, const char *why, const char *at)
{
	parser->fault->why = why;
	parser->fault->at = at - parser->text + 1;
	return -EINVAL;
}

static bool skip_word(struct tring_filter_parser *parser, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(parser->at, word, length))
		return false;
	parser->at += length;
	return true;
}

static void skip_blanks(struct tring_filter_parser *parser)
{
	while (isspace(*parser->at))
		parser->at++;
}

/* Copies the text from @begin up to where the parser is into the data at @where, with a NUL. */
static char *copy_shortly(struct tring_filter_parser *parser, const char *begin, u32 where)
{
	size_t length = parser->at - begin;
	char *copy = parser->data + where;

	memcpy(copy, begin, length);
	copy[length] = '\0';
	return copy;
}

/*
 * Numbers of all sizes are compared as 64 bits, of which the number is the upper ones. There a
 * range is one subtraction and one comparison, modulo 2^64, whatever the sign: x is in
 * low...high if x - low <= high - low. For the operator & the range is all but 0, of the bits
 * that are asked for.
 */
static void set_range(struct tring_filter_step *step, u64 mask, u64 low, u64 high)
{
	step->mask = mask;
	step->low = low;
	step->span = high - low;
}

static void match_never(struct tring_filter_step *step)
{
	set_range(step, 0, 1, U64_MAX);
}

static void match_always(struct tring_filter_step *step)
{
	set_range(step, 0, 0, 0);
}

static void set_number(struct tring_filter_step *step, enum operator operator, u32 bits,
		       bool is_signed, u64 value)
{
	u64 one, least, greatest;

	step->shift = 64 - bits;
	one = 1ULL << step->shift;
	least = is_signed ? 1ULL << 63 : 0;
	greatest = least - one;
	value <<= step->shift;
	if (operator == EQUAL || operator == UNEQUAL)
		set_range(step, U64_MAX, value, value);
	else if (operator == BITS)
		set_range(step, value, 1, U64_MAX);
	else if (operator == AT_MOST)
		set_range(step, U64_MAX, least, value);
	else if (operator == AT_LEAST)
		set_range(step, U64_MAX, value, greatest);
	else if (value == (operator == BELOW ? least : greatest))
		match_never(step);
	else if (operator == BELOW)
		set_range(step, U64_MAX, least, value - one);
	else
		set_range(step, U64_MAX, value + one, greatest);
}

static bool has_number_size(const struct tring_field *field)
{
	return field->size == 1 || field->size == 2 || field->size == 4 || field->size == 8;
}

/* The number in a field, or the CPU, is compared with a value. */
static void set_comparison(struct tring_filter_parser *parser, const struct comparison *comparison,
			   struct tring_filter_step *step, enum operator operator, u64 value)
{
	const struct tring_field *field = &comparison->field;

	if (field->type == TRING_FIELD_CPU) {
		step->what = TRING_FIELD_CPU;
		set_number(step, operator, 32, true, value);
		if (operator == BITS)
			match_never(step);
	} else if (has_number_size(field)) {
		step->what = TRING_FIELD_NUMBER;
		set_number(step, operator, 8 * field->size, field->is_signed, value);
	} else {
		/* Not != either. */
		step->what = TRING_FIELD_CPU;
		match_never(step);
		return;
	}
	parser->inverted = operator == UNEQUAL;
}

/*
 * Reads a number of letters and digits. Returns ftrace's error if it is too long, and 1 if it is
 * none.
 */
static int read_number(struct tring_filter_parser *parser, bool is_signed, u64 *value)
{
	const char *begin = parser->at;
	char text[NUMBER_SIZE];
	size_t length;
	s64 number;
	int err;

	if (*parser->at == '-')
		parser->at++;
	while (isalnum(*parser->at))
		parser->at++;
	length = parser->at - begin;
	if (length >= sizeof(text))
		return fail_at(parser, "Operand too long", parser->at);
	memcpy(text, begin, length);
	text[length] = '\0';
	if (!is_signed)
		return kstrtoull(text, 0, value) ? 1 : 0;
	err = kstrtoll(text, 0, &number);
	*value = number;
	return err ? 1 : 0;
}

static int compare_with_number(struct tring_filter_parser *parser,
			       const struct comparison *comparison, struct tring_filter_step *step)
{
	const char *begin = parser->at;
	u64 value;
	int err;

	if (tring_field_is_string(&comparison->field))
		return fail_at(parser, "Expecting string field", begin);
	if (comparison->operator == GLOB)
		return fail_at(parser, "Illegal operation for field type", begin);
	err = read_number(parser, comparison->field.is_signed, &value);
	if (err > 0)
		return fail_at(parser, "Illegal integer value", begin);
	if (!err)
		set_comparison(parser, comparison, step, comparison->operator, value);
	return err;
}

/* FIELD.function == NAME, or an address in the function */
static int compare_with_function(struct tring_filter_parser *parser,
				 const struct comparison *comparison,
				 struct tring_filter_step *step)
{
	const char *begin = parser->at;
	char *name = NULL;
	u64 address = 0, size;
	int err;

	if (comparison->field.size != sizeof(long))
		return fail_at(parser, "Illegal operation for field type", begin);
	if (comparison->operator != EQUAL && comparison->operator != UNEQUAL)
		return fail_at(parser, "Invalid operator", begin);
	if (isdigit(*begin)) {
		err = read_number(parser, false, &address);
		if (err > 0)
			return fail_at(parser, no_value, parser->at);
		if (err)
			return err;
	} else {
		while (*parser->at && !isspace(*parser->at))
			parser->at++;
		name = copy_shortly(parser, begin, parser->used);
	}
	if (!tring_filter_find_function(name, address, &address, &size))
		return fail_at(parser, "Function not found", parser->at);
	step->what = TRING_FIELD_NUMBER;
	step->shift = 0;
	set_range(step, U64_MAX, address, address + size - 1);
	parser->inverted = comparison->operator == UNEQUAL;
	return 0;
}

/* Compares a number, or the CPU, with the set of none or several: it can be one of them only. */
static void compare_with_many(const struct comparison *comparison, struct tring_filter_step *step,
			      u32 set)
{
	const struct tring_field *field = &comparison->field;
	bool is_cpu = field->type == TRING_FIELD_CPU;
	u32 bits = 8 * min(field->size, 4U);

	if ((!is_cpu && !has_number_size(field)) || comparison->operator == EQUAL) {
		step->what = TRING_FIELD_CPU;
		match_never(step);
	} else if (comparison->operator == BITS) {
		step->what = is_cpu ? TRING_FIELD_CPU_IN : TRING_FIELD_NUMBER_IN;
		step->size = field->size;
		step->data = set;
	} else if (is_cpu || (bits < 32 && nr_cpu_ids >> bits)) {
		step->what = TRING_FIELD_CPU;
		match_always(step);
	} else {
		/* Any CPU, but not a number that is none. Of 8 bytes ftrace takes 4. */
		step->what = TRING_FIELD_NUMBER;
		set_number(step, BELOW, bits, false, nr_cpu_ids);
	}
}

/* FIELD & CPUS{0-3,5}: the list has been read. */
static int compare_with_cpus(struct tring_filter_parser *parser,
			     const struct comparison *comparison, struct tring_filter_step *step,
			     const char *list)
{
	u32 at = ALIGN(parser->used, sizeof(long));
	struct cpumask *cpus = (struct cpumask *)(parser->data + at);

	if (cpulist_parse(copy_shortly(parser, list, at + cpumask_size()), cpus))
		return fail_at(parser, "Invalid cpulist", parser->at);
	parser->used = at + cpumask_size();
	if (comparison->field.type == TRING_FIELD_CPUS) {
		step->what = TRING_FIELD_CPUS;
		step->how = comparison->operator == BITS ? TRING_FILTER_SHARED : TRING_FILTER_SAME;
		step->data = at;
		parser->inverted = comparison->operator == UNEQUAL;
	} else if (cpumask_weight(cpus) == 1) {
		set_comparison(parser, comparison, step,
			       comparison->operator == BITS ? EQUAL : comparison->operator,
			       cpumask_first(cpus));
	} else {
		compare_with_many(comparison, step, at);
	}
	return 0;
}

static int read_cpus(struct tring_filter_parser *parser, const struct comparison *comparison,
		     struct tring_filter_step *step)
{
	enum tring_field_type type = comparison->field.type;
	enum operator operator = comparison->operator;
	const char *list;
	int err;

	if (type != TRING_FIELD_CPUS && type != TRING_FIELD_CPU && type != TRING_FIELD_NUMBER)
		return fail_at(parser, "Illegal operation for field type", parser->at);
	if (operator != EQUAL && operator != UNEQUAL && operator != BITS)
		return fail_at(parser, "Illegal operation for field type", parser->at);
	skip_word(parser, "CPUS");
	if (!skip_word(parser, "{"))
		return fail_at(parser, "Missing '{'", parser->at + 1);
	list = parser->at;
	while (*parser->at && *parser->at != '}')
		parser->at++;
	if (!*parser->at)
		return fail_at(parser, "Missing '}'", parser->at);
	if (parser->at == list)
		return fail_at(parser, "Invalid cpulist", parser->at);
	err = compare_with_cpus(parser, comparison, step, list);
	parser->at++;
	return err;
}

/* Reads what surrounds a pattern, and cuts that off. */
static enum tring_filter_how read_pattern(const char **pattern, u32 *length)
{
	const char *text = *pattern;
	u32 i, end = *length;
	bool begins, ends;

	if (isdigit(*text))
		return TRING_FILTER_WHOLE;
	for (i = 0; i < end; i++)
		if (strchr("[?\\", text[i]) || (text[i] == '*' && i > 0 && i < end - 1))
			return TRING_FILTER_GLOB;
	begins = end && *text == '*';
	ends = end > 1 && text[end - 1] == '*';
	*pattern += begins;
	*length -= begins + ends;
	if (begins)
		return ends ? TRING_FILTER_MIDDLE : TRING_FILTER_END;
	return ends ? TRING_FILTER_BEGIN : TRING_FILTER_WHOLE;
}

/* FIELD == "TEXT", or in '...' */
static int compare_with_string(struct tring_filter_parser *parser,
			       const struct comparison *comparison, struct tring_filter_step *step)
{
	enum operator operator = comparison->operator;
	const char *pattern = parser->at + 1;
	char quote = *parser->at;
	u32 length;

	if (operator != UNEQUAL && operator != GLOB && operator != EQUAL)
		return fail_at(parser, "Illegal operation for field type", parser->at);
	if (!tring_field_is_string(&comparison->field))
		return fail_at(parser, "Expecting numeric field", parser->at);
	for (parser->at++; *parser->at != quote; parser->at++)
		if (!*parser->at)
			return fail_at(parser, "Missing matching quote", parser->at);
	length = parser->at - pattern;
	if (length >= PATTERN_SIZE)
		return fail_at(parser, "Operand too long", parser->at);
	step->what = comparison->field.type;
	if (comparison->is_user && step->what == TRING_FIELD_POINTER)
		step->what = TRING_FIELD_USER_POINTER;
	step->size = comparison->field.size;
	step->how = TRING_FILTER_WHOLE;
	step->negated = operator == UNEQUAL;
	if (operator == GLOB) {
		step->negated = *pattern == '!';
		pattern += step->negated;
		length -= step->negated;
		step->how = read_pattern(&pattern, &length);
	}
	step->data = parser->used;
	step->length = length;
	copy_shortly(parser, pattern, parser->used)[length] = '\0';
	parser->used += length + 1;
	parser->at++;
	return 0;
}

/* Reads the name of a field and what is behind it. */
static int read_field(struct tring_filter_parser *parser, struct comparison *comparison)
{
	const char *name = parser->at;

	while (isalnum(*parser->at) || *parser->at == '_')
		parser->at++;
	/* ftrace says nothing more of it. */
	if (parser->at == name)
		return -EPERM;
	if (!tring_field_find(parser->format, name, parser->at - name, &comparison->field))
		return fail_at(parser, "Field not found", parser->at);
	if (!strncmp(name, "common_", 7))
		parser->reads_head = true;
	comparison->is_user = skip_word(parser, ".ustring");
	comparison->is_function = skip_word(parser, ".function");
	return 0;
}

static int read_operator(struct tring_filter_parser *parser, struct comparison *comparison)
{
	skip_blanks(parser);
	for (comparison->operator = 0; comparison->operator < OPERATORS; comparison->operator++)
		if (skip_word(parser, filter_operators[comparison->operator]))
			break;
	if (comparison->operator == OPERATORS)
		return fail_at(parser, "Invalid operator", parser->at);
	skip_blanks(parser);
	return 0;
}

/**
 * tring_filter_data_size - memory for the patterns and the sets of a filter
 * @text: the filter
 *
 * Return: size of tring_filter_parser::data: for each pattern or name a copy, for the sets, and for
 * what is copied shortly.
 */
u32 tring_filter_data_size(const char *text)
{
	u32 size = 2 * (strlen(text) + 1);

	while ((text = strstr(text, "CPUS{"))) {
		size += cpumask_size() + sizeof(long);
		text++;
	}
	return size;
}

/**
 * tring_filter_compare - make the step of a comparison
 * @parser: the comparison comes next, without blanks in front. tring_filter_parser::inverted is set
 * @step: zeroes; the step without its target
 *
 * Return: 0 or ftrace's error, with the fault set, if it has a name.
 */
int tring_filter_compare(struct tring_filter_parser *parser, struct tring_filter_step *step)
{
	struct comparison comparison;
	int err = read_field(parser, &comparison);

	if (!err)
		err = read_operator(parser, &comparison);
	if (err)
		return err;
	parser->inverted = false;
	step->offset = comparison.field.offset;
	if (comparison.is_function)
		return compare_with_function(parser, &comparison, step);
	if (!strncmp(parser->at, "CPUS", 4))
		return read_cpus(parser, &comparison, step);
	if (*parser->at == '\'' || *parser->at == '"')
		return compare_with_string(parser, &comparison, step);
	if (isdigit(*parser->at) || *parser->at == '-')
		return compare_with_number(parser, &comparison, step);
	return fail_at(parser, no_value, parser->at);
}
