// SPDX-License-Identifier: GPL-2.0
/*
 * Makes the program of a filter from its text, in ftrace's grammar:
 *
 *	FILTER		AND || AND ...
 *	AND		OPERAND && OPERAND ...
 *	OPERAND		COMPARISON, (FILTER) or !OPERAND
 *
 * The text is read once, into a list of tokens and the steps of the comparisons. Then each step
 * gets its target: follow_value() goes from the comparison through the tokens to the right, with
 * the value that it has, until it comes to a comparison that is still needed, or to the end.
 * See "Filters" of docs/design.md.
 *
 * Texts of errors, their positions and the errno, which differs for reasons lost in history, are
 * those of ftrace: users and programs know them.
 */
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "filter_compare.h"

enum kind { COMPARISON, OPEN, CLOSE, AND, OR, END };

/**
 * struct token - a part of a filter
 * @kind: what it is
 * @inverted: of a parenthesis: the value of what is in it becomes the opposite
 * @number: of OPEN the token of the parenthesis around it, 0 for none; else the number of
 *	comparisons before
 */
struct token {
	u8	kind;
	bool	inverted;
	u16	number;
};

/**
 * struct compiler - a filter on its way
 * @parser: its text
 * @tokens: its tokens; the first one is not used
 * @last: the last token
 * @open: innermost open parenthesis in @tokens; 0 for none
 * @count: number of comparisons
 * @steps: their steps. Until it has a target, tring_filter_step::target is the step's token, and
 *	tring_filter_step::when says that its result counts as the opposite
 */
struct compiler {
	struct tring_filter_parser	parser;
	struct token			*tokens;
	u32				last;
	u32				open;
	u32				count;
	struct tring_filter_step	*steps;
};

static int fail_with(struct tring_filter_parser *parser, const char *why, u32 at, int err)
{
	parser->fault->why = why;
	parser->fault->at = at;
	return err;
}

static void add_token(struct compiler *compiler, enum kind kind, bool inverted, u16 number)
{
	struct token *token = &compiler->tokens[++compiler->last];

	token->kind = kind;
	token->inverted = inverted;
	token->number = number;
}

/* Adds OPEN for a parenthesis. */
static void open_group(struct compiler *compiler, bool inverted)
{
	add_token(compiler, OPEN, inverted, compiler->open);
	compiler->open = compiler->last;
}

static void close_group(struct compiler *compiler)
{
	const struct token *open = &compiler->tokens[compiler->open];

	add_token(compiler, CLOSE, open->inverted, compiler->count);
	compiler->open = open->number;
}

/*
 * Returns how many parentheses are open at the end, those in quotes left out, and sets *@at to the
 * last one that brings their number to @deepest. Or returns a negative number and sets *@at to the
 * first one that closes none, or INT_MAX and a quote without an end.
 */
static int parentheses_at_end(const char *text, int deepest, u32 *at)
{
	char quote = '\0';
	u32 i, quoted = 0;
	int depth = 0;

	for (i = 0; text[i] && depth >= 0; i++) {
		if (quote) {
			if (text[i] == quote)
				quote = '\0';
		} else if (text[i] == '\'' || text[i] == '"') {
			quote = text[i];
			quoted = i;
		} else if (text[i] == '(') {
			if (++depth == deepest)
				*at = i;
		} else if (text[i] == ')') {
			if (--depth < 0)
				*at = i;
		}
	}
	if (!quote)
		return depth;
	*at = quoted;
	return INT_MAX;
}

/* What ftrace finds wrong before it looks at comparisons. */
static int check_shape(struct tring_filter_parser *parser)
{
	const char *text = parser->text;
	u32 at = 0;
	int depth = parentheses_at_end(text, 0, &at);

	if (depth == INT_MAX)
		return fail_with(parser, "Missing matching quote", at, -ESRCH);
	if (depth < 0)
		return fail_with(parser, "Too few '('", at, -EPERM);
	if (depth > 0) {
		parentheses_at_end(text, depth, &at);
		return fail_with(parser, "Too many '('", at, -ENOENT);
	}
	while (isspace(*text) || *text == '(' || *text == ')')
		text++;
	return *text ? 0 : -EINVAL;
}

/* "!=" and "!~" are comparisons. */
static bool is_not(const char *text)
{
	return text[0] == '!' && text[1] != '=' && text[1] != '~';
}

/* Reads what is in front of a comparison, and the comparison. */
static int read_operand(struct compiler *compiler)
{
	struct tring_filter_parser *parser = &compiler->parser;
	struct tring_filter_step *step;
	bool inverted = false;
	int err;

	for (;; parser->at++) {
		if (*parser->at == '(') {
			open_group(compiler, inverted);
			inverted = false;
		} else if (is_not(parser->at)) {
			inverted = !inverted;
		} else if (!isspace(*parser->at)) {
			break;
		}
	}
	if (!*parser->at)
		return fail_with(parser, compiler->count ? "Meaningless filter expression" :
				 "No filter found", parser->at - parser->text, -EINVAL);
	step = &compiler->steps[compiler->count++];
	err = tring_filter_compare(parser, step);
	if (err)
		return err;
	add_token(compiler, COMPARISON, false, 0);
	step->when = inverted ^ parser->inverted;
	step->target = compiler->last;
	return 0;
}

