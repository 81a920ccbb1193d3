// SPDX-License-Identifier: GPL-2.0
/*
 * Single-steps through code and injects an interrupt at any instruction.
 *
 * With the trap flag set the processor traps after each instruction (#DB). The die
 * notifier here counts the traps. At the step that the plan names it injects an
 * interrupt: like the processor it pushes the address of the next instruction and
 * continues elsewhere, in a piece of assembler that saves all registers, runs the
 * interrupting code and returns. Compared with a kprobe or a breakpoint
 *  - nothing is written into the code, so every instruction can be interrupted, and
 *    each turn of a loop and of a rep instruction is a step;
 *  - the interrupting code runs outside of the trap, so it can be single-stepped and
 *    interrupted itself. It can have any context level, which is added to the preempt
 *    count like the real entry code does; also the level of the interrupted code, as
 *    in the first instructions of an interrupt.
 *
 * The clock is fake: in the module's file fake-rdtsc.py has replaced each rdtsc by int3 and
 * nop, which are as long, and the die notifier fills the two registers that rdtsc would. So
 * the clock is exact, may jump and may step back, stands at full speed, and the ring runs
 * the object code of tring.ko without any hook. With the real clock at full speed the ring
 * would find that its clock was set back.
 *
 * One CPU, interrupts off, one run at a time.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bits.h>
#include <linux/hash.h>
#include <linux/kallsyms.h>
#include <linux/kdebug.h>
#include <linux/linkage.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include <asm/debugreg.h>
#include <asm/processor-flags.h>
#include <asm/ptrace.h>

#include "step.h"
#include "tring_format.h"

/* A run with more steps than this is taken for an endless one. */
#define STEPS_MAX	500000

/* Increment of the clock at each read. */
#define CLOCK_TICK	7
#define CLOCK_BACK	1000

#define CLOCK_START	BIT_ULL(50)

/* What stands in place of rdtsc: int3 and nop. */
#define OPCODE_CLOCK	0x90cc

/* Pid of the interrupted writer. */
#define FIRST_PID	1000

#define COVERED_BITS	13

static struct {
	struct step_plan	*plan;
	unsigned int		stepped;
	unsigned int		depth_steps[STEP_DEPTHS];
	const struct step_interrupt *coming;
	local_t			depth;
	bool			overran;
	bool			interrupt_came[STEP_DEPTHS];
	u64			latest;
	u64			total;
	u32			pid;
} step = {
	.latest = CLOCK_START,
	.pid = FIRST_PID,
};

static local_t step_clock = LOCAL_INIT(CLOCK_START);

/* Addresses at which interrupts could come, and how many came there. */
static struct covered {
	unsigned long	address;
	unsigned long	times;
	bool		is_test;
} covered[BIT(COVERED_BITS)];

static const unsigned int preempt_offset[STEP_LEVELS] = {
	[STEP_TASK]	= 0,
	[STEP_SOFTIRQ]	= SOFTIRQ_OFFSET,
	[STEP_HARDIRQ]	= HARDIRQ_OFFSET,
	[STEP_NMI]	= NMI_OFFSET + HARDIRQ_OFFSET,
};

/*
 * The return address is already on the stack. Kernel code has no red zone, so the
 * stack below the interrupted code's stack pointer is free.
 */
asm(".pushsection .text\n"
	".type step_interrupt_entry, @function\n"
	"step_interrupt_entry:\n\t"
	"pushfq\n\t"
	"push %rax\n\t"
	"push %rcx\n\t"
	"push %rdx\n\t"
	"push %rsi\n\t"
	"push %rdi\n\t"
	"push %r8\n\t"
	"push %r9\n\t"
	"push %r10\n\t"
	"push %r11\n\t"
	"call step_interrupted\n\t"
	"pop %r11\n\t"
	"pop %r10\n\t"
	"pop %r9\n\t"
	"pop %r8\n\t"
	"pop %rdi\n\t"
	"pop %rsi\n\t"
	"pop %rdx\n\t"
	"pop %rcx\n\t"
	"pop %rax\n\t"
	"popfq\n\t"
	ASM_RET
	".size step_interrupt_entry, . - step_interrupt_entry\n"
	".popsection\n");

static __always_inline void set_trap_flag(bool on)
{
	unsigned long flags;

	asm volatile("pushfq; popq %0" : "=r" (flags) : : "memory");
	flags = on ? flags | X86_EFLAGS_TF : flags & ~X86_EFLAGS_TF;
	asm volatile("pushq %0; popfq" : : "r" (flags) : "memory", "cc");
}

/**
 * step_pause - run the following code of the test at full speed
 *
 * Return: argument for step_resume(). Pauses nest.
 */
