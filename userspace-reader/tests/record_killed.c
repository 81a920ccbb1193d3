// SPDX-License-Identifier: GPL-2.0
/* Description: what a killed recorder has changed is put back by reset or by the next recorder. */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_kernel.h"
#include "helpers.h"

#define PUT_BACK	") has ended without undoing its changes; put back: "

static char *dir, *state;
static pid_t pid;

static bool contains(const char *path, const char *wanted)
{
	char *text = access(path, F_OK) ? strdup("") : read_file(path);
	bool there = strstr(text, wanted);

	free(text);
	return there;
}

/* The last change is done: it records. */
static bool has_begun(const void *path)
{
	return contains(path, "1");
}

/* Starts a recorder, and kills it while it records. */
static void kill_recorder(void)
{
	char *out = make_path("%s/killed", temp_dir());
	struct fake_kernel kernel = { .dir = dir };
	int status;

	unlink(state);
	write_extra(dir, "tracing_on", "0\n");
	write_extra(dir, "set_event", "sched:sched_switch\n");
	write_extra(dir, "trace_clock", "[mono] tsc boot tai\n");
	write_extra(dir, "buffer_size_kb", "1408\n");
	start_kernel(&kernel);
	pid = start_tring("/dev/null", "record -e testing:tick -C tsc -b 64 --discard -o %s", out);
	wait_until(has_begun, make_path("%s/tring/tracing_on", dir), "the recorder has begun");
	CHECK(!kill(pid, SIGKILL));
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK(WIFSIGNALED(status));
	end_kernel(&kernel);
	check_control(dir, "set_event", "testing:tick\n");
	check_control(dir, "trace_clock", "tsc");
	check_control(dir, "tracing_on", "1");
}

static void check(const char *arguments, int status, const char *said)
{
	check_run(status, said, "$TRING %s", arguments);
}

static void check_restored(void)
{
	check_control(dir, "set_event", "sched:sched_switch\n");
	check_control(dir, "trace_clock", "mono");
	check_control(dir, "buffer_size_kb", "1408");
	check_control(dir, "options/overwrite", "1");
	check_control(dir, "buffer_percent", "0");
	check_control(dir, "tracing_on", "0");
	CHECK(access(state, F_OK));
}

static void check_reset(void)
{
	char *said = make_path("tring reset: process %d (tring record %s -o %s/killed%s%s",
			       pid, "-e testing:tick -C tsc -b 64 --discard", temp_dir(),
			       PUT_BACK, "tracing_on, trace_clock, buffer_size_kb, set_event, ");

	check("reset", 0, said);
	check_restored();
	kill_recorder();
	check("reset", 0, "set_event, buffer_percent, options/overwrite\n");
	check_restored();
	check("reset", 0, "tring reset: nothing to put back\n");
}

static void check_next_recorder(void)
{
	struct fake_kernel kernel = { .dir = dir };
	char *command = make_path("record -e testing:flag -s 0.2 -o %s/next", temp_dir());

	start_kernel(&kernel);
	check(command, 0, PUT_BACK "tracing_on, trace_clock, buffer_size_kb, set_event, ");
	end_kernel(&kernel);
	check_restored();
}

/* A recorder that cannot record does not touch what the killed one has left. */
static void check_refused_recorder(void)
{
	check("record -e nosuch -s 9 -o nowhere", 2, "-e nosuch: no such event");
	CHECK(!access(state, F_OK));
	check_control(dir, "set_event", "testing:tick\n");
}

#define CHANGED	"tracing_on, trace_clock, buffer_size_kb, set_event, "

/* As at the end of a recorder, also what was changed again since is put back. */
static void check_changed_since(void)
{
	write_extra(dir, "trace_clock", "mono [boot]\n");
	write_extra(dir, "set_event", "testing:tick\nirq:irq_handler_entry\n");
	write_extra(dir, "buffer_size_kb", "99\n");
	check("reset", 0, PUT_BACK CHANGED "buffer_percent, options/overwrite\n");
	check_restored();
}

