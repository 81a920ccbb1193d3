// SPDX-License-Identifier: GPL-2.0
/* Description: everyday questions' commands in the manual of report print what is known before. */
#include <unistd.h>

#include "top_trace.h"

#define PRINT		5
#define OPENAT_ENTER	701
#define OPENAT_EXIT	702
#define CALL_FIELD	"\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"

/* Nanoseconds behind second 7. */
#define AT(ns)	(7000000000 + (ns))
/* The marker, and the nanosecond that is a second before it. */
#define MARKER	538498120
#define BEFORE	(MARKER - 1000000000ll)

static struct builder builder;

static void mark(int64_t ns, const char *text)
{
	size_t size = strlen(text) + 1;
	uint8_t *payload = build_record(&builder, AT(ns), PRINT, 7, 16 + size);

	memset(payload + 8, 0, 8);
	memcpy(payload + 16, text, size);
}

static void call_openat(int64_t ns, int32_t pid, int64_t result)
{
	put_u32(build_record(&builder, AT(ns), OPENAT_ENTER, pid, 12) + 8, 257, false);
	ns += 1000;
	put_u32(build_record(&builder, AT(ns), OPENAT_EXIT, pid, 24) + 8, 257, false);
	put_u64(builder.bytes + builder.end - 8, result, false);
}

static void make(const char *dir)
{
	top_make(dir, false);
	top_format(dir, "syscalls", "sys_enter_openat", OPENAT_ENTER, CALL_FIELD);
	top_format(dir, "syscalls", "sys_exit_openat", OPENAT_EXIT,
		   CALL_FIELD "\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n");
	write_metadata(dir, false);

	build_init(&builder, false, 0);
	build_begin(&builder, AT(200000000));
	call_openat(200000000, 1234, -2);
	top_change(&builder, AT(539100000), 1234, 0, 50);
	build_end(&builder);
	top_write(dir, &builder, 3, 0, 0);

	build_init(&builder, false, 1);
	build_begin(&builder, AT(BEFORE - 1));
	mark(BEFORE - 1, "too early");
	mark(BEFORE, "early enough");
	call_openat(300000000, 99, 3);
	mark(MARKER, "stalled: 5");
	top_change(&builder, AT(538899999), 7, 0, 10);
	top_change(&builder, AT(538900000), 10, 0, 11);
	top_change(&builder, AT(539400000), 11, 0, 12);
	top_change(&builder, AT(539401000), 12, 0, 7);
	build_end(&builder);
	top_write(dir, &builder, 9, 0, 0);
}

static const struct {
	const char *command;
	/* each line of the output has one of them */
	const char *lines[6];
} questions[] = {
	{ "tring report -c 1 -e sched_switch --from 7.5389 --to 7.5394",
	  { "7.538900: sched_switch:", "7.539400: sched_switch:" } },
	{ "tring report -t -F 'print: buf ~ \"stalled*\"'",
	  { " 7.538498120: print:" } },
	{ "tring report --from -1 --to 7.538498120",
	  { "6.538498: print:", "7.200000: sys_enter_openat:", "7.200001: sys_exit_openat:",
	    "7.300000: sys_enter_openat:", "7.300001: sys_exit_openat:",
	    "7.538498: print:" } },
	{ "tring report -P 1234 -e 'sys_*_openat'",
	  { "7.200000: sys_enter_openat:", "7.200001: sys_exit_openat:" } },
	{ "tring report -F 'sys_exit_*: ret < 0'",
	  { "7.200001: sys_exit_openat:" } },
};

/* Return: the manual as its reader sees it, as far as the commands go. */
static char *read_manual(void)
{
	char *path = make_path("%s/../../docs/man/tring-report.1", test_env("TRING_TESTS"));
	char *manual = read_file(path), *from, *to;

	for (from = to = manual; *from; from++) {
		if (!strncmp(from, "\\(aq", 4)) {
			*to++ = '\'';
			from += 3;
		} else if (*from != '\\') {
			*to++ = *from;
		}
	}
	*to = 0;
	return manual;
}

static void check(const char *command, const char * const *lines, size_t count)
{
	char *output;
	char *line;
	size_t i;

	output = output_of(0, "$TRING%s tring-trace", command + strlen("tring"));
	for (i = 0, line = output; i < count && lines[i]; i++) {
		char *end = strchr(line, '\n'), *found = strstr(line, lines[i]);

		if (!end || !found || found > end)
			fail(output, i, command);
		line = end + 1;
	}
	if (*line)
		fail(output, i, command);
}

int main(void)
{
	char *manual = read_manual();
	size_t i;

	CHECK_EQ(chdir(temp_dir()), 0);
	make("tring-trace");
	for (i = 0; i < COUNT(questions); i++) {
		char *line = make_path("\n# %s\n", questions[i].command);

		wants(manual, line);
		check(questions[i].command, questions[i].lines, COUNT(questions[i].lines));
	}
	return 0;
}
