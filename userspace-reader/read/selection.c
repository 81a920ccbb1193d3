// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which events of a trace are shown. What can be asked of a record is asked before anything
 * is formatted; the name of its task, which takes longest, comes last.
 */
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "util/clock.h"
#include "tracefs/available.h"
#include "trace.h"
#include "selection.h"
#include "util/text.h"
#include "util/util.h"

/* Adds "1,4-7", or what pidof prints. Return: false if a part is no number and no range. */
static bool add_ranges(struct tring_ranges *ranges, const char *text)
{
	char *copy = tring_format("%s", text), *rest = copy, *word;
	bool good = true;

	while (good && (word = strsep(&rest, ",\n "))) {
		char *last = strchr(word, '-');
		struct tring_range range = { 0 };

		if (last)
			*last++ = 0;
		good = tring_parse_number(word, &range.first) &&
		       tring_parse_number(last ? last : word, &range.last) &&
		       range.first <= range.last && range.last <= INT32_MAX;
		ranges->list = tring_one_more(ranges->list, ranges->count, sizeof(range));
		ranges->list[ranges->count++] = range;
	}
	free(copy);
	return good;
}

static void add_word(struct tring_words *words, const char *word)
{
	struct tring_word added = { tring_format("%s", word), false };

	words->list = tring_one_more(words->list, words->count, sizeof(*words->list));
	words->list[words->count++] = added;
}

/* Adds "a,b". Return: false if a word is empty. */
static bool add_words(struct tring_words *words, const char *text)
{
	char *copy = tring_format("%s", text), *rest = copy, *word;
	bool good = true;

	while ((word = strsep(&rest, ","))) {
		good &= *word != 0;
		add_word(words, word);
	}
	free(copy);
	return good;
}

/* Tells of a bad argument. @good: it is none */
static bool check(bool good, const char *option, const char *text)
{
	if (!good)
		tring_error("bad value for %s: \"%s\"", option, text);
	return good;
}

/**
 * tring_selection_take - take what a user wants
 * @selection: zeroed before; to be freed also after something bad
 * @wanted: which CPUs, tasks, events and times, and the conditions
 *
 * Return: true; false for a bad argument, reported on stderr.
 */
bool tring_selection_take(struct tring_selection *selection, const struct tring_wanted *wanted)
{
	bool good = true;
	size_t i;

	if (wanted->cpus)
		good &= check(add_ranges(&selection->cpus, wanted->cpus), "--cpu", wanted->cpus);
	if (wanted->pids)
		good &= check(add_ranges(&selection->pids, wanted->pids), "--pid", wanted->pids);
	if (wanted->comms)
		good &= check(add_words(&selection->comms, wanted->comms), "--comm", wanted->comms);
	if (wanted->events)
		good &= check(add_words(&selection->events, wanted->events), "--event",
			      wanted->events);
	if (wanted->from)
		good &= check(tring_when_parse(&selection->from, wanted->from), "--from",
			      wanted->from);
	if (wanted->to)
		good &= check(tring_when_parse(&selection->to, wanted->to) &&
			      selection->to.kind != TRING_WHEN_BEFORE, "--to", wanted->to);
	for (i = 0; i < wanted->filter_count; i++)
		add_word(&selection->conditions, wanted->filters[i]);
	return good;
}

/**
 * tring_selection_is_all - check whether all events are shown
 * @selection: the selection
 *
 * Return: true if there was no option.
 */
bool tring_selection_is_all(const struct tring_selection *selection)
{
	return !selection->cpus.count && !selection->pids.count && !selection->comms.count &&
	       !selection->events.count && !selection->conditions.count &&
	       selection->from.kind == TRING_WHEN_NONE &&
	       selection->to.kind == TRING_WHEN_NONE;
}

static bool is_in(const struct tring_range *range, uint64_t number)
{
	return number >= range->first && number <= range->last;
}

static bool has_number(const struct tring_ranges *ranges, uint64_t number)
{
	size_t i;

	for (i = 0; i < ranges->count; i++)
		if (is_in(&ranges->list[i], number))
			return true;
	return !ranges->count;
}

