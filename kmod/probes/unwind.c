// SPDX-License-Identifier: GPL-2.0
/*
 * Walks the kernel's stack, with the kernel's unwinder.
 *
 * On x86-64 the kernel finds each frame by a search in its ORC tables, which takes some 500
 * instructions. But where a function was called tells in general where its caller's frame
 * is: so many words from the stack pointer, or from the register BP; and where the caller's
 * BP was saved. Such a "rule" depends on the return address alone. It is kept in a table for
 * all CPUs, and a step by it takes some 30 instructions.
 *
 * The kernel itself tells the rule: it takes steps on a stack whose words are their own
 * numbers, so the results show what it has read. If a step needs anything else, the rule is
 * that the kernel takes each step from that address.
 *
 * An address on the stack need not be the caller's: a kretprobe and the function graph tracer
 * replace it by that of a function of theirs, and the kernel knows what it stands for. So a
 * step by a rule is taken to an address only that has a rule itself, or is in a module, and to
 * none that begins a function.
 *
 * Rules are kept for the code of the kernel's image and of modules. When a module goes, so do
 * the rules: no CPU is in its code any more that could learn one again. Programs of BPF and
 * trampolines go without notice, and have no rules.
 *
 * A rule is a word, so the table needs no lock. Two CPUs that learn at once may lose a rule,
 * which is learnt again.
 *
 * Source: arch/x86/kernel/unwind_orc.c, arch_stack_walk() of arch/x86/kernel/stacktrace.c.
 */
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/stacktrace.h>
#include <linux/string.h>

#include "compat.h"
#include "unwind.h"

/* Kbuild defines TRING_LACKS_<function> for one that a kernel does not export any more. */
#if defined(CONFIG_X86_64) && defined(CONFIG_UNWINDER_ORC) && defined(CONFIG_KALLSYMS) && \
	!defined(TRING_LACKS___unwind_start) && !defined(TRING_LACKS_unwind_next_frame) && \
	!defined(TRING_LACKS_unwind_get_return_address)

#include <asm/page_types.h>
#include <asm/pgtable_types.h>
#include <asm/ptrace.h>
#include <asm/unwind.h>

/*
 * A rule's bits: the lower half of the address, whose upper half is all ones; words up to the
 * caller's stack pointer; words from there down to the caller's BP, 0 if BP is left alone; and
 * the kind.
 */
#define SIZE_SHIFT	32
#define BP_SHIFT	44
#define KIND_SHIFT	56
#define WORDS_MASK	(BIT(12) - 1)

enum kind {
	RULE_KERNEL,	/* the kernel takes the step */
	RULE_SP,	/* the words are counted from the stack pointer */
	RULE_BP,	/* from BP */
	RULE_REGS,	/* from the stack pointer up to registers, in general a program's */
	RULE_END,	/* the stack ends here */
	RULE_BEGIN	/* the address begins a function: only the kernel steps to it and on */
};

#define RULES_BITS	13
/* A rule is in one of two places. */
#define WAYS		2

/* As many as RULES_BITS say. */
static u64 *unwind_rules;

/* Words of the stack on which the kernel shows a rule; most frames are smaller. */
#define STAGE_WORDS	128

static __always_inline unsigned int words_of(u64 rule, unsigned int shift)
{
	return rule >> shift & WORDS_MASK;
}

static __always_inline enum kind kind_of(u64 rule)
{
	return rule >> KIND_SHIFT;
}

static __always_inline bool is_in_module(unsigned long address)
{
	return address >= MODULES_VADDR && address < MODULES_END;
}

/*
 * Is this the code of a module? There is no exported function that tells. But modules are in
 * a list, tring among them; its head is no module, and is in the kernel's image.
 */
static __kprobes bool is_code_of_module(unsigned long address)
{
#ifdef MODULE
	struct module *module = THIS_MODULE;

	do {
		if (is_in_module((unsigned long)module) &&
		    module->state != MODULE_STATE_UNFORMED && within_module_core(address, module))
			return true;
		module = list_entry_rcu(module->list.next, struct module, list);
	} while (module != THIS_MODULE);
#endif
	return false;
}

/* May there be a rule for this address of code? */
static __kprobes bool has_rule(unsigned long address)
{
	if (address < __START_KERNEL_map)
		return false;
	return address < MODULES_VADDR || (is_in_module(address) && is_code_of_module(address));
}

static __always_inline u64 *places_of(unsigned long address)
{
	return &unwind_rules[hash_32(address, RULES_BITS) & ~(WAYS - 1)];
}

/* Return: 0 if there is none. */
static __always_inline u64 find_rule(unsigned long address)
{
	u64 *places, rule;
	unsigned int i;

	if (unlikely(address < __START_KERNEL_map))
		return 0;
	places = places_of(address);
	for (i = 0; i < WAYS; i++) {
		rule = READ_ONCE(places[i]);
		if (likely((u32)rule == (u32)address))
			return rule;
	}
	return 0;
}

