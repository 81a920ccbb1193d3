// SPDX-License-Identifier: GPL-2.0
/* Description: a CPU's thread reads a full ring at once, saves on order, else sleeps. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "helpers.h"
#include "record/cpu_thread.h"
#include "record/thread.h"

#define RECORDS		3

static atomic_uint sleeps;
/* What poll() says of a ring below its level. */
static atomic_bool quiet_events;
static int pipe_fd = -1;

/* Replaces the C library's: a pipe that is to look like a ring with few events. */
int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	int ready;
	nfds_t i;

	/* a thread with a time limit would wake up for nothing */
	CHECK(timeout == 0 || timeout == -1);
	if (timeout)
		atomic_fetch_add(&sleeps, 1);
	ready = ppoll(fds, count, timeout ? NULL : &(struct timespec){ 0 }, NULL);
	for (i = 0; i < count; i++) {
		if (!(fds[i].events & POLLPRI))
			continue;
		CHECK_EQ(fds[i].fd, pipe_fd);
		fds[i].revents = atomic_load(&quiet_events) ? POLLPRI : 0;
	}
	return ready;
}

/* What the kernel says of nohz_full=; NULL for what it does say. */
static const char *nohz_full;

/* Replaces the C library's. */
int open(const char *path, int flags, ...)
{
	mode_t mode;
	va_list args;

	va_start(args, flags);
	mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(args, mode_t) : 0;
	va_end(args);
	if (nohz_full && !strcmp(path, "/sys/devices/system/cpu/nohz_full"))
		path = nohz_full;
	return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static struct builder builder;
static struct tring_cpu_thread thread;
static struct tring_control control;
static int notice_fd, ring_fd;

static void give(void)
{
	size_t begin = builder.size;

	build_packet(&builder, 1000 * (builder.seq + 1), RECORDS);
	CHECK_EQ(write(ring_fd, builder.bytes + begin, builder.size - begin),
		 builder.size - begin);
}

static bool has_moved(const void *events)
{
	return atomic_load(&thread.progress.events) == *(const uint64_t *)events;
}

static void wait_for_events(uint64_t events)
{
	wait_until(has_moved, &events, "the thread has moved all packets");
}

static bool has_slept(const void *number)
{
	return atomic_load(&sleeps) == *(const unsigned int *)number;
}

static void wait_for_sleep(unsigned int number)
{
	wait_until(has_slept, &number, "the thread sleeps as often as wanted");
}

static bool is_saved(const void *data)
{
	(void)data;
	return !atomic_load(&thread.progress.unsaved);
}

static void wait_for_notice(void)
{
	eventfd_t notices;

	CHECK(!eventfd_read(notice_fd, &notices));
}

static void check_size(const char *dir, size_t size)
{
	char *path = make_path("%s/cpu0", dir);
	struct stat status;

	CHECK(!stat(path, &status));
	CHECK_EQ(status.st_size, size);
}

static void begin(const char *dir)
{
	/* a stream is a new file */
	unlink(make_path("%s/cpu0", dir));
	ring_fd = open(make_path("%s/per_cpu/cpu0/trace_pipe_raw_compact", control.dir), O_RDWR);
	CHECK(ring_fd >= 0);
	build_init(&builder, false, 0);
	atomic_store(&sleeps, 0);
	tring_cpu_thread_init(&thread, 0, notice_fd);
	CHECK_EQ(tring_cpu_thread_open(&thread, &control, TRING_PACKETS_PIPE, dir, 0), 0);
	pipe_fd = thread.drain.pipe_fd;
	CHECK_EQ(tring_cpu_thread_start(&thread), 0);
	tring_cpu_thread_go(&thread);
	wait_for_sleep(1);
}

static int end(void)
{
	int error;

	close(ring_fd);
	tring_cpu_thread_stop(&thread);
	error = tring_cpu_thread_join(&thread);
	tring_cpu_thread_close(&thread);
	return error;
}

/* Where the test itself may use the CPU. */
static void check_bound(void)
{
	cpu_set_t set;

	CHECK(!pthread_getaffinity_np(pthread_self(), sizeof(set), &set));
	if (!CPU_ISSET(0, &set))
		return;
	CHECK(!pthread_getaffinity_np(thread.thread, sizeof(set), &set));
	CHECK(CPU_ISSET(0, &set));
	CHECK_EQ(CPU_COUNT(&set), 1);
}

static void say_nohz_full(const char *text)
{
	char *path = make_path("%s/nohz_full", temp_dir());

	write_text(path, text);
	nohz_full = path;
}

/* A CPU of nohz_full= is left to its task, if the thread may run elsewhere. */
static void check_nohz_full(void)
{
	cpu_set_t before, set, only;
	int cpu;

	CHECK(!pthread_getaffinity_np(pthread_self(), sizeof(before), &before));
	for (cpu = 0; !CPU_ISSET(cpu, &before); cpu++)
		;
	say_nohz_full(make_path("%d,1022-1023,9999\n", cpu));
	tring_thread_bind(cpu);
	CHECK(!pthread_getaffinity_np(pthread_self(), sizeof(set), &set));
	CHECK_EQ(CPU_ISSET(cpu, &set), CPU_COUNT(&before) == 1);
	say_nohz_full("0-1023\n");
	CHECK(!pthread_setaffinity_np(pthread_self(), sizeof(before), &before));
	tring_thread_bind(cpu);
	CHECK(!pthread_getaffinity_np(pthread_self(), sizeof(set), &set));
	CHECK(CPU_EQUAL(&set, &before));
	say_nohz_full("(null)\n");
	tring_thread_bind(cpu);
	CHECK(!pthread_getaffinity_np(pthread_self(), sizeof(set), &set));
	CPU_ZERO(&only);
	CPU_SET(cpu, &only);
	CHECK(CPU_EQUAL(&set, &only));
	CHECK(!pthread_setaffinity_np(pthread_self(), sizeof(before), &before));
	nohz_full = NULL;
}

static void check_thread(void)
{
	char *dir = make_path("%s/trace", temp_dir());

	CHECK(!mkdir(dir, 0755));
	begin(dir);
	check_bound();
	/* a full ring is read without an order */
	give();
	wait_for_events(RECORDS);
	wait_for_sleep(2);
	check_size(dir, builder.size);
	CHECK(!atomic_load(&thread.progress.unsaved));

	/* nothing new: no order, and the thread goes on sleeping */
	tring_cpu_threads_save(&thread, 1);
	CHECK_EQ(atomic_load(&sleeps), 2);

	/* events below the level: an order */
	atomic_store(&quiet_events, true);
	tring_cpu_threads_save(&thread, 1);
	wait_for_sleep(3);
	atomic_store(&quiet_events, false);

	/* more packets are moved, and saved, in the file at the latest by an order */
	give();
	wait_for_events(2 * RECORDS);
	tring_cpu_threads_save(&thread, 1);
	wait_until(is_saved, NULL, "the thread has saved all");
	check_size(dir, builder.size);

	/* what comes last is read after the stop */
	give();
	CHECK_EQ(end(), 0);
	CHECK_EQ(atomic_load(&thread.progress.events), 3 * RECORDS);
	check_size(dir, builder.size);
}

/* The thread tells that its packets have ended, and does not turn in a loop. */
static void check_ended(void)
{
	begin(make_path("%s/trace", temp_dir()));
	give();
	wait_for_sleep(2);
	close(ring_fd);
	while (!atomic_load(&thread.progress.ended))
		wait_for_notice();
	wait_for_sleep(3);
	/* an order makes it look again */
	tring_cpu_threads_save(&thread, 1);
	wait_for_sleep(4);
	ring_fd = -1;
	CHECK_EQ(end(), 0);
}

static void check_error(void)
{
	begin(make_path("%s/nowhere", temp_dir()));
	give();
	while (!atomic_load(&thread.progress.error))
		wait_for_notice();
	CHECK_EQ(atomic_load(&thread.progress.error), -ENOENT);
	CHECK_EQ(end(), -ENOENT);
}

int main(void)
{
	control.dir = make_path("%s/ring", temp_dir());
	write_text(make_path("%s/per_cpu/cpu0/stats", control.dir), "");
	CHECK(!mkfifo(make_path("%s/per_cpu/cpu0/trace_pipe_raw_compact", control.dir), 0600));
	notice_fd = eventfd(0, 0);
	CHECK(notice_fd >= 0);
	check_thread();
	check_ended();
	check_error();
	check_nohz_full();
	close(notice_fd);
	free(control.dir);
	return 0;
}
