// SPDX-License-Identifier: GPL-2.0
/* What the reader's tests share. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "events.h"
#include "helpers.h"
#include "trace_dir.h"

void fail(const char *file, int line, const char *what)
{
	fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
	exit(1);
}

void fail_unless_equal(const char *file, int line, const char *what,
		       uint64_t a, uint64_t b)
{
	if (a == b)
		return;
	fprintf(stderr, "%s:%d: failed: %s: 0x%" PRIx64 " and 0x%" PRIx64 "\n",
		file, line, what, a, b);
	exit(1);
}

static void put(uint8_t *to, uint64_t value, unsigned int size, bool big_endian)
{
	unsigned int i;

	for (i = 0; i < size; i++)
		to[i] = value >> 8 * (big_endian ? size - 1 - i : i);
}

void put_u16(void *to, uint16_t value, bool big_endian)
{
	put(to, value, 2, big_endian);
}

void put_u32(void *to, uint32_t value, bool big_endian)
{
	put(to, value, 4, big_endian);
}

void put_u64(void *to, uint64_t value, bool big_endian)
{
	put(to, value, 8, big_endian);
}

const uint8_t *golden(bool big_endian)
{
	return big_endian ? tring_golden_be : tring_golden_le;
}

void build_init(struct builder *builder, bool big_endian, uint32_t cpu)
{
	memset(builder, 0, sizeof(*builder));
	builder->big_endian = big_endian;
	builder->cpu = cpu;
}

void build_begin(struct builder *builder, uint64_t stamp)
{
	uint8_t *header = builder->bytes + builder->size;
	bool big_endian = builder->big_endian;
	unsigned int i;

	builder->start = builder->size;
	builder->end = builder->start + TRING_PACKET_HEADER_SIZE;
	CHECK(builder->end < sizeof(builder->bytes));
	put_u32(header, TRING_PACKET_MAGIC, big_endian);
	for (i = 0; i < TRING_UUID_SIZE; i++)
		header[4 + i] = i;
	put_u32(header + 20, builder->cpu, big_endian);
	put_u64(header + 24, stamp, big_endian);
	put_u64(header + 48, builder->seq++, big_endian);
	put_u64(header + 56, builder->discarded, big_endian);
	builder->last = stamp;
}

uint8_t *build_record(struct builder *builder, uint64_t stamp, uint16_t id,
		      int32_t pid, uint32_t length)
{
	bool big_endian = builder->big_endian;
	bool compact = tring_stamp_is_compact(stamp, builder->last,
					      TRING_STAMP_BITS);
	unsigned int type = tring_header_type_for(length, compact);
	unsigned int size = tring_header_size(length, compact);
	uint8_t *record;

	builder->end = tring_record_align(builder->end);
	record = builder->bytes + builder->end;
	builder->end += size + length;
	CHECK(builder->end < sizeof(builder->bytes));
	put_u32(record, tring_header_pack(stamp, type, big_endian), big_endian);
	if (size > TRING_HEADER_WORDS_SIZE)
		put_u32(record + 4, length, big_endian);
	if (type == TRING_TYPE_EXTENDED)
		put_u64(record + 8, stamp, big_endian);
	put_u16(record + size, id, big_endian);
	put_u32(record + size + 4, pid, big_endian);
	builder->last = stamp;
	return record + size;
}

void build_end(struct builder *builder)
{
	uint8_t *header = builder->bytes + builder->start;
	size_t content = builder->end - builder->start;
	size_t packet = (content + 7) & ~(size_t)7;

	put_u64(header + 32, builder->last, builder->big_endian);
	put_u32(header + 40, content * 8, builder->big_endian);
	put_u32(header + 44, packet * 8, builder->big_endian);
	builder->size = builder->start + packet;
}

void build_packet(struct builder *builder, uint64_t stamp, unsigned int events)
{
	unsigned int i;

	build_begin(builder, stamp);
	for (i = 0; i < events; i++)
		build_record(builder, stamp + i, 342, 100 + builder->cpu, 16);
	build_end(builder);
}

static void note(const struct tring_stream *stream, uint64_t offset,
		 enum tring_reason reason, uint64_t skipped)
{
	struct findings *findings = stream->private;

	CHECK(findings->count < COUNT(findings->reason));
	findings->reason[findings->count] = reason;
	findings->offset[findings->count] = offset;
	findings->skipped[findings->count++] = skipped;
}

void stream_with_findings(struct tring_stream *stream,
			  struct findings *findings, const void *data,
			  size_t size)
{
	memset(findings, 0, sizeof(*findings));
	tring_stream_init(stream, data, size);
	stream->report = note;
	stream->private = findings;
}

static char temporary[] = "/tmp/tring-test-XXXXXX";

static int remove_entry(const char *path, const struct stat *info, int type,
			struct FTW *walk)
{
	(void)info;
	(void)type;
	(void)walk;
	return remove(path);
}

static void remove_temporary(void)
{
	nftw(temporary, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

const char *temp_dir(void)
{
	static bool made;

	if (!made) {
		CHECK(mkdtemp(temporary));
		atexit(remove_temporary);
		made = true;
	}
	return temporary;
}

char *make_path(const char *format, ...)
{
	va_list args;
	char *path;

	va_start(args, format);
	CHECK(vasprintf(&path, format, args) >= 0);
	va_end(args);
	return path;
}

static void make_parents(const char *path)
{
	char *copy = strdup(path), *at = copy;

	while ((at = strchr(at + 1, '/'))) {
		*at = 0;
		CHECK(!mkdir(copy, 0755) || errno == EEXIST);
		*at = '/';
	}
	free(copy);
}

void write_file(const char *path, const void *data, size_t size)
{
	FILE *file;

	make_parents(path);
	file = fopen(path, "w");
	CHECK(file);
	CHECK(fwrite(data, 1, size, file) == size);
	CHECK(!fclose(file));
}

void write_text(const char *path, const char *text)
{
	write_file(path, text, strlen(text));
}

static char *read_stream(FILE *file)
{
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);
	int byte;

	CHECK(memory);
	while ((byte = getc(file)) != EOF)
		putc(byte, memory);
	fclose(memory);
	return text;
}

char *read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text;

	CHECK(file);
	text = read_stream(file);
	fclose(file);
	return text;
}

const char *test_env(const char *name)
{
	const char *value = getenv(name);

	if (!value) {
		fprintf(stderr, "%s is not set: run this test by run.sh\n",
			name);
		exit(1);
	}
	return value;
}

/* Runs a shell command with $TRING set; output is stdout and stderr. */
int run(const char *command, char **output)
{
	char *line = make_path("{ %s ; } 2>&1", command);
	FILE *pipe;
	int status;

	test_env("TRING");
	fflush(stdout);
	pipe = popen(line, "r");
	CHECK(pipe);
	*output = read_stream(pipe);
	status = pclose(pipe);
	CHECK(WIFEXITED(status));
	free(line);
	return WEXITSTATUS(status);
}

