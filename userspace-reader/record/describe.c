// SPDX-License-Identifier: GPL-2.0
/*
 * What describes a recording's packets: short ids, formats, metadata and symbols.
 *
 * Events that were enabled before the recording are described at its start. Another
 * program may enable further events meanwhile, modules record events of any id, and
 * an event gets a short id when it is enabled. So the drain of a CPU asks for a
 * description when it meets a short type or an id for the first time, before it
 * writes the packets. The trace of a recorder that was killed is readable therefore.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recording.h"
#include "trace/kept_symbols.h"
#include "trace/kernel.h"
#include "trace/trace_dir.h"
#include "watch.h"
#include "util/tree.h"
#include "util/util.h"

/* Short ids that cannot be understood make the recording fail at its end only. */
static void learn_short_ids(struct tring_recording *recording)
{
	struct tring_short_ids newer;
	char *text = NULL;
	int error;

	error = tring_control_short_ids(&recording->control, &newer, &text);
	if (!error)
		error = tring_short_ids_update(&recording->shorts, &newer, "short_ids");
	if (error) {
		recording->undescribed = error;
		free(text);
		return;
	}
	free(recording->shorts_text);
	recording->shorts_text = text;
}

static void mark_short_ids(struct tring_recording *recording)
{
	uint32_t types = recording->types & tring_short_ids_types(&recording->shorts);
	unsigned int type;

	for (type = TRING_TYPE_SHORT_MIN; type <= TRING_TYPE_SHORT_MAX; type++)
		if (types & (1u << type))
			recording->ids[recording->shorts.ids[type]] = true;
}

/*
 * Return: the ids that were met and are not described, to free(); NULL for none. An id without an
 * event is reported once.
 */
static bool *list_undescribed(const struct tring_recording *recording)
{
	const bool *ids = recording->ids;
	bool *wanted = NULL;
	unsigned int id;

	for (id = tring_events_next_id(ids, 0); id < TRING_EVENT_IDS;
	     id = tring_events_next_id(ids, id + 1)) {
		if (recording->missing[id] || recording->events.by_id[id])
			continue;
		if (!wanted)
			wanted = tring_allocate(TRING_EVENT_IDS * sizeof(*wanted));
		wanted[id] = true;
	}
	return wanted;
}

/* Load the formats of ids that were met. */
static void add_formats(struct tring_recording *recording)
{
	bool *wanted = list_undescribed(recording);
	struct tring_events *events = &recording->events;
	unsigned int id;
	char *formats;
	int bad;

	if (!wanted)
		return;
	formats = tring_control_formats(&recording->control);
	bad = tring_events_add_ids(events, formats, wanted);
	if (bad)
		recording->undescribed = bad < 0 ? bad : -ENOENT;
	for (id = tring_events_next_id(wanted, 0); id < TRING_EVENT_IDS;
	     id = tring_events_next_id(wanted, id + 1))
		recording->missing[id] = !events->by_id[id];
	free(wanted);
	free(formats);
}

/* A thread may meet more while a copy of it is written. */
struct known {
	struct tring_events events;
	struct tring_short_ids shorts;
	char		*shorts_text;
};

/*
 * The formats precede the metadata, because tring report needs both. Those that are there are
 * not written again: they may be a thousand, and a ring is not read meanwhile.
 */
static int write_all(const struct tring_trace_info *info, const struct known *known,
		     const char *dir, struct tring_descriptions *described)
{
	const struct tring_events further = {
		.list = known->events.list + described->events,
		.count = known->events.count - described->events,
	};
	int error = tring_trace_dir_extra(dir, TRING_FILE_SHORT_IDS, known->shorts_text);

	if (!error)
		error = tring_trace_dir_events(dir, &further);
	if (error)
		return error;
	described->events = known->events.count;
	error = tring_trace_dir_metadata(dir, info, &known->shorts, &known->events);
	if (error)
		return error;
	described->shorts = known->shorts;
	described->has_metadata = true;
	return 0;
}

static bool is_lacking(const struct tring_recording *recording,
		       const struct tring_descriptions *described)
{
	return !described->has_metadata || described->events < recording->events.count ||
	       memcmp(&described->shorts, &recording->shorts, sizeof(described->shorts));
}

static int write_lacking(const struct tring_recording *recording, const char *dir,
			 struct tring_descriptions *described)
{
	const struct known known = {
		.events = recording->events,
		.shorts = recording->shorts,
		.shorts_text = recording->shorts_text,
	};

