// SPDX-License-Identifier: GPL-2.0
/*
 * Events of single system calls, syscalls:sys_enter_NAME and sys_exit_NAME. Each ring that
 * records one has a table by the call's number, and a probe on raw_syscalls:sys_enter or
 * sys_exit that looks there. perf costs more than twice as much, but does what this file
 * leaves to it: since v6.19 some sys_enter events have copies of the caller's memory. Strings
 * of others are read by call_strings.c, if that is wanted.
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

#include "call_strings.h"
#include "event.h"
#include "events.h"
#include "examine.h"
#include "source.h"

/* Layout of events/syscalls/sys_exit_NAME/format. */
struct exit_entry {
	struct trace_entry	ent;
	int			nr;
	long			ret;
};

/* Bytes of fields, up to the arguments, and up to the end of a call without any. */
#define ARGS_AT		(offsetof(struct tring_enter, args) - TRING_PAYLOAD_HEAD)
#define NO_ARGS_LENGTH	(offsetofend(struct tring_enter, nr) - TRING_PAYLOAD_HEAD)
#define EXIT_LENGTH	(sizeof(struct exit_entry) - TRING_PAYLOAD_HEAD)

enum side { ENTER, EXIT, SIDES };

/**
 * struct one_side - the events of all calls' beginnings, or of their ends
 * @events: enabled events by the number of the call
 * @file: ftrace's event of the raw tracepoint, while the probe is registered
 * @users: number of enabled events
 */
struct one_side {
	struct tring_event	*events[NR_syscalls];
	struct trace_event_file	*file;
	unsigned int		users;
};

/**
 * struct tring_syscalls - system calls of a ring
 * @sides: data pointers of the two probes
 */
struct tring_syscalls {
	struct one_side		sides[SIDES];
};

/* The numbers of x32 are too large, so a call from there needs no test. */
static __always_inline bool is_compat_call(struct pt_regs *regs)
{
#ifdef CONFIG_X86
	return in_ia32_syscall();
#elif defined(ARCH_TRACE_IGNORE_COMPAT_SYSCALLS)
	return arch_trace_is_compat_syscall(regs);
#else
	return false;
#endif
}

static __always_inline struct tring_event *
event_of_call(const struct one_side *side, struct pt_regs *regs, unsigned long nr)
{
	if (unlikely(is_compat_call(regs) || nr >= NR_syscalls))
		return NULL;
	return READ_ONCE(side->events[nr]);
}

/* Out of line: only what has an array on the stack has a stack protector. */
static noinline TRING_PROBE void fill_arguments(struct tring_enter *entry, struct pt_regs *regs,
						u32 count)
{
	unsigned long TRING_UNINITIALIZED args[6];
	u32 i;

	syscall_get_arguments(current, regs, args);
	for (i = 0; i < count; i++)
		entry->args[i] = args[i];
}

/*
 * As ftrace does, the probe disables preemption. Where the tracepoint has, it is in the count only:
 * nothing is subtracted from that.
 */
#define MUST_DISABLE	(TRING_CALLS_ARE_PREEMPTIBLE || !IS_ENABLED(CONFIG_PREEMPTION))
#define OWN_DEPTH	(MUST_DISABLE ? TRING_TRACEPOINT_DEPTH : 0)

/*
 * Calls begin and end in a task with interrupts on, so in general there is nothing else to look
 * at.
 */
static __always_inline u64 context_of_call(void)
{
	if (!tring_context_is(current, PREEMPT_DISABLE_OFFSET))
		return tring_event_context_slow(OWN_DEPTH);
	return tring_context(0, PREEMPT_DISABLE_OFFSET - OWN_DEPTH);
}

static __always_inline u32 length_of_call(const struct tring_event *event, enum side side)
{
	u32 length = TRING_PAYLOAD_HEAD + (side == EXIT ? EXIT_LENGTH : event->length);

	/* As enable_syscall() sets it: no record is shorter than the least. */
	if (length < TRING_PAYLOAD_MIN)
		__builtin_unreachable();
	return length;
}

