// SPDX-License-Identifier: GPL-2.0
/* Description: salvage finds every committed event of an image's rings, and no others. */
#include "machine.h"

static struct builder builder;

static char *image;
static char *dir;

#define SALVAGE	"rm -rf %1$s; $TRING salvage %2$s --formats %3$s/formats -o %1$s %4$s"
#define VIEW	"! command -v babeltrace2 >/dev/null || babeltrace2 %s 2>&1 >/dev/null"

/* The formats of the fixture events come from a trace of the same kernel. */
static void salvage(const char *options, int status, const char *wanted)
{
	check_run(status, wanted, SALVAGE, dir, options, temp_dir(), image);
}

/* Return: number of events that the report has. */
static uint64_t count_events(void)
{
	char *output = output_of(0, "$TRING report %s | grep -c ': tick: '; :", dir);

	return strtoull(output, NULL, 10);
}

/* What viewers say of a whole trace: nothing. */
static void check_viewers(void)
{
	char *output = output_of(0, "$TRING report %s 2>&1 >/dev/null", dir);

	CHECK(!*output);
	output = output_of(0, VIEW, dir);
	CHECK(!*output);
}

static void add_packets(const struct test_ring *ring, uint64_t first, uint64_t count)
{
	uint64_t packet;

	for (packet = first; packet < first + count; packet++) {
		build_packet(&builder, 1000000 + 1000 * builder.seq, 10);
		test_ring_deliver(ring, packet, &builder, 10);
	}
	test_ring_position(ring, first + count, 0);
}

/* A machine that has a trace. */
static void begin(struct machine *machine, struct test_trace *trace)
{
	machine_init(machine, TRING_HOST_BIG_ENDIAN, 512);
	test_trace_init(trace, machine);
	build_init(&builder, machine->order, 0);
}

/* And one of CPU 0's rings in it, of 8 sub-buffers, with @count packets of 10 events. */
static void begin_ring(struct machine *machine, struct test_trace *trace,
		       struct test_ring *ring, uint64_t count)
{
	begin(machine, trace);
	test_ring_init(ring, trace, 0, 8, PAGE, NULL);
	add_packets(ring, 0, count);
}

/* Two CPUs, the rings wrapped, an open packet. */
static void check_plain(bool order)
{
	struct machine machine;
	struct test_trace trace;
	struct test_ring ring;
	uint32_t cpu;

	machine_init(&machine, order, 512);
	test_trace_init(&trace, &machine);
	for (cpu = 0; cpu < 2; cpu++) {
		build_init(&builder, order, cpu);
		test_ring_init(&ring, &trace, cpu, 8, 2 * PAGE, NULL);
		add_packets(&ring, 0, 5);
		build_packet(&builder, 9000000, 3);
		test_ring_open(&ring, 5, &builder, builder.end - builder.start, 3);
		test_ring_position(&ring, 5, builder.end - builder.start);
	}
	machine_write(&machine, image);
	salvage("--base 0x40000000", 0, "106 of 106 committed events recovered, 0 records");
	CHECK_EQ(count_events(), 106);
	check_viewers();
	/* an ELF core, and the wrong address for raw memory */
	machine_write_elf(&machine, image);
	salvage("", 0, "106 of 106 committed events recovered, 0 records");
	machine_write(&machine, image);
	salvage("--base 0x40001000", 1, "no ring of tring is in its");
	/* without it the directories tell */
	salvage("", 0, "106 of 106 committed events recovered, 0 records");
	machine_free(&machine);
}

/* What report says of losses: wanted lines. */
static void check_losses(const char *wanted)
{
	char *output = output_of(0, "$TRING report %s | grep CPU: ; :", dir);

	check_equal(output, wanted, "the losses");
}

/*
 * A snapshot, whose memory wrapped before, a resized ring's older memory and the current one:
 * events are in one order, and losses are told as the kernel tells them.
 */
