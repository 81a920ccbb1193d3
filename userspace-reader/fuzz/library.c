// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: what a program can ask the library of a trace, and of a ring. The input has the
 * files one behind the other; the letter behind a mark says which file follows, as for report.c.
 */
#include <sys/stat.h>
#include <tring.h>
#include <unistd.h>

#include "fake_kernel.h"
#include "fuzz.h"
#include "trace/kernel.h"

#define CPUS	2

static const struct {
	char letter;
	const char *name;
} files[] = {
	{ 'i', "trace_info" }, { 's', "short_ids" }, { 'k', "kallsyms" },
	{ 'p', "printk_formats" }, { 't', "saved_cmdlines" }, { 'b', "cpu0.start" },
	{ 'e', "cpu0.end" },
};

static char *top, *trace_dir, *ring_dir;

/* Replaces the reader's: the symbols of the running kernel would take seconds each time. */
bool tring_kernel_has_symbols(const struct tring_events *events, const bool *ids)
{
	(void)events;
	(void)ids;
	return false;
}

static void put_in(const char *dir, const char *name, const uint8_t *bytes, size_t size)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	write_file(path, bytes, size);
}

/* As fuzz_add_format() takes it. */
static void put_format(const uint8_t *bytes, size_t size)
{
	static const char * const systems[] = { "testing", "sched", "ftrace", "syscalls" };
	char path[512], name[64], *text;
	int at;

	if (!size)
		return;
	text = fuzz_text(bytes + 1, size - 1);
	if (sscanf(text, "name: %63[A-Za-z0-9_]", name) == 1) {
		at = snprintf(path, sizeof(path), "%s/tring/events", trace_dir);
		mkdir(path, 0755);
		at += snprintf(path + at, sizeof(path) - at, "/%s",
			       systems[*bytes % COUNT(systems)]);
		mkdir(path, 0755);
		snprintf(path + at, sizeof(path) - at, "/%s", name);
		mkdir(path, 0755);
		put_in(path, "format", bytes + 1, size - 1);
	}
	free(text);
}

static void put_cpu(unsigned int cpu, const uint8_t *bytes, size_t size)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/cpu%u", trace_dir, cpu);
	write_file(path, bytes, size);
	snprintf(path, sizeof(path), "%s/per_cpu/cpu%u/trace_raw_compact", ring_dir, cpu);
	write_file(path, bytes, size);
}

static void put_part(char letter, const uint8_t *bytes, size_t size, unsigned int *cpus)
{
	char path[512];
	size_t i;

	if (letter == 'f')
		put_format(bytes, size);
	if (letter == 'c' && *cpus < CPUS)
		put_cpu((*cpus)++, bytes, size);
	snprintf(path, sizeof(path), "%s/tring", trace_dir);
	for (i = 0; i < COUNT(files); i++) {
		if (files[i].letter != letter)
			continue;
		put_in(path, files[i].name, bytes, size);
		if (i < 2)
			put_in(ring_dir, files[i].name, bytes, size);
	}
}

/* Return: the options of the input, as text to free(). */
static char *put_all(const uint8_t *bytes, size_t size)
{
	unsigned int cpus = 0;
	char *options = NULL;
	size_t part;

	while (size) {
		const uint8_t *start = fuzz_part(&bytes, &size, &part);

		if (part && *start == 'o' && !options)
			options = fuzz_text(start + 1, part - 1);
		else if (part)
			put_part(*start, start + 1, part - 1, &cpus);
	}
	while (cpus < CPUS)
		put_cpu(cpus++, NULL, 0);
	return options;
}

/* The ring has the events of the trace. */
static void make_top(void)
{
	top = make_path("%s/tracing", temp_dir());
	ring_dir = make_path("%s/tring", top);
	trace_dir = make_path("%s/trace", temp_dir());
	make_ring(ring_dir);
	CHECK(!symlink(make_path("%s/tring/events", trace_dir), make_path("%s/events", top)));
	CHECK(!setenv("TRING_TRACING_DIR", top, 1));
}

int fuzz_input(const uint8_t *bytes, size_t size)
{
	struct tring_trace *trace, *both[2];
	char path[512], *options;

	if (!top)
		make_top();
	snprintf(path, sizeof(path), "%s/tring", trace_dir);
	CHECK(!mkdir(trace_dir, 0755) && !mkdir(path, 0755));
	options = put_all(bytes, size);
	if (!tring_open(&trace, trace_dir, NULL))
		fuzz_read(trace, options);
	tring_close(trace);
	if (!tring_open_ring(&trace, NULL, NULL))
		fuzz_read(trace, options);
	tring_close(trace);
	if (!tring_open(&trace, trace_dir, NULL) && !tring_follow(trace)) {
		fuzz_read_items(trace);
		tring_follow_end(trace);
		fuzz_read_items(trace);
		tring_check(trace);
	}
	tring_close(trace);
	tring_open(&both[0], trace_dir, NULL);
	tring_open_ring(&both[1], NULL, NULL);
	if (!tring_join(both, 2, options))
		fuzz_read(both[1], options);
	tring_close(both[0]);
	tring_close(both[1]);
	free(options);
	remove_tree(trace_dir);
	return 0;
}
