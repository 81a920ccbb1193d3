// SPDX-License-Identifier: GPL-2.0
/*
 * Orphans are packets at the beginning of a page that no ring has: those that were read already,
 * those of older traces, and those of rings whose description is lost. They are shown on request
 * only, and never beside what the rings have, because nothing tells whether they are complete or
 * the newest. A packet that is not whole is left out.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "open_records.h"
#include "wire/filler.h"
#include "salvage.h"
#include "util/text.h"
#include "trace/trace_dir.h"
#include "util/tree.h"
#include "util/util.h"

#define PACKET_MAX	(4u << 20)

/**
 * struct orphans - all of them
 * @image: the image
 * @list: the packets; by trace, CPU and number in the end
 * @count: their number
 * @torn: packets that are not whole
 * @bytes: room for a packet
 */
struct orphans {
	struct tring_image *image;
	struct tring_found_packet *list;
	size_t		count;
	uint64_t	torn;
	uint8_t		*bytes;
};

static int compare_addresses(const void *a, const void *b)
{
	const struct tring_found_packet *one = a, *other = b;

	return one->physical < other->physical ? -1 : one->physical > other->physical;
}

static int compare_orphans(const void *a, const void *b)
{
	const struct tring_found_packet *one = a, *other = b;
	int order = memcmp(one->uuid, other->uuid, sizeof(one->uuid));

	if (order)
		return order;
	if (one->cpu != other->cpu)
		return one->cpu < other->cpu ? -1 : 1;
	return one->seq < other->seq ? -1 : one->seq > other->seq;
}

/* A ring's packets are no orphans. */
static void leave_out(struct orphans *orphans, const struct tring_ring *ring)
{
	size_t i;

	for (i = 0; i < ring->count && orphans->count; i++) {
		struct tring_found_packet key = { .physical = ring->places[i].physical }, *owned;

		owned = bsearch(&key, orphans->list, orphans->count, sizeof(key),
				compare_addresses);
		if (owned)
			owned->is_whole = false;
	}
}

/* Return: bytes of a packet up to the end of its records, or 0 if it is not whole. */
static size_t read_whole(struct orphans *orphans, const struct tring_found_packet *found)
{
	struct tring_packet packet;
	uint64_t events, stamp;

	if (found->cpu > 65535 ||
	    tring_image_peek(orphans->image, found->physical, orphans->bytes,
			     TRING_PACKET_HEADER_SIZE) ||
	    !tring_reason_is_soft(tring_packet_parse(orphans->bytes, TRING_PACKET_HEADER_SIZE,
						     &packet)) ||
	    packet.content_size > PACKET_MAX ||
	    tring_image_peek(orphans->image, found->physical, orphans->bytes, packet.content_size))
		return 0;
	packet.readable = packet.content_size;
	return tring_records_fill(&packet, packet.readable, &events, &stamp) &&
	       stamp <= packet.timestamp_end ? packet.content_size : 0;
}

/* Whether packets are of a trace that is there and wanted, and of a CPU whose ring is not. */
static bool lacks_ring(const struct tring_directories *found,
		       const struct tring_salvage_options *options,
		       const struct tring_found_packet *packet)
{
	const struct tring_found_trace *trace = NULL;
	size_t i;

	for (i = 0; i < found->trace_count && !trace; i++)
		if (!memcmp(found->traces[i].is.uuid, packet->uuid, TRING_UUID_SIZE) &&
		    tring_salvage_wants(options, &found->traces[i]))
			trace = &found->traces[i];
	for (i = 0; i < found->memory_count && trace; i++)
		if (found->memories[i].page.key == trace->page.key &&
		    found->memories[i].is.cpu == packet->cpu)
			trace = NULL;
	return trace || !found->trace_count;
}

static void find(struct orphans *orphans, const struct tring_directories *found,
		 const struct tring_rings *rings)
{
	size_t count = 0, i;

	orphans->list = tring_allocate(found->packet_count * sizeof(*orphans->list));
	for (i = 0; i < found->packet_count; i++)
		if (found->packets[i].is_whole)
			orphans->list[orphans->count++] = found->packets[i];
	for (i = 0; i < rings->count; i++)
		leave_out(orphans, &rings->list[i]);
	for (i = 0; i < orphans->count; i++) {
		if (!orphans->list[i].is_whole)
			continue;
		if (read_whole(orphans, &orphans->list[i]))
			orphans->list[count++] = orphans->list[i];
		else
			orphans->torn++;
	}
	qsort(orphans->list, count, sizeof(*orphans->list), compare_orphans);
	/* of several copies one is taken */
	for (orphans->count = i = 0; i < count; i++)
		if (!i || compare_orphans(&orphans->list[orphans->count - 1], &orphans->list[i]))
			orphans->list[orphans->count++] = orphans->list[i];
}

/* Write packets of one trace and CPU. Return: 0 or a negative errno, reported on stderr. */
static int write_cpu(struct orphans *orphans, size_t first, size_t end, const char *dir,
		     struct tring_met *met)
{
	char *name = tring_format("cpu%" PRIu64, orphans->list[first].cpu);
	char *path = tring_trace_path(dir, name);
	uint8_t *bytes = orphans->bytes;
	FILE *file;
	int error = tring_tree_begin(path, &file);
	size_t i;

