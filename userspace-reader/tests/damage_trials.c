// SPDX-License-Identifier: GPL-2.0
/* Description: of 2,100 damaged traces, nearly each event is read behind damage of others. */
/*
 *	damage_trials [-n TRIALS] [-s SEED] [-b BYTES] [FILE...]
 *
 * Damages a trace in TRIALS ways for each kind of damage, and compares what is read with what
 * was there. Without FILE the traces are generated: one of a busy CPU and one of an idle one.
 * FILE is a cpuN of a recorded trace, of which the last whole packets in BYTES are taken. Fails
 * if a kind recovers less than it must.
 */
#include <unistd.h>

#include "damage.h"
#include "helpers.h"

#define PACKETS		32
#define PACKET_RECORDS	250
#define LINE		64
#define PAGE		4096
#define STALE_LINES	8

/*
 * A trace. @memory: what @bytes is in. @at: by offset, the number of the record that begins there,
 * from 1 on.
 * @packets: offsets of the packets, and the end
 */
struct trace {
	uint8_t		*memory;
	uint8_t		*bytes;
	size_t		size;
	struct tring_record *records;
	size_t		*starts;
	size_t		*ends;
	size_t		count;
	uint32_t	*at;
	size_t		*packets;
	size_t		packet_count;
};

static void read_truth(struct trace *trace)
{
	struct tring_stream stream;
	struct tring_record record;
	struct findings findings;
	size_t start;

	trace->records = calloc(trace->size / 8, sizeof(*trace->records));
	trace->starts = calloc(trace->size / 8, sizeof(*trace->starts));
	trace->ends = calloc(trace->size / 8, sizeof(*trace->ends));
	trace->at = calloc(trace->size, sizeof(*trace->at));
	trace->packets = calloc(trace->size / TRING_PACKET_HEADER_SIZE, sizeof(size_t));
	stream_with_findings(&stream, &findings, trace->bytes, trace->size);
	while (tring_stream_next(&stream, &record) == TRING_OK) {
		start = stream.packet.offset + record.offset;
		if (record.offset == TRING_PACKET_HEADER_SIZE)
			trace->packets[trace->packet_count++] = stream.packet.offset;
		trace->starts[trace->count] = start;
		trace->ends[trace->count] = stream.packet.offset + stream.cursor.position;
		trace->records[trace->count++] = record;
		trace->at[start] = trace->count;
	}
	CHECK_EQ(findings.count, 0);
	CHECK(trace->packet_count > 2);
	trace->packets[trace->packet_count] = trace->size;
}

static void generate(struct trace *trace, uint64_t gap)
{
	static struct builder builder;
	uint64_t stamp = 1000000000000;
	unsigned int packet;

	build_init(&builder, false, 1);
	*trace = (struct trace) { .memory = malloc(PACKETS * sizeof(builder.bytes)) };
	trace->bytes = trace->memory;
	for (packet = 0; packet < PACKETS; packet++) {
		builder.size = 0;
		build_begin(&builder, stamp);
		stamp = damage_records(&builder, stamp, PACKET_RECORDS, gap);
		build_end(&builder);
		memcpy(trace->bytes + trace->size, builder.bytes, builder.size);
		trace->size += builder.size;
		if (damage_below(3))
			builder.discarded += damage_below(100);
	}
	read_truth(trace);
}

static void load(struct trace *trace, const char *path, size_t most)
{
	struct tring_packet packet;
	size_t size, at = 0, from = 0;
	uint8_t *bytes = damage_load(path, &size);

	while (at < size && tring_packet_parse(bytes + at, size - at, &packet) == TRING_OK &&
	       at + packet.packet_size - from <= most) {
		at += packet.packet_size;
		/* a packet that tells of losses has no event */
		if (packet.content_size == TRING_FILLER_CONTENT)
			from = at;
	}
	*trace = (struct trace) {
		.memory = bytes, .bytes = bytes + from, .size = at - from,
	};
	read_truth(trace);
}

/* Each damages @bytes, a copy of @trace. */
static void flip_bit(const struct trace *trace, uint8_t *bytes)
{
	bytes[damage_below(trace->size)] ^= 1 << damage_below(8);
}

static void change_byte(const struct trace *trace, uint8_t *bytes)
{
	bytes[damage_below(trace->size)] ^= 1 + damage_below(255);
}

static void lose_block(const struct trace *trace, uint8_t *bytes, size_t size)
{
	size_t at = damage_below(trace->size / size) * size;

	damage_fill(bytes + at, size);
}

