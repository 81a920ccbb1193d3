/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reading of numbers and texts of a trace.dat that may be damaged. */
#ifndef TRING_DAT_CURSOR_H
#define TRING_DAT_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct tring_dat_cursor - position in a file or in the decompressed content of a section
 * @path: the file, for messages; NULL for none
 * @part: what is being read, for messages
 * @data: content
 * @size: bytes of @data
 * @at: number of bytes that were read
 * @offset: offset of @data in the file, or of what it was decompressed from
 * @decompressed: memory to free, NULL if @data is the file's
 * @big_endian: byte order
 * @bad: something was wrong, reported on stderr; all numbers are 0 from there on
 */
struct tring_dat_cursor {
	const char	*path;
	const char	*part;
	const uint8_t	*data;
	size_t		size;
	size_t		at;
	uint64_t	offset;
	void		*decompressed;
	bool		big_endian;
	bool		bad;
};

void tring_dat_fail(struct tring_dat_cursor *cursor, const char *why);
const void *tring_dat_bytes(struct tring_dat_cursor *cursor, uint64_t size);
uint64_t tring_dat_number(struct tring_dat_cursor *cursor, size_t size);
const char *tring_dat_string(struct tring_dat_cursor *cursor);
char *tring_dat_text(struct tring_dat_cursor *cursor, size_t length_size, size_t *size);
bool tring_dat_word(struct tring_dat_cursor *cursor, const char *word, size_t size);
void tring_dat_seek(struct tring_dat_cursor *cursor, uint64_t to);
void tring_dat_decompress(struct tring_dat_cursor *cursor);
void tring_dat_end(struct tring_dat_cursor *cursor);

#endif /* TRING_DAT_CURSOR_H */
