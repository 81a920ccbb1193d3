// SPDX-License-Identifier: GPL-2.0
/* Fake kernel for tring record, see fake_kernel.h. */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fake_kernel.h"
#include "helpers.h"

/* Does not divide a packet's size, so that packets arrive in pieces. */
#define PIECE		777
#define PIECE_NS	1000000

/* In another order than the alphabet's; testing:missing has no format file. */
#define AVAILABLE	"timer:timer_start\nsched:sched_switch\nirq:irq_handler_entry\n" \
			"raw_syscalls:sys_enter\ntesting:tick\ntesting:kinds\ntesting:flag\n" \
			"testing:rel\ntesting:dyn_sizes\ntesting:nothing\ntesting:missing\n"

char *balanced_stats(uint64_t read, uint64_t no_room)
{
	return make_path("reserved: %" PRIu64 "\ncommitted: %" PRIu64 "\n"
			 "discarded: 0\nopen: 0\nread: %" PRIu64 "\n"
			 "overwritten: 0\nremaining: 0\n"
			 "committed_bytes: 8\nread_bytes: 8\n"
			 "overwritten_bytes: 0\nremaining_bytes: 0\n"
			 "refused_no_room: %" PRIu64 "\nrefused_off: 3\n",
			 read, read, read, no_room);
}

static void make_cpu(const char *ring, unsigned int cpu)
{
	char *path = make_path("%s/per_cpu/cpu%u/stats", ring, cpu);
	char *stats = balanced_stats(0, 0);

	write_text(path, stats);
	write_text(make_path("%s/per_cpu/cpu%u/buffer_size_kb", ring, cpu), "1408\n");
	CHECK(!mkfifo(make_path("%s/per_cpu/cpu%u/trace_pipe_raw_compact", ring, cpu), 0600));
}

void make_ring(const char *ring)
{
	const char * const files[][2] = {
		{ "tracing_on", "0\n" },
		{ "set_event", "sched:sched_switch\n" },
		{ "available_events", AVAILABLE },
		{ "available_tracers", "function nop\n" },
		{ "current_tracer", "nop\n" },
		{ "set_ftrace_filter", "#### all functions enabled ####\n" },
		{ "set_ftrace_notrace", "#### no functions disabled ####\n" },
		{ "buffer_size_kb", "1408\n" },
		{ "buffer_total_size_kb", "2816\n" },
		{ "trace_clock", "[mono] tsc boot tai\n" },
		{ "options/overwrite", "1\n" },
		{ "buffer_percent", "0\n" },
		{ "trace", "" },
		{ "short_ids", short_ids_text() },
		/* what is read next is the end of the file: no function has the address */
		{ "symbols", "" },
	};
	char *info = info_text(false);
	unsigned int i;

	for (i = 0; i < COUNT(files); i++)
		write_text(make_path("%s/%s", ring, files[i][0]), files[i][1]);
	write_text(make_path("%s/trace_info", ring), info);
	for (i = 0; i < FAKE_CPUS; i++)
		make_cpu(ring, i);
}

void make_tracefs(const char *dir)
{
	char *ring = make_path("%s/tring", dir);
	char *command, *output;

	make_ring(ring);
	command = make_path("cp -r %s/golden/formats %s/events",
			    test_env("TRING_TESTS"), dir);
	CHECK_EQ(run(command, &output), 0);
	CHECK(!setenv("TRING_TRACING_DIR", dir, 1));
	CHECK(!setenv("TRING_STATE_DIR", make_path("%s.state", dir), 1));
	CHECK(!mkfifo(make_path("%s.fed", dir), 0600));
}

char *control_text(const char *dir, const char *file)
{
	char *path = make_path("%s/tring/%s", dir, file);
	char *text = read_file(path);

	text[strcspn(text, "\n")] = 0;
	return text;
}

void check_control(const char *dir, const char *file, const char *wanted)
{
	char *path = make_path("%s/tring/%s", dir, file);
	char *text = read_file(path);

	if (strcmp(text, wanted)) {
		fprintf(stderr, "%s is \"%s\", not \"%s\"\n", file, text,
			wanted);
		exit(1);
	}
}

static char *ring_path(const struct fake_kernel *kernel, const char *file)
{
	return make_path("%s/tring/%s/%s", kernel->dir,
			 kernel->instance ? kernel->instance : ".", file);
}

static bool is_recording(const void *path)
{
	char *text = access(path, F_OK) ? strdup("") : read_file(path);
	bool on = *text == '1';

	free(text);
	return on;
}

static void replace_text(const char *path, const char *text)
{
	char *draft = make_path("%s.new", path);

	write_text(draft, text);
	CHECK(!rename(draft, path));
}

/* In pieces, and a piece at a time, so that the recorder does not get all at once. */
static void deliver(const struct fake_kernel *kernel, unsigned int cpu)
{
	const struct timespec pace = { .tv_nsec = PIECE_NS };
	char *file = make_path("per_cpu/cpu%u/trace_pipe_raw_compact", cpu);
	char *path = ring_path(kernel, file);
	size_t at = 0, size;
	int fd;

	fd = open(path, O_WRONLY);
	CHECK(fd >= 0);
	while (at < kernel->size[cpu]) {
		size = kernel->size[cpu] - at;
		if (size > PIECE)
			size = PIECE;
		if (write(fd, kernel->bytes[cpu] + at, size) != (ssize_t)size)
			_exit(1);
		at += size;
		*kernel->delivered += size;
		nanosleep(&pace, NULL);	/* time: the pace of the load */
	}
	close(fd);
}