static void check_memories(void)
{
	struct test_ring aside, older, now;
	struct machine machine;
	struct test_trace trace;
	uint64_t stream;
	uint8_t *page;

	begin(&machine, &trace);
	test_ring_init(&aside, &trace, 0, 8, PAGE, NULL);
	builder.seq = 4;
	add_packets(&aside, 4, 8);
	test_ring_init(&older, &trace, 0, 8, 2 * PAGE, &aside);
	/* the live stream has a word of its own for what was lost before */
	stream = machine_pages(&machine, 1);
	older.words[TRING_WORD_LOST_BEFORE] = stream;
	page = machine_at(&machine, older.physical) +
	       offsetof(struct tring_directory_memory, words);
	put_u64(page + 8 * TRING_WORD_LOST_BEFORE, stream, machine.order);
	test_page_seal(&machine, older.physical, TRING_DIRECTORY_MEMORY,
		       offsetof(struct tring_directory_memory, saved));
	add_packets(&older, 0, 2);
	test_ring_init(&now, &trace, 0, 16, PAGE, &older);
	/* a refused event between */
	builder.discarded = 1;
	add_packets(&now, 0, 3);
	test_ring_word(&aside, TRING_WORD_LOST_BEFORE, 7);
	test_ring_word(&aside, TRING_WORD_OVERWRITTEN, 33);
	test_ring_word(&older, TRING_WORD_LOST_BEFORE, 40);
	test_ring_word(&now, TRING_WORD_LOST, 1 + 4);
	test_ring_position(&now, 3, 0);
	machine_write(&machine, image);
	salvage("--base 0x40000000", 0, "130 of 130 committed events recovered, 0 records");
	CHECK_EQ(count_events(), 130);
	check_losses("CPU:0 [LOST 40 EVENTS]\nCPU:0 [LOST 1 EVENTS]\nCPU:0 [LOST 4 EVENTS]\n");
	machine_free(&machine);
}

/* Copies of directory pages, freed ones, another trace's packets, damaged pages. */
static void check_stale(void)
{
	const uint8_t other_uuid[TRING_UUID_SIZE] = "another trace's";
	const size_t host = offsetof(struct tring_directory_trace, host);
	struct test_trace trace;
	struct machine machine;
	struct test_ring ring;
	uint64_t copy;
	uint8_t *data;

	begin_ring(&machine, &trace, &ring, 4);
	/* the page cache has copies of both pages */
	copy = machine_pages(&machine, 2);
	memcpy(machine_at(&machine, copy), machine_at(&machine, trace.physical), PAGE);
	memcpy(machine_at(&machine, copy + PAGE), machine_at(&machine, ring.physical), PAGE);
	machine_write(&machine, image);
	salvage("-v --base 0x40000000", 0, "2 copies of a directory's pages are not used");
	salvage("--base 0x40000000", 0, "40 of 40 committed events recovered, 0 records");
	/* a new trace has begun, but the packet was not emptied yet */
	data = machine_at(&machine, ring.data[1]);
	memcpy(data + HEADER_AT(uuid), other_uuid, TRING_UUID_SIZE);
	data[HEADER_AT(packet_seq_num)] ^= 64;
	machine_write(&machine, image);
	salvage("--base 0x40000000", 0, "30 of 30 committed events recovered, 0 records");
	salvage("--base 0x40000000", 0, "1 packets of an older trace were left out");
	/* its number tells that only the uuid is wrong */
	data[HEADER_AT(packet_seq_num)] ^= 64;
	machine_write(&machine, image);
	salvage("--base 0x40000000", 0, "40 of 40 committed events recovered, 0 records");
	/* a bit in a header is wrong: it is set right */
	memcpy(data + HEADER_AT(uuid), machine_at(&machine, ring.data[0]) + HEADER_AT(uuid),
	       TRING_UUID_SIZE);
	data[HEADER_AT(uuid)] ^= 4;
	data[HEADER_AT(timestamp_begin) + 5] ^= 1;
	machine_write(&machine, image);
	salvage("--base 0x40000000", 0, "40 of 40 committed events recovered, 0 records");
	salvage("--base 0x40000000", 0, "2 damaged parts of packet headers were set right");
	check_viewers();
	/* a page with a wrong checksum has a copy */
	machine_at(&machine, trace.physical + host)[0] ^= 1;
	machine_write(&machine, image);
	salvage("--base 0x40000000", 0, "page of a trace is damaged; its copy is used");
	salvage("--base 0x40000000", 0, "40 of 40 committed events recovered");
	machine_at(&machine, trace.physical + PAGE + host)[0] ^= 1;
	machine_write(&machine, image);
	salvage("--base 0x40000000", 1, "page of a trace has a wrong checksum\n");
	/* pages without a magic number were freed */
	memset(machine_at(&machine, trace.physical), 0, 8);
	memset(machine_at(&machine, trace.physical + PAGE), 0, 8);
	machine_write(&machine, image);
	salvage("--base 0x40000000", 1, "a ring of CPU 0 without the page of its trace");
	memset(machine_at(&machine, ring.physical), 0, 8);
	memset(machine_at(&machine, ring.physical + PAGE), 0, 8);
	machine_write(&machine, image);
	salvage("--base 0x40000000", 1, "no ring of tring is in its 2 MiB of memory");
	machine_free(&machine);
}

