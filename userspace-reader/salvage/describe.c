// SPDX-License-Identifier: GPL-2.0
/*
 * What describes a salvaged trace. The directory in the image has the trace's identity, clock
 * and short types; formats come from the blob, or from elsewhere. What both have, the directory
 * says: the blob may have been written for an older trace of the same ring.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "salvage.h"
#include "trace/blob.h"
#include "trace/trace_dir.h"
#include "util/util.h"

static const char * const clocks[] = {
	[TRING_DIRECTORY_MONO] = "mono", [TRING_DIRECTORY_TSC] = "tsc",
	[TRING_DIRECTORY_BOOT] = "boot", [TRING_DIRECTORY_TAI] = "tai",
};

/* Keys of trace_info that the directory knows better, or that are of the blob's trace only. */
static const char * const own_keys[] = {
	"format_version", "uuid", "byte_order", "clock", "clock_frequency", "clock_offset",
	"clock_step", "clock_reliable", "tick_frequency", "hostname", "kernel_release",
};

/**
 * struct unpacking - what becomes of a blob's files
 * @dir: trace directory; files that need not be understood go there at once
 * @events: gets the formats
 * @info: text of trace_info, to free(), or NULL
 */
struct unpacking {
	const char	*dir;
	struct tring_events *events;
	char		*info;
};

static int take_format(struct unpacking *unpacking, const char *name, char *text, size_t size)
{
	char *system = NULL, *event = NULL;
	int error = -ENOMEM;

	if (sscanf(name, TRING_FILE_EVENTS "/%m[^/]/%m[^/]/", &system, &event) == 2)
		error = tring_events_add_text(unpacking->events, text, size, system, event, name);
	free(event);
	free(system);
	/* a damaged one was reported */
	return error == -EINVAL ? 0 : error;
}

static int take(void *to, const char *name, const void *data, size_t size)
{
	struct unpacking *unpacking = to;
	char *text = tring_allocate(size + 1);
	int error;

	memcpy(text, data, size);
	if (!strncmp(name, TRING_FILE_EVENTS "/", strlen(TRING_FILE_EVENTS "/")))
		return take_format(unpacking, name, text, size);
	if (!strcmp(name, TRING_FILE_INFO)) {
		free(unpacking->info);
		unpacking->info = text;
		return 0;
	}
	error = tring_trace_dir_extra(unpacking->dir, name, text);
	free(text);
	return error;
}

static int unpack(struct tring_image *image, const struct tring_found_trace *trace,
		  struct unpacking *unpacking)
{
	struct tring_found_array array = { 0 };
	int error = 0;
	void *blob;

	if (!trace->is.blob.size)
		return 0;
	if (trace->is.blob.size > TRING_BLOB_MAX ||
	    tring_array_open(&array, image, &trace->page, &trace->is.blob, trace->is.page_size)) {
		tring_array_close(&array);
		tring_error("%s: the blob with the formats cannot be found", image->path);
		return -EINVAL;
	}
	blob = tring_allocate(array.size);
	if (tring_array_read(&array, image, 0, blob, array.size)) {
		tring_error("%s: the image lacks pages of the blob with the formats", image->path);
		error = -EINVAL;
	} else {
		error = tring_blob_unpack(blob, array.size, take, unpacking);
	}
	free(blob);
	tring_array_close(&array);
	return error;
}

static int64_t clock_offset(const struct tring_found_trace *trace)
{
	unsigned __int128 ticks = trace->is.real_at;

	ticks = ticks * trace->is.clock_frequency / 1000000000;
	return (int64_t)((uint64_t)ticks - trace->is.clock_at);
}

static bool is_own_key(const char *line)
{
	size_t i, size = strcspn(line, "=");

	for (i = 0; i < sizeof(own_keys) / sizeof(own_keys[0]); i++)
		if (strlen(own_keys[i]) == size && !strncmp(line, own_keys[i], size))
			return true;
	return false;
}

