// SPDX-License-Identifier: GPL-2.0
/* Description: a trace.dat is read as the trace that it was made from; what is damaged is told. */
#include <sys/stat.h>
#include <unistd.h>

#include "helpers.h"
#include "tring_version.h"

#define PAGE	4096

static struct builder builder;

/* Losses with a count among events and behind the last one; CPU 11 has one without a count, too. */
static void write_cpu(const char *dir, uint32_t cpu, bool order)
{
	unsigned int i;

	build_init(&builder, order, cpu);
	builder.discarded = cpu ? 0 : 3;
	build_packet(&builder, 1500000000, 20);
	builder.discarded = cpu ? 0 : 1003;
	builder.seq += cpu ? 1 : 0;
	build_begin(&builder, 1600000000);
	builder.flags = 0x01;
	builder.preempt_count = 2;
	for (i = 0; i < 1000; i++) {
		uint8_t *payload = build_record(&builder, 1600000000 + i * 1001, 342,
						100 + (i & 1), 16);

		put_u64(payload + 8, i, order);
	}
	build_end(&builder);
	build_packet(&builder, 1700000000, 1);
	build_write(&builder, dir);
}

static void write_trace(const char *dir, bool order)
{
	make_trace(dir, order);
	write_cpu(dir, 0, order);
	write_cpu(dir, 11, order);
	write_extra(dir, "cpu0.start", "read: 0\n");
	write_extra(dir, "cpu0.end", "read: 1021\noverwritten: 1000\nrefused_no_room: 8\n");
	write_extra(dir, "cpu11.start", "read: 0\n");
	write_extra(dir, "cpu11.end", "read: 1021\nrefused_no_room: 7\n");
}

/* Runs a command, in which %s is @argument. Return: what it prints on stdout. */
static char *output_with(const char *command, const char *argument)
{
	char *format = make_path("%s 2>/dev/null", command), *whole, *output;
	const char *at = strstr(format, "%s");

	CHECK(at);
	whole = make_path("%.*s%s%s", (int)(at - format), format, argument, at + 2);
	if (run(whole, &output) || !*output)
		fail(whole, 0, output);
	return output;
}

static void check_same(const char *command, const char *one, const char *other)
{
	char *a = output_with(command, one), *b = output_with(command, other);

	if (strcmp(a, b))
		fail(command, 0, other);
}

static const char * const same[] = {
	"$TRING report %s", "$TRING report -t -R -c 11 %s", "$TRING report -e tick --delta %s",
	"$TRING report -F 'tick: value > 500' -P 101 %s",
	"$TRING report --from 1.6001 --to 1.6002 %s",
	"$TRING report --from 1.5 --to 1.55 %s", "$TRING report --from 1.7 %s",
	"$TRING report --comm one --from +0.1 --to +0.2 %s",
	/* the first line tells the origin */
	"$TRING report --json %s | tail -n +2",
	"$TRING top losses %s", "$TRING top cpu %s",
	"$TRING top -c 0 losses %s",
	"$TRING sql %s 'SELECT count(DISTINCT rowid) = count(*) FROM events'",
};

static void check_order(bool order, const char *name)
{
	char *dir = make_path("%s/%s", temp_dir(), name);
	char *dat = make_path("%s.dat", dir), *newer = make_path("%s.v7", dir);
	size_t i;

	write_trace(dir, order);
	check_run(0, "", "$TRING convert --to trace.dat -o %s %s && %s -i %s -o %s", dat, dir,
		  "trace-cmd convert --compression any", dat, newer);
	for (i = 0; i < COUNT(same); i++) {
		check_same(same[i], dir, dat);
		/* trace-cmd 3.1 writes version 7 in the host's byte order only */
		if (!order)
			check_same(same[i], dir, newer);
	}
}

