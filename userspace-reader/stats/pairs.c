// SPDX-License-Identifier: GPL-2.0
/* The pairs that have names. */
#include <stdio.h>
#include <string.h>

#include "pair.h"
#include "interrupts.h"
#include "util/util.h"

#define CALLS	"syscalls:"

/* Softirq of network packets that come in. */
#define NET_RX	"3"

/* Up to one without a name. */
const struct tring_pair tring_pairs[] = {
	{
		.name = "wakeup",
		.begin = "sched:sched_waking", .end = "sched:sched_switch",
		.keys = "pid=next_pid", .by = "comm",
		/* it was woken while it ran */
		.cancel = "sched:sched_switch", .cancel_keys = "prev_pid",
	}, {
		.name = "syscall",
		.begin = "raw_syscalls:sys_enter", .end = "raw_syscalls:sys_exit",
		.keys = "common_pid", .by = "id",
	}, {
		.name = "futex",
		.begin = "syscalls:sys_enter_futex", .end = "syscalls:sys_exit_futex",
		.keys = "common_pid", .by = "uaddr",
	}, {
		.name = "block",
		.begin = "block:block_rq_issue", .end = "block:block_rq_complete",
		.keys = "dev,sector", .by = "rwbs",
	}, {
		.name = "irq",
		.begin = "irq:irq_handler_entry", .end = "irq:irq_handler_exit",
		.keys = "common_cpu,irq", .by = "name",
	}, {
		.name = "softirq",
		.begin = "irq:softirq_raise", .end = "irq:softirq_entry",
		.keys = "common_cpu,vec", .by = "vec", .first = true,
		.names = tring_softirq_name,
	}, {
		.name = "napi",
		.begin = "irq:softirq_entry", .end = "napi:napi_poll",
		.keys = "common_cpu", .by = "dev_name", .condition = "vec=" NET_RX,
	}, {
		.name = "net",
		.begin = "net:net_dev_queue", .end = "net:net_dev_xmit",
		.keys = "skbaddr", .by = "name",
	}, {
		.name = "hrtimer",
		.begin = "timer:hrtimer_start", .end = "timer:hrtimer_expire_entry",
		.keys = "hrtimer", .by = "function", .begin_time = "expires",
		.end_time = "now", .cancel = "timer:hrtimer_cancel", .cancel_keys = "hrtimer",
	}, {
		.name = "page-fault",
		.begin = "exceptions:page_fault_user", .end = "kprobes:page_fault_end",
		.keys = "common_pid",
		.kprobe = "r:page_fault_end handle_mm_fault",
	}, {
	}
};

/* Return: true if @name is that of one system call; @text is what its pair consists of. */
static bool make_call(struct tring_pair *pair, const char *name, char **text)
{
	size_t half, other;

	if (strncmp(name, CALLS, strlen(CALLS)) || !strncmp(name, CALLS "sys_", strlen(CALLS) + 4))
		return false;
	name += strlen(CALLS);
	half = strlen(CALLS "sys_enter_") + strlen(name) + 1;
	other = half + strlen(CALLS "sys_exit_") + strlen(name) + 1;
	*text = tring_format(CALLS "sys_enter_%s;" CALLS "sys_exit_%s;" CALLS "%s", name, name,
			     name);
	(*text)[half - 1] = 0;
	(*text)[other - 1] = 0;
	*pair = (struct tring_pair) {
		.name = *text + other, .begin = *text, .end = *text + half,
		.keys = "common_pid",
	};
	return true;
}

/**
 * tring_pair_find - find a pair by its name
 * @pair: set to it
 * @name: the name, or "syscalls:" and a system call
 * @text: set to what @pair needs, to free() behind it; NULL for nothing
 *
 * Return: false if there is none.
 */
bool tring_pair_find(struct tring_pair *pair, const char *name, char **text)
{
	const struct tring_pair *known;

	*text = NULL;
	for (known = tring_pairs; known->name; known++)
		if (!strcmp(known->name, name)) {
			*pair = *known;
			return true;
		}
	return make_call(pair, name, text);
}
