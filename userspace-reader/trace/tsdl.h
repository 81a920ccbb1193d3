/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* CTF 1.8 metadata (TSDL) for a tring trace. */
#ifndef TRING_TSDL_H
#define TRING_TSDL_H

#include <stdio.h>

#include "event/events.h"
#include "short_ids.h"
#include "trace_info.h"

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
void tring_tsdl_write(FILE *file, const struct tring_trace_info *info,
		      const struct tring_short_ids *shorts,
		      const struct tring_events *events);

#endif /* TRING_TSDL_H */
