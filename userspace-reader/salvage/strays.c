// SPDX-License-Identifier: GPL-2.0
/*
 * Packets that lie in memory where no ring has them: those that were read already, those of
 * older traces, and copies on their way to a disk. They are shown on request only, and never
 * beside what the rings have, because nothing tells whether they are complete or the newest. A
 * packet that is not whole is left out: memory that was in one piece for a program is not
 * in an image.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "open_records.h"
#include "wire/filler.h"
#include "salvage.h"
#include "wire/tally.h"
#include "util/text.h"
#include "trace/trace_dir.h"
#include "util/tree.h"
#include "util/util.h"

#define BLOCK		(4u << 20)
#define PACKET_MAX	(4u << 20)
#define STRAYS_MAX	(1u << 22)

/**
 * struct stray - a packet
 * @uuid: of its trace
 * @cpu: that wrote it
 * @seq: packet_seq_num
 * @physical: address
 * @size: bytes up to the end of its records
 * @big_endian: byte order
 */
struct stray {
	uint8_t		uuid[TRING_UUID_SIZE];
	uint64_t	cpu;
	uint64_t	seq;
	uint64_t	physical;
	uint32_t	size;
	bool		big_endian;
};

/**
 * struct strays - all of them
 * @image: the image
 * @list: the packets
 * @count: their number
 * @torn: packets that are not whole
 * @owned: addresses of the rings' packets, ascending
 * @owned_count: their number
 */
struct strays {
	struct tring_image *image;
	struct stray	*list;
	size_t		count;
	uint64_t	torn;
	uint64_t	*owned;
	size_t		owned_count;
};

static int compare_addresses(const void *a, const void *b)
{
	const uint64_t *one = a, *other = b;

	return *one < *other ? -1 : *one > *other;
}

static void own(struct strays *strays, const struct tring_ring *ring)
{
	size_t i;

	strays->owned = reallocarray(strays->owned, strays->owned_count + ring->count + 1,
				     sizeof(*strays->owned));
	if (!strays->owned) {
		tring_error("out of memory");
		exit(TRING_EXIT_BAD);
	}
	for (i = 0; i < ring->count; i++)
		strays->owned[strays->owned_count++] = ring->places[i].physical;
}

/* What the rings have is no stray. */
static void find_owned(struct strays *strays, const struct tring_directories *found)
{
	struct tring_ring ring;
	size_t i, j;

	for (i = 0; i < found->trace_count; i++) {
		for (j = 0; j < found->memory_count; j++) {
			if (found->memories[j].page.key != found->traces[i].page.key)
				continue;
			tring_ring_open(&ring, strays->image, found, &found->traces[i],
					found->memories[j].cpu);
			own(strays, &ring);
			tring_ring_close(&ring);
		}
	}
	if (strays->owned_count)
		qsort(strays->owned, strays->owned_count, sizeof(*strays->owned),
		      compare_addresses);
}

static bool is_owned(const struct strays *strays, uint64_t physical)
{
	return strays->owned_count &&
	       bsearch(&physical, strays->owned, strays->owned_count, sizeof(physical),
		       compare_addresses);
}

/* Return: whether the packet is there up to its end. @bytes: room for it */
static bool read_whole(struct strays *strays, uint64_t physical, const struct tring_packet *head,
		       uint8_t *bytes)
{
	uint64_t events, stamp;
	struct tring_packet packet;

	if (head->content_size > PACKET_MAX ||
	    tring_image_read(strays->image, physical, bytes, head->content_size))
		return false;
	packet = *head;
	packet.data = bytes;
	packet.readable = head->content_size;
	return tring_records_fill(&packet, packet.readable, &events, &stamp) &&
	       stamp <= packet.timestamp_end;
}

static void add_stray(struct strays *strays, uint64_t physical, const uint8_t *header,
		      uint8_t *bytes)
{
	struct tring_packet packet;
	struct stray stray = { .physical = physical };

	/* the rest of it may lie in the next block */
	tring_packet_parse(header, TRING_PACKET_HEADER_SIZE, &packet);
	if (is_owned(strays, physical) || strays->count >= STRAYS_MAX)
		return;
	if (packet.cpu_id > 65535 || !read_whole(strays, physical, &packet, bytes)) {
		strays->torn++;
		return;
	}
	if (!(strays->count & (strays->count - 1))) {
		strays->list = reallocarray(strays->list, strays->count ? 2 * strays->count : 1,
					    sizeof(stray));
		if (!strays->list) {
			tring_error("out of memory");
			exit(TRING_EXIT_BAD);
		}
	}
	memcpy(stray.uuid, packet.uuid, sizeof(stray.uuid));
	stray.cpu = packet.cpu_id;
	stray.seq = packet.seq_num;
	stray.size = packet.content_size;
	stray.big_endian = packet.big_endian;
	strays->list[strays->count++] = stray;
}

