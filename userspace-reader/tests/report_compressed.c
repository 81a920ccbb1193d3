// SPDX-License-Identifier: GPL-2.0
/* Description: a compressed trace is read in place as a plain one is; damage costs its frame. */
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "helpers.h"
#include "record/compressor.h"
#include "trace/frames.h"

#define FRAMES		12
#define PACKETS		5
#define EVENTS		10
#define ALL		(FRAMES * PACKETS * EVENTS)
#define MS		1000000ull

static struct builder builder;
static size_t frames[FRAMES + 1];
static char *plain, *compressed, *file;

/* Frame i begins at (i + 1) * 100 ms; behind the fourth packet of each 3 events are lost. */
static void build(void)
{
	unsigned int i;

	build_init(&builder, false, 0);
	for (i = 0; i < FRAMES * PACKETS; i++) {
		builder.discarded += i % PACKETS == 3 ? 3 : 0;
		build_packet(&builder, (100 + i * 100 / PACKETS) * MS, EVENTS);
	}
}

static void write_trace(const char *dir)
{
	char *path = make_path("%s/tring/cpu0.start", dir);

	make_trace(dir, false);
	write_text(path, "read: 0\noverwritten: 0\nrefused_no_room: 0\n");
	path = make_path("%s/tring/cpu0.end", dir);
	write_text(path, "read: 600\noverwritten: 0\nrefused_no_room: 36\n");
}

static size_t size_of_packets(size_t at, unsigned int count)
{
	size_t begin = at;
	struct tring_packet packet;

	while (count--) {
		CHECK_EQ(tring_packet_parse(builder.bytes + at, builder.size - at, &packet), 0);
		at += packet.packet_size;
	}
	return at - begin;
}

static void compress(int fd, unsigned int from, unsigned int to, uint64_t size)
{
	struct tring_compressor compressor = { .level = 1, .size = size };
	size_t at = size_of_packets(0, from * PACKETS), part;
	int error;

	for (; from < to; from++) {
		frames[from] = atomic_load(&compressor.size);
		part = size_of_packets(at, PACKETS);
		CHECK_EQ(tring_compressor_append(&compressor, fd, builder.bytes + at, part,
						 &error), part);
		CHECK_EQ(error, 0);
		at += part;
	}
	frames[to] = atomic_load(&compressor.size);
	tring_compressor_free(&compressor);
}

static void write_compressed(void)
{
	int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	CHECK(fd >= 0);
	compress(fd, 0, FRAMES, 0);
	close(fd);
}

static char *run_on(const char *command, const char *dir, int status)
{
	return run_here(make_path("%s %s", command, dir), status);
}

static int report_ranges(int argc, char **argv)
{
	unsigned int from, to;

	CHECK_EQ(argc, 2);
	for (from = 0; from < FRAMES * 100; from += 90)
		for (to = from + 20; to < FRAMES * 100; to += 170)
			report_range(argv[1], from, to);
	return 0;
}

static void check_whole(void)
{
	check_same_text("$TRING report", "plain", "packed");
	check_same_text("$TRING report --json", "plain", "packed");
	check_same_text("$TRING report --follow", "plain", "packed");
	check_same_text("$TRING report -F 'tick: value >= 0'", "plain", "packed");
	check_same_text("$TRING top", "plain", "packed");
	check_same_text("$TRING top losses", "plain", "packed");
	check_same_text("$TRING info", "plain", "packed");
	run_on("$TRING sql -o csv packed 'SELECT count(DISTINCT rowid) FROM events'",
	       "| grep -x 600", 0);
	check_same_text("f() { $TRING convert --to trace.dat -o dat \"$1\" && cksum <dat; }; f",
			"plain", "packed");
	check_same_reports(report_ranges, plain, compressed);
}

