// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Parses a filter for one event, whose fields it finds.
 *
 * Comparisons bind weaker than calculations, so "flags & 1 == 1" means "(flags & 1) == 1", and
 * "!" is of the whole comparison behind it, both unlike C.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event/fields.h"
#include "filter.h"
#include "util/util.h"

#define DEPTH_MAX	64
#define COMPARISON	3

/* Longer texts first, so that "<<" is not taken for "<". @level: a higher one binds stronger */
static const struct operator {
	const char *text;
	unsigned int level;
} operators[] = {
	{ "||", 1 }, { "&&", 2 }, { "=~", COMPARISON }, { "!~", COMPARISON },
	{ "==", COMPARISON }, { "!=", COMPARISON }, { "<<", 7 }, { ">>", 7 },
	{ "<=", COMPARISON }, { ">=", COMPARISON }, { "<", COMPARISON }, { ">", COMPARISON },
	{ "~", COMPARISON }, { "|", 4 }, { "^", 5 }, { "&", 6 }, { "+", 8 }, { "-", 8 },
	{ "*", 9 }, { "/", 9 }, { "%", 9 },
};

#define OPERATORS	(sizeof(operators) / sizeof(operators[0]))

/**
 * struct parser - state of parsing
 * @event: the event
 * @text: the filter
 * @at: offset of what comes next in @text
 * @depth: number of nested operands
 * @asked: by offset: there is the name of a field
 * @known: by offset: an event has the field
 * @fault: the first fault
 */
struct parser {
	const struct tring_event *event;
	const char	*text;
	size_t		at;
	unsigned int	depth;
	bool		*asked;
	bool		*known;
	struct tring_filter_fault *fault;
};

static struct tring_filter_node *parse_binary(struct parser *parser, unsigned int level);

static void *fail(struct parser *parser, size_t at, const char *why)
{
	if (!parser->fault->why) {
		parser->fault->why = why;
		parser->fault->at = at;
	}
	return NULL;
}

static void skip_blanks(struct parser *parser)
{
	while (isspace((unsigned char)parser->text[parser->at]))
		parser->at++;
}

static struct tring_filter_node *make(enum tring_filter_kind kind)
{
	struct tring_filter_node *node = tring_allocate(sizeof(*node));

	node->kind = kind;
	return node;
}

/**
 * tring_filter_free_node - free a part of a filter
 * @node: the part, may be NULL
 */
void tring_filter_free_node(struct tring_filter_node *node)
{
	if (!node)
		return;
	tring_filter_free_node(node->left);
	tring_filter_free_node(node->right);
	if (node->has_regex)
		regfree(&node->regex);
	free(node->text);
	free(node);
}

static bool is_number(const struct tring_filter_node *node)
{
	return node->kind <= TRING_FILTER_MATH;
}

static bool is_truth(const struct tring_filter_node *node)
{
	return node->kind <= TRING_FILTER_NOT || node->kind == TRING_FILTER_NOTHING;
}

static struct tring_filter_node *parse_number(struct parser *parser)
{
	struct tring_filter_node *node = make(TRING_FILTER_NUMBER);
	size_t start = parser->at;
	char *end;

	errno = 0;
	node->number = strtoull(parser->text + start, &end, 0);
	parser->at = end - parser->text;
	if (!errno && !isalnum((unsigned char)*end) && *end != '_')
		return node;
	tring_filter_free_node(node);
	return fail(parser, start, "not a number of 64 bits");
}

static struct tring_filter_node *parse_literal(struct parser *parser)
{
	const char *start = parser->text + parser->at + 1;
	const char *end = strchr(start, start[-1]);
	struct tring_filter_node *node;

	if (!end)
		return fail(parser, parser->at, "the quote is not closed");
	node = make(TRING_FILTER_LITERAL);
	node->text = tring_format("%.*s", (int)(end - start), start);
	parser->at = end + 1 - parser->text;
	return node;
}

/*
 * The record's head has these; what stands before the fields is not struct trace_entry.
 * @is_field: the event has a field of the name, which in ftrace's filters goes before the
 *	other spelling of CPU and COMM
 */
static enum tring_filter_kind find_head(const char *name, bool is_field)
{
	if (!strcmp(name, "common_type"))
		return TRING_FILTER_TYPE;
	if (!strcmp(name, "common_flags"))
		return TRING_FILTER_FLAGS;
	if (!strcmp(name, "common_preempt_count"))
		return TRING_FILTER_PREEMPT;
	if (!strcmp(name, "common_pid"))
		return TRING_FILTER_PID;
	if (!strcmp(name, "CPU") || (!is_field && !strcmp(name, "cpu")))
		return TRING_FILTER_CPU;
	if (!strcmp(name, "COMM") || (!is_field && !strcmp(name, "comm")))
		return TRING_FILTER_COMM;
	return TRING_FILTER_NOTHING;
}

