/* SPDX-License-Identifier: GPL-2.0 */
/* What a user wants to be recorded, and how. */
#ifndef TRING_RECORDING_OPTIONS_H
#define TRING_RECORDING_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "dynamic.h"
#include "event_rules.h"
#include "tracefs/available.h"

struct tring_watch;

/*
 * Longest time until events of a quiet CPU are in its file, by default. Reading the open packet
 * closes it, and each packet has a header.
 */
#define TRING_SAVE_NS		1000000000ull

/**
 * struct tring_recording_options - options of a recording
 * @dir: trace directory, NULL if the ring stays as it is set up and is not read
 * @instance: name of the instance to record, created if it does not exist; NULL
 *	for the top-level ring
 * @events: event patterns, one a line; NULL for the enabled events
 * @available: the events of the ring when @events was checked; none without that
 * @dynamics: events to define for the recording
 * @rules: filters and triggers of what @events and @dynamics name
 * @pids: pids of the tasks to record, separated by spaces; NULL for no change
 * @only_command: record the command's task, too, and no others
 * @children: record the children of these tasks, too
 * @cgroups: cgroups whose tasks to record, as set_event_cgroup takes them, one a line; NULL for
 *	no change
 * @cpus: hexadecimal mask of the CPUs to record; NULL for no change
 * @tracer: the ring's tracer, NULL for no change
 * @functions: patterns of the functions to record, one a line; NULL for all
 * @no_functions: patterns of those not to record
 * @graph_functions: patterns of the functions whose begin and end to record
 * @max_depth: calls inside as many others are left out; NULL for no change
 * @stacks: record the kernel's stack behind each event
 * @user_stacks: record the program's stack behind each event
 * @strings: most bytes of each string of system calls, NULL for no change
 * @size: size of each CPU's ring as the user has written it, NULL for no change
 * @size_kb: the same in KiB
 * @persistent: keep the ring for the next boot
 * @clock: name of the clock, NULL for no change
 * @realtime: priority of SCHED_FIFO of the threads that read the rings; 0 for none
 * @overwrite: "0" or "1", NULL for no change
 * @split_bytes: bytes of packets after which another part of the trace begins, 0 for none
 * @split_ns: time after which another part begins, 0 for none
 * @max_bytes: bytes of packets that all parts may have, 0 for no limit; the oldest go
 * @compress: level of zstd; 0 for packets that are not compressed
 * @save_ns: time after which events of a CPU that has few are saved
 * @seconds: duration, 0 for no limit
 * @watch: what ends the recording when its events have met a condition; NULL for none
 * @after_ns: how much later that is
 * @rests: the ring is left alone until the end
 * @command: command that ends the recording when it ends, NULL for none
 */
struct tring_recording_options {
	const char	*dir;
	const char	*instance;
	char		*events;
	struct tring_available available;
	struct tring_dynamics dynamics;
	struct tring_event_rules rules;
	char		*pids;
	bool		only_command;
	bool		children;
	char		*cgroups;
	const char	*cpus;
	const char	*tracer;
	char		*functions;
	char		*no_functions;
	char		*graph_functions;
	const char	*max_depth;
	bool		stacks;
	bool		user_stacks;
	const char	*strings;
	const char	*size;
	char		*size_kb;
	bool		persistent;
	const char	*clock;
	int		realtime;
	const char	*overwrite;
	uint64_t	split_bytes;
	uint64_t	split_ns;
	uint64_t	max_bytes;
	int		compress;
	uint64_t	save_ns;
	double		seconds;
	struct tring_watch *watch;
	uint64_t	after_ns;
	bool		rests;
	char		**command;
};

int tring_request_check(struct tring_recording_options *options);
int tring_start(const struct tring_recording_options *options);
int tring_record(const struct tring_recording_options *options);

#endif /* TRING_RECORDING_OPTIONS_H */
