// SPDX-License-Identifier: GPL-2.0
/* Description: of 200 damaged memory images, salvage gets nearly each event that is undamaged. */
/*
 *	salvage_trials [-n TRIALS] [-s SEED] [-k KIND] [-v] [IMAGE...]
 *
 * Damages an image of memory that outlives the kernel in TRIALS ways for each kind of damage, and
 * compares what is salvaged with what is salvaged of the undamaged image. IMAGE is what the file
 * last_boot has; without one, an image is generated. Fails if a kind recovers less than it must.
 */
#include <dirent.h>
#include <unistd.h>

#include "damage.h"
#include "machine.h"
#include "trace/blob.h"
#include "trace/trace_dir.h"
#include "truth.h"
#include "util/util.h"

#define LINE		64
#define STALE_LINES	8

#define CPUS		2
#define SLOTS		24
#define SUBBUF		(2 * PAGE)

/*
 * @untouched: events of which no byte was changed; @recovered of them were salvaged.
 * @moved: but for a time that is said to be unsure. @invented: salvaged, but never written, or
 * written otherwise. @undescribed: trials in which what describes the trace differs.
 * @told: the reader has told of damage in a trial's trace. @quiet: trials in which events are lost,
 * and neither the exit status nor the reader says so
 */
struct counts {
	uint64_t	untouched;
	uint64_t	recovered;
	uint64_t	moved;
	uint64_t	invented;
	uint64_t	undescribed;
	uint64_t	quiet;
	bool		told;
};

static size_t pick(const struct places *places)
{
	return places->at[damage_below(places->count)];
}

static void build_blob(const struct test_trace *trace)
{
	char *dir = make_path("%s/formats", temp_dir());
	struct tring_blob *blob = tring_blob_begin();
	char *path = tring_extra_path(dir, TRING_FILE_EVENTS);
	struct tring_events events;
	size_t size;
	void *bytes;

	make_trace(dir, trace->machine->order);
	CHECK(blob);
	CHECK_EQ(tring_events_init(&events), 0);
	CHECK_EQ(tring_events_add_all(&events, path), 0);
	CHECK_EQ(tring_blob_add_events(blob, &events), 0);
	CHECK_EQ(tring_blob_end(blob, &bytes, &size), 0);
	test_trace_blob(trace, bytes, size);
	tring_events_free(&events);
	free(bytes);
	free(path);
	free(dir);
}

/* A packet that fills most of a sub-buffer. */
static uint64_t build_packet_at(struct builder *builder, uint64_t stamp)
{
	builder->size = 0;
	build_begin(builder, stamp);
	while (builder->end < SUBBUF - 1200)
		stamp = damage_records(builder, stamp, 10, 1000000);
	return stamp;
}

static uint64_t count_events(const struct builder *builder)
{
	struct tring_cursor cursor;
	struct tring_record record;
	struct tring_packet packet;
	uint64_t events = 0;

	CHECK_EQ(tring_packet_parse(builder->bytes, builder->size, &packet), TRING_OK);
	tring_cursor_init(&cursor, &packet);
	while (tring_record_next(&cursor, &record) == TRING_OK)
		events += record.id != TRING_ID_DISCARDED;
	return events;
}

/* Rings that were overwritten, and a packet that was being written in each. */
static void generate(struct truth *truth)
{
	static struct builder builder;
	struct test_trace trace;
	struct machine machine;
	struct test_ring ring;
	uint64_t stamp, packet, size, events;
	uint32_t cpu;

	machine_init(&machine, TRING_HOST_BIG_ENDIAN, 256);
	test_region_init(&machine);
	test_trace_init(&trace, &machine);
	build_blob(&trace);
	for (cpu = 0; cpu < CPUS; cpu++) {
		build_init(&builder, machine.order, cpu);
		test_ring_init(&ring, &trace, cpu, SLOTS, SUBBUF, NULL);
		stamp = 1000000000000;
		for (packet = 0; packet < SLOTS + 5; packet++) {
			stamp = build_packet_at(&builder, stamp);
			build_end(&builder);
			test_ring_deliver(&ring, packet, &builder, count_events(&builder));
		}
		build_packet_at(&builder, stamp);
		size = builder.end - builder.start;
		build_end(&builder);
		events = count_events(&builder);
		test_ring_open(&ring, packet, &builder, size, events);
		test_ring_position(&ring, packet, size);
	}
	truth_init(truth, machine.memory, machine.size);
}