static struct tring_filter_node *make_field(struct parser *parser, const char *name, size_t at)
{
	struct tep_format_field *field = tep_find_any_field(parser->event->parsed, name);
	struct tring_filter_node *node = make(find_head(name, field));

	parser->asked[at] = true;
	parser->known[at] |= field || node->kind != TRING_FILTER_NOTHING;
	node->is_signed = node->kind == TRING_FILTER_PID;
	if (node->kind != TRING_FILTER_NOTHING || !field)
		return node;
	node->field = tring_field_describe(field, parser->event);
	node->is_signed = node->field.is_signed;
	node->kind = node->field.kind == TRING_FIELD_NUMBER ? TRING_FILTER_FIELD :
							      TRING_FILTER_STRING;
	if (field->offset >= TRING_PAYLOAD_HEAD && (node->kind == TRING_FILTER_FIELD ||
						    field->flags & TEP_FIELD_IS_STRING))
		return node;
	tring_filter_free_node(node);
	return fail(parser, at, "the field is no number and no text");
}

static struct tring_filter_node *parse_name(struct parser *parser)
{
	const char *start = parser->text + parser->at;
	struct tring_filter_node *node;
	size_t size = 0;
	char *name;

	while (isalnum((unsigned char)start[size]) || start[size] == '_')
		size++;
	if (!size)
		return fail(parser, parser->at, "a field or a value is missing here");
	name = tring_format("%.*s", (int)size, start);
	node = make_field(parser, name, parser->at);
	parser->at += size;
	free(name);
	return node;
}

static struct tring_filter_node *parse_negative(struct parser *parser)
{
	struct tring_filter_node *node;
	size_t at;

	parser->at++;
	skip_blanks(parser);
	if (!isdigit((unsigned char)parser->text[parser->at]))
		return fail(parser, parser->at, "a number is missing behind \"-\"");
	at = parser->at;
	node = parse_number(parser);
	if (!node)
		return NULL;
	node->number = -node->number;
	node->is_signed = true;
	if (!node->number || (int64_t)node->number < 0)
		return node;
	tring_filter_free_node(node);
	return fail(parser, at, "not a number of 64 bits");
}

static struct tring_filter_node *parse_not(struct parser *parser)
{
	struct tring_filter_node *node = make(TRING_FILTER_NOT);
	size_t at = ++parser->at;

	node->left = parse_binary(parser, COMPARISON);
	if (node->left && is_truth(node->left))
		return node;
	tring_filter_free_node(node);
	return fail(parser, at, "a text is neither true nor false");
}

static struct tring_filter_node *parse_parentheses(struct parser *parser)
{
	size_t start = parser->at++;
	struct tring_filter_node *node = parse_binary(parser, 1);

	skip_blanks(parser);
	if (node && parser->text[parser->at] == ')') {
		parser->at++;
		return node;
	}
	tring_filter_free_node(node);
	return fail(parser, start, "the parenthesis is not closed");
}

static struct tring_filter_node *parse_operand(struct parser *parser)
{
	struct tring_filter_node *node;
	char next;

	skip_blanks(parser);
	next = parser->text[parser->at];
	if (++parser->depth > DEPTH_MAX)
		return fail(parser, parser->at, "nested too deeply");
	if (next == '!')
		node = parse_not(parser);
	else if (next == '(')
		node = parse_parentheses(parser);
	else if (next == '-')
		node = parse_negative(parser);
	else if (next == '"' || next == '\'')
		node = parse_literal(parser);
	else if (isdigit((unsigned char)next))
		node = parse_number(parser);
	else
		node = parse_name(parser);
	parser->depth--;
	return node;
}

static size_t find_operator(struct parser *parser)
{
	size_t i;

	skip_blanks(parser);
	for (i = 0; i < OPERATORS; i++)
		if (!strncmp(parser->text + parser->at, operators[i].text,
			     strlen(operators[i].text)))
			break;
	return i;
}

static const char *compile_match(struct tring_filter_node *node)
{
	bool regex = node->operator == TRING_OP_REGEX || node->operator == TRING_OP_NOT_REGEX;
	struct tring_filter_node *left = node->left, *right = node->right;

	if ((left->kind != TRING_FILTER_STRING && left->kind != TRING_FILTER_COMM) ||
	    right->kind != TRING_FILTER_LITERAL)
		return "a text has to stand to the right of its field";
	if (!regex && node->operator != TRING_OP_EQUAL &&
	    node->operator != TRING_OP_NOT_EQUAL && node->operator != TRING_OP_GLOB)
		return "not an operator for texts";
	node->kind = TRING_FILTER_MATCH;
	node->text = right->text;
	right->text = NULL;
	/* as in trace-cmd, which does not ask for the case, either */
	if (regex && regcomp(&node->regex, node->text, REG_ICASE | REG_NOSUB))
		return "the regular expression is wrong";
	node->has_regex = regex;
	return NULL;
}