/* A CPU that has recorded nothing tells what it has lost: with a place in the file, or without. */
static void check_silent_cpu(void)
{
	char *dir = make_path("%s/silent", temp_dir()), *dat = make_path("%s.dat", dir);
	char *newer = make_path("%s.v7", dir);
	static const char losses[] = "$TRING top losses %s";

	write_trace(dir, false);
	write_extra(dir, "cpu2.start", "read: 0\n");
	write_extra(dir, "cpu2.end", "read: 0\nrefused_no_room: 5\n");
	check_run(0, "", "$TRING convert --to trace.dat -o %s %s && %s -i %s -o %s", dat, dir,
		  "trace-cmd convert --compression any", dat, newer);
	check_same(losses, dir, dat);
	check_same(losses, dir, newer);
	check_run(0, "CPU:2 [LOST 5 EVENTS]", "$TRING report %s", newer);
	/* the statistics of another CPU, for which the file has no place */
	check_run(0, "", "LC_ALL=C sed -i 's/CPU: 2$/CPU: 7/' %s", newer);
	check_run(0, "CPU:7 [LOST 5 EVENTS]", "$TRING report %s", newer);
}

/* All times of the file are those of the wall clock, for trace-cmd, too. */
static void check_wall(const char *dir)
{
	char *dat = make_path("%s.wall", dir);

	check_run(2, "--wall is of trace.dat", "$TRING convert --to perfetto --wall %s", dir);
	check_run(0, "", "$TRING convert --to trace.dat --wall -o %s %s", dat, dir);
	check_same("$TRING report --wall %s", dir, dat);
	check_run(0, "1700000001.500000:", "trace-cmd report -i %s 2>/dev/null", dat);
	free(dat);
}

/* Each line is printed twice, once for each trace. */
static void check_merged(const char *dir, const char *dat)
{
	static const char odd[] = "sed 's/^ *[^ ]*: //' | sort | uniq -c | awk '$1 % 2' | wc -l";
	char *output = output_of(0, "$TRING report %s %s 2>/dev/null | %s", dir, dat, odd);

	CHECK(!strcmp(output, "0\n"));
}

static void check_fails(const char *options, const char *dat, int status, const char *message)
{
	check_run(status, message, "$TRING %s %s", options, dat);
}

static char *load(const char *path, size_t *size)
{
	struct stat info;
	FILE *file = fopen(path, "r");
	char *data;

	CHECK(file && !fstat(fileno(file), &info));
	*size = info.st_size;
	data = malloc(*size + PAGE);
	CHECK(data && fread(data, 1, *size, file) == *size);
	fclose(file);
	return data;
}

/* Return: the place of some bytes. */
static char *find(char *data, size_t size, const char *bytes, size_t length)
{
	char *at = memmem(data, size, bytes, length);

	CHECK(at);
	return at;
}

static void check_errors(const char *dir, const char *dat)
{
	static const char * const unordered[] = {
		"report", "report --json", "top cpu",
	};
	char *bad = make_path("%s/bad.dat", temp_dir());
	size_t size, pages, i;
	char *data = load(dat, &size), *at, commit[4], page[PAGE];
	uint32_t first;

	write_text(bad, "");
	check_fails("report", bad, 1, "bad.dat: it is neither a trace.dat nor a directory");
	write_text(bad, "no trace");
	check_fails("report", bad, 1, "bad.dat: it is neither a trace.dat nor a directory");
	write_file(bad, data, 300);
	check_fails("report", bad, 1, "the file ends in the middle of it");
	write_file(bad, data, 1500);
	check_fails("report", bad, 1, "the events' formats: the file ends in the middle of it");
	write_file(bad, data, size - PAGE);
	check_fails("report", bad, 1, "lie behind the end of the file, which was cut off");
	data[10] = '9';
	write_file(bad, data, size);
	check_fails("report", bad, 1, "version 9 of trace.dat; this tring reads 6 and 7");
	data[10] = '6';
	at = find(data, size, "flyrecord", 10);
	memcpy(at, "latency  ", 10);
	write_file(bad, data, size);
	check_fails("info", bad, 1, "the text of a latency tracer, but no events");
	memcpy(at, "flyrecord", 10);
	pages = (at - data + PAGE) / PAGE * PAGE;
	memcpy(&first, data + pages + 8, sizeof(first));
	/* more bytes than a page has; the first page, and a later one */
	put_u32(data + pages + 8, 0xffff, false);
	write_file(bad, data, size);
	check_fails("report", bad, 1, "the first page of a CPU is damaged");
	put_u32(data + pages + 8, 100, false);
	at = data + pages + PAGE + 8;
	memcpy(commit, at, sizeof(commit));
	put_u32(at, 0xffff, false);
	write_file(bad, data, size);
	check_fails("report", bad, 1, "a page of CPU 0 is damaged");
	check_fails("top", bad, 1, "a page of CPU 0 is damaged");
	memcpy(at, commit, sizeof(commit));
	/* the second page and the third one are swapped */
	put_u32(data + pages + 8, first, false);
	memcpy(page, data + pages + PAGE, PAGE);
	memcpy(data + pages + PAGE, data + pages + 2 * PAGE, PAGE);
	memcpy(data + pages + 2 * PAGE, page, PAGE);
	write_file(bad, data, size);
	for (i = 0; i < COUNT(unordered); i++)
		check_fails(unordered[i], bad, 1, " ns before the event in front of it; ");

	check_fails("report", dir, 0, "tick:");
	check_fails("report --wall", dat, 1, "does not tell the wall clock");
	check_fails("report --from 12:00:00", dat, 1, "does not tell the wall clock");
	check_fails("report --follow", dat, 2, "--follow is of a trace that tring records");
	check_fails("convert --to trace.dat", dat, 1, "it is a trace.dat already");
	check_fails("info", dat, 0, "clock            mono\n");
	/* of the events there are 2042 */
	check_fails("info", dat, 0, "\nformats          ");
	at = make_path("%s:other", dat);
	check_fails("report", at, 1, "the file has no such instance");
	free(at);
	free(data);
}