static void load(struct truth *truth, const char *path)
{
	size_t size;
	uint8_t *bytes = damage_load(path, &size);

	truth_init(truth, bytes, size);
}

static size_t any_byte(const struct truth *truth)
{
	return pick(&truth->pages) + damage_below(PAGE);
}

static size_t any_line(const struct truth *truth)
{
	return pick(&truth->pages) + damage_below(PAGE / LINE) * LINE;
}

/* Each damages @bytes, a copy of @truth. */
static void flip_bit(const struct truth *truth, uint8_t *bytes)
{
	bytes[any_byte(truth)] ^= 1 << damage_below(8);
}

static void change_byte(const struct truth *truth, uint8_t *bytes)
{
	bytes[any_byte(truth)] ^= 1 + damage_below(255);
}

/* Lost bytes are zeroes, ones, random, or what lies elsewhere. */
static void lose(const struct truth *truth, uint8_t *bytes, size_t at, size_t size)
{
	if (damage_below(4))
		damage_fill(bytes + at, size);
	else
		memcpy(bytes + at, truth->bytes + pick(&truth->pages) + at % PAGE, size);
}

static void lose_line(const struct truth *truth, uint8_t *bytes)
{
	lose(truth, bytes, any_line(truth), LINE);
}

static void lose_page(const struct truth *truth, uint8_t *bytes)
{
	lose(truth, bytes, pick(&truth->pages), PAGE);
}

static void lose_header(const struct truth *truth, uint8_t *bytes)
{
	size_t from = damage_below(2) ? 0 : damage_below(TRING_PACKET_HEADER_SIZE);
	size_t size = TRING_PACKET_HEADER_SIZE - from;

	lose(truth, bytes, pick(&truth->headers) + from, from ? 1 + damage_below(size) : size);
}

static void lose_directory(const struct truth *truth, uint8_t *bytes)
{
	lose(truth, bytes, pick(&truth->directory), PAGE);
}

static void change_directory(const struct truth *truth, uint8_t *bytes)
{
	bytes[pick(&truth->directory) + damage_below(512)] ^= 1 + damage_below(255);
}

static void lose_slots(const struct truth *truth, uint8_t *bytes)
{
	size_t at = pick(&truth->slots);
	size_t size = damage_below(3) ? 8 : LINE - at % LINE;

	lose(truth, bytes, at, size);
}

static void lose_descriptions(const struct truth *truth, uint8_t *bytes)
{
	lose(truth, bytes, pick(&truth->descriptions) & -(size_t)LINE, LINE);
}

/* A line that memory did not get has what another place had: nothing tells what that was. */
static void keep_lines(const struct truth *truth, uint8_t *bytes)
{
	unsigned int i;

	for (i = 0; i < STALE_LINES; i++) {
		size_t at = any_line(truth);

		memcpy(bytes + at, truth->bytes + pick(&truth->pages) + at % PAGE, LINE);
	}
}

static const struct kind {
	const char	*name;
	void		(*damage)(const struct truth *truth, uint8_t *bytes);
	unsigned int	least_per_mille;
} kinds[] = {
	{ "bit", flip_bit, 998 },
	{ "byte", change_byte, 998 },
	{ "line", lose_line, 998 },
	{ "page", lose_page, 998 },
	{ "header", lose_header, 998 },
	{ "directory-page", lose_directory, 998 },
	{ "directory-byte", change_directory, 998 },
	{ "slots", lose_slots, 998 },
	{ "descriptions", lose_descriptions, 998 },
	{ "stale-lines", keep_lines, 980 },
};

