/* SPDX-License-Identifier: GPL-2.0 */
/* Writes a trace of Perfetto: its ftrace events, in bundles of one CPU each. */
#ifndef TRING_PERFETTO_H
#define TRING_PERFETTO_H

#include <stdint.h>

#include "output.h"
#include "event/events.h"
#include "util/line.h"
#include "trace/trace_info.h"
#include "wire/wire.h"

/**
 * struct tring_perfetto_cpu - the bundle of a CPU that is being filled
 * @cpu: number of the CPU
 * @bundle: its events
 * @last: time of the last event, in nanoseconds
 * @lost: events are missing before the first event of @bundle
 */
struct tring_perfetto_cpu {
	int		cpu;
	struct tring_line bundle;
	uint64_t	last;
	bool		lost;
};

struct tring_perfetto_event;

/**
 * struct tring_perfetto - a trace that is being written
 * @output: the file
 * @info: properties of the trace
 * @events: its events
 * @cpus: its CPUs
 * @count: number of @cpus
 * @machine: the machine, in each packet
 * @packet: what precedes the events of a bundle
 * @plans: how each event is written, by index into @events
 */
struct tring_perfetto {
	struct tring_output output;
	const struct tring_trace_info *info;
	const struct tring_events *events;
	struct tring_perfetto_cpu *cpus;
	size_t		count;
	uint32_t	machine;
	struct tring_line packet;
	struct tring_perfetto_event *plans;
};

void tring_perfetto_init(struct tring_perfetto *trace, const struct tring_trace_info *info,
			 const struct tring_events *events, size_t cpus);
void tring_perfetto_free(struct tring_perfetto *trace);
int tring_perfetto_open(struct tring_perfetto *trace, const char *path, uint64_t ns);
void tring_perfetto_add(struct tring_perfetto *trace, size_t cpu,
			const struct tring_record *record, const struct tring_event *event,
			uint64_t ns);
void tring_perfetto_lose(struct tring_perfetto *trace, size_t cpu, uint64_t ns,
			 uint64_t events, uint64_t packets);
int tring_perfetto_close(struct tring_perfetto *trace);

#endif /* TRING_PERFETTO_H */
