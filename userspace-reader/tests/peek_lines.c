// SPDX-License-Identifier: GPL-2.0
/* Description: peek prints all CPUs in time order, like report, and reports overwritten events. */
#include "fake_kernel.h"
#include "helpers.h"

static struct builder zero, one;

static void write_print(struct builder *builder, uint64_t stamp, uint64_t ip,
			const char *text)
{
	uint8_t *payload = build_record(builder, stamp, 5, 100,
					16 + strlen(text) + 1);

	put_u64(payload + 8, ip, builder->big_endian);
	memcpy(payload + 16, text, strlen(text) + 1);
}

static void write_tick(struct builder *builder, uint64_t stamp, uint64_t value)
{
	uint8_t *payload = build_record(builder, stamp, 342, 1000000, 16);

	put_u64(payload + 8, value, builder->big_endian);
}

static void build_streams(void)
{
	build_init(&zero, false, 0);
	/* peek does not report losses before the oldest packet */
	zero.discarded = 100;
	build_begin(&zero, 1000001000);
	write_tick(&zero, 1000001000, 1);
	build_record(&zero, 1000001500, 0, 100, 12);
	write_tick(&zero, 1000003000, 3);
	build_end(&zero);
	zero.seq += 2;
	zero.discarded += 30;
	build_begin(&zero, 1000005000);
	write_tick(&zero, 1000005000, 5);
	build_end(&zero);

	build_init(&one, false, 1);
	build_begin(&one, 1000002000);
	write_tick(&one, 1000002000, 2);
	write_print(&one, 1000004000, 0x1234, "four\n");
	build_end(&one);
}

static void write_cpu(const char *ring, const char *file,
		      const struct builder *builder)
{
	char *path = make_path("%s/per_cpu/cpu%u/%s", ring, builder->cpu, file);

	write_file(path, builder->bytes, builder->size);
}

/* @wanted: text that each line of stdout contains, in this order, and no other lines */
static void check(const char *options, const char *const *wanted, size_t count,
		  const char *said)
{
	char *path = make_path("%s/said", temp_dir());
	char *output, *rest, *text;
	size_t i;

	output = output_of(0, "$TRING peek %s 2>%s/said", options, temp_dir());
	rest = output;
	for (i = 0; i < count; i++) {
		char *line = strsep(&rest, "\n");

		if (!line || !strstr(line, wanted[i]))
			fail(line ? line : "(end)", i, wanted[i]);
	}
	CHECK(rest && !*rest);
	text = read_file(path);
	check_equal(text, said, "tring peek");
}

int main(void)
{
	static const char *const all[] = {
		"<...>-1000000 [000] .....      1.000001: tick:                 value=1",
		"<...>-1000000 [001] .....      1.000002: tick:                 value=2",
		"<...>-1000000 [000] .....      1.000003: tick:                 value=3",
		"[001] .....      1.000004: print:                0x1234: four",
		"CPU:0 [LOST 30 EVENTS]",
		"CPU:0 [2 PACKETS MISSING]",
		"<...>-1000000 [000] .....      1.000005: tick:                 value=5",
	};
	static const char *const aside[] = {
		"value=2", "print:                0x1234: four",
	};
	static const char *const taken[] = {
		"1.000000: tick: ", "CPU:0 [2 PACKETS MISSING]",
		"1.000002: tick: ",
	};
	static const char *const last[] = { "1.000002: tick: " };
	char *dir = make_path("%s/tracing", temp_dir());
	char *ring = make_path("%s/tring", dir);
	char *instance = make_path("%s/instances/other", ring);
	char *id = make_path("%s/events/testing/tick/id", dir);

	build_streams();
	make_tracefs(dir);
	write_text(id, "342\n");
	make_ring(instance);
	write_cpu(ring, "trace_raw_compact", &zero);
	write_cpu(ring, "trace_raw_compact", &one);
	check("", all, COUNT(all), "");
	/* the second run prints the same: peek consumes nothing */
	check("-c 0 --cpu 1 -c 1", all, COUNT(all), "");
	check("-c 1", aside, COUNT(aside), "");
	check("-n 1", all + 4, 3, "");
	check("--events 2", all + 3, 4, "");
	check("-n 5", all, COUNT(all), "");
	check("-n 1 -c 1", aside + 1, 1, "");

	/* the instance and the snapshots contain other events */
	zero.size = 0;
	write_cpu(instance, "trace_raw_compact", &zero);
	write_cpu(instance, "trace_raw_compact", &one);
	check("-B other", aside, COUNT(aside), "");
	write_cpu(ring, "snapshot_raw_compact", &one);
	check("--snapshot -c 1", aside, COUNT(aside), "");
	write_cpu(ring, "snapshot_raw_compact", &zero);
	check("--snapshot", aside, COUNT(aside), "");
	check("--snapshot -c 0", NULL, 0,
	      "tring peek: there is no event in the snapshot\n");
	check("-B other -c 0", NULL, 0,
	      "tring peek: there is no event in the ring\n");

	/* no loss is reported before the first line */
	zero.seq += 2;
	zero.discarded += 30;
	build_packet(&zero, 1000000000, 2);
	zero.seq += 2;
	zero.discarded += 30;
	build_packet(&zero, 1000002000, 2);
	write_cpu(instance, "trace_raw_compact", &zero);
	check("-B other -c 0 -n 1", last, COUNT(last), "");

	/* a snapshot or another reader has taken packets: nothing is lost */
	zero.size = 0;
	build_packet(&zero, 1000000000, 1);
	zero.seq += 2;
	build_packet(&zero, 1000002000, 1);
	write_cpu(instance, "trace_raw_compact", &zero);
	check("-B other -c 0", taken, COUNT(taken), "");
	return 0;
}
