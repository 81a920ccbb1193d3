// SPDX-License-Identifier: GPL-2.0
/* Description: a user that swaps files and directories at any step of a writer harms no others. */
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "export/output.h"
#include "export/output_dir.h"
#include "helpers.h"
#include "record/stream_file.h"
#include "trace/parts_dir.h"
#include "trace/trace_dir.h"
#include "util/tree.h"

#define PRECIOUS	"what the victim has\n"
#define EXIT_NO_STEP	200
#define EXIT_READ	201

/* What is put in the place of the name that a step is going to use. */
enum swap {
	SWAP_FILE_LINK,
	SWAP_DIRECTORY_LINK,
	SWAP_ALL,
	SWAPS,
};

/* The step that is raced; 0 for none. */
static unsigned int race_at, steps;
static enum swap swap;
static unsigned int rounds;

/* The step at which another recorder takes the directory; 0 for none. */
static unsigned int rival_at;
static bool rival_has;

/* The mark of the other one lives as long as it. */
static void meet_rival(void)
{
	int ends[2];
	char has;

	rival_at = 0;
	CHECK(!pipe(ends));
	if (!fork()) {
		has = !tring_trace_dir_take("work/out");
		CHECK(write(ends[1], &has, 1) == 1);
		close(ends[1]);
		pause();
	}
	CHECK(read(ends[0], &has, 1) == 1);
	rival_has = has;
}

/* As the user that owns the directory: by names, and by system calls that are not counted. */
static void race(int at, const char *name)
{
	const char *target = swap == SWAP_FILE_LINK ? "../victim" : "../away";
	char *path, *absolute;

	if (rival_at && ++steps == rival_at)
		meet_rival();
	if (!race_at || ++steps != race_at)
		return;
	absolute = make_path("%s/%s", temp_dir(), target + 3);
	if (swap == SWAP_ALL) {
		syscall(SYS_renameat2, AT_FDCWD, "work/out", AT_FDCWD, "work/out.moved", 0);
		syscall(SYS_symlinkat, absolute, AT_FDCWD, "work/out");
	} else if (strcmp(name, ".")) {
		path = make_path("%s.moved", name);
		syscall(SYS_renameat2, at, name, at, path, 0);
		syscall(SYS_symlinkat, absolute, at, name);
		free(path);
	}
	free(absolute);
}

/* Links in the path that the caller has given are followed: see trace_owner.c. */
static bool is_given(const char *name, int flags)
{
	return flags & O_PATH && (!strcmp(name, "work") || !strcmp(name, "out") ||
				  !strcmp(name, "file") || !strcmp(name, "dir"));
}

int openat(int dir, const char *name, int flags, ...)
{
	mode_t mode;
	va_list args;

	va_start(args, flags);
	mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(args, mode_t) : 0;
	va_end(args);
	if (!is_given(name, flags))
		race(dir, name);
	return syscall(SYS_openat, dir, name, flags, mode);
}

int mkdirat(int dir, const char *name, mode_t mode)
{
	race(dir, name);
	return syscall(SYS_mkdirat, dir, name, mode);
}

int unlinkat(int dir, const char *name, int flags)
{
	race(dir, name);
	return syscall(SYS_unlinkat, dir, name, flags);
}

int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	race(from_dir, from);
	race(to_dir, to);
	return syscall(SYS_renameat2, from_dir, from, to_dir, to, 0);
}

int fstatat(int dir, const char *restrict name, struct stat *restrict info, int flags)
{
	int error;

	race(dir, name);
	error = syscall(SYS_newfstatat, dir, name, info, flags);
	return error;
}

static void read_back(const char *path)
{
	char *text = tring_tree_read(path);

	if (text && strstr(text, PRECIOUS))
		_exit(EXIT_READ);
	free(text);
}

/*
 * All that a recording makes, replaces, reads back and removes, in a directory that has an old
 * trace.
 */
static void write_trace(void)
{
	struct tring_stream_file file;
	uint8_t packet[4096] = { 0 };

	if (tring_trace_dir_probe("work/out", 1, 0) ||
	    tring_trace_dir_create("work/out"))
		return;
	tring_trace_dir_extra("work/out", TRING_FILE_INFO, "info");
	tring_trace_dir_reserve("work/out", 1);
	if (!tring_tree_make("work/out/tring/events"))
		tring_tree_write("work/out/tring/events/format", "text", 4);
	tring_trace_dir_extra("work/out", TRING_FILE_KALLSYMS, "symbols");
	read_back("work/out/tring/kallsyms");
	tring_stream_file_init(&file, "work/out/cpu0");
	tring_stream_file_begin(&file, packet);
	tring_stream_file_close(&file);
	tring_trace_dir_tasks("work/out", "first");
	tring_trace_dir_tasks("work/out", "second");
	read_back("work/out/tring/tasks");
	tring_trace_dir_release("work/out");
	tring_tree_remove("work/out/tring/kallsyms");
}

