// SPDX-License-Identifier: GPL-2.0
/*
 * Stacks: the functions that have led to an event, as ftrace's events kernel_stack and
 * user_stack, recorded directly behind it.
 *
 * The kernel's stack begins where ftrace's does, at the function that has the tracepoint. So
 * tring's own functions are left out, and of an event that came by perf what lies between.
 * It is put together in the CPU's scratch area of examine.c.
 *
 * The stack of the program is what its frame pointers tell, as in ftrace. To read it may
 * fault, which is an event, too. It is recorded without the program's stack.
 *
 * Sources: __ftrace_trace_stack() and ftrace_trace_userstack() of kernel/trace/trace.c,
 * arch_stack_walk_user() of arch/x86/kernel/stacktrace.c.
 */
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <asm/ptrace.h>
#include <asm/sections.h>

#include "event.h"
#include "examine.h"
#include "own_events.h"
#include "source.h"
#include "stack.h"
#include "unwind.h"

/* Of ftrace's formats. */
#define USER_FRAMES	8

/* What is behind is cut off. The stack of a task has 16 KiB. */
#define FRAMES_MAX	320
/* An event that is recorded by perf has at most as many frames before it. */
#define FRAMES_BEFORE	24

/* Layout of events/ftrace/kernel_stack/format, which names 8 frames; there are @size. */
struct kernel_stack_entry {
	struct trace_entry	ent;
	int			size;
	unsigned long		caller[];
};

/* Layout of events/ftrace/user_stack/format. */
struct user_stack_entry {
	struct trace_entry	ent;
	unsigned int		tgid;
	unsigned long		caller[USER_FRAMES];
};

/*
 * tring's functions between an event and the walk, each of which is a TRING_PROBE. A kernel
 * without kprobes, into which tring is built, does not tell them.
 */
static __always_inline bool is_own(unsigned long address)
{
#ifdef MODULE
	return within_module(address, THIS_MODULE);
#elif !defined(CONFIG_KPROBES)
	return false;
#else
	return address >= (unsigned long)__kprobes_text_start &&
	       address < (unsigned long)__kprobes_text_end;
#endif
}

/* Where the event's stack begins. */
static __always_inline unsigned int find_begin(const unsigned long *frames, unsigned int count,
					       unsigned long begin)
{
	unsigned int most = min_t(unsigned int, count, FRAMES_BEFORE), i;

	for (i = 0; begin && i < most; i++)
		if (frames[i] == begin)
			return i;
	for (i = 0; i < count && is_own(frames[i]); i++)
		;
	return i;
}

/* With the bytes that lie between the number and the frames, if there are any. */
static __always_inline void fill_number(void *entry, size_t at, size_t frames, u32 number)
{
	memset(entry + at, 0, frames - at);
	memcpy(entry + at, &number, sizeof(number));
}

static __always_inline u64 head_of(const struct tring_event *event,
				   const struct trace_entry *entry, enum tring_stack kind)
{
	return READ_ONCE(event->set->stacks.keys[kind].head) |
	       tring_context(entry->flags, entry->preempt_count);
}

/* The registers of a kprobe's event. For others perf makes up three of them. */
static __always_inline bool are_all(const struct pt_regs *regs)
{
#ifdef CONFIG_UNWINDER_ORC
	return regs->flags & X86_EFLAGS_FIXED;
#else
	return false;
#endif
}

static __always_inline void record_kernel_stack(const struct tring_event *event,
						const struct trace_entry *entry,
						struct pt_regs *regs)
{
	unsigned long begin = regs ? instruction_pointer(regs) : 0, *frames;
	struct tring_record TRING_UNINITIALIZED record;
	u32 size = FRAMES_MAX * sizeof(*frames);
	u64 head = head_of(event, entry, TRING_STACK_KERNEL);
	struct kernel_stack_entry *stack;
	unsigned int count, first;

	frames = tring_scratch_take(&size);
	if (unlikely(!frames)) {
		tring_refuse_large(event->buffer, head, entry->pid);
		return;
	}
	count = tring_unwind(frames, size / sizeof(*frames), begin && are_all(regs) ? regs : NULL);
	first = find_begin(frames, count, begin);
	count -= first;
	if (!__tring_reserve(event->buffer, head, true, entry->pid,
			     struct_size(stack, caller, count), &record)) {
		stack = record.payload;
		tring_fill_entry_rest(&stack->ent);
		fill_number(stack, offsetof(typeof(*stack), size),
			    offsetof(typeof(*stack), caller), count);
		memcpy(stack->caller, frames + first, count * sizeof(*frames));
		__tring_commit(&record);
	}
	tring_scratch_give(frames);
}

#if TRING_HAS_USER_STACKS
/* Levels of context, as bits, in which the program's stack is being read. */
static DEFINE_PER_CPU(u8, user_levels);

struct user_frame {
	unsigned long	next;
	unsigned long	caller;
};

static __always_inline void walk_user(unsigned long *frames)
{
	const struct pt_regs *regs = task_pt_regs(current);
	unsigned long at = regs->bp;
	struct user_frame frame;
	unsigned int i;

	frames[0] = regs->ip;
	for (i = 1; i < USER_FRAMES; i++) {
		if (copy_from_user_nofault(&frame, (void __user *)at, sizeof(frame)) ||
		    at < regs->sp || !frame.caller)
			break;
		frames[i] = frame.caller;
		at = frame.next;
	}
}

