// SPDX-License-Identifier: GPL-2.0
/*
 * The file of a page: what is the same in all pages, and the blocks of data, which are text in
 * elements of their own. A browser neither runs nor shows them, and what a trace contains is packed
 * there: nothing of it is ever HTML.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <zlib.h>

#include "assets.h"
#include "file.h"
#include "util/text.h"
#include "util/util.h"

/* By its first bytes a page is known that may be replaced. */
#define MAGIC		"<!--tring page--"
#define MAGIC_SIZE	16

/* Size against instructions: 6 is 1.3 % smaller and takes a fifth more, 3 is 6 % larger. */
#define LEVEL		5

/* Of a column with as many different bytes, equally often, none repeats what has been. */
#define MANY		2

/* Bytes of a block that zlib may still have, at most. */
#define UNWRITTEN	(1 << 18)

static void add(struct tring_page_file *file, const char *text)
{
	tring_output_add(&file->output, text, strlen(text));
}

static void make_nonce(char *nonce)
{
	uint8_t bytes[16];

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		abort();
	tring_text_hex(nonce, bytes, sizeof(bytes));
}

/* Titles are names of traces, so they may have anything in them. */
static void add_escaped(struct tring_page_file *file, const char *text)
{
	char *repaired = tring_allocate(TRING_UTF8_MAX * strlen(text) + 1);
	const char *at = repaired;

	repaired[tring_utf8_repair(repaired, (const uint8_t *)text, strlen(text))] = 0;
	for (; *at; at++) {
		if (*at == '&' || *at == '<' || tring_is_control((uint8_t)*at & 0x7f))
			tring_output_add(&file->output, "?", 1);
		else
			tring_output_add(&file->output, at, 1);
	}
	free(repaired);
}

static void add_head(struct tring_page_file *file, const char *title)
{
	char *policy = tring_format("<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		"script-src 'nonce-%s'; style-src 'nonce-%s'; img-src data:\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
		file->nonce, file->nonce);
	char *style = tring_format(" - tring</title>\n<style nonce=\"%s\">\n", file->nonce);

	add(file, policy);
	add_escaped(file, title);
	add(file, style);
	tring_output_add(&file->output, tring_page_style,
			 tring_page_style_end - tring_page_style);
	add(file, "</style>\n");
	free(policy);
	free(style);
}

/* Return: the place behind a line of the template; the line itself is left out. */
static const char *add_up_to(struct tring_page_file *file, const char *from, const char *line)
{
	const char *at = strstr(from, line);

	if (!at)
		abort();
	tring_output_add(&file->output, from, at - from);
	return at + strlen(line);
}

/**
 * tring_page_open - begin a page
 * @file: filled in; for tring_page_close()
 * @path: the file
 * @title: of the page
 *
 * Return: false after an error, reported on stderr.
 */
