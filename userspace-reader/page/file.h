/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A page: one HTML file with a program, and data in blocks of compressed columns, which the
 * program takes apart when it needs them. docs/page-format.md describes them.
 */
#ifndef TRING_PAGE_FILE_H
#define TRING_PAGE_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "export/output.h"
#include "export/protobuf.h"
#include "util/line.h"
#include "util/util.h"

struct z_stream_s;

/**
 * struct tring_page_file - a page that is being written
 * @output: the file
 * @deflate: compresses a block
 * @packed: bytes of a block, compressed
 * @trace: number of the trace whose blocks come
 * @nonce: lets the page's own program and style run, and nothing else
 */
struct tring_page_file {
	struct tring_output output;
	struct z_stream_s *deflate;
	struct tring_line packed;
	size_t		trace;
	char		nonce[33];
};

bool tring_page_open(struct tring_page_file *file, const char *path, const char *title);
void tring_page_bytes(struct tring_page_file *file, struct tring_line *line);
void tring_page_column(struct tring_page_file *file, struct tring_line *column, bool plain);
uint64_t tring_page_block(struct tring_page_file *file, const char *name, uint64_t number);
bool tring_page_close(struct tring_page_file *file);

/**
 * tring_page_number - add a number to a column
 * @column: the column
 * @value: the number
 */
static inline void tring_page_number(struct tring_line *column, uint64_t value)
{
	tring_line_room(column, TRING_PROTO_VARINT_MAX);
	column->at = tring_proto_varint(column->at, value);
}

/**
 * tring_page_zigzag - make small numbers of small negative ones
 * @value: the number
 */
static inline uint64_t tring_page_zigzag(int64_t value)
{
	return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

/**
 * tring_page_signed - add a signed number to a column
 * @column: the column
 * @value: the number
 */
static inline void tring_page_signed(struct tring_line *column, int64_t value)
{
	tring_page_number(column, tring_page_zigzag(value));
}

/**
 * tring_page_room - get room for one more item of a list that is emptied and filled again
 * @list: the list, NULL if it has no room yet; it may move
 * @count: number of items
 * @room: how many have room
 * @size: bytes of an item
 *
 * Return: the list, never NULL.
 */
static inline void *tring_page_room(void *list, size_t count, size_t *room, size_t size)
{
	if (count < *room)
		return list;
	list = tring_one_more(list, *room, size);
	*room = *room ? 2 * *room : 1;
	return list;
}

void tring_page_text(struct tring_line *column, const char *text, size_t size);

#endif /* TRING_PAGE_FILE_H */
