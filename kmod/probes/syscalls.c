// SPDX-License-Identifier: GPL-2.0
/*
 * Events of single system calls, syscalls:sys_enter_NAME and sys_exit_NAME. Each ring that
 * records one has a table by the call's number, and a probe on raw_syscalls:sys_enter or
 * sys_exit that looks there. perf costs more than twice as much, but does what this file
 * leaves to it: since v6.19 some sys_enter events have copies of the caller's memory.
 *
 * As in ftrace, a call from a 32-bit program is not recorded, because its numbers are
 * others.
 *
 * Source: kernel/trace/trace_syscalls.c.
 */
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>

#include <asm/syscall.h>
#include <trace/syscall.h>

#include "event.h"
#include "events.h"
#include "examine.h"
#include "source.h"

/* Layouts of events/syscalls/EVENT/format. */
struct enter_entry {
	struct trace_entry	ent;
	int			nr;
	unsigned long		args[];
};

struct exit_entry {
	struct trace_entry	ent;
	int			nr;
	long			ret;
};

/* Bytes of fields, up to the arguments, and up to the end of a call without any. */
#define ARGS_AT		(offsetof(struct enter_entry, args) - TRING_PAYLOAD_HEAD)
#define NO_ARGS_LENGTH	(offsetofend(struct enter_entry, nr) - TRING_PAYLOAD_HEAD)
#define EXIT_LENGTH	(sizeof(struct exit_entry) - TRING_PAYLOAD_HEAD)

enum side { ENTER, EXIT, SIDES };

/**
 * struct one_side - the events of all calls' beginnings, or of their ends
 * @file: ftrace's event of the raw tracepoint, while the probe is registered
 * @users: number of enabled events
 * @events: enabled events by the number of the call
 */
struct one_side {
	struct trace_event_file	*file;
	unsigned int		users;
	struct tring_event	*events[NR_syscalls];
};

/**
 * struct tring_syscalls - system calls of a ring
 * @sides: data pointers of the two probes
 */
struct tring_syscalls {
	struct one_side		sides[SIDES];
};

static __always_inline struct tring_event *
event_of_call(const struct one_side *side, struct pt_regs *regs, long nr)
{
#ifdef ARCH_TRACE_IGNORE_COMPAT_SYSCALLS
	if (unlikely(arch_trace_is_compat_syscall(regs)))
		return NULL;
#endif
	if (unlikely((unsigned long)nr >= NR_syscalls))
		return NULL;
	return READ_ONCE(side->events[nr]);
}

/* Out of line: only what has an array on the stack has a stack protector. */
static noinline TRING_PROBE void fill_arguments(struct enter_entry *entry, struct pt_regs *regs,
						u32 count)
{
	unsigned long TRING_UNINITIALIZED args[6];
	u32 i;

	syscall_get_arguments(current, regs, args);
	for (i = 0; i < count; i++)
		entry->args[i] = args[i];
}

static __always_inline void fill_enter(struct enter_entry *entry, const struct tring_event *event,
				       struct pt_regs *regs, long nr)
{
	tring_fill_entry_rest(&entry->ent);
	entry->nr = nr;
	if (event->length > ARGS_AT)
		fill_arguments(entry, regs, (event->length - ARGS_AT) / sizeof(entry->args[0]));
}

static __always_inline void fill_exit(struct exit_entry *entry, long nr, long ret)
{
	tring_fill_entry_rest(&entry->ent);
	entry->nr = nr;
	entry->ret = ret;
}

/*
 * As in ftrace: one preempt_disable(), as a tracepoint's. Calls begin and end in a task with
 * interrupts on, so in general there is nothing else to look at.
 */
static __always_inline u64 context_of_call(void)
{
	u64 depth = PREEMPT_DISABLE_OFFSET - TRING_TRACEPOINT_DEPTH;
	struct task_struct *task = current;

	if (!IS_ENABLED(CONFIG_TRACE_IRQFLAGS_SUPPORT) || IS_ENABLED(CONFIG_PREEMPT_RT) ||
	    unlikely(preempt_count() != PREEMPT_DISABLE_OFFSET || test_tsk_need_resched(task) ||
		     test_preempt_need_resched() || tring_need_resched_lazy(task)))
		return tring_event_context(task, TRING_TRACEPOINT_DEPTH);
	return depth << (TRING_CONTEXT_PREEMPT_SHIFT + TRING_HEAD_CONTEXT_SHIFT);
}

static __always_inline int
reserve_call(const struct tring_event *event, u32 length, struct tring_record *record)
{
	return __tring_reserve(event->buffer, READ_ONCE(event->key.head) | context_of_call(),
			       false, current->pid, length, record);
}

static noinline TRING_PROBE void examine_enter(struct tring_event *event, struct pt_regs *regs,
					       long nr)
{
	u32 length = TRING_PAYLOAD_HEAD + event->length;
	struct trace_entry *entry = tring_examine_begin(event, length);

	if (!entry)
		return;
	fill_enter((struct enter_entry *)entry, event, regs, nr);
	tring_examine_end(event, entry, length, NULL);
}

