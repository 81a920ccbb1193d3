// SPDX-License-Identifier: GPL-2.0
/*
 * Writes what a memory image has of the rings as trace directories: one for each trace. The
 * packets of a trace are in the rings that its directory leads to, and nowhere else. Nothing tells
 * whether what looks like packets elsewhere in memory is complete, or the newest.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "salvage.h"
#include "trace/parts_dir.h"
#include "trace/trace_dir.h"
#include "util/tree.h"
#include "util/util.h"

/**
 * struct outcome - what became of all traces
 * @unreadable: committed events that were not recovered
 * @unsure: it is not sure that all were
 */
struct outcome {
	uint64_t	unreadable;
	bool		unsure;
};

static bool is_sure(const struct tring_salvage_cpu *cpu)
{
	return !cpu->missing && !cpu->bad_slots && !cpu->bad_arrays && !cpu->surplus &&
	       !cpu->unsure && !cpu->guessed;
}

static int compare_cpus(const void *a, const void *b)
{
	const struct tring_ring *one = a, *other = b;

	return one->cpu < other->cpu ? -1 : one->cpu > other->cpu;
}

/* Read the rings of a trace: a CPU's may have several memories. */
static void open_rings(struct tring_image *image, const struct tring_directories *found,
		       const struct tring_found_trace *trace, struct tring_rings *rings)
{
	size_t i, j;

	*rings = (struct tring_rings) { .trace = trace };
	for (i = 0; i < found->memory_count; i++) {
		uint32_t cpu = found->memories[i].is.cpu;

		if (found->memories[i].page.key != trace->page.key)
			continue;
		for (j = 0; j < rings->count && rings->list[j].cpu != cpu; j++)
			;
		if (j < rings->count)
			continue;
		rings->list = tring_one_more(rings->list, rings->count, sizeof(*rings->list));
		tring_ring_open(&rings->list[rings->count++], image, found, trace, cpu);
	}
	if (rings->count)
		qsort(rings->list, rings->count, sizeof(*rings->list), compare_cpus);
}

static void close_rings(struct tring_rings *rings)
{
	while (rings->count)
		tring_ring_close(&rings->list[--rings->count]);
	free(rings->list);
}

/* Return: 0 or a negative errno, reported on stderr. */
static int write_trace(struct tring_image *image, const struct tring_rings *rings, const char *dir,
		       const struct tring_salvage_options *options, struct outcome *outcome)
{
	const struct tring_found_trace *trace = rings->trace;
	struct tring_met met = { .ids = tring_allocate(TRING_EVENT_IDS * sizeof(bool)) };
	struct tring_salvage_cpu *cpus = tring_allocate(rings->count * sizeof(*cpus));
	struct tring_description description = { 0 };
	int error = tring_trace_dir_create(dir), begun = 0;
	size_t i;

	if (!error) {
		begun = tring_salvage_begin(&description, image, trace, dir);
		error = begun == -EINVAL ? 0 : begun;
	}
	for (i = 0; i < rings->count && !error; i++) {
		image->missing += rings->list[i].missing;
		error = tring_salvage_stream(&rings->list[i], dir, &met, &cpus[i]);
	}
	if (!error) {
		tring_salvage_show(trace, dir, cpus, rings->count);
		for (i = 0; i < rings->count; i++) {
			outcome->unreadable += cpus[i].there - cpus[i].recovered;
			outcome->unsure |= !is_sure(&cpus[i]);
		}
		error = tring_salvage_describe(&description, trace, dir, options->formats, &met);
	}
	tring_events_free(&description.events);
	free(cpus);
	free(met.ids);
	return error ? error : begun;
}

static bool have_packets(const struct tring_rings *rings)
{
	size_t i;

	for (i = 0; i < rings->count; i++)
		if (rings->list[i].count || rings->list[i].bad_slots || rings->list[i].bad_arrays)
			return true;
	return false;
}

