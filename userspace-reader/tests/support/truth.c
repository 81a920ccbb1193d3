// SPDX-License-Identifier: GPL-2.0
/* What is salvaged of an undamaged memory image, event by event, and where it lies there. */
#include <ftw.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine.h"
#include "trace/trace_dir.h"
#include "truth.h"
#include "util/util.h"

/* No image takes as many seconds. */
#define HANG		600

bool truth_verbose;

static void add(struct places *places, size_t at)
{
	if (!(places->count & (places->count - 1)))
		places->at = reallocarray(places->at, places->count ? 2 * places->count : 1,
					  sizeof(*places->at));
	CHECK(places->at);
	places->at[places->count++] = at;
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *at)
{
	(void)info;
	(void)type;
	return at->level ? remove(path) : 0;
}

static char shared[] = "/dev/shm/tring-test-XXXXXX";

static void remove_shared(void)
{
	nftw(shared, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	rmdir(shared);
}

/* Where truth_salvage() writes: not to a disk if that can be. */
const char *truth_dir(void)
{
	static char path[64];

	if (!*path && mkdtemp(shared)) {
		atexit(remove_shared);
		snprintf(path, sizeof(path), "%s/out", shared);
	} else if (!*path) {
		snprintf(path, sizeof(path), "%s/out", temp_dir());
	}
	return path;
}

static int image_fd(void)
{
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("image", MFD_CLOEXEC);
	CHECK(fd >= 0);
	return fd;
}

/* Return: whether all was recovered, by the salvager's own account. */
bool truth_salvage(const uint8_t *bytes, size_t size)
{
	char *path = make_path("/proc/self/fd/%d", image_fd());
	const struct tring_salvage_options options = {
		.path = path, .dir = truth_dir(),
	};
	FILE *own = stderr;
	bool whole;

	if (!access(options.dir, F_OK))
		CHECK(!nftw(options.dir, remove_entry, 16, FTW_DEPTH | FTW_PHYS));
	CHECK(!ftruncate(image_fd(), 0));
	CHECK_EQ(pwrite(image_fd(), bytes, size, 0), (ssize_t)size);
	/* what it tells of damage; the sanitizers write to the descriptor */
	if (!truth_verbose)
		stderr = fopen("/dev/null", "we");
	CHECK(stderr);
	alarm(HANG);	/* time: a guard against a hang */
	whole = !tring_salvage(&options);
	alarm(0);
	if (!truth_verbose)
		fclose(stderr);
	stderr = own;
	return whole;
}

uint64_t reading_hash(const struct tring_record *record)
{
	return tring_directory_checksum(record->payload + TRING_PAYLOAD_HEAD,
					record->length - TRING_PAYLOAD_HEAD);
}

static void note_finding(const struct tring_stream *stream, uint64_t offset,
			 enum tring_reason reason, uint64_t skipped)
{
	struct reading *reading = stream->private;

	reading->said_unsure |= reason == TRING_RECORD_STAMP_UNSURE;
	if (truth_verbose)
		printf("  0x%" PRIx64 ": %s, %" PRIu64 " bytes skipped\n", offset,
		       tring_reason_text(reason), skipped);
}

void reading_begin(struct reading *reading, const char *dir, const char *name)
{
	char *path = make_path("%s/%s", dir, name), *shorts = tring_extra_path(dir, "short_ids");
	char *text = tring_read_text(shorts, NULL);
	size_t size;

	*reading = (struct reading) { .bytes = (uint8_t *)tring_read_text(path, &size) };
	CHECK(reading->bytes);
	if (text)
		tring_short_ids_parse(&reading->shorts, text, shorts);
	tring_stream_init(&reading->stream, reading->bytes, size);
	tring_stream_know_short_ids(&reading->stream, reading->shorts.ids);
	reading->stream.report = note_finding;
	reading->stream.private = reading;
	free(text);
	free(shorts);
}

const struct packet *truth_packet(const struct truth *truth, uint64_t cpu, uint64_t seq)
{
	size_t i;

	for (i = 0; i < truth->packet_count; i++)
		if (truth->packets[i].cpu == cpu && truth->packets[i].seq == seq)
			return &truth->packets[i];
	return NULL;
}

/* Return: the number of an event from 1 on, or 0. */
size_t truth_event(const struct truth *truth, const struct packet *packet, size_t offset)
{
	size_t low = packet->first, high = packet->first + packet->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (truth->events[middle].begin - packet->at < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low < packet->first + packet->count &&
	       truth->events[low].begin - packet->at == offset ? low + 1 : 0;
}

static void read_events(struct truth *truth, const char *name)
{
	struct reading reading;
	struct tring_record record;
	struct packet *packet;

	reading_begin(&reading, truth_dir(), name);
	while (tring_stream_next(&reading.stream, &record) == TRING_OK) {
		const struct tring_packet *in = &reading.stream.packet;

		if (record.id == TRING_ID_DISCARDED)
			continue;
		packet = (struct packet *)truth_packet(truth, in->cpu_id, in->seq_num);
		CHECK(packet);
		if (!packet->count++)
			packet->first = truth->count;
		if (!(truth->count & (truth->count - 1)))
			truth->events = reallocarray(truth->events, 2 * truth->count + 1,
						     sizeof(*truth->events));
		truth->events[truth->count++] = (struct event) {
			record, reading_hash(&record), packet->at + record.offset,
			packet->at + reading.stream.cursor.position,
		};
	}
	CHECK_EQ(reading.stream.errors, 0);
	free(reading.bytes);
}

static void add_pages(struct places *places, const struct truth *truth,
		      const struct tring_found_array *array, size_t from, size_t size, size_t step)
{
	size_t at;

	for (at = from; at < from + size; at += step)
		add(places, array->pages[(array->offset + at) / PAGE] +
		    (array->offset + at) % PAGE - truth->base);
}

static void map_ring(struct truth *truth, struct tring_image *image,
		     const struct tring_directories *found, size_t memory)
{
	const struct tring_found_memory *of = &found->memories[memory];
	struct tring_ring ring;
	size_t i;

	tring_ring_open(&ring, image, found, &found->traces[0], of->is.cpu);
	CHECK_EQ(ring.memory_count, 1);
	add_pages(&truth->slots, truth, &ring.memories[0].arrays, 0, 8 * of->is.nr_subbufs, 8);
	add_pages(&truth->descriptions, truth, &ring.memories[0].arrays, of->is.subbufs,
		  (of->is.nr_subbufs + 1) * of->is.stride, of->is.stride);
	truth->packets = reallocarray(truth->packets, truth->packet_count + ring.count,
				      sizeof(*truth->packets));
	for (i = 0; i < ring.count; i++) {
		size_t at = ring.places[i].physical - truth->base;

		truth->packets[truth->packet_count++] = (struct packet) {
			.cpu = of->is.cpu, .seq = ring.places[i].seq, .at = at,
		};
		add(&truth->headers, at);
	}
	tring_ring_close(&ring);
}

static bool is_directory(const uint8_t *page)
{
	return tring_load_u64(page, TRING_HOST_BIG_ENDIAN) >> 16 == TRING_DIRECTORY_TRACE >> 16;
}

/* @bytes: of the image; freed by truth_free() */
void truth_init(struct truth *truth, uint8_t *bytes, size_t size)
{
	struct tring_directories found = { 0 };
	struct tring_image image = { .path = "image", .fd = dup(image_fd()) };
	size_t at, i;

	*truth = (struct truth) { .bytes = bytes, .size = size };
	CHECK(truth_salvage(bytes, size));
	CHECK(tring_directory_physical(truth->bytes, truth->size, &truth->base));
	CHECK_EQ(tring_image_open_raw(&image, image.fd, truth->base), 0);
	tring_directories_find(&found, &image);
	CHECK_EQ(found.trace_count, 1);
	truth->uuid = tring_uuid_text(found.traces[0].is.uuid);
	for (i = 0; i < found.memory_count; i++)
		map_ring(truth, &image, &found, i);
	for (at = 0; at < truth->size; at += PAGE) {
		for (i = 0; i < PAGE && !truth->bytes[at + i];)
			i++;
		if (i < PAGE)
			add(&truth->pages, at);
		if (is_directory(truth->bytes + at))
			add(&truth->directory, at);
	}
	for (i = 0; i < found.memory_count; i++)
		read_events(truth, make_path("cpu%u", found.memories[i].is.cpu));
	truth->metadata = read_file(make_path("%s/metadata", truth_dir()));
	tring_directories_free(&found);
	tring_image_close(&image);
}

void truth_free(struct truth *truth)
{
	free(truth->bytes);
	free(truth->pages.at);
	free(truth->directory.at);
	free(truth->slots.at);
	free(truth->descriptions.at);
	free(truth->headers.at);
	free(truth->uuid);
	free(truth->metadata);
	free(truth->packets);
	free(truth->events);
}
