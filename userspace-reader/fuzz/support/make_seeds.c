// SPDX-License-Identifier: GPL-2.0
/*
 * make_seeds DIR - writes the inputs that the fuzz targets start from to DIR/TARGET:
 * the golden packets, and traces of the events that the tests have formats of.
 */
#include <ftw.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"
#include "machine.h"
#include "record/compressor.h"
#include "trace/blob.h"

static const char *top;
static struct builder builder;

static void write_seed(const char *target, const void *bytes, size_t size)
{
	static unsigned int number;
	char *dir = make_path("%s/%s", top, target);
	char *path = make_path("%s/seed%u", dir, number++);

	mkdir(dir, 0755);
	write_file(path, bytes, size);
	free(path);
	free(dir);
}

/* Each packet in a frame of its own. */
static void write_frames(const uint8_t *bytes, size_t size)
{
	struct tring_compressor compressor = { .level = 1 };
	int fd = memfd_create("frames", MFD_CLOEXEC), error;
	struct tring_packet packet;
	uint8_t frames[65536];
	size_t at;

	CHECK(fd >= 0);
	for (at = 0; at < size; at += packet.packet_size) {
		tring_packet_parse(bytes + at, size - at, &packet);
		tring_compressor_append(&compressor, fd, bytes + at, packet.packet_size, &error);
		CHECK_EQ(error, 0);
	}
	CHECK_EQ(pread(fd, frames, sizeof(frames), 0), compressor.size);
	write_seed("frames", frames, compressor.size);
	tring_compressor_free(&compressor);
	close(fd);
}

static void write_packets(const void *bytes, size_t size)
{
	write_seed("packets", bytes, size);
	write_seed("drain", bytes, size);
}

/* Packets with an event of each kind, a discarded record and a loss. */
static void build_trace(bool big_endian)
{
	static const struct {
		uint16_t id;
		uint32_t length;
	} records[] = {
		{ 342, 16 }, { 319, 64 }, { 344, 12 }, { 5, 32 },
		{ TRING_ID_DISCARDED, 12 }, { 345, 24 }, { 152, 24 }, { 347, 96 },
	};
	unsigned int packet, i;

	build_init(&builder, big_endian, 1);
	for (packet = 0; packet < 3; packet++) {
		build_begin(&builder, 1000 * packet);
		for (i = 0; i < COUNT(records); i++) {
			uint8_t *payload = build_record(&builder, 1000 * packet + i,
							records[i].id, i / 2,
							records[i].length);

			/* the location of dynamic data, where there is one */
			if (records[i].id == 345 || records[i].id == 152)
				put_u32(payload + 12, 4 << 16 | 16, big_endian);
		}
		build_end(&builder);
		builder.discarded += packet;
	}
}

static void seed_packets(void)
{
	uint8_t two[2 * TRING_GOLDEN_SIZE];
	unsigned int order;

	for (order = 0; order < 2; order++) {
		write_packets(golden(order), TRING_GOLDEN_SIZE);
		build_trace(order);
		write_packets(builder.bytes, builder.size);
		write_frames(builder.bytes, builder.size);
	}
	memcpy(two, golden(TRING_HOST_BIG_ENDIAN), TRING_GOLDEN_SIZE);
	memcpy(two + TRING_GOLDEN_SIZE, golden(TRING_HOST_BIG_ENDIAN),
	       TRING_GOLDEN_SIZE);
	write_packets(two, sizeof(two));
}

/* The byte that fuzz_add_format() takes the system from. */
static unsigned int count_formats;

static int seed_format(const char *path, const struct stat *info, int type,
		       struct FTW *walk)
{
	uint8_t bytes[65536] = { 0 };
	unsigned int system;
	char *text;
	size_t size;

	(void)info;
	(void)walk;
	if (type != FTW_F)
		return 0;
	text = read_file(path);
	for (system = 0; system < 13; system++) {
		/* the plugins' systems for some of the formats */
		if (system && system != ++count_formats % 13)
			continue;
		bytes[0] = system;
		size = 1 + strlen(text);
		CHECK(size + 200 < sizeof(bytes));
		memcpy(bytes + 1, text, size - 1);
		memcpy(bytes + size, FUZZ_MARK, strlen(FUZZ_MARK));
		size += strlen(FUZZ_MARK);
		memset(bytes + size, system + 1, 128);
		write_seed("formats", bytes, size + 128);
	}
	free(text);
	return 0;
}

