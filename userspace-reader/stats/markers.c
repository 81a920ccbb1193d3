// SPDX-License-Identifier: GPL-2.0
/*
 * Markers that programs write into trace_marker, in the form of Android's and Perfetto's:
 *
 *	B|PROCESS|NAME		a span of the task begins
 *	E|PROCESS		the one that has begun last ends
 *	C|PROCESS|NAME|VALUE	a counter has a value
 *
 * where PROCESS is a pid.
 *
 * Any CPU that loses events may have lost an end and another begin, so a span in whose time one
 * did is unknown, and what was open then is taken as ended.
 */
#include <stdlib.h>
#include <string.h>

#include "markers.h"
#include "util/util.h"

/* More spans within each other are no program's. */
#define DEEPEST	512

/* Takes a number up to a separator or the end. Return: false if there is none. */
static bool take_number(const char **at, const char *end, int64_t *number)
{
	bool negative = *at < end && **at == '-';
	const char *first = *at += negative;
	uint64_t most = (uint64_t)INT64_MAX + negative, value = 0;
	unsigned int digit;

	for (; *at < end && **at >= '0' && **at <= '9'; (*at)++) {
		digit = **at - '0';
		if (value > (most - digit) / 10)
			return false;
		value = 10 * value + digit;
	}
	*number = negative ? -value : value;
	return *at > first && (*at == end || **at == '|');
}

/**
 * tring_marker_parse - take a text for a marker
 * @text: the text
 * @size: bytes of @text
 *
 * Return: the marker, of a kind that says whether it is one.
 */
struct tring_marker tring_marker_parse(const char *text, size_t size)
{
	struct tring_marker marker = { .kind = TRING_MARKER_NONE };
	const char *at = text + 2, *end = text + size, *bar;
	int64_t value;

	while (end > text && (end[-1] == '\n' || !end[-1]))
		end--;
	if (end - text == 1 && *text == 'E')
		marker.kind = TRING_MARKER_END;
	if (end - text < 3 || text[1] != '|' || !take_number(&at, end, &marker.process) ||
	    marker.process < 0 || marker.process > INT32_MAX)
		return marker;
	if (*text == 'E')
		marker.kind = TRING_MARKER_END;
	if (*text == 'E' || at++ == end)
		return marker;
	marker.name = at;
	bar = memrchr(at, '|', end - at);
	if (*text == 'B') {
		marker.kind = TRING_MARKER_BEGIN;
		marker.size = end - at;
	} else if (*text == 'C' && bar) {
		marker.size = bar++ - at;
		if (take_number(&bar, end, &value) && bar == end) {
			marker.kind = TRING_MARKER_COUNTER;
			marker.value = value;
		}
	}
	return marker;
}

static struct tring_span *span_of(struct tring_spans *spans, int64_t number,
				  const struct tring_marker *marker)
{
	struct tring_span *span = tring_spans_get(spans, number, marker->name, marker->size);

	if (!span->name)
		span->name = tring_format("%s", span->key);
	return span;
}

static void begin(struct tring_top *top, struct tring_task *task,
		  const struct tring_marker *marker, uint64_t stamp)
{
	struct tring_span *span = span_of(&top->marks, marker->process, marker);

	if (task->mark_count == DEEPEST) {
		span->timing.unknown++;
		task->too_deep++;
		return;
	}
	task->marks = tring_one_more(task->marks, task->mark_count, sizeof(*task->marks));
	task->marks[task->mark_count++] = (struct tring_open) { span, stamp };
}

static void end(struct tring_top *top, struct tring_task *task, const struct tring_item *item)
{
	const uint64_t stamp = item->record->stamp;
	const struct tring_open *mark;

	if (task->too_deep) {
		task->too_deep--;
		return;
	}
	if (!task->mark_count)
		return;
	mark = &task->marks[--task->mark_count];
	if (top->blind || top->sighted > mark->since) {
		mark->span->timing.unknown++;
		return;
	}
	tring_top_tell(top, item, TRING_ENDED_SPAN, TRING_INTERRUPTS, mark, task->mark_count);
	if (stamp >= top->first)
		tring_timing_add(&mark->span->timing, mark->since, stamp, top->frequency);
}

static void count(struct tring_top *top, const struct tring_marker *marker,
		  const struct tring_item *item)
{
	struct tring_span *counter = span_of(&top->counters, marker->process, marker);
	const struct tring_open at_once = { counter, item->record->stamp };

	if (item->record->stamp < top->first)
		return;
	if (!counter->timing.count || marker->value < counter->least)
		counter->least = marker->value;
	if (!counter->timing.count++ || marker->value > counter->most)
		counter->most = marker->value;
	counter->last = marker->value;
	tring_top_tell(top, item, TRING_ENDED_COUNTER, TRING_INTERRUPTS, &at_once,
		       marker->value);
}

static void abandon(struct tring_task *task, uint64_t up_to)
{
	size_t kept = 0, i;

	for (i = 0; i < task->mark_count; i++)
		if (task->marks[i].since < up_to)
			task->marks[i].span->timing.unknown++;
		else
			task->marks[kept++] = task->marks[i];
	/* what is deeper has begun before the loss, too */
	if (kept < task->mark_count)
		task->too_deep = 0;
	task->mark_count = kept;
}

/**
 * tring_marker_take - take a text that a program has written
 * @top: all tables
 * @cpu: the CPU
 * @bound: the event
 * @item: the event's item
 */
void tring_marker_take(struct tring_top *top, struct tring_top_cpu *cpu,
		       const struct tring_bound *bound, const struct tring_item *item)
{
	struct tring_marker marker;
	struct tring_task *task;
	const char *text;
	size_t size;

	text = bound->name ? tring_text(item, bound->name, &size) : NULL;
	if (!text || !cpu->wanted || !tring_top_wants(top, item->record->pid))
		return;
	marker = tring_marker_parse(text, size);
	if (marker.kind == TRING_MARKER_NONE)
		return;
	if (marker.kind == TRING_MARKER_COUNTER) {
		count(top, &marker, item);
		return;
	}
	task = tring_tasks_get(&top->tasks, item->record->pid);
	if (!top->blind)
		abandon(task, top->sighted);
	if (marker.kind == TRING_MARKER_BEGIN)
		begin(top, task, &marker, item->record->stamp);
	else
		end(top, task, item);
}

/**
 * tring_markers_end - give up spans that have not ended
 * @top: all tables
 */
void tring_markers_end(struct tring_top *top)
{
	size_t i;

	for (i = 0; i < top->tasks.count; i++)
		abandon(top->tasks.list[i], UINT64_MAX);
}