bool step_pause(void)
{
	bool on = step_is_on();

	if (on)
		set_trap_flag(false);
	return on;
}

/* End of a pause. */
void step_resume(bool paused)
{
	if (paused)
		set_trap_flag(true);
}

/* Is the caller single-stepped? */
bool step_is_on(void)
{
	unsigned long flags;

	asm volatile("pushfq; popq %0" : "=r" (flags) : : "memory");
	return flags & X86_EFLAGS_TF;
}

/**
 * step_is_test - does an address belong to the test's code, not to the ring?
 * @address: address of an instruction
 */
bool step_is_test(unsigned long address)
{
	static const char *const own[] = {
		"step_", "begin_record", "fill_record", "note_", "write_", "discard_"
	};
	static const char *const of_ring[] = { "write_off_record" };
	char name[KSYM_SYMBOL_LEN];
	unsigned int i;

	sprint_symbol_no_offset(name, address);
	for (i = 0; i < ARRAY_SIZE(of_ring); i++)
		if (!strncmp(name, of_ring[i], strlen(of_ring[i])))
			return false;
	for (i = 0; i < ARRAY_SIZE(own); i++)
		if (!strncmp(name, own[i], strlen(own[i])))
			return true;
	return false;
}

/**
 * step_is_cmpxchg - is the instruction a cmpxchg?
 * @address: address of the instruction
 */
bool step_is_cmpxchg(unsigned long address)
{
	const u8 *code = (const u8 *)address;

	/* Skip a lock, a segment and a REX prefix. */
	code += *code == 0xf0;
	code += *code == 0x65;
	code += (*code & 0xf0) == 0x40;
	return code[0] == 0x0f && code[1] == 0xb1;
}

static struct covered *find_covered(unsigned long address)
{
	unsigned int i = hash_long(address, COVERED_BITS);

	while (covered[i].address && covered[i].address != address)
		i = (i + 1) % ARRAY_SIZE(covered);
	if (!covered[i].address) {
		covered[i].address = address;
		covered[i].is_test = step_is_test(address);
	}
	return &covered[i];
}

/* The assembler calls this with all registers saved. */
asmlinkage __visible void step_interrupted(void)
{
	const struct step_interrupt *interrupt = step.coming;
	u32 pid = READ_ONCE(step.pid);

	/* From here on the next interrupt may come. */
	local_inc(&step.depth);
	__preempt_count_add(preempt_offset[interrupt->level]);
	if (!interrupt->same_pid)
		WRITE_ONCE(step.pid, pid + 1);
	if (interrupt->unstepped) {
		set_trap_flag(false);
		interrupt->run();
		set_trap_flag(true);
	} else {
		interrupt->run();
	}
	WRITE_ONCE(step.pid, pid);
	__preempt_count_sub(preempt_offset[interrupt->level]);
	if (interrupt->clock == STEP_CLOCK_BACK)
		local_add(CLOCK_BACK, &step_clock);
	local_dec(&step.depth);
}

/* Make the interrupt come before the next instruction. */
static void interrupt_now(struct pt_regs *regs, const struct step_interrupt *interrupt)
{
	if (interrupt->clock == STEP_CLOCK_BACK)
		local_sub(CLOCK_BACK, &step_clock);
	else if (interrupt->clock == STEP_CLOCK_JUMPS)
		local_add(BIT(TRING_STAMP_BITS) - CLOCK_TICK, &step_clock);
	regs->sp -= sizeof(unsigned long);
	*(unsigned long *)regs->sp = regs->ip;
	regs->ip = (unsigned long)step_interrupt_entry;
	step.coming = interrupt;
}

/* Count the step; true if the interrupt of this depth is due. */
static bool is_due(struct step_plan *plan, unsigned int depth, unsigned long ip)
{
	unsigned int i = plan->any_depth ? 0 : depth;

	if (i >= STEP_DEPTHS)
		return false;
	if (i == 0) {
		if (plan->trace && plan->steps < plan->room)
			plan->trace[plan->steps] = ip;
		plan->steps++;
	}
	/* An interrupt of the clock is only interrupted by the clock. */
	if (i && !step.interrupt_came[0])
		return false;
	if (step.depth_steps[i]++ != plan->at[i] || step.interrupt_came[i])
		return false;
	step.interrupt_came[i] = true;
	plan->came[i] = ip;
	find_covered(ip)->times++;
	return true;
}

static bool is_in_module(unsigned long address)
{
	return address - (unsigned long)step_interrupt_entry + SZ_128K < SZ_256K;
}

/*
 * Some instructions only run after an interrupt, e.g. after a failed cmpxchg. A second
 * interrupt comes at instructions that few interrupts have reached.
 */
