// SPDX-License-Identifier: GPL-2.0
/*
 * Prints tables of what the machine does now, again and again.
 *
 * An instance of its own records the events, and nothing is written to the disk. Five times
 * a second all CPUs are read into memory, and merged by time up to a marker that was written
 * just before: what is earlier than the marker was in the rings then, so the order across
 * CPUs is right, and each interval ends at a time of the trace's own clock. What is later
 * stays in memory until the next marker. So there are never more events in memory than come
 * in a fifth of a second, or than the rings have room for.
 *
 * At the end of an interval what is going on (a task that runs or waits, an interrupt, a
 * system call) is counted up to the marker, and the numbers begin anew behind it.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "live_events.h"
#include "live_instance.h"
#include "read/live_ring.h"
#include "util/clock.h"
#include "record/origin.h"
#include "screen.h"
#include "trace_end.h"
#include "top_live.h"
#include "stats/top_walk.h"
#include "util/util.h"

#define ROUND_NS	200000000
/* Level at which a ring is read before that. */
#define WAKE_PERCENT	"25"

/* Lines of a table without its rows, with those before and behind it. */
#define TABLE_LINES	5

#define MARKER		"tring top "
#define MARKER_EVENT	"print"

/**
 * struct session - a run of tring top
 * @live: what the user asked for
 * @choice: the tables that are shown
 * @marker: begin of the markers' text, which a number follows
 * @recording: the recording
 * @trace: the CPUs and the events
 * @walk: the tables
 * @ring: the ring
 * @screen: where the tables go
 * @fds: what poll() waits for: the CPUs, the screen, and the signals
 * @round_ns: time of the next round
 * @show_ns: time at which the interval ends
 * @shown: number of intervals that were shown
 * @lost: events that were lost in all of them
 * @stopped: a signal has ended it
 */
struct session {
	const struct tring_top_live *live;
	struct tring_top_choice choice;
	const char	*marker;
	struct tring_recording recording;
	struct tring_trace trace;
	struct tring_top_walk walk;
	struct tring_live_ring ring;
	struct tring_screen screen;
	struct pollfd	*fds;
	uint64_t	round_ns;
	uint64_t	show_ns;
	uint64_t	shown;
	uint64_t	lost;
	bool		stopped;
};

static void show_head(struct session *session)
{
	struct tring_top *top = &session->walk.top;
	time_t now = time(NULL);
	char clock[16] = "";
	struct tm parts;

	if (localtime_r(&now, &parts))
		strftime(clock, sizeof(clock), "%H:%M:%S: ", &parts);
	fputs(clock, top->out);
	tring_top_show_head(top);
	if (session->lost)
		fprintf(top->out, "%" PRIu64 " events were lost since the start; see -b\n",
			session->lost);
}

/* Return: the tables, allocated. */
static char *render(struct session *session, size_t rows)
{
	struct tring_top *top = &session->walk.top;
	char *text = NULL;
	size_t size, i;

	top->out = open_memstream(&text, &size);
	if (!top->out) {
		tring_error("out of memory");
		abort();
	}
	top->rows = rows;
	top->width = session->screen.is_terminal ? session->screen.columns : 0;
	show_head(session);
	for (i = 0; i < session->choice.count; i++)
		tring_top_show_titled(top, session->choice.tables[i]);
	fclose(top->out);
	top->out = NULL;
	return text;
}

static size_t count_lines(const char *text)
{
	size_t lines = 0;

	while ((text = strchr(text, '\n'))) {
		text++;
		lines++;
	}
	return lines;
}

/* Return: the tables with as many rows as the screen has room for, allocated. */
static char *render_fitting(struct session *session)
{
	size_t rows = session->screen.rows, room = session->screen.rows, lines;
	char *text;

	for (;;) {
		text = render(session, rows);
		lines = count_lines(text);
		if (lines <= room || rows == 1)
			return text;
		free(text);
		lines = (lines - room + session->choice.count - 1) / session->choice.count;
		rows = rows > lines ? rows - lines : 1;
	}
}

/* What is kept of an interval depends on the room that there is for it. */
static void begin_interval(struct session *session)
{
	const struct tring_screen *screen = &session->screen;
	struct tring_top *top = &session->walk.top;
	size_t room = screen->rows / session->choice.count;

	top->rows = session->live->rows;
	if (screen->is_terminal) {
		top->rows = session->live->has_rows ? top->rows : screen->rows;
		top->slots = room > 2 * TABLE_LINES ? room - TABLE_LINES : TABLE_LINES;
		if (top->slots > TRING_SLOTS)
			top->slots = TRING_SLOTS;
	}
	tring_top_begin(top, session->walk.limit);
}

