// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the begin of each end, in the order of time. A begin and its end have the same key.
 *
 * A time is known if no event of the pair can be missing between the two: any loss there may
 * have had the right end, and the begin of another time. If the key has the CPU, only losses
 * of that CPU matter. So each begin ends up as known, unknown, repeated, cancelled, or without
 * an end; and each end as known, unknown, or without a begin.
 */
#include <stdlib.h>
#include <string.h>

#include "match.h"
#include "top.h"
#include "util/clock.h"
#include "util/util.h"

static bool has_both(const struct tring_bound_pair *pair, enum tring_value_kind kind)
{
	size_t i;

	for (i = 0; i < pair->key_count; i++)
		if (pair->begin_keys[i].kind == kind && pair->end_keys[i].kind == kind)
			return true;
	return false;
}

/* Of tasks that were recorded alone the times between others' events are not known. */
static const char *find_blinded(const struct tring_latency *latency,
				const struct tring_left_out *left_out)
{
	if (left_out->tasks && !has_both(&latency->pair, TRING_VALUE_PID))
		return "tasks";
	if (left_out->cpus && !latency->own_cpu)
		return "CPUs";
	return NULL;
}

/**
 * tring_latency_init - prepare the times of a pair
 * @latency: with what the caller has set, up to @latency->open_most
 * @trace: the trace; tring_select() has let it give @every event
 * @left_out: what its recording has left out
 */
void tring_latency_init(struct tring_latency *latency, struct tring_trace *trace,
			const struct tring_left_out *left_out)
{
	latency->trace = trace;
	latency->own_cpu = has_both(&latency->pair, TRING_VALUE_CPU);
	latency->blinded = find_blinded(latency, left_out);
	latency->sights = tring_allocate((tring_cpu_count(trace) + 1) * sizeof(*latency->sights));
	latency->slow = tring_allocate((latency->slow_most + 1) * sizeof(*latency->slow));
	TAILQ_INIT(&latency->open.list);
	tring_line_init(&latency->key);
	tring_line_init(&latency->text);
}

static void make_key(struct tring_latency *latency, const struct tring_value *values,
		     const struct tring_item *item)
{
	size_t i;

	latency->key.at = latency->key.start;
	for (i = 0; i < latency->pair.key_count; i++)
		tring_value_add_key(&latency->key, &values[i], item);
}

static size_t key_size(const struct tring_latency *latency)
{
	return latency->key.at - latency->key.start;
}

/* Return: the begin with the values of an event, if it is open; else NULL. */
static struct tring_begin *find_begin(struct tring_latency *latency,
				      const struct tring_value *values,
				      const struct tring_item *item)
{
	make_key(latency, values, item);
	return tring_begins_find(&latency->open, latency->key.start, key_size(latency));
}

/* Return: true if events may be missing between @from, on a CPU, and now. */
static bool may_miss(const struct tring_latency *latency, size_t cpu_at, uint64_t from)
{
	const struct tring_sight *sight = &latency->sights[cpu_at];

	if (latency->blinded)
		return true;
	if (latency->own_cpu)
		return sight->blind || sight->since > from;
	return latency->blind || latency->since > from;
}

static uint64_t time_of(const struct tring_latency *latency, const struct tring_item *item,
			const struct tring_field *field)
{
	return field ? (uint64_t)tring_number(item, field) :
		       tring_ns(latency->trace, item->record->stamp);
}

static bool is_wanted(const struct tring_latency *latency, const struct tring_item *item)
{
	return tring_wants_cpu(latency->trace, item->cpu) &&
	       tring_wants_task(latency->trace, item->record->pid);
}

static const char *name_of(struct tring_latency *latency, const struct tring_item *item)
{
	const struct tring_value *by = &latency->pair.by;
	const char *(*names)(uint64_t number) = latency->pair.pair.names;
	const char *name = NULL;

	latency->text.at = latency->text.start;
	if (names && by->field)
		name = names(tring_number(item, by->field));
	if (name)
		tring_line_string(&latency->text, name);
	else
		tring_value_add_text(&latency->text, by, item);
	tring_line_char(&latency->text, 0);
	return latency->text.start;
}

static struct tring_latency_group *find_group(struct tring_latency *latency,
					      const struct tring_item *item)
{
	const char *name = name_of(latency, item);
	const uint32_t number = tring_intern(&latency->names, name, strlen(name));
	struct tring_latency_group *group;

	if (number < latency->group_count)
		return latency->groups[number];
	group = tring_allocate(sizeof(*group));
	group->text = latency->names.list[number].bytes;
	latency->groups = tring_one_more(latency->groups, number, sizeof(group));
	latency->groups[latency->group_count++] = group;
	return group;
}

static char *describe_key(struct tring_latency *latency, const struct tring_item *item)
{
	const struct tring_bound_pair *pair = &latency->pair;
	struct tring_line *line = &latency->text;
	size_t i;

	line->at = line->start;
	for (i = 0; i < pair->key_count; i++) {
		const char *name = pair->begin_keys[i].name;

		if (i)
			tring_line_char(line, ' ');
		tring_line_string(line, name);
		tring_line_char(line, '=');
		tring_value_add_text(line, &pair->end_keys[i], item);
	}
	tring_line_char(line, 0);
	return tring_format("%s", line->start);
}