char *info_text(bool big_endian)
{
	return make_path("format_version=1\n"
			 "uuid=00010203-0405-0607-0809-0a0b0c0d0e0f\n"
			 "byte_order=%s\nclock=mono\n"
			 "clock_frequency=1000000000\n"
			 "clock_offset=1700000000000000000\n"
			 "hostname=test \"host\"\nlater_key=1\n",
			 big_endian ? "be" : "le");
}

/* A trace as tring record leaves it, without streams, of the fixture events. */
void make_trace(const char *dir, bool big_endian)
{
	char *formats = make_path("%s/golden/formats", test_env("TRING_TESTS"));
	char *info = info_text(big_endian);
	struct tring_trace_info parsed;
	struct tring_events events;

	CHECK_EQ(tring_trace_info_parse(&parsed, info, "test"), 0);
	CHECK_EQ(tring_events_init(&events), 0);
	CHECK_EQ(tring_events_add_all(&events, formats), 0);
	CHECK(events.count);
	CHECK_EQ(tring_trace_dir_create(dir), 0);
	CHECK_EQ(tring_trace_dir_extra(dir, TRING_FILE_INFO, info), 0);
	CHECK_EQ(tring_trace_dir_extra(dir, TRING_FILE_CMDLINES,
				       "100 zero\n101 one\n"), 0);
	CHECK_EQ(tring_trace_dir_events(dir, &events), 0);
	CHECK_EQ(tring_trace_dir_metadata(dir, &parsed, &events), 0);
	tring_events_free(&events);
	free(info);
	free(formats);
}