/* Lines of the blob's trace_info that say where the trace comes from. */
static void copy_lines(char **to, char *text)
{
	char *line;

	while ((line = strsep(&text, "\n")))
		if (strchr(line, '=') && !is_own_key(line))
			tring_extend(to, "%s\n", line);
}

static char *make_info(const struct tring_found_trace *trace, char *packed)
{
	char *uuid = tring_uuid_text(trace->is.uuid);
	char *text = tring_format("format_version=%u\nuuid=%s\nbyte_order=%s\nclock=%s\n",
				  TRING_FORMAT_VERSION, uuid, trace->page.big_endian ? "be" : "le",
				  clocks[trace->is.clock]);

	tring_extend(&text, "clock_frequency=%" PRIu64 "\nclock_offset=%" PRId64 "\n",
		     (uint64_t)trace->is.clock_frequency, clock_offset(trace));
	if (trace->is.tick_frequency)
		tring_extend(&text, "tick_frequency=%u\n", trace->is.tick_frequency);
	tring_extend(&text, "hostname=%s\nkernel_release=%s\n", trace->is.host, trace->is.release);
	if (packed)
		copy_lines(&text, packed);
	else
		tring_extend(&text, "tracer=tring\ntracer_version=%s\n", trace->is.version);
	free(uuid);
	return text;
}

/**
 * tring_salvage_begin - write what is known of a trace before its packets
 * @description: filled in; its events are to be freed in any case
 * @image: the image
 * @trace: the trace
 * @dir: trace directory, empty
 *
 * Return: 0; -EINVAL if the blob cannot be read, so formats have to come from elsewhere; or
 * another negative errno; reported on stderr.
 */
int tring_salvage_begin(struct tring_description *description, struct tring_image *image,
			const struct tring_found_trace *trace, const char *dir)
{
	struct unpacking unpacking = { .dir = dir, .events = &description->events };
	int error = tring_events_init(&description->events), unpacked = 0;
	char *text = NULL;

	if (!error) {
		unpacked = unpack(image, trace, &unpacking);
		text = make_info(trace, unpacking.info);
		error = tring_trace_info_parse(&description->info, text, TRING_FILE_INFO);
	}
	if (!error)
		error = tring_trace_dir_extra(dir, TRING_FILE_INFO, text);
	free(text);
	free(unpacking.info);
	return error ? error : unpacked;
}

static void get_short_ids(const struct tring_found_trace *trace, struct tring_short_ids *shorts)
{
	unsigned int type;

	memset(shorts, 0, sizeof(*shorts));
	for (type = TRING_TYPE_SHORT_MIN; type <= TRING_TYPE_SHORT_MAX; type++) {
		if (trace->is.lengths[type] < TRING_FIELDS_MIN || !trace->is.short_ids[type] ||
		    trace->is.short_ids[type] > TRING_ID_MAX ||
		    tring_short_ids_find(shorts, trace->is.short_ids[type]))
			continue;
		shorts->ids[type] = trace->is.short_ids[type];
		shorts->lengths[type] = trace->is.lengths[type];
	}
}

static int write_short_ids(const char *dir, const struct tring_short_ids *shorts,
			   const struct tring_events *events)
{
	char *text = tring_format("%s", "");
	unsigned int type;
	int error;

	for (type = TRING_TYPE_SHORT_MIN; type <= TRING_TYPE_SHORT_MAX; type++) {
		const struct tring_event *event;

		if (!shorts->ids[type])
			continue;
		event = tring_events_find(events, shorts->ids[type]);
		tring_extend(&text, "%u %u %s%s%s ", type, shorts->ids[type],
			     event ? event->system : "-", event ? ":" : "",
			     event ? event->name : "");
		if (shorts->lengths[type] == TRING_LENGTH_VARIES)
			tring_extend(&text, "-\n");
		else
			tring_extend(&text, "%u\n", shorts->lengths[type]);
	}
	error = tring_trace_dir_extra(dir, TRING_FILE_SHORT_IDS, text);
	free(text);
	return error;
}

