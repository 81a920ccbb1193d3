/* SPDX-License-Identifier: GPL-2.0 */
/* Stacks: ftrace's events kernel_stack and user_stack. */
#ifndef TRING_PRINT_STACK_H
#define TRING_PRINT_STACK_H

#include <stdint.h>

#include "tring.h"
#include "util/line.h"

uint32_t tring_stack_find(const struct tring_event *event);
void tring_stack_print(const struct tring_item *item, uint32_t frames, struct tring_line *line);

#endif /* TRING_PRINT_STACK_H */
