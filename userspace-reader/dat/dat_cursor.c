// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reading of numbers and texts of a trace.dat that may be damaged. The first fault is
 * reported; from there on nothing more is read.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "dat_cursor.h"
#include "wire/wire.h"
#include "util/util.h"

/* No section of a kernel's descriptions is so large. */
#define DECOMPRESSED_MAX	(256u * 1024 * 1024)

/**
 * tring_dat_fail - report that a trace.dat is damaged
 * @cursor: where; nothing more is read from it
 * @why: what is wrong
 */
void tring_dat_fail(struct tring_dat_cursor *cursor, const char *why)
{
	if (cursor->bad || !cursor->path) {
		cursor->bad = true;
		return;
	}
	if (cursor->decompressed)
		tring_error("%s: offset 0x%" PRIx64 ", byte %zu when decompressed: %s: %s",
			    cursor->path, cursor->offset, cursor->at, cursor->part, why);
	else
		tring_error("%s: offset 0x%" PRIx64 ": %s: %s", cursor->path,
			    cursor->offset + cursor->at, cursor->part, why);
	cursor->bad = true;
}

/**
 * tring_dat_bytes - take bytes
 * @cursor: moved behind them
 * @size: how many
 *
 * Return: the bytes; NULL if there are fewer, which is reported on stderr.
 */
const void *tring_dat_bytes(struct tring_dat_cursor *cursor, uint64_t size)
{
	const void *bytes = cursor->data + cursor->at;

	if (!cursor->bad && size > cursor->size - cursor->at)
		tring_dat_fail(cursor, "the file ends in the middle of it, or is damaged");
	if (cursor->bad)
		return NULL;
	cursor->at += size;
	return bytes;
}

/**
 * tring_dat_number - take a number
 * @cursor: moved behind it
 * @size: bytes of the number: 1, 2, 4 or 8
 *
 * Return: the number; 0 if there is none, which is reported on stderr.
 */
uint64_t tring_dat_number(struct tring_dat_cursor *cursor, size_t size)
{
	const uint8_t *bytes = tring_dat_bytes(cursor, size);

	return bytes ? tring_load(bytes, size, cursor->big_endian) : 0;
}

/**
 * tring_dat_string - take a text that ends with a zero byte
 * @cursor: moved behind it
 *
 * Return: the text, of the cursor's content; an empty one if there is none, which is reported
 * on stderr.
 */
const char *tring_dat_string(struct tring_dat_cursor *cursor)
{
	const char *text = (const char *)cursor->data + cursor->at;
	size_t left = cursor->bad ? 0 : cursor->size - cursor->at;
	size_t length = strnlen(text, left);

	if (!cursor->bad && length == left)
		tring_dat_fail(cursor, "the file ends in the middle of a name");
	if (cursor->bad)
		return "";
	cursor->at += length + 1;
	return text;
}

/**
 * tring_dat_text - take a text that begins with its length
 * @cursor: moved behind it
 * @length_size: bytes of the length
 * @size: set to the characters of the text; may be NULL
 *
 * Return: a copy to free() with a zero byte behind it; NULL if the text is not there as a
 * whole, which is reported on stderr.
 */
char *tring_dat_text(struct tring_dat_cursor *cursor, size_t length_size, size_t *size)
{
	uint64_t length = tring_dat_number(cursor, length_size);
	const void *bytes = tring_dat_bytes(cursor, length);
	char *text;

	if (!bytes)
		return NULL;
	text = tring_allocate(length + 1);
	memcpy(text, bytes, length);
	if (size)
		*size = length;
	return text;
}

/**
 * tring_dat_word - check for a fixed text
 * @cursor: moved behind it if it is there
 * @word: the text
 * @size: bytes of @word, with the zero byte at its end if it counts
 *
 * Return: true if it is there.
 */
bool tring_dat_word(struct tring_dat_cursor *cursor, const char *word, size_t size)
{
	if (cursor->bad || size > cursor->size - cursor->at ||
	    memcmp(cursor->data + cursor->at, word, size))
		return false;
	cursor->at += size;
	return true;
}

/**
 * tring_dat_seek - go to another place
 * @cursor: the cursor
 * @to: number of bytes before the place
 */
void tring_dat_seek(struct tring_dat_cursor *cursor, uint64_t to)
{
	if (cursor->bad)
		return;
	if (to <= cursor->size)
		cursor->at = to;
	else
		tring_dat_fail(cursor, "it lies behind the end of the file");
}

/**
 * tring_dat_decompress - go on in what is compressed at the cursor
 * @cursor: of a file; to be ended with tring_dat_end()
 */
void tring_dat_decompress(struct tring_dat_cursor *cursor)
{
	uint32_t packed = tring_dat_number(cursor, 4), size = tring_dat_number(cursor, 4);
	const void *from = tring_dat_bytes(cursor, packed);
	uint64_t offset = cursor->offset + cursor->at - packed;
	size_t got;
	void *to;

	if (from && size > DECOMPRESSED_MAX)
		tring_dat_fail(cursor, "it would be too large when decompressed");
	if (cursor->bad)
		return;
	to = tring_allocate((size_t)size + 1);
	got = ZSTD_decompress(to, size, from, packed);
	if (ZSTD_isError(got) || got != size) {
		tring_dat_fail(cursor, "it cannot be decompressed by zstd");
		free(to);
		return;
	}
	cursor->decompressed = to;
	cursor->data = to;
	cursor->size = size;
	cursor->at = 0;
	cursor->offset = offset;
}

/**
 * tring_dat_end - free what a cursor has
 * @cursor: the cursor
 */
void tring_dat_end(struct tring_dat_cursor *cursor)
{
	free(cursor->decompressed);
	cursor->decompressed = NULL;
}