/* Ids and fields are those of one kernel only. */
static int check_release(const struct tring_found_trace *trace, const char *formats,
			 bool *is_trace)
{
	char *path = tring_extra_path(formats, TRING_FILE_INFO);
	char *text = tring_read_text(path, NULL), *release = NULL, *line, *rest = text;
	struct utsname names;
	char *events;
	int error = 0;

	*is_trace = text;
	while ((line = strsep(&rest, "\n")))
		if (!strncmp(line, "kernel_release=", strlen("kernel_release=")))
			release = line + strlen("kernel_release=");
	if (!text && !uname(&names))
		release = names.release;
	events = tring_format("%s/events", formats);
	if (!text && access(events, F_OK)) {
		tring_error("--formats %s: neither a trace nor tracefs", formats);
		error = -ENOENT;
	} else if (*trace->is.release && (!release || strcmp(release, trace->is.release))) {
		/* of packets without a directory the kernel is not known */
		tring_error("--formats %s: they are of kernel %s, the image is of %s", formats,
			    release ? release : "?", trace->is.release);
		error = -EINVAL;
	}
	free(events);
	free(text);
	free(path);
	return error;
}

/* Formats of the events that occur, as far as they are not known yet. */
static int add_formats(const struct tring_found_trace *trace, const char *formats,
		       struct tring_events *events, const bool *wanted)
{
	bool *missing = tring_allocate(TRING_EVENT_IDS * sizeof(*missing));
	bool is_trace;
	int error = check_release(trace, formats, &is_trace), bad = 0;
	unsigned int id;
	char *path;

	for (id = 0; id < TRING_EVENT_IDS; id++)
		missing[id] = wanted[id] && !events->by_id[id];
	if (!error) {
		path = is_trace ? tring_extra_path(formats, TRING_FILE_EVENTS) :
				  tring_format("%s/events", formats);
		bad = tring_events_add_ids(events, path, missing);
		free(path);
	}
	free(missing);
	if (error || bad < 0)
		return error ? error : bad;
	return bad ? -ENOENT : 0;
}

static unsigned int count_unknown(const struct tring_events *events, const bool *wanted)
{
	unsigned int id, unknown = 0;

	for (id = 0; id < TRING_EVENT_IDS; id++)
		unknown += wanted[id] && !events->by_id[id];
	return unknown;
}

static int complete_formats(const struct tring_found_trace *trace, const char *formats,
			    const bool *wanted, struct tring_events *events)
{
	int error = 0;

	if (formats && count_unknown(events, wanted))
		error = add_formats(trace, formats, events, wanted);
	if (error == -ENOENT || (!error && count_unknown(events, wanted))) {
		tring_error("%u events have no format; %s", count_unknown(events, wanted),
			    "--formats FROM gets them from a trace, or tracefs, of that kernel");
		error = -ENOENT;
	}
	return error;
}

/**
 * tring_salvage_describe - write what describes a trace, behind its packets
 * @description: from tring_salvage_begin(); formats that it lacks are added
 * @trace: the trace
 * @dir: trace directory
 * @formats: where formats may be, NULL for nowhere else
 * @met: what occurs in the packets
 *
 * Return: 0 or a negative errno, reported on stderr: -ENOENT if formats are missing, and all
 * else is written.
 */
int tring_salvage_describe(struct tring_description *description,
			   const struct tring_found_trace *trace, const char *dir,
			   const char *formats, const struct tring_met *met)
{
	struct tring_events *events = &description->events;
	struct tring_short_ids shorts;
	unsigned int type;
	int missing, error;

	get_short_ids(trace, &shorts);
	for (type = TRING_TYPE_SHORT_MIN; type <= TRING_TYPE_SHORT_MAX; type++)
		if (met->types & 1u << type && shorts.ids[type])
			met->ids[shorts.ids[type]] = true;
	missing = complete_formats(trace, formats, met->ids, events);
	error = missing == -ENOENT ? 0 : missing;
	if (!error)
		error = tring_trace_dir_events(dir, events);
	if (!error)
		error = write_short_ids(dir, &shorts, events);
	if (!error)
		error = tring_trace_dir_metadata(dir, &description->info, &shorts, events);
	return error ? error : missing;
}
