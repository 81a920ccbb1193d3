/* SPDX-License-Identifier: GPL-2.0 */
/* Values of events as JSON. */
#ifndef TRING_JSON_H
#define TRING_JSON_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tring.h"
#include "util/line.h"

void tring_json_text(struct tring_line *line, const char *text, size_t size);
void tring_json_print(FILE *file, const char *text);
void tring_json_number(struct tring_line *line, uint64_t value);
void tring_json_signed(struct tring_line *line, int64_t value);
void tring_json_fields(struct tring_line *line, const struct tring_item *item);
void tring_json_bytes(struct tring_line *line, const struct tring_record *record);

#endif /* TRING_JSON_H */
