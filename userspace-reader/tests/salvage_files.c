// SPDX-License-Identifier: GPL-2.0
/* Description: salvage reads images of each kind, whole and cut off, and says what they lack. */
#include <sys/stat.h>

#include "machine.h"

#define EVENTS	30
#define RAW	"$TRING salvage --base 0x40000000 %1$s "

static struct builder builder;
static struct machine machine;
static struct test_trace trace;
static struct test_ring ring;

static char *image, *dir;
/* a page that makedumpfile leaves out */
static uint64_t hole;

static void salvage(const char *options, int status, const char *wanted)
{
	check_run(status, wanted,
		  "rm -rf %s && $TRING salvage %s --formats %s/formats -o %s %s", dir, options,
		  temp_dir(), dir, image);
}

/* @format: %1$s is the image */
static void run_command(const char *format)
{
	check_run(0, "", format, image);
}

static void cut_off(int64_t size)
{
	run_command(make_path("truncate -s %" PRId64 " %%s", size));
}

static void make_machine(void)
{
	uint64_t packet;

	machine_init(&machine, false, 128);
	machine_pages(&machine, 1);
	hole = machine_pages(&machine, 1);
	test_trace_init(&trace, &machine);
	test_ring_init(&ring, &trace, 0, 8, PAGE, NULL);
	build_init(&builder, false, 0);
	for (packet = 0; packet < 3; packet++) {
		build_packet(&builder, 1000 * packet, EVENTS / 3);
		test_ring_deliver(&ring, packet, &builder, EVENTS / 3);
	}
	test_ring_position(&ring, 3, 0);
}

/* The sub-buffers lie in the second half of memory, which is first in the file. */
static void check_elf(void)
{
	uint64_t half = machine.size / 2;

	machine_write_elf(&machine, image);
	salvage("", 0, "30 of 30 committed events recovered");
	/* the directory is cut off, then all memory, then headers */
	cut_off(2 * PAGE + half);
	salvage("", 1, "no ring of tring is in its");
	salvage("", 1, "256 KiB of its 512 KiB of memory cannot be read");
	cut_off(100);
	salvage("", 1, "it ends in its program headers");
	cut_off(40);
	salvage("", 1, "its ELF header is not complete");
	write_text(image, "no image");
	salvage("", 1, "raw memory needs --base");
	write_text(image, "");
	salvage("--base 0", 1, "it is empty");
}

static void check_kdump(void)
{
	machine_write_kdump(&machine, image, 0);
	salvage("", 0, "30 of 30 committed events recovered");
	/* makedumpfile may leave pages out */
	machine_write_kdump(&machine, image, ring.data[1]);
	salvage("", 1, "20 of 30 committed events recovered");
	salvage("", 1, "it lacks 1 pages that were needed");
	machine_write_kdump(&machine, image, ring.pages[0]);
	salvage("", 1, "1 memories whose slots are not all there");
	machine_write_kdump(&machine, image, ring.words[0]);
	salvage("", 0, "30 of 30 committed events recovered");
}

/* One of the files of makedumpfile --split lacks what the others have. */
static void check_split(void)
{
	size_t middle = (hole - MACHINE_BASE) / PAGE + 1;

	machine_write_kdump_part(&machine, image, hole, 0, middle);
	salvage("", 1, "no ring of tring is in its");
}

/* A file may end anywhere. */
static void check_cut_off(void)
{
	struct stat info;
	int64_t size;

	machine_write_kdump(&machine, image, hole);
	CHECK(!stat(image, &info));
	for (size = info.st_size; size > 0; size -= 70001) {
		cut_off(size);
		run_command("$TRING salvage %1$s -o %1$s.out >%1$s.said 2>&1; "
			    "test $? -le 1 && ! grep Sanitizer %1$s.said");
	}
	/* the descriptions of 127 pages begin at the file's page 20 */
	machine_write_kdump(&machine, image, hole);
	cut_off(20 * PAGE + 10 * 24);
	salvage("", 1, "468 KiB of its 508 KiB of memory cannot be read; it may be cut off");
}

/* Rings in memory that the kernel left alone are in no core. */
static void check_none(void)
{
	struct machine empty;

	machine_init(&empty, false, 16);
	machine_write_elf(&empty, image);
	salvage("", 1, "last_boot has them");
	machine_write_kdump(&empty, image, 0);
	salvage("", 1, "last_boot has them");
	machine_write(&empty, image);
	run_command("! " RAW "-o %1$s.out 2>&1 | grep -q last_boot");
	machine_free(&empty);
}

