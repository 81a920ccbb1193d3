// SPDX-License-Identifier: GPL-2.0
/*
 * Looks at the events of conditions while they are recorded.
 *
 * Each condition has an instance of its own, which records its events besides, and which libtring
 * takes into memory. So the ring of the recording need not be read, however many events it gets,
 * and a filter is the kernel's. What is looked at is what the instance has recorded: where it has
 * lost events, or where one came too late for the order of time, nothing is known.
 *
 * See "Stopping on a condition" in docs/design.md.
 */
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "print/printer.h"
#include "record/settings.h"
#include "record/state.h"
#include "stats/top_walk.h"
#include "stop_watch.h"
#include "stop_when.h"
#include "tracefs/control.h"
#include "util/clock.h"
#include "util/proc.h"
#include "util/text.h"
#include "util/util.h"

/* Events wait for as long, so that looking at them has a price that does not grow with them. */
#define LOOK_NS		20000000
/* Of an instance: each event wakes tring, and what comes until it runs has room. */
#define WAKE_PERCENT	"0"
#define SIZE_KB		"1024"
/* Begins of a time whose end does not come, of which each has some 100 bytes. */
#define OPEN_MOST	100000

/* A task that has begun since the instance was made has its name in /proc, if it is there still. */
static char *task_text(const struct tring_watched *watched, int32_t pid)
{
	const char *known = tring_comm(watched->opened.trace, pid);
	bool unknown = !strcmp(known, "<...>");
	char *name = tring_format("%s", unknown ? tring_comm(watched->names, pid) : known);
	char *text = NULL;

	if (!strcmp(name, "<...>") && tring_proc_has_kernel_pids())
		text = tring_proc_text(pid, "comm", NULL);
	if (text) {
		text[strcspn(text, "\n")] = 0;
		free(name);
		name = text;
	}
	tring_extend(&name, "-%d", pid);
	return name;
}

static bool is_too_long(const struct tring_stop_condition *condition, uint64_t ns)
{
	return ns > condition->limit || (condition->reached && ns == condition->limit);
}

/* The longest time is kept, so the first one that is too long is the one that is new. */
static void check_time(struct tring_watched *watched)
{
	const struct tring_slow *slow = watched->latency.slow;
	char *from, *to, *task;

	if (!watched->latency.slow_count || !is_too_long(&watched->condition, slow->ns))
		return;
	watched->begin = slow->begin;
	watched->end = slow->end;
	from = tring_clock_text(slow->begin);
	to = tring_clock_text(slow->end);
	task = task_text(watched, slow->pid);
	watched->what = tring_format("%s: %.6f ms from %s to %s, task %s, %s, CPU %d",
				     watched->condition.text, slow->ns / 1e6, from, to, task,
				     slow->text, slow->cpu);
	free(task);
	free(to);
	free(from);
}

/*
 * It was in none of the rounds before, though it is earlier: its time is that of the round, and
 * what has happened meanwhile is not known. That is what a loss up to now says.
 */
static void take_late(struct tring_watched *watched, const struct tring_item *item)
{
	struct tring_record behind = *item->record;
	struct tring_item loss = *item;

	watched->lost++;
	loss.kind = TRING_ITEM_LOSS_BEGINS;
	loss.since = behind.stamp;
	tring_latency_take(&watched->latency, &loss);
	behind.stamp++;
	loss.kind = TRING_ITEM_LOSS;
	loss.record = &behind;
	tring_latency_take(&watched->latency, &loss);
}

static bool is_late(const struct tring_watched *watched, const struct tring_item *item)
{
	return item->kind == TRING_ITEM_EVENT && watched->known &&
	       item->record->stamp <= watched->known;
}

static void take_time(struct tring_watched *watched, const struct tring_item *item)
{
	if (is_late(watched, item))
		take_late(watched, item);
	tring_latency_take(&watched->latency, item);
	check_time(watched);
}

/* Recording is to be off before its text is made, which takes the kernel's symbols. */
static void keep_event(struct tring_watched *watched, const struct tring_item *item)
{
	watched->event = *item;
	watched->record = *item->record;
	watched->payload = tring_allocate(item->record->length + 1);
	memcpy(watched->payload, item->record->payload, item->record->length);
	watched->record.payload = watched->payload;
	watched->event.record = &watched->record;
}