/* Reads what is behind a comparison up to the next one. Returns 1 if there is one, or an error. */
static int read_connection(struct compiler *compiler)
{
	struct tring_filter_parser *parser = &compiler->parser;
	u32 at;
	char c;

	for (; isspace(*parser->at) || *parser->at == ')'; parser->at++) {
		if (*parser->at != ')')
			continue;
		if (!compiler->open)
			return fail_with(parser, "Too few '('", parser->at - parser->text + 1,
					 -EPERM);
		close_group(compiler);
	}
	at = parser->at - parser->text;
	c = *parser->at;
	if (!c) {
		add_token(compiler, END, false, 0);
		return compiler->open ? fail_with(parser, "Too many '('", at, -EPERM) : 0;
	}
	if ((c != '&' && c != '|') || parser->at[1] != c)
		return fail_with(parser, "Too many terms in predicate expression", at, -EPERM);
	add_token(compiler, c == '&' ? AND : OR, false, compiler->count);
	parser->at += 2;
	return 1;
}

static int read_filter(struct compiler *compiler)
{
	int ret = check_shape(&compiler->parser);

	if (ret)
		return ret;
	do {
		ret = read_operand(compiler);
		if (!ret)
			ret = read_connection(compiler);
	} while (ret > 0);
	return ret;
}

/*
 * Returns the token in front of the end of what @token is in: a parenthesis or the filter, or with
 * @in_and the operands that && joins.
 */
static const struct token *skip_operands(const struct token *token, bool in_and)
{
	u32 depth = 0;

	for (; token[1].kind != END; token++) {
		if (token[1].kind == OPEN)
			depth++;
		else if (!depth && (token[1].kind == CLOSE || (in_and && token[1].kind == OR)))
			break;
		else if (token[1].kind == CLOSE)
			depth--;
	}
	return token;
}

/* Returns where the walk goes from what ends with @token and is @value. */
static u32 follow_value(const struct compiler *compiler, const struct token *token, bool value)
{
	for (token++; token->kind != END; token++) {
		bool is_and = token->kind == AND;

		if (token->kind == CLOSE) {
			value ^= token->inverted;
			continue;
		}
		if (value == is_and)
			return token->number;
		token = skip_operands(token, is_and);
	}
	return compiler->count + value;
}

/* One of the two values always leads to the next step: the operand behind, or the end. */
static void set_targets(struct compiler *compiler)
{
	struct tring_filter_step *step;
	const struct token *token;
	bool inverted, value;
	u32 i;

	for (i = 0; i < compiler->count; i++) {
		step = &compiler->steps[i];
		token = &compiler->tokens[step->target];
		inverted = step->when;
		value = follow_value(compiler, token, true) != i + 1;
		step->when = value ^ inverted;
		step->target = follow_value(compiler, token, value);
	}
}

static struct tring_filter *copy_of_filter(const struct compiler *compiler)
{
	const struct tring_filter_parser *parser = &compiler->parser;
	struct tring_filter *filter;
	size_t size = struct_size(filter, steps, compiler->count);
	u32 i;

	filter = kvmalloc(size + parser->used, GFP_KERNEL);
	if (!filter)
		return ERR_PTR(-ENOMEM);
	filter->count = compiler->count;
	filter->reads_head = parser->reads_head;
	filter->only_numbers = true;
	for (i = 0; i < compiler->count; i++)
		filter->only_numbers &= compiler->steps[i].what == TRING_FIELD_NUMBER;
	memcpy(filter->steps, compiler->steps, compiler->count * sizeof(filter->steps[0]));
	memcpy((char *)filter + size, parser->data, parser->used);
	return filter;
}

/**
 * tring_filter_compile - make a filter from its text
 * @text: the filter, in ftrace's grammar; shorter than 64 KiB
 * @format: text of the format file of the event that is to be filtered
 * @fault: set to what is wrong with the filter, if that is why it fails
 *
 * Context: may sleep.
 * Return: the filter, to be freed by tring_filter_free(); or an ERR_PTR(): -ENOMEM; ftrace's error
 * for a filter that it refuses: -EINVAL, -EPERM, -ENOENT or -ESRCH.
 */
struct tring_filter *tring_filter_compile(const char *text, const char *format,
					  struct tring_filter_fault *fault)
{
	struct compiler compiler = {
		.parser = { .text = text, .at = text, .format = format, .fault = fault },
	};
	size_t length = strlen(text);
	struct tring_filter *filter = ERR_PTR(-ENOMEM);
	int err;

	fault->why = NULL;
	fault->at = 0;
	/* The shortest comparison is "a<1", and the last token the end. */
	compiler.tokens = kvmalloc_array(length + 2, sizeof(*compiler.tokens), GFP_KERNEL);
	compiler.steps = kvcalloc(length / 3 + 1, sizeof(*compiler.steps), GFP_KERNEL);
	compiler.parser.data = kvzalloc(tring_filter_data_size(text), GFP_KERNEL);
	if (compiler.tokens && compiler.steps && compiler.parser.data) {
		err = read_filter(&compiler);
		if (!err)
			set_targets(&compiler);
		filter = err ? ERR_PTR(err) : copy_of_filter(&compiler);
	}
	kvfree(compiler.parser.data);
	kvfree(compiler.steps);
	kvfree(compiler.tokens);
	return filter;
}

/**
 * tring_filter_free - free a filter
 * @filter: filter from tring_filter_compile() that no probe uses any more; may be NULL
 *
 * Context: process, may sleep.
 */
void tring_filter_free(struct tring_filter *filter)
{
	kvfree(filter);
}
