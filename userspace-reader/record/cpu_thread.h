/* SPDX-License-Identifier: GPL-2.0 */
/* A thread that records one CPU. */
#ifndef TRING_CPU_THREAD_H
#define TRING_CPU_THREAD_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracefs/control.h"
#include "drain.h"

/**
 * struct tring_progress - what the main thread may know of a running thread
 * @events: events that were moved
 * @bytes: bytes of packets for the file
 * @stored: bytes of the file, as far as they are known
 * @unsaved: packets were moved that are not in the file
 * @ended: the thread has found the end of the packets, and waits for an order
 * @error: negative errno that has ended the thread, reported on stderr
 */
struct tring_progress {
	_Atomic uint64_t events;
	_Atomic uint64_t bytes;
	_Atomic uint64_t stored;
	atomic_bool	unsaved;
	atomic_bool	ended;
	atomic_int	error;
};

struct tring_cpu_thread;

/**
 * typedef tring_turn_fn - called by the thread to go on with another file
 * @data: &struct tring_cpu_thread.turn_data
 * @thread: the thread
 *
 * Return: 0 or a negative errno, reported on stderr, after which nothing more is written.
 */
typedef int tring_turn_fn(void *data, struct tring_cpu_thread *thread);

/**
 * struct tring_cpu_thread - a thread that records one CPU
 * @drain: the CPU; the thread's while it runs, else the caller's
 * @progress: the thread's to write
 * @order_fd: eventfd; tells the thread to save what there is, and to look at what follows
 * @stop: recording was stopped; the thread should move the rest and end
 * @turning: the thread should call @turn; unset behind that
 * @turn: the caller sets it after tring_cpu_thread_init()
 * @turn_data: for @turn
 * @notice_fd: eventfd of the caller; told of an error, of an end and of a turn
 * @thread: the thread, if @started
 * @started: the thread exists
 * @ready: posted by the thread before it waits for @go
 * @go: posted once, when the thread should begin or, with @abandoned, end
 * @abandoned: nothing was recorded
 * @result: what tring_drain_finish() has returned
 */
struct tring_cpu_thread {
	struct tring_drain drain;
	struct tring_progress progress;
	int		order_fd;
	atomic_bool	stop;
	atomic_bool	turning;
	tring_turn_fn	*turn;
	void		*turn_data;
	int		notice_fd;
	pthread_t	thread;
	bool		started;
	sem_t		ready;
	sem_t		go;
	bool		abandoned;
	int		result;
};

void tring_cpu_thread_init(struct tring_cpu_thread *thread, int cpu, int notice_fd);
int tring_cpu_thread_open(struct tring_cpu_thread *thread,
			  const struct tring_control *control, const char *file,
			  const char *dir, int compress);
int tring_cpu_thread_start(struct tring_cpu_thread *thread);
void tring_cpu_threads_await(struct tring_cpu_thread *threads, size_t count);
void tring_cpu_thread_go(struct tring_cpu_thread *thread);
void tring_cpu_threads_save(struct tring_cpu_thread *threads, size_t count);
void tring_cpu_thread_turn(struct tring_cpu_thread *thread);
void tring_cpu_thread_stop(struct tring_cpu_thread *thread);
int tring_cpu_thread_join(struct tring_cpu_thread *thread);
void tring_cpu_thread_close(struct tring_cpu_thread *thread);

#endif /* TRING_CPU_THREAD_H */
