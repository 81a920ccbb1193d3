// SPDX-License-Identifier: GPL-2.0
/* Flame graphs as folded stacks: a line for each, of its frames and what it has. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "flame.h"
#include "util/line.h"
#include "util/text.h"

/* A semicolon in a name would be another frame. */
static void add_name(struct tring_line *line, const char *name)
{
	char *text = tring_text_escaped(name);
	const char *at;

	for (at = text; *at; at++) {
		if (*at == ';')
			tring_line_string(line, "\\x3b");
		else
			tring_line_char(line, *at);
	}
	free(text);
}

static void add(const struct tring_visit *visit)
{
	size_t i;

	if (!visit->flame->own[visit->node])
		return;
	for (i = 1; i <= visit->depth; i++) {
		if (i > 1)
			tring_line_char(visit->line, ';');
		add_name(visit->line, tring_flame_frame(visit->flame, visit->path[i]) + 1);
	}
	tring_line_put(visit->line, " %" PRIu64 "\n", visit->flame->own[visit->node]);
}

/**
 * tring_flame_folded - write folded stacks
 * @flame: the tree
 * @line: where to
 */
void tring_flame_folded(const struct tring_flame *flame, struct tring_line *line)
{
	tring_flame_visit(flame, line, NULL, add);
}
