/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Stacks: ftrace's event kernel_stack. */
#ifndef TRING_STACK_H
#define TRING_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "events.h"
#include "wire/wire.h"

bool tring_stack_is_counted(const struct tep_event *parsed, const char *system,
			    uint32_t *count, uint32_t *frames);
const char *tring_stack_check(const struct tring_event *event,
			      const struct tring_record *record);

#endif /* TRING_STACK_H */