static bool is_second_due(struct step_plan *plan, unsigned long ip)
{
	struct covered *here;
	unsigned int i;

	if (!plan->second || !step.interrupt_came[0] || !is_in_module(ip) ||
	    plan->seconds == STEP_SECONDS)
		return false;
	for (i = 0; i < plan->seconds; i++)
		if (plan->second_came[i] == ip)
			return false;
	here = find_covered(ip);
	if (here->is_test || here->times >= STEP_ENOUGH)
		return false;
	here->times++;
	plan->second_came[plan->seconds++] = ip;
	return true;
}

/* An instruction has run, and regs->ip is the next one. */
static void count_step(struct step_plan *plan, struct pt_regs *regs, bool clock_read)
{
	unsigned int depth = local_read(&step.depth);

	step.total++;
	if (++step.stepped > STEPS_MAX) {
		step.overran = true;
		regs->flags &= ~X86_EFLAGS_TF;
		return;
	}
	if (is_due(plan, depth, regs->ip))
		interrupt_now(regs, plan->interrupts[plan->any_depth ? 0 : depth]);
	else if (is_second_due(plan, regs->ip))
		interrupt_now(regs, plan->second);
	else if (clock_read && plan->clock_event && depth < plan->clock_depth)
		interrupt_now(regs, plan->clock_event);
}

/* In place of rdtsc. At full speed the clock stands. */
static void read_clock(struct pt_regs *regs)
{
	bool is_step = step.plan && (regs->flags & X86_EFLAGS_TF);
	u64 now = is_step ? local_add_return(CLOCK_TICK, &step_clock) : local_read(&step_clock);

	regs->ax = lower_32_bits(now);
	regs->dx = upper_32_bits(now);
	/* behind the nop */
	regs->ip++;
	step.latest = max(step.latest, now);
	/*
	 * The processor does not trap behind an int3 as well. The kernel leaves room above
	 * the registers of an int3 for what interrupt_now() pushes.
	 */
	if (is_step)
		count_step(step.plan, regs, true);
}

static int on_trap(struct notifier_block *block, unsigned long event, void *data)
{
	struct die_args *args = data;
	struct pt_regs *regs = args->regs;

	if (user_mode(regs))
		return NOTIFY_DONE;
	if (event == DIE_INT3 && is_in_module(regs->ip) &&
	    *(u16 *)(regs->ip - 1) == OPCODE_CLOCK) {
		read_clock(regs);
		return NOTIFY_STOP;
	}
	if (event != DIE_DEBUG || !step.plan || !(*(unsigned long *)args->err & DR_STEP))
		return NOTIFY_DONE;
	count_step(step.plan, regs, false);
	return NOTIFY_STOP;
}

static struct notifier_block trap_notifier = {
	.notifier_call = on_trap,
};

/**
 * step_run - single-step through a function
 * @plan: interrupts to inject; receives the results
 * @run: the function
 *
 * Context: interrupts off.
 */
void step_run(struct step_plan *plan, void (*run)(void))
{
	plan->steps = 0;
	memset(plan->came, 0, sizeof(plan->came));
	plan->seconds = 0;
	memset(step.depth_steps, 0, sizeof(step.depth_steps));
	memset(step.interrupt_came, 0, sizeof(step.interrupt_came));
	step.stepped = 0;
	step.overran = false;
	local_set(&step.depth, 0);
	WRITE_ONCE(step.plan, plan);

	set_trap_flag(true);
	run();
	set_trap_flag(false);

	WRITE_ONCE(step.plan, NULL);
}

/* Move the fake clock. */
void step_advance(s64 ticks)
{
	local_add(ticks, &step_clock);
}

/* Current value of the fake clock. */
u64 step_now(void)
{
	return local_read(&step_clock);
}

/* Highest value that the fake clock ever had. */
u64 step_latest(void)
{
	return step.latest;
}

/* Pid of the running writer. See struct step_interrupt. */
u32 step_pid(void)
{
	return READ_ONCE(step.pid);
}

/* Did the last run exceed STEPS_MAX? */
bool step_overran(void)
{
	return step.overran;
}

/* Number of traps so far. */
u64 step_total(void)
{
	return step.total;
}

/* Print "covered ADDRESS TIMES" lines for kunit-tests/every-instruction/instruction-coverage.py */
void step_print_covered(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(covered); i++)
		if (covered[i].times)
			pr_info("covered %lx %lu\n", covered[i].address,
				covered[i].times);
}

int step_init(void)
{
	return register_die_notifier(&trap_notifier);
}

void step_exit(void)
{
	unregister_die_notifier(&trap_notifier);
}