static bool is_wanted(const struct tring_salvage_options *options,
		      const struct tring_found_trace *trace)
{
	char *uuid = tring_uuid_text(trace->is.uuid);
	bool wanted = !options->trace || !strcmp(options->trace, "all") ||
		      !strcmp(options->trace, uuid);

	free(uuid);
	return wanted;
}

static bool is_named(const struct tring_salvage_options *options)
{
	return options->trace && strcmp(options->trace, "all");
}

/* Rings of traces whose page was not found. */
static void report_ringless(const struct tring_image *image, struct tring_directories *found)
{
	size_t i, j;

	for (i = 0; i < found->memory_count; i++) {
		const struct tring_found_memory *memory = &found->memories[i];

		for (j = 0; j < found->trace_count; j++)
			if (found->traces[j].page.key == memory->page.key)
				break;
		if (j < found->trace_count)
			continue;
		tring_error("%s: physical address 0x%" PRIx64 ": a ring of CPU %u without %s",
			    image->path, memory->page.physical, memory->is.cpu,
			    "the page of its trace");
		found->bad++;
	}
}

/* Whether a packet is of a wanted trace, and of a CPU whose ring's page was not found. */
static bool lacks_ring(const struct tring_directories *found,
		       const struct tring_salvage_options *options,
		       const struct tring_found_packet *packet)
{
	const struct tring_found_trace *trace = NULL;
	size_t i;

	for (i = 0; i < found->trace_count && !trace; i++)
		if (!memcmp(found->traces[i].is.uuid, packet->uuid, TRING_UUID_SIZE) &&
		    is_wanted(options, &found->traces[i]))
			trace = &found->traces[i];
	for (i = 0; i < found->memory_count && trace; i++)
		if (found->memories[i].page.key == trace->page.key &&
		    found->memories[i].is.cpu == packet->cpu)
			trace = NULL;
	return packet->is_whole && (trace || !found->trace_count);
}

/* They cannot be used: nothing tells whether they are all, or the newest. */
static bool report_packets(const struct tring_image *image, const struct tring_directories *found,
			   const struct tring_salvage_options *options)
{
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < found->packet_count; i++)
		count += lacks_ring(found, options, &found->packets[i]);
	if (count)
		tring_error("%s: %" PRIu64 " packets lie where no ring has them", image->path,
			    count);
	return count;
}

/*
 * Traces that are wanted; those without a packet are only if none has one, or if they were
 * named. Return: their number.
 */
static size_t choose_traces(struct tring_image *image, const struct tring_directories *found,
			    const struct tring_salvage_options *options,
			    struct tring_rings *chosen)
{
	size_t count = 0, i;

	for (i = 0; i < found->trace_count; i++) {
		if (!is_wanted(options, &found->traces[i]))
			continue;
		open_rings(image, found, &found->traces[i], &chosen[count]);
		if (is_named(options) || have_packets(&chosen[count]))
			count++;
		else
			close_rings(&chosen[count]);
	}
	return count;
}

static void explain_none(const struct tring_image *image, const struct tring_directories *found,
			 const struct tring_salvage_options *options)
{
	size_t i;

	for (i = 0; i < found->trace_count; i++) {
		char *uuid = tring_uuid_text(found->traces[i].is.uuid);

		tring_error("%s: trace %s %s", image->path, uuid,
			    is_wanted(options, &found->traces[i]) ? "has no events" :
			    "is not wanted");
		free(uuid);
	}
	if (!found->trace_count && image->is_core && !found->lacking)
		tring_note("%s: kdump leaves out the rings of \"tring arm\": %s", image->path,
			   "last_boot has them, see tring(4)");
	if (!found->trace_count)
		tring_error("%s: no ring of tring is in its %" PRIu64 " MiB of memory%s",
			    image->path, found->bytes >> 20,
			    found->bad ? " that can be used" : "");
	else if (is_named(options))
		tring_error("--trace %s: there is no such trace", options->trace);
}

