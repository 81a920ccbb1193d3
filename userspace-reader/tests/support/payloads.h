/* SPDX-License-Identifier: GPL-2.0 */
/* Pseudo-random payloads of an event: plausible ones, odd ones, and any bytes. */
#ifndef TRING_TEST_PAYLOADS_H
#define TRING_TEST_PAYLOADS_H

#include "helpers.h"
#include "event/events.h"

/* Bytes that a payload may have. */
#define PAYLOAD_MAX	(65536 + 4096)

/**
 * enum content - what a payload has
 * @CONTENT_PLAUSIBLE: small numbers, whole texts, and arrays one behind another, none empty
 * @CONTENT_ODD: extreme numbers, and arrays anywhere behind the fixed fields
 * @CONTENT_RANDOM: any bytes; half of the arrays may lie outside of the payload
 * @CONTENTS: number of them
 */
enum content {
	CONTENT_PLAUSIBLE,
	CONTENT_ODD,
	CONTENT_RANDOM,
	CONTENTS,
};

void payload_seed(uint64_t seed);
void payload_functions(const char *kallsyms);
uint32_t payload_make(uint8_t *payload, const struct tring_event *event, bool big_endian,
		      enum content content);

#endif /* TRING_TEST_PAYLOADS_H */
