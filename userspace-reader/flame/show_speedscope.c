// SPDX-License-Identifier: GPL-2.0
/* Flame graphs as JSON that speedscope reads. */
#include <string.h>

#include "export/json.h"
#include "flame.h"
#include "util/line.h"

static void add(struct tring_line *line, const char *text)
{
	tring_line_text(line, text, strlen(text));
}

static void add_frames(const struct tring_flame *flame, struct tring_line *line)
{
	size_t i;

	for (i = 0; i < flame->names.count; i++) {
		const char *name = flame->names.list[i].bytes + 1;

		add(line, i ? ",\n{\"name\":" : "{\"name\":");
		tring_json_text(line, name, strlen(name));
		tring_line_char(line, '}');
	}
}

/* Numbers of the names of a stack's frames. */
static void add_stack(const struct tring_visit *visit)
{
	size_t i;

	if (!visit->flame->own[visit->node])
		return;
	add(visit->line, *(bool *)visit->data ? ",\n[" : "[");
	*(bool *)visit->data = true;
	for (i = 1; i <= visit->depth; i++) {
		if (i > 1)
			tring_line_char(visit->line, ',');
		tring_json_number(visit->line, tring_flame_name(visit->flame, visit->path[i]));
	}
	tring_line_char(visit->line, ']');
}

static void add_value(const struct tring_visit *visit)
{
	if (!visit->flame->own[visit->node])
		return;
	if (*(bool *)visit->data)
		tring_line_char(visit->line, ',');
	*(bool *)visit->data = true;
	tring_json_number(visit->line, visit->flame->own[visit->node]);
}

/**
 * tring_flame_speedscope - write speedscope's JSON
 * @flame: the tree
 * @line: where to
 */
void tring_flame_speedscope(const struct tring_flame *flame, struct tring_line *line)
{
	bool more = false;

	add(line, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n");
	add(line, "\"exporter\":\"tring\",\"shared\":{\"frames\":[\n");
	add_frames(flame, line);
	add(line, "]},\n\"profiles\":[{\"type\":\"sampled\",\"name\":");
	tring_json_text(line, flame->title, strlen(flame->title));
	add(line, flame->mode == TRING_FLAME_EVENTS ? ",\"unit\":\"none\"" :
		  ",\"unit\":\"nanoseconds\"");
	add(line, ",\"startValue\":0,\"endValue\":");
	tring_json_number(line, flame->all[0]);
	add(line, ",\n\"samples\":[\n");
	tring_flame_visit(flame, line, &more, add_stack);
	add(line, "],\n\"weights\":[");
	more = false;
	tring_flame_visit(flame, line, &more, add_value);
	add(line, "]}]}\n");
}