/* As in ftrace not in an NMI. A thread of the kernel has no program. */
static __always_inline void record_user_stack(const struct tring_event *event,
					      const struct trace_entry *entry)
{
	u64 head = head_of(event, entry, TRING_STACK_USER);
	struct tring_record TRING_UNINITIALIZED record;
	u8 level = BIT(interrupt_context_level());
	unsigned long frames[USER_FRAMES] = { 0 };
	struct user_stack_entry *stack;

	if (in_nmi() || current->flags & PF_KTHREAD || __this_cpu_read(user_levels) & level)
		return;
	__this_cpu_write(user_levels, __this_cpu_read(user_levels) | level);
	barrier();
	walk_user(frames);
	barrier();
	__this_cpu_write(user_levels, __this_cpu_read(user_levels) & ~level);
	/* A helper of the kernel's is no thread of it, and has no program yet. */
	if (!frames[0] && !frames[1])
		return;
	if (__tring_reserve(event->buffer, head, false, entry->pid, sizeof(*stack), &record))
		return;
	stack = record.payload;
	tring_fill_entry_rest(&stack->ent);
	fill_number(stack, offsetof(typeof(*stack), tgid), offsetof(typeof(*stack), caller),
		    current->tgid);
	memcpy(stack->caller, frames, sizeof(frames));
	__tring_commit(&record);
}
#else
static inline void record_user_stack(const struct tring_event *event,
				     const struct trace_entry *entry)
{
}
#endif

/**
 * tring_stack_record - record a stack behind an event
 * @event: the event, which has been recorded
 * @entry: its head
 * @kind: kind of the stack, which has a user
 * @regs: registers of the event, by perf; NULL for one that tring's probe records
 *
 * Context: any, NMI included, preemption disabled.
 */
TRING_PROBE void tring_stack_record(const struct tring_event *event,
				    const struct trace_entry *entry, enum tring_stack kind,
				    struct pt_regs *regs)
{
	/* Those of a program are a uprobe's. */
	if (kind == TRING_STACK_KERNEL)
		record_kernel_stack(event, entry, !regs || user_mode(regs) ? NULL : regs);
	else
		record_user_stack(event, entry);
}

static const struct {
	enum tring_own_event	event;
	unsigned int		length;
} stack_events[TRING_STACKS] = {
	[TRING_STACK_KERNEL]	= { TRING_OWN_KERNEL_STACK, 0 },
	[TRING_STACK_USER]	= { TRING_OWN_USER_STACK,
				    sizeof(struct user_stack_entry) - TRING_PAYLOAD_HEAD },
};

/**
 * tring_stacks_use - prepare to record stacks
 * @set: events of the ring
 * @kind: kind of the stacks
 *
 * Context: process, may sleep, with tring_events_mutex held; after tring_own_events_read().
 */
void tring_stacks_use(struct tring_event_set *set, enum tring_stack kind)
{
	struct tring_stacks *stacks = &set->stacks;

	lockdep_assert_held(&tring_events_mutex);
	if (!stacks->users[kind]++)
		tring_buffer_add_event(set->buffer, &stacks->keys[kind],
				       tring_own_event_id(stack_events[kind].event),
				       stack_events[kind].length, true);
}

/**
 * tring_stacks_unuse - undo tring_stacks_use()
 * @set: events of the ring
 * @kind: kind of the stacks; no probe records one for this user any more
 *
 * Context: process, may sleep, with tring_events_mutex held.
 */
void tring_stacks_unuse(struct tring_event_set *set, enum tring_stack kind)
{
	struct tring_stacks *stacks = &set->stacks;

	lockdep_assert_held(&tring_events_mutex);
	if (!--stacks->users[kind])
		tring_buffer_remove_event(set->buffer, &stacks->keys[kind]);
}

static void set_wanted(struct tring_event_set *set, u8 wanted)
{
	struct tring_event *event;

	/* A probe that finds the bit finds the key, too. */
	smp_store_release(&set->stacks.wanted, wanted);
	tring_for_each_event(event, set)
		tring_examine_update(event);
}

/**
 * tring_stacks_set - record a stack behind each event of a ring, or stop it
 * @set: events of the ring
 * @kind: kind of the stacks
 * @on: record them
 *
 * Context: process, may sleep.
 * Return: 0, or an error of tring_own_events_read() or -ENOMEM if @on.
 */
int tring_stacks_set(struct tring_event_set *set, enum tring_stack kind, bool on)
{
	int err = on ? tring_own_events_read() ?: tring_examine_prepare() : 0;
	u8 wanted;

	if (err)
		return err;
	mutex_lock(&tring_events_mutex);
	wanted = set->stacks.wanted;
	if (on && !(wanted & BIT(kind))) {
		tring_stacks_use(set, kind);
		set_wanted(set, wanted | BIT(kind));
	} else if (!on && wanted & BIT(kind)) {
		set_wanted(set, wanted & ~BIT(kind));
		tring_synchronize_probes();
		tring_stacks_unuse(set, kind);
	}
	mutex_unlock(&tring_events_mutex);
	return 0;
}
TRING_EXPORT(tring_stacks_set);

/**
 * tring_stacks_exit - stop recording stacks
 * @set: events of a ring, none of which is enabled
 *
 * Context: process, may sleep.
 */
void tring_stacks_exit(struct tring_event_set *set)
{
	tring_stacks_set(set, TRING_STACK_KERNEL, false);
	tring_stacks_set(set, TRING_STACK_USER, false);
}