static void put_text(FILE *file, const char *mark, const char *text)
{
	fprintf(file, "%s%s", mark, text);
}

static const char symbols[] =
	"ffffffff81000000 T first\nffffffff81000040 t second\t[module]\n"
	"0000000000000000 A offset\n";
static const char strings[] = "0xffffffff82000000 : \"text\\n\"\n0x10 : \"\"\n";
static const char tasks[] = "1 one\n2 two\n100 a name\n";

static void seed_names(void)
{
	char *text = make_path("%s" FUZZ_MARK "%s" FUZZ_MARK "%s", symbols,
			       strings, tasks);

	write_seed("names", text, strlen(text));
	free(text);
}

/* The smallest page that a trace.dat may have. */
#define SMALL_PAGE	1024

static void put_counted(FILE *file, const char *text, size_t length_size)
{
	uint8_t length[8];

	put_u64(length, strlen(text), false);
	fwrite(length, 1, length_size, file);
	fputs(text, file);
}

/* A loss, and a record of each kind. */
static void put_page(FILE *file)
{
	static const uint32_t records[] = {
		/* 12 bytes: the event 342 of the task 100; an extended time; an absolute one */
		40 << 5 | 3, 342, 100, 1, 30, 1, 63 << 5 | 31, 32,
		/* a discarded record; one with its length */
		1 << 5 | 29, 8, 0, 2 << 5, 16, 342, 100, 2,
	};
	uint8_t page[SMALL_PAGE] = { 0 };
	size_t i;

	put_u64(page, 1000000000, false);
	put_u32(page + 8, 0xc0000000u | sizeof(records), false);
	for (i = 0; i < COUNT(records); i++)
		put_u32(page + 16 + i * 4, records[i], false);
	put_u32(page + 16 + sizeof(records), 7, false);
	fwrite(page, 1, sizeof(page), file);
	write_seed("trace_dat", page, sizeof(page));
}

/* Of version 6: the head, one format, names, and two pages. What does not count is 0. */
static void seed_trace_dat(const char *formats)
{
	static const char head[] = "\x17\x08\x44tracing6\0\0\x08\0\x04\0\0header_page";
	static const char clock[] = "options  \0\x04\0\x07\0\0\0[mono]\0\0";
	uint8_t table[16];
	char *path = make_path("%s/testing/tick/format", formats), *format = read_file(path);
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	long place;

	CHECK(file);
	fwrite(head, 1, sizeof(head), file);
	put_counted(file, "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		    "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		    "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n", 8);
	fwrite("header_event", 1, sizeof("header_event"), file);
	put_counted(file, "", 8);
	fwrite("\x01\0\0", 1, 4, file);
	put_counted(file, format, 8);
	fwrite("\0\0\0", 1, 4, file);
	put_counted(file, symbols, 4);
	put_counted(file, strings, 4);
	put_counted(file, tasks, 8);
	fwrite("\x01\0\0", 1, 4, file);
	fwrite(clock, 1, sizeof(clock), file);
	fwrite("flyrecord", 1, sizeof("flyrecord"), file);
	place = (ftell(file) + sizeof(table) + SMALL_PAGE - 1) / SMALL_PAGE * SMALL_PAGE;
	put_u64(table, place, false);
	put_u64(table + 8, 2 * SMALL_PAGE, false);
	fwrite(table, 1, sizeof(table), file);
	while (ftell(file) < place)
		fputc(0, file);
	put_page(file);
	put_page(file);
	CHECK(!fclose(file));
	write_seed("trace_dat", text, size);
	free(text);
	free(format);
	free(path);
}

static void seed_properties(void)
{
	char *info = info_text(false);
	char *text = make_path("%s" FUZZ_MARK "%s" FUZZ_MARK "%s" FUZZ_MARK "%s",
			       info, short_ids_text(),
			       "reserved: 7\ncommitted: 7\nopen: 0\n",
			       "reserved: 9\ncommitted: 8\nrefused_no_room: 1\n"
			       "overwritten: 2\noverwritten_snapshot: 1\n");

	write_seed("properties", text, strlen(text));
	free(text);
	free(info);
}

static FILE *report_file;

static int add_format(const char *path, const struct stat *info, int type,
		      struct FTW *walk)
{
	char *text;

	(void)info;
	(void)walk;
	if (type != FTW_F)
		return 0;
	text = read_file(path);
	fprintf(report_file, FUZZ_MARK "f%c%s", strstr(path, "/sched/") ? 1 :
		strstr(path, "/ftrace/") ? 9 : 13, text);
	free(text);
	return 0;
}