/* zstd makes a plain trace of it, in place. */
static void check_program(void)
{
	char *output;

	if (!have("zstd"))
		return;
	run_on("zstd -q -t", "packed/cpu0.zst", 0);
	run_on("cp -r packed unpacked && zstd -q -d --rm", "unpacked/cpu0.zst", 0);
	run_on("cmp plain/cpu0", "unpacked/cpu0", 0);
	output = run_on("ls", "unpacked", 0);
	CHECK(!strcmp(output, "cpu0\nmetadata\ntring\n"));
	if (!run("command -v babeltrace2", &output)) {
		output = run_on("babeltrace2 2>/dev/null", "unpacked | grep -c tick", 0);
		CHECK_EQ(atoi(output), ALL);
	}
}

/* @events: events that are left */
static void check_both(unsigned int events, const char *said, const char *also)
{
	char *output = run_on("$TRING report", "packed", 1), *line = output;
	unsigned int count = 0;

	if (!strstr(output, said) || !strstr(output, also)) {
		fprintf(stderr, "printed:\n%s", output);
		fail(said, 0, also);
	}
	while ((line = strstr(line, ": tick: "))) {
		count++;
		line++;
	}
	CHECK_EQ(count, events);
}

static void check_said(unsigned int events, const char *said)
{
	check_both(events, said, "");
}

static void patch(size_t at, uint8_t mask)
{
	int fd = open(file, O_RDWR);
	uint8_t byte;

	CHECK_EQ(pread(fd, &byte, 1, at), 1);
	byte ^= mask;
	CHECK_EQ(pwrite(fd, &byte, 1, at), 1);
	close(fd);
}

/* Damage of the head, of the content, of the checksum: the frame is lost, and nothing else. */
static void check_damage(void)
{
	static const unsigned int damaged[] = { 0, 3, FRAMES - 1 };
	char *said;
	size_t i;

	for (i = 0; i < COUNT(damaged); i++) {
		size_t at = frames[damaged[i]], end = frames[damaged[i] + 1];
		size_t places[] = { 0, 9, 15, 48, 52, TRING_FRAME_HEAD_SIZE,
				    TRING_FRAME_HEAD_SIZE + 20, end - at - 1 };
		size_t j;

		for (j = 0; j < COUNT(places); j++) {
			patch(at + places[j], 0x11);
			said = make_path("packed/cpu0.zst: offset 0x%zx: ", at);
			check_both(ALL - PACKETS * EVENTS, said,
				   "packed/cpu0.zst: 50 of 600 recorded events are missing");
			patch(at + places[j], 0x11);
		}
	}
	/* what is damaged in the middle is missing there */
	patch(frames[3] + 100, 0x11);
	check_said(ALL - PACKETS * EVENTS, "CPU:0 [5 PACKETS MISSING]");
	patch(frames[3] + 100, 0x11);
	patch(frames[5] + 15, 2);
	check_said(ALL - PACKETS * EVENTS, "is of another version of tring; ");
	patch(frames[5] + 15, 2);
	check_same_text("$TRING report", "plain", "packed");
}

/* A kill may tear the last frame anywhere. */
static void check_torn(void)
{
	size_t last = frames[FRAMES - 1], cut, step = 1;

	for (cut = frames[FRAMES] - 1; cut > last; cut -= step) {
		CHECK_EQ(truncate(file, cut), 0);
		check_said(ALL - PACKETS * EVENTS, cut - last < TRING_FRAME_HEAD_SIZE ?
			   "the head of the last frame is torn; " : "the last frame is torn; ");
		step = cut - last > 20 ? 19 : 3;
		if (cut - last <= step)
			break;
	}
	CHECK_EQ(truncate(file, last), 0);
	check_said(ALL - PACKETS * EVENTS, "50 of 600 recorded events are missing");
	CHECK_EQ(truncate(file, 0), 0);
	check_said(0, "600 of 600 recorded events are missing");
	write_compressed();
}

/* What is in a packet is named by its frame; the other records of the packet are read. */
static void check_packet(void)
{
	struct builder good = builder;

	/* a short type that the packet has no length for */
	put_u32(builder.bytes + size_of_packets(0, 2 * PACKETS) + TRING_PACKET_HEADER_SIZE, 27,
		false);
	write_compressed();
	check_said(ALL - 1, make_path("packed/cpu0.zst: frame at 0x%zx: offset 0x70: ", frames[2]));
	builder = good;
	write_compressed();
}

