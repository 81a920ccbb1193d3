/* SPDX-License-Identifier: GPL-2.0 */
/* Writes a CTF 1.8 trace for Trace Compass' analyses of the kernel. */
#ifndef TRING_CTF_H
#define TRING_CTF_H

#include <stdbool.h>
#include <stdint.h>

#include "output_dir.h"
#include "event/events.h"
#include "util/line.h"
#include "trace/trace_info.h"
#include "wire/wire.h"

/**
 * struct tring_ctf_cpu - the packet of a CPU that is being filled
 * @cpu: number of the CPU
 * @file: name of its stream
 * @packet: the packet, with room for its header
 * @begin: time of its first event, in nanoseconds
 * @end: time of its last event, or of the end of what is missing before it
 * @sequence: its number
 * @discarded: number of events lost before it
 * @begun: it has an event
 * @losing: events are missing before it
 */
struct tring_ctf_cpu {
	int		cpu;
	char		*file;
	struct tring_line packet;
	uint64_t	begin;
	uint64_t	end;
	uint64_t	sequence;
	uint64_t	discarded;
	bool		begun;
	bool		losing;
};

/**
 * struct tring_ctf - a trace that is being written
 * @output: the directory
 * @info: properties of the trace
 * @events: its events
 * @cpus: its CPUs
 * @count: number of @cpus
 */
struct tring_ctf {
	struct tring_output_dir output;
	const struct tring_trace_info *info;
	const struct tring_events *events;
	struct tring_ctf_cpu *cpus;
	size_t		count;
};

void tring_ctf_init(struct tring_ctf *ctf, const struct tring_trace_info *info,
		    const struct tring_events *events, size_t cpus);
void tring_ctf_set_cpu(struct tring_ctf *ctf, size_t index, int cpu);
void tring_ctf_free(struct tring_ctf *ctf);
void tring_ctf_add(struct tring_ctf *ctf, size_t cpu, const struct tring_record *record,
		   const struct tring_event *event, uint64_t ns, const char *comm);
void tring_ctf_lose(struct tring_ctf *ctf, size_t cpu, uint64_t ns, uint64_t events,
		    uint64_t packets);
int tring_ctf_close(struct tring_ctf *ctf);

#endif /* TRING_CTF_H */