	if (!is_lacking(recording, described))
		return 0;
	return write_all(&recording->info, &known, dir, described);
}

/*
 * What could not be written is tried again, so that no CPU writes packets without it. While
 * the parts change, some threads write to one and some to the other.
 */
static int describe(struct tring_recording *recording, bool is_end)
{
	struct tring_parts *parts = &recording->parts;
	int error, failed = 0;

	if (is_end || recording->types & ~tring_short_ids_types(&recording->shorts))
		learn_short_ids(recording);
	mark_short_ids(recording);
	add_formats(recording);
	error = write_lacking(recording, recording->dir, &recording->described);
	if (parts->next)
		failed = write_lacking(recording, parts->next, &parts->described);
	return error ? error : failed;
}

/**
 * tring_recording_describe_start - describe the events that are enabled
 * @recording: recording whose trace directory exists
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_recording_describe_start(struct tring_recording *recording)
{
	learn_short_ids(recording);
	return recording->undescribed ? recording->undescribed :
	       write_lacking(recording, recording->dir, &recording->described);
}

/**
 * tring_recording_describe_next - describe in the next part what is known
 * @recording: recording whose threads run
 * @dir: the part's directory
 *
 * Threads may describe what they meet in the present part meanwhile. They do not wait for the
 * files, which may be a thousand: their rings would overflow.
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_recording_describe_next(struct tring_recording *recording, const char *dir)
{
	struct tring_descriptions *described = &recording->parts.described;
	struct known known = { 0 };
	struct tring_event **list;
	int error;

	pthread_mutex_lock(&recording->describing);
	known.events.count = recording->events.count;
	list = tring_allocate((known.events.count + 1) * sizeof(*list));
	if (known.events.count)
		memcpy(list, recording->events.list, known.events.count * sizeof(*list));
	known.events.list = list;
	known.shorts = recording->shorts;
	known.shorts_text = tring_format("%s", recording->shorts_text);
	pthread_mutex_unlock(&recording->describing);
	*described = (struct tring_descriptions) { 0 };
	error = write_all(&recording->info, &known, dir, described);
	free(known.shorts_text);
	free(list);
	return error;
}

/**
 * tring_recording_has_described_next - check whether the next part describes what was met
 * @recording: recording whose parts change
 */
bool tring_recording_has_described_next(struct tring_recording *recording)
{
	bool has;

	pthread_mutex_lock(&recording->describing);
	has = !is_lacking(recording, &recording->parts.described);
	pthread_mutex_unlock(&recording->describing);
	return has;
}

static void add_met(struct tring_recording *recording, const struct tring_drain *drain)
{
	unsigned int id;

	recording->types |= drain->types;
	for (id = tring_events_next_id(drain->ids, 0); id < TRING_EVENT_IDS;
	     id = tring_events_next_id(drain->ids, id + 1))
		recording->ids[id] = true;
}

/**
 * tring_recording_describe - describe what a drain has met
 * @data: the recording
 * @drain: the drain of the calling thread
 *
 * Events that cannot be described are reported on stderr, and are an error at the
 * end of the recording only.
 *
 * Return: 0, or a negative errno if the description could not be written, reported
 * on stderr.
 */
int tring_recording_describe(void *data, const struct tring_drain *drain)
{
	struct tring_recording *recording = data;
	int error;

	pthread_mutex_lock(&recording->describing);
	add_met(recording, drain);
	error = describe(recording, false);
	pthread_mutex_unlock(&recording->describing);
	return error;
}

static void report_unknown_types(struct tring_recording *recording)
{
	uint32_t known = tring_short_ids_types(&recording->shorts);
	uint32_t unknown = recording->types & ~known;
	unsigned int type;

	for (type = TRING_TYPE_SHORT_MIN; type <= TRING_TYPE_SHORT_MAX; type++) {
		if (!(unknown & (1u << type)))
			continue;
		tring_error("records of type %u were recorded, but short_ids has no event for it",
			    type);
		recording->undescribed = -ENOENT;
	}
}

/* Steps of the clock are known at the end: the metadata is written again with them. */
static void note_clock_events(struct tring_recording *recording)
{
	const struct tring_stats *end = &recording->cpus[0].end;
	const struct tring_stats *earlier = &recording->cpus[0].earlier;
	uint64_t *events = recording->info.clock_events;
	size_t i;

	for (i = 0; i < TRING_CLOCK_EVENTS; i++) {
		events[i] = tring_stats_value(end, tring_clock_event_keys[i]) +
			    tring_stats_value(earlier, tring_clock_event_keys[i]);
		if (events[i])
			recording->described.has_metadata = false;
	}
}