static void show(struct session *session)
{
	const struct tring_top_live *live = session->live;
	struct tring_top *top = &session->walk.top;
	bool fit = session->screen.is_terminal && !live->has_rows && !live->histograms;
	size_t i;

	tring_top_count(top, session->walk.limit);
	for (i = 0; i < top->cpu_count; i++)
		session->lost += top->cpus[i].lost;
	tring_screen_show(&session->screen, fit ? render_fitting(session) :
						  render(session, live->rows));
	begin_interval(session);
	session->shown++;
}

/* A ring that says that it has ended is one that does not record. */
static int check_recording(struct session *session)
{
	bool ended = false;
	size_t i;

	for (i = 0; i < session->trace.count; i++) {
		ended |= session->ring.cpus[i].ended;
		session->ring.cpus[i].ended = false;
	}
	if (!ended || tring_control_is_on(&session->recording.control))
		return 0;
	tring_error("another program has switched recording off");
	return -ECANCELED;
}

/* Takes all events up to now. Return: 0 or a negative errno, reported on stderr. */
static int take_round(struct session *session)
{
	struct tring_top_walk *walk = &session->walk;
	char *text = tring_format("%s%" PRIu64, session->marker, ++walk->marker_number);
	int error = 0;
	size_t i;

	/* in a ring that is full the marker is lost, too; then the end of what is read serves */
	tring_live_ring_mark(&session->ring, text);
	free(text);
	for (i = 0; i < session->trace.count && !error; i++)
		error = tring_live_ring_read(&session->ring, i, true);
	/* an event may have got its type meanwhile */
	if (!error)
		error = tring_control_short_ids(&session->recording.control,
						&session->trace.shorts, NULL);
	if (!error) {
		session->trace.late = walk->limit;
		tring_trace_resume(&session->trace);
		tring_top_walk_more(walk);
	}
	if (!walk->top.begun && walk->limit) {
		begin_interval(session);
		session->show_ns = tring_now_ns() + session->live->interval;
	}
	return error ? error : check_recording(session);
}

static void take_signals(struct session *session)
{
	struct signalfd_siginfo info;

	while (read(session->recording.signal_fd, &info, sizeof(info)) == sizeof(info))
		session->stopped |= info.ssi_signo != SIGCHLD;
}

/* Waits until there is something to do, or until it is time for a round. */
static void wait_for_work(struct session *session, uint64_t until)
{
	size_t count = session->trace.count, i;
	uint64_t now = tring_now_ns();
	struct timespec wait = { 0 };

	for (i = 0; i < count; i++)
		session->fds[i] = (struct pollfd) {
			.fd = session->ring.cpus[i].ended ? -1 : session->ring.cpus[i].fd,
			.events = POLLIN,
		};
	tring_screen_polls(&session->screen, session->fds + count);
	session->fds[count + TRING_SCREEN_POLLS] = (struct pollfd) {
		.fd = session->recording.signal_fd, .events = POLLIN,
	};
	if (until > now) {
		wait.tv_sec = (until - now) / 1000000000;
		wait.tv_nsec = (until - now) % 1000000000;
	}
	if (ppoll(session->fds, count + TRING_SCREEN_POLLS + 1, &wait, NULL) < 0)
		for (i = 0; i < count + TRING_SCREEN_POLLS + 1; i++)
			session->fds[i].revents = 0;
}

/* Return: 0 or a negative errno, reported on stderr. */
static int read_full(struct session *session)
{
	int error = 0;
	size_t i;

	for (i = 0; i < session->trace.count && !error; i++)
		if (session->fds[i].revents & POLLIN)
			error = tring_live_ring_read(&session->ring, i, false);
	return error;
}

/* Return: whether the interval is to be shown. */
static bool is_due(const struct session *session, uint64_t now)
{
	return session->walk.top.begun && now >= session->show_ns;
}

static int run(struct session *session)
{
	const struct tring_top_live *live = session->live;
	int error = 0;

	while (!error && !session->stopped && !session->screen.done &&
	       (!live->count || session->shown < live->count)) {
		uint64_t now = tring_now_ns();
		bool due = is_due(session, now);

		if (due || now >= session->round_ns) {
			error = take_round(session);
			session->round_ns = tring_now_ns() + ROUND_NS;
		}
		if (!error && due) {
			show(session);
			session->show_ns += live->interval;
			if (session->show_ns < now)
				session->show_ns = now + live->interval;
			continue;
		}
		if (error)
			break;
		wait_for_work(session, session->walk.top.begun &&
			      session->show_ns < session->round_ns ? session->show_ns :
								     session->round_ns);
		take_signals(session);
		tring_screen_serve(&session->screen, session->fds + session->trace.count);
		error = read_full(session);
	}
	return error;
}

