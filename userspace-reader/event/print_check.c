// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Check of a print format: the grammar that libtraceevent parses without fault.
 *
 * libtraceevent's parser has faults on its paths for errors, and in some features:
 * sizeof() frees a token twice, a second index in brackets follows a null pointer,
 * and so does a name that is no field in __print_flags(). So libtraceevent only
 * gets a print format that it can parse to the end. Every function here moves
 * behind what it has checked and returns false for what is not in the grammar.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "format_check.h"
#include "util/util.h"

/* Limits for the nesting and for the operators of an expression. */
#define DEPTH_MAX	64
#define OPERATORS_MAX	512
/* Limit for the digits of a width or a precision. */
#define DIGITS_MAX	3

enum token {
	TOKEN_END,
	TOKEN_BAD,
	TOKEN_WORD,
	TOKEN_STRING,
	TOKEN_OTHER,
};

/**
 * struct parser - state of the check
 * @format: the event's format, with its fields
 * @at: end of the current token
 * @token: kind of the current token
 * @text: start of the current token
 * @size: characters of the current token
 * @depth: current nesting
 * @operators: operators of the current argument
 * @fields: fields named so far
 * @indexes: indexes so far that stand in no parentheses
 */
struct parser {
	const struct tring_format *format;
	const char	*at;
	enum token	token;
	const char	*text;
	size_t		size;
	unsigned int	depth;
	unsigned int	operators;
	unsigned int	fields;
	unsigned int	indexes;
};

/*
 * Return: end of a string or a character constant, NULL if it has none. In
 * libtraceevent a backslash before the last quote keeps the string open, even if
 * it is itself escaped.
 */
static const char *skip_quoted(const char *at)
{
	char quote = *at++;

	for (; *at != quote; at++) {
		if (!isprint((unsigned char)*at) && *at != '\n' && *at != '\t')
			return NULL;
		if (*at != '\\')
			continue;
		at++;
		if (!isprint((unsigned char)*at) ||
		    (*at == '\\' && at[1] == quote))
			return NULL;
	}
	return at + 1;
}

/* As libtraceevent divides the text. */
static size_t measure_operator(const char *at)
{
	static const char * const longer[] = {
		">>=", "<<=", ">>", "<<", ">=", "<=", "==", "!=", "&&", "||",
		"->", "++", "--", "+=", "-=", "|=", "&=",
	};
	size_t i;

	for (i = 0; i < sizeof(longer) / sizeof(longer[0]); i++)
		if (!strncmp(at, longer[i], strlen(longer[i])))
			return strlen(longer[i]);
	return 1;
}

static bool is_word(char character)
{
	return isalnum((unsigned char)character) || character == '_';
}

static void next_token(struct parser *parser)
{
	const char *at = parser->at, *end;

	while (*at == ' ' || *at == '\t')
		at++;
	parser->text = at;
	if (!*at || !strcmp(at, "\n")) {
		parser->token = TOKEN_END;
		end = at;
	} else if (is_word(*at)) {
		parser->token = TOKEN_WORD;
		for (end = at; is_word(*end); end++)
			;
	} else if (*at == '"' || *at == '\'') {
		parser->token = TOKEN_STRING;
		end = skip_quoted(at);
	} else {
		parser->token = TOKEN_OTHER;
		end = isprint((unsigned char)*at) ? at + measure_operator(at) :
						    NULL;
	}
	if (!end) {
		parser->token = TOKEN_BAD;
		end = at;
	}
	parser->size = end - at;
	parser->at = end;
}

static bool is_token(const struct parser *parser, const char *text)
{
	return parser->size == strlen(text) &&
	       !strncmp(parser->text, text, parser->size);
}

static bool take(struct parser *parser, const char *text)
{
	if (!is_token(parser, text))
		return false;
	next_token(parser);
	return true;
}

static bool is_number(const struct parser *parser)
{
	return parser->token == TOKEN_WORD &&
	       isdigit((unsigned char)*parser->text);
}

/* Takes the name of a field, from @first of the event's fields on. */
static bool take_field(struct parser *parser, size_t first)
{
	const struct tring_format *format = parser->format;
	size_t size = parser->size, i = first;

	while (i < format->count && (strncmp(format->fields[i], parser->text, size) ||
				     is_word(format->fields[i][size])))
		i++;
	parser->fields++;
	next_token(parser);
	return size && i < format->count;
}

/* Strings one after another are one string. To libtraceevent a tab ends a string. */
static bool take_string(struct parser *parser)
{
	if (parser->token != TOKEN_STRING)
		return false;
	while (parser->token == TOKEN_STRING) {
		if (memchr(parser->text, '\t', parser->size))
			return false;
		next_token(parser);
	}
	return true;
}

static bool take_expression(struct parser *parser);
static bool take_operand(struct parser *parser);

