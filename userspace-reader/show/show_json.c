// SPDX-License-Identifier: GPL-2.0
/* Writes the events and losses of traces as JSON. */
#include <stdio.h>

#include "export/lines.h"
#include "show_json.h"

static struct tring_lines_source source_of(const struct tring_shown *shown)
{
	return (struct tring_lines_source) {
		.trace = shown->trace, .name = shown->name,
		.zero = shown->style.aligned ? &shown->style.zero : NULL,
	};
}

static void write_item(struct tring_show *show, struct tring_shown *shown)
{
	const struct tring_lines_source source = source_of(shown);

	tring_lines_add(show->data, &source, &shown->item);
}

/**
 * tring_show_json - write traces as JSON, an object a line
 * @show: the traces; their style is that of JSON
 * @print: writes the traces
 */
void tring_show_json(struct tring_show *show, void (*print)(struct tring_show *show))
{
	struct tring_lines text;
	size_t i;

	tring_lines_init(&text, NULL);
	show->write = write_item;
	show->data = &text;
	for (i = 0; i < show->count; i++) {
		const struct tring_lines_source source = source_of(&show->traces[i]);

		tring_lines_head(&text, &source);
	}
	print(show);
	tring_lines_free(&text);
}
