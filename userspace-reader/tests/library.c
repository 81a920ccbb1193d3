// SPDX-License-Identifier: GPL-2.0
/* Description: the library gives what report prints, by its public header alone. */
#include <errno.h>
#include <pthread.h>
#include <tring.h>
#include <unistd.h>

#include "helpers.h"

#define TRACE	"$TRING_TESTS/golden/trace-0.1"
#define EVENTS	44
#define PID_MOST	32768

static char *trace_path;

struct count {
	uint64_t events;
	uint64_t lost;
	uint64_t first;
	uint64_t last;
	uint64_t place;
	unsigned int messages;
};

static void count_message(void *data, enum tring_level level, const char *text)
{
	struct count *count = data;

	CHECK(level == TRING_PROBLEM || level == TRING_REMARK);
	CHECK(*text && !strchr(text, '\n'));
	count->messages++;
}

static struct tring_trace *open_golden(struct count *count)
{
	struct tring_options options = {
		.size = sizeof(options), .message = count_message, .data = count,
	};
	struct tring_trace *trace;

	*count = (struct count) { .first = UINT64_MAX };
	CHECK_EQ(tring_open(&trace, trace_path, &options), 0);
	return trace;
}

static void read_all(struct tring_trace *trace, struct count *count)
{
	struct tring_item item;

	while (tring_next(trace, &item) > 0) {
		if (item.kind == TRING_ITEM_LOSS) {
			count->lost += item.events;
			continue;
		}
		CHECK(item.event && !item.wrong && item.trace == trace);
		CHECK(item.record->stamp >= count->last);
		CHECK_EQ(item.cpu, tring_cpu_at(trace, item.cpu_at));
		count->last = item.record->stamp;
		count->place = tring_place(&item);
		if (!count->events++)
			count->first = item.record->stamp;
	}
	CHECK_EQ(tring_next(trace, &item), 0);
}

static void check_all(void)
{
	struct tring_trace *trace;
	struct count count;
	int64_t ns;
	char *text;

	trace = open_golden(&count);
	read_all(trace, &count);
	CHECK_EQ(count.events, EVENTS);
	CHECK_EQ(tring_check(trace), 0);
	CHECK_EQ(tring_problems(trace), 0);
	CHECK_EQ(count.messages, 0);
	CHECK_EQ(tring_cpu_count(trace), 2);
	CHECK(tring_epoch_ns(trace, count.first, &ns) && ns > 0);
	CHECK(!strcmp(tring_env(trace, "clock"), "mono") && !tring_env(trace, "nonsense"));
	CHECK(*tring_env(trace, "kernel_release"));
	text = tring_info(trace);
	CHECK(text && strstr(text, "\nclock=mono\n"));
	free(text);
	CHECK(tring_tep(trace));
	tring_close(trace);
	tring_close(NULL);
}

/* Selected and sought, one and the same trace gives the same events each time. */
static void check_selected(void)
{
	struct tring_wanted wanted = { .size = sizeof(wanted), .events = "sched_switch" };
	const char * const filters[] = { "sched_switch: next_pid == 0" };
	struct count count, again = { 0 };
	struct tring_trace *trace;

	trace = open_golden(&count);
	read_all(trace, &count);
	CHECK_EQ(tring_seek(trace, count.first), 0);
	read_all(trace, &again);
	CHECK_EQ(again.events, EVENTS);
	again = (struct count) { 0 };
	CHECK_EQ(tring_seek(trace, count.last), 0);
	read_all(trace, &again);
	CHECK(again.events && again.first == count.last);
	CHECK_EQ(again.place, count.place);

	again = (struct count) { 0 };
	CHECK_EQ(tring_select(trace, &wanted), 0);
	read_all(trace, &again);
	check_run(0, make_path("%" PRIu64 "\n", again.events),
		  "$TRING report -e sched_switch " TRACE " | grep -c ': '");
	wanted.filters = filters;
	wanted.filter_count = 1;
	again = (struct count) { 0 };
	CHECK_EQ(tring_select(trace, &wanted), 0);
	read_all(trace, &again);
	check_run(0, make_path("%" PRIu64 "\n", again.events),
		  "$TRING report -F 'sched_switch: next_pid == 0' " TRACE " | grep -c ': '");
	wanted = (struct tring_wanted) { .size = sizeof(wanted) };
	again = (struct count) { 0 };
	CHECK_EQ(tring_select(trace, &wanted), 0);
	read_all(trace, &again);
	CHECK_EQ(again.events, EVENTS);
	tring_close(trace);
}

