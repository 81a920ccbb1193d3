/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What tring record sees of a kernel, without one: a directory with regular
 * files for the control files and fifos for the pipes, and a process that
 * writes packets while tracing_on says 1.
 */
#ifndef TRING_TEST_FAKE_KERNEL_H
#define TRING_TEST_FAKE_KERNEL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define FAKE_CPUS	2

/**
 * struct fake_kernel - what it does when recording is on
 * @dir: its tracefs
 * @instance: which ring, such as "instances/NAME"; NULL for the one that is
 *	always there
 * @bytes: what each CPU's pipe gives
 * @size: how many
 * @stats: each CPU's stats file afterwards
 * @pid: the process
 */
struct fake_kernel {
	const char	*dir;
	const char	*instance;
	const uint8_t	*bytes[FAKE_CPUS];
	size_t		size[FAKE_CPUS];
	char		*stats[FAKE_CPUS];
	pid_t		pid;
};

void make_tracefs(const char *dir);
void make_ring(const char *ring);
char *balanced_stats(uint64_t read, uint64_t no_room);
void start_kernel(struct fake_kernel *kernel);
void end_kernel(struct fake_kernel *kernel);
char *control_text(const char *dir, const char *file);
void check_control(const char *dir, const char *file, const char *wanted);

#endif /* TRING_TEST_FAKE_KERNEL_H */