/* The tables that the user has named; or those of tasks, and what -e suffices for. */
static void choose(struct session *session, bool more)
{
	const struct tring_top *top = &session->walk.top;
	size_t i;

	session->choice = session->live->choice;
	for (i = 0; i < TRING_TOP_TABLES && more; i++) {
		const struct tring_table *table = tring_top_tables[i];

		if (table == &tring_table_events || (table->lacks && !table->lacks(top)))
			tring_top_choose(&session->choice, table);
	}
}

static void find_left_out(struct session *session)
{
	struct tring_trace_info *info = &session->trace.info;
	char *text = tring_origin_left_out(&session->recording.control,
					   &session->live->recording.rules);

	snprintf(info->origins[TRING_ORIGIN_LEFT_OUT], TRING_ORIGIN_SIZE, "%s", text);
	free(text);
}

static int prepare(struct session *session)
{
	const struct tring_top_live *live = session->live;
	struct tring_recording *recording = &session->recording;
	struct tring_trace *report = &session->trace;
	struct tring_top_walk *walk = &session->walk;
	int error = tring_recording_prepare_ring(recording, &live->recording);

	if (!error)
		error = tring_settings_change(&recording->settings, "buffer_percent", WAKE_PERCENT);
	if (!error)
		error = tring_control_info(&recording->control, &report->info, NULL);
	if (!error)
		error = tring_trace_init(report, recording->control.cpu_count);
	if (!error)
		error = tring_live_events_load(report, recording);
	if (!error)
		error = tring_live_ring_open(&session->ring, &recording->control, report);
	if (!error)
		error = tring_trace_choose(report, live->wanted);
	if (error)
		return error;
	find_left_out(session);
	report->every = true;
	report->quiet = true;
	report->more = true;
	walk->top.trace = report;
	walk->top.sort = live->sort;
	walk->top.histograms = live->histograms;
	walk->top.brief = !live->histograms;
	tring_top_walk_init(walk);
	/* nothing counts before the first marker */
	walk->top.first = UINT64_MAX;
	walk->marker_event = tring_event_find(report, "ftrace", MARKER_EVENT);
	if (walk->marker_event)
		walk->marker = session->marker;
	tring_trace_merge(report);
	session->fds = tring_allocate((report->count + TRING_SCREEN_POLLS + 1) *
				      sizeof(*session->fds));
	return tring_settings_change(&recording->settings, "tracing_on", "1");
}

/* Return: 0 or a negative errno, reported on stderr. */
static int end(struct session *session)
{
	int error = 0, failed;
	size_t i;

	if (session->walk.top.cpus) {
		tring_top_walk_tell(&session->walk);
		tring_top_walk_free(&session->walk);
	}
	for (i = 0; i < session->trace.count; i++)
		session->trace.problems += session->trace.cpus[i].stream.errors;
	if (session->recording.control.cpu_count)
		error = tring_settings_change(&session->recording.settings, "tracing_on", "0");
	/* the instance cannot be removed while its files are open */
	tring_live_ring_close(&session->ring);
	failed = tring_recording_end(&session->recording);
	free(session->fds);
	return failed ? failed : error;
}

static int record(struct tring_top_live *live, bool more)
{
	char *marker = tring_format(MARKER "%d ", getpid());
	struct session session = { .live = live, .marker = marker };
	int error = prepare(&session);

	if (!error) {
		choose(&session, more);
		tring_screen_begin(&session.screen, session.recording.signal_fd);
		error = run(&session);
		session.trace.problems += session.screen.failed;
		tring_screen_end(&session.screen);
	}
	session.trace.problems += !!error;
	session.trace.problems += !!end(&session);
	free(marker);
	return tring_trace_end(&session.trace, false);
}

/**
 * tring_top_live - print tables of what the machine does now, until the user ends it
 * @live: what the user asked for
 *
 * Return: TRING_EXIT_OK, _BAD or _USAGE.
 */
int tring_top_live(struct tring_top_live *live)
{
	bool more = live->recording.events && !live->choice.count;
	char *instance = tring_live_instance();
	int status = TRING_EXIT_BAD;

	if (instance) {
		status = tring_live_events_choose(&live->choice, &live->recording);
		if (!status)
			status = tring_request_check(&live->recording);
		live->recording.instance = instance;
		if (!status)
			status = record(live, more);
	}
	free(instance);
	return status;
}
