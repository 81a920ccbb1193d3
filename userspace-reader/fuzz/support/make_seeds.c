// SPDX-License-Identifier: GPL-2.0
/*
 * make_seeds DIR - writes the inputs that the fuzz targets start from to DIR/TARGET:
 * the golden packets, and traces of the events that the tests have formats of.
 */
#include <ftw.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "fake_kernel.h"
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

static uint8_t frames[65536];
static size_t frames_size;

/* Each packet in a frame of its own. */
static void write_frames(const uint8_t *bytes, size_t size)
{
	struct tring_compressor compressor = { .level = 1 };
	int fd = memfd_create("frames", MFD_CLOEXEC), error;
	struct tring_packet packet;
	size_t at;

	CHECK(fd >= 0);
	for (at = 0; at < size; at += packet.packet_size) {
		tring_packet_parse(bytes + at, size - at, &packet);
		tring_compressor_append(&compressor, fd, bytes + at, packet.packet_size, &error);
		CHECK_EQ(error, 0);
	}
	CHECK_EQ(pread(fd, frames, sizeof(frames), 0), compressor.size);
	frames_size = compressor.size;
	write_seed("frames", frames, frames_size);
	tring_compressor_free(&compressor);
	close(fd);
}

static void write_packets(const void *bytes, size_t size)
{
	write_seed("packets", bytes, size);
	write_seed("drain", bytes, size);
}

/* Packets with an event of each kind, a discarded record and a loss. */
static void build_trace(bool big_endian, uint32_t cpu)
{
	static const struct {
		uint16_t id;
		uint32_t length;
	} records[] = {
		{ 342, 16 }, { 319, 64 }, { 344, 12 }, { 5, 32 },
		{ TRING_ID_DISCARDED, 12 }, { 345, 24 }, { 152, 24 }, { 347, 96 },
	};
	unsigned int packet, i;

	build_init(&builder, big_endian, cpu);
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
		build_trace(order, 1);
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
static const char cgroups[] =
	"snapshot\ncgroup 1 /a.slice/b.service\ncommand 1 one -x\nthread 2 1\n"
	"snapshot\ncgroup 100 /\ncgroup 1 /c\n";

/* Of the records of dyn_sizes: each moves a task. */
static const char move[] =
	"name: cgroup_attach_task\nID: 345\nformat:\n" COMMON_FIELDS "\n"
	"\tfield:int pid;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:__data_loc char[] dst_path;\toffset:12;\tsize:4;\tsigned:0;\n"
	"\tfield:int dst_root;\toffset:28;\tsize:4;\tsigned:1;\n"
	"\nprint fmt: \"%s\", __get_str(dst_path)\n";

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
}

static void put_number(FILE *file, uint64_t number, size_t size)
{
	uint8_t bytes[8];

	put_u64(bytes, number, false);
	fwrite(bytes, 1, size, file);
}

static void put_layout(FILE *file)
{
	fwrite("header_page", 1, sizeof("header_page"), file);
	put_counted(file, "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		    "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		    "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n", 8);
	fwrite("header_event", 1, sizeof("header_event"), file);
	put_counted(file, "", 8);
}

/* Return: the place of the pages. */
static uint64_t put_pages(FILE *file)
{
	uint64_t place;

	while (ftell(file) % SMALL_PAGE)
		fputc(0, file);
	place = ftell(file);
	put_page(file);
	put_page(file);
	return place;
}

/* Of version 6: the head, one format, names, and two pages. What does not count is 0. */
static void seed_trace_dat(const char *format)
{
	static const char head[] = "\x17\x08\x44tracing6\0\0\x08\0\x04\0";
	static const char clock[] = "options  \0\x04\0\x07\0\0\0[mono]\0\0";
	char *text = NULL;
	size_t size = 0, table;
	FILE *file = open_memstream(&text, &size);
	uint64_t place;

	CHECK(file);
	fwrite(head, 1, sizeof(head), file);
	put_layout(file);
	put_number(file, 1, 4);
	put_counted(file, format, 8);
	put_number(file, 0, 4);
	put_counted(file, symbols, 4);
	put_counted(file, strings, 4);
	put_counted(file, tasks, 8);
	put_number(file, 1, 4);
	fwrite(clock, 1, sizeof(clock), file);
	fwrite("flyrecord", 1, sizeof("flyrecord"), file);
	table = ftell(file);
	put_number(file, 0, 8);
	put_number(file, 2 * SMALL_PAGE, 8);
	place = put_pages(file);
	CHECK(!fclose(file));
	put_u64((uint8_t *)text + table, place, false);
	write_seed("trace_dat", text, size);
	write_seed("trace_dat", text + place, SMALL_PAGE);
	free(text);
}

