/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* libtracecmd, which is loaded when a trace.dat is read. */
#ifndef TRING_TRACECMD_H
#define TRING_TRACECMD_H

#include <stdbool.h>
#include <trace-cmd.h>

/**
 * struct tring_tracecmd - functions of libtracecmd
 * @open: tracecmd_open()
 * @open_head: tracecmd_open_head()
 * @close: tracecmd_close()
 * @instances: tracecmd_buffer_instances()
 * @instance_name: tracecmd_buffer_instance_name()
 * @instance: tracecmd_buffer_instance_handle()
 * @read_first: tracecmd_read_cpu_first()
 * @read: tracecmd_read_data()
 * @free: tracecmd_free_record()
 * @set_loglevel: tracecmd_set_loglevel()
 */
struct tring_tracecmd {
	__typeof__(tracecmd_open) *open;
	__typeof__(tracecmd_open_head) *open_head;
	__typeof__(tracecmd_close) *close;
	__typeof__(tracecmd_buffer_instances) *instances;
	__typeof__(tracecmd_buffer_instance_name) *instance_name;
	__typeof__(tracecmd_buffer_instance_handle) *instance;
	__typeof__(tracecmd_read_cpu_first) *read_first;
	__typeof__(tracecmd_read_data) *read;
	__typeof__(tracecmd_free_record) *free;
	__typeof__(tracecmd_set_loglevel) *set_loglevel;
};

const struct tring_tracecmd *tring_tracecmd(void);
void tring_tracecmd_enter(const char *path, bool quiet);
void tring_tracecmd_leave(void);

#endif /* TRING_TRACECMD_H */
