/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of tasks: the beginning of each line of the report. */
#ifndef TRING_NAMES_H
#define TRING_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* maximum length of a task's name in an event: TASK_COMM_LEN, without the NUL */
#define TRING_COMM_MAX		16
/* in /proc a kworker's name also says what it works for */
#define TRING_NAME_MAX		64
/* name, '-', number, blank; at least TRING_LINE_SHORT for tring_line_short() */
#define TRING_NAME_HEAD		32

/**
 * struct tring_name - name of one task
 * @pid: the task's pid
 * @used: true if this place of the hash table is in use
 * @comm_size: characters of @comm
 * @head_size: characters of @head; 0 if @comm has to be escaped, or is longer
 * @head: beginning of the task's lines
 * @comm: the task's name, with a NUL behind it
 */
struct tring_name {
	int32_t		pid;
	bool		used;
	uint8_t		comm_size;
	uint8_t		head_size;
	char		head[TRING_NAME_HEAD];
	char		comm[TRING_NAME_MAX + 1];
};

/**
 * struct tring_names - names of all known tasks
 * @places: hash table, by pid
 * @size: number of @places, a power of 2
 * @count: places in use
 * @other: head of the last task without one in @places
 * @cgroups: the tasks' cgroups and command lines; NULL if they are not known
 */
struct tring_names {
	struct tring_name *places;
	size_t		size;
	size_t		count;
	char		*other;
	struct tring_cgroups *cgroups;
};

void tring_names_init(struct tring_names *names);
void tring_names_free(struct tring_names *names);
void tring_names_learn(struct tring_names *names, int32_t pid,
		       const char *comm, size_t size);
void tring_names_add(struct tring_names *names, int32_t pid, const char *comm);
char *tring_names_text(const struct tring_names *names);
const char *tring_names_head(struct tring_names *names, int32_t pid,
			     size_t *size);
const char *tring_names_comm(const struct tring_names *names, int32_t pid);

#endif /* TRING_NAMES_H */
