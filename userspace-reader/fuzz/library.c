// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: what a program can ask the library of a trace, of a ring and of a stream, and how it
 * describes a trace. The input has the files one behind the other; the letter behind a mark says
 * which file follows, as for report.c. One of them says which way the trace is opened.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <tring.h>
#include <unistd.h>

#include "fake_kernel.h"
#include "fuzz.h"
#include "trace/kernel.h"

#define CPUS	2
#define PARTS	3
#define FORMATS	8

/* Room for a path. */
#define PATH	128

static const struct {
	char letter;
	const char *name;
} files[] = {
	{ 'i', "trace_info" }, { 's', "short_ids" }, { 'k', "kallsyms" },
	{ 'p', "printk_formats" }, { 't', "saved_cmdlines" }, { 'g', "tasks" },
	{ 'b', "cpu0.start" }, { 'e', "cpu0.end" }, { 'B', "cpu1.start" }, { 'E', "cpu1.end" },
	{ 'd', "cpu0.dropped" },
};

/* In memory, because each input makes its files and removes them. */
static char top[] = "/dev/shm/tring-fuzz-XXXXXX";
static char *trace_dir, *ring_dir, *made_dir;

/**
 * struct put - the files of an input
 * @dir: the trace, or its last part
 * @parts: number of parts
 * @cpus: number of CPUs of the part
 * @begun: of the packets only the first half is there
 * @options: for fuzz_read(), to free()
 */
struct put {
	char		dir[PATH];
	unsigned int	parts;
	unsigned int	cpus;
	bool		begun;
	char		*options;
};

/* Replace the reader's: the symbols and the tasks of the running kernel would take seconds. */
bool tring_kernel_has_symbols(const struct tring_events *events, const bool *ids)
{
	(void)events;
	(void)ids;
	return false;
}

void tring_kernel_names(struct tring_names *names, const char *tracing, char **tasks)
{
	(void)names;
	(void)tracing;
	if (tasks)
		*tasks = NULL;
}

/* Replaces the C library's: an input can have the markers of a ring that is consumed. */
pid_t getpid(void)
{
	return 42;
}

static void put_in(const char *dir, const char *name, const uint8_t *bytes, size_t size)
{
	char path[2 * PATH];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	CHECK(fd >= 0);
	CHECK_EQ(write(fd, bytes, size), size);
	close(fd);
}

/* As fuzz_add_format() takes it. */
static void put_format(const char *dir, const uint8_t *bytes, size_t size)
{
	char path[2 * PATH], name[64], *text;
	int at;

	if (!size)
		return;
	text = fuzz_text(bytes + 1, size - 1);
	if (sscanf(text, "name: %63[A-Za-z0-9_]", name) == 1) {
		at = snprintf(path, sizeof(path), "%s/tring/events", dir);
		mkdir(path, 0755);
		at += snprintf(path + at, sizeof(path) - at, "/%s",
			       fuzz_systems[*bytes % FUZZ_SYSTEMS]);
		mkdir(path, 0755);
		snprintf(path + at, sizeof(path) - at, "/%s", name);
		mkdir(path, 0755);
		put_in(path, "format", bytes + 1, size - 1);
	}
	free(text);
}

/* The ring has what the first part has. */
static void put_cpu(struct put *put, const char *suffix, const uint8_t *bytes, size_t size)
{
	char name[PATH];

	snprintf(name, sizeof(name), "cpu%u%s", put->cpus, suffix);
	put_in(put->dir, name, bytes, put->begun ? size / 2 : size);
	snprintf(name, sizeof(name), "per_cpu/cpu%u/trace_raw_compact", put->cpus++);
	if (put->parts < 2)
		put_in(ring_dir, name, bytes, size);
}

static void begin_dir(const char *dir)
{
	char path[2 * PATH];

	snprintf(path, sizeof(path), "%s/tring", dir);
	mkdir(dir, 0755);
	mkdir(path, 0755);
}

/* What came before it is of no part. */
static void begin_part(struct put *put)
{
	if (put->parts == PARTS)
		return;
	put->cpus = 0;
	snprintf(put->dir, sizeof(put->dir), "%s/%06u", trace_dir, ++put->parts);
	begin_dir(put->dir);
}