static __always_inline void fill_call(struct trace_entry *entry, const struct tring_event *event,
				      struct pt_regs *regs, unsigned long nr, long ret,
				      enum side side)
{
	struct exit_entry *exit = (struct exit_entry *)entry;

	tring_fill_entry_rest(entry);
	exit->nr = nr;
	if (side == EXIT)
		exit->ret = ret;
	else if (event->length > ARGS_AT)
		fill_arguments((struct tring_enter *)entry, regs,
			       (event->length - ARGS_AT) / sizeof(long));
}

static __always_inline void record_call(const struct tring_event *event, u64 context,
					struct pt_regs *regs, unsigned long nr, long ret,
					enum side side)
{
	struct tring_record TRING_UNINITIALIZED record;

	if (__tring_reserve(event->buffer, READ_ONCE(event->key.head) | context, false,
			    current->pid, length_of_call(event, side), &record))
		return;
	fill_call(record.payload, event, regs, nr, ret, side);
	__tring_commit(&record);
}

/* Of an event that has tests. */
static noinline TRING_PROBE void test_call(struct tring_event *event, struct pt_regs *regs,
					   unsigned long nr, long ret, enum side side)
{
	u32 length = length_of_call(event, side);
	struct trace_entry *entry;

	preempt_disable_notrace();
	if (!tring_event_wanted(event))
		goto enable;
	if (!tring_event_is_examined(event)) {
		record_call(event, tring_event_context(current, TRING_TRACEPOINT_DEPTH), regs, nr,
			    ret, side);
		goto enable;
	}
	entry = tring_examine_begin(event, length + tring_call_strings_room(event));
	if (entry) {
		fill_call(entry, event, regs, nr, ret, side);
		if (tring_call_has_strings(event))
			length = tring_call_strings_read(event, (void *)entry, length);
		tring_examine_end(event, entry, length);
	}
enable:
	preempt_enable_notrace();
}

static __always_inline void probe_call(const struct one_side *calls, struct pt_regs *regs,
				       unsigned long nr, long ret, enum side side)
{
	struct tring_event *event = event_of_call(calls, regs, nr);

	if (!event)
		return;
	/* data_race(): see tring_event_wanted() */
	if (unlikely(data_race(event->tests))) {
		test_call(event, regs, nr, ret, side);
		return;
	}
	if (MUST_DISABLE)
		preempt_disable_notrace();
	record_call(event, context_of_call(), regs, nr, ret, side);
	if (MUST_DISABLE)
		preempt_enable_notrace();
}

static TRING_PROBE void probe_enter(void *data, struct pt_regs *regs, long nr)
{
	probe_call(data, regs, nr, 0, ENTER);
}

static TRING_PROBE void probe_exit(void *data, struct pt_regs *regs, long ret)
{
	probe_call(data, regs, (unsigned int)syscall_get_nr(current, regs), ret, EXIT);
}

static const struct {
	const char	*prefix;
	const char	*raw;
	void		*probe;
} syscall_sides[SIDES] = {
	[ENTER]	= { "sys_enter_", "sys_enter", probe_enter },
	[EXIT]	= { "sys_exit_", "sys_exit", probe_exit },
};

static enum side side_of(const struct tring_event *event)
{
	enum side side = ENTER;

	while (side < SIDES && strncmp(event->name, syscall_sides[side].prefix,
				       strlen(syscall_sides[side].prefix)))
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
	file = tring_get_event_file("raw_syscalls", syscall_sides[which].raw);
	if (IS_ERR(file)) {
		side->users--;
		return -ENOENT;
	}
	err = tracepoint_probe_register(file->event_call->tp, syscall_sides[which].probe, side);
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
	tracepoint_probe_unregister(side->file->event_call->tp, syscall_sides[which].probe, side);
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
	err = which == ENTER ? tring_call_strings_prepare(event) : 0;
	if (err)
		return err;
	tring_buffer_add_event(event->buffer, &event->key, event->file->event_call->event.type,
			       tring_call_has_strings(event) ? 0 : event->length, false);
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