/* "{ value, text }, ..." */
static bool take_pairs(struct parser *parser)
{
	do {
		parser->operators = 0;
		if (!take(parser, "{") || !take_expression(parser) ||
		    !take(parser, ","))
			return false;
		if (!take_operand(parser) || !take(parser, "}"))
			return false;
	} while (take(parser, ","));
	return true;
}

static bool take_flags(struct parser *parser)
{
	return take_expression(parser) && take(parser, ",") &&
	       take_string(parser) && take(parser, ",") && take_pairs(parser);
}

static bool take_symbols(struct parser *parser)
{
	return take_expression(parser) && take(parser, ",") &&
	       take_pairs(parser);
}

static bool take_two(struct parser *parser)
{
	return take_expression(parser) && take(parser, ",") &&
	       take_expression(parser);
}

static bool take_three(struct parser *parser)
{
	return take_two(parser) && take(parser, ",") && take_expression(parser);
}

static bool take_dynamic(struct parser *parser)
{
	return take_field(parser, parser->format->common);
}

/* Functions of libtraceevent's plugins. This one reads 32 bytes at most, whatever the length. */
static bool take_command(struct parser *parser)
{
	return take(parser, "p") && take(parser, ",") && take(parser, "__get_dynamic_array") &&
	       take(parser, "(") && take_dynamic(parser) && take(parser, ")") &&
	       take(parser, ",") && take_expression(parser);
}

/* This one reads two bytes at the begin of the array, behind which libtraceevent has zeroes. */
static bool take_short(struct parser *parser)
{
	return take(parser, "(") && take(parser, "__le16") && take(parser, "*") &&
	       take(parser, ")") && take(parser, "__get_dynamic_array") && take(parser, "(") &&
	       take_dynamic(parser) && take(parser, ")");
}

static bool take_expected(struct parser *parser)
{
	if (!take_operand(parser) || !take(parser, ",") ||
	    parser->token != TOKEN_WORD)
		return false;
	next_token(parser);
	return true;
}

/* Takes what stands between a function's parentheses. */
static bool take_arguments(struct parser *parser, const char *name, size_t size)
{
	static const struct {
		const char *name;
		bool (*take)(struct parser *parser);
	} functions[] = {
		{ "__print_flags", take_flags },
		{ "__print_symbolic", take_symbols },
		{ "__print_hex", take_two },
		{ "__print_hex_str", take_two },
		{ "__print_array", take_three },
		{ "__get_str", take_dynamic },
		{ "__get_rel_str", take_dynamic },
		{ "__get_bitmask", take_dynamic },
		{ "__get_rel_bitmask", take_dynamic },
		{ "__get_cpumask", take_dynamic },
		{ "__get_rel_cpumask", take_dynamic },
		{ "__get_dynamic_array", take_dynamic },
		{ "__get_rel_dynamic_array", take_dynamic },
		{ "__get_sockaddr", take_dynamic },
		{ "__get_sockaddr_rel", take_dynamic },
		{ "__get_dynamic_array_len", take_dynamic },
		{ "__get_rel_dynamic_array_len", take_dynamic },
		{ "__builtin_expect", take_expected },
		/* functions.c; of libtraceevent's plugins only those that read no memory */
		{ "jiffies_to_msecs", take_two },
		{ "jbd2_dev_to_name", take_operand },
		{ "xen_hypercall_name", take_operand },
		{ "scsi_trace_parse_cdb", take_command },
		{ "__le16_to_cpup", take_short },
	};
	size_t i;

	for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (strlen(functions[i].name) == size &&
		    !strncmp(functions[i].name, name, size))
			return functions[i].take(parser);
	return false;
}

static bool take_own_field(struct parser *parser)
{
	return take(parser, "->") && take_field(parser, 0);
}

/* A call, "REC->field", a number, or a name of one or more words. */
static bool take_word(struct parser *parser)
{
	const char *name = parser->text;
	unsigned int indexes = parser->indexes;
	size_t size = parser->size;

	if (take(parser, "REC"))
		return take_own_field(parser);
	/* libtraceevent replaces some names of old kernels by strings */
	if (size > 7 && !strncmp(name + size - 7, "_PR_FMT", 7))
		return false;
	next_token(parser);
	if (!is_token(parser, "(")) {
		while (parser->token == TOKEN_WORD)
			next_token(parser);
		return !is_token(parser, "(");
	}
	next_token(parser);
	if (!take_arguments(parser, name, size) || !take(parser, ")"))
		return false;
	parser->indexes = indexes;
	/* libtraceevent does not parse an index of a dynamic array */
	return !is_token(parser, "[");
}

static bool begins_operand(const struct parser *parser)
{
	return parser->token == TOKEN_WORD || parser->token == TOKEN_STRING ||
	       is_token(parser, "(");
}

/* Takes "type)" or "type *)" if an operand follows, else nothing. */
static bool take_type(struct parser *parser)
{
	struct parser before = *parser;

	while (parser->token == TOKEN_WORD && !is_number(parser) &&
	       !is_token(parser, "REC"))
		next_token(parser);
	if (parser->text != before.text) {
		take(parser, "*");
		if (take(parser, ")") && begins_operand(parser))
			return true;
	}
	*parser = before;
	return false;
}