/* Blocks overlap by what a packet's first record needs. */
static void scan(struct strays *strays)
{
	const size_t overlap = TRING_IMAGE_PAGE;
	uint8_t *block = tring_allocate(BLOCK + overlap), *bytes = tring_allocate(PACKET_MAX);
	uint64_t at = 0, begin, end;

	while (tring_image_next(strays->image, at, &begin, &end)) {
		for (at = begin; at < end; at += BLOCK) {
			size_t size = end - at < BLOCK + overlap ? end - at : BLOCK + overlap;
			size_t hit = 0;

			tring_image_read(strays->image, at, block, size);
			while ((hit = tring_packet_find(block, size, hit, NULL)) < size &&
			       hit < BLOCK) {
				add_stray(strays, at + hit, block + hit, bytes);
				hit += 8;
			}
		}
		at = end;
	}
	free(bytes);
	free(block);
}

/* Packets of a trace that is there and wanted, and of a CPU whose ring is not. */
static bool lacks_ring(const struct tring_directories *found,
		       const struct tring_salvage_options *options, const struct stray *stray)
{
	const struct tring_found_trace *trace = NULL;
	size_t i;

	for (i = 0; i < found->trace_count && !trace; i++)
		if (!memcmp(found->traces[i].uuid, stray->uuid, TRING_UUID_SIZE) &&
		    tring_salvage_wants(options, &found->traces[i]))
			trace = &found->traces[i];
	for (i = 0; i < found->memory_count && trace; i++)
		if (found->memories[i].page.key == trace->page.key &&
		    found->memories[i].cpu == stray->cpu)
			trace = NULL;
	return trace;
}

/* As lacks_ring(), of what a scan has found at the beginning of pages. */
static bool may_lack_rings(const struct tring_directories *found,
			   const struct tring_salvage_options *options)
{
	size_t i;

	for (i = 0; i < found->packet_count; i++) {
		struct stray stray = { .cpu = found->packets[i].cpu };

		memcpy(stray.uuid, found->packets[i].uuid, TRING_UUID_SIZE);
		if (lacks_ring(found, options, &stray))
			return true;
	}
	return !found->trace_count;
}

static int compare_strays(const void *a, const void *b)
{
	const struct stray *one = a, *other = b;
	int order = memcmp(one->uuid, other->uuid, sizeof(one->uuid));

	if (order)
		return order;
	if (one->cpu != other->cpu)
		return one->cpu < other->cpu ? -1 : 1;
	return one->seq < other->seq ? -1 : one->seq > other->seq;
}

/*
 * Write packets of one trace and CPU; of several copies of a packet one is written. Return: 0 or
 * a negative errno, reported on stderr.
 */
static int write_cpu(struct strays *strays, size_t first, size_t end, const char *dir,
		     struct tring_met *met, uint64_t *written)
{
	char *name = tring_format("cpu%" PRIu64, strays->list[first].cpu);
	char *path = tring_trace_path(dir, name);
	uint8_t *bytes = tring_allocate(PACKET_MAX + 8);
	FILE *file;
	int error = tring_tree_begin(path, &file);
	size_t i;

	for (i = first; i < end && !error; i++) {
		const struct stray *stray = &strays->list[i];
		size_t size = (stray->size + 7) & ~(size_t)7;
		struct tring_tally tally = { .ids = met->ids };
		struct tring_packet packet;

		if (i > first && stray->seq == stray[-1].seq)
			continue;
		memset(bytes + stray->size, 0, 8);
		tring_image_read(strays->image, stray->physical, bytes, stray->size);
		tring_packet_resize(bytes, size);
		if (tring_packet_parse(bytes, size, &packet) == TRING_OK)
			tring_tally_packet(&tally, &packet);
		met->types |= tally.types;
		if (fwrite(bytes, 1, size, file) != size)
			error = -errno;
		++*written;
	}
	if (file && fclose(file) && !error)
		error = -errno;
	if (error)
		tring_error("%s: %s", path, strerror(-error));
	free(bytes);
	free(path);
	free(name);
	return error;
}

/*
 * The trace that packets are of; for those of another one, the image tells the kernel and the
 * clock at most, and no short types.
 */
