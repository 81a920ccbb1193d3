/* SPDX-License-Identifier: GPL-2.0 */
/* The ring's file trace_info: properties of the current trace. */
#ifndef TRING_TRACE_INFO_H
#define TRING_TRACE_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "tring_format.h"

#define TRING_CLOCK_NAME_SIZE	32

/* What a recorder adds about the origin of a trace, in the metadata's env. */
#define TRING_ORIGINS		4
#define TRING_ORIGIN_SIZE	4096

/**
 * struct tring_trace_info - properties of a trace
 * @format_version: TRING_FORMAT_VERSION
 * @uuid: uuid in every packet
 * @big_endian: byte order of the packets
 * @clock: name of the clock
 * @clock_frequency: ticks per second
 * @clock_offset: ticks from the Unix epoch to the clock's zero
 * @hostname: name of the traced machine, empty if unknown
 * @origins: values of tring_origin_keys, empty if unknown
 */
struct tring_trace_info {
	uint32_t	format_version;
	uint8_t		uuid[TRING_UUID_SIZE];
	bool		big_endian;
	char		clock[TRING_CLOCK_NAME_SIZE];
	uint64_t	clock_frequency;
	int64_t		clock_offset;
	char		hostname[64];
	char		origins[TRING_ORIGINS][TRING_ORIGIN_SIZE];
};

extern const char * const tring_origin_keys[TRING_ORIGINS];

int tring_trace_info_parse(struct tring_trace_info *info, const char *text,
			   const char *where);
char *tring_uuid_text(const uint8_t *uuid);

#endif /* TRING_TRACE_INFO_H */