/* The one before the last is dropped. */
static __kprobes u64 add_rule(unsigned long address, enum kind kind, unsigned long size,
			      unsigned long bp)
{
	u64 *places = places_of(address);
	u64 rule = (u32)address | (u64)size << SIZE_SHIFT | (u64)bp << BP_SHIFT |
		   (u64)kind << KIND_SHIFT;

	WRITE_ONCE(places[1], READ_ONCE(places[0]));
	WRITE_ONCE(places[0], rule);
	return rule;
}

/* Nothing but the address, the stack pointer and BP says how the step goes on. */
static __always_inline bool is_plain(const struct unwind_state *state)
{
	return !state->signal && !state->regs;
}

/*
 * Have the kernel take a step from @address on @stage, whose words are numbered from 1, with
 * BP as given. No stack is at such small addresses, so a step that reads a pointer from the
 * stack, or from where BP is not, fails. With an error already there it does so silently.
 */
static __kprobes bool try_step(struct unwind_state *state, unsigned long address,
			       unsigned long *stage, unsigned long *bp)
{
	*state = (struct unwind_state) {
		.stack_info.type	= STACK_TYPE_TASK,
		.stack_info.begin	= stage,
		.stack_info.end		= stage + STAGE_WORDS,
		.stack_mask		= BIT(STACK_TYPE_TASK),
		.task			= current,
		.error			= true,
		.ip			= address,
		.sp			= (unsigned long)stage,
		.bp			= (unsigned long)bp,
	};
	return unwind_next_frame(state);
}

/* The rule of a step to a caller, where BP was as given and the words count from @from. */
static __kprobes u64 rule_of_step(const struct unwind_state *state, unsigned long address,
				  unsigned long *stage, unsigned long *from,
				  unsigned long *bp)
{
	unsigned long *sp = (unsigned long *)state->sp;
	enum kind kind = bp ? RULE_BP : RULE_SP;
	unsigned long at = 0;

	/* The word before the caller's frame is the return address. */
	if (!is_plain(state) || sp <= from || state->ip != sp - stage)
		return add_rule(address, RULE_KERNEL, 0, 0);
	/* The caller's BP is a word of the stage, or what it was. */
	if (state->bp != (unsigned long)bp)
		at = sp - (stage + state->bp - 1);
	return add_rule(address, kind, sp - from, at);
}

static __kprobes bool begins_function(unsigned long address, char *text)
{
	sprint_symbol(text, address);
	return strstr(text, "+0x0/");
}

/* Return: the rule. */
static __kprobes u64 learn_rule(unsigned long address, unsigned long *stage)
{
	unsigned long *bp = stage + STAGE_WORDS / 2, *other = bp + STAGE_WORDS / 4;
	struct unwind_state state;
	unsigned long sp;
	unsigned int i;

	static_assert(STAGE_WORDS * sizeof(*stage) >= KSYM_SYMBOL_LEN);
	if (begins_function(address, (char *)stage))
		return add_rule(address, RULE_BEGIN, 0, 0);
	for (i = 0; i < STAGE_WORDS; i++)
		stage[i] = i + 1;
	if (try_step(&state, address, stage, NULL)) {
		if (state.regs && state.full_regs)
			return add_rule(address, RULE_REGS,
					(unsigned long *)state.regs - stage, 0);
		return rule_of_step(&state, address, stage, stage, NULL);
	}
	/* The caller's frame moves with BP. */
	if (!try_step(&state, address, stage, other))
		return add_rule(address, RULE_KERNEL, 0, 0);
	sp = state.sp;
	if (!try_step(&state, address, stage, bp) ||
	    sp - state.sp != (void *)other - (void *)bp)
		return add_rule(address, RULE_KERNEL, 0, 0);
	return rule_of_step(&state, address, stage, bp, bp);
}

enum step { STEP_DONE, STEP_END, STEP_BY_KERNEL };

static __always_inline bool is_on_stack(const struct unwind_state *state, unsigned long from,
					size_t size)
{
	return from >= (unsigned long)state->stack_info.begin &&
	       from + size <= (unsigned long)state->stack_info.end;
}

/* Takes a step by @rule, which becomes that of the caller. */
static __always_inline enum step step_by_rule(struct unwind_state *state, u64 *rule)
{
	unsigned long size = words_of(*rule, SIZE_SHIFT) * sizeof(long);
	unsigned long sp = state->sp + size, caller;
	unsigned int bp = words_of(*rule, BP_SHIFT);
	u64 next;

	switch (kind_of(*rule)) {
	case RULE_SP:
		break;
	case RULE_BP:
		if (unlikely(state->bp < state->sp))
			return STEP_BY_KERNEL;
		sp = state->bp + size;
		break;
	case RULE_REGS:
		return is_on_stack(state, sp, sizeof(struct pt_regs)) &&
		       user_mode((struct pt_regs *)sp) ? STEP_END : STEP_BY_KERNEL;
	case RULE_END:
		return STEP_END;
	default:
		return STEP_BY_KERNEL;
	}
	if (unlikely(!is_on_stack(state, sp - sizeof(long), sizeof(long))))
		return STEP_BY_KERNEL;
	caller = READ_ONCE_NOCHECK(*(unsigned long *)(sp - sizeof(long)));
	next = find_rule(caller);
	if (unlikely(next ? kind_of(next) == RULE_BEGIN : !is_in_module(caller)))
		return STEP_BY_KERNEL;
	if (bp)
		state->bp = READ_ONCE_NOCHECK(*(unsigned long *)(sp - bp * sizeof(long)));
	state->sp = sp;
	state->ip = caller;
	*rule = next;
	return STEP_DONE;
}