/* A trace that was there is replaced: beside the new ones it would be taken for what was found. */
static int make_room(const char *dir)
{
	char *extras = tring_trace_path(dir, TRING_EXTRAS);
	struct tring_parts_list list;
	int error = tring_parts_list(&list, dir);

	if (!error)
		error = list.divided || !access(extras, F_OK) ? tring_trace_dir_take(dir) :
								tring_tree_make(dir);
	tring_parts_list_free(&list);
	free(extras);
	return error;
}

static int write_traces(struct tring_image *image, const struct tring_rings *traces, size_t count,
			const struct tring_salvage_options *options, struct outcome *outcome)
{
	bool several = count > 1 || (options->trace && !strcmp(options->trace, "all"));
	int error = tring_tree_open(options->dir), failed;
	size_t i;

	if (!error && several)
		error = make_room(options->dir);
	if (error)
		return error;
	for (i = 0; i < count && (!error || error == -ENOENT || error == -EINVAL); i++) {
		char *uuid = tring_uuid_text(traces[i].trace->is.uuid);
		char *dir = several ? tring_trace_path(options->dir, uuid) :
				      tring_format("%s", options->dir);

		failed = write_trace(image, &traces[i], dir, options, outcome);
		if (failed)
			error = failed;
		free(dir);
		free(uuid);
	}
	return error;
}

static int salvage(struct tring_image *image, struct tring_directories *found,
		   const struct tring_salvage_options *options)
{
	struct tring_rings *traces;
	struct outcome outcome = { 0 };
	bool without_ring;
	int error = 0;
	size_t count, i;

	tring_directories_find(found, image);
	if (found->lacking) {
		tring_error("%s: %" PRIu64 " KiB of its %" PRIu64 " KiB of memory %s", image->path,
			    (found->lacking + 1023) >> 10, found->bytes >> 10,
			    "cannot be read; it may be cut off");
		outcome.unsure = true;
	}
	if (found->copies)
		tring_detail("%s: %" PRIu64 " copies of a directory's pages are not used",
			     image->path, found->copies);
	traces = tring_allocate(found->trace_count * sizeof(*traces));
	count = choose_traces(image, found, options, traces);
	/* A ring without a trace is none of a trace that was named and found. */
	if (!count || !is_named(options))
		report_ringless(image, found);
	if (!count) {
		explain_none(image, found, options);
		error = -ENODATA;
	} else {
		error = write_traces(image, traces, count, options, &outcome);
	}
	for (i = 0; i < count; i++)
		close_rings(&traces[i]);
	free(traces);
	without_ring = report_packets(image, found, options);
	if (image->missing)
		tring_error("%s: it lacks %" PRIu64 " pages that were needed", image->path,
			    image->missing);
	if (outcome.unreadable)
		tring_error("%s: %" PRIu64 " committed events were not recovered", image->path,
			    outcome.unreadable);
	else if (outcome.unsure)
		tring_error("%s: damaged; it may have had more events", image->path);
	if (!error && (outcome.unreadable || outcome.unsure || found->bad || without_ring))
		error = -EIO;
	return error;
}

/**
 * tring_salvage - write the traces that an image has
 * @options: what to salvage
 *
 * Return: 0; or a negative errno, reported on stderr, if anything that was committed was not
 * recovered.
 */
int tring_salvage(const struct tring_salvage_options *options)
{
	struct tring_directories found = { 0 };
	struct tring_image image;
	int error;

	error = tring_image_open(&image, options->path,
				 options->has_base ? &options->base : NULL);
	if (!error && image.is_live)
		tring_note("%s: it changes while it is read: %s", image.path,
			   "what is written meanwhile may be torn; see also \"tring peek\"");
	if (!error)
		error = salvage(&image, &found, options);
	tring_directories_free(&found);
	tring_image_close(&image);
	return error;
}
