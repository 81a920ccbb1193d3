// SPDX-License-Identifier: GPL-2.0
/* Times as JSON: a line for each, whose parts are objects within. */
#include <inttypes.h>
#include <stdio.h>

#include "export/json.h"
#include "why.h"

static void put_text(const char *key, const char *text)
{
	printf(",\"%s\":", key);
	tring_json_print(stdout, text);
}

static void put_time(const struct tring_why *why, const char *key, uint64_t stamp)
{
	printf(",\"%s\":%" PRIu64, key, tring_ns(why->walk.top.trace, stamp));
}

static void put_task(const struct tring_why *why, size_t task)
{
	bool idle = task == TRING_WHY_IDLE;

	printf(",\"pid\":%" PRId32, idle ? 0 : why->walk.top.tasks.list[task]->pid);
	put_text("comm", idle ? tring_comm(why->walk.top.trace, 0) : why->lives[task].comm);
}

static void put_span(const char *key, const char *kind, const struct tring_span *span)
{
	printf(",\"%s\":{\"kind\":\"%s\"", key, kind);
	/* interrupts without an irq have no number */
	if (span && span->number <= INT32_MAX)
		printf(",\"number\":%" PRId64, span->number);
	if (span && span->name)
		put_text("name", span->name);
}

static void put_context(const struct tring_why *why, const char *key,
			const struct tring_why_context *context)
{
	static const char * const kinds[] = {
		[TRING_IRQ] = "irq", [TRING_SOFTIRQ] = "softirq", [TRING_INTERRUPTS] = "task",
	};
	const struct tring_symbol *symbol;

	put_span(key, kinds[context->level], context->span);
	if (context->level == TRING_INTERRUPTS)
		put_task(why, context->task);
	if (!context->function)
		return;
	printf(",\"function\":%" PRIu64, context->function);
	symbol = tring_function(why->walk.top.trace, context->function);
	if (symbol && symbol->name)
		put_text("symbol", symbol->name);
}

static void put_details(const struct tring_why *why, const struct tring_why_part *part)
{
	if (part->cpu >= 0 && part->kind != TRING_WHY_HELD)
		printf(",\"cpu\":%d", why->walk.top.cpus[part->cpu].cpu);
	if (part->kind == TRING_WHY_HELD)
		put_task(why, part->task);
	if (part->kind == TRING_WHY_BLOCKED)
		put_text("state", tring_why_state(part->state));
	if (part->kind == TRING_WHY_IRQ || part->kind == TRING_WHY_SOFTIRQ) {
		put_span("by", part->kind == TRING_WHY_IRQ ? "irq" : "softirq", part->span);
		putchar('}');
	} else if (part->span) {
		put_span("call", "syscall", part->span);
		putchar('}');
	}
	if (!part->cause)
		return;
	put_context(why, "waker", &part->cause->by);
	if (part->cause->raised) {
		put_time(why, "raised", part->cause->raised);
		put_context(why, "raised_by", &part->cause->raised_by);
		putchar('}');
	}
	putchar('}');
}

static void put_parts(const struct tring_why *why, const struct tring_why_part *parent)
{
	static const char * const kinds[] = {
		[TRING_WHY_UNKNOWN] = "unknown", [TRING_WHY_RAN] = "ran",
		[TRING_WHY_RUNNABLE] = "runnable", [TRING_WHY_BLOCKED] = "blocked",
		[TRING_WHY_ABSENT] = "absent", [TRING_WHY_HELD] = "held",
		[TRING_WHY_IRQ] = "interrupted", [TRING_WHY_SOFTIRQ] = "interrupted",
	};
	size_t i;

	printf(",\"segments\":[");
	for (i = 0; i < parent->count; i++) {
		const struct tring_why_part *part = &parent->list[i];

		printf("%s{\"kind\":\"%s\"", i ? "," : "", kinds[part->kind]);
		put_time(why, "from", part->from);
		put_time(why, "to", part->to);
		put_details(why, part);
		if (part->count)
			put_parts(why, part);
		putchar('}');
	}
	putchar(']');
}

/**
 * tring_why_show_json - print a time as JSON
 * @why: what all did
 * @asked: the time, with its parts
 */
void tring_why_show_json(const struct tring_why *why, const struct tring_why_part *asked)
{
	printf("{\"what\":\"%s\"", tring_why_longest_names[why->longest]);
	put_task(why, asked->task);
	put_time(why, "from", asked->from);
	put_time(why, "to", asked->to);
	if (asked->span) {
		put_span(why->longest == TRING_WHY_SPAN ? "span" : "call",
			 tring_why_longest_names[why->longest], asked->span);
		putchar('}');
	}
	put_parts(why, asked);
	puts("}");
}
