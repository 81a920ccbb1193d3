// SPDX-License-Identifier: GPL-2.0
/*
 * A thread that records one CPU.
 *
 * Each CPU has a thread of its own, which sleeps in poll() until the CPU's ring is as
 * full as buffer_percent says. So a ring that fills is read at once, however many others
 * do, and a quiet one wakes none. The thread alone uses the CPU's drain. It shares with
 * the main thread only the numbers of struct tring_progress, which are atomic, need no
 * order among each other and are written by the thread alone. What describes the packets
 * is shared by all threads, under a mutex that a thread takes when its CPU has an event
 * for the first time. The drain is the main thread's again after tring_cpu_thread_join().
 *
 * The thread runs on its CPU, as far as it may. There the writer's wake-up reaches it
 * without an interrupt of another CPU, the packets are in the cache, its memory is on the
 * CPU's NUMA node, and CPUs without events stay idle. Threads that the scheduler placed
 * lost more events of a burst: see "Bursts" in docs/performance.md.
 *
 * The thread keeps no time. Once a second the main thread looks which rings have events
 * below that level, and orders their threads to save them.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "cpu_thread.h"
#include "thread.h"
#include "trace/trace_dir.h"
#include "util/util.h"

/* A CPU that hangs, or that a real-time task keeps, holds the others back no longer than this. */
#define READY_NS	100000000

/**
 * tring_cpu_thread_init - prepare the thread of a CPU; it is created later
 * @thread: filled in
 * @cpu: number of the CPU
 * @notice_fd: eventfd that the thread writes to when the main thread should look; must
 *	outlive the thread
 */
void tring_cpu_thread_init(struct tring_cpu_thread *thread, int cpu, int notice_fd)
{
	memset(thread, 0, sizeof(*thread));
	thread->drain.cpu = cpu;
	thread->drain.pipe_fd = -1;
	thread->order_fd = -1;
	thread->notice_fd = notice_fd;
	sem_init(&thread->ready, 0, 0);
	sem_init(&thread->go, 0, 0);
}

/**
 * tring_cpu_thread_open - open the CPU's packets
 * @thread: the thread
 * @control: the ring
 * @file: name of the file of the packets, TRING_PACKETS_*
 * @dir: trace directory
 * @compress: level of zstd; 0 for packets that are not compressed
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_cpu_thread_open(struct tring_cpu_thread *thread,
			  const struct tring_control *control, const char *file,
			  const char *dir, int compress)
{
	int cpu = thread->drain.cpu;
	int fd = tring_control_open_packets(control, cpu, file, NULL);
	char *path;

	if (fd < 0)
		return fd;
	path = tring_stream_path(dir, cpu, compress);
	tring_drain_init(&thread->drain, cpu, fd, path);
	tring_stream_file_compress(&thread->drain.file, compress);
	free(path);
	thread->order_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (thread->order_fd >= 0)
		return 0;
	tring_error("eventfd: %s", strerror(errno));
	return -errno;
}

/* Cannot fail: the counter of an eventfd does not get full one by one. */
static void tell(int event_fd)
{
	eventfd_write(event_fd, 1);
}

static void publish(struct tring_cpu_thread *thread)
{
	struct tring_progress *progress = &thread->progress;
	const struct tring_drain *drain = &thread->drain;

	atomic_store(&progress->events, drain->events);
	atomic_store(&progress->bytes, drain->bytes);
	atomic_store(&progress->stored, tring_stream_file_stored(&drain->file));
	atomic_store(&progress->unsaved, !tring_stream_file_is_saved(&drain->file));
}

/*
 * Wait until there is something to do.
 * Return: true if everything is to be saved.
 */
static bool wait_for_work(struct tring_cpu_thread *thread)
{
	bool ended = atomic_load(&thread->progress.ended);
	struct pollfd fds[] = {
		{ .fd = thread->order_fd, .events = POLLIN },
		{ .fd = ended ? -1 : thread->drain.pipe_fd, .events = POLLIN },
	};
	eventfd_t orders;

	/* a negative fd is left out */
	poll(fds, sizeof(fds) / sizeof(fds[0]), -1);
	return !eventfd_read(thread->order_fd, &orders);
}

/* A ring that fills waits no longer than for its own thread. */
static int turn(struct tring_cpu_thread *thread)
{
	int error;

	if (!atomic_load(&thread->turning))
		return 0;
	error = thread->turn(thread->turn_data, thread);
	publish(thread);
	atomic_store(&thread->turning, false);
	tell(thread->notice_fd);
	return error;
}

/* Move packets until recording is stopped. Return: 0 or a negative errno. */
static int move_packets(struct tring_cpu_thread *thread)
{
	struct tring_drain *drain = &thread->drain;
	int error = 0;

	for (;;) {
		bool save = wait_for_work(thread);

		if (atomic_load(&thread->stop))
			return 0;
		error = turn(thread);
		if (error)
			return error;
		drain->ended = false;
		error = tring_drain_service(drain, save);
		if (error && error != -EAGAIN)
			return error;
		atomic_store(&thread->progress.ended, drain->ended);
		publish(thread);
		if (drain->ended)
			tell(thread->notice_fd);
	}
}