static noinline TRING_PROBE void examine_exit(struct tring_event *event, long nr, long ret)
{
	u32 length = sizeof(struct exit_entry);
	struct trace_entry *entry = tring_examine_begin(event, length);

	if (!entry)
		return;
	fill_exit((struct exit_entry *)entry, nr, ret);
	tring_examine_end(event, entry, length, NULL);
}

static TRING_PROBE void probe_enter(void *data, struct pt_regs *regs, long nr)
{
	struct tring_event *event = event_of_call(data, regs, nr);
	struct tring_record TRING_UNINITIALIZED record;

	if (!event)
		return;
	preempt_disable_notrace();
	if (!tring_event_wanted(event))
		goto enable;
	if (tring_event_is_examined(event)) {
		examine_enter(event, regs, nr);
	} else if (!reserve_call(event, TRING_PAYLOAD_HEAD + event->length, &record)) {
		fill_enter(record.payload, event, regs, nr);
		__tring_commit(&record);
	}
enable:
	preempt_enable_notrace();
}

static TRING_PROBE void probe_exit(void *data, struct pt_regs *regs, long ret)
{
	long nr = syscall_get_nr(current, regs);
	struct tring_event *event = event_of_call(data, regs, nr);
	struct tring_record TRING_UNINITIALIZED record;

	if (!event)
		return;
	preempt_disable_notrace();
	if (!tring_event_wanted(event))
		goto enable;
	if (tring_event_is_examined(event)) {
		examine_exit(event, nr, ret);
	} else if (!reserve_call(event, sizeof(struct exit_entry), &record)) {
		fill_exit(record.payload, nr, ret);
		__tring_commit(&record);
	}
enable:
	preempt_enable_notrace();
}

static const struct {
	const char	*prefix;
	const char	*raw;
	void		*probe;
} sides[SIDES] = {
	[ENTER]	= { "sys_enter_", "sys_enter", probe_enter },
	[EXIT]	= { "sys_exit_", "sys_exit", probe_exit },
};

static enum side side_of(const struct tring_event *event)
{
	enum side side = ENTER;

	while (side < SIDES && strncmp(event->name, sides[side].prefix,
				       strlen(sides[side].prefix)))
		side++;
	return side;
}

static bool syscall_suits(const struct tring_event *event, const struct trace_event_file *file)
{
	const struct syscall_metadata *call = file->event_call->data;
	enum side side = side_of(event);

	if (strcmp(event->system, "syscalls") || side == SIDES || !call)
		return false;
	if (side == ENTER && tring_syscall_copies_memory(call))
		return false;
	return (unsigned int)call->syscall_nr < NR_syscalls && call->nb_args <= 6;
}

/* The first event registers the probe of its side. */
static int add_user(struct one_side *side, enum side which)
{
	struct trace_event_file *file;
	int err;

	if (side->users++)
		return 0;
	file = tring_get_event_file("raw_syscalls", sides[which].raw);
	if (IS_ERR(file)) {
		side->users--;
		return -ENOENT;
	}
	err = tracepoint_probe_register(file->event_call->tp, sides[which].probe, side);
	if (err) {
		side->users--;
		tring_put_event_file(file);
		return err;
	}
	side->file = file;
	return 0;
}

/* The probe may still run; release_disabled_events() waits for it. */
static void remove_user(struct one_side *side, enum side which)
{
	if (--side->users)
		return;
	tracepoint_probe_unregister(side->file->event_call->tp, sides[which].probe, side);
	tring_put_event_file(side->file);
	side->file = NULL;
}

static int enable_syscall(struct tring_event_set *set, struct tring_event *event)
{
	const struct syscall_metadata *call = event->file->event_call->data;
	enum side which = side_of(event);
	struct one_side *side;
	int err;

	if (!set->syscalls) {
		set->syscalls = kvzalloc(sizeof(*set->syscalls), GFP_KERNEL);
		if (!set->syscalls)
			return -ENOMEM;
	}
	side = &set->syscalls->sides[which];
	if (which == EXIT)
		event->length = EXIT_LENGTH;
	else if (call->nb_args)
		event->length = ARGS_AT + call->nb_args * sizeof(unsigned long);
	else
		event->length = NO_ARGS_LENGTH;
	tring_buffer_add_event(event->buffer, &event->key, event->file->event_call->event.type,
			       event->length, false);
	err = add_user(side, which);
	if (err) {
		tring_buffer_remove_event(event->buffer, &event->key);
		return err;
	}
	/* A probe that finds the event finds its key and its length, too. */
	smp_store_release(&side->events[call->syscall_nr], event);
	return 0;
}

static void disable_syscall(struct tring_event_set *set, struct tring_event *event)
{
	const struct syscall_metadata *call = event->file->event_call->data;
	enum side which = side_of(event);
	struct one_side *side = &set->syscalls->sides[which];

	WRITE_ONCE(side->events[call->syscall_nr], NULL);
	remove_user(side, which);
}

const struct tring_source tring_syscall_source = {
	.name		= "syscall",
	.suits		= syscall_suits,
	.enable		= enable_syscall,
	.disable	= disable_syscall,
};

/**
 * tring_syscalls_free - free the table of a ring
 * @set: events of the ring, none of which is enabled; no probe runs
 *
 * Context: process, may sleep.
 */
void tring_syscalls_free(struct tring_event_set *set)
{
	kvfree(set->syscalls);
	set->syscalls = NULL;
}