static bool take_parentheses(struct parser *parser)
{
	struct parser before = *parser;

	if (take(parser, "REC") && take(parser, ")"))
		return take_own_field(parser);
	*parser = before;
	if (take_type(parser))
		return take_operand(parser);
	if (!take_expression(parser) || !take(parser, ")"))
		return false;
	parser->indexes = before.indexes;
	/* an operand behind would make this a type in libtraceevent */
	return !begins_operand(parser);
}

static bool take_primary(struct parser *parser)
{
	if (parser->token == TOKEN_STRING)
		return take_string(parser);
	if (parser->token == TOKEN_WORD)
		return take_word(parser);
	return take(parser, "(") && take_parentheses(parser);
}

static bool take_operand(struct parser *parser)
{
	bool good;

	if (++parser->depth > DEPTH_MAX || ++parser->operators > OPERATORS_MAX)
		return false;
	if (take(parser, "!") || take(parser, "~") || take(parser, "-") ||
	    take(parser, "+"))
		good = take_operand(parser);
	else
		good = take_primary(parser);
	if (good && take(parser, "[")) {
		good = take_expression(parser) && take(parser, "]") &&
		       !is_token(parser, "[");
		parser->indexes++;
	}
	parser->depth--;
	return good;
}

/* libtraceevent computes constants at once, without a check for a division by 0. */
static bool take_divisor(struct parser *parser)
{
	unsigned int fields = parser->fields;
	bool good = is_number(parser) && strtoull(parser->text, NULL, 0);

	return take_operand(parser) && (good || parser->fields > fields);
}

static bool take_binary(struct parser *parser, bool *found)
{
	static const char * const operators[] = {
		">>", "<<", "&", "|", "&&", "||", "-", "+", "*", "^", "<", ">",
		"<=", ">=", "==", "!=",
	};
	size_t i;

	*found = true;
	if (take(parser, "/") || take(parser, "%"))
		return take_divisor(parser);
	for (i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
		if (take(parser, operators[i]))
			return take_operand(parser);
	*found = false;
	return true;
}

/* libtraceevent follows a null pointer to what has an index here, unless parentheses hide it. */
static bool take_else(struct parser *parser)
{
	unsigned int indexes = parser->indexes;

	return take_expression(parser) && parser->indexes == indexes;
}

static bool take_expression(struct parser *parser)
{
	bool found = true;

	if (++parser->depth > DEPTH_MAX || !take_operand(parser))
		return false;
	while (found)
		if (!take_binary(parser, &found))
			return false;
	if (take(parser, "?") &&
	    (!take_expression(parser) || !take(parser, ":") ||
	     !take_else(parser)))
		return false;
	parser->depth--;
	return true;
}

static bool skip_digits(const char **at)
{
	size_t digits = strspn(*at, "0123456789");

	*at += digits;
	return digits <= DIGITS_MAX;
}

/*
 * libtraceevent passes a conversion to printf() with the one argument that it
 * expects from the letter.
 */
static bool is_good_conversion(const char *at)
{
	size_t size;

	at += strspn(at, "#-0");
	if (*at == '*')
		at++;
	else if (!skip_digits(&at))
		return false;
	if (*at == '.') {
		at++;
		if (*at == '*')
			at++;
		else if (!skip_digits(&at))
			return false;
	}
	size = strspn(at, "hlLzZ");
	at += size;
	/* %ls takes wide characters */
	return size <= 2 && *at && strchr("diuxXosp%c", *at) &&
	       !(size && *at == 's');
}

static bool has_good_conversions(const char *text, const char *end)
{
	for (; text < end; text++) {
		if (*text != '%')
			continue;
		if (text[1] == '%')
			text++;
		else if (!is_good_conversion(text + 1))
			return false;
	}
	return true;
}

static bool take_format(struct parser *parser)
{
	const char *start = parser->text;

	return *start == '"' && take_string(parser) &&
	       has_good_conversions(start, parser->text);
}

/**
 * tring_print_is_format - may libtraceevent take a text for the format of a bprint?
 * @text: the text, whose arguments are in the payload
 *
 * A width among the arguments could be any.
 */
bool tring_print_is_format(const char *text)
{
	return !strchr(text, '*') && has_good_conversions(text, text + strlen(text));
}

/**
 * tring_print_check - check a print format
 * @text: text behind "print fmt: "
 * @format: the event's format
 *
 * Return: true if libtraceevent may get it.
 */
bool tring_print_check(const char *text, const struct tring_format *format)
{
	struct parser parser = { .format = format, .at = text };
	bool good;

	next_token(&parser);
	good = take_format(&parser);
	while (good && take(&parser, ",")) {
		parser.operators = 0;
		good = take_expression(&parser);
	}
	return good && parser.token == TOKEN_END;
}
