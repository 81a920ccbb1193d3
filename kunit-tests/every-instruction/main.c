// SPDX-License-Identifier: GPL-2.0
/*
 * tring_every_instruction.ko: interrupts the ring's writers at every instruction.
 *
 * A round is one situation (a state of the ring and an operation of a writer), one
 * interrupt (a writer, a flush, a reader ...) and one instruction of the operation, at
 * which the interrupt comes. After each round the ring is read to its end, and every
 * record and every counter is compared with the writers' account. All steps of all
 * situations are tried in both modes. Each step gets a share of the interrupts, in
 * turn; a cmpxchg gets all of them, and with share=1 each step does. An instruction
 * that a loop repeats is interrupted REPEATS times.
 *
 * Instructions that only run after an interrupt, e.g. behind a failed cmpxchg, get a
 * second interrupt in the same round, STEP_ENOUGH times each. Finally interrupts are
 * interrupted themselves, at random steps.
 *
 * The ring's C files are linked into this module, from the list and with the flags of
 * tring.ko and without any hook. So the object code is the same, and the test can call
 * functions that tring.ko does not export.
 *
 * Loading the module runs all rounds and prints the results to the log. The module
 * stays loaded, so that its addresses can be looked up.
 * scripts/check/every-instruction.sh compares the results with the list of all
 * instructions.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/prandom.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "compat.h"
#include "ledger.h"
#include "records.h"
#include "ring/internal.h"
#include "session/session.h"
#include "situations.h"
#include "step.h"

/* Number of times that one instruction is interrupted in one situation. */
#define REPEATS		1
#define TRACE_ROOM	BIT(16)
#define FAILURES_SHOWN	20

/* Sub-buffer size of RING_WIDE. */
#define WIDE_BYTES	(256UL << 10)

static unsigned int pairs = 4000;
module_param(pairs, uint, 0444);
MODULE_PARM_DESC(pairs, "rounds with an interrupt that is interrupted");

static unsigned int share = 2;
module_param(share, uint, 0444);
MODULE_PARM_DESC(share, "each step gets one of so many interrupts, in turn; 1: each gets all");

static char *only;
module_param(only, charp, 0444);
MODULE_PARM_DESC(only, "name of the one situation to run, with _ for spaces");

enum mode {
	MODE_DISCARD,
	MODE_OVERWRITE,
	MODES
};

static unsigned long *trace;
static u64 rounds, failures;

/* Run the plan; return a description of the first fault, or NULL. */
static const char *run_round(const struct situation *situation, struct step_plan *plan)
{
	const char *wrong;
	unsigned long flags;
	bool switches;

	rounds++;
	plan->clock_event = situation->clock_event;
	plan->clock_depth = situation->clock_depth;
	plan->any_depth = situation->clock_event;

	switches = is_switch(situation->run) ||
		   (plan->interrupts[0] && is_switch(plan->interrupts[0]->run)) ||
		   (plan->interrupts[1] && is_switch(plan->interrupts[1]->run));
	if (switches && switch_begin())
		return "no memory to switch to";

	ledger_begin();
	local_irq_save(flags);
	if (situation->need_resched) {
		set_tsk_need_resched(current);
		set_preempt_need_resched();
	}
	if (situation->prepare)
		situation->prepare();
	step_run(plan, situation->run);
	close_all();
	local_irq_restore(flags);
	start_again();
	if (switches && switch_end())
		return "the ring could not be switched back";
	wrong = ledger_end();
	if (!wrong && step_overran())
		wrong = "it does not end";
	cond_resched();
	return wrong;
}

