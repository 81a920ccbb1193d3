/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stacks behind events. See stack.c.
 */
#ifndef _TRING_STACK_H
#define _TRING_STACK_H

#include <linux/kconfig.h>
#include <linux/types.h>

#include "session/key.h"

struct pt_regs;
struct trace_entry;
struct tring_event;
struct tring_event_set;

/* As in ftrace; the frames are those of x86. */
#define TRING_HAS_USER_STACKS	(IS_ENABLED(CONFIG_USER_STACKTRACE_SUPPORT) && \
				 IS_ENABLED(CONFIG_X86_64))

/**
 * enum tring_stack - kinds of stacks
 * @TRING_STACK_KERNEL: the kernel's, as ftrace's event kernel_stack
 * @TRING_STACK_USER: the program's, as ftrace's event user_stack
 * @TRING_STACKS: number of kinds
 */
enum tring_stack {
	TRING_STACK_KERNEL,
	TRING_STACK_USER,
	TRING_STACKS
};

/**
 * struct tring_stacks - the stacks that a ring records
 * @wanted: behind each event: a bit for each kind
 * @keys: keys of the two events, while they have users
 * @users: number of users of each key
 */
struct tring_stacks {
	u8			wanted;
	struct tring_key	keys[TRING_STACKS];
	unsigned int		users[TRING_STACKS];
};

/* stack.c APIs: */
void tring_stacks_use(struct tring_event_set *set, enum tring_stack kind);
void tring_stacks_unuse(struct tring_event_set *set, enum tring_stack kind);
int tring_stacks_set(struct tring_event_set *set, enum tring_stack kind, bool on);
void tring_stacks_exit(struct tring_event_set *set);
void tring_stack_record(const struct tring_event *event, const struct trace_entry *entry,
			enum tring_stack kind, struct pt_regs *regs);

#endif /* _TRING_STACK_H */
