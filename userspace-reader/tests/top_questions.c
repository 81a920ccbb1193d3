// SPDX-License-Identifier: GPL-2.0
/* Description: each command in the manual of top answers its question as it is known beforehand. */
#include <unistd.h>

#include "top_trace.h"

/* Times are microseconds behind 7.5 s. */
#define AT(us)	(7500000000 + (us) * 1000ull)

/* Ids that top_trace.h has not. */
enum { SYNC_ENTER = 710, SYNC_EXIT };

static struct builder builder;

static void change(unsigned int us, int32_t prev, int64_t state, int32_t next)
{
	uint8_t *payload = top_change(&builder, AT(us), prev, state, next);

	if (prev == 400)
		memcpy(payload + 8, "myserver", 9);
	if (next == 400)
		memcpy(payload + 40, "myserver", 9);
}

/* A begin or an end of fdatasync, of which events of its own tell. */
static void fdatasync_event(unsigned int us, uint16_t id, int32_t pid)
{
	uint8_t *payload = build_record(&builder, AT(us), id, pid, 24);

	put_u64(payload + 8, 75, false);
	put_u64(payload + 16, 0, false);
}

static void add_formats(const char *dir)
{
	static const char fields[] =
		"\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
		"\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n";

	top_format(dir, "syscalls", "sys_enter_fdatasync", SYNC_ENTER, fields);
	top_format(dir, "syscalls", "sys_exit_fdatasync", SYNC_EXIT, fields);
	write_metadata(dir, false);
}

/* Task 200 waits 80 us after a wakeup, and 1 s because task 300 has taken its CPU. */
static void make_zero(const char *dir)
{
	build_init(&builder, false, 0);
	build_begin(&builder, AT(10));
	change(10, 0, 0, 100);
	top_waking(&builder, AT(20), 100, 200);
	top_waking(&builder, AT(30), 100, 300);
	top_interrupt(&builder, AT(40), AT(47), 100, 5, "eth0");
	change(100, 100, 1, 200);
	change(150, 200, 0x100, 300);
	change(1000150, 300, 1, 200);
	top_interrupt(&builder, AT(1000200), AT(1000230), 200, 5, "eth0");
	top_interrupt(&builder, AT(1000300), AT(1000301), 200, 6, "eth0");
	change(1000400, 200, 1, 0);
	build_end(&builder);
	top_write(dir, &builder, 13, 0, 0);
}

/* The server's calls, and those of another task; 50 events are lost, and later 7. */
static void make_one(const char *dir)
{
	build_init(&builder, false, 1);
	build_begin(&builder, AT(38950));
	change(38950, 0, 0, 400);
	top_call(&builder, AT(39000), AT(39300), 400, 2, -5);
	top_call(&builder, AT(39310), AT(39330), 400, 3, 0);
	fdatasync_event(39332, SYNC_ENTER, 400);
	fdatasync_event(39342, SYNC_EXIT, 400);
	change(39350, 400, 1, 401);
	top_call(&builder, AT(39400), AT(40400), 401, 4, 0);
	change(41000, 401, 1, 0);
	build_end(&builder);
	builder.discarded = 50;
	build_begin(&builder, AT(1500000));
	change(1500000, 0, 0, 401);
	change(1500010, 401, 1, 0);
	build_end(&builder);
	builder.discarded = 57;
	build_begin(&builder, AT(2000000));
	change(2000000, 0, 0, 401);
	build_end(&builder);
	build_begin(&builder, AT(2500000));
	change(2500000, 401, 1, 0);
	build_end(&builder);
	top_write(dir, &builder, 15, 57, 0);
}