static void report(const struct situation *situation, enum mode mode,
		   const struct step_plan *plan, const char *wrong)
{
	unsigned int i;

	if (failures++ >= FAILURES_SHOWN)
		return;
	pr_err("FAILED: %s: '%s', %s, %s at step %u, %pS\n", wrong, situation->name,
	       mode == MODE_OVERWRITE ? "overwrite" : "discard",
	       plan->interrupts[0] ? plan->interrupts[0]->name : "nothing",
	       plan->at[0], (void *)plan->came[0]);
	for (i = 0; i < plan->seconds; i++)
		pr_err("FAILED: and then %s at %pS\n", plan->second->name,
		       (void *)plan->second_came[i]);
	if (plan->at[1] != STEP_NEVER)
		pr_err("FAILED: and in it %s at step %u, %pS\n",
		       plan->interrupts[1]->name, plan->at[1], (void *)plan->came[1]);
}

/* Was the address of this step already passed REPEATS times? */
static bool is_repeated(unsigned int at)
{
	unsigned int i, times = 0;

	for (i = 0; i < at; i++)
		if (trace[i] == trace[at] && ++times == REPEATS)
			return true;
	return false;
}

/* Pick an interrupt that does not switch memory, each one in turn. */
static const struct step_interrupt *pick_second(unsigned int turn)
{
	const struct step_interrupt *second;

	do {
		second = &interrupts[turn++ % interrupts_count];
	} while (is_switch(second->run));
	return second;
}

static void run_situation(const struct situation *situation, enum mode mode,
			  unsigned int turn)
{
	struct step_plan plan = { .at = { STEP_NEVER, STEP_NEVER } };
	unsigned int one_of = situation->long_way && share > 1 ? 4 * interrupts_count : share;
	unsigned int i, at, steps, tried = 0;
	u64 failed_before = failures, begin = ktime_get_ns();
	const char *wrong;
	bool all;

	/*
	 * Record the addresses of the steps in a run without an interrupt. The
	 * first run only brings the ring from the last situation's end into the
	 * state in which this situation's rounds begin.
	 */
	wrong = run_round(situation, &plan);
	plan.trace = trace;
	plan.room = TRACE_ROOM;
	wrong = run_round(situation, &plan) ?: wrong;
	if (wrong)
		report(situation, mode, &plan, wrong);
	plan.trace = NULL;
	steps = min_t(unsigned int, plan.steps, TRACE_ROOM);

	for (at = 0; at < steps; at++) {
		if (step_is_test(trace[at]) || is_repeated(at))
			continue;
		tried++;
		all = !situation->long_way && step_is_cmpxchg(trace[at]);
		for (i = 0; i < interrupts_count; i++) {
			if (is_switch(interrupts[i].run) && !may_switch(situation->ring))
				continue;
			/* Other steps, situations and modes get the other interrupts. */
			if ((i + at + turn) % one_of && !all)
				continue;
			plan.interrupts[0] = &interrupts[i];
			plan.at[0] = at;
			plan.second = pick_second(rounds);
			wrong = run_round(situation, &plan);
			/*
			 * With a real clock the number of steps may differ. It is
			 * also smaller if the last round left the sub-buffer in
			 * another state.
			 */
			if (!wrong && !plan.came[0] && plan.steps > at &&
			    record_buffer->clock == TRING_CLOCK_TSC)
				wrong = "the interrupt did not come";
			if (wrong)
				report(situation, mode, &plan, wrong);
		}
	}
	pr_info("situation: %s, %s: %u steps, %u of them interrupted, %llu ms: %s\n",
		situation->name, mode == MODE_OVERWRITE ? "overwrite" : "discard",
		steps, tried, (ktime_get_ns() - begin) / NSEC_PER_MSEC,
		failures == failed_before ? "ok" : "FAILED");
}

/* Every ring must give the events the same keys. */
static int add_events(enum which_ring which)
{
	static struct tring_key keys[RINGS][RECORD_NO_SHORT];
	static const unsigned int lengths[RECORD_NO_SHORT] = {
		[RECORD_FIXED] = RECORD_SMALL - TRING_PAYLOAD_HEAD,
	};
	unsigned int event;

	for (event = 0; event < RECORD_NO_SHORT; event++) {
		struct tring_key *key = &keys[which][event];

		tring_buffer_add_event(rings[which], key, RECORD_ID + event, lengths[event], true);
		if (record_keys[event] && record_keys[event] != key->head)
			return -EUCLEAN;
		record_keys[event] = key->head;
	}
	record_keys[RECORD_NO_SHORT] = tring_event_key(RECORD_ID + RECORD_NO_SHORT);
	return 0;
}

