/* SPDX-License-Identifier: GPL-2.0 */
/* What is salvaged of an undamaged memory image, event by event, and where it lies there. */
#ifndef TRING_TEST_TRUTH_H
#define TRING_TEST_TRUTH_H

#include "helpers.h"
#include "salvage/salvage.h"
#include "trace/short_ids.h"

/* Where things lie in an image: offsets. */
struct places {
	size_t		*at;
	size_t		count;
};

/* A packet of the undamaged image. @first: its first event */
struct packet {
	uint64_t	cpu;
	uint64_t	seq;
	size_t		at;
	size_t		first;
	size_t		count;
};

/* An event there. @begin, @end: where it lies */
struct event {
	struct tring_record record;
	uint64_t	fields;
	size_t		begin;
	size_t		end;
};

/*
 * An undamaged image. @pages: those that are not empty. @headers: of packets. @metadata: what
 * describes the trace
 */
struct truth {
	uint8_t		*bytes;
	size_t		size;
	uint64_t	base;
	struct places	pages;
	struct places	directory;
	struct places	slots;
	struct places	descriptions;
	struct places	headers;
	char		*uuid;
	char		*metadata;
	struct packet	*packets;
	size_t		packet_count;
	struct event	*events;
	size_t		count;
};

/* Events of a CPU's file. @said_unsure: times may be early by a multiple of 2^27 */
struct reading {
	bool		said_unsure;
	struct tring_stream stream;
	struct tring_short_ids shorts;
	uint8_t		*bytes;
};

extern bool truth_verbose;

const char *truth_dir(void);
bool truth_salvage(const uint8_t *bytes, size_t size);
void truth_init(struct truth *truth, uint8_t *bytes, size_t size);
void truth_free(struct truth *truth);
const struct packet *truth_packet(const struct truth *truth, uint64_t cpu, uint64_t seq);
size_t truth_event(const struct truth *truth, const struct packet *packet, size_t offset);

void reading_begin(struct reading *reading, const char *dir, const char *name);
uint64_t reading_hash(const struct tring_record *record);

#endif /* TRING_TEST_TRUTH_H */
