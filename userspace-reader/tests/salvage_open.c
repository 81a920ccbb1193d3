// SPDX-License-Identifier: GPL-2.0
/* Description: salvage tells committed records of an open packet from those that were not. */
#include "machine.h"

#define HARDIRQ		0x08
#define NMI		0x40

static struct builder builder;
static struct machine machine;
static struct test_trace trace;
static struct test_ring ring;

static char *image, *dir;

#define SALVAGE	"rm -rf %1$s; $TRING salvage --base 0x40000000 %2$s --formats %3$s -o %1$s %4$s; "
#define REPORT	"status=$?; $TRING report %1$s; exit $status"

/* Return: the output of salvage and of the report on what it has written. */
static char *salvage(const char *options, int status)
{
	char *formats = make_path("%s/formats", temp_dir()), *output;
	char *command = make_path(SALVAGE REPORT, dir, options, formats, image);

	machine_write(&machine, image);
	if (run(command, &output) != status)
		fail(output, status, command);
	return output;
}

static void expect(const char *options, int status, const char *wanted, const char *values)
{
	char *output = salvage(options, status), *at = output, *found, *text = strdup(values);
	char *value, *rest = text;

	wants(output, wanted);
	/* the values of the events, in their order, and no others */
	while ((value = strsep(&rest, " "))) {
		char *line = make_path("tick:                 value=%s\n", value);

		found = *value ? strstr(at, line) : at;
		if (!found || (*value && strstr(at, "tick: ") > found))
			fail(output, status, line);
		at = *value ? found + strlen(line) : at;
	}
	if (strstr(at, "tick: "))
		fail(output, status, values);
	free(text);
}

static void begin(void)
{
	machine_init(&machine, TRING_HOST_BIG_ENDIAN, 256);
	test_trace_init(&trace, &machine);
	test_ring_init(&ring, &trace, 0, 8, PAGE, NULL);
	build_init(&builder, machine.order, 0);
	build_packet(&builder, 1000, 1);
	put_u64(builder.bytes + builder.end - 8, 1, machine.order);
	test_ring_deliver(&ring, 0, &builder, 1);
	build_begin(&builder, 5000);
}

static void end(void)
{
	machine_free(&machine);
}

/* One of the event's own length is short, any other is long. */
static void add_long(uint64_t value, uint8_t flags, uint32_t more)
{
	uint8_t *payload;

	builder.flags = flags;
	payload = build_record(&builder, 5000 + value, 342, 7, 16 + more);
	put_u64(payload + 8, value, machine.order);
}

static void add(uint64_t value, uint8_t flags)
{
	add_long(value, flags, 0);
}

/* The open packet, with bytes and events that are not committed. */
static void set_open(uint32_t bytes, uint64_t events)
{
	uint32_t size = builder.end - builder.start;

	test_ring_open(&ring, 1, &builder, size - bytes, events);
	test_ring_position(&ring, 1, size);
}

static uint32_t size_of_last(size_t before)
{
	return builder.end - before;
}

/* Task, interrupt, NMI: each is open, and others that are not lie between. */
static void check_nested(void)
{
	size_t before;
	uint32_t open;

	begin();
	add(2, 0);
	before = builder.end;
	add_long(3, 0, 4);
	open = size_of_last(before);
	add(4, HARDIRQ);
	set_open(open, 2);
	expect("", 0, "3 of 3 committed events recovered, 1 records uncommitted", "1 2 4");

	before = builder.end;
	add(5, HARDIRQ);
	open += size_of_last(before);
	add(6, NMI);
	before = builder.end;
	add(7, NMI);
	open += size_of_last(before);
	set_open(open, 3);
	expect("", 0, "4 of 4 committed events recovered, 3 records uncommitted", "1 2 4 6");
	end();
}

/* Either of two records is open: both are hidden, and the others are not. */
static void check_either(void)
{
	size_t before;

	begin();
	add(2, 0);
	before = builder.end;
	add(3, 0);
	add(4, HARDIRQ);
	set_open(size_of_last(before) / 2, 2);
	expect("", 1, "2 of 3 committed events recovered, 1 records uncommitted", "1 2");
	end();
}

/* The last record alone, and all of them. */
static void check_last(void)
{
	size_t before;

	begin();
	add(2, 0);
	add(3, 0);
	before = builder.end;
	add(4, 0);
	set_open(size_of_last(before), 2);
	expect("", 0, "3 of 3 committed events recovered, 1 records uncommitted", "1 2 3");
	/* what is behind the position is of the lap before */
	test_ring_position(&ring, 1, before - builder.start);
	expect("", 0, "3 of 3 committed events recovered, 0 records uncommitted", "1 2 3");
	end();

	begin();
	before = builder.end;
	add(2, 0);
	set_open(size_of_last(before), 0);
	expect("", 0, "1 of 1 committed events recovered, 1 records uncommitted", "1");
	end();
}

