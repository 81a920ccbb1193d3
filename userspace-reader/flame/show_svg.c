// SPDX-License-Identifier: GPL-2.0
/*
 * Flame graphs as SVG, with a script that lets one zoom and search. It stands alone: nothing is
 * loaded from elsewhere.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flame.h"
#include "script.h"
#include "util/line.h"
#include "util/text.h"
#include "util/util.h"

#define MARGIN		10
#define WIDTH		1180
#define HEAD		56
#define FOOT		30
#define ROW		16
#define CHARACTER	7.3

/* Narrower frames cannot be seen, also if one zooms to what is around them. */
#define LEAST		0.005

/**
 * struct drawing - what is drawn
 * @depth: number of rows, without the root's
 * @left_out: number of frames that are too narrow
 */
struct drawing {
	size_t		depth;
	uint64_t	left_out;
};

static double width_of(const struct tring_visit *visit)
{
	const uint64_t *all = visit->flame->all;

	return all[0] ? (double)WIDTH * all[visit->node] / all[0] : WIDTH;
}

static void measure(const struct tring_visit *visit)
{
	struct drawing *drawing = visit->data;

	if (width_of(visit) < LEAST)
		drawing->left_out++;
	else if (visit->depth > drawing->depth)
		drawing->depth = visit->depth;
}

