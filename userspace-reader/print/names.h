/* SPDX-License-Identifier: GPL-2.0 */
/* Names of tasks, as a line of the report begins with them. */
#ifndef TRING_NAMES_H
#define TRING_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <traceevent/event-parse.h>

/* TASK_COMM_LEN without the zero */
#define TRING_COMM_MAX		16
/* a name, '-', a number, a blank; enough for tring_line_short() */
#define TRING_NAME_HEAD		32

/**
 * struct tring_name - one task
 * @pid: its number
 * @used: is there a task in this place?
 * @comm_size: characters of @comm
 * @head_size: characters of @head
 * @comm: its name
 * @head: how its lines begin
 */
struct tring_name {
	int32_t		pid;
	bool		used;
	uint8_t		comm_size;
	uint8_t		head_size;
	char		comm[TRING_COMM_MAX];
	char		head[TRING_NAME_HEAD];
};

/**
 * struct tring_names - all tasks
 * @tep: knows what the kernel has said of tasks
 * @places: a hash table by number
 * @size: of @places, a power of 2
 * @count: places in use
 * @other: the head of a task that is not kept there
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

#endif /* TRING_NAMES_H */
