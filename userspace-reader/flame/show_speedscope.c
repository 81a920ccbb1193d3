// SPDX-License-Identifier: GPL-2.0
/* Flame graphs as JSON that speedscope reads. */
#include <string.h>

#include "export/json.h"
#include "flame.h"
#include "util/line.h"

static void add_frames(const struct tring_flame *flame, struct tring_line *line)
{
	size_t i;

	for (i = 0; i < flame->names.count; i++) {
		const char *name = flame->names.list[i].bytes + 1;

		tring_line_string(line, i ? ",\n{\"name\":" : "{\"name\":");
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
	tring_line_string(visit->line, *(bool *)visit->data ? ",\n[" : "[");
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

	tring_line_string(line, "{\"$schema\":");
	tring_line_string(line, "\"https://www.speedscope.app/file-format-schema.json\",\n");
	tring_line_string(line, "\"exporter\":\"tring\",\"shared\":{\"frames\":[\n");
	add_frames(flame, line);
	tring_line_string(line, "]},\n\"profiles\":[{\"type\":\"sampled\",\"name\":");
	tring_json_text(line, flame->title, strlen(flame->title));
	tring_line_string(line, flame->mode == TRING_FLAME_EVENTS ? ",\"unit\":\"none\"" :
			  ",\"unit\":\"nanoseconds\"");
	tring_line_string(line, ",\"startValue\":0,\"endValue\":");
	tring_json_number(line, flame->all[0]);
	tring_line_string(line, ",\n\"samples\":[\n");
	tring_flame_visit(flame, line, &more, add_stack);
	tring_line_string(line, "],\n\"weights\":[");
	more = false;
	tring_flame_visit(flame, line, &more, add_value);
	tring_line_string(line, "]}]}\n");
}