/**
 * tring_selection_has_cpu - check whether events of a CPU are shown
 * @selection: the selection
 * @cpu: number of the CPU
 *
 * Return: true if they are.
 */
bool tring_selection_has_cpu(const struct tring_selection *selection, int cpu)
{
	return has_number(&selection->cpus, cpu);
}

static void find_cpus(struct tring_selection *selection, const struct tring_trace *trace)
{
	size_t i, j;

	for (i = 0; i < selection->cpus.count; i++) {
		struct tring_range *range = &selection->cpus.list[i];

		for (j = 0; j < trace->count; j++)
			range->found |= is_in(range, trace->cpus[j].cpu);
	}
}

/* @first: the selection of the first trace, whose words are those of all */
static void find_events(struct tring_selection *first, struct tring_selection *selection,
			const struct tring_events *events)
{
	size_t i, j;

	if (!selection->events.count)
		return;
	selection->ids = tring_allocate(TRING_EVENT_IDS * sizeof(*selection->ids));
	for (j = 0; j < selection->events.count; j++) {
		struct tring_word *pattern = &first->events.list[j];

		for (i = 0; i < events->count; i++) {
			const struct tring_event *event = events->list[i];
			const struct tring_event_name name = { event->system, event->name };

			if (!tring_event_matches(&name, pattern->text))
				continue;
			selection->ids[event->id] = true;
			pattern->found = true;
		}
	}
}

/* A condition that does not fit the trace's events lets none of them through. */
static void compile_conditions(struct tring_selection *first, struct tring_selection *selection,
			       const struct tring_events *events)
{
	size_t count = selection->conditions.count, i;

	selection->filters = tring_allocate(count * sizeof(*selection->filters));
	for (i = 0; i < count; i++) {
		struct tring_word *condition = &first->conditions.list[i];

		condition->found |= tring_filter_compile(&selection->filters[i], events,
							 condition->text);
	}
	selection->filter_count = count;
}

/* Return: 0, or -EINVAL if something that was named is in none of the traces. */
static int check_found(const struct tring_selection *first, size_t count)
{
	const char *where = count > 1 ? "none of the traces has" : "the trace has no";
	const struct tring_filter_fault *fault;
	int error = 0;
	size_t i;

	for (i = 0; i < first->cpus.count; i++) {
		if (first->cpus.list[i].found)
			continue;
		tring_error("--cpu %" PRIu64 ": %s such CPU", first->cpus.list[i].first, where);
		error = -EINVAL;
	}
	for (i = 0; i < first->events.count; i++) {
		if (first->events.list[i].found)
			continue;
		tring_error("--event %s: %s such event", first->events.list[i].text, where);
		error = -EINVAL;
	}
	for (i = 0; i < first->conditions.count; i++) {
		if (first->conditions.list[i].found)
			continue;
		fault = &first->filters[i].fault;
		tring_error("-F: %s:\n  %s\n  %*s^", fault->why, first->conditions.list[i].text,
			    (int)fault->at, "");
		error = -EINVAL;
	}
	return error;
}

/* Lets only those events through that a condition names. */
static void restrict_events(struct tring_selection *selection,
			    const struct tring_events *events)
{
	bool *ids;
	size_t i, j;

	if (!selection->filter_count)
		return;
	ids = tring_allocate(TRING_EVENT_IDS * sizeof(*ids));
	for (i = 0; i < events->count; i++) {
		int id = events->list[i]->id;

		for (j = 0; j < selection->filter_count; j++)
			if (tring_filter_names(&selection->filters[j], events->list[i]))
				ids[id] = !selection->ids || selection->ids[id];
	}
	free(selection->ids);
	selection->ids = ids;
}