/* The stack of a task needs no search for which one it is. */
static __always_inline void start_unwind(struct unwind_state *state)
{
	struct task_struct *task = current;
	unsigned long *stack = task_stack_page(task);

	if (unlikely(current_stack_pointer - (unsigned long)stack >= THREAD_SIZE)) {
		unwind_start(state, task, NULL, NULL);
		return;
	}
	*state = (struct unwind_state) {
		.stack_info.type	= STACK_TYPE_TASK,
		.stack_info.begin	= stack,
		.stack_info.end		= (void *)stack + THREAD_SIZE,
		.stack_mask		= BIT(STACK_TYPE_TASK),
		.task			= task,
	};
	asm volatile("lea (%%rip), %0\n\t"
		     "mov %%rsp, %1\n\t"
		     "mov %%rbp, %2"
		     : "=r" (state->ip), "=r" (state->sp), "=r" (state->bp));
}

/**
 * tring_unwind - find the return addresses on the kernel's stack
 * @addresses: filled in; used for other things behind what is filled in
 * @size: number of elements
 * @regs: registers of the kernel, with all of them: the first address is theirs; NULL for
 *	an address in this function
 *
 * These are the addresses that stack_trace_save() finds, or stack_trace_save_regs().
 *
 * Context: any, NMI included, preemption disabled.
 * Return: number of addresses.
 */
noinline __kprobes unsigned int tring_unwind(unsigned long *addresses, unsigned int size,
					    struct pt_regs *regs)
{
	struct unwind_state TRING_UNINITIALIZED state;
	unsigned int count = 0;
	enum step step;
	u64 rule;

	if (regs) {
		addresses[count++] = instruction_pointer(regs);
		unwind_start(&state, current, regs, NULL);
	} else {
		start_unwind(&state);
	}
	rule = is_plain(&state) ? find_rule(state.ip) : 0;
	while (count < size) {
		/* What has a rule is known to be code. */
		if (!rule) {
			unsigned long address = unwind_get_return_address(&state);

			if (!address)
				break;
			if (is_plain(&state) && size - count >= STAGE_WORDS && has_rule(address))
				rule = learn_rule(address, addresses + count);
		}
		addresses[count++] = state.ip;
		step = step_by_rule(&state, &rule);
		if (likely(step == STEP_DONE))
			continue;
		if (step == STEP_END)
			break;
		if (!unwind_next_frame(&state)) {
			if (rule && kind_of(rule) == RULE_KERNEL && !state.error)
				add_rule(addresses[count - 1], RULE_END, 0, 0);
			break;
		}
		rule = is_plain(&state) ? find_rule(state.ip) : 0;
	}
	return count;
}

/* Rules of a module that has come cannot be there; those of one that goes would stay. */
static int forget_rules(struct notifier_block *block, unsigned long change, void *module)
{
	unsigned int i;

	if (change != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	for (i = 0; i < BIT(RULES_BITS); i++)
		if (within_module_core(__START_KERNEL_map | (u32)READ_ONCE(unwind_rules[i]),
				       module))
			WRITE_ONCE(unwind_rules[i], 0);
	return NOTIFY_DONE;
}

static struct notifier_block modules_change = {
	.notifier_call = forget_rules,
};

/**
 * tring_unwind_init - prepare to walk stacks
 *
 * Context: process, may sleep.
 * Return: 0 or a negative errno.
 */
int tring_unwind_init(void)
{
	int err;

	unwind_rules = kvcalloc(BIT(RULES_BITS), sizeof(*unwind_rules), GFP_KERNEL);
	if (!unwind_rules)
		return -ENOMEM;
	err = register_module_notifier(&modules_change);
	if (err)
		kvfree(unwind_rules);
	return err;
}

/**
 * tring_unwind_exit - undo tring_unwind_init()
 *
 * Context: process, may sleep.
 */
void tring_unwind_exit(void)
{
	unregister_module_notifier(&modules_change);
	kvfree(unwind_rules);
}

#else

/* What begins with @regs, too, is found from here on. */
__kprobes unsigned int tring_unwind(unsigned long *addresses, unsigned int size,
				    struct pt_regs *regs)
{
	return stack_trace_save(addresses, size, 0);
}

int tring_unwind_init(void)
{
	return 0;
}

void tring_unwind_exit(void)
{
}

#endif