static void write_parts(void)
{
	if (tring_trace_dir_take("work/out") || tring_trace_dir_create("work/out/.next"))
		return;
	tring_trace_dir_extra("work/out/.next", TRING_FILE_INFO, "info");
	tring_tree_rename("work/out/.next", "work/out/000001");
	tring_parts_dir_remove("work/out/000001");
}

static void write_output(void)
{
	struct tring_output output;

	if (tring_output_open(&output, "work/out/file", "magic", 5))
		return;
	tring_output_add(&output, "magic and more", 14);
	tring_output_close(&output);
}

static void write_output_dir(void)
{
	struct tring_output output;

	if (tring_output_dir_open(&output, "work/out/dir"))
		return;
	tring_output_dir_make(&output, "a");
	tring_output_dir_make(&output, "a/b");
	tring_output_dir_append(&output, "a/b/c", "1", 1);
	tring_output_dir_append(&output, "a/b/c", "2", 1);
	tring_output_close(&output);
}

static void make_work(unsigned int step)
{
	static const char * const files[] = {
		"metadata", "cpu0", "cpu1.zst", "tring/trace_info", "tring/cpu0.end",
		"tring/events/a/b/format", "000003/tring/trace_info",
	};
	char *old = make_path("old%u.%u.%u", step, swap, rounds), *path;
	size_t i;

	/* all goes with the temporary directory */
	CHECK(!rename("work", old));
	for (i = 0; i < COUNT(files); i++) {
		path = make_path("work/out/%s", files[i]);
		write_text(path, "");
		free(path);
	}
	free(old);
}

/* Return: whether there was such a step. */
static bool run_step(void (*call)(void), unsigned int step)
{
	pid_t child;
	int status;

	make_work(step);
	fflush(NULL);
	child = fork();
	if (!child) {
		/* what is refused is said */
		if (!freopen("/dev/null", "w", stderr))
			_exit(1);
		race_at = step;
		call();
		_exit(steps < step ? EXIT_NO_STEP : 0);
	}
	status = end_child(child);
	if (status == EXIT_READ)
		fail("what was read", step, "a victim was read at this step");
	return status != EXIT_NO_STEP;
}

static bool is_as_before(const char *path, mode_t mode)
{
	struct stat info;

	return !stat(path, &info) && info.st_mode == mode && info.st_uid == geteuid() &&
	       info.st_mtime == 7;
}

static void check(const char *what, void (*call)(void))
{
	unsigned int step;
	char *text;

	rounds++;
	for (swap = 0; swap < SWAPS; swap++) {
		for (step = 1; run_step(call, step); step++) {
			text = read_file("victim");
			if (strcmp(text, PRECIOUS) || !is_as_before("victim", S_IFREG | 0600) ||
			    !is_as_before("away", S_IFDIR | 0700))
				fail(what, step, "a victim was changed at this step");
			free(text);
		}
		/* the calls of the writer are seen */
		CHECK(step > 3);
	}
}

/* Of two recorders that come at the same time one at most has the directory. */
static void check_rivals(void)
{
	unsigned int step = 0;
	int status;
	pid_t child;

	rounds++;
	do {
		make_work(++step);
		fflush(NULL);
		child = fork();
		if (!child) {
			CHECK(freopen("/dev/null", "w", stderr));
			setpgid(0, 0);
			rival_at = step;
			if (!tring_trace_dir_take("work/out") && rival_has)
				_exit(1);
			_exit(steps < step ? EXIT_NO_STEP : 0);
		}
		status = end_child(child);
		kill(-child, SIGKILL);
		if (status == 1)
			fail("both", step, "two recorders have taken the directory");
	} while (status != EXIT_NO_STEP);
	CHECK(step > 3);
}

int main(void)
{
	temp_dir();
	CHECK(!chdir(temp_dir()));
	write_text("victim", PRECIOUS);
	CHECK(!mkdir("away", 0700) && !mkdir("work", 0700));
	write_text("away/kallsyms", PRECIOUS);
	write_text("away/tring/tasks", PRECIOUS);
	check_run(0, "", "chmod 600 victim && touch -d @7 victim away");
	check("a trace", write_trace);
	check("parts", write_parts);
	check("a file", write_output);
	check("a directory", write_output_dir);
	check_rivals();
	return 0;
}
