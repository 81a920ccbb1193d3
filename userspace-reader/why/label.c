// SPDX-License-Identifier: GPL-2.0
/* What a part of a time is called in a text. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/text.h"
#include "util/util.h"
#include "why.h"

const char *const tring_why_longest_names[TRING_WHY_LONGEST] = {
	[TRING_WHY_ALL] = "task", [TRING_WHY_WAKEUP] = "wakeup", [TRING_WHY_BLOCK] = "block",
	[TRING_WHY_SYSCALL] = "syscall", [TRING_WHY_SPAN] = "span", [TRING_WHY_WAIT] = "wait",
};

/**
 * tring_why_state - get the letter of a state, as ps has it
 * @state: its bits
 */
const char *tring_why_state(uint8_t state)
{
	static const char letters[][2] = { "S", "D", "T", "t", "X", "Z", "P", "I" };

	return state ? letters[__builtin_ctz(state)] : "R";
}

/**
 * tring_why_task - get the name and the pid of a task
 * @why: what all did
 * @task: the task, by number; TRING_WHY_IDLE for an idle one
 * @several: the name alone, as of all tasks that have it
 *
 * Return: the text as it is in the trace, allocated.
 */
char *tring_why_task(const struct tring_why *why, size_t task, bool several)
{
	if (task == TRING_WHY_IDLE)
		return tring_format("idle");
	if (several)
		return tring_format("%s", why->lives[task].comm);
	return tring_format("%s-%" PRId32, why->lives[task].comm,
			    why->walk.top.tasks.list[task]->pid);
}

/**
 * tring_why_span - get what an interrupt, a system call or a marked span is called
 * @span: that
 * @kind: "irq", "softirq", "syscall" or "span"
 *
 * Return: the text as it is in the trace, allocated.
 */
char *tring_why_span(const struct tring_span *span, const char *kind)
{
	/* a vector has a name only, and all others are known by theirs */
	if (span->name && (*kind != 'i' || span->number > INT32_MAX))
		return tring_format("%s %s", kind, span->name);
	return tring_format("%s %" PRId64 "%s%s", kind, span->number, span->name ? " " : "",
			    span->name ? span->name : "");
}

static char *context_text(const struct tring_why *why, const struct tring_why_context *context,
			  bool several)
{
	const char *kind = context->level == TRING_IRQ ? "irq" : "softirq";
	const struct tring_symbol *symbol;
	char *text;

	if (context->level == TRING_INTERRUPTS)
		return tring_why_task(why, context->task, several);
	text = context->span ? tring_why_span(context->span, kind) :
	       tring_format(context->level == TRING_IRQ ? "an interrupt" : "a softirq");
	if (!context->function)
		return text;
	symbol = tring_function(why->walk.top.trace, context->function);
	if (symbol && symbol->name)
		tring_extend(&text, ", timer %s", symbol->name);
	else
		tring_extend(&text, ", timer 0x%" PRIx64, context->function);
	return text;
}

static void add_context(char **text, const struct tring_why *why, const char *before,
			const struct tring_why_context *context, bool several)
{
	char *part = context_text(why, context, several);

	tring_extend(text, "%s%s", before, part);
	free(part);
}

static char *find_text(const struct tring_why *why, const struct tring_why_part *part,
		       bool several)
{
	const int cpu = part->cpu < 0 ? -1 : why->walk.top.cpus[part->cpu].cpu;
	char *text, *call;

	switch (part->kind) {
	case TRING_WHY_RAN:
		return tring_format("ran on CPU %d", cpu);
	case TRING_WHY_RUNNABLE:
		return cpu < 0 ? tring_format("waited for a CPU") :
				 tring_format("waited for CPU %d, which had", cpu);
	case TRING_WHY_BLOCKED:
		text = tring_format("blocked (%s)", tring_why_state(part->state));
		call = part->span ? tring_why_span(part->span, " in syscall") : NULL;
		tring_extend(&text, "%s", call ? call : "");
		free(call);
		return text;
	case TRING_WHY_ABSENT:
		return tring_format("not started");
	case TRING_WHY_HELD:
		return tring_why_task(why, part->task, several);
	case TRING_WHY_IRQ:
		return tring_why_span(part->span, "irq");
	case TRING_WHY_SOFTIRQ:
		return tring_why_span(part->span, "softirq");
	default:
		return tring_format("unknown");
	}
}

/**
 * tring_why_label - get what a part of a time is called
 * @why: what all did
 * @part: the part
 * @several: call tasks by their names alone
 *
 * Return: the text, in which no character is a control character; allocated.
 */
char *tring_why_label(const struct tring_why *why, const struct tring_why_part *part,
		      bool several)
{
	char *text = find_text(why, part, several), *escaped;

	if (part->cause)
		add_context(&text, why, " until ", &part->cause->by, several);
	if (part->cause && part->cause->raised)
		add_context(&text, why, ", raised in ", &part->cause->raised_by, several);
	escaped = tring_text_escaped(text);
	free(text);
	return escaped;
}