/* An event or a file that is gone must not keep the rest from being put back. */
static void check_gone(void)
{
	char *path = make_path("%s/tring/options/overwrite", dir);

	CHECK(!unlink(path));
	check("reset", 1, "options/overwrite: No such file");
	write_text(path, "1");
	check_restored();
}

/* Replaces a line of the state file, which begins with a key. */
static void check_foreign(const char *key)
{
	output_of(0, "sed -i 's/^%s [0-9a-f]/%s x/' %s", key, key, state);
	check("reset", 0, "tring reset: nothing to put back\n");
	check_control(dir, "set_event", "testing:tick\n");
}

static void check_damaged(const char *text, const char *said)
{
	char *old = read_file(state), *head = strstr(old, "file ");
	char *damaged;

	*head = 0;
	damaged = make_path("%s%s", *text == '+' ? old : "", *text == '+' ? text + 1 : text);
	write_text(state, damaged);
	check("reset", 1, said);
	CHECK(!access(state, F_OK));
	check_control(dir, "set_event", "testing:tick\n");
	*head = 'f';
	write_text(state, old);
}

static void check_nameless(void)
{
	char *old = read_file(state);

	output_of(0, "sed -i '/^process/d' %s", state);
	check("reset", 1, "/ring: not understood");
	write_text(state, old);
}

/* A file elsewhere may be one that other users can write. */
static void check_linked(void)
{
	char *elsewhere = make_path("%s/elsewhere", temp_dir());

	CHECK(!rename(state, elsewhere) && !symlink(elsewhere, state));
	check("reset", 1, "/ring: Too many levels of symbolic links");
	check_control(dir, "set_event", "testing:tick\n");
	CHECK(!rename(elsewhere, state));
}

/* Users that cannot write to the ring must not change it through the file. */
static void check_untrusted(void)
{
	char *place = make_path("%s.state", dir), *output;

	CHECK(!chmod(place, 0777));
	check("reset", 0, ": ignored, because others than the ring's users can write there");
	CHECK(!chmod(place, 0775));
	check("reset", 0, ": ignored, because others than the ring's users can write there");
	CHECK(!chmod(place, 0755));
	/* any user can make such a directory in /dev/shm */
	if (!geteuid()) {
		CHECK(!chown(place, 1234, -1));
		output = output_of(0, "$TRING reset 2>&1");
		CHECK(!strstr(output, "ignored"));
		free(output);
		CHECK(!chown(place, 0, -1));
	}
	check_control(dir, "set_event", "testing:tick\n");
}

static void check_no_place(void)
{
	struct fake_kernel kernel = { .dir = dir };
	char *command = make_path("record -e testing:tick -s 0.2 -o %s/next", temp_dir());

	CHECK(!setenv("TRING_STATE_DIR", "/proc/tring", 1));
	start_kernel(&kernel);
	check(command, 0, "tring record: /proc/tring: No such file or directory; after a kill -9");
	end_kernel(&kernel);
}

int main(void)
{
	dir = make_path("%s/tracing", temp_dir());
	state = make_path("%s.state/ring", dir);
	make_tracefs(dir);
	check("reset", 0, "tring reset: nothing to put back\n");
	kill_recorder();
	check_reset();
	kill_recorder();
	check_refused_recorder();
	check_next_recorder();
	kill_recorder();
	check_changed_since();
	kill_recorder();
	check_gone();
	kill_recorder();
	check_untrusted();
	check_linked();
	check_damaged("tring-recorder 2\n", "/ring: not understood");
	check_damaged("", "/ring: not understood");
	check_damaged("+file ../../x\n", "/ring: not understood");
	check_damaged("+old x\n", "/ring: not understood");
	check_damaged("+nonsense\n", "/ring: not understood");
	check_nameless();
	check_foreign("boot");
	kill_recorder();
	check_foreign("ring");
	check_no_place();
	return 0;
}