static void note_error(struct tring_cpu_thread *thread, int error)
{
	if (!error)
		return;
	atomic_store(&thread->progress.error, error);
	atomic_store(&thread->progress.ended, true);
	tell(thread->notice_fd);
}

/* Until recording is stopped, and then to the end of the packets. */
static void move_all(struct tring_cpu_thread *thread)
{
	note_error(thread, move_packets(thread));
	while (!atomic_load(&thread->stop)) {
		wait_for_work(thread);
		note_error(thread, turn(thread));
	}
	/* told just before the stop */
	note_error(thread, turn(thread));
	/* Recording may have been off before, and on again since. */
	thread->drain.ended = false;
	thread->result = tring_drain_finish(&thread->drain);
	publish(thread);
}

static void *run(void *data)
{
	struct tring_cpu_thread *thread = data;

	tring_thread_bind(thread->drain.cpu);
	sem_post(&thread->ready);
	while (sem_wait(&thread->go) && errno == EINTR)
		;
	if (!thread->abandoned)
		move_all(thread);
	return NULL;
}

/**
 * tring_cpu_thread_start - create the thread, with the caller's signal mask and CPUs
 * @thread: the thread; it sleeps until tring_cpu_thread_go()
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_cpu_thread_start(struct tring_cpu_thread *thread)
{
	int error = tring_thread_start(&thread->thread, run, thread);

	if (error)
		tring_error("cannot start a thread for cpu%d: %s", thread->drain.cpu,
			    strerror(-error));
	thread->started = !error;
	return error;
}

/**
 * tring_cpu_threads_await - let the threads come to where they sleep
 * @threads: the threads, which were started
 * @count: number of @threads
 *
 * A scheduler lets what has slept go first, whatever its priority is, and the command sleeps while
 * the recording is set up. Threads that do not would leave a burst of the command's without a
 * reader for some milliseconds.
 */
void tring_cpu_threads_await(struct tring_cpu_thread *threads, size_t count)
{
	uint64_t until_ns = tring_now_ns() + READY_NS;
	const struct timespec until = { until_ns / 1000000000, until_ns % 1000000000 };
	size_t i;

	for (i = 0; i < count; i++)
		while (sem_clockwait(&threads[i].ready, CLOCK_MONOTONIC, &until) && errno == EINTR)
			;
}

/**
 * tring_cpu_thread_go - let the thread read, as recording is on
 * @thread: the thread, which was started
 */
void tring_cpu_thread_go(struct tring_cpu_thread *thread)
{
	sem_post(&thread->go);
}

/**
 * tring_cpu_threads_save - order the threads that have something new to save it
 * @threads: the threads, which were started
 * @count: number of @threads
 *
 * poll() tells by POLLPRI which rings have events below the level of buffer_percent.
 */
void tring_cpu_threads_save(struct tring_cpu_thread *threads, size_t count)
{
	struct pollfd *fds = tring_allocate(count * sizeof(*fds));
	size_t i;

	for (i = 0; i < count; i++) {
		fds[i].fd = threads[i].drain.pipe_fd;
		fds[i].events = POLLPRI;
	}
	poll(fds, count, 0);
	for (i = 0; i < count; i++)
		if (fds[i].revents || atomic_load(&threads[i].progress.unsaved) ||
		    atomic_load(&threads[i].progress.ended))
			tell(threads[i].order_fd);
	free(fds);
}

/**
 * tring_cpu_thread_turn - tell the thread to go on with another file
 * @thread: the thread, which was started
 */
void tring_cpu_thread_turn(struct tring_cpu_thread *thread)
{
	atomic_store(&thread->turning, true);
	tell(thread->order_fd);
}

/**
 * tring_cpu_thread_stop - tell the thread that recording was stopped
 * @thread: the thread; may not have been started
 */
void tring_cpu_thread_stop(struct tring_cpu_thread *thread)
{
	atomic_store(&thread->stop, true);
	/*
	 * A writer of a real-time class, or a CPU that hangs, must not keep it from its end. It
	 * is told afterwards: a thread that sleeps is moved without its CPU.
	 */
	if (thread->started)
		tring_thread_unbind(thread->thread);
	tell(thread->order_fd);
	/* recording may not have begun */
	sem_post(&thread->go);
}

/**
 * tring_cpu_thread_join - wait until the thread has moved the rest
 * @thread: a thread that was told to stop; without a thread the caller moves the rest
 *
 * Return: 0, or the first negative errno, reported on stderr.
 */
int tring_cpu_thread_join(struct tring_cpu_thread *thread)
{
	int error;

	if (thread->started)
		pthread_join(thread->thread, NULL);
	else
		move_all(thread);
	thread->started = false;
	error = atomic_load(&thread->progress.error);
	return error ? error : thread->result;
}

/**
 * tring_cpu_thread_close - close the CPU's files and free the memory
 * @thread: a thread that was joined, or had no tring_cpu_thread_go(); may be closed twice
 */
void tring_cpu_thread_close(struct tring_cpu_thread *thread)
{
	if (thread->started) {
		thread->abandoned = true;
		tring_thread_unbind(thread->thread);
		sem_post(&thread->go);
		pthread_join(thread->thread, NULL);
		thread->started = false;
	}
	tring_drain_close(&thread->drain);
	if (thread->order_fd >= 0)
		close(thread->order_fd);
	thread->order_fd = -1;
}