/* Ends @content, which is @text. Return: the place of the section. */
static uint64_t put_section(FILE *file, unsigned int id, bool packed, FILE *content, char **text,
			    size_t *size)
{
	uint64_t place = ftell(file);
	char bytes[4096];
	size_t got;

	CHECK(!fclose(content));
	put_number(file, id, 2);
	put_number(file, packed, 2);
	put_number(file, 0, 4);
	put_number(file, *size, 8);
	if (packed) {
		got = ZSTD_compress(bytes, sizeof(bytes), *text, *size, 1);
		CHECK(!ZSTD_isError(got));
		put_number(file, got, 4);
		put_number(file, *size, 4);
		fwrite(bytes, 1, got, file);
	} else {
		fwrite(*text, 1, *size, file);
	}
	free(*text);
	return place;
}

static void put_option(FILE *options, unsigned int id, uint64_t number)
{
	put_number(options, id, 2);
	put_number(options, 8, 4);
	put_number(options, number, 8);
}

/* @id: 16 to 21, as of its option */
static void put_content(FILE *content, unsigned int id, const char *format)
{
	if (id == 16) {
		put_layout(content);
	} else if (id < 19) {
		put_number(content, 1, 4);
		if (id == 18) {
			fwrite("testing", 1, sizeof("testing"), content);
			put_number(content, 1, 4);
		}
		put_counted(content, format, 8);
	} else {
		put_counted(content, id == 19 ? symbols : id == 20 ? strings : tasks,
			    id == 21 ? 8 : 4);
	}
}