/* Adds a text of any bytes. Of characters that XML does not have there is the number. */
static void add_text(struct tring_line *line, const char *text)
{
	static const char *const replaced[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&#39;" };
	static const char characters[] = "&<>\"'";
	char *escaped = tring_text_escaped(text), *at;

	for (at = escaped; *at; at++) {
		const char *found = strchr(characters, *at);

		if (found) {
			tring_line_string(line, replaced[found - characters]);
		} else if (!strncmp(at, "\xef\xbf\xbe", 3) || !strncmp(at, "\xef\xbf\xbf", 3)) {
			at += 2;
			tring_line_string(line, *at == '\xbe' ? "\\xfffe" : "\\xffff");
		} else {
			tring_line_char(line, *at);
		}
	}
	free(escaped);
}

/* Return: as much of a printable text as so many characters; "" if that tells nothing. */
static char *cut(const char *text, size_t most)
{
	size_t count = 0, at = 0, end = 0;

	for (; text[at]; at++) {
		if (((uint8_t)text[at] & 0xc0) == 0x80)
			continue;
		if (count++ + 2 == most)
			end = at;
	}
	if (count <= most)
		return tring_format("%s", text);
	return most < 4 ? tring_format("%s", "") : tring_format("%.*s..", (int)end, text);
}

static void add_value(const struct tring_visit *visit)
{
	const struct tring_flame *flame = visit->flame;
	const uint64_t value = flame->all[visit->node];

	if (flame->mode == TRING_FLAME_EVENTS)
		tring_line_put(visit->line, " (%" PRIu64 " events, ", value);
	else
		tring_line_put(visit->line, " (%" PRIu64 ".%06" PRIu64 " ms, ", value / 1000000,
			       value % 1000000);
	tring_line_put(visit->line, "%.2f%%)",
		       flame->all[0] ? 100.0 * value / flame->all[0] : 100.0);
}

/* A colour of its kind, a bit different for each name. */
static void add_colour(struct tring_line *line, const char *name)
{
	unsigned int hash = 0, spread;
	const char *at;

	for (at = name; *at; at++)
		hash = hash * 31 + (uint8_t)*at;
	spread = hash % 40;
	switch (*name) {
	case TRING_FRAME_TASK:
		tring_line_put(line, "rgb(%u,%u,%u)", 120 + spread, 190, 120 + spread);
		break;
	case TRING_FRAME_USER:
		tring_line_put(line, "rgb(%u,%u,%u)", 230, 110 + spread, 90 + spread / 2);
		break;
	case TRING_FRAME_KERNEL:
		tring_line_put(line, "rgb(%u,%u,%u)", 245, 165 + spread, 70 + spread);
		break;
	case TRING_FRAME_WAKER:
		tring_line_put(line, "rgb(%u,%u,%u)", 110 + spread, 170 + spread / 2, 230);
		break;
	default:
		tring_line_put(line, "rgb(%u,%u,%u)", 180 + spread, 180 + spread, 180 + spread);
	}
}

static void draw(const struct tring_visit *visit)
{
	const struct tring_flame *flame = visit->flame;
	const struct drawing *drawing = visit->data;
	const char *name = tring_flame_frame(flame, visit->node);
	double width = width_of(visit), y = HEAD + ROW * (drawing->depth - visit->depth);
	double x = MARGIN + (flame->all[0] ? (double)WIDTH * visit->before / flame->all[0] : 0);
	struct tring_line *line = visit->line;
	char *text, *escaped;

	if (width < LEAST)
		return;
	tring_line_put(line, "<g class=\"f\"><title>");
	add_text(line, name + 1);
	add_value(visit);
	tring_line_put(line, "</title><rect x=\"%.4f\" y=\"%.0f\" width=\"%.4f\" ", x, y, width);
	tring_line_put(line, "height=\"%d\" fill=\"", ROW - 1);
	add_colour(line, name);
	tring_line_put(line, "\"/>");
	escaped = tring_text_escaped(name + 1);
	text = cut(escaped, (size_t)(width / CHARACTER));
	tring_line_put(line, "<text x=\"%.4f\" y=\"%.0f\">", x + 3, y + ROW - 4);
	add_text(line, text);
	tring_line_put(line, "</text></g>\n");
	free(escaped);
	free(text);
}

static const char head[] =
	"<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%d\" height=\"%zu\"\n"
	"viewBox=\"0 0 %d %zu\">\n"
	"<title>";

static const char style[] =
	"</title>\n"
	"<style>text{font:12px monospace;fill:#000}.f{cursor:pointer}\n"
	".f text{pointer-events:none}.f:hover rect{stroke:#000;stroke-width:.6}\n"
	".hidden{display:none}.below{opacity:.5}.found rect{fill:#d0f}\n"
	".button{cursor:pointer;text-decoration:underline}</style>\n"
	"<rect id=\"back\" width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
	"<text x=\"%d\" y=\"22\" style=\"font-size:16px\">";

static const char buttons[] =
	"</text>\n"
	"<text id=\"reset\" class=\"button\" x=\"%d\" y=\"42\">reset zoom</text>\n"
	"<text id=\"search\" class=\"button\" x=\"%d\" y=\"42\">search</text>\n"
	"<text id=\"matched\" x=\"%d\" y=\"42\"></text>\n"
	"<text id=\"detail\" x=\"%d\" y=\"%zu\">";

/**
 * tring_flame_svg - write SVG
 * @flame: the tree
 * @line: where to
 */
void tring_flame_svg(const struct tring_flame *flame, struct tring_line *line)
{
	const int width = WIDTH + 2 * MARGIN;
	struct drawing drawing = { 0 };
	size_t height, i;

	tring_flame_visit(flame, line, &drawing, measure);
	height = HEAD + ROW * (drawing.depth + 1) + FOOT;
	tring_line_put(line, head, width, height, width, height);
	add_text(line, flame->title);
	tring_line_put(line, style, MARGIN);
	add_text(line, flame->title);
	tring_line_put(line, buttons, MARGIN, MARGIN + 100, MARGIN + 180, MARGIN, height - 10);
	if (drawing.left_out)
		tring_line_put(line, "%" PRIu64 " frames are too narrow to be drawn",
			       drawing.left_out);
	tring_line_put(line, "</text>\n");
	tring_flame_visit(flame, line, &drawing, draw);
	tring_line_put(line, "<script><![CDATA[\n");
	for (i = 0; tring_flame_script[i]; i++)
		tring_line_put(line, "%s\n", tring_flame_script[i]);
	tring_line_put(line, "]]></script>\n</svg>\n");
}