static void free_slow(struct tring_slow *slow)
{
	free(slow->task);
	free(slow->text);
}

/* Of times of the same length the earlier one comes first. */
static void note_slow(struct tring_latency *latency, const struct tring_begin *begin,
		      const struct tring_item *item, uint64_t ns)
{
	struct tring_trace *trace = latency->trace;
	uint64_t end = tring_ns(trace, item->record->stamp);
	size_t at = latency->slow_count;

	if (at == latency->slow_most) {
		if (!at || latency->slow[at - 1].ns >= ns)
			return;
		free_slow(&latency->slow[--at]);
	} else {
		latency->slow_count++;
	}
	for (; at && latency->slow[at - 1].ns < ns; at--)
		latency->slow[at] = latency->slow[at - 1];
	latency->slow[at] = (struct tring_slow) {
		.ns = ns, .begin = end - ns, .end = end, .cpu = item->cpu, .pid = begin->pid,
		.task = tring_format("%s-%d", tring_comm(trace, begin->pid), begin->pid),
		.text = describe_key(latency, item),
	};
}

static void add(struct tring_latency_group *group, uint64_t ns)
{
	tring_timing_add(&group->timing, 0, ns, TRING_NS_A_SECOND);
	tring_quantiles_add(&group->quantiles, ns);
}

static void measure(struct tring_latency *latency, const struct tring_begin *begin,
		    struct tring_latency_group *group, const struct tring_item *item)
{
	uint64_t end = time_of(latency, item, latency->pair.end_time);
	uint64_t ns = end > begin->ns ? end - begin->ns : 0;

	latency->reversed += end < begin->ns;
	add(&latency->all, ns);
	if (group)
		add(group, ns);
	note_slow(latency, begin, item, ns);
}

static void match(struct tring_latency *latency, const struct tring_begin *begin,
		  const struct tring_item *item)
{
	struct tring_latency_group *group = begin->group;

	if (item->record->stamp < tring_wants_from(latency->trace) ||
	    (!begin->wanted && !is_wanted(latency, item)))
		return;
	if (latency->pair.by_end)
		group = find_group(latency, item);
	if (!may_miss(latency, begin->cpu_at, begin->stamp)) {
		measure(latency, begin, group, item);
		return;
	}
	latency->all.timing.unknown++;
	if (group)
		group->timing.unknown++;
}

static void take_end(struct tring_latency *latency, const struct tring_item *item)
{
	struct tring_begin *begin = find_begin(latency, latency->pair.end_keys, item);

	if (begin) {
		match(latency, begin, item);
		tring_begins_remove(&latency->open, begin);
	} else if (item->record->stamp >= tring_wants_from(latency->trace) &&
		   is_wanted(latency, item)) {
		if (may_miss(latency, item->cpu_at, 0))
			latency->ends.lost++;
		else
			latency->ends.alone++;
	}
}

static void count_begin(struct tring_latency *latency, const struct tring_begin *begin,
			uint64_t *count)
{
	if (begin->wanted && begin->stamp >= tring_wants_from(latency->trace))
		++*count;
}

/* Removes a begin that gets no end. @count: where it is counted */
static void drop_begin(struct tring_latency *latency, struct tring_begin *begin, uint64_t *count)
{
	count_begin(latency, begin, count);
	tring_begins_remove(&latency->open, begin);
}

/*
 * Ends may never come: of too many begins the older half is forgotten, and what comes for them has
 * no begin then. So the oldest ones do not keep out what is new.
 */
static void forget_old(struct tring_latency *latency)
{
	size_t count = latency->open.count / 2;

	while (count--)
		drop_begin(latency, TAILQ_FIRST(&latency->open.list), &latency->begins.lost);
}

static void add_begin(struct tring_latency *latency, const struct tring_item *item)
{
	struct tring_begin *begin = tring_begins_add(&latency->open, latency->key.start,
						     key_size(latency));

	begin->stamp = item->record->stamp;
	begin->ns = time_of(latency, item, latency->pair.begin_time);
	begin->cpu_at = item->cpu_at;
	begin->pid = item->record->pid;
	begin->wanted = is_wanted(latency, item);
	if (latency->pair.by.name && !latency->pair.by_end)
		begin->group = find_group(latency, item);
}

static void take_begin(struct tring_latency *latency, const struct tring_item *item)
{
	const struct tring_bound_pair *pair = &latency->pair;
	struct tring_begin *before;
	bool lost;

	if (pair->condition && tring_number(item, pair->condition) != pair->number)
		return;
	before = find_begin(latency, pair->begin_keys, item);
	/* behind a loss the one before is none that an end is still to be found for */
	lost = before && may_miss(latency, before->cpu_at, before->stamp);
	if (before && !lost && pair->pair.first) {
		latency->begins.repeated += is_wanted(latency, item) &&
			item->record->stamp >= tring_wants_from(latency->trace);
		return;
	}
	if (before)
		drop_begin(latency, before, lost ? &latency->begins.lost :
						   &latency->begins.repeated);
	else if (latency->open_most && latency->open.count >= latency->open_most)
		forget_old(latency);
	add_begin(latency, item);
}