static void add_text(struct tring_watched *watched)
{
	struct tring_printer printer;
	const char *text;
	size_t size;

	if (!watched->payload)
		return;
	tring_printer_init(&printer, watched->opened.trace);
	text = tring_printer_text(&printer, &watched->event, &size);
	if (text)
		tring_extend(&watched->what, ": %.*s", (int)size, text);
	tring_printer_free(&printer);
}

/* The kernel's filter has let it through. */
static void take_event(struct tring_watched *watched, const struct tring_item *item)
{
	char *at, *task;

	if (item->kind != TRING_ITEM_EVENT || !item->event || item->wrong ||
	    !tring_is_event(item->event, watched->condition.event))
		return;
	keep_event(watched, item);
	watched->end = tring_ns(item->trace, item->record->stamp);
	watched->begin = watched->end;
	at = tring_clock_text(watched->end);
	task = task_text(watched, item->record->pid);
	watched->what = tring_format("%s: at %s%s, task %s, CPU %d", watched->condition.text, at,
				     is_late(watched, item) ? " or before" : "", task, item->cpu);
	free(task);
	free(at);
}

/* What comes behind the first one is taken out of the ring, too. */
static int take_round(struct tring_watched *watched)
{
	struct tring_trace *trace = watched->opened.trace;
	int error = tring_follow(trace);
	struct tring_item item;

	while (!error && tring_next(trace, &item) > 0) {
		if (item.kind == TRING_ITEM_LOSS)
			watched->lost += item.events;
		if (watched->what)
			continue;
		if (watched->condition.event)
			take_event(watched, &item);
		else
			take_time(watched, &item);
	}
	watched->known = tring_ring_time(trace);
	return error;
}

/* Takes a round of each condition that is not met. Return: 0 or a negative errno, reported. */
static int take_rounds(struct tring_stop_when *stop)
{
	int error = 0;
	size_t i;

	stop->waiting = false;
	for (i = 0; i < stop->count && !error; i++) {
		struct tring_watched *watched = &stop->list[i];

		if (watched->what)
			continue;
		error = take_round(watched);
		stop->waiting |= tring_has_later(watched->opened.trace);
		if (watched->what && (!stop->met || watched->end < stop->met->end))
			stop->met = watched;
	}
	return error;
}

static bool has_news(const struct tring_stop_when *stop)
{
	struct pollfd news = { .fd = stop->watch.fd, .events = POLLIN };

	return stop->waiting || poll(&news, 1, 0) > 0;
}

/*
 * Of several conditions the others were looked at up to an earlier time, perhaps. The clock is read
 * behind the marker that has told the ring's time, so recording ends rather late than early.
 */
static int look(struct tring_watch *watch)
{
	struct tring_stop_when *stop = tring_stop_when_of(watch);
	uint64_t now, ago, known;
	int error;

	if (!has_news(stop))
		return 0;
	error = take_rounds(stop);
	now = tring_now_ns();
	watch->look_ns = now + LOOK_NS;
	if (error || !stop->met)
		return error;
	known = tring_ns(stop->met->opened.trace, stop->met->known);
	ago = known > stop->met->end ? known - stop->met->end : 0;
	watch->end_ns = stop->after_ns > ago ? now + stop->after_ns - ago : now;
	return take_rounds(stop);
}

static int start(struct tring_watch *watch)
{
	struct tring_stop_when *stop = tring_stop_when_of(watch);
	int error = 0;
	size_t i;

	stop->on = true;
	for (i = 0; i < stop->count && !error; i++)
		error = tring_own_ring_record(stop->list[i].ring, true);
	return error;
}

/* A marker that is written now tells the time by the clock of the events. */
static char *late_text(const struct tring_stop_when *stop)
{
	struct tring_trace *trace = stop->met->opened.trace;
	uint64_t late, after = stop->after_ns;
	struct tring_item item;

	if (!stop->on || tring_follow(trace))
		return tring_format("recording went on for an unknown time");
	while (tring_next(trace, &item) > 0)
		;
	late = tring_ns(trace, tring_ring_time(trace)) - stop->met->end;
	if (!after)
		return tring_format("recording was off %.3f ms later", late / 1e6);
	return tring_format("recording was off %.6f s later, %.3f ms late", late / 1e9,
			    late > after ? (late - after) / 1e6 : 0);
}