/* But for the bits of the time above the 27 that a record has, if they are said to be unsure. */
static bool is_same(const struct reading *reading, const struct tring_record *record,
		    const struct event *event, bool *moved)
{
	const struct tring_record *other = &event->record;

	*moved = reading->said_unsure && record->stamp != other->stamp &&
		 !((record->stamp - other->stamp) & tring_stamp_mask(TRING_STAMP_BITS));
	return record->type == other->type && record->length == other->length &&
	       record->id == other->id && record->flags == other->flags &&
	       record->preempt_count == other->preempt_count &&
	       (*moved || record->stamp == other->stamp) && reading_hash(record) == event->fields;
}

static void show(const char *what, const struct reading *reading,
		 const struct tring_record *record)
{
	if (truth_verbose)
		printf("  %s: cpu %" PRIu64 " packet %" PRIu64 " at 0x%x\n", what,
		       reading->stream.packet.cpu_id, reading->stream.packet.seq_num,
		       record->offset);
}

/* @touched: events that are damaged, or found */
static void compare_file(const struct truth *truth, const char *dir, const char *name, bool own,
			 bool *touched, struct counts *counts)
{
	struct reading reading;
	struct tring_record record;
	bool moved;

	reading_begin(&reading, dir, name);
	while (tring_stream_next(&reading.stream, &record) == TRING_OK) {
		const struct tring_packet *in = &reading.stream.packet;
		const struct packet *packet = own ? truth_packet(truth, in->cpu_id, in->seq_num) :
						    NULL;
		size_t number = packet ? truth_event(truth, packet, record.offset) : 0;

		if (record.id == TRING_ID_DISCARDED)
			continue;
		if (number && touched[number - 1])
			continue;
		if (!number || !is_same(&reading, &record, &truth->events[number - 1], &moved)) {
			counts->invented++;
			show(number ? "wrong" : "invented", &reading, &record);
			continue;
		}
		touched[number - 1] = true;
		counts->recovered++;
		counts->moved += moved;
	}
	counts->told |= reading.stream.errors;
	free(reading.bytes);
}

static void compare_dir(const struct truth *truth, const char *dir, bool own, bool *touched,
			struct counts *counts)
{
	DIR *entries = opendir(dir);
	struct dirent *entry;

	while (entries && (entry = readdir(entries))) {
		if (!strncmp(entry->d_name, "cpu", 3))
			compare_file(truth, dir, entry->d_name, own, touched, counts);
	}
	if (entries)
		closedir(entries);
}

/* A trace by itself, or several of them. */
static void compare_out(const struct truth *truth, bool *touched, struct counts *counts)
{
	const char *out = truth_dir();
	char *path = make_path("%s/metadata", out), *text = tring_read_text(path, NULL), *dir;
	DIR *entries;
	struct dirent *entry;

	free(path);
	if (text) {
		compare_dir(truth, out, strstr(text, truth->uuid), touched, counts);
	} else {
		path = make_path("%s/%s/metadata", out, truth->uuid);
		text = tring_read_text(path, NULL);
		free(path);
		entries = opendir(out);
		while (entries && (entry = readdir(entries))) {
			if (*entry->d_name == '.')
				continue;
			dir = make_path("%s/%s", out, entry->d_name);
			compare_dir(truth, dir, !strcmp(entry->d_name, truth->uuid), touched,
				    counts);
			free(dir);
		}
		if (entries)
			closedir(entries);
	}
	counts->undescribed += !text || strcmp(text, truth->metadata);
	free(text);
}

