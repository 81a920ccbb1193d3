/* SPDX-License-Identifier: GPL-2.0 */
/* One recording: the ring, its settings, its CPUs and the trace directory. */
#ifndef TRING_RECORDING_H
#define TRING_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "child.h"
#include "control.h"
#include "drain.h"
#include "print/events.h"
#include "settings.h"
#include "trace/short_ids.h"
#include "trace/stats.h"
#include "trace/trace_info.h"
#include "writer.h"

/**
 * struct tring_recording_options - what the user asked for
 * @dir: trace directory
 * @instance: name of the instance to record, made if there is none; NULL for
 *	the ring that is always there
 * @events: event patterns, one a line; NULL for those that are enabled
 * @size_kb: of each CPU's ring, NULL as it is
 * @clock: its name, NULL as it is
 * @overwrite: "0" or "1", NULL as it is
 * @seconds: how long, 0 for no limit
 * @command: record as long as it runs, NULL for none
 */
struct tring_recording_options {
	const char	*dir;
	const char	*instance;
	char		*events;
	const char	*size_kb;
	const char	*clock;
	const char	*overwrite;
	double		seconds;
	char		**command;
};

/**
 * struct tring_recording_cpu - one CPU of a recording
 * @drain: its packets
 * @start: its counters before recording
 * @end: its counters after everything was read, less @start
 */
struct tring_recording_cpu {
	struct tring_drain drain;
	struct tring_stats start;
	struct tring_stats end;
};

/**
 * struct tring_recording - one recording
 * @options: what the user asked for
 * @control: the ring
 * @settings: changes to the ring that are to be taken back
 * @info: what the ring says of itself
 * @shorts: which events the short records are of
 * @events: events that may occur
 * @cpus: as many as @control has
 * @writer: writes to the CPUs' files
 * @child: the command
 * @ids: which event ids there are in the packets; those of short records from
 *	the end on
 * @learnt_ns: when short_ids was read last
 * @signal_fd: the signals that end a recording
 * @start_ns: when recording began, 0 if it has not
 * @stop_ns: when it was stopped
 * @interrupted: by a signal
 */
struct tring_recording {
	const struct tring_recording_options *options;
	struct tring_control control;
	struct tring_settings settings;
	struct tring_trace_info info;
	struct tring_short_ids shorts;
	struct tring_events events;
	struct tring_recording_cpu *cpus;
	struct tring_writer writer;
	struct tring_child child;
	bool		ids[TRING_EVENT_IDS];
	uint64_t	learnt_ns;
	int		signal_fd;
	uint64_t	start_ns;
	uint64_t	stop_ns;
	bool		interrupted;
};

int tring_recording_prepare(struct tring_recording *recording,
			    const struct tring_recording_options *options);
int tring_recording_run(struct tring_recording *recording);
int tring_recording_finish(struct tring_recording *recording);
int tring_recording_end(struct tring_recording *recording);

void tring_recording_show_live(struct tring_recording *recording, bool now);
int tring_recording_show_summary(const struct tring_recording *recording);

#endif /* TRING_RECORDING_H */