static void stopped(struct tring_watch *watch)
{
	struct tring_stop_when *stop = tring_stop_when_of(watch);
	char *late, *whole;

	if (!stop->met) {
		watch->result = tring_format(TRING_WATCH_NOTHING);
		return;
	}
	late = late_text(stop);
	add_text(stop->met);
	whole = tring_format("%s; %s", stop->met->what, late);
	watch->result = tring_text_escaped(whole);
	free(whole);
	free(late);
}

static void tell_reach(const struct tring_watched *met, const struct tring_reach *reach)
{
	bool none = reach->from == UINT64_MAX;
	uint64_t from = none ? UINT64_MAX : tring_ns(met->opened.trace, reach->from);
	char *at = tring_clock_text(from);

	if (!reach->overwritten)
		tring_note("the trace has all since its begin");
	else if (from <= met->begin)
		tring_note("the trace has all from %s on, %.6f s before that; %" PRIu64 " older %s",
			   at, (met->begin - from) / 1e9, reach->overwritten,
			   "events were overwritten");
	else if (from <= met->end)
		tring_error("the trace has all from %s on, but not its begin; see -b", at);
	else
		tring_error("the ring is too small: what has stopped it was overwritten; see -b");
	if (reach->refused)
		tring_error("%" PRIu64 " events were refused, see the table", reach->refused);
	free(at);
}

static void tell_losses(const struct tring_watched *watched)
{
	const struct tring_latency *latency = &watched->latency;
	uint64_t unknown = latency->all.timing.unknown + latency->begins.lost +
			   latency->ends.lost;

	if (watched->lost)
		tring_error("--stop-when '%s': %" PRIu64 " events were not seen in time",
			    watched->condition.text, watched->lost);
	if (unknown)
		tring_error("--stop-when '%s': %" PRIu64 " times are unknown",
			    watched->condition.text, unknown);
}

/* Of a ring that was read all the time the table says what is lost. */
static void tell(const struct tring_watch *watch, const struct tring_reach *reach)
{
	const struct tring_stop_when *stop = tring_stop_when_of(watch);
	size_t i;

	if (stop->met)
		tring_note("stopped by %s", watch->result);
	else
		tring_error("no condition of --stop-when was met");
	if (stop->met && reach)
		tell_reach(stop->met, reach);
	for (i = 0; i < stop->count; i++)
		tell_losses(&stop->list[i]);
}

/* The instance has the same tasks and CPUs as the ring, and its clock. */
static void choose(struct tring_watched *watched, const struct tring_control *control,
		   bool children)
{
	const struct tring_stop_condition *condition = &watched->condition;
	struct tring_recording_options *options = &watched->options;
	char *pids = tring_control_read_if(control, "set_event_pid");
	char *cgroups = tring_control_read_if(control, "set_event_cgroup");
	const char *event;
	unsigned int i;

	watched->cpus = tring_control_read_if(control, "tracing_cpumask");
	watched->clock = tring_settings_read(control, "trace_clock");
	*options = (struct tring_recording_options) {
		.cpus = watched->cpus, .clock = watched->clock, .overwrite = "1",
		.size = SIZE_KB "K", .size_kb = tring_format(SIZE_KB),
		.children = children,
	};
	for (i = 0; (event = tring_stop_condition_event(condition, i)); i++)
		tring_extend(&options->events, "%s%s", i ? "\n" : "", event);
	tring_event_rules_begin(&options->rules, options->events);
	if (condition->filter)
		tring_event_rules_add_filter(&options->rules, condition->filter);
	if (cgroups && *cgroups)
		options->cgroups = cgroups;
	else
		free(cgroups);
	if (pids)
		tring_state_line(pids, "set_event_pid");
	/* an empty list has no number */
	if (pids && *pids >= '0' && *pids <= '9')
		options->pids = pids;
	else
		free(pids);
}

