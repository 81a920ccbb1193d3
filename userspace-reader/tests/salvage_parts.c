// SPDX-License-Identifier: GPL-2.0
/* Description: of a region that was overwritten in part, salvage gets each packet that was not. */
#include "damage.h"
#include "machine.h"

#define CPUS		3
#define SLOTS		16
#define SUBBUF		(2 * PAGE)
#define TRIALS		14

/* A packet of the region. @seen: events of it that were salvaged */
struct packet {
	uint64_t	physical;
	size_t		size;
	uint64_t	cpu;
	uint64_t	seq;
	uint64_t	events;
	bool		intact;
	uint64_t	seen;
};

#define SALVAGE	"rm -rf %1$s; $TRING salvage -q %2$s -o %1$s --formats %3$s/formats"

static struct builder builder;
static struct machine machine;
static struct test_trace trace;
static struct test_ring rings[CPUS];
static struct packet packets[CPUS * SLOTS];
static uint8_t *whole;
static char *image, *dir;

static void make_region(void)
{
	struct packet *packet = packets;
	uint64_t number, stamp;
	uint32_t cpu;

	machine_init(&machine, TRING_HOST_BIG_ENDIAN, 256);
	test_region_init(&machine);
	test_trace_init(&trace, &machine);
	for (cpu = 0; cpu < CPUS; cpu++) {
		test_ring_init(&rings[cpu], &trace, cpu, SLOTS, SUBBUF, NULL);
		build_init(&builder, machine.order, cpu);
		stamp = 1000000;
		for (number = 0; number < SLOTS; number++, packet++) {
			*packet = (struct packet) {
				.physical = rings[cpu].data[number], .cpu = cpu,
				.seq = builder.seq, .events = 300 + damage_below(250),
			};
			builder.size = 0;
			build_packet(&builder, stamp, packet->events);
			packet->size = builder.end - builder.start;
			stamp += 1000;
			test_ring_deliver(&rings[cpu], number, &builder, packet->events);
		}
		test_ring_position(&rings[cpu], SLOTS, 0);
	}
	whole = malloc(machine.size);
	CHECK(whole);
	memcpy(whole, machine.memory, machine.size);
}

static bool is_same(uint64_t physical, size_t size)
{
	return !memcmp(machine_at(&machine, physical), whole + (physical - MACHINE_BASE), size);
}

/* The page or its copy. */
static bool is_there(uint64_t physical)
{
	return is_same(physical, 512) || is_same(physical + PAGE, 512);
}

static bool has_ring(uint64_t cpu)
{
	return is_there(trace.physical) && is_there(rings[cpu].physical);
}

static void overwrite(unsigned int trial)
{
	size_t size = machine.size, from = 0, to = size;

	memcpy(machine.memory, whole, size);
	if (trial % 3)
		from = damage_below(size);
	if (trial % 3 != 1)
		to = from + damage_below(size - from);
	damage_fill(machine.memory + from, to - from);
	machine_write(&machine, image);
}

static struct packet *find(uint64_t cpu, uint64_t seq)
{
	size_t i;

	for (i = 0; i < COUNT(packets); i++)
		if (packets[i].cpu == cpu && packets[i].seq == seq)
			return &packets[i];
	return NULL;
}

/* Counts the events of a directory's streams, by packet. */
static void read_trace(const char *path)
{
	struct tring_stream stream;
	struct tring_record record;
	uint64_t cpu;

	for (cpu = 0; cpu < CPUS; cpu++) {
		char *name = make_path("%s/cpu%" PRIu64, path, cpu);
		FILE *file = fopen(name, "r");
		uint8_t *bytes = calloc(1, machine.size);
		size_t size = file ? fread(bytes, 1, machine.size, file) : 0;

		tring_stream_init(&stream, bytes, size);
		while (size && tring_stream_next(&stream, &record) == TRING_OK) {
			struct packet *packet = find(stream.packet.cpu_id, stream.packet.seq_num);

			if (record.id == TRING_ID_DISCARDED)
				continue;
			CHECK(packet);
			packet->seen++;
		}
		if (file)
			fclose(file);
		free(bytes);
	}
}

/* Intact packets are there once, and of others no more than they had. */
static void check_packets(void)
{
	size_t i;

	for (i = 0; i < COUNT(packets); i++) {
		const struct packet *packet = &packets[i];

		if (packet->intact && has_ring(packet->cpu))
			CHECK_EQ(packet->seen, packet->events);
		CHECK(packet->seen <= packet->events);
	}
}

static void try_part(unsigned int trial)
{
	char *command = make_path(SALVAGE, dir, image, temp_dir()), *output, *wanted;
	size_t i, without_ring = 0;
	int status;

	overwrite(trial);
	for (i = 0; i < COUNT(packets); i++) {
		packets[i].seen = 0;
		packets[i].intact = is_same(packets[i].physical, packets[i].size);
		without_ring += packets[i].intact && !has_ring(packets[i].cpu);
	}
	status = run(command, &output);
	/* of those that the edge has cut, the header may be there */
	wanted = make_path(" packets lie where no ring has them");
	if (without_ring && (status != 1 || !strstr(output, wanted)))
		fail(output, trial, wanted);
	read_trace(dir);
	check_packets();
}

int main(int argc, char **argv)
{
	unsigned int trials = argc > 1 ? atoi(argv[1]) : TRIALS, trial;
	char *formats = make_path("%s/formats", temp_dir());

	image = make_path("%s/image", temp_dir());
	dir = make_path("%s/trace", temp_dir());
	make_trace(formats, TRING_HOST_BIG_ENDIAN);
	make_region();
	for (trial = 0; trial < trials; trial++)
		try_part(trial);
	machine_free(&machine);
	free(whole);
	return 0;
}
