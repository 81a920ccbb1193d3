// SPDX-License-Identifier: GPL-2.0
/*
 * A time as a tree of lines, in which parts of one label are one line, with what they have below
 * them together; or as folded stacks.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/clock.h"
#include "util/text.h"
#include "util/util.h"
#include "why.h"

#define WIDTH		80
/* Characters in front of a label. */
#define MARGIN		22
#define INDENT_MAX	20

/* Of each level so many lines are printed, of at least one in so many parts of the whole. */
#define LINES		8
#define LEAST		100

/**
 * struct member - a part of a time
 * @part: the part
 * @label: what it is called if tasks have no pids
 */
struct member {
	const struct tring_why_part *part;
	char		*label;
};

/**
 * struct group - parts of one label
 * @list: the parts
 * @count: number of @list
 * @ns: their lengths together
 * @several: they are of several tasks of one name
 */
struct group {
	const struct member *list;
	size_t		count;
	uint64_t	ns;
	bool		several;
};

/**
 * struct tree - what is printed
 * @why: what all did
 * @ns: the whole time
 */
struct tree {
	const struct tring_why *why;
	uint64_t	ns;
};

static uint64_t length_of(const struct tring_why *why, const struct tring_why_part *part)
{
	return tring_ns(why->walk.top.trace, part->to) -
	       tring_ns(why->walk.top.trace, part->from);
}

static int by_label(const void *a, const void *b)
{
	const struct member *one = a, *other = b;
	int result = strcmp(one->label, other->label);

	return result ? result : one->part->from < other->part->from ? -1 : 1;
}

static int by_begin(const void *a, const void *b)
{
	const struct group *one = a, *other = b;

	return one->list->part->from < other->list->part->from ? -1 : 1;
}

static int by_length(const void *a, const void *b)
{
	const struct group *one = a, *other = b;

	return one->ns != other->ns ? (one->ns < other->ns ? 1 : -1) : by_begin(a, b);
}

static bool same_tasks(const struct tring_why_part *a, const struct tring_why_part *b)
{
	return a->task == b->task &&
	       (!a->cause || (a->cause->by.task == b->cause->by.task &&
			      a->cause->raised_by.task == b->cause->raised_by.task));
}

static size_t make_groups(const struct tree *tree, struct member *list, size_t count,
			  struct group **groups)
{
	size_t group_count = 0, i;

	if (count)
		qsort(list, count, sizeof(*list), by_label);
	for (i = 0; i < count; i++) {
		struct group *group;

		if (!i || strcmp(list[i - 1].label, list[i].label)) {
			*groups = tring_one_more(*groups, group_count, sizeof(**groups));
			(*groups)[group_count++] = (struct group) { .list = &list[i] };
		}
		group = &(*groups)[group_count - 1];
		group->count++;
		group->ns += length_of(tree->why, list[i].part);
		group->several |= !same_tasks(group->list->part, list[i].part);
	}
	if (group_count)
		qsort(*groups, group_count, sizeof(**groups), by_length);
	return group_count;
}

/* Prints a line, or several if the label is too long for one. */
static void print_line(const struct tree *tree, uint64_t ns, const char *label,
		       unsigned int depth)
{
	int indent = 2 * depth < INDENT_MAX ? 2 * depth : INDENT_MAX;
	size_t room = WIDTH - MARGIN - indent;

	printf("%8" PRIu64 ".%03" PRIu64 " %6.1f%%  %*s", ns / 1000000, ns / 1000 % 1000,
	       tree->ns ? 100.0 * ns / tree->ns : 0, indent, "");
	while (strlen(label) > room) {
		const char *cut = memrchr(label, ' ', room + 1);

		if (!cut)
			break;
		printf("%.*s\n%*s", (int)(cut - label), label, MARGIN + indent + 2, "");
		label = cut + 1;
		room = WIDTH - MARGIN - indent - 2;
	}
	puts(label);
}

static void show_below(const struct tree *tree, const struct group *group, unsigned int depth);

