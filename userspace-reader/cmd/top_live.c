// SPDX-License-Identifier: GPL-2.0
/*
 * Prints tables of what the machine does now, again and again.
 *
 * An instance of its own records the events, and nothing is written to the disk. Five times
 * a second libtring takes what has come, so each interval ends at a time of the trace's own
 * clock, up to which all events are known.
 *
 * At the end of an interval what is going on (a task that runs or waits, an interrupt, a
 * system call) is counted up to the marker, and the numbers begin anew behind it.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "live_events.h"
#include "screen.h"
#include "top_live.h"
#include "record/own_ring.h"
#include "show/open.h"
#include "show/top_traces.h"
#include "stats/top_walk.h"
#include "util/util.h"

#define ROUND_NS	200000000
/* Level at which a ring is read before that. */
#define WAKE_PERCENT	"25"

/* Lines of a table without its rows, with those before and behind it. */
#define TABLE_LINES	5

/* What poll() waits for behind the screen's. */
enum { RING = TRING_SCREEN_POLLS, SIGNALS, POLLS };

/**
 * struct session - a run of tring top
 * @live: what the user asked for
 * @choice: the tables that are shown
 * @ring: the ring
 * @opened: the same as a trace
 * @walk: the tables
 * @screen: where the tables go
 * @fds: what poll() waits for: first what the screen does
 * @round_ns: time of the next round
 * @show_ns: time at which the interval ends
 * @shown: number of intervals that were shown
 * @lost: events that were lost in all of them
 * @stopped: a signal has ended it
 */
struct session {
	const struct tring_top_live *live;
	struct tring_top_choice choice;
	struct tring_own_ring *ring;
	struct tring_opened opened;
	struct tring_top_walk walk;
	struct tring_screen screen;
	struct pollfd	fds[POLLS];
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

/* The first interval begins when all that is in the ring already was read. */
static bool has_begun(const struct session *session)
{
	return session->walk.top.first != UINT64_MAX;
}

/* Takes all events up to now. Return: 0 or a negative errno, reported on stderr. */
static int take_round(struct session *session)
{
	struct tring_top_walk *walk = &session->walk;
	int error = tring_follow(session->opened.trace);

	session->fds[RING].revents = 0;
	if (error)
		return error;
	tring_top_walk_more(walk);
	if (!has_begun(session) && walk->limit) {
		begin_interval(session);
		session->show_ns = tring_now_ns() + session->live->interval;
	}
	return 0;
}

static void take_signals(struct session *session)
{
	struct signalfd_siginfo info;

	while (read(session->fds[SIGNALS].fd, &info, sizeof(info)) == sizeof(info))
		session->stopped |= info.ssi_signo != SIGCHLD;
}

/* Waits until there is something to do, or until it is time for a round. */
static void wait_for_work(struct session *session, uint64_t until)
{
	uint64_t now = tring_now_ns();
	struct timespec wait = { 0 };
	size_t i;

	tring_screen_polls(&session->screen, session->fds);
	if (until > now) {
		wait.tv_sec = (until - now) / 1000000000;
		wait.tv_nsec = (until - now) % 1000000000;
	}
	if (ppoll(session->fds, POLLS, &wait, NULL) < 0)
		for (i = 0; i < POLLS; i++)
			session->fds[i].revents = 0;
}

/* Return: whether the interval is to be shown. */
static bool is_due(const struct session *session, uint64_t now)
{
	return has_begun(session) && now >= session->show_ns;
}

static int run(struct session *session)
{
	const struct tring_top_live *live = session->live;
	int error = 0;

	while (!error && !session->stopped && !session->screen.done &&
	       (!live->count || session->shown < live->count)) {
		uint64_t now = tring_now_ns();
		bool due = is_due(session, now);

		if (due || now >= session->round_ns || session->fds[RING].revents) {
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
		wait_for_work(session, has_begun(session) &&
			      session->show_ns < session->round_ns ? session->show_ns :
								     session->round_ns);
		take_signals(session);
		tring_screen_serve(&session->screen, session->fds);
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

		if (table == &tring_table_events || (table->sums && !tring_table_lacks(top, table)))
			tring_top_choose(&session->choice, table);
	}
}

/* All events are wanted, to know what each task does. */
static int open_ring(struct session *session)
{
	struct tring_options options = tring_opened_options;
	struct tring_trace **trace = &session->opened.trace;
	int error;

	options.consume = true;
	options.tasks = true;
	error = tring_open_ring(trace, tring_own_ring_name(session->ring), &options);
	return error ? error : tring_top_select(*trace, session->live->wanted) ? 0 : -EINVAL;
}

static int prepare(struct session *session)
{
	const struct tring_top_live *live = session->live;
	struct tring_top_walk *walk = &session->walk;
	int error = tring_own_ring_make(&session->ring, TRING_OWN_TOP, 0,
					&live->recording, WAKE_PERCENT);
	char *left_out;

	if (!error)
		error = open_ring(session);
	if (error)
		return error;
	left_out = tring_own_ring_left_out(session->ring);
	walk->left_out = left_out;
	walk->top.trace = session->opened.trace;
	walk->top.sort = live->sort;
	walk->top.histograms = live->histograms;
	walk->top.brief = !live->histograms;
	walk->top.measures = true;
	tring_top_walk_init(walk);
	free(left_out);
	/* nothing counts before the first round */
	walk->top.first = UINT64_MAX;
	session->fds[RING] = (struct pollfd) {
		.fd = tring_ring_fd(session->opened.trace), .events = POLLIN,
	};
	session->fds[SIGNALS] = (struct pollfd) {
		.fd = tring_own_ring_signals(session->ring), .events = POLLIN,
	};
	return tring_own_ring_record(session->ring, true);
}

/* What is wrong with packets is counted at the end. */
static void end_trace(struct session *session)
{
	struct tring_trace *trace = session->opened.trace;
	struct tring_item item;

	if (!session->walk.top.cpus)
		return;
	tring_top_walk_tell(&session->walk);
	tring_top_walk_free(&session->walk);
	tring_follow_end(trace);
	while (tring_next(trace, &item) > 0)
		;
}

static int record(struct tring_top_live *live, bool more)
{
	struct session session = { .live = live };
	int error = prepare(&session), status;

	if (!error) {
		choose(&session, more);
		tring_screen_begin(&session.screen, session.fds[SIGNALS].fd);
		error = run(&session);
		session.opened.failed |= session.screen.failed;
		tring_screen_end(&session.screen);
	}
	end_trace(&session);
	error |= tring_own_ring_record(session.ring, false);
	session.opened.failed |= error != 0;
	/* the instance cannot be removed while its files are open */
	status = tring_opened_end(&session.opened);
	return tring_own_ring_end(session.ring) ? TRING_EXIT_BAD : status;
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
	int status = tring_live_events_choose(&live->choice, &live->recording);

	if (!status)
		status = tring_request_check(&live->recording);
	return status ? status : record(live, more);
}
