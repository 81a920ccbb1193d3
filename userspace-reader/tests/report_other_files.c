// SPDX-License-Identifier: GPL-2.0
/* Description: report refuses what is no regular file, and a text without an end, by name. */
#include <sys/stat.h>
#include <unistd.h>

#include "fake_kernel.h"
#include "helpers.h"

static const char * const files[] = {
	"cpu0", "tring/trace_info", "tring/short_ids", "tring/kallsyms",
	"tring/printk_formats", "tring/saved_cmdlines",
	"tring/events/testing/tick/format",
};

static void build_stream(const char *dir)
{
	static struct builder builder;
	char *path = make_path("%s/cpu0", dir);

	build_init(&builder, false, 0);
	build_packet(&builder, 1000, 3);
	unlink(path);
	write_file(path, builder.bytes, builder.size);
}

/* Replaces a file of a good trace. */
static void check(const char *file, void (*replace)(const char *path),
		  const char *reason)
{
	static unsigned int number;
	char *dir = make_path("%s/trace%u", temp_dir(), number++);
	char *path = make_path("%s/%s", dir, file);
	char *message = make_path("%s: %s", path, reason);

	make_trace(dir, false);
	build_stream(dir);
	unlink(path);
	replace(path);
	check_run(1, message, "$TRING report %s", dir);
	free(path);
}

static void make_fifo(const char *path)
{
	CHECK(!mkfifo(path, 0600));
}

static void link_zero(const char *path)
{
	CHECK(!symlink("/dev/zero", path));
}

static void link_directory(const char *path)
{
	CHECK(!symlink("/", path));
}

static void make_hole(const char *path)
{
	write_text(path, "");
	CHECK(!truncate(path, (off_t)1 << 40));
}

/* Commands that read packets do not wait for the writer of a FIFO. */
static void check_commands(void)
{
	static const char * const commands[] = {
		"report --follow %s", "info %s", "top sched %s",
		"report --json %s", "dump %s/cpu0", "salvage -o %s.out %s/cpu0",
	};
	char *dir = make_path("%s/waiting", temp_dir()), *path = make_path("%s/cpu0", dir);
	char *start = make_path("%s/tring/cpu0.start", dir), *zeroes = balanced_stats(0, 0);
	char *end = make_path("%s/tring/cpu0.end", dir), *text = balanced_stats(3, 0), *output;
	char *line, *command;
	size_t i;

	make_trace(dir, false);
	make_fifo(path);
	write_text(start, zeroes);
	write_text(end, text);
	for (i = 0; i < COUNT(commands); i++) {
		line = make_path("$TRING %s", commands[i]);
		command = make_path(line, dir, dir);
		run(command, &output);
		if (!strncmp(commands[i], "salvage", 7) && !strstr(output, "not a regular file"))
			fail(output, i, command);
		free(output);
		free(command);
		free(line);
	}
	free(text);
	free(zeroes);
	free(end);
	free(start);
	free(path);
	free(dir);
}

int main(void)
{
	size_t i;

	check_commands();

	for (i = 0; i < COUNT(files); i++) {
		check(files[i], make_fifo, "not a regular file");
		check(files[i], link_zero, "not a regular file");
		check(files[i], link_directory, "Is a directory");
		if (i)
			check(files[i], make_hole, "File too large");
	}
	return 0;
}
