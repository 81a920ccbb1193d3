/* SPDX-License-Identifier: GPL-2.0 */
/* Stacks: ftrace's events kernel_stack and user_stack; and the places of probes. */
#ifndef TRING_PRINT_STACK_H
#define TRING_PRINT_STACK_H

#include <stddef.h>
#include <stdint.h>

#include "programs/programs.h"
#include "tring.h"
#include "util/line.h"

/**
 * struct tring_told_probe - the addresses of a dynamic event
 * @at: where the probe is, or where its function returns to; NULL for another event
 * @function: of a return: the function
 */
struct tring_told_probe {
	const struct tring_field *at;
	const struct tring_field *function;
};

uint32_t tring_stack_find(const struct tring_event *event);
size_t tring_stack_addresses(const struct tring_item *item, uint32_t frames,
			     uint64_t **addresses);
void tring_stack_print(const struct tring_item *item, uint32_t frames,
		       struct tring_programs *programs, struct tring_line *line);
void tring_probe_find(struct tring_told_probe *told, const struct tring_event *event);
void tring_probe_tell(const struct tring_told_probe *told, const struct tring_item *item,
		      struct tring_programs *programs, struct tring_line *line);

#endif /* TRING_PRINT_STACK_H */