/* Return: 0, or -EINVAL if a trace does not tell the wall clock that a time is of. */
static int check_wall(const struct tring_selection *selection, struct tring_trace **traces,
		      size_t count)
{
	bool wanted = tring_when_is_wall(&selection->from) || tring_when_is_wall(&selection->to);
	size_t i;

	for (i = 0; wanted && i < count; i++) {
		if (!traces[i]->info.no_wall)
			continue;
		tring_error("--from, --to: %s does not tell the wall clock",
			    traces[i]->dat->file.path);
		return -EINVAL;
	}
	return 0;
}

/* Return: the time of the first event of all traces, some of which may have none. */
static struct tring_wall find_begin(struct tring_trace **traces, size_t count)
{
	struct tring_wall begin = { INT64_MAX, 0 }, wall;
	size_t i;

	for (i = 0; i < count; i++) {
		uint64_t stamp = tring_begin(traces[i]);

		tring_wall(traces[i], stamp, &wall);
		if (stamp && tring_wall_is_before(&wall, &begin))
			begin = wall;
	}
	if (begin.seconds == INT64_MAX)
		tring_wall(traces[0], 0, &begin);
	return begin;
}

/* The times are those of the first trace's clock. */
static void find_times(struct tring_selection *selections, struct tring_trace **traces,
		       size_t count)
{
	const struct tring_wall begin = find_begin(traces, count);
	size_t i;

	for (i = 0; i < count; i++) {
		const struct tring_trace_info *info = &traces[i]->info;
		struct tring_selection *selection = &selections[i];

		selection->first = 0;
		selection->behind = UINT64_MAX;
		if (selection->from.kind != TRING_WHEN_NONE)
			selection->first = tring_when_find(&selection->from, info,
							   &traces[0]->info, &begin, 0);
		/* up to the last timestamp that is printed as the end */
		if (selection->to.kind != TRING_WHEN_NONE)
			selection->behind = tring_when_find(&selection->to, info,
							    &traces[0]->info, &begin,
							    selection->to.step);
	}
}

/* Finds the begin of the range in each stream. */
static void set_range(const struct tring_selection *selection, struct tring_trace *trace)
{
	uint64_t first = trace->every ? 0 : selection->first;
	size_t i;

	for (i = 0; i < trace->count; i++) {
		struct tring_cpu *cpu = &trace->cpus[i];

		tring_packets_set_range(&cpu->packets, &cpu->stream, first, selection->last);
	}
}

/* Return: 0; -EINVAL if the begin counts back from an end that was not given. */
static int count_back(struct tring_selection *selections, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (selections[i].from.kind != TRING_WHEN_BEFORE)
			continue;
		if (selections[i].to.kind == TRING_WHEN_NONE) {
			tring_error("--from with a '-' is a time before --to, which is missing");
			selections[i].from.kind = TRING_WHEN_NONE;
			return -EINVAL;
		}
		tring_when_count_back(&selections[i].from, &selections[i].to);
	}
	return 0;
}

/* Return: 0, or -EINVAL if the end is before the begin in all traces. */
static int check_times(struct tring_selection *selections, size_t count)
{
	bool good = false;
	size_t i;

	for (i = 0; i < count; i++) {
		struct tring_selection *selection = &selections[i];

		good |= selection->behind > selection->first;
		/* a trace that has no time of the range: none of its timestamps is so late */
		if (selection->behind <= selection->first)
			selection->first = UINT64_MAX;
		selection->last = selection->behind - (selection->behind < UINT64_MAX &&
						       selection->behind > 0);
	}
	if (good)
		return 0;
	tring_error("--to is earlier than --from, or than the clock's zero");
	return -EINVAL;
}

/**
 * tring_selection_apply - let several traces give the selected events
 * @selections: one for each trace, all of the same options; they must outlive the traces
 * @traces: the traces, with their events, with their CPUs started, and on one time line
 * @count: number of traces
 *
 * What only some of the traces have may be selected.
 *
 * Return: 0, or -EINVAL if none of the traces has what was selected, reported on stderr.
 */