static void put_part(struct put *put, const uint8_t *bytes, size_t size)
{
	char path[2 * PATH], letter = *bytes++;
	size_t i;

	size--;
	if (letter == 'n')
		begin_part(put);
	if (letter == 'f')
		put_format(put->dir, bytes, size);
	if (letter == 'c' && put->cpus < CPUS)
		put_cpu(put, "", bytes, size);
	if (letter == 'z' && put->cpus < CPUS)
		put_cpu(put, ".zst", bytes, size);
	if (letter == 'o' && !put->options)
		put->options = fuzz_text(bytes, size);
	snprintf(path, sizeof(path), "%s/tring", put->dir);
	for (i = 0; i < COUNT(files); i++) {
		if (files[i].letter != letter)
			continue;
		put_in(path, files[i].name, bytes, size);
		if (i < 2)
			put_in(ring_dir, files[i].name, bytes, size);
	}
}

/* The ring has nothing of another input. */
static void empty_ring(void)
{
	char name[PATH];
	unsigned int i;

	for (i = 0; i < 2; i++)
		put_in(ring_dir, files[i].name, NULL, 0);
	for (i = 0; i < CPUS; i++) {
		snprintf(name, sizeof(name), "per_cpu/cpu%u/trace_raw_compact", i);
		put_in(ring_dir, name, NULL, 0);
	}
}

static struct put put_all(const uint8_t *bytes, size_t size, bool begun)
{
	struct put put = { .begun = begun };
	size_t part;

	empty_ring();
	snprintf(put.dir, sizeof(put.dir), "%s", trace_dir);
	begin_dir(put.dir);
	while (size) {
		const uint8_t *start = fuzz_part(&bytes, &size, &part);

		if (part)
			put_part(&put, start, part);
	}
	return put;
}

static void remove_top(void)
{
	remove_tree(top);
}

/* The ring has the events of the trace. Its size is what is read of it at once. */
static void make_top(void)
{
	unsigned int cpu;

	fuzz_without_plugins = true;
	CHECK(mkdtemp(top));
	atexit(remove_top);
	ring_dir = make_path("%s/tring", top);
	trace_dir = make_path("%s/trace", top);
	make_ring(ring_dir);
	made_dir = make_path("%s/made", top);
	write_text(make_path("%s/tracing_on", ring_dir), "1\n");
	write_text(make_path("%s/trace_marker", ring_dir), "");
	for (cpu = 0; cpu < CPUS; cpu++) {
		char *packets = make_path("%s/per_cpu/cpu%u/trace_raw_compact", ring_dir, cpu);
		char *pipe = make_path("%s/per_cpu/cpu%u/trace_pipe_raw_compact", ring_dir, cpu);

		write_text(make_path("%s/per_cpu/cpu%u/buffer_size_kb", ring_dir, cpu), "4\n");
		write_text(packets, "");
		unlink(pipe);
		CHECK(!link(packets, pipe));
	}
	CHECK(!symlink(make_path("%s/tring/events", trace_dir), make_path("%s/events", top)));
	CHECK(!setenv("TRING_TRACING_DIR", top, 1));
}

static void read_dir(const uint8_t *bytes, size_t size)
{
	const struct put put = put_all(bytes, size, false);
	struct tring_trace *trace;

	if (!tring_open(&trace, trace_dir, &fuzz_options))
		fuzz_read(trace, put.options);
	tring_close(trace);
	free(put.options);
}

static void read_ring(const uint8_t *bytes, size_t size)
{
	const struct put put = put_all(bytes, size, false);
	struct tring_trace *trace;

	if (!tring_open_ring(&trace, NULL, &fuzz_options))
		fuzz_read(trace, put.options);
	tring_close(trace);
	free(put.options);
}

static void read_both(const uint8_t *bytes, size_t size)
{
	const struct put put = put_all(bytes, size, false);
	struct tring_trace *both[2];

	tring_open(&both[0], trace_dir, &fuzz_options);
	tring_open_ring(&both[1], NULL, &fuzz_options);
	if (!tring_join(both, 2, put.options))
		fuzz_read(both[1], NULL);
	tring_close(both[0]);
	tring_close(both[1]);
	free(put.options);
}