/* What makedumpfile has written to a pipe. */
static void check_flat(void)
{
	static const char begin[4096] = "makedumpfile";

	write_file(image, begin, sizeof(begin));
	salvage("", 1, "it is flattened; \"makedumpfile -R IMAGE <");
}

/* A dump that another program has compressed as a whole. */
static void check_compressed(void)
{
	write_text(image, "\x1f\x8b\x08....");
	salvage("", 1, "a compressed file is to be unpacked");
}

/* What the next boot finds begins with a page that tells where it lay. */
static void check_region(void)
{
	uint8_t *memory = malloc(machine.size);
	size_t at;

	CHECK(memory);
	test_region_init(&machine);
	machine_write(&machine, image);
	salvage("", 0, "30 of 30 committed events recovered");
	/* its first page is damaged: the others tell the base, too */
	machine.memory[sizeof(struct tring_directory_head)] ^= 1;
	machine_write(&machine, image);
	salvage("", 0, "30 of 30 committed events recovered");
	salvage("--base 0x40000000", 0, "30 of 30 committed events recovered");
	/* without any of them, packets are all that is there */
	memcpy(memory, machine.memory, machine.size);
	for (at = 0; at < machine.size; at += PAGE)
		machine.memory[at + offsetof(struct tring_directory_head, version)] ^= 1;
	machine_write(&machine, image);
	salvage("", 1, "3 packets lie where no ring has them");
	memcpy(machine.memory, memory, machine.size);
	machine_write(&machine, image);
	free(memory);
}

/* What cannot be done, and a disk that is full. */
static void check_errors(void)
{
	salvage("--base 12x", 2, "--base 12x: not an address");
	salvage("--base 0x123", 1, "not the address of a page");
	salvage("--base 0 /dev/null", 2, "unexpected argument");
	salvage("--no-such-option", 2, "unrecognized option");
	check_run(0, "", "! $TRING salvage -o %s", dir);
	check_run(0, "", "! $TRING salvage -o %s /no/such/image", dir);
	check_run(0, "", "! $TRING salvage -o %1$s %1$s", "/tmp");
	run_command(RAW "-o /dev/full 2>&1 | grep -q 'Not a dir'");
	run_command(RAW "-o %1$s.out 2>&1 >/dev/full | grep -q 'No space left'");
	run_command("mkdir %1$s.own && touch %1$s.own/own");
	run_command("! " RAW "-o %1$s.own && test -e %1$s.own/own");
	/* formats of another kernel are refused, and what has none */
	run_command(RAW "-o %1$s.out --formats %1$s.none 2>&1 | grep -q 'neither a trace nor'");
	run_command("cp -r $(dirname %1$s)/formats %1$s.old");
	run_command("sed -i s/6.1.0/6.2.0/ %1$s.old/tring/trace_info");
	run_command(RAW "-o %1$s.out --formats %1$s.old 2>&1 | grep -q 'are of kernel 6.2.0'");
}

/* Numbers of the head that no kernel writes: the size of a block, and how many there are. */
static void check_damaged_kdump(void)
{
	static const struct {
		size_t at;
		uint32_t value;
	} numbers[] = {
		{ 428, 0 }, { 428, 1 }, { 428, 4095 }, { 428, 5000 }, { 428, 0x80000000 },
		{ 428, UINT32_MAX }, { 436, 0 }, { 436, UINT32_MAX }, { 440, UINT32_MAX },
	};
	uint8_t bytes[4];
	size_t i;
	FILE *file;

	for (i = 0; i < COUNT(numbers); i++) {
		machine_write_kdump(&machine, image, 0);
		file = fopen(image, "r+");
		CHECK(file && !fseek(file, numbers[i].at, SEEK_SET));
		put_u32(bytes, numbers[i].value, false);
		CHECK(fwrite(bytes, sizeof(bytes), 1, file) == 1 && !fclose(file));
		salvage("", 1, "tring salvage: ");
	}
}

int main(void)
{
	char *formats = make_path("%s/formats", temp_dir());

	image = make_path("%s/image", temp_dir());
	dir = make_path("%s/trace", temp_dir());
	make_trace(formats, false);
	make_machine();
	check_elf();
	check_kdump();
	check_damaged_kdump();
	check_split();
	check_cut_off();
	check_none();
	check_flat();
	check_compressed();
	check_region();
	check_errors();
	machine_free(&machine);
	free(image);
	return 0;
}