/* After a reset the region has the ring, and not its words, which were in other memory. */
static void check_reset(void)
{
	struct test_trace trace;
	struct machine machine;
	struct test_ring ring;
	unsigned int word;

	/* three are overwritten */
	begin_ring(&machine, &trace, &ring, 11);
	for (word = 0; word < TRING_WORDS; word++)
		put_u64(machine_at(&machine, ring.physical) +
			offsetof(struct tring_directory_memory, words) + 8 * word, PAGE,
			machine.order);
	test_page_seal(&machine, ring.physical, TRING_DIRECTORY_MEMORY,
		       offsetof(struct tring_directory_memory, saved));
	machine_write(&machine, image);
	salvage("--base 0x40000000", 0, "80 of 80 committed events recovered, 0 records");
	salvage("--base 0x40000000", 0, "CPU 0: 3 packets came before; the image does not tell");
	machine_free(&machine);
}

/* What a reader has taken is not there any more, though it lies in the sub-buffers. */
static void check_drained(void)
{
	struct test_trace trace;
	struct machine machine;
	struct test_ring ring;
	uint64_t slot;

	begin_ring(&machine, &trace, &ring, 8);
	for (slot = 0; slot < 8; slot++)
		put_u64(machine_at(&machine, ring.pages[0] + 8 * slot), slot << 25 | slot << 2,
			machine.order);
	machine_write(&machine, image);
	salvage("--base 0x40000000", 1, "00010203-0405-0607-0809-0a0b0c0d0e0f has no events");
	/* and one packet is left */
	put_u64(machine_at(&machine, ring.pages[0] + 8 * 7), 7 << 25 | 7 << 2 | 2, machine.order);
	machine_write(&machine, image);
	salvage("--base 0x40000000", 0, "10 of 10 committed events recovered, 0 records");
	machine_free(&machine);
}

/* A reader takes packets in their order: a slot in their midst is not free. */
static void check_freed(void)
{
	struct test_trace trace;
	struct machine machine;
	struct test_ring ring;

	begin_ring(&machine, &trace, &ring, 8);
	machine_at(&machine, ring.pages[0] + 8 * 3)[0] &= ~3;
	machine_write(&machine, image);
	salvage("--base 0x40000000", 0, "80 of 80 committed events recovered, 0 records");
	salvage("--base 0x40000000", 0, "1 slots were damaged, and their packets found all");
	/* and the packet is not there */
	memset(machine_at(&machine, ring.data[3]), 0, PAGE);
	machine_write(&machine, image);
	salvage("--base 0x40000000", 1, "damaged; it may have had more events");
	machine_free(&machine);
}

/*
 * A nested writer has recorded in a packet before the writer that entered it has stored the
 * header: that is of the lap before, and so is its packet, which is not there any more.
 */
