// SPDX-License-Identifier: GPL-2.0
/* Description: record replaces, follows and removes nothing that others have put in a trace. */
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include "fake_kernel.h"
#include "helpers.h"
#include "trace/parts_dir.h"

#define PRECIOUS	"what the victim has\n"

static char *dir, *trace, *victim, *away;

static void plant_link(const char *path)
{
	CHECK(!symlink(victim, path));
}

static void plant_dangling(const char *path)
{
	char *missing = make_path("%s/new", away);

	CHECK(!symlink(missing, path));
	free(missing);
}

static void plant_directory_link(const char *path)
{
	CHECK(!symlink(away, path));
}

static void plant_fifo(const char *path)
{
	CHECK(!mkfifo(path, 0600));
}

static void plant_socket(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	CHECK(fd >= 0 && !bind(fd, (struct sockaddr *)&address, sizeof(address)));
	close(fd);
}

/* A container may not make a device; then it is a FIFO once more. */
static void plant_device(const char *path)
{
	if (mknod(path, S_IFCHR | 0600, makedev(1, 3)))
		plant_fifo(path);
}

static void plant_directory(const char *path)
{
	char *notes = make_path("%s/notes", path);

	CHECK(!mkdir(path, 0755));
	write_text(notes, PRECIOUS);
	free(notes);
}

static void (* const plants[])(const char *path) = {
	plant_link, plant_dangling, plant_directory_link, plant_fifo, plant_socket, plant_device,
	plant_directory,
};

/* Return: what a directory has, kinds, sizes and times included, to free(). */
static char *list(const char *path)
{
	return output_of(0, "find %s -printf '%%p %%y %%l %%s %%T@\\n' | sort", path);
}

/* @options: what "tring record" gets besides; Return: what it has said, to free(). */
static char *record(const char *to, const char *options, int status)
{
	struct fake_kernel kernel = { .dir = dir };
	char *said;

	start_kernel(&kernel);
	said = output_of(status, "$TRING record -e testing:tick -o %s %s -s 0.1", to, options);
	end_kernel(&kernel);
	return said;
}

/* A refused recording does not read what the fake kernel would write. */
static char *record_refused(const char *to, const char *options)
{
	return output_of(1, "$TRING record -e testing:tick -o %s %s -s 0.1", to, options);
}

static void check_victim(void)
{
	char *text = read_file(victim);

	CHECK(!strcmp(text, PRECIOUS));
	check_run(0, "", "test -z \"$(ls -A %s)\"", away);
	free(text);
}

static void make_whole(void)
{
	check_run(0, "", "rm -rf %s && cp -a %s.whole %s", trace, trace, trace);
}

/* The name in the trace is that of a file or directory of tring's, and something else. */
static void check_name(const char *name)
{
	char *path = make_path("%s/%s", trace, name), *before, *after, *said;
	size_t i;

	for (i = 0; i < COUNT(plants); i++) {
		make_whole();
		check_run(0, "", "rm -rf %s", path);
		plants[i](path);
		before = list(trace);
		said = record_refused(trace, "");
		after = list(trace);
		if (strcmp(before, after) || !strstr(said, "which is not of a trace of tring")) {
			fprintf(stderr, "%s, plant %zu:\n%s%s%s", name, i, before, after, said);
			fail(said, i, name);
		}
		check_victim();
		free(after);
		free(before);
		free(said);
	}
	free(path);
}

static void check_names(void)
{
	static const char * const names[] = {
		"cpu0", "cpu1.zst", "cpu77", "metadata", ".metadata.new", "tring/cpu0.start",
		"tring/trace_info", "tring/.trace_info.new", "tring/kallsyms", "tring/reserve",
		"tring/events/testing/tick/format", "000001", ".next", ".removed",
	};
	size_t i;

	for (i = 0; i < COUNT(names); i++)
		check_name(names[i]);
}

/* Directories of a trace that a link leads to, or that have a user's file. */
static void check_directories(void)
{
	static const char * const names[] = { "tring", "tring/events", "tring/events/testing" };
	char *path, *said;
	size_t i;

	for (i = 0; i < COUNT(names); i++) {
		path = make_path("%s/%s", trace, names[i]);
		make_whole();
		check_run(0, "", "mv %s %s.moved && ln -s %s.moved %s", path, trace, trace, path);
		said = record_refused(trace, "");
		CHECK(strstr(said, "which is not of a trace of tring"));
		free(said);
		check_run(0, "", "test -e %s.moved && rm -rf %s.moved", trace, trace);
		make_whole();
		check_run(0, "", "touch %s/notes", path);
		said = record_refused(trace, "");
		CHECK(strstr(said, "notes\", which is not of a trace of tring"));
		free(said);
		check_run(0, "", "test -e %s/notes && test -e %s/cpu0", path, trace);
		free(path);
	}
}

/* An old trace, of any kind and behind a link too, goes whole. */
static void check_replaced(void)
{
	static const char * const kinds[] = { "", "--compress", "--split 1M", "" };
	char *link = make_path("%s.link", trace), *said;
	size_t i;

	CHECK(!symlink(trace, link));
	make_whole();
	for (i = 0; i < COUNT(kinds); i++) {
		check_run(0, "", "cd %s && { [ ! -e 000001 ] || cd 0*; } && touch cpu5 cpu5.zst",
			  trace);
		said = record(link, kinds[i], 0);
		CHECK(strstr(said, "replacing the trace that was there"));
		free(said);
		check_run(0, "", "test -L %s && [ -z \"$(find %s -name 'cpu5*')\" ]", link, trace);
		check_run(0, "", "%s [ -e %s/000001 ]", strstr(kinds[i], "split") ? "" : "!",
			  trace);
	}
	CHECK(!unlink(link));
	free(link);
}

/* The link to another file goes with the old trace, and the file stays. */
static void check_hard_link(void)
{
	char *path = make_path("%s/cpu0", trace);

	make_whole();
	check_run(0, "", "ln -f %s %s", victim, path);
	free(record(trace, "", 0));
	check_victim();
	free(path);
}

/* --max-size drops no part in which a user has put something. */
static void check_part(void)
{
	char *part = make_path("%s/parts/000001", temp_dir()), *notes = make_path("%s/n", part);

	check_run(0, "", "mkdir %s/parts && cp -a %s.whole %s", temp_dir(), trace, part);
	write_text(notes, PRECIOUS);
	CHECK_EQ(tring_parts_dir_remove(part), 0);
	check_run(0, "", "cd %s && test -e n && test -e metadata && test -e cpu0", part);
	CHECK(!unlink(notes));
	CHECK_EQ(tring_parts_dir_remove(part), 0);
	check_run(0, "", "test -z \"$(ls -A %s/parts)\"", temp_dir());
	free(notes);
	free(part);
}

int main(void)
{
	dir = make_path("%s/tracing", temp_dir());
	trace = make_path("%s/trace", temp_dir());
	victim = make_path("%s/victim", temp_dir());
	away = make_path("%s/away", temp_dir());
	make_tracefs(dir);
	write_text(victim, PRECIOUS);
	CHECK(!mkdir(away, 0755));
	free(record(trace, "", 0));
	check_run(0, "", "touch %s/cpu0 && cp -a %s %s.whole", trace, trace, trace);

	check_names();
	check_directories();
	check_replaced();
	check_hard_link();
	check_part();
	free(away);
	free(victim);
	free(trace);
	free(dir);
	return 0;
}
