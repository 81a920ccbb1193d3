/* SPDX-License-Identifier: GPL-2.0 */
/* Encodes structs in Thrift's compact protocol, into a growing buffer. */
#ifndef TRING_THRIFT_H
#define TRING_THRIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/line.h"

/* How deep structs may lie in structs. */
#define TRING_THRIFT_DEPTH	8

enum tring_thrift_type {
	TRING_THRIFT_TRUE = 1,
	TRING_THRIFT_FALSE = 2,
	TRING_THRIFT_I8 = 3,
	TRING_THRIFT_I32 = 5,
	TRING_THRIFT_I64 = 6,
	TRING_THRIFT_BINARY = 8,
	TRING_THRIFT_LIST = 9,
	TRING_THRIFT_STRUCT = 12,
};

/**
 * struct tring_thrift - position in a struct
 * @line: the buffer
 * @last: number of the last field of each struct that is open
 * @depth: number of structs that are open, less one
 */
struct tring_thrift {
	struct tring_line *line;
	int16_t		last[TRING_THRIFT_DEPTH];
	unsigned int	depth;
};

void tring_thrift_init(struct tring_thrift *thrift, struct tring_line *line);
void tring_thrift_bool(struct tring_thrift *thrift, int16_t field, bool value);
void tring_thrift_i8(struct tring_thrift *thrift, int16_t field, int8_t value);
void tring_thrift_i32(struct tring_thrift *thrift, int16_t field, int32_t value);
void tring_thrift_i64(struct tring_thrift *thrift, int16_t field, int64_t value);
void tring_thrift_text(struct tring_thrift *thrift, int16_t field, const char *text);
void tring_thrift_struct(struct tring_thrift *thrift, int16_t field);
void tring_thrift_list(struct tring_thrift *thrift, int16_t field, enum tring_thrift_type type,
		       size_t count);
void tring_thrift_element_i32(struct tring_thrift *thrift, int32_t value);
void tring_thrift_element_text(struct tring_thrift *thrift, const char *text);
void tring_thrift_element_struct(struct tring_thrift *thrift);
void tring_thrift_end(struct tring_thrift *thrift);

#endif /* TRING_THRIFT_H */