static void lose_line(const struct trace *trace, uint8_t *bytes)
{
	lose_block(trace, bytes, LINE);
}

static void lose_page(const struct trace *trace, uint8_t *bytes)
{
	lose_block(trace, bytes, PAGE);
}

/* All of a header, or some of it. */
static void lose_header(const struct trace *trace, uint8_t *bytes)
{
	uint8_t *header = bytes + trace->packets[damage_below(trace->packet_count)];
	size_t from = damage_below(2) ? 0 : damage_below(TRING_PACKET_HEADER_SIZE);
	size_t size = TRING_PACKET_HEADER_SIZE - from;

	damage_fill(header + from, from ? 1 + damage_below(size) : size);
}

/* A line that the memory did not get has what the packet before had in its place. */
static void keep_lines(const struct trace *trace, uint8_t *bytes)
{
	unsigned int i;

	for (i = 0; i < STALE_LINES; i++) {
		size_t packet = 1 + damage_below(trace->packet_count - 1);
		size_t start = trace->packets[packet];
		size_t old = trace->packets[damage_below(packet)];
		size_t at = damage_below((trace->packets[packet + 1] - start) / LINE) * LINE;

		if (old + at + LINE <= trace->size)
			memcpy(bytes + start + at, trace->bytes + old + at, LINE);
	}
}

/* @packets: so many may be lost as a whole in a trial, with their headers. */
static const struct kind {
	const char	*name;
	void		(*damage)(const struct trace *trace, uint8_t *bytes);
	unsigned int	least_per_mille;
	unsigned int	packets;
} kinds[] = {
	{ "bit", flip_bit, 998, 0 },
	{ "byte", change_byte, 998, 0 },
	{ "64 bytes", lose_line, 998, 0 },
	{ "4096 bytes", lose_page, 998, 1 },
	{ "header", lose_header, 990, 1 },
	{ "8 stale lines", keep_lines, 980, 0 },
};

/*
 * Counts of events. @untouched: no byte was changed; @recovered of them were read,
 * @pid_unknown and @pid_wrong among them. @moved: read as they were written, but for the time.
 * @invented: read, but never written, or written otherwise
 */
struct counts {
	uint64_t	untouched;
	uint64_t	recovered;
	uint64_t	pid_unknown;
	uint64_t	pid_wrong;
	uint64_t	invented;
	uint64_t	moved;
};

static bool verbose;

static bool is_same(const struct tring_record *a, const struct tring_record *b)
{
	return a->type == b->type && a->stamp == b->stamp && a->length == b->length &&
	       a->id == b->id && a->flags == b->flags && a->preempt_count == b->preempt_count;
}

/* Where more than 2^27 ticks are between two full timestamps, only some of the time is known. */
static bool is_moved(const struct tring_record *read, const struct tring_record *written)
{
	struct tring_record same = *read;

	same.stamp = written->stamp;
	return is_same(&same, written) &&
	       !((read->stamp - written->stamp) & tring_stamp_mask(TRING_STAMP_BITS));
}

/* A timestamp may be uncertain, if the reader says so. */
static bool said_unsure;

static void note_finding(const struct tring_stream *stream, uint64_t offset,
			 enum tring_reason reason, uint64_t skipped)
{
	(void)stream;
	said_unsure |= reason == TRING_RECORD_STAMP_UNSURE;
	if (verbose)
		printf("  0x%" PRIx64 ": %s, %" PRIu64 " bytes skipped\n", offset,
		       tring_reason_text(reason), skipped);
}

