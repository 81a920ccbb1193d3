/* SPDX-License-Identifier: GPL-2.0 */
/* One recording: the ring, its settings, its CPUs and the trace directory. */
#ifndef TRING_RECORDING_H
#define TRING_RECORDING_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "child.h"
#include "tracefs/control.h"
#include "cpu_thread.h"
#include "maps.h"
#include "options.h"
#include "parts.h"
#include "event/events.h"
#include "settings.h"
#include "state.h"
#include "trace/short_ids.h"
#include "tracefs/stats.h"
#include "trace/trace_info.h"

/* The ring's file that says whether stacks of programs are recorded. */
#define TRING_USER_STACKS	"options/userstacktrace"

/**
 * struct tring_recording_cpu - counters of a CPU of a recording
 * @start: before the recording, or before its last part
 * @end: after everything was read, less @start
 * @earlier: sums of @end of the parts before
 * @earlier_events: events in the files of the parts before
 * @earlier_bytes: bytes of their packets
 * @earlier_stored: bytes of the files
 * @told: lost events that these parts tell
 */
struct tring_recording_cpu {
	struct tring_stats start;
	struct tring_stats end;
	struct tring_stats earlier;
	uint64_t	earlier_events;
	uint64_t	earlier_bytes;
	uint64_t	earlier_stored;
	uint64_t	told;
};

/**
 * struct tring_recording - one recording
 * @options: options of the user
 * @dir: trace directory, or that of the present part
 * @parts: the parts of the trace, if it is split
 * @control: the ring, locked from the first change until the last one is undone
 * @settings: changes to the ring that are to be undone
 * @before_triggers: number of @settings before the triggers
 * @dynamics: events that are defined for the recording; those of @options
 * @state: file in which @settings are written down
 * @info: properties of the trace
 * @info_text: text of trace_info, as far as the begin knows it
 * @shorts: events of the short types
 * @events: events that may occur
 * @cpus: one for each CPU of @control
 * @threads: one for each CPU of @control
 * @maps: what programs have in their memory
 * @child: the command
 * @describing: a thread at a time may use what follows up to @undescribed, @dir, @parts.next,
 *	@parts.described, @info, @shorts and @events, once the threads run
 * @types: short types that have occurred, one bit each
 * @ids: by id: it has occurred
 * @missing: by id: it has occurred, and there is no event of that id
 * @shorts_text: file of the ring that says @shorts
 * @described: what @dir describes
 * @modules: the modules at the start
 * @undescribed: negative errno if something that has occurred cannot be described
 * @saved_ns: time at which the threads were last told to save
 * @signal_fd: source of the signals that end a recording
 * @notice_fd: eventfd of what the threads tell
 * @start_ns: time at which recording began, 0 before
 * @stop_ns: time at which recording was stopped
 */
struct tring_recording {
	const struct tring_recording_options *options;
	char		*dir;
	struct tring_parts parts;
	struct tring_control control;
	struct tring_settings settings;
	size_t		before_triggers;
	struct tring_dynamics dynamics;
	struct tring_state state;
	struct tring_trace_info info;
	char		*info_text;
	struct tring_short_ids shorts;
	struct tring_events events;
	struct tring_recording_cpu *cpus;
	struct tring_cpu_thread *threads;
	struct tring_maps_writer maps;
	struct tring_child child;
	pthread_mutex_t	describing;
	uint32_t	types;
	bool		ids[TRING_EVENT_IDS];
	bool		missing[TRING_EVENT_IDS];
	char		*shorts_text;
	struct tring_descriptions described;
	char		*modules;
	int		undescribed;
	uint64_t	saved_ns;
	int		signal_fd;
	int		notice_fd;
	uint64_t	start_ns;
	uint64_t	stop_ns;
};

void tring_recording_init(struct tring_recording *recording,
			  const struct tring_recording_options *options);
void tring_recording_adapt(void);
int tring_recording_prepare_ring(struct tring_recording *recording,
				 const struct tring_recording_options *options);
int tring_recording_end(struct tring_recording *recording);

int tring_recording_open_packets(struct tring_recording *recording, const char *file);

int tring_recording_begin_dir(struct tring_recording *recording);
int tring_recording_begin_maps(struct tring_recording *recording, bool watch);
int tring_recording_begin_part(struct tring_recording *recording, const char *dir);
int tring_recording_write_stats(const char *dir, int cpu, const char *tail,
				const struct tring_stats *stats);
int tring_recording_complete_dir(struct tring_recording *recording, bool know_end);

int tring_recording_set_up(struct tring_recording *recording);
int tring_blackbox_move_out(struct tring_recording *recording);
int tring_blackbox_move_in(struct tring_recording *recording);
int tring_blackbox_leave_blob(struct tring_recording *recording);
int tring_calls_set_up(struct tring_recording *recording);
int tring_filters_set_up(struct tring_recording *recording);
int tring_triggers_ask(struct tring_recording *recording);
int tring_triggers_set(struct tring_recording *recording);

int tring_recording_describe_start(struct tring_recording *recording);
int tring_recording_describe_next(struct tring_recording *recording, const char *dir);
bool tring_recording_has_described_next(struct tring_recording *recording);
int tring_recording_describe(void *recording, const struct tring_drain *drain);
int tring_recording_describe_end(struct tring_recording *recording);
int tring_recording_describe_part(struct tring_recording *recording);
int tring_recording_keep_symbols(struct tring_recording *recording);

void tring_recording_show_step(const char *step);
void tring_recording_show_live(struct tring_recording *recording, bool now);
int tring_recording_check_cpu(const struct tring_recording_cpu *cpu,
			      const struct tring_drain *drain);
int tring_recording_show_table(const struct tring_recording *recording, uint64_t *lost);
void tring_recording_tell_watch(const struct tring_recording *recording);
int tring_recording_show_summary(const struct tring_recording *recording);

#endif /* TRING_RECORDING_H */