static struct tring_found_trace trace_of(const struct tring_directories *found,
					 const uint8_t *uuid, bool big_endian)
{
	struct tring_found_trace trace = {
		.page.big_endian = big_endian, .clock_frequency = 1000000000,
		.page_size = TRING_IMAGE_PAGE,
	};
	size_t i;

	for (i = 0; i < found->trace_count; i++)
		if (!memcmp(found->traces[i].uuid, uuid, TRING_UUID_SIZE))
			return found->traces[i];
	if (found->trace_count)
		trace = found->traces[0];
	memcpy(trace.uuid, uuid, TRING_UUID_SIZE);
	memset(trace.short_ids, 0, sizeof(trace.short_ids));
	return trace;
}

static int write_trace(struct strays *strays, size_t first, size_t end,
		       const struct tring_directories *found, const char *parent,
		       const char *formats)
{
	struct tring_met met = { .ids = tring_allocate(TRING_EVENT_IDS * sizeof(bool)) };
	struct tring_found_trace trace = trace_of(found, strays->list[first].uuid,
						  strays->list[first].big_endian);
	struct tring_description description = { 0 };
	char *uuid = tring_uuid_text(trace.uuid), *dir = tring_trace_path(parent, uuid);
	uint64_t written = 0;
	size_t next;
	int error = tring_trace_dir_create(dir);

	if (!error) {
		error = tring_salvage_begin(&description, strays->image, &trace, dir);
		error = error == -EINVAL ? 0 : error;
	}
	for (; first < end && !error; first = next) {
		for (next = first; next < end; next++)
			if (strays->list[next].cpu != strays->list[first].cpu)
				break;
		error = write_cpu(strays, first, next, dir, &met, &written);
	}
	if (!error)
		error = tring_salvage_describe(&description, &trace, dir, formats, &met);
	/* what no format describes is among strays as a rule */
	if (error == -ENOENT)
		error = 0;
	if (!error && tring_verbosity != TRING_QUIET) {
		tring_text_print(stdout, dir);
		printf(": %" PRIu64 " stray packets\n", written);
	}
	tring_events_free(&description.events);
	free(dir);
	free(uuid);
	free(met.ids);
	return error;
}

static int write_traces(struct strays *strays, const struct tring_directories *found,
			const struct tring_salvage_options *options)
{
	char *parent = tring_format("%s-strays", options->dir);
	int error = 0;
	size_t i, next;

	if (strays->count)
		error = tring_tree_open(parent);
	if (strays->count && !error)
		error = tring_tree_make(parent);
	for (i = 0; i < strays->count && !error; i = next) {
		for (next = i; next < strays->count; next++)
			if (memcmp(strays->list[next].uuid, strays->list[i].uuid,
				   TRING_UUID_SIZE))
				break;
		error = write_trace(strays, i, next, found, parent, options->formats);
	}
	free(parent);
	return error;
}

/**
 * tring_salvage_count_strays - count packets that only --strays gets
 * @image: the image
 * @found: its directories
 * @options: what to salvage
 *
 * Packets that were read, and those of older traces, do not count if directories are there.
 *
 * Return: number of whole packets whose rings are missing.
 */
uint64_t tring_salvage_count_strays(struct tring_image *image,
				    const struct tring_directories *found,
				    const struct tring_salvage_options *options)
{
	struct strays strays = { .image = image };
	uint64_t missing = image->missing, count = 0;
	size_t i;

	if (!may_lack_rings(found, options))
		return 0;
	find_owned(&strays, found);
	scan(&strays);
	image->missing = missing;
	if (strays.count)
		qsort(strays.list, strays.count, sizeof(*strays.list), compare_strays);
	for (i = 0; i < strays.count; i++)
		count += (!found->trace_count || lacks_ring(found, options, &strays.list[i])) &&
			 (!i || compare_strays(&strays.list[i - 1], &strays.list[i]));
	free(strays.owned);
	free(strays.list);
	return count;
}

/**
 * tring_salvage_strays - write packets that no ring has
 * @image: the image
 * @found: its directories
 * @options: what to salvage; the traces get a directory next to @options->dir
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_salvage_strays(struct tring_image *image, const struct tring_directories *found,
			 const struct tring_salvage_options *options)
{
	struct strays strays = { .image = image };
	uint64_t missing = image->missing;
	int error;

	find_owned(&strays, found);
	scan(&strays);
	image->missing = missing;
	if (strays.count)
		qsort(strays.list, strays.count, sizeof(*strays.list), compare_strays);
	error = write_traces(&strays, found, options);
	if (tring_verbosity != TRING_QUIET && !strays.count)
		puts("no stray packets");
	if (strays.torn)
		tring_detail("%" PRIu64 " packets elsewhere in memory are not whole", strays.torn);
	free(strays.owned);
	free(strays.list);
	return error;
}
