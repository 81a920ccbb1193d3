/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parts of CTF 1.8 metadata (TSDL) that all traces have. */
#ifndef TRING_TSDL_TEXT_H
#define TRING_TSDL_TEXT_H

#include <stdio.h>

#include "tring.h"

/* The beginning of the metadata, with integers of whole bytes. */
#define TRING_TSDL_INTEGERS \
	"/* CTF 1.8 */\n" \
	"\n" \
	"typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n" \
	"typealias integer { size = 16; align = 8; signed = false; } := uint16_t;\n" \
	"typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n" \
	"typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n" \
	"typealias integer { size = 8; align = 8; signed = true; } := int8_t;\n" \
	"typealias integer { size = 16; align = 8; signed = true; } := int16_t;\n" \
	"typealias integer { size = 32; align = 8; signed = true; } := int32_t;\n" \
	"typealias integer { size = 64; align = 8; signed = true; } := int64_t;\n"

void tring_tsdl_string(FILE *file, const char *text);
char *tring_tsdl_name(const struct tring_event *event, const char *stem, const char *tail);

#endif /* TRING_TSDL_TEXT_H */