/* So is what has ended it. */
static int note_stop(struct tring_recording *recording)
{
	const struct tring_watch *watch = recording->options->watch;
	char *text;
	int error;

	if (!watch || !watch->result || !recording->info_text)
		return 0;
	snprintf(recording->info.origins[TRING_ORIGIN_STOPPED_BY], TRING_ORIGIN_SIZE, "%s",
		 watch->result);
	recording->described.has_metadata = false;
	text = tring_format("%s" TRING_STOPPED_BY "%s\n", recording->info_text, watch->result);
	error = tring_trace_dir_extra(recording->dir, TRING_FILE_INFO, text);
	free(text);
	return error;
}

/**
 * tring_recording_describe_end - complete the description after the last packet
 * @recording: recording whose packets are in the files
 *
 * Return: 0, or a negative errno if an event is not described, reported on stderr.
 */
int tring_recording_describe_end(struct tring_recording *recording)
{
	int error, failed;
	size_t i;

	/* an error may have kept a thread from describing what it has met */
	for (i = 0; i < recording->control.cpu_count; i++)
		add_met(recording, &recording->threads[i].drain);
	note_clock_events(recording);
	failed = note_stop(recording);
	error = describe(recording, true);
	if (!error)
		error = failed;
	report_unknown_types(recording);
	if (!error)
		error = tring_short_ids_check(&recording->shorts, &recording->events,
					      "short_ids");
	return error ? error : recording->undescribed;
}

static void find_addresses(const struct tring_recording *recording,
			   struct tring_addresses *addresses)
{
	size_t i;

	for (i = 0; i < recording->control.cpu_count; i++) {
		char *path = tring_stream_path(recording->dir, recording->control.cpus[i],
					       recording->options->compress), *held;
		int fd = tring_tree_hold(path, &held);

		/* a CPU without a packet has no file */
		if (fd >= 0) {
			tring_kept_symbols_scan(addresses, &recording->events, held,
						recording->shorts.ids);
			close(fd);
		}
		free(held);
		free(path);
	}
}

/* Return: 0 or a negative errno, reported on stderr. */
static int write_symbols(const struct tring_recording *recording, int fd, const char *path)
{
	struct tring_addresses addresses = { 0 };
	char *modules, *gone, *text;
	int error = 0;

	find_addresses(recording, &addresses);
	text = tring_kept_symbols_text(&addresses, fd);
	if (!text) {
		error = -errno;
		tring_error("%s: %s", path, strerror(errno));
	}
	modules = tring_read_text(TRING_KERNEL_MODULES, NULL);
	if (text && recording->modules && modules) {
		gone = tring_kernel_gone(recording->modules, modules);
		tring_extend(&text, "%s", gone);
		free(gone);
	}
	if (!error)
		error = tring_trace_dir_extra(recording->dir, TRING_FILE_KALLSYMS, text);
	free(modules);
	free(text);
	free(addresses.list);
	return error;
}

/**
 * tring_recording_keep_symbols - keep the names of the addresses that the events print
 * @recording: recording that is described, and has ended
 *
 * See tring_load_live_symbols() for a recording whose recorder was killed.
 *
 * Return: 0 or a negative errno, reported on stderr. It is no error if the user may not ask the
 * kernel: its addresses are secret then.
 */
int tring_recording_keep_symbols(struct tring_recording *recording)
{
	char *path;
	int fd, error = 0;

	if (!tring_kernel_has_symbols(&recording->events, recording->ids))
		return 0;
	path = tring_format("%s/symbols", recording->control.dir);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		tring_note("functions are not named: %s: %s", path, strerror(errno));
	else
		error = write_symbols(recording, fd, path);
	if (fd >= 0)
		close(fd);
	free(path);
	return error;
}

/**
 * tring_recording_describe_part - complete the description of a part that has ended
 * @recording: recording, with the part's directory, after tring_recording_describe_end()
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_recording_describe_part(struct tring_recording *recording)
{
	int error, failed;

	recording->described.has_metadata = false;
	error = note_stop(recording);
	failed = describe(recording, true);
	if (failed)
		error = failed;
	failed = tring_recording_keep_symbols(recording);
	return error ? error : failed;
}