/* The writer was stopped before it had stored the head of its record. */
static void check_headless(void)
{
	uint8_t *packet;
	size_t before, hole;
	uint32_t open;

	begin();
	add(2, 0);
	before = builder.end;
	add(3, 0);
	open = size_of_last(before);
	hole = before - builder.start;
	add(4, HARDIRQ);
	add(5, HARDIRQ);
	set_open(open, 3);
	packet = machine_at(&machine, ring.data[1]);
	memset(packet + hole, 0xff, open);
	expect("", 0, "4 of 4 committed events recovered, 1 records uncommitted", "1 2 4 5");
	memset(packet + hole, 0, open);
	expect("", 0, "4 of 4 committed events recovered, 1 records uncommitted", "1 2 4 5");
	end();
}

/*
 * Where a writer has stored no head there may be a record of the lap before, as long as its own.
 * Another writer was stopped within a record, too.
 */
static void check_lap_before(void)
{
	struct builder before;
	size_t start, last;
	uint32_t hole, open;
	uint8_t *packet;

	begin();
	add(2, 0);
	before = builder;
	before.flags = HARDIRQ;
	build_record(&before, 5000 + 90000, 342, 7, 16);
	start = builder.end;
	add(3, 0);
	CHECK(builder.end == before.end);
	open = size_of_last(start);
	hole = start - builder.start;
	add(4, HARDIRQ);
	add(5, HARDIRQ);
	set_open(open, 3);
	packet = machine_at(&machine, ring.data[1]);
	memcpy(packet + hole, before.bytes + start, before.end - start);
	expect("", 0, "4 of 4 committed events recovered, 1 records uncommitted", "1 2 4 5");

	last = builder.end;
	add_long(6, NMI, 4);
	open += size_of_last(last);
	set_open(open, 3);
	memcpy(packet + hole, before.bytes + start, before.end - start);
	expect("", 0, "4 of 4 committed events recovered, 2 records uncommitted", "1 2 4 5");
	end();
}

/* The packet was closed while a record in it was open; a later one is delivered. */
static void check_closed(void)
{
	size_t before;
	uint32_t open, size;

	begin();
	add(2, 0);
	before = builder.end;
	add_long(3, 0, 4);
	open = size_of_last(before);
	add(4, HARDIRQ);
	size = builder.end - builder.start;
	build_end(&builder);
	/* all but the open record, with the rest of the sub-buffer */
	test_ring_open(&ring, 1, &builder, PAGE - open, 2);
	CHECK(size < PAGE);
	build_packet(&builder, 6000, 1);
	put_u64(builder.bytes + builder.end - 8, 9, machine.order);
	test_ring_deliver(&ring, 2, &builder, 1);
	test_ring_position(&ring, 3, 0);
	expect("", 0, "4 of 4 committed events recovered, 1 records uncommitted", "1 2 4 9");
	end();
}

/* Without the words, after a reset: what is committed is the end. */
static void check_no_words(void)
{
	uint32_t i;

	begin();
	add(2, 0);
	add(3, 0);
	set_open(0, 2);
	for (i = 0; i < TRING_WORDS; i++)
		put_u64(machine_at(&machine, ring.physical) +
			offsetof(struct tring_directory_memory, words) + 8 * i, 64 << 20,
			machine.order);
	test_page_seal(&machine, ring.physical, TRING_DIRECTORY_MEMORY,
		       offsetof(struct tring_directory_memory, saved));
	expect("", 0, "by commits\n", "1 2 3");
	expect("", 0, "3 of 3 committed events recovered, 0 records uncommitted", "1 2 3");
	/* a panic has saved them */
	put_u64(machine_at(&machine, ring.physical) +
		offsetof(struct tring_directory_memory, saved) + 8 * TRING_WORD_WRITE,
		PAGE + builder.end - builder.start, machine.order);
	put_u64(machine_at(&machine, ring.physical) +
		offsetof(struct tring_directory_memory, is_saved), 1, machine.order);
	expect("", 0, "by position\n", "1 2 3");
	end();
}

int main(void)
{
	char *formats = make_path("%s/formats", temp_dir());

	image = make_path("%s/image", temp_dir());
	dir = make_path("%s/trace", temp_dir());
	make_trace(formats, false);
	check_nested();
	check_either();
	check_last();
	check_headless();
	check_lap_before();
	check_closed();
	check_no_words();
	return 0;
}