static void check_foreign(void)
{
	if (have("zstd")) {
		run_on("zstd -q -f -o packed/cpu0.zst", "plain/cpu0", 0);
		check_said(0, "0x0: a frame of zstd without tring's head; \"zstd -d\" may read");
	}
	write_text(file, "this is no frame, and no packet");
	check_said(0, "packed/cpu0.zst: offset 0x0: ");
	write_compressed();
	/* the plain file counts if both are there */
	run_on("cp plain/cpu0", "packed && echo >packed/cpu0.zst", 0);
	check_same_text("$TRING report", "plain", "packed");
	run_on("rm", "packed/cpu0", 0);
	write_compressed();
}

static void check_dump(void)
{
	char *output = run_on("$TRING dump", "packed/cpu0.zst", 0), *line = output;
	char *said = make_path("frame at 0x%zx: %zu bytes, ", frames[1], frames[2] - frames[1]);
	unsigned int count = 0;

	CHECK(strstr(output, said));
	while ((line = strstr(line, "frame at "))) {
		count++;
		line++;
	}
	CHECK_EQ(count, FRAMES);
	run_on("cp packed/cpu0.zst loose && $TRING dump >/dev/null", "loose", 0);
	CHECK_EQ(truncate(file, frames[FRAMES] - 5), 0);
	output = run_on("$TRING dump", "packed/cpu0.zst", 1);
	CHECK(strstr(output, "the last frame is torn"));
	write_compressed();
}

/* Return: what a line of JSON has of the last event of a frame. */
static const char *last_event(unsigned int frame)
{
	static char text[64];

	snprintf(text, sizeof(text), "{\"ts\":%llu,",
		 (100 + (frame * PACKETS + PACKETS - 1) * 100 / PACKETS) * MS + EVENTS - 1);
	return text;
}

/* The file comes late, and grows by a frame in pieces. */
static void check_followed(void)
{
	char *out = make_path("%s/followed", temp_dir()), *output;
	static char bytes[65536];
	int recorder = hold_trace(compressed), fd, status;
	pid_t pid;

	run_on("mv packed/tring/cpu0.end", "ended", 0);
	fd = open(file, O_RDONLY);
	CHECK_EQ(read(fd, bytes, sizeof(bytes)), frames[FRAMES]);
	close(fd);
	CHECK_EQ(unlink(file), 0);
	write_text(out, "");
	pid = start_tring(out, "report --json --follow %s", compressed);
	/* the first line comes before any event */
	wait_for_text(out, "\n");
	fd = open(file, O_WRONLY | O_CREAT, 0644);
	CHECK_EQ(write(fd, bytes, frames[3]), frames[3]);
	wait_for_text(out, last_event(2));
	CHECK_EQ(write(fd, bytes + frames[3], frames[7] + 30 - frames[3]),
		 frames[7] + 30 - frames[3]);
	wait_for_text(out, last_event(6));
	CHECK_EQ(write(fd, bytes + frames[7] + 30, frames[FRAMES] - frames[7] - 30),
		 frames[FRAMES] - frames[7] - 30);
	wait_for_text(out, last_event(FRAMES - 1));
	run_on("mv ended", "packed/tring/cpu0.end", 0);
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		fail(read_file(out), status, "followed");
	output = run_on("$TRING report --json plain | cmp - followed; true", "", 0);
	if (*output)
		fail(output, 0, "followed");
	close(fd);
	close(recorder);
}

int main(void)
{
	plain = make_path("%s/plain", temp_dir());
	compressed = make_path("%s/packed", temp_dir());
	file = make_path("%s/cpu0.zst", compressed);
	build();
	write_trace(plain);
	write_trace(compressed);
	write_file(make_path("%s/cpu0", plain), builder.bytes, builder.size);
	write_compressed();
	check_whole();
	check_program();
	check_dump();
	check_damage();
	check_torn();
	check_packet();
	check_foreign();
	check_followed();
	return 0;
}