static void compare(const struct trace *trace, const uint8_t *bytes, struct counts *counts)
{
	bool *touched = calloc(trace->count, sizeof(*touched));
	struct tring_stream stream;
	struct tring_record record;
	size_t i, start, number, before = counts->recovered, wanted = 0;

	for (i = 0; i < trace->count; i++) {
		start = trace->starts[i];
		touched[i] = memcmp(bytes + start, trace->bytes + start,
				    trace->ends[i] - start);
		wanted += !touched[i] && trace->records[i].id != TRING_ID_DISCARDED;
	}
	counts->untouched += wanted;
	tring_stream_init(&stream, bytes, trace->size);
	tring_stream_know_short_ids(&stream, fixture_short_ids);
	tring_stream_know_uuid(&stream, trace->bytes + HEADER_AT(uuid));
	stream.report = note_finding;
	said_unsure = false;
	if (verbose)
		damage_show(trace->bytes, bytes, trace->size);
	while (tring_stream_next(&stream, &record) == TRING_OK) {
		if (record.id == TRING_ID_DISCARDED)
			continue;
		start = stream.packet.offset + record.offset;
		number = trace->at[start];
		if (number && touched[number - 1])
			continue;
		if (!number || !is_same(&record, &trace->records[number - 1])) {
			if (said_unsure && number &&
			    is_moved(&record, &trace->records[number - 1])) {
				counts->moved++;
				continue;
			}
			counts->invented++;
			if (verbose)
				printf("  invented at 0x%zx%s\n", start, number ? ": moved" : "");
			continue;
		}
		/* not twice */
		touched[number - 1] = true;
		counts->recovered++;
		if (record.pid != trace->records[number - 1].pid)
			*(record.pid < 0 ? &counts->pid_unknown : &counts->pid_wrong) += 1;
	}
	if (verbose && counts->recovered - before < wanted)
		for (i = 0; i < trace->count; i++)
			if (!touched[i] && trace->records[i].id != TRING_ID_DISCARDED)
				printf("  lost at 0x%zx\n", trace->starts[i]);
	free(touched);
}

static bool try_kind(const struct trace *trace, const struct kind *kind, unsigned int trials)
{
	struct counts counts = { 0 }, one;
	uint8_t *bytes = malloc(trace->size);
	unsigned int i, least = kind->least_per_mille;
	bool good;

	least -= 1000 * kind->packets / trace->packet_count;
	for (i = 0; i < trials; i++) {
		memcpy(bytes, trace->bytes, trace->size);
		kind->damage(trace, bytes);
		if (verbose)
			printf("%s: trial %u\n", kind->name, i);
		one = counts;
		compare(trace, bytes, &counts);
		if (verbose && counts.recovered - one.recovered <
		    counts.untouched - one.untouched - 5)
			printf("%s: trial %u: read %" PRIu64 " of %" PRIu64 "\n", kind->name, i,
			       counts.recovered - one.recovered, counts.untouched - one.untouched);
	}
	free(bytes);
	good = (counts.recovered + counts.moved) * 1000 >=
	       counts.untouched * least &&
	       counts.invented * 1000 <= counts.untouched;
	printf("%-14s %9u %12" PRIu64 " %9.4f %% %9.1f %9.1f %10.1f %10.1f%s\n", kind->name, trials,
	       counts.untouched, 100.0 * counts.recovered / counts.untouched,
	       1e6 * counts.invented / counts.untouched,
	       1e6 * counts.moved / counts.untouched,
	       1e6 * counts.pid_unknown / counts.untouched,
	       1e6 * counts.pid_wrong / counts.untouched, good ? "" : "  too bad");
	return good;
}

static bool try_trace(const char *name, struct trace *trace, unsigned int trials)
{
	bool good = true;
	size_t i;

	printf("%s: %zu bytes, %zu packets, %zu records\n", name, trace->size,
	       trace->packet_count, trace->count);
	printf("%-14s %9s %12s %11s %9s %9s %10s %10s\n", "damage", "trials", "untouched",
	       "recovered", "invented", "moved", "pid unkn.", "pid wrong");
	printf("%-49s %9s %9s %10s %10s\n", "", "ppm", "ppm", "ppm", "ppm");
	for (i = 0; i < COUNT(kinds); i++)
		good &= try_kind(trace, &kinds[i], trials);
	free(trace->memory);
	free(trace->records);
	free(trace->starts);
	free(trace->ends);
	free(trace->at);
	free(trace->packets);
	return good;
}

int main(int argc, char **argv)
{
	unsigned int trials = 175;
	size_t most = 256 * 1024;
	struct trace trace;
	bool good = true, generated;
	int option;

	damage_seed(test_seed(1));
	while ((option = getopt(argc, argv, "n:s:b:v")) != -1) {
		if (option == 'n')
			trials = atoi(optarg);
		else if (option == 's')
			damage_seed(strtoull(optarg, NULL, 0));
		else if (option == 'b')
			most = strtoull(optarg, NULL, 0);
		else if (option == 'v')
			verbose = true;
		else
			return 2;
	}
	generated = optind == argc;
	for (; optind < argc; optind++) {
		load(&trace, argv[optind], most);
		good &= try_trace(argv[optind], &trace, trials);
	}
	if (generated) {
		generate(&trace, 100000);
		good &= try_trace("busy CPU", &trace, trials);
		generate(&trace, 1000000000);
		good &= try_trace("idle CPU", &trace, trials);
	}
	return !good;
}