static int set_up_ring(enum which_ring which)
{
	unsigned long subbuf_size = which == RING_WIDE ? WIDE_BYTES : TRING_SUBBUF_SIZE_MIN;
	struct tring_buffer *buffer = tring_buffer_create();
	int err;

	if (!buffer)
		return -ENOMEM;
	rings[which] = buffer;
	err = add_events(which) ?: tring_buffer_new_trace(buffer, TRING_CLOCK_TSC);
	if (err)
		return err;
	if (which != RING_NO_MEMORY) {
		err = tring_buffer_set_subbuf_size(buffer, subbuf_size) ?:
		      tring_buffer_resize(buffer, -1,
					  (which == RING_LARGE ? 4 : 2) * subbuf_size);
		if (err)
			return err;
	}
	tring_buffer_set_recording(buffer, true);
	if (which == RING_STOPPED)
		tring_ring_stop(this_cpu_ptr(buffer->cpu_buffers));
	return 0;
}

static void run_pairs(void)
{
	u64 failed_before = failures;
	struct rnd_state random;
	unsigned int i;

	prandom_seed_state(&random, 3);
	for (i = 0; i < pairs; i++) {
		const struct situation *situation;
		struct step_plan plan = { };
		const char *wrong;
		enum mode mode;

		do {
			situation = &situations[prandom_u32_state(&random) %
						situations_count];
		} while (situation->begin || situation->end || situation->clock_event ||
			 !may_switch(situation->ring));
		record_buffer = rings[situation->ring];
		mode = prandom_u32_state(&random) % MODES;
		tring_buffer_set_overwrite(record_buffer, mode == MODE_OVERWRITE);
		plan.interrupts[0] = &interrupts[prandom_u32_state(&random) %
						 interrupts_count];
		plan.interrupts[1] = &interrupts[prandom_u32_state(&random) %
						 interrupts_count];
		plan.at[0] = prandom_u32_state(&random) % 150;
		plan.at[1] = prandom_u32_state(&random) % 300;
		wrong = run_round(situation, &plan);
		if (wrong)
			report(situation, mode, &plan, wrong);
	}
	pr_info("pairs: %u rounds: %s\n", pairs, failures == failed_before ? "ok" : "FAILED");
}

/* Compare a name with a module parameter, in which "_" stands for a space. */
static bool is_called(const char *name, const char *parameter)
{
	for (; *name == *parameter || (*name == ' ' && *parameter == '_'); name++, parameter++)
		if (!*name)
			return true;
	return false;
}

static int __init init_every_instruction(void)
{
	unsigned int i, turn = 0;
	int err, mode;

	trace = vmalloc(array_size(TRACE_ROOM, sizeof(*trace)));
	if (!trace)
		return -ENOMEM;
	err = tring_session_init() ?: step_init();
	for (i = 0; !err && i < RINGS; i++)
		err = set_up_ring(i);
	if (err)
		return err;

	for (i = 0; i < situations_count; i++) {
		if (only && !is_called(situations[i].name, only))
			continue;
		record_buffer = rings[situations[i].ring];
		if (situations[i].begin)
			situations[i].begin();
		for (mode = 0; mode < MODES; mode++) {
			tring_buffer_set_overwrite(record_buffer, mode == MODE_OVERWRITE);
			run_situation(&situations[i], mode, turn++);
		}
		if (situations[i].end)
			situations[i].end();
	}
	if (!only)
		run_pairs();
	step_print_covered();
	pr_info("done: %llu rounds, %llu traps, %llu failures\n", rounds, step_total(),
		failures);
	return 0;
}
module_init(init_every_instruction);

MODULE_DESCRIPTION("An interrupt at every instruction of tring's writers");
MODULE_LICENSE("GPL");