static void check_entered(void)
{
	uint8_t header[TRING_PACKET_HEADER_SIZE], *data;
	struct test_trace trace;
	struct machine machine;
	struct test_ring ring;

	begin_ring(&machine, &trace, &ring, 8);
	memcpy(header, machine_at(&machine, ring.data[0]), sizeof(header));
	build_packet(&builder, 9000000, 3);
	data = test_ring_open(&ring, 8, &builder, builder.end - builder.start, 3);
	memcpy(data, header, sizeof(header));
	test_ring_position(&ring, 8, builder.end - builder.start);
	machine_write(&machine, image);
	salvage("--base 0x40000000", 0, "73 of 73 committed events recovered, 0 records");
	CHECK_EQ(count_events(), 73);
	machine_free(&machine);
}

/* A CPU that has recorded nothing: its sub-buffers are prepared, and are no packets. */
static void check_unused(void)
{
	struct test_ring ring, unused;
	struct test_trace trace;
	struct machine machine;
	uint64_t i;

	begin_ring(&machine, &trace, &ring, 4);
	test_ring_init(&unused, &trace, 1, 8, PAGE, NULL);
	for (i = 0; i <= unused.nr; i++) {
		uint8_t *data = machine_at(&machine, unused.data[i]);

		memcpy(data, machine_at(&machine, ring.data[0]), HEADER_AT(timestamp_begin));
		put_u64(data + HEADER_AT(cpu_id), 1, machine.order);
	}
	machine_write(&machine, image);
	salvage("--base 0x40000000", 0, "40 of 40 committed events recovered, 0 records");
	machine_free(&machine);
}

/* A ring without the page of its trace is none of a trace that was named. */
static void check_orphan(void)
{
	struct test_trace trace, other;
	struct machine machine;
	struct test_ring ring;

	begin_ring(&machine, &trace, &ring, 4);
	test_trace_init(&other, &machine);
	test_ring_init(&ring, &other, 1, 8, PAGE, NULL);
	add_packets(&ring, 0, 4);
	memset(machine_at(&machine, other.physical), 0, 8);
	memset(machine_at(&machine, other.physical + PAGE), 0, 8);
	machine_write(&machine, image);
	salvage("--base 0x40000000", 1, "a ring of CPU 1 without the page of its trace");
	salvage("--base 0x40000000 --trace 00010203-0405-0607-0809-0a0b0c0d0e0f", 0,
		"40 of 40 committed events recovered, 0 records");
	machine_free(&machine);
}

/* Packets that were read, and those of another trace: they are not the ring's. */
static void check_strangers(void)
{
	struct test_trace trace;
	struct machine machine;
	struct test_ring ring;
	uint64_t other;

	begin_ring(&machine, &trace, &ring, 4);
	other = machine_pages(&machine, 2);
	memcpy(machine_at(&machine, other), machine_at(&machine, ring.data[0]), PAGE);
	/* one that the reader has handed out */
	build_packet(&builder, 8000000, 7);
	memcpy(machine_at(&machine, ring.data[8]), builder.bytes + builder.start, 1024);
	/* and one of another trace */
	build_packet(&builder, 8000000, 5);
	builder.bytes[builder.start + 4] = 0xee;
	other = machine_pages(&machine, 1);
	memcpy(machine_at(&machine, other), builder.bytes + builder.start, 1024);
	machine_write(&machine, image);
	salvage("--base 0x40000000", 0, "40 of 40 committed events recovered");
	CHECK_EQ(count_events(), 40);
	machine_free(&machine);
}