	for (i = first; i < end && !error; i++) {
		size_t content = read_whole(orphans, &orphans->list[i]);
		size_t size = (content + 7) & ~(size_t)7;
		uint64_t faults;

		memset(bytes + content, 0, size - content);
		tring_packet_resize(bytes, size);
		tring_salvage_count(bytes, size, met, &faults);
		if (fwrite(bytes, 1, size, file) != size)
			error = -errno;
	}
	if (file && fclose(file) && !error)
		error = -errno;
	if (error)
		tring_error("%s: %s", path, strerror(-error));
	free(path);
	free(name);
	return error;
}

/*
 * The trace that packets are of; for those of another one, the image tells the kernel and the
 * clock at most, and no short types.
 */
static struct tring_found_trace trace_of(const struct tring_directories *found,
					 const struct tring_found_packet *packet)
{
	struct tring_found_trace trace = {
		.page.big_endian = packet->big_endian, .is.clock_frequency = 1000000000,
		.is.page_size = TRING_IMAGE_PAGE,
	};
	size_t i;

	for (i = 0; i < found->trace_count; i++)
		if (!memcmp(found->traces[i].is.uuid, packet->uuid, TRING_UUID_SIZE))
			return found->traces[i];
	if (found->trace_count)
		trace = found->traces[0];
	memcpy(trace.is.uuid, packet->uuid, TRING_UUID_SIZE);
	memset(trace.is.short_ids, 0, sizeof(trace.is.short_ids));
	return trace;
}

static int write_trace(struct orphans *orphans, size_t first, size_t end,
		       const struct tring_directories *found, const char *parent,
		       const char *formats)
{
	struct tring_met met = { .ids = tring_allocate(TRING_EVENT_IDS * sizeof(bool)) };
	struct tring_found_trace trace = trace_of(found, &orphans->list[first]);
	struct tring_description description = { 0 };
	char *uuid = tring_uuid_text(trace.is.uuid), *dir = tring_trace_path(parent, uuid);
	size_t at, next;
	int error = tring_trace_dir_create(dir);

	if (!error) {
		error = tring_salvage_begin(&description, orphans->image, &trace, dir);
		error = error == -EINVAL ? 0 : error;
	}
	for (at = first; at < end && !error; at = next) {
		for (next = at; next < end; next++)
			if (orphans->list[next].cpu != orphans->list[at].cpu)
				break;
		error = write_cpu(orphans, at, next, dir, &met);
	}
	if (!error)
		error = tring_salvage_describe(&description, &trace, dir, formats, &met);
	/* what no format describes is among orphans as a rule */
	if (error == -ENOENT)
		error = 0;
	if (!error && tring_verbosity != TRING_QUIET) {
		tring_text_print(stdout, dir);
		printf(": %zu orphan packets\n", end - first);
	}
	tring_events_free(&description.events);
	free(dir);
	free(uuid);
	free(met.ids);
	return error;
}

static int write_traces(struct orphans *orphans, const struct tring_directories *found,
			const struct tring_salvage_options *options)
{
	char *parent = tring_format("%s-orphans", options->dir);
	int error = 0;
	size_t i, next;

	if (orphans->count)
		error = tring_tree_open(parent);
	if (orphans->count && !error)
		error = tring_tree_make(parent);
	for (i = 0; i < orphans->count && !error; i = next) {
		for (next = i; next < orphans->count; next++)
			if (memcmp(orphans->list[next].uuid, orphans->list[i].uuid,
				   TRING_UUID_SIZE))
				break;
		error = write_trace(orphans, i, next, found, parent, options->formats);
	}
	free(parent);
	return error;
}

/**
 * tring_salvage_orphans - count packets that no ring has, and write them if they are wanted
 * @image: the image
 * @found: its directories
 * @rings: all rings
 * @options: what to salvage; the traces get a directory next to @options->dir
 * @write: write them
 * @without_ring: set to the number of those whose rings are missing: no packets that were read,
 *	and none of older traces, if directories are there
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_salvage_orphans(struct tring_image *image, const struct tring_directories *found,
			  const struct tring_rings *rings,
			  const struct tring_salvage_options *options, bool write,
			  uint64_t *without_ring)
{
	struct orphans orphans = {
		.image = image, .bytes = tring_allocate(PACKET_MAX + 8),
	};
	int error = 0;
	size_t i;

	find(&orphans, found, rings);
	*without_ring = 0;
	for (i = 0; i < orphans.count; i++)
		*without_ring += lacks_ring(found, options, &orphans.list[i]);
	if (write) {
		error = write_traces(&orphans, found, options);
		if (tring_verbosity != TRING_QUIET && !orphans.count)
			puts("no orphan packets");
		if (orphans.torn)
			tring_detail("%" PRIu64 " packets that no ring has are not whole",
				     orphans.torn);
	}
	free(orphans.list);
	free(orphans.bytes);
	return error;
}
