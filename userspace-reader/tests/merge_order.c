// SPDX-License-Identifier: GPL-2.0
/* Description: records are merged by time, then by CPU; each CPU keeps its own order. */
#include "helpers.h"

#define CPUS	7
#define PACKETS	20

static struct builder builders[CPUS];

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

static unsigned int build(uint32_t seed)
{
	unsigned int cpu, packet, event, total = 0;

	for (cpu = 0; cpu < CPUS; cpu++) {
		struct builder *builder = &builders[cpu];
		uint64_t stamp = next_random(&seed) % 100;

		/* the streams are not sorted by CPU, and one has no record */
		build_init(builder, false, CPUS - 1 - cpu);
		for (packet = 0; cpu != 2 && packet < PACKETS; packet++) {
			build_begin(builder, stamp);
			event = next_random(&seed) % 10 + 1;
			for (; event; event--, total++) {
				build_record(builder, stamp, 342, 0, 16);
				stamp += next_random(&seed) % 4;
			}
			build_end(builder);
		}
	}
	return total;
}

int main(void)
{
	struct tring_merge_entry entries[CPUS], *entry;
	struct tring_stream streams[CPUS];
	struct findings findings[CPUS];
	unsigned int first = test_seed(1), seed, cpu, wanted;
	struct tring_merge merge;

	for (seed = first; seed < first + 50; seed++) {
		uint64_t last = 0;
		uint32_t last_cpu = 0, last_offset[CPUS] = { 0 };
		unsigned int count = 0;

		wanted = build(seed);
		for (cpu = 0; cpu < CPUS; cpu++) {
			stream_with_findings(&streams[cpu], &findings[cpu],
					     builders[cpu].bytes,
					     builders[cpu].size);
			entries[cpu].stream = &streams[cpu];
		}
		tring_merge_init(&merge, entries, CPUS);
		while ((entry = tring_merge_next(&merge))) {
			const struct tring_packet *packet;
			uint32_t offset;

			packet = &entry->stream->packet;
			offset = packet->offset + entry->record.offset;
			CHECK(entry->record.stamp >= last);
			if (entry->record.stamp == last && count)
				CHECK(packet->cpu_id >= last_cpu);
			CHECK(offset > last_offset[packet->cpu_id]);
			last_offset[packet->cpu_id] = offset;
			last = entry->record.stamp;
			last_cpu = packet->cpu_id;
			count++;
		}
		CHECK_EQ(count, wanted);
		CHECK(!tring_merge_next(&merge));
		for (cpu = 0; cpu < CPUS; cpu++)
			CHECK_EQ(findings[cpu].count, 0);
	}
	tring_merge_init(&merge, NULL, 0);
	CHECK(!tring_merge_next(&merge));
	return 0;
}