/*
 * An instance "i" with the events of the main buffer takes the place of an option of the same
 * size, the version of tring.
 */
static void check_instance(const char *dat)
{
	static const char version[] = "tring " TRING_VERSION;
	char *path = make_path("%s/instance.dat", temp_dir());
	char *name = make_path("%s:i", path), *at, *table;
	size_t size;
	char *data = load(dat, &size);

	at = find(data, size, version, sizeof(version)) - 6;
	*at = 3;
	put_u64(at + 6, size, false);
	memcpy(at + 14, "i", 2);
	table = find(data, size, "flyrecord", 10);
	memcpy(data + size, table, 10 + 12 * 16);
	write_file(path, data, size + PAGE);
	check_same("$TRING report %s", dat, path);
	check_same("$TRING report -c 11 %s", dat, name);
	check_fails("report", path, 0, "the events of the instance i are in ");
	check_fails("info", path, 0, "instance         i\n");
	free(data);
}

/* As a kernel of 32 bits: the bytes in use have 4 bytes in a page's head. */
static void check_long(const char *dat)
{
	char *path = make_path("%s/long.dat", temp_dir());
	size_t size, at;
	char *data = load(dat, &size), *text;

	data[13] = 4;
	text = find(data, size, "commit;\toffset:8;\tsize:8", 24);
	text[23] = '4';
	text = find(data, size, "data;\toffset:16", 15);
	text[14] = '2';
	at = find(data, size, "flyrecord", 10) - data;
	for (at = (at + PAGE) / PAGE * PAGE; at < size; at += PAGE)
		memmove(data + at + 12, data + at + 16, PAGE - 16);
	write_file(path, data, size);
	check_same("$TRING report %s", dat, path);
	check_fails("info", path, 0, "long_size        4\n");
	free(data);
}

/* Options that convert the times, each in a page of its own before the table of the CPUs. */
static const struct {
	unsigned int id;
	const char *content;
	size_t size;
	const char *first;
} times[] = {
	{ 1, "0x7a120", 8, " 2.000000: tick:" },
	{ 7, "-500000000", 11, " 1.000000: tick:" },
	/* cycles, twice a nanosecond: multiplied and shifted */
	{ 14, "\x04\0\0\0\x03\0\0\0\0\0\0\0\0\0\0\0", 16, " 0.750000: tick:" },
	/* a guest's CPU 0: one sample has its time, its offset and its scale */
	{ 12, "\x01\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0"
	      "\0\0\0\0\0\0\0\0\0\x65\xcd\x1d\0\0\0\0\x01\0\0\0\0\0\0\0",
	  44, " 2.000000: tick:" },
	/* two, at 1 s and 2 s, and the time is between them */
	{ 12, "\x01\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0\x02\0\0\0"
	      "\0\xca\x9a\x3b\0\0\0\0\0\x94\x35\x77\0\0\0\0"
	      "\0\0\0\0\0\0\0\0\0\xca\x9a\x3b\0\0\0\0"
	      "\x01\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0",
	  68, " 2.000000: tick:" },
};

