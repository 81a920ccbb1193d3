// SPDX-License-Identifier: GPL-2.0
/* Description: record begins a new trace before it opens a pipe, or reports why it cannot. */
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "fake_kernel.h"
#include "helpers.h"

static struct builder zero;
static char *dir;
static bool is_busy;

static void write_stats(unsigned int cpu, unsigned int remaining)
{
	char *path = make_path("%s/tring/per_cpu/cpu%u/stats", dir, cpu);
	char *text = make_path("reserved: 10\ncommitted: 10\ndiscarded: 0\n"
			       "open: 0\nread: 0\noverwritten: %u\n"
			       "remaining: %u\ncommitted_bytes: 80\n"
			       "read_bytes: 0\noverwritten_bytes: 0\n"
			       "remaining_bytes: 80\n", 10 - remaining,
			       remaining);

	write_text(path, text);
}

/* Return: name of an open file, to free(). */
static char *name_of(int fd)
{
	char *link = make_path("/proc/self/fd/%d", fd), name[4096];
	ssize_t size = readlink(link, name, sizeof(name) - 1);

	name[size < 0 ? 0 : size] = 0;
	return strdup(name);
}

static bool ends_in(const char *text, const char *end)
{
	size_t size = strlen(text), tail = strlen(end);

	return size >= tail && !strcmp(text + size - tail, end);
}

static void check_pipes_closed(void)
{
	int fd;

	for (fd = 0; fd < 100; fd++) {
		char *name = name_of(fd);

		CHECK(!ends_in(name, "/trace_pipe_raw_compact"));
		free(name);
	}
}

/* Replaces the C library's. Like the kernel it drops what the ring contains. */
ssize_t write(int fd, const void *data, size_t size)
{
	char *name = name_of(fd);
	bool is_trace = ends_in(name, "/tring/trace");

	free(name);
	if (is_trace && is_busy) {
		errno = EBUSY;
		return -1;
	}
	if (is_trace) {
		check_pipes_closed();
		write_stats(0, 0);
		write_stats(1, 2);
	}
	return syscall(SYS_write, fd, data, size);
}

/* Runs tring record in a child process, with this program's write(). */
static int record(char **output)
{
	char *said = make_path("%s/said", temp_dir());
	char *arguments = make_path("record -e testing:tick -o %s/trace" UNTIL_FED, temp_dir(),
				    dir);
	int status = end_child(fork_command(tring_cmd_record, arguments, said));

	*output = read_file(said);
	return status;
}

static void check_refused(const char *wanted)
{
	char *output;

	CHECK_EQ(record(&output), 1);
	wants(output, wanted);
	CHECK(!strstr(output, "dropped"));
	check_control(dir, "set_event", "sched:sched_switch\n");
	check_control(dir, "buffer_percent", "0");
}

int main(void)
{
	struct fake_kernel kernel = { 0 };
	char *output;

	dir = make_path("%s/tracing", temp_dir());
	make_tracefs(dir);
	build_init(&zero, false, 0);
	build_packet(&zero, 1000, 5);

	is_busy = true;
	check_refused("trace: cannot begin a new trace while another program reads the ring");
	check_control(dir, "trace", "");
	is_busy = false;

	/* 2 of 13 events remain: they are in a snapshot */
	write_stats(0, 8);
	write_stats(1, 5);
	kernel.dir = dir;
	kernel.bytes[0] = zero.bytes;
	kernel.size[0] = zero.size;
	start_kernel(&kernel);
	record(&output);
	end_kernel(&kernel);
	wants(output, "dropped 11 events that were in the ring before the recording");
	CHECK(strstr(output, "  all            5 "));
	check_control(dir, "trace", "0");

	CHECK(!unlink(make_path("%s/tring/trace", dir)));
	check_refused("trace: no such file: the tring module is too old for this tring");
	return 0;
}
