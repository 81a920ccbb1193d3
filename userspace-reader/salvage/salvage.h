/* SPDX-License-Identifier: GPL-2.0 */
/* Writes what a memory image has of the rings as trace directories. */
#ifndef TRING_SALVAGE_H
#define TRING_SALVAGE_H

#include "packet.h"
#include "event/events.h"
#include "trace/trace_info.h"

/**
 * struct tring_salvage_options - what to salvage
 * @path: file of the image
 * @dir: trace directory to write
 * @base: physical address of raw memory's first byte
 * @has_base: @base is valid
 * @formats: trace directory or tracefs with formats; NULL for none
 * @trace: uuid of the trace as a text, "all", or NULL
 */
struct tring_salvage_options {
	const char	*path;
	const char	*dir;
	uint64_t	base;
	bool		has_base;
	const char	*formats;
	const char	*trace;
};

/**
 * struct tring_salvage_cpu - what became of a CPU's ring
 * @cpu: number of the CPU
 * @there: events that are committed, by the ring's own counts
 * @recovered: events of these that the written packets have
 * @surplus: events in packets that have more than the ring counts
 * @uncommitted: records that were not committed
 * @packets: written packets
 * @missing: packets that a slot has and that could not be read
 * @faults: pieces of bad input that a reader of the packets finds and gets over
 * @repaired: parts of headers that were wrong and are known
 * @guessed: packets whose times may be others
 * @foreign: packets of an older trace, which are left out
 * @bad_slots: slots that say what cannot be
 * @repaired_slots: damaged slots whose packets were found all the same
 * @bad_arrays: memories whose slots or descriptions are not all in the image
 * @bytes_missing: bytes of packets that the image lacks
 * @ends: packets by how their end is known
 * @unsure: packets with open records of which it is not known which ones these are
 * @earlier: packets before the first one, if it is not known what was lost with them
 */
struct tring_salvage_cpu {
	uint32_t	cpu;
	uint64_t	there;
	uint64_t	recovered;
	uint64_t	surplus;
	uint64_t	uncommitted;
	uint64_t	packets;
	uint64_t	missing;
	uint64_t	faults;
	uint64_t	repaired;
	uint64_t	guessed;
	uint64_t	foreign;
	uint64_t	bad_slots;
	uint64_t	repaired_slots;
	uint64_t	bad_arrays;
	uint64_t	bytes_missing;
	uint64_t	ends[TRING_PACKET_ENDS];
	uint64_t	unsure;
	uint64_t	earlier;
};

/**
 * struct tring_description - what describes a trace
 * @info: its properties
 * @events: its events
 */
struct tring_description {
	struct tring_trace_info info;
	struct tring_events events;
};

int tring_salvage(const struct tring_salvage_options *options);

/* streams.c */
int tring_salvage_stream(const struct tring_ring *ring, const char *dir, struct tring_met *met,
			 struct tring_salvage_cpu *cpu);

/* describe.c */
int tring_salvage_begin(struct tring_description *description, struct tring_image *image,
			const struct tring_found_trace *trace, const char *dir);
int tring_salvage_describe(struct tring_description *description,
			   const struct tring_found_trace *trace, const char *dir,
			   const char *formats, const struct tring_met *met);

/* show.c */
void tring_salvage_show(const struct tring_found_trace *trace, const char *dir,
			const struct tring_salvage_cpu *cpus, size_t count);

#endif /* TRING_SALVAGE_H */