/* Pages that the image lacks, and a slot that cannot be. */
static void check_missing(void)
{
	struct test_trace trace;
	struct machine machine;
	struct test_ring ring;
	char *output;
	uint64_t size;

	begin_ring(&machine, &trace, &ring, 8);
	machine_write(&machine, image);
	/* the sub-buffers are behind all else: the last two data pages are cut off */
	size = ring.data[6] - MACHINE_BASE;
	CHECK(!run(make_path("truncate -s %" PRIu64 " %s", size, image), &output));
	salvage("--base 0x40000000", 1, "60 of 80 committed events recovered");
	salvage("--base 0x40000000", 1, "it lacks 2 pages that were needed");
	CHECK_EQ(count_events(), 60);
	/* a slot that names a sub-buffer that there is not */
	machine_at(&machine, ring.pages[0])[8 * 3 + 2] |= 1;
	machine_write(&machine, image);
	salvage("--base 0x40000000", 0, "1 slots were damaged, and their packets found");
	CHECK_EQ(count_events(), 80);
	memset(machine_at(&machine, ring.data[3]), 0xaa, 4);
	machine_write(&machine, image);
	salvage("--base 0x40000000", 1, "1 slots were damaged, and their packets not found");
	CHECK_EQ(count_events(), 70);
	machine_free(&machine);
}

#define AGAIN	"$TRING salvage --base 0x40000000 %s --formats %s/formats -o %s"

/* Two traces: each has a directory. */
static void check_traces(void)
{
	struct test_trace traces[3];
	struct machine machine;
	struct test_ring ring;
	uint64_t packet;
	unsigned int i;
	uint8_t *page;
	char *output;

	begin(&machine, &traces[0]);
	for (i = 0; i < 3; i++) {
		if (i)
			test_trace_init(&traces[i], &machine);
		page = machine_at(&machine, traces[i].physical);
		page[offsetof(struct tring_directory_trace, uuid)] = i == 1 ? 0xff : i;
		test_page_seal(&machine, traces[i].physical, TRING_DIRECTORY_TRACE,
			       sizeof(struct tring_directory_trace));
		build_init(&builder, machine.order, 0);
		test_ring_init(&ring, &traces[i], 0, 8, PAGE, NULL);
		/* the last one has no packet */
		add_packets(&ring, 0, i < 2 ? i + 1 : 0);
		for (packet = 0; i == 1 && packet < 2; packet++)
			*(machine_at(&machine, ring.data[packet]) + HEADER_AT(uuid)) = 0xff;
	}
	machine_write(&machine, image);
	salvage("--base 0x40000000", 0, "20 of 20 committed events recovered");
	output = output_of(0, "ls %s", dir);
	CHECK(!strcmp(output, "00010203-0405-0607-0809-0a0b0c0d0e0f\n"
			      "ff010203-0405-0607-0809-0a0b0c0d0e0f\n"));
	/* again; and where one trace was, in whole or in parts, which is not found again */
	check_run(0, "20 of 20 committed", AGAIN, image, temp_dir(), dir);
	check_run(0, "", "rm -r %s", dir);
	make_trace(dir, false);
	check_run(0, "", "mkdir %s/notes", dir);
	check_run(1, "it has \"notes\"", AGAIN, image, temp_dir(), dir);
	check_run(0, "", "rmdir %s/notes", dir);
	check_run(0, "replacing the trace", AGAIN, image, temp_dir(), dir);
	check_run(1, "No such file", "$TRING report %s", dir);
	check_run(0, "", "rm -r %s/*", dir);
	make_trace(make_path("%s/000001", dir), false);
	check_run(0, "replacing the trace", AGAIN, image, temp_dir(), dir);
	check_run(1, "No such file", "$TRING report %s", dir);
	salvage("--base 0x40000000 --trace ff010203-0405-0607-0809-0a0b0c0d0e0f", 0,
		"20 of 20 committed events recovered");
	CHECK_EQ(count_events(), 20);
	salvage("--base 0x40000000 --trace 11111111-0405-0607-0809-0a0b0c0d0e0f", 1,
		"there is no such trace");
	machine_free(&machine);
}

int main(void)
{
	char *formats = make_path("%s/formats", temp_dir());

	image = make_path("%s/image", temp_dir());
	dir = make_path("%s/trace", temp_dir());
	make_trace(formats, false);
	check_plain(false);
	check_plain(true);
	check_memories();
	check_stale();
	check_reset();
	check_drained();
	check_freed();
	check_entered();
	check_unused();
	check_orphan();
	check_strangers();
	check_missing();
	check_traces();
	return 0;
}
