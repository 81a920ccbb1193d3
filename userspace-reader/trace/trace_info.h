/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The ring's file trace_info: properties of the current trace. */
#ifndef TRING_TRACE_INFO_H
#define TRING_TRACE_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "tring_format.h"

#define TRING_CLOCK_NAME_SIZE	32

/* What a recorder adds about the origin of a trace, in the metadata's env. */
#define TRING_ORIGINS		6
#define TRING_ORIGIN_SIZE	4096

/* Of these, the machine. */
#define TRING_ORIGIN_MACHINE	1

/* Of these, what the recording has left out. */
#define TRING_ORIGIN_LEFT_OUT	4
/* And the condition that has ended it, or none yet. */
#define TRING_ORIGIN_STOPPED_BY	5

/* Characters of a boot's id, with a 0. */
#define TRING_BOOT_ID_SIZE	64

/* What happened to the clock during a recording: counters of stats, in the metadata's env. */
#define TRING_CLOCK_EVENTS	4

/**
 * struct tring_trace_info - properties of a trace
 * @format_version: TRING_FORMAT_VERSION
 * @uuid: uuid in every packet
 * @big_endian: byte order of the packets
 * @clock: name of the clock
 * @clock_frequency: ticks per second
 * @clock_offset: ticks from the Unix epoch to the clock's zero
 * @no_wall: @clock_offset is unknown
 * @tick_frequency: timer ticks per second of the traced kernel, 0 if unknown
 * @save_ns: nanoseconds after which the recorder saves a CPU that has few events, 0 if unknown
 * @hostname: name of the traced machine, empty if unknown
 * @boot_id: id of the boot in which the clock ran, empty if unknown
 * @origins: values of tring_origin_keys, empty if unknown
 * @clock_events: values of tring_clock_event_keys, known at the end of a recording
 */
struct tring_trace_info {
	uint32_t	format_version;
	uint8_t		uuid[TRING_UUID_SIZE];
	bool		big_endian;
	char		clock[TRING_CLOCK_NAME_SIZE];
	uint64_t	clock_frequency;
	int64_t		clock_offset;
	bool		no_wall;
	uint64_t	tick_frequency;
	uint64_t	save_ns;
	char		hostname[64];
	char		boot_id[TRING_BOOT_ID_SIZE];
	char		origins[TRING_ORIGINS][TRING_ORIGIN_SIZE];
	uint64_t	clock_events[TRING_CLOCK_EVENTS];
};

extern const char * const tring_origin_keys[TRING_ORIGINS];
extern const char * const tring_clock_event_keys[TRING_CLOCK_EVENTS];

int tring_trace_info_parse(struct tring_trace_info *info, const char *text,
			   const char *where);

#endif /* TRING_TRACE_INFO_H */