static unsigned int count_names(struct tring_trace *trace, const struct tring_wanted *wanted)
{
	struct count count = { 0 };
	unsigned int names = 0;
	int32_t pid;

	CHECK_EQ(tring_select(trace, wanted), 0);
	read_all(trace, &count);
	CHECK_EQ(count.events, EVENTS);
	for (pid = 0; pid < PID_MOST; pid++)
		names += !!strcmp(tring_comm(trace, pid), "<...>");
	return names;
}

/* Without need, names that events tell are not taken; with the names of tasks chosen there is. */
static void check_nameless(void)
{
	struct tring_wanted wanted = { .size = sizeof(wanted), .nameless = true };
	struct tring_trace *trace;
	struct count count;
	unsigned int names;

	trace = open_golden(&count);
	names = count_names(trace, &wanted);
	wanted.comms = "*";
	CHECK(count_names(trace, &wanted) > names);
	tring_close(trace);
}

/* An error is a value with a text; nothing is printed. */
static void check_errors(void)
{
	struct tring_wanted wanted = { .size = sizeof(wanted), .events = "nonsense" };
	struct tring_trace *trace;
	struct count count;
	char *quiet = make_path("%s/stderr", temp_dir());
	int before = dup(2);

	CHECK(before >= 0 && freopen(quiet, "w", stderr));
	CHECK_EQ(tring_open(&trace, "/nonexistent/trace", NULL), -ENOENT);
	CHECK_EQ(tring_status(trace), -ENOENT);
	CHECK(strstr(tring_status_text(trace), "/nonexistent/trace"));
	tring_close(trace);
	trace = open_golden(&count);
	CHECK_EQ(tring_select(trace, &wanted), -EINVAL);
	CHECK(strstr(tring_status_text(trace), "nonsense"));
	CHECK_EQ(count.messages, 1);
	wanted.events = NULL;
	wanted.cpus = "7";
	CHECK_EQ(tring_select(trace, &wanted), -EINVAL);
	CHECK(strstr(tring_status_text(trace), "--cpu 7"));
	/* a time that is none */
	wanted.cpus = NULL;
	wanted.from = "soon";
	CHECK_EQ(tring_select(trace, &wanted), -EINVAL);
	CHECK(strstr(tring_status_text(trace), "--from: \"soon\""));
	tring_close(trace);
	fflush(stderr);
	CHECK(dup2(before, 2) >= 0);
	check_run(0, "", "cat %s", quiet);
}

static void *read_in_thread(void *unused)
{
	unsigned int i;

	(void)unused;
	for (i = 0; i < 20; i++) {
		struct tring_trace *trace;
		struct count count;

		trace = open_golden(&count);
		read_all(trace, &count);
		CHECK_EQ(count.events, EVENTS);
		tring_close(trace);
	}
	return NULL;
}

static void check_threads(void)
{
	pthread_t threads[2];
	size_t i;

	for (i = 0; i < COUNT(threads); i++)
		CHECK(!pthread_create(&threads[i], NULL, read_in_thread, NULL));
	for (i = 0; i < COUNT(threads); i++)
		CHECK(!pthread_join(threads[i], NULL));
}

#define EXAMPLES	"$(dirname $TRING)/examples/"

static void check_examples(void)
{
	check_run(0, "29\n", EXAMPLES "fields_csv " TRACE " sched:sched_switch | wc -l");
	check_run(0, "ns,cpu,pid,prev_comm,prev_pid,prev_prio,prev_state,next_comm,",
		  EXAMPLES "fields_csv " TRACE " sched:sched_switch | head -n 1");
	check_run(1, "the trace has no such event",
		  EXAMPLES "fields_csv " TRACE " sched:nonsense 2>&1");
	check_run(0, " waited ", EXAMPLES "longest_wait " TRACE);
	check_run(0, "sched_switch", EXAMPLES "event_rates " TRACE);
	check_run(1, "/nonexistent", EXAMPLES "event_rates /nonexistent 2>&1");
}

#define COMPILE	"${CC:-cc} -Wextra -Wpedantic -Werror -fsyntax-only"

static void check_header(void)
{
	static const char * const languages[] = { "c -std=c99", "c -std=c11", "c -std=c17",
						  "c++ -std=c++11" };
	size_t i;

	for (i = 0; i < COUNT(languages); i++)
		if (i < 3 || have("g++"))
			check_run(0, "", COMPILE " -x %s $TRING_TESTS/../include/tring.h",
				  languages[i]);
}

int main(void)
{
	trace_path = make_path("%s/golden/trace-0.1", test_env("TRING_TESTS"));
	check_all();
	check_selected();
	check_nameless();
	check_errors();
	check_threads();
	check_examples();
	check_header();
	return 0;
}