static void seed_report(const char *formats, bool big_endian)
{
	char *info = info_text(big_endian), *bytes = NULL;
	size_t size = 0;

	report_file = open_memstream(&bytes, &size);
	CHECK(report_file);
	put_text(report_file, FUZZ_MARK "i", info);
	put_text(report_file, FUZZ_MARK "s", short_ids_text());
	put_text(report_file, FUZZ_MARK "k", symbols);
	put_text(report_file, FUZZ_MARK "p", strings);
	put_text(report_file, FUZZ_MARK "t", tasks);
	CHECK_EQ(nftw(formats, add_format, 16, FTW_PHYS), 0);
	build_trace(big_endian);
	put_text(report_file, FUZZ_MARK "c", "");
	fwrite(builder.bytes, 1, builder.size, report_file);
	fclose(report_file);
	write_seed("report", bytes, size);
	write_seed("library", bytes, size);
	free(bytes);
	free(info);
}

/* Page by page up to the last byte that is not 0: see fuzz/salvage.c. */
static void write_pages(const struct machine *machine)
{
	char *bytes = NULL;
	size_t size = 0, page, used;
	FILE *file = open_memstream(&bytes, &size);

	CHECK(file);
	putc('i', file);
	for (page = 0; page < machine->size / PAGE; page++) {
		const uint8_t *data = machine->memory + page * PAGE;

		for (used = PAGE; used && !data[used - 1];)
			used--;
		if (!used)
			continue;
		putc(page, file);
		putc(used & 0xff, file);
		putc(used >> 8, file);
		fwrite(data, 1, used, file);
	}
	CHECK(!fclose(file));
	write_seed("salvage", bytes, size);
	free(bytes);
}

/* A small ring: a delivered packet, and an open one with a record that is not committed. */
static void seed_image(void)
{
	struct test_trace trace;
	struct machine machine;
	struct test_ring ring;
	size_t before;

	machine_init(&machine, TRING_HOST_BIG_ENDIAN, 48);
	test_trace_init(&trace, &machine);
	test_ring_init(&ring, &trace, 0, 8, PAGE, NULL);
	build_init(&builder, machine.order, 0);
	build_packet(&builder, 1000, 3);
	test_ring_deliver(&ring, 0, &builder, 3);
	build_begin(&builder, 2000);
	build_record(&builder, 2000, 342, 7, 16);
	before = builder.end;
	build_record(&builder, 2001, 342, 7, 20);
	builder.flags = 8;
	build_record(&builder, 2002, 342, 7, 16);
	test_ring_open(&ring, 1, &builder, before - builder.start + 13, 2);
	test_ring_position(&ring, 1, builder.end - builder.start);
	write_pages(&machine);
	/* slots that are lost: the packets are looked for */
	memset(machine_at(&machine, ring.pages[0]), 0, 8 * ring.nr);
	write_pages(&machine);
	machine_free(&machine);
}

static void seed_blob(void)
{
	struct tring_blob *blob = tring_blob_begin();
	char *bytes;
	size_t size;
	void *data;

	CHECK(blob);
	CHECK_EQ(tring_blob_add(blob, "trace_info", "uuid=\n", 6), 0);
	CHECK_EQ(tring_blob_add(blob, "events/a/b/format", "name: b\n", 8), 0);
	CHECK_EQ(tring_blob_end(blob, &data, &size), 0);
	bytes = make_path("b%*s", (int)size, "");
	memcpy(bytes + 1, data, size);
	write_seed("salvage", bytes, size + 1);
	free(bytes);
	free(data);
}

int main(int argc, char **argv)
{
	char *formats, *plans;

	CHECK(argc == 2);
	top = argv[1];
	formats = make_path("%s/golden/formats", test_env("TRING_TESTS"));
	plans = make_path("%s/golden/plans/events", test_env("TRING_TESTS"));
	seed_packets();
	CHECK_EQ(nftw(formats, seed_format, 16, FTW_PHYS), 0);
	CHECK_EQ(nftw(plans, seed_format, 16, FTW_PHYS), 0);
	seed_names();
	write_seed("text", "a\x1b[31m\n\x7f\xc2\x9b\x9b\xc3\xa9\xe9", 14);
	seed_properties();
	seed_trace_dat(formats);
	seed_image();
	seed_blob();
	seed_report(formats, false);
	seed_report(formats, true);
	free(formats);
	free(plans);
	return 0;
}