/* What the ring's own filter leaves out is not in the trace. */
static int check_filters(const struct tring_watched *watched, const struct tring_control *control)
{
	const struct tring_trace *trace = watched->opened.trace;
	int error = 0;
	size_t i;

	for (i = 0; i < tring_event_count(trace) && !error; i++) {
		const struct tring_event *event = tring_event_at(trace, i);
		char *file = tring_format("events/%s/%s/filter", event->system, event->name);
		char *text = tring_control_read_if(control, file);

		if (text && strcmp(text, "none")) {
			tring_error("--stop-when '%s': %s:%s is recorded with a filter; %s",
				    watched->condition.text, event->system, event->name,
				    "what it leaves out would not be in the trace");
			error = -EINVAL;
		}
		free(text);
		free(file);
	}
	return error;
}

static int begin_times(struct tring_watched *watched)
{
	struct tring_latency *latency = &watched->latency;
	struct tring_wanted every = { .size = sizeof(every), .every = true, .quiet = true };
	struct tring_trace *trace = watched->opened.trace;
	struct tring_left_out left_out;
	char *text;
	int error;

	if (!tring_pair_bind(&latency->pair, &watched->condition.pair, trace))
		return -EINVAL;
	error = tring_select(trace, &every);
	if (error)
		return error;
	text = tring_own_ring_left_out(watched->ring);
	left_out = tring_left_out_parse(text);
	free(text);
	latency->slow_most = 1;
	latency->open_most = OPEN_MOST;
	tring_latency_init(latency, trace, &left_out);
	if (!latency->blinded)
		return 0;
	tring_error("--stop-when '%s': some %s are not recorded, so no such time is known",
		    watched->condition.text, latency->blinded);
	return -EINVAL;
}

static int begin(struct tring_stop_when *stop, size_t number, const struct tring_control *control,
		 bool children)
{
	struct tring_options options = tring_opened_options;
	struct tring_watched *watched = &stop->list[number];
	struct epoll_event news = { .events = EPOLLIN };
	int error;

	choose(watched, control, children);
	error = tring_own_ring_make(&watched->ring, TRING_OWN_STOP, number, &watched->options,
				    WAKE_PERCENT);
	options.consume = true;
	options.unnamed = number;
	if (!error)
		error = tring_open_ring(&watched->opened.trace,
					tring_own_ring_name(watched->ring), &options);
	watched->names = stop->list[0].opened.trace;
	if (!error)
		error = check_filters(watched, control);
	if (!error && !watched->condition.event)
		error = begin_times(watched);
	if (!error && epoll_ctl(stop->watch.fd, EPOLL_CTL_ADD,
				tring_ring_fd(watched->opened.trace), &news))
		error = -errno;
	return error;
}

static int make(struct tring_watch *watch, const struct tring_control *control,
		const struct tring_recording_options *options)
{
	struct tring_stop_when *stop = tring_stop_when_of(watch);
	int error = 0;
	size_t i;

	stop->after_ns = options->after_ns;
	watch->fd = epoll_create1(EPOLL_CLOEXEC);
	if (watch->fd < 0) {
		tring_error("epoll: %s", strerror(errno));
		return -errno;
	}
	for (i = 0; i < stop->count && !error; i++)
		error = begin(stop, i, control, options->children);
	return error;
}

/* An instance cannot be removed while its files are open. */
static int end(struct tring_watch *watch)
{
	struct tring_stop_when *stop = tring_stop_when_of(watch);
	int error = 0, failed;
	size_t i;

	for (i = 0; i < stop->count; i++) {
		struct tring_watched *watched = &stop->list[i];

		if (!watched->ring)
			continue;
		failed = stop->on ? tring_own_ring_record(watched->ring, false) : 0;
		error = failed ? failed : error;
		if (watched->latency.trace)
			tring_latency_free(&watched->latency);
		tring_pair_free(&watched->latency.pair);
		tring_close(watched->opened.trace);
		failed = tring_own_ring_end(watched->ring);
		error = failed ? failed : error;
		watched->ring = NULL;
	}
	return error;
}

const struct tring_watch_calls tring_stop_watch_calls = {
	.check = tring_stop_when_check, .make = make, .start = start, .look = look,
	.stopped = stopped, .tell = tell, .end = end,
};