int tring_selection_apply(struct tring_selection *selections, struct tring_trace **traces,
			  size_t count)
{
	int error;
	size_t i;

	if (count_back(selections, count))
		return -EINVAL;
	for (i = 0; i < count; i++) {
		find_cpus(selections, traces[i]);
		find_events(selections, &selections[i], &traces[i]->events);
		compile_conditions(selections, &selections[i], &traces[i]->events);
		restrict_events(&selections[i], &traces[i]->events);
	}
	error = check_found(selections, count);
	if (check_wall(selections, traces, count))
		error = -EINVAL;
	find_times(selections, traces, count);
	if (check_times(selections, count))
		error = -EINVAL;
	for (i = 0; i < count; i++) {
		set_range(&selections[i], traces[i]);
		traces[i]->selection = &selections[i];
	}
	return error;
}

/**
 * tring_selection_has_pid - check whether a task is shown, as far as its pid says
 * @selection: the selection
 * @pid: the task's pid
 *
 * Return: true if it is.
 */
bool tring_selection_has_pid(const struct tring_selection *selection, int32_t pid)
{
	return has_number(&selection->pids, (uint32_t)pid);
}

/**
 * tring_selection_has - check what a record itself tells
 * @selection: the selection, after tring_selection_apply()
 * @record: a record, not a discarded one
 *
 * Return: true if the event is shown, as far as its time, id and pid say.
 */
bool tring_selection_has(const struct tring_selection *selection,
			 const struct tring_record *record)
{
	return record->stamp >= selection->first && record->stamp <= selection->last &&
	       (!selection->ids || selection->ids[record->id]) &&
	       tring_selection_has_pid(selection, record->pid);
}

/* The user knows the name as it is printed, and may have it from there. */
static bool is_name(const char *pattern, const char *comm)
{
	char *printed;
	bool same;

	if (!fnmatch(pattern, comm, 0))
		return true;
	if (tring_is_printable(comm, strlen(comm)))
		return false;
	printed = tring_text_escaped(comm);
	same = !fnmatch(pattern, printed, FNM_NOESCAPE);
	free(printed);
	return same;
}

/**
 * tring_selection_has_comm - check the name of a task
 * @selection: the selection
 * @comm: the name
 *
 * Return: true if events of a task of this name are shown.
 */
bool tring_selection_has_comm(const struct tring_selection *selection, const char *comm)
{
	size_t i;

	for (i = 0; i < selection->comms.count; i++)
		if (is_name(selection->comms.list[i].text, comm))
			return true;
	return !selection->comms.count;
}

/**
 * tring_selection_has_fields - check an event's fields
 * @selection: the selection, after tring_selection_apply()
 * @event: the event, which may be NULL without conditions
 * @record: the event's record
 * @wrong: it does not fit the event's format, so that it cannot be examined; it is not hidden
 * @cpu: its CPU
 * @names: names of tasks
 *
 * Return: true if there is no condition, or if one is met.
 */
bool tring_selection_has_fields(const struct tring_selection *selection,
				const struct tring_event *event,
				const struct tring_record *record, bool wrong, int cpu,
				struct tring_names *names)
{
	size_t i;

	for (i = 0; i < selection->filter_count; i++) {
		struct tring_filter *filter = &selection->filters[i];

		if (wrong ? tring_filter_names(filter, event) :
			    tring_filter_matches(filter, event, record, cpu, names))
			return true;
	}
	return !selection->filter_count;
}

static void free_words(struct tring_words *words)
{
	size_t i;

	for (i = 0; i < words->count; i++)
		free(words->list[i].text);
	free(words->list);
}

/**
 * tring_selection_free - free a selection
 * @selection: the selection, may be zeroed
 */
void tring_selection_free(struct tring_selection *selection)
{
	size_t i;

	for (i = 0; i < selection->filter_count; i++)
		tring_filter_free(&selection->filters[i]);
	free(selection->filters);
	free_words(&selection->conditions);
	free(selection->cpus.list);
	free(selection->pids.list);
	free_words(&selection->comms);
	free_words(&selection->events);
	free(selection->ids);
	memset(selection, 0, sizeof(*selection));
}