/* Return: the bits of a number of the record, or 0. */
static unsigned int count_bits(const struct tring_filter_node *node)
{
	switch (node->kind) {
	case TRING_FILTER_FIELD:
		return 8 * node->field.size;
	case TRING_FILTER_TYPE:
		return 16;
	case TRING_FILTER_FLAGS:
	case TRING_FILTER_PREEMPT:
		return 8;
	case TRING_FILTER_PID:
		return 32;
	default:
		return 0;
	}
}

/*
 * As the kernel in a filter of an event: it refuses a number that has not the field's sign, or
 * more than 64 bits with it, and compares as many low bits of any other as the field has.
 * Return: NULL; or why it is refused.
 */
static const char *fit(struct tring_filter_node *number, const struct tring_filter_node *field)
{
	unsigned int bits = count_bits(field);
	uint64_t sign = bits ? 1ull << (bits - 1) : 0, low;

	if (number->kind != TRING_FILTER_NUMBER || !bits)
		return NULL;
	if (number->is_signed && number->number && !field->is_signed)
		return "the field has no sign, so it is never below 0";
	if (field->is_signed && !number->is_signed && number->number > INT64_MAX)
		return "the number is too large for the field";
	low = number->number & (2 * sign - 1);
	number->number = field->is_signed ? (low ^ sign) - sign : low;
	number->is_signed = field->is_signed;
	return NULL;
}

/* Return: NULL; or the reason why the operands do not fit. */
static const char *set_kind(struct tring_filter_node *node)
{
	struct tring_filter_node *left = node->left, *right = node->right;
	bool numbers = is_number(left) && is_number(right);
	const char *why;

	if (node->operator == TRING_OP_OR || node->operator == TRING_OP_AND) {
		node->kind = node->operator == TRING_OP_OR ? TRING_FILTER_OR : TRING_FILTER_AND;
		return is_truth(left) && is_truth(right) ? NULL :
		       "a text is neither true nor false";
	}
	/* whatever is done with a field that the event does not have is false */
	if (left->kind == TRING_FILTER_NOTHING || right->kind == TRING_FILTER_NOTHING) {
		node->kind = TRING_FILTER_NOTHING;
		return NULL;
	}
	if (operators[node->operator].level > COMPARISON) {
		node->kind = TRING_FILTER_MATH;
		node->is_signed = left->is_signed || right->is_signed ||
				  node->operator == TRING_OP_MINUS;
		return numbers ? NULL : "calculations need numbers";
	}
	if (!numbers && is_truth(left) && is_truth(right))
		return "what was compared cannot be compared again";
	if (!numbers)
		return compile_match(node);
	node->kind = TRING_FILTER_COMPARE;
	if (node->operator == TRING_OP_REGEX || node->operator == TRING_OP_NOT_REGEX ||
	    node->operator == TRING_OP_GLOB)
		return "an operator for texts";
	why = fit(left, right);
	return why ? why : fit(right, left);
}

/* Parses operators of @level and above. */
static struct tring_filter_node *parse_binary(struct parser *parser, unsigned int level)
{
	struct tring_filter_node *left = parse_operand(parser);

	while (left) {
		size_t operator = find_operator(parser), at = parser->at;
		struct tring_filter_node *node;
		const char *why;

		if (operator == OPERATORS || operators[operator].level < level)
			return left;
		parser->at += strlen(operators[operator].text);
		node = make(TRING_FILTER_NOTHING);
		node->operator = operator;
		node->left = left;
		node->right = parse_binary(parser, operators[operator].level + 1);
		why = node->right ? set_kind(node) : "an operand is missing behind it";
		left = node;
		if (!why)
			continue;
		tring_filter_free_node(node);
		return fail(parser, at, why);
	}
	return NULL;
}

/**
 * tring_filter_parse - parse a filter for an event
 * @event: the event
 * @text: the filter, with what precedes it
 * @at: offset at which the filter begins
 * @asked: by offset in @text: set where a field is named
 * @known: by offset in @text: set where the event has the field
 * @fault: set if the filter is wrong
 *
 * Return: the filter, or NULL.
 */
struct tring_filter_node *tring_filter_parse(const struct tring_event *event, const char *text,
					     size_t at, bool *asked, bool *known,
					     struct tring_filter_fault *fault)
{
	struct parser parser = {
		.event = event, .text = text, .at = at, .asked = asked, .known = known,
		.fault = fault,
	};
	struct tring_filter_node *node = parse_binary(&parser, 1);

	if (!node)
		return NULL;
	skip_blanks(&parser);
	if (text[parser.at])
		fail(&parser, parser.at, "not an operator");
	else if (!is_truth(node))
		fail(&parser, at, "a text is neither true nor false");
	else
		return node;
	tring_filter_free_node(node);
	return NULL;
}
