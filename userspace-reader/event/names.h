/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of tasks: the beginning of each line of the report. */
#ifndef TRING_NAMES_H
#define TRING_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <traceevent/event-parse.h>

/* maximum length of a task's name: TASK_COMM_LEN, without the NUL */
#define TRING_COMM_MAX		16
/* name, '-', number, blank; at least TRING_LINE_SHORT for tring_line_short() */
#define TRING_NAME_HEAD		32

/**
 * struct tring_name - name of one task
 * @pid: the task's pid
 * @used: true if this place of the hash table is in use
 * @comm_size: characters of @comm
 * @head_size: characters of @head; 0 if @comm has to be escaped
 * @comm: the task's name, with a NUL behind it
 * @head: beginning of the task's lines
 */
struct tring_name {
	int32_t		pid;
	bool		used;
	uint8_t		comm_size;
	uint8_t		head_size;
	char		comm[TRING_COMM_MAX + 1];
	char		head[TRING_NAME_HEAD];
};

/**
 * struct tring_names - names of all known tasks
 * @tep: libtraceevent's handle, with the names that the kernel had saved
 * @places: hash table, by pid
 * @size: number of @places, a power of 2
 * @count: places in use
 * @other: head of the last task that was not in @places
 */
struct tring_names {
	struct tep_handle *tep;
	struct tring_name *places;
	size_t		size;
	size_t		count;
	char		*other;
};

void tring_names_init(struct tring_names *names, struct tep_handle *tep);
void tring_names_free(struct tring_names *names);
void tring_names_learn(struct tring_names *names, int32_t pid,
		       const char *comm, size_t size);
const char *tring_names_head(struct tring_names *names, int32_t pid,
			     size_t *size);
const char *tring_names_comm(struct tring_names *names, int32_t pid);

#endif /* TRING_NAMES_H */
