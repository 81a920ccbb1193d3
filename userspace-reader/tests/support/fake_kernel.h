/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fake kernel for tring record: a directory with regular files as the control
 * files and fifos as the packet files, and a process that writes packets while
 * tracing_on contains 1. When all is delivered, it closes the packet files and the fifo
 * DIR.fed. So a recording need not be of a time in which the
 * kernel is as fast as expected, nor does its end wait for the kernel.
 */
#ifndef TRING_TEST_FAKE_KERNEL_H
#define TRING_TEST_FAKE_KERNEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct builder;

#define FAKE_CPUS	2

/* The end of a command line that records until all is delivered; %s is the fake tracefs. */
#define UNTIL_FED	" -- cat %s.fed"

/**
 * struct fake_kernel - behaviour of the fake kernel while recording is on
 * @dir: directory that stands for tracefs
 * @instance: ring, such as "instances/NAME"; NULL for the top-level ring
 * @bytes: bytes that each CPU's packet file delivers
 * @size: number of bytes for each CPU
 * @short_ids: content of short_ids from the recording's begin; NULL for no change
 * @stats: content of each CPU's stats file after the recording
 * @pid: process that writes the packets
 * @delivered: number of bytes that were delivered, shared with that process
 */
struct fake_kernel {
	const char	*dir;
	const char	*instance;
	const uint8_t	*bytes[FAKE_CPUS];
	size_t		size[FAKE_CPUS];
	const char	*short_ids;
	char		*stats[FAKE_CPUS];
	pid_t		pid;
	atomic_size_t	*delivered;
};

void make_tracefs(const char *dir);
void make_ring(const char *ring);
char *balanced_stats(uint64_t read, uint64_t no_room);
void start_kernel(struct fake_kernel *kernel);
void start_kernel_with(struct fake_kernel *kernel, const char *dir,
		       const struct builder *streams, const unsigned int *events);
void set_events_read(const struct fake_kernel *kernel, unsigned int cpu, unsigned int read);
void wait_until_fed(const struct fake_kernel *kernel);
void end_kernel(struct fake_kernel *kernel);
char *control_text(const char *dir, const char *file);
void check_control(const char *dir, const char *file, const char *wanted);
bool is_instance(const char *path);

/*
 * For tests whose own mkdir(), rmdir() and write() are the kernel's of an instance: what tring
 * follows by a marker.
 */
#define FAKE_PRINT	5
#define FAKE_MARKER	"tring follow "

int fake_mkdir(const char *path, mode_t mode, bool *made);
int fake_rmdir(const char *path);
ssize_t write_bytes(int fd, const void *data, size_t size);
void build_marker(struct builder *packets, uint64_t stamp, const char *text);
void give_packets(const char *instance, const struct builder *packets, size_t *sent, int *fds);

#endif /* TRING_TEST_FAKE_KERNEL_H */