/* Of the files only a part was there so far. */
static void read_growing(struct tring_trace *trace, const uint8_t *bytes, size_t size)
{
	unsigned int i;

	if (tring_follow(trace))
		return;
	fuzz_read_items(trace);
	free(put_all(bytes, size, false).options);
	for (i = 0; i < 2; i++) {
		tring_follow(trace);
		fuzz_read_items(trace);
	}
	tring_follow_end(trace);
	fuzz_read_items(trace);
	tring_check(trace);
}

static void follow(const uint8_t *bytes, size_t size)
{
	struct tring_trace *trace;

	free(put_all(bytes, size, true).options);
	if (!tring_open(&trace, trace_dir, &fuzz_options))
		read_growing(trace, bytes, size);
	tring_close(trace);
}

/* A packet may come in two parts. */
static void consume(const uint8_t *bytes, size_t size)
{
	struct tring_options options = fuzz_options;
	struct tring_trace *trace;

	options.consume = true;
	free(put_all(bytes, size, true).options);
	if (!tring_open_ring(&trace, NULL, &options))
		read_growing(trace, bytes, size);
	tring_close(trace);
}

/* What the library takes as a description describes a trace that it opens. */
static void check_described(const struct tring_described *what)
{
	struct tring_trace *made, *opened;
	int error = tring_describe(&made, made_dir, what, &fuzz_options);

	if (!error) {
		put_in(made_dir, "cpu0", NULL, 0);
		CHECK_EQ(tring_open(&opened, made_dir, &fuzz_options), 0);
		CHECK_EQ(tring_event_count(opened), tring_event_count(made));
		tring_close(opened);
	}
	tring_close(made);
	remove_tree(made_dir);
}

static void describe(const uint8_t *bytes, size_t size)
{
	struct tring_format_text formats[FORMATS];
	struct tring_described what = { .size = sizeof(what), .formats = formats };
	static const char letters[] = "ist";
	char *texts[3] = { NULL };
	size_t part, i;

	while (size) {
		const uint8_t *start = fuzz_part(&bytes, &size, &part);
		const char *at = part ? memchr(letters, *start, 3) : NULL;

		if (at && !texts[at - letters])
			texts[at - letters] = fuzz_text(start + 1, part - 1);
		if (part > 1 && *start == 'f' && what.format_count < FORMATS)
			formats[what.format_count++] = (struct tring_format_text) {
				fuzz_systems[start[1] % FUZZ_SYSTEMS],
				fuzz_text(start + 2, part - 2),
			};
	}
	what.info = texts[0] ? texts[0] : "";
	what.short_ids = texts[1];
	what.tasks = texts[2];
	check_described(&what);
	for (i = 0; i < what.format_count; i++)
		free((char *)formats[i].text);
	for (i = 0; i < COUNT(texts); i++)
		free(texts[i]);
}

/* Return: the way that the input says. */
static uint8_t find_way(const uint8_t *bytes, size_t size)
{
	uint8_t way = 0;
	size_t part;

	while (size) {
		const uint8_t *start = fuzz_part(&bytes, &size, &part);

		if (part > 1 && *start == 'w')
			way = start[1] - '0';
	}
	return way;
}

/* The packets of the first CPU, as through a pipe. */
static void read_stream(const uint8_t *bytes, size_t size)
{
	struct tring_options options = fuzz_options;
	const struct put put = put_all(bytes, size, false);
	char *path = make_path("%s/cpu0", trace_dir);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct tring_trace *trace;

	options.formats = find_way(bytes, size) & 0x80 ? NULL : trace_dir;
	if (!tring_open_fd(&trace, fd, &options))
		fuzz_read(trace, put.options);
	tring_close(trace);
	if (fd >= 0)
		close(fd);
	free(path);
	free(put.options);
}

int fuzz_input(const uint8_t *bytes, size_t size)
{
	static void (*const ways[FUZZ_WAYS])(const uint8_t *bytes, size_t size) = {
		read_dir, read_ring, read_both, follow, consume, describe, read_stream,
	};

	if (!trace_dir)
		make_top();
	ways[(find_way(bytes, size) & 0x7f) % FUZZ_WAYS](bytes, size);
	remove_tree(trace_dir);
	return 0;
}
