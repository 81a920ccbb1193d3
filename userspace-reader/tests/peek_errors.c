// SPDX-License-Identifier: GPL-2.0
/* Description: peek reports bad input, shows the rest and exits with 1. */
#include <sys/stat.h>
#include <unistd.h>

#include "fake_kernel.h"
#include "helpers.h"

static struct builder zero;
static char *ring;

static void check(const char *options, int status, const char *said,
		  unsigned int events)
{
	char *output, *at;
	unsigned int lines = 0;

	output = output_of(status, "$TRING peek %s", options);
	for (at = output; (at = strstr(at, "value=0")); at++)
		lines++;
	wants(output, said);
	CHECK_EQ(lines, events);
}

static void write_cpu(unsigned int cpu, const void *bytes, size_t size)
{
	write_file(make_path("%s/per_cpu/cpu%u/trace_raw_compact", ring, cpu), bytes, size);
}

static void check_usage(void)
{
	check("-c x", 2, "bad value for -c: \"x\"", 0);
	check("-c -1", 2, "bad value for -c", 0);
	check("-n 0", 2, "bad value for -n", 0);
	check("-n many", 2, "bad value for -n", 0);
	check("here", 2, "tring peek: unexpected argument \"here\"", 0);
	check("--help", 0, "CONSUMES", 0);
	check("-c 7", 1, "/tring: there is no CPU 7", 0);
}

static void check_instances(void)
{
	char *path = make_path("%s/instances", ring);

	check("-B other", 1, "instances/other: this tring module has no instances",
	      0);
	CHECK(!mkdir(path, 0755));
	check("-B other", 1, "instances/other: there is no such instance", 0);
	check("-B ../instances", 1, "is not a name for an instance", 0);
	check("-B ..", 1, "is not a name for an instance", 0);
	check("-B ''", 1, "is not a name for an instance", 0);
}

static void check_bytes(void)
{
	struct builder torn;
	size_t packet;

	/* an old module without these files */
	check("", 1, "cpu0/trace_raw_compact: this tring module has no such file",
	      0);
	check("--snapshot", 1,
	      "cpu1/snapshot_raw_compact: this tring module has no such file", 0);

	build_init(&zero, false, 0);
	build_packet(&zero, 1000, 5);
	packet = zero.size;
	build_packet(&zero, 2000, 5);
	build_packet(&zero, 3000, 5);
	write_cpu(0, zero.bytes, zero.size);
	check("", 1, "cpu1/trace_raw_compact: this tring module has no such file",
	      15);
	write_cpu(1, zero.bytes, 0);
	check("", 0, "", 15);

	/* the last packet is torn; then one in the middle has no magic */
	write_cpu(0, zero.bytes, zero.size - 2);
	check("", 1, "cpu0/trace_raw_compact: offset 0x", 15);
	write_cpu(0, zero.bytes, zero.size - 12);
	check("", 1, "cpu0/trace_raw_compact: offset 0x", 14);
	torn = zero;
	memset(torn.bytes + packet, 0, TRING_PACKET_HEADER_SIZE);
	write_cpu(0, torn.bytes, torn.size);
	check("", 1, "cpu0/trace_raw_compact: offset 0x", 10);
	/* a packet of another trace: the clock was changed */
	torn = zero;
	torn.bytes[packet + 4] ^= 1;
	put_u64(torn.bytes + packet + HEADER_AT(timestamp_begin), 1, false);
	write_cpu(0, torn.bytes, torn.size);
	check("", 1, "uuid differs", 10);
	/* the same for the first packet: trace_info has the expected uuid */
	torn = zero;
	torn.bytes[4] ^= 1;
	write_cpu(0, torn.bytes, torn.size);
	check("", 1, "uuid differs", 10);
	write_cpu(0, torn.bytes, torn.size);
}

static void check_ids(void)
{
	struct builder unknown;

	build_init(&unknown, false, 0);
	build_begin(&unknown, 1000);
	build_record(&unknown, 1000, 342, 1, 16);
	build_record(&unknown, 1001, 9999, 1, 16);
	build_record(&unknown, 1002, 342, 1, 16);
	build_end(&unknown);
	write_cpu(0, unknown.bytes, unknown.size);
	check("", 1, "event id 9999 was recorded, but no event has it", 2);
	check("", 1, "[id 9999, 8 bytes:", 2);
}

/* peek stops if a file never ends. */
static void check_endless(void)
{
	char *path = make_path("%s/per_cpu/cpu0/trace_raw_compact", ring);
	const char *said = "stopped after ";
	char *output, *at;

	CHECK(!truncate(path, 256 << 20));
	CHECK_EQ(run("$TRING peek -c 0 | tail -n 0", &output), 0);
	at = strstr(output, said);
	CHECK(at);
	CHECK(atoi(at + strlen(said)) < 64 << 20);
}

/* peek stops at the ring's size: the writers may be as fast as peek. */
static void check_limit(void)
{
	char *path = make_path("%s/per_cpu/cpu0/buffer_size_kb", ring);

	build_init(&zero, false, 0);
	while (zero.size < 8192)
		build_packet(&zero, zero.last + 1, 20);
	write_cpu(0, zero.bytes, zero.size);
	check("", 0, "", zero.seq * 20);
	write_text(path, "1 (expanded: 1408)\n");
	check("", 0, "cpu0: written as fast as it is read, stopped after ",
	      zero.seq * 20);
	check_endless();
	/* peek stops inside a packet, inside a header, between two packets */
	write_cpu(0, zero.bytes, zero.size - 10);
	check("", 0, "stopped after ", zero.seq * 20 - 20);
	write_cpu(0, zero.bytes, zero.start + 20);
	check("", 0, "stopped after ", zero.seq * 20 - 20);
	write_cpu(0, zero.bytes, zero.start);
	check("", 0, "stopped after ", zero.seq * 20 - 20);
	/* damage elsewhere is still an error */
	zero.bytes[0] ^= 1;
	write_cpu(0, zero.bytes, zero.size - 10);
	check("", 1, "no packet magic", zero.seq * 20 - 21);
	write_text(path, "large\n");
	check("", 1, "per_cpu/cpu0/buffer_size_kb: not a size", 0);
	CHECK(!unlink(path));
	check("", 1, "per_cpu/cpu0/buffer_size_kb: No such file", 0);
	write_text(path, "1408\n");
}

int main(void)
{
	char *dir = make_path("%s/tracing", temp_dir());

	ring = make_path("%s/tring", dir);
	CHECK(!setenv("TRING_TRACING_DIR", "/nonexistent", 1));
	check("", 1, "loads the module", 0);
	make_tracefs(dir);
	check_usage();
	check_instances();
	check_bytes();
	check_ids();
	check_limit();
	CHECK(!unlink(make_path("%s/trace_info", ring)));
	check("", 1, "trace_info: No such file", 0);
	return 0;
}