/* A wait is told as it went; of all that a task did, the most comes first. */
static void show_groups(const struct tree *tree, struct group *groups, size_t count,
			unsigned int depth)
{
	uint64_t rest = 0;
	size_t shown, i;
	char *text;

	for (shown = 0; shown < count && shown < LINES; shown++)
		if (groups[shown].ns < tree->ns / LEAST)
			break;
	for (i = shown; i < count; i++)
		rest += groups[i].ns;
	if (tree->why->longest != TRING_WHY_ALL && shown)
		qsort(groups, shown, sizeof(*groups), by_begin);
	for (i = 0; i < shown; i++) {
		text = tring_why_label(tree->why, groups[i].list->part, groups[i].several);
		if (groups[i].count > 1)
			tring_extend(&text, " (%zu times)", groups[i].count);
		print_line(tree, groups[i].ns, text, depth);
		free(text);
		show_below(tree, &groups[i], depth + 1);
	}
	/* that there is more below tells nothing on its own */
	if (shown == count || (!shown && depth))
		return;
	text = tring_format("(%zu more)", count - shown);
	print_line(tree, rest, text, depth);
	free(text);
}

/* Shows what is below the parts of a group, in groups. */
static void show_below(const struct tree *tree, const struct group *group, unsigned int depth)
{
	struct group *groups = NULL;
	struct member *list = NULL;
	size_t count = 0, group_count, i, j;

	for (i = 0; i < group->count; i++) {
		const struct tring_why_part *part = group->list[i].part;

		for (j = 0; j < part->count; j++) {
			list = tring_one_more(list, count, sizeof(*list));
			list[count++] = (struct member) {
				&part->list[j],
				tring_why_label(tree->why, &part->list[j], true),
			};
		}
	}
	group_count = make_groups(tree, list, count, &groups);
	show_groups(tree, groups, group_count, depth);
	while (count)
		free(list[--count].label);
	free(list);
	free(groups);
}

/**
 * tring_why_show_tree - print a time as a tree
 * @why: what all did
 * @asked: the time, with its parts
 */
void tring_why_show_tree(const struct tring_why *why, const struct tring_why_part *asked)
{
	const struct tree tree = { why, length_of(why, asked) };
	const struct member whole = { .part = asked };
	const struct group group = { .list = &whole, .count = 1 };
	char *text = tring_why_task(why, asked->task, false);
	const char *kind = tring_why_longest_names[why->longest];
	char *call = asked->span ? tring_why_span(asked->span, kind) : NULL;
	char *from = tring_clock_text(tring_ns(why->walk.top.trace, asked->from));
	char *to = tring_clock_text(tring_ns(why->walk.top.trace, asked->to));

	tring_extend(&text, ": %s", call ? call : kind);
	if (asked != why->asked.list)
		putchar('\n');
	tring_text_print(stdout, text);
	printf(", %" PRIu64 ".%03" PRIu64 " ms from %s to %s\n", tree.ns / 1000000,
	       tree.ns / 1000 % 1000, from, to);
	show_below(&tree, &group, 0);
	free(to);
	free(from);
	free(call);
	free(text);
}

/* Return: what a level is called; a semicolon in a task's name would be another level. */
static char *level_of(const struct tring_why *why, const struct tring_why_part *part)
{
	char *label = tring_why_label(why, part, false), *rest = label;
	char *level = tring_format("%s", strsep(&rest, ";"));

	while (rest)
		tring_extend(&level, "\\x3b%s", strsep(&rest, ";"));
	free(label);
	return level;
}

/* @path: the levels above */
static void show_stacks(const struct tring_why *why, const struct tring_why_part *parent,
			const char *path)
{
	size_t i;

	for (i = 0; i < parent->count; i++) {
		const struct tring_why_part *part = &parent->list[i];
		char *level = level_of(why, part), *stack = tring_format("%s;%s", path, level);

		if (part->count)
			show_stacks(why, part, stack);
		else
			printf("%s %" PRIu64 "\n", stack, length_of(why, part));
		free(stack);
		free(level);
	}
}

/**
 * tring_why_show_folded - print a time as folded stacks, for flame graphs
 * @why: what all did
 * @asked: the time, with its parts
 */
void tring_why_show_folded(const struct tring_why *why, const struct tring_why_part *asked)
{
	const struct tring_why_part root = { .kind = TRING_WHY_HELD, .task = asked->task };
	char *path = level_of(why, &root);

	show_stacks(why, asked, path);
	free(path);
}