static void try_damage(const struct truth *truth, const uint8_t *bytes, struct counts *counts)
{
	bool *touched = calloc(truth->count, sizeof(*touched)), whole;
	struct counts before = *counts;
	size_t i, lost, last = SIZE_MAX;

	CHECK(touched);
	for (i = 0; i < truth->count; i++) {
		const struct event *event = &truth->events[i];

		touched[i] = memcmp(bytes + event->begin, truth->bytes + event->begin,
				    event->end - event->begin);
		counts->untouched += !touched[i];
	}
	if (truth_verbose)
		damage_show(truth->bytes, bytes, truth->size);
	counts->told = false;
	whole = truth_salvage(bytes, truth->size);
	compare_out(truth, touched, counts);
	whole &= !counts->told;
	lost = counts->untouched - before.untouched - (counts->recovered - before.recovered);
	counts->quiet += whole && lost;
	for (i = 0; i < truth->count && truth_verbose && lost; i++) {
		size_t packet = 0;

		if (touched[i])
			continue;
		while (packet < truth->packet_count &&
		       i - truth->packets[packet].first >= truth->packets[packet].count)
			packet++;
		if (packet != last)
			printf("  lost from event 0x%zx on, of cpu %" PRIu64 " packet %" PRIu64
			       " at 0x%zx\n", truth->events[i].begin, truth->packets[packet].cpu,
			       truth->packets[packet].seq, truth->packets[packet].at);
		last = packet;
	}
	if (truth_verbose && lost)
		printf("  %zu lost%s\n", lost, whole ? ", quietly" : "");
	free(touched);
}

static bool try_kind(const struct truth *truth, const struct kind *kind, unsigned int trials)
{
	uint8_t *bytes = malloc(truth->size);
	struct counts counts = { 0 };
	unsigned int i;
	bool good;

	CHECK(bytes);
	for (i = 0; i < trials; i++) {
		memcpy(bytes, truth->bytes, truth->size);
		kind->damage(truth, bytes);
		if (truth_verbose)
			printf("%s: trial %u\n", kind->name, i);
		try_damage(truth, bytes, &counts);
	}
	free(bytes);
	good = counts.recovered * 1000 >= counts.untouched * kind->least_per_mille &&
	       counts.invented * 1000 <= counts.untouched;
	printf("%-14s %7u %11" PRIu64 " %9.4f %% %9.1f %9.1f %11" PRIu64 " %6" PRIu64 "%s\n",
	       kind->name, trials, counts.untouched, 100.0 * counts.recovered / counts.untouched,
	       1e6 * counts.invented / counts.untouched, 1e6 * counts.moved / counts.untouched,
	       counts.undescribed, counts.quiet, good ? "" : "  too bad");
	fflush(stdout);
	return good;
}

static bool try_image(const char *name, struct truth *truth, unsigned int trials,
		      const char *only)
{
	bool good = true;
	size_t i;

	printf("%s: %zu pages, %zu of directories, %zu packets, %zu events\n", name,
	       truth->pages.count, truth->directory.count, truth->packet_count, truth->count);
	printf("%-14s %7s %11s %11s %9s %9s %11s %6s\n", "damage", "trials", "untouched",
	       "recovered", "invented", "moved", "undescribed", "quiet");
	printf("%-45s %9s %9s %11s %6s\n", "", "ppm", "ppm", "trials", "trials");
	for (i = 0; i < COUNT(kinds); i++)
		if (!only || !strcmp(only, kinds[i].name))
			good &= try_kind(truth, &kinds[i], trials);
	truth_free(truth);
	return good;
}

int main(int argc, char **argv)
{
	unsigned int trials = 20;
	const char *only = NULL;
	struct truth truth;
	bool good = true;
	int option;

	damage_seed(test_seed(1));
	while ((option = getopt(argc, argv, "n:s:k:v")) != -1) {
		if (option == 'n')
			trials = atoi(optarg);
		else if (option == 's')
			damage_seed(strtoull(optarg, NULL, 0));
		else if (option == 'k')
			only = optarg;
		else if (option == 'v')
			truth_verbose = true;
		else
			return 2;
	}
	tring_verbosity = TRING_QUIET;
	if (optind == argc) {
		generate(&truth);
		good = try_image("generated", &truth, trials, only);
	}
	for (; optind < argc; optind++) {
		load(&truth, argv[optind]);
		good &= try_image(argv[optind], &truth, trials, only);
	}
	return !good;
}