bool tring_page_open(struct tring_page_file *file, const char *path, const char *title)
{
	const char *at = tring_page_template;

	memset(file, 0, sizeof(*file));
	if (tring_output_open(&file->output, path, MAGIC, MAGIC_SIZE))
		return false;
	file->deflate = tring_allocate(sizeof(*file->deflate));
	if (deflateInit2(file->deflate, LEVEL, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	tring_line_init(&file->packed);
	make_nonce(file->nonce);
	add(file, MAGIC ">");
	at = add_up_to(file, at, "<!--tring:head-->");
	add_head(file, title);
	add_up_to(file, at, "<!--tring:data-->");
	return true;
}

/**
 * tring_page_text - add a text to a column
 * @column: the column
 * @text: the text; a byte that is not UTF-8 becomes the character of its value
 * @size: bytes of @text
 */
void tring_page_text(struct tring_line *column, const char *text, size_t size)
{
	char *repaired;

	if (tring_is_ascii((const uint8_t *)text, size)) {
		tring_page_number(column, size);
		tring_line_text(column, text, size);
		return;
	}
	repaired = tring_allocate(TRING_UTF8_MAX * size);
	size = tring_utf8_repair(repaired, (const uint8_t *)text, size);
	tring_page_number(column, size);
	tring_line_text(column, repaired, size);
	free(repaired);
}

static void pack(struct tring_page_file *file, int strategy, const char *bytes, size_t size,
		 int flush)
{
	z_stream *stream = file->deflate;

	tring_line_room(&file->packed, deflateBound(stream, size) + UNWRITTEN);
	stream->next_out = (Bytef *)file->packed.at;
	stream->avail_out = file->packed.end - file->packed.at;
	stream->avail_in = 0;
	if (deflateParams(stream, LEVEL, strategy) != Z_OK)
		abort();
	stream->next_in = (Bytef *)bytes;
	stream->avail_in = size;
	deflate(stream, flush);
	if (stream->avail_in || !stream->avail_out)
		abort();
	file->packed.at = (char *)stream->next_out;
}

/**
 * tring_page_bytes - add bytes to the block that comes next
 * @file: the page
 * @line: the bytes, none of which are there then
 */
void tring_page_bytes(struct tring_page_file *file, struct tring_line *line)
{
	pack(file, Z_DEFAULT_STRATEGY, line->start, line->at - line->start, Z_NO_FLUSH);
	line->at = line->start;
}

/* Tells whether it is improbable that two bytes are equal: repetitions are hardly longer then. */
static bool varies(const struct tring_line *column)
{
	size_t counts[256] = { 0 }, size = column->at - column->start, equal = 0, i;

	for (i = 0; i < size; i++)
		equal += counts[(uint8_t)column->start[i]]++;
	return equal < size * size / (2 * MANY);
}

/**
 * tring_page_column - add a column to the block that comes next
 * @file: the page
 * @column: the column, which is empty then
 * @plain: its values come in no order, so repetitions are looked for only if it has few of them
 */
void tring_page_column(struct tring_page_file *file, struct tring_line *column, bool plain)
{
	size_t size = column->at - column->start;
	char head[TRING_PROTO_VARINT_MAX];
	const int strategy = plain && varies(column) ? Z_HUFFMAN_ONLY : Z_DEFAULT_STRATEGY;

	pack(file, strategy, head, tring_proto_varint(head, size) - head, Z_NO_FLUSH);
	pack(file, strategy, column->start, size, Z_NO_FLUSH);
	column->at = column->start;
}

/* Ascii85, but for "<", which is "v": nothing of it is ever HTML. */
static void add_ascii85(struct tring_output *output, const uint8_t *bytes, size_t size)
{
	char text[5 * 1024];
	size_t fill = 0, i, j;

	for (i = 0; i < size; i += 4) {
		uint32_t four = 0;

		for (j = i; j < i + 4; j++)
			four = four << 8 | (j < size ? bytes[j] : 0);
		for (j = 5; j--; four /= 85)
			text[fill + j] = four % 85 == '<' - '!' ? 'v' : '!' + four % 85;
		fill += size - i < 4 ? size - i + 1 : 5;
		if (fill == sizeof(text)) {
			tring_output_add(output, text, fill);
			fill = 0;
		}
	}
	tring_output_add(output, text, fill);
}

/**
 * tring_page_block - add the block whose columns were added, of the trace @file->trace
 * @file: the page
 * @name: what kind of block it is
 * @number: its number among those of the kind
 *
 * Return: its bytes in the file.
 */
uint64_t tring_page_block(struct tring_page_file *file, const char *name, uint64_t number)
{
	uint64_t begin = tring_output_at(&file->output);
	char *of = file->trace ? tring_format("_%zu", file->trace) : tring_format("%s", "");
	char *head = tring_format("<script type=\"application/octet-stream\" id=\"%s%llu%s\">",
				  name, (unsigned long long)number, of);

	pack(file, Z_DEFAULT_STRATEGY, "", 0, Z_FINISH);
	deflateReset(file->deflate);
	add(file, head);
	add_ascii85(&file->output, (const uint8_t *)file->packed.start,
		    file->packed.at - file->packed.start);
	file->packed.at = file->packed.start;
	add(file, "</script>\n");
	free(head);
	free(of);
	return tring_output_at(&file->output) - begin;
}

static void add_rest(struct tring_page_file *file)
{
	const char *at = strstr(tring_page_template, "<!--tring:data-->");
	char *script = tring_format("<script nonce=\"%s\">\n", file->nonce);

	at = add_up_to(file, at + strlen("<!--tring:data-->"), "<!--tring:script-->");
	add(file, script);
	tring_output_add(&file->output, tring_page_script,
			 tring_page_script_end - tring_page_script);
	add(file, "</script>\n");
	add(file, at);
	free(script);
}

/**
 * tring_page_close - complete a page
 * @file: from tring_page_open(), with all blocks
 *
 * Return: false after an error, reported on stderr; there is no file then.
 */
bool tring_page_close(struct tring_page_file *file)
{
	add_rest(file);
	deflateEnd(file->deflate);
	free(file->deflate);
	tring_line_free(&file->packed);
	return !tring_output_close(&file->output);
}
