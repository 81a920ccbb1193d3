// SPDX-License-Identifier: GPL-2.0
/* Shared helpers of the reader's tests. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sanitizer/lsan_interface.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "helpers.h"
#include "event/events.h"
#include "trace/hold.h"
#include "trace/trace_dir.h"
#include "util/tree.h"
#include "util/util.h"

/* No machine is as slow as this; run.sh has a longer limit. */
#define HANG_NS		900000000000ull

#define WORDS_MAX	32

/* Only with the sanitizer. */
#pragma weak __lsan_do_leak_check
#pragma weak __lsan_ignore_object

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

static char temporary[] = "/tmp/tring-test-XXXXXX";

static int remove_entry(const char *path, const struct stat *info, int type,
			struct FTW *walk)
{
	(void)info;
	(void)type;
	(void)walk;
	return remove(path);
}

/* Return: as nftw(). */
int remove_tree(const char *path)
{
	return nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static void remove_temporary(void)
{
	remove_tree(temporary);
}

const char *temp_dir(void)
{
	static bool made;

	if (!made) {
		CHECK(mkdtemp(temporary));
		CHECK_EQ(tring_tree_open(temporary), 0);
		atexit(remove_temporary);
		made = true;
	}
	return temporary;
}

/* A text of the test's own: it may live until the test ends, and is no leak then. */
static char *keep(char *text)
{
	if (__lsan_ignore_object)
		__lsan_ignore_object(text);
	return text;
}

static char *make_path_of(const char *format, va_list args)
{
	char *path;

	CHECK(vasprintf(&path, format, args) >= 0);
	return keep(path);
}

char *make_path(const char *format, ...)
{
	va_list args;
	char *path;

	va_start(args, format);
	path = make_path_of(format, args);
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

/* Writes a file of tring's own in a trace, or a control file of a fake kernel. */
void write_extra(const char *dir, const char *name, const char *text)
{
	write_text(make_path("%s/tring/%s", dir, name), text);
}

/* As a recorder does. Return: what is closed to leave the directory again */
int hold_trace(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	CHECK(fd >= 0);
	tring_hold(fd);
	return fd;
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
	return keep(text);
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

/* Forks a child that does not outlive the test. Return: as fork(). */
pid_t fork_child(void)
{
	pid_t pid;

	/* Otherwise the child would write out again what the parent has buffered. */
	fflush(NULL);
	pid = fork();
	CHECK(pid >= 0);
	if (!pid)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return pid;
}

/* Forks a child whose stdout and stderr go to the file @path. Return: as fork(). */
pid_t fork_with_output(const char *path)
{
	pid_t pid = fork_child();

	if (!pid) {
		CHECK(freopen(path, "w", stdout));
		CHECK(dup2(STDOUT_FILENO, STDERR_FILENO) >= 0);
	}
	return pid;
}

/* @words: divided by blanks, which it keeps. Return: their number; behind them is NULL. */
static int split_words(char **argv, char *words)
{
	int argc = 0;
	char *word;

	while (words && *words) {
		bool quoted = *words == '\'';

		words += quoted;
		word = strsep(&words, quoted ? "'" : " ");
		if ((*word || quoted) && argc < WORDS_MAX - 1)
			argv[argc++] = word;
	}
	argv[argc] = NULL;
	return argc;
}

/*
 * Forks a child that is a command of tring, but has the functions with which the test replaces
 * those of the C library or the reader. @arguments: divided by blanks, but for those in quotes,
 * with the command's name
 */
pid_t fork_command(int (*command)(int argc, char **argv), const char *arguments,
		   const char *path)
{
	pid_t pid = fork_with_output(path);
	char *argv[WORDS_MAX];
	int argc, status;

	if (pid)
		return pid;
	argc = split_words(argv, make_path("%s", arguments));
	status = command(argc, argv);
	fflush(NULL);
	if (__lsan_do_leak_check)
		__lsan_do_leak_check();
	_exit(status);
}

/* Return: exit status of a child, which exits by itself. */
int end_child(pid_t pid)
{
	int status;

	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* Runs a shell command with $TRING set. @output: its stdout and stderr. */
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
	return WEXITSTATUS(status);
}

char *info_text(bool big_endian)
{
	return make_path("format_version=4\n"
			 "uuid=00010203-0405-0607-0809-0a0b0c0d0e0f\n"
			 "byte_order=%s\nclock=mono\n"
			 "clock_frequency=1000000000\n"
			 "clock_offset=1700000000000000000\n"
			 "tick_frequency=250\n"
			 "hostname=test \"host\"\nlater_key=1\n"
			 "kernel_release=6.1.0\ncommand_line=tring record -e 'a b'\n",
			 big_endian ? "be" : "le");
}

/* Return: content of short_ids, with some fixture events of each kind. */
const char *short_ids_text(void)
{
	return "1 5 ftrace:print -\n"
	       "2 319 sched:sched_switch 56\n"
	       "3 342 testing:tick 8\n"
	       "5 345 testing:dyn_sizes -\n"
	       "28 344 testing:flag 4\n";
}

/* Writes the metadata of a trace directory again, from the formats that it has now. */
void write_metadata(const char *dir, bool big_endian)
{
	char *formats = make_path("%s/tring/events", dir);
	char *info = info_text(big_endian);
	struct tring_trace_info parsed;
	struct tring_short_ids shorts;
	struct tring_events events;

	CHECK_EQ(tring_trace_info_parse(&parsed, info, "test"), 0);
	CHECK_EQ(tring_short_ids_parse(&shorts, short_ids_text(), "test"), 0);
	CHECK_EQ(tring_events_init(&events), 0);
	CHECK_EQ(tring_events_add_all(&events, formats), 0);
	CHECK(events.count);
	CHECK_EQ(tring_short_ids_check(&shorts, &events, "test"), 0);
	CHECK_EQ(tring_trace_dir_metadata(dir, &parsed, &shorts, &events), 0);
	tring_events_free(&events);
}

/* Creates a trace directory of the fixture events, like tring record, without streams. */
void make_trace(const char *dir, bool big_endian)
{
	char *formats = make_path("%s/golden/formats", test_env("TRING_TESTS"));
	char *info = info_text(big_endian);
	struct tring_events events;

	CHECK_EQ(tring_events_init(&events), 0);
	CHECK_EQ(tring_events_add_all(&events, formats), 0);
	CHECK_EQ(tring_trace_dir_create(dir), 0);
	CHECK_EQ(tring_trace_dir_extra(dir, TRING_FILE_INFO, info), 0);
	CHECK_EQ(tring_trace_dir_extra(dir, TRING_FILE_SHORT_IDS,
				       short_ids_text()), 0);
	CHECK_EQ(tring_trace_dir_extra(dir, TRING_FILE_CMDLINES,
				       "100 zero\n101 one\n"), 0);
	CHECK_EQ(tring_trace_dir_events(dir, &events), 0);
	tring_events_free(&events);
	write_metadata(dir, big_endian);
}

static char *output_of_list(int status, const char *format, va_list args)
{
	char *command = make_path_of(format, args), *output;
	int ended = run(command, &output);

	if (ended != status) {
		fprintf(stderr, "%s: status %d, printed:\n%s", command, ended, output);
		fail(command, status, "this status was wanted");
	}
	return output;
}

/* Runs a command, which must end with a status. Return: its output. */
char *output_of(int status, const char *format, ...)
{
	va_list args;
	char *output;

	va_start(args, format);
	output = output_of_list(status, format, args);
	va_end(args);
	return output;
}

/* What was printed must have a text, among others. */
void wants(const char *output, const char *text)
{
	if (!strstr(output, text)) {
		fprintf(stderr, "printed:\n%s", output);
		fail(text, 0, "this was wanted");
	}
}

/* Runs a command, which must print a text, among others. */
void check_run(int status, const char *said, const char *format, ...)
{
	va_list args;
	char *output;

	va_start(args, format);
	output = output_of_list(status, format, args);
	va_end(args);
	wants(output, said);
}

/* Checks that texts follow one another, whatever is between them. */
void check_texts(const char *output, const char * const *wanted, size_t count)
{
	const char *at = output;
	size_t i;

	for (i = 0; i < count; i++) {
		const char *found = strstr(at, wanted[i]);

		if (!found) {
			fprintf(stderr, "this is missing behind \"%.60s\":\n%s\n", at, wanted[i]);
			fail(output, i, "the output");
		}
		at = found + strlen(wanted[i]);
	}
}

/* Each line has to begin with a text, and there are no more of them. */
void check_lines(char *output, const char * const *wanted, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		char *line = strsep(&output, "\n");

		if (!line || strncmp(line, wanted[i], strlen(wanted[i])))
			fail(line ? line : "no line", i, wanted[i]);
	}
	CHECK(output && !*output);
}

/* @what: has printed @output */
void check_equal(const char *output, const char *wanted, const char *what)
{
	if (strcmp(output, wanted)) {
		fprintf(stderr, "wanted:\n%sgot:\n", wanted);
		fail(output, 0, what);
	}
}

/* @program: a program, or several: "this && command -v that" */
bool have(const char *program)
{
	char *command = make_path("command -v %s", program), *output;

	return !run(command, &output);
}

/* Return: the number that a command prints. */
unsigned int count_of(const char *format, ...)
{
	va_list args;
	char *output;

	va_start(args, format);
	output = output_of_list(0, format, args);
	va_end(args);
	return atoi(output);
}

/* Starts the program. @path: of its output; @arguments: divided by blanks */
pid_t start_tring(const char *path, const char *arguments, ...)
{
	pid_t pid = fork_with_output(path);
	char *argv[WORDS_MAX + 1];
	va_list args;

	if (pid)
		return pid;
	va_start(args, arguments);
	*argv = "tring";
	split_words(argv + 1, make_path_of(arguments, args));
	execv(test_env("TRING"), argv);
	_exit(127);
}

/* Runs a command in temp_dir(). Return: its output. */
char *run_here(const char *command, int status)
{
	return output_of(status, "cd %s && %s", temp_dir(), command);
}

/* A command must print the same of two directories in temp_dir(). */
void check_same_text(const char *command, const char *one, const char *other)
{
	const char * const dirs[] = { one, other };
	char *outputs[2];
	size_t i;

	for (i = 0; i < COUNT(dirs); i++)
		outputs[i] = output_of(0, "cd %s && rm -rf out && %s %s", temp_dir(), command,
				       dirs[i]);
	check_equal(outputs[1], outputs[0], command);
}

/* Prints what report does of a range, in milliseconds behind the first event. */
void report_range(const char *dir, unsigned int from, unsigned int to)
{
	char *begin = make_path("+%u.%03u", from / 1000, from % 1000);
	char *end = make_path("+%u.%03u", to / 1000, to % 1000);
	char *argv[] = { "report", "--from", begin, "--to", end, (char *)dir, NULL };

	printf("%s to %s:\n", begin, end);
	/* getopt() begins anew */
	optind = 0;
	CHECK_EQ(tring_cmd_report(COUNT(argv) - 1, argv), 0);
	fflush(stdout);
}

/* One process for all reports of a trace, whose directory is the argument of @report. */
void check_same_reports(int (*report)(int argc, char **argv), const char *one,
			const char *other)
{
	char *out = make_path("%s/reports", temp_dir());
	const char * const dirs[] = { one, other };
	char *outputs[2];
	size_t i;

	for (i = 0; i < COUNT(dirs); i++) {
		CHECK_EQ(end_child(fork_command(report, make_path("report %s", dirs[i]), out)), 0);
		outputs[i] = read_file(out);
	}
	check_equal(outputs[1], outputs[0], "the reports of ranges");
}

/* The only polling: for what other processes do. */
void wait_until(bool (*is_so)(const void *data), const void *data, const char *what)
{
	const struct timespec nap = { .tv_nsec = 1000000 };
	uint64_t begin_ns = tring_now_ns();

	while (!is_so(data)) {
		if (tring_now_ns() - begin_ns > HANG_NS)
			fail(what, 0, "this is waited for");
		nanosleep(&nap, NULL);	/* time: the interval of polling */
	}
}

static bool is_there(const void *path)
{
	return !access(path, F_OK);
}

void wait_for_path(const char *path)
{
	wait_until(is_there, path, path);
}

static const char *wanted_text;

static bool has_text(const void *path)
{
	char *text = read_file(path);
	bool found = strstr(text, wanted_text);

	free(text);
	return found;
}

void wait_for_text(const char *path, const char *text)
{
	wanted_text = text;
	wait_until(has_text, path, text);
}

/* The seed of a random test, which the environment may give. */
uint64_t test_seed(uint64_t usual)
{
	const char *given = getenv("TRING_SEED");
	uint64_t seed = given ? strtoull(given, NULL, 0) : usual;

	printf("TRING_SEED=%" PRIu64 "\n", seed);
	fflush(stdout);
	return seed;
}