static void check_times(const char *dat)
{
	char *path = make_path("%s/times.dat", temp_dir());
	size_t size, i, cpu;
	char *data = load(dat, &size), *at = find(data, size, "options  ", 10) + 10, *table;

	memmove(at + PAGE, at, data + size - at);
	table = find(at + PAGE, data + size - at, "flyrecord", 10) + 10;
	size += PAGE;
	for (cpu = 0; cpu < 12; cpu++) {
		uint64_t offset = tring_load_u64(table + cpu * 16, false);

		put_u64(table + cpu * 16, offset + PAGE, false);
	}
	for (i = 0; i < COUNT(times); i++) {
		memset(at, 0, PAGE);
		at[0] = times[i].id;
		put_u32(at + 2, PAGE - 6, false);
		memcpy(at + 6, times[i].content, times[i].size);
		write_file(path, data, size);
		check_run(0, times[i].first, "$TRING report -c 0 %s 2>&1 | head -n 1", path);
		check_run(0, times[i].first, "trace-cmd report --cpu 0 -i %s 2>/dev/null", path);
	}
	free(data);
}

/*
 * A loss is told although the first event of the page is a discarded one behind an extended
 * time, and a length that leads back to its own record ends the page, and no more.
 */
static void check_page(const char *dat)
{
	char *path = make_path("%s/page.dat", temp_dir());
	size_t size;
	char *data = load(dat, &size), *at = find(data, size, "flyrecord", 10), *page;
	uint32_t length;

	page = data + (at - data + PAGE) / PAGE * PAGE + PAGE + 16;
	length = (page[0] & 31) * 4;
	put_u32(page, 30, false);
	put_u32(page + 4, 0, false);
	put_u32(page + 8, 29 | 1 << 5, false);
	put_u32(page + 12, length - 8, false);
	write_file(path, data, size);
	check_run(0, "CPU:0 [LOST 3 EVENTS]", "$TRING report %s", path);
	put_u32(page + 12, -4, false);
	write_file(path, data, size);
	check_run(1, "LOST 3 EVENTS]", "$TRING report %s", path);
	check_run(1, "page.dat: offset 0x", "$TRING report %s", path);
	free(data);
}

/* Many options that lead to one section, which would be decompressed for each. */
static void check_many_sections(void)
{
	static const char head[] = "\x17\x08\x44tracing7\0\0\x08\0\x10\0\0none\0";
	char *path = make_path("%s/many.dat", temp_dir());
	uint8_t file[PAGE] = { 0 }, *at = file + sizeof(head), *section = at + 8, *options;
	unsigned int i;

	memcpy(file, head, sizeof(head));
	/* kallsyms, without a symbol */
	section[0] = 19;
	options = section + 16 + 4;
	put_u64(at, options - file, false);
	for (i = 0, at = options + 16; i < 100; i++, at += 14) {
		at[0] = 19;
		put_u32(at + 2, 8, false);
		put_u64(at + 6, section - file, false);
	}
	write_file(path, file, sizeof(file));
	check_fails("report", path, 1, "a section: the options name more than any trace.dat has");
}

int main(void)
{
	char *dir = make_path("%s/le", temp_dir()), *dat = make_path("%s.dat", dir);

	if (!have("trace-cmd")) {
		printf("trace-cmd is not installed\n");
		return SKIPPED;
	}
	check_order(false, "le");
	check_order(true, "be");
	check_silent_cpu();
	check_merged(dir, dat);
	check_wall(dir);
	check_errors(dir, dat);
	check_instance(dat);
	check_long(dat);
	check_times(dat);
	check_page(dat);
	check_many_sections();
	return 0;
}