/* Of version 7: sections, the pages of a CPU, and the options. */
static void seed_trace_dat_7(const char *format, bool packed)
{
	static const char head[] = "\x17\x08\x44tracing7\0\0\x08\0\x04\0";
	char *text, *option_text, *content_text;
	size_t size, option_size, content_size, start;
	FILE *file = open_memstream(&text, &size), *content;
	FILE *options = open_memstream(&option_text, &option_size);
	uint64_t place, pages;
	unsigned int id;

	CHECK(file && options);
	fwrite(head, 1, sizeof(head), file);
	fwrite("zstd\0v1.5.4", 1, sizeof("zstd\0v1.5.4"), file);
	start = ftell(file);
	put_number(file, 0, 8);
	for (id = 16; id <= 21; id++) {
		content = open_memstream(&content_text, &content_size);
		CHECK(content);
		put_content(content, id, format);
		put_option(options, id, put_section(file, id, packed, content, &content_text,
						    &content_size));
	}
	content = open_memstream(&content_text, &content_size);
	place = put_section(file, 3, false, content, &content_text, &content_size);
	pages = put_pages(file);
	put_number(options, 3, 2);
	put_number(options, 8 + 1 + sizeof("mono") + 4 + 4 + 20, 4);
	put_number(options, place, 8);
	fwrite("\0mono", 1, 1 + sizeof("mono"), options);
	put_number(options, SMALL_PAGE, 4);
	put_number(options, 1, 4);
	put_number(options, 0, 4);
	put_number(options, pages, 8);
	put_number(options, 2 * SMALL_PAGE, 8);
	put_option(options, 0, 0);
	place = put_section(file, 0, packed, options, &option_text, &option_size);
	CHECK(!fclose(file));
	put_u64((uint8_t *)text + start, place, false);
	write_seed("trace_dat", text, size);
	free(text);
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
static char *report_bytes;
static size_t report_size;

static void begin_report(void)
{
	report_file = open_memstream(&report_bytes, &report_size);
	CHECK(report_file);
}

static void end_report(const char *target)
{
	CHECK(!fclose(report_file));
	write_seed(target, report_bytes, report_size);
	free(report_bytes);
}

/* The part in @share of @shares of the formats. */
static unsigned int share, shares;

static int add_format(const char *path, const struct stat *info, int type,
		      struct FTW *walk)
{
	static unsigned int count;
	char *text;

	(void)info;
	(void)walk;
	if (type != FTW_F || ++count % shares != share)
		return 0;
	text = read_file(path);
	fprintf(report_file, FUZZ_MARK "f%c%s", strstr(path, "/sched/") ? 1 :
		strstr(path, "/ftrace/") ? 9 : FUZZ_SYSTEMS, text);
	free(text);
	return 0;
}

static void put_packets(const char *mark)
{
	fprintf(report_file, FUZZ_MARK "%s", mark);
	fwrite(builder.bytes, 1, builder.size, report_file);
}

static void put_descriptions(const char *formats, bool big_endian)
{
	char *info = info_text(big_endian);

	put_text(report_file, FUZZ_MARK "i", info);
	put_text(report_file, FUZZ_MARK "s", short_ids_text());
	put_text(report_file, FUZZ_MARK "k", symbols);
	put_text(report_file, FUZZ_MARK "p", strings);
	put_text(report_file, FUZZ_MARK "t", tasks);
	CHECK_EQ(nftw(formats, add_format, 16, FTW_PHYS), 0);
	free(info);
}

/* What is wanted of the events, as fuzz_read() takes it. */
static const char * const wanted[] = {
	"*: common_pid > 0 && CPU == 0 || COMM =~ \"^o\"\n",
	"\n0-1\n\n\n*\n+0.000001\n+1\n",
	"*: !(common_type == 344) && (common_flags | 2) << 1 % 3 + 4 / 2 - 1 >= 0\n\n0-100\n",
	"*: COMM ~ \"t*\" || COMM != 'x'\n0\n0-9\n*\n*:*\n-1\n+1\n",
};

/* Each way to open a trace, with a few of the formats, as libtraceevent takes most of the time. */
static void seed_library(const char *formats, bool big_endian)
{
	unsigned int way;

	shares = COUNT(wanted);
	for (way = 0; way < FUZZ_WAYS * shares; way++) {
		share = way % shares;
		begin_report();
		fprintf(report_file, FUZZ_MARK "w%u", way / shares);
		put_text(report_file, FUZZ_MARK "g", cgroups);
		if (!share)
			put_text(report_file, FUZZ_MARK "f\x0d", move);
		put_descriptions(formats, big_endian);
		put_text(report_file, FUZZ_MARK "b", balanced_stats(1, 2));
		put_text(report_file, FUZZ_MARK "e", balanced_stats(9, 3));
		put_text(report_file, FUZZ_MARK "o", wanted[share]);
		put_packets("c");
		end_report("library");
	}
}

/* In two parts, the second of which is compressed. */
static void seed_parts(const char *formats)
{
	unsigned int way;

	for (way = 0; way < 4; way += 3) {
		begin_report();
		fprintf(report_file, FUZZ_MARK "w%u" FUZZ_MARK "n", way);
		put_descriptions(formats, false);
		build_trace(false, 0);
		put_packets("c");
		build_trace(false, 1);
		put_packets("c");
		put_text(report_file, FUZZ_MARK "n", "");
		put_descriptions(formats, false);
		put_text(report_file, FUZZ_MARK "o", wanted[way]);
		/* of CPU 1, whose number is in each packet */
		put_text(report_file, FUZZ_MARK "c" FUZZ_MARK "z", "");
		fwrite(frames, 1, frames_size, report_file);
		end_report("library");
	}
}

static void seed_report(const char *formats, bool big_endian)
{
	shares = 1;
	share = 0;
	begin_report();
	put_descriptions(formats, big_endian);
	put_packets("c");
	end_report("report");
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
	char *formats, *plans, *format;
	int order;

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
	format = read_file(make_path("%s/testing/tick/format", formats));
	seed_trace_dat(format);
	seed_trace_dat_7(format, false);
	seed_trace_dat_7(format, true);
	seed_image();
	seed_blob();
	for (order = 0; order < 2; order++) {
		build_trace(order, 0);
		seed_report(formats, order);
		seed_library(formats, order);
	}
	seed_parts(formats);
	free(format);
	free(formats);
	free(plans);
	return 0;
}
