// SPDX-License-Identifier: GPL-2.0
/*
 * Why tasks waited: for the longest waits what "tring why --longest wait --json" prints. The trace
 * is read a second time for that, and what all tasks did is kept, as why keeps it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "page.h"
#include "stats/tables.h"
#include "util/util.h"
#include "why/why.h"

/* Parts of a chain, of which more are no picture; and bytes of all, as a page has to stay small. */
#define PARTS_MAX	300
#define CHAINS_MAX	(1024 * 1024)

static size_t count_parts(const struct tring_why_part *part)
{
	size_t count = part->count, i;

	for (i = 0; i < part->count; i++)
		count += count_parts(&part->list[i]);
	return count;
}

static void add_chain(struct tring_why *why, const struct tring_why_part *asked,
		      struct tring_line *block)
{
	char *text = NULL;
	size_t size;

	why->out = open_memstream(&text, &size);
	if (!why->out)
		abort();
	tring_why_show_json(why, asked);
	if (fclose(why->out))
		abort();
	tring_line_text(block, text, size);
	free(text);
}

static void add_chains(struct tring_why *why, uint64_t most, struct tring_line *block)
{
	size_t i;

	tring_why_gather(why);
	if (!tring_table_has(&why->walk.top, TRING_KIND_SWITCH) ||
	    !tring_table_has(&why->walk.top, TRING_KIND_WAKING))
		return;
	tring_why_choose(why, most);
	for (i = 0; i < why->asked.count && block->at - block->start < CHAINS_MAX; i++) {
		struct tring_why_part *asked = &why->asked.list[i];

		tring_why_resolve(why, asked);
		if (count_parts(asked) <= PARTS_MAX)
			add_chain(why, asked, block);
		tring_why_release(asked);
	}
}

/**
 * tring_page_chains - write why tasks waited
 * @trace: the trace, which gives every event
 * @file: the page
 * @options: what the user wants
 */
void tring_page_chains(struct tring_trace *trace, struct tring_page_file *file,
		       const struct tring_page_options *options)
{
	struct tring_why why = {
		.walk.top.trace = trace, .longest = TRING_WHY_WAIT,
		.from = tring_wants_from(trace), .to = tring_wants_to(trace),
		.hides_addresses = !options->addresses,
	};

	tring_why_init(&why);
	add_chains(&why, options->chains, &file->block);
	tring_why_free(&why);
	tring_page_block(file, "w", 0);
}