static const struct {
	const char *command;
	const char *answer;
} answers[] = {
	{ "tring top sched --sort waiting-s -n 1",
	  "     200      0.000300    0.0      1.000080" },
	{ "tring top wakeup -n 1",
	  "     300         1         0.120      120.000       120.000        7.500150000" },
	{ "tring top irq --sort irq -H",
	  "  5         2         0.037       18.500        30.000        8.500230000         0" },
	{ "tring top irq --sort irq -H",
	  "\nirq 5 eth0:\n   4.096 us -    8.192 us            1 |######" },
	{ "tring top irq --sort irq -H",
	  "\n   8.192 us -   16.384 us            0 |\n" },
	{ "tring top irq --sort irq -H",
	  "\n  16.384 us -   32.768 us            1 |######" },
	{ "tring top rate -i 1",
	  "       7.500010000           18          18.0" },
	{ "tring top rate -i 1",
	  "  8.500010000            9           9.0            423           50\n" },
	{ "tring top rate -i 1",
	  "  9.500010000            1           2.0             65            7\n" },
	/* the server up to 7.539350, another task from there on */
	{ "tring top sched -c 1 --from 7.5389 --to 7.5394",
	  "     400      0.000400   79.8      0.000000      0.000050      0.000000         1" },
	{ "tring top sched -c 1 --from 7.5389 --to 7.5394",
	  "     401      0.000050   10.1      0.000000      0.000000      0.000000         1" },
	{ "tring top syscall --comm myserver --sort max-us",
	  "  2         1         0.300      300.000       300.000        7.539300000         0" },
	{ "tring top syscall --comm myserver --sort max-us",
	  "  3         1         0.020       20.000        20.000        7.539330000         0" },
	{ "tring top syscall --comm myserver --sort max-us",
	  "       -         3         0.330" },
	{ "tring top calls -e '*fdatasync' --sort max-us",
	  "    400       1      0.010      10.000      0       fdatasync  myserver\n" },
	{ "tring top waits",
	  "    200  1000.000     7.500150000      runnable               -  task200\n" },
	{ "tring top waits",
	  "    300     0.120     7.500030000      runnable         task100  task300\n" },
	{ "tring top losses --sort events -n 1",
	  "   1        9.000010000        9.500000000       499.990           50         0\n" },
};

/* Return: the command in a line of the manual, as a shell takes it; NULL if there is none. */
static char *command_of(const char *line)
{
	char *command, *to;

	if (strncmp(line, "# tring", 7))
		return NULL;
	command = strndup(line + 2, strcspn(line + 2, "\n"));
	for (to = command, line = command; *line; line++) {
		if (!strncmp(line, "\\(aq", 4)) {
			*to++ = '\'';
			line += 3;
		} else if (*line != '\\') {
			*to++ = *line;
		}
	}
	*to = 0;
	return command;
}

/* Return: true if the test knows an answer of the command. */
static bool check(const char *command)
{
	char *output;
	bool known = false;
	size_t i;

	output = output_of(0, "$TRING%s", command + strlen("tring"));
	for (i = 0; i < COUNT(answers); i++) {
		if (strcmp(answers[i].command, command))
			continue;
		known = true;
		if (!strstr(output, answers[i].answer)) {
			fprintf(stderr, "wanted:\n%s\ngot:\n", answers[i].answer);
			fail(output, i, command);
		}
	}
	return known;
}

int main(void)
{
	char *path = make_path("%s/../../docs/man/tring-top.1", test_env("TRING_TESTS"));
	char *manual = read_file(path), *line;
	size_t count = 0;

	CHECK_EQ(chdir(temp_dir()), 0);
	top_make("tring-trace", false);
	add_formats("tring-trace");
	make_zero("tring-trace");
	make_one("tring-trace");
	for (line = manual; line; line = strchr(line, '\n'), line += !!line) {
		char *command = command_of(line);

		if (!command)
			continue;
		/* top_live.c tries those */
		if (strstr(command, " --live ")) {
			free(command);
			continue;
		}
		if (!check(command))
			fail(command, 0, "the test has no answer");
		count++;
		free(command);
	}
	CHECK_EQ(count, 9);
	return 0;
}
