/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The running ring's directory in tracefs. */
#ifndef TRING_CONTROL_H
#define TRING_CONTROL_H

#include <stdbool.h>
#include <stddef.h>

#include "stats.h"

struct tring_short_ids;
struct tring_trace_info;

/**
 * struct tring_control - the ring's directory
 * @tracing: directory of tracefs
 * @dir: directory of the ring
 * @cpus: numbers of the CPUs that have a directory, ascending
 * @cpu_count: number of @cpus
 * @made: tring_control_open() has created the instance
 * @lock_fd: what locks the ring; 0 for nothing
 */
struct tring_control {
	char		*tracing;
	char		*dir;
	int		*cpus;
	size_t		cpu_count;
	bool		made;
	int		lock_fd;
};

/* Most bytes of strings that events of system calls have; 0: they have none. */
#define TRING_STRING_SIZE	"syscall_user_buf_size"

/* Files of a CPU that give packets. */
#define TRING_PACKETS_PIPE	"trace_pipe_raw_compact"
#define TRING_PACKETS_PEEK	"trace_raw_compact"
#define TRING_PACKETS_SNAPSHOT	"snapshot_raw_compact"

int tring_control_open(struct tring_control *control, const char *name,
		       bool make);
int tring_control_remove(struct tring_control *control);
void tring_control_close(struct tring_control *control);
char *tring_control_read_if(const struct tring_control *control, const char *file);
char *tring_control_read(const struct tring_control *control, const char *file);
char *tring_control_formats(const struct tring_control *control);
int tring_control_append(const struct tring_control *control, const char *file,
			 const char *text);
int tring_control_write(const struct tring_control *control, const char *file,
			const char *text);
bool tring_control_is_function_list(const char *file);
int tring_control_try(const struct tring_control *control, const char *file,
		      const char *text);
int tring_control_report(const struct tring_control *control, const char *file,
			 const char *text, int error);
int tring_control_begin_trace(const struct tring_control *control);
bool tring_control_is_on(const struct tring_control *control);
int tring_control_info(const struct tring_control *control,
		       struct tring_trace_info *info, char **text);
int tring_control_short_ids(const struct tring_control *control,
			    struct tring_short_ids *shorts, char **text);
int tring_control_size(const struct tring_control *control, const char *file, size_t *size);
int tring_control_stats(const struct tring_control *control, int cpu, struct tring_stats *stats);
int tring_control_open_packets(const struct tring_control *control, int cpu,
			       const char *file, char **path);

#endif /* TRING_CONTROL_H */