static void take_cancel(struct tring_latency *latency, const struct tring_item *item)
{
	struct tring_begin *begin = find_begin(latency, latency->pair.cancel_keys, item);

	if (begin)
		drop_begin(latency, begin, &latency->begins.cancelled);
}

/* One event may cancel, end and begin times. */
static void take(struct tring_latency *latency, const struct tring_item *item)
{
	const struct tring_bound_pair *pair = &latency->pair;
	const struct tring_event *event = item->event;

	if (event != pair->begin && event != pair->end && (!event || event != pair->cancel))
		return;
	if (item->wrong) {
		latency->damaged++;
		return;
	}
	if (event == pair->cancel)
		take_cancel(latency, item);
	if (event == pair->end)
		take_end(latency, item);
	if (event == pair->begin)
		take_begin(latency, item);
}

static void begin_loss(struct tring_latency *latency, const struct tring_item *item)
{
	struct tring_sight *sight = &latency->sights[item->cpu_at];

	if (item->since > tring_wants_to(latency->trace))
		return;
	latency->blind += !sight->blind;
	sight->blind = true;
}

static void end_loss(struct tring_latency *latency, const struct tring_item *item)
{
	struct tring_sight *sight = &latency->sights[item->cpu_at];

	if (!sight->blind || !item->record)
		return;
	sight->blind = false;
	latency->blind--;
	sight->since = item->record->stamp;
	if (latency->since < sight->since)
		latency->since = sight->since;
}

static int compare_groups(const void *left, const void *right)
{
	const struct tring_latency_group *const *a = left, *const *b = right;

	return strcmp((*a)->text, (*b)->text);
}

/**
 * tring_latency_end - count the begins without an end, and sort the groups by their texts
 * @latency: from tring_latency_init(), when all was taken
 *
 * An end that comes too late for the trace is none that was lost.
 */
void tring_latency_end(struct tring_latency *latency)
{
	const struct tring_begin *begin;

	TAILQ_FOREACH(begin, &latency->open.list, by_age)
		count_begin(latency, begin, may_miss(latency, begin->cpu_at, begin->stamp) ?
			    &latency->begins.lost : &latency->begins.alone);
	if (latency->group_count)
		qsort(latency->groups, latency->group_count, sizeof(*latency->groups),
		      compare_groups);
}

/**
 * tring_latency_take - take an event or a loss
 * @latency: from tring_latency_init()
 * @item: what the trace has given
 */
void tring_latency_take(struct tring_latency *latency, const struct tring_item *item)
{
	switch (item->kind) {
	case TRING_ITEM_EVENT:
		take(latency, item);
		break;
	case TRING_ITEM_LOSS_BEGINS:
		begin_loss(latency, item);
		break;
	case TRING_ITEM_LOSS:
		end_loss(latency, item);
		break;
	}
}

static void reset_group(struct tring_latency_group *group)
{
	tring_timing_reset(&group->timing);
	tring_quantiles_free(&group->quantiles);
	group->quantiles = (struct tring_quantiles) { 0 };
}

/**
 * tring_latency_reset - forget the times; begins that have no end yet stay
 * @latency: from tring_latency_init()
 */
void tring_latency_reset(struct tring_latency *latency)
{
	size_t i;

	for (i = 0; i < latency->group_count; i++)
		reset_group(latency->groups[i]);
	reset_group(&latency->all);
}

/**
 * tring_latency_quantile - get the time that a share of all does not exceed
 * @group: times, at least one
 * @millionths: the share
 *
 * Return: nanoseconds, at most 1.6 % too many, and never more than the longest time.
 */
uint64_t tring_latency_quantile(const struct tring_latency_group *group,
				unsigned int millionths)
{
	uint64_t number = tring_quantile(&group->quantiles, millionths);

	return number < group->timing.most ? number : group->timing.most;
}

/**
 * tring_latency_free - free the times of a pair
 * @latency: from tring_latency_init()
 */
void tring_latency_free(struct tring_latency *latency)
{
	while (latency->slow_count)
		free_slow(&latency->slow[--latency->slow_count]);
	free(latency->slow);
	while (latency->group_count) {
		reset_group(latency->groups[--latency->group_count]);
		free(latency->groups[latency->group_count]);
	}
	free(latency->groups);
	reset_group(&latency->all);
	tring_intern_free(&latency->names);
	while (latency->open.count)
		tring_begins_remove(&latency->open, TAILQ_FIRST(&latency->open.list));
	free(latency->sights);
	tring_line_free(&latency->key);
	tring_line_free(&latency->text);
}