static void write_stats(const struct fake_kernel *kernel, unsigned int cpu, const char *stats)
{
	char *file = make_path("per_cpu/cpu%u/stats", cpu), *path = ring_path(kernel, file);

	replace_text(path, stats);
}

/**
 * set_events_read - let the counters of a CPU be those of the moment
 * @kernel: kernel that delivers
 * @cpu: the CPU
 * @read: number of events that were read
 */
void set_events_read(const struct fake_kernel *kernel, unsigned int cpu, unsigned int read)
{
	write_stats(kernel, cpu, balanced_stats(read, 0));
}

static void run_kernel(const struct fake_kernel *kernel)
{
	char *on = ring_path(kernel, "tracing_on"), *fed = make_path("%s.fed", kernel->dir);
	char *short_ids = ring_path(kernel, "short_ids");
	unsigned int cpu;

	wait_until(is_recording, on, on);
	if (kernel->short_ids)
		replace_text(short_ids, kernel->short_ids);
	/* a recorder that does not wait for the end has the counters nevertheless */
	for (cpu = 0; cpu < FAKE_CPUS; cpu++)
		write_stats(kernel, cpu, kernel->stats[cpu]);
	for (cpu = 0; cpu < FAKE_CPUS; cpu++)
		if (kernel->size[cpu])
			deliver(kernel, cpu);
	/* until a process waits for it */
	close(open(fed, O_WRONLY));
	_exit(0);
}

/* A CPU without stats gets balanced stats of zero events. */
void start_kernel(struct fake_kernel *kernel)
{
	unsigned int cpu;

	for (cpu = 0; cpu < FAKE_CPUS; cpu++)
		if (!kernel->stats[cpu])
			kernel->stats[cpu] = balanced_stats(0, 0);
	kernel->delivered = mmap(NULL, sizeof(*kernel->delivered), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(kernel->delivered != MAP_FAILED);
	kernel->pid = fork_child();
	if (!kernel->pid)
		run_kernel(kernel);
}

/**
 * start_kernel_with - start a kernel whose counters are those of a new ring
 * @kernel: filled in
 * @dir: directory that stands for tracefs
 * @streams: packets of each CPU
 * @events: number of events in them
 */
void start_kernel_with(struct fake_kernel *kernel, const char *dir,
		       const struct builder *streams, const unsigned int *events)
{
	char *stats = balanced_stats(0, 0);
	unsigned int cpu;

	*kernel = (struct fake_kernel) { .dir = dir };
	for (cpu = 0; cpu < FAKE_CPUS; cpu++) {
		char *path = make_path("%s/tring/per_cpu/cpu%u/stats", dir, cpu);

		write_text(path, stats);
		kernel->bytes[cpu] = streams[cpu].bytes;
		kernel->size[cpu] = streams[cpu].size;
		kernel->stats[cpu] = balanced_stats(events[cpu], 0);
	}
	start_kernel(kernel);
}

void wait_until_fed(const struct fake_kernel *kernel)
{
	read_file(make_path("%s.fed", kernel->dir));
}

void end_kernel(struct fake_kernel *kernel)
{
	unsigned int cpu;

	kill(kernel->pid, SIGTERM);
	CHECK_EQ(waitpid(kernel->pid, NULL, 0), kernel->pid);
	munmap(kernel->delivered, sizeof(*kernel->delivered));
	for (cpu = 0; cpu < FAKE_CPUS; cpu++) {
		free(kernel->stats[cpu]);
		kernel->stats[cpu] = NULL;
	}
}

/* Is it the directory of an instance, in a fake tracefs? */
bool is_instance(const char *path)
{
	const char *at = strstr(path, "/tring/instances/");

	return at && !strchr(at + strlen("/tring/instances/"), '/');
}

/* @made: set if it is an instance, which has the files of a ring then */
int fake_mkdir(const char *path, mode_t mode, bool *made)
{
	int ret = syscall(SYS_mkdir, path, mode);

	/* tring's mkdir() has permissions that make_ring()'s does not have */
	*made = !ret && is_instance(path) && mode == 0750;
	if (*made) {
		make_ring(path);
		write_text(make_path("%s/trace_marker", path), "");
	}
	return ret;
}

int fake_rmdir(const char *path)
{
	return is_instance(path) ? remove_tree(path) : syscall(SYS_rmdir, path);
}

/* The end of the C library's write(), or of the sanitizer's. */
ssize_t write_bytes(int fd, const void *data, size_t size)
{
	return syscall(SYS_write, fd, data, size);
}

void build_marker(struct builder *packets, uint64_t stamp, const char *text)
{
	uint8_t *payload = build_record(packets, stamp, FAKE_PRINT, getpid(), 16 + 64);

	memset(payload + 8, 0, 8 + 64);
	snprintf((char *)payload + 16, 64, "%s\n", text);
}

/* Gives the packets of each CPU that were not given yet. @sent, @fds: of each, zeroed first */
void give_packets(const char *instance, const struct builder *packets, size_t *sent, int *fds)
{
	unsigned int cpu;

	for (cpu = 0; cpu < FAKE_CPUS; cpu++) {
		char *path = make_path("%s/per_cpu/cpu%u/trace_pipe_raw_compact", instance, cpu);
		size_t size = packets[cpu].size - sent[cpu];

		if (!fds[cpu])
			fds[cpu] = open(path, O_WRONLY | O_CLOEXEC);
		CHECK(fds[cpu] > 0);
		CHECK_EQ(write_bytes(fds[cpu], packets[cpu].bytes + sent[cpu], size), size);
		sent[cpu] = packets[cpu].size;
	}
}
