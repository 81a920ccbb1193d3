// SPDX-License-Identifier: GPL-2.0
/* Output of a recording: a line while it runs, a table at its end. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recording.h"
#include "watch.h"
#include "util/text.h"
#include "util/util.h"

#define LIVE_NS		500000000ull
#define PLAIN_NS	10000000000ull

static uint64_t count_lost(struct tring_recording *recording)
{
	const struct tring_control *control = &recording->control;
	struct tring_stats now;
	uint64_t lost = 0;
	size_t i;

	for (i = 0; i < control->cpu_count; i++) {
		if (tring_control_stats(control, control->cpus[i], &now))
			break;
		tring_stats_subtract(&now, &recording->cpus[i].start);
		lost += recording->cpus[i].told + tring_stats_missing(&now);
	}
	return lost;
}

/**
 * tring_recording_show_step - say on a terminal what may take a while
 * @step: what it is; NULL when it is over
 */
void tring_recording_show_step(const char *step)
{
	if (tring_verbosity < TRING_NORMAL || !isatty(STDERR_FILENO))
		return;
	fprintf(stderr, "\r\033[K%s%s", step ? step : "", step ? " ..." : "");
	fflush(stderr);
}

/**
 * tring_recording_show_live - print the progress
 * @recording: recording that was started
 * @now: print for the last time; otherwise only after an interval
 *
 * On a terminal this is one line that changes twice a second; otherwise a line
 * every ten seconds.
 */
void tring_recording_show_live(struct tring_recording *recording, bool now)
{
	static uint64_t shown_ns, shown_events;
	bool terminal = isatty(STDERR_FILENO);
	uint64_t at = tring_now_ns(), events = 0, bytes = 0;
	double seconds;
	size_t i;

	/* a ring that rests has not been read */
	if (tring_verbosity < TRING_NORMAL || (recording->options->rests && !now))
		return;
	if (!shown_ns)
		shown_ns = recording->start_ns;
	if (!now && at - shown_ns < (terminal ? LIVE_NS : PLAIN_NS))
		return;
	if (now && !terminal)
		return;
	/* the numbers of some threads begin anew */
	if (recording->parts.next)
		return;
	for (i = 0; i < recording->control.cpu_count; i++) {
		events += atomic_load(&recording->threads[i].progress.events);
		bytes += atomic_load(&recording->threads[i].progress.bytes);
		events += recording->cpus[i].earlier_events;
		bytes += recording->cpus[i].earlier_bytes;
	}
	seconds = (at - shown_ns) / 1e9;
	fprintf(stderr, "%s%.1f s: %.0f events/s, %.1f MB, %" PRIu64 " lost%s",
		terminal ? "\r\033[K" : "tring: ",
		(at - recording->start_ns) / 1e9,
		seconds > 0 ? (events - shown_events) / seconds : 0.0,
		bytes / 1e6, count_lost(recording),
		terminal && !now ? "" : "\n");
	fflush(stderr);
	shown_ns = at;
	shown_events = events;
}

static void show_row(const char *name, uint64_t events, uint64_t bytes,
		     uint64_t lost, const char *losses)
{
	if (tring_verbosity < TRING_NORMAL)
		return;
	printf("%5s %12" PRIu64 " %14" PRIu64 " ", name, events, bytes);
	if (events)
		printf("%12.1f", (double)bytes / events);
	else
		printf("%12s", "-");
	printf(" %12" PRIu64, lost);
	if (*losses)
		printf("  (%s)", losses);
	putchar('\n');
}

/**
 * tring_recording_check_cpu - check that a CPU's counters balance
 * @cpu: the counters
 * @drain: what was written to the file
 *
 * Return: number of errors, reported on stderr.
 */
int tring_recording_check_cpu(const struct tring_recording_cpu *cpu,
			      const struct tring_drain *drain)
{
	uint64_t read = tring_stats_value(&cpu->end, "read");
	uint64_t recorded = tring_stats_recorded(&cpu->end);
	int bad = 0;
	size_t line;

	for (line = 0; line < TRING_LEDGER_LINES; line++) {
		char *wrong = tring_ledger_check(&cpu->end, line);

		if (!wrong)
			continue;
		tring_error("cpu%d does not balance: %s", drain->cpu,
			    wrong);
		free(wrong);
		bad++;
	}
	if (drain->failed) {
		tring_error("cpu%d: %" PRIu64 " of %" PRIu64
			    " recorded events are not in the trace, which could not be written",
			    drain->cpu, recorded - drain->events, recorded);
		bad++;
	} else if (read != drain->events) {
		tring_error("cpu%d does not balance: the ring gave %" PRIu64
			    " events, the trace has %" PRIu64, drain->cpu,
			    read, drain->events);
		bad++;
	}
	if (drain->wrong) {
		tring_error("cpu%d: %" PRIu64 " pieces of bad input",
			    drain->cpu, drain->wrong);
		bad++;
	}
	if (tring_stats_value(&cpu->end, "unanswered")) {
		tring_error("cpu%d hangs with interrupts off: its last %" PRIu64
			    " events are not in the trace, but in its ring, where tring peek shows them",
			    drain->cpu, tring_stats_value(&cpu->end, "remaining"));
		bad++;
	}
	return bad;
}

static void show_compression(const struct tring_recording *recording)
{
	uint64_t bytes = 0, stored = 0;
	size_t i;

	for (i = 0; i < recording->control.cpu_count; i++) {
		const struct tring_recording_cpu *cpu = &recording->cpus[i];
		const struct tring_drain *drain = &recording->threads[i].drain;

		bytes += cpu->earlier_bytes + drain->bytes;
		stored += cpu->earlier_stored + tring_stream_file_stored(&drain->file);
	}
	if (stored)
		printf("compressed to %" PRIu64 " bytes, a ratio of %.1f\n", stored,
		       (double)bytes / stored);
}

/* The ring counts what its events lack, by event. */
static void show_unread(const struct tring_recording *recording)
{
	static const char key[] = "unread_strings=";
	char *text = tring_control_read(&recording->control, "trace_info"), *rest = text, *line;
	const char *between = "strings that could not be read:";

	while ((line = strsep(&rest, "\n")))
		if (!strncmp(line, key, strlen(key))) {
			printf("%s %s", between, line + strlen(key));
			between = ",";
		}
	if (*between == ',')
		putchar('\n');
	free(text);
}

static void show_end(const struct tring_recording *recording, uint64_t discarded_records,
		     int bad)
{
	if (discarded_records)
		printf("%" PRIu64 " records were discarded by their writers\n",
		       discarded_records);
	if (!bad)
		printf("balance: every accepted event was read or is counted above\n");
	show_unread(recording);
	if (recording->options->compress)
		show_compression(recording);
	if (recording->stop_ns)
		printf("%.3f s, ", (recording->stop_ns - recording->start_ns) / 1e9);
	if (recording->parts.number > 1)
		printf("%" PRIu64 " parts, %zu of them kept, ", recording->parts.number,
		       recording->parts.count + 1);
	fputs("trace in ", stdout);
	tring_text_print(stdout, recording->options->dir);
	putchar('\n');
}

/**
 * tring_recording_show_table - print events, bytes, losses and the balance
 * @recording: recording that was finished
 * @lost: set to the number of lost events
 *
 * Return: number of errors; losses are reported, but are not errors.
 */
int tring_recording_show_table(const struct tring_recording *recording, uint64_t *lost)
{
	uint64_t events = 0, bytes = 0, discarded_records = 0;
	int bad = recording->parts.bad;
	size_t i;

	*lost = 0;
	if (tring_verbosity >= TRING_NORMAL)
		printf("%5s %12s %14s %12s %12s\n", "CPU", "events", "bytes",
		       "bytes/event", "lost");
	for (i = 0; i < recording->control.cpu_count; i++) {
		const struct tring_recording_cpu *cpu = &recording->cpus[i];
		const struct tring_drain *drain = &recording->threads[i].drain;
		char *name = tring_format("%d", drain->cpu);
		uint64_t cpu_events = cpu->earlier_events + drain->events;
		uint64_t cpu_bytes = cpu->earlier_bytes + drain->bytes, cpu_lost;
		struct tring_stats end = cpu->end;
		char *losses;

		tring_stats_sum(&end, &cpu->earlier);
		losses = tring_stats_losses(&end);
		cpu_lost = tring_stats_missing(&end);
		show_row(name, cpu_events, cpu_bytes, cpu_lost, losses);
		events += cpu_events;
		bytes += cpu_bytes;
		*lost += cpu_lost;
		discarded_records += drain->discarded_records;
		free(losses);
		free(name);
	}
	show_row("all", events, bytes, *lost, "");
	for (i = 0; i < recording->control.cpu_count; i++)
		bad += tring_recording_check_cpu(&recording->cpus[i], &recording->threads[i].drain);
	if (tring_verbosity >= TRING_NORMAL)
		show_end(recording, discarded_records, bad);
	if (!events)
		tring_error("no event was recorded");
	return bad;
}

/**
 * tring_recording_show_summary - print the table, and whether events were lost
 * @recording: recording that was finished
 *
 * Return: number of errors; losses are reported, but are not errors.
 */
int tring_recording_show_summary(const struct tring_recording *recording)
{
	uint64_t lost;
	int bad = tring_recording_show_table(recording, &lost);

	/* such a ring keeps the newest, and overwrites what is old */
	if (lost && !recording->options->rests)
		tring_error("%" PRIu64 " EVENTS WERE LOST%s", lost,
			    tring_verbosity < TRING_NORMAL ? "" :
			    ", see the table for where and why");
	return bad;
}

/**
 * tring_recording_tell_watch - let what has ended a recording tell it
 * @recording: recording that was finished
 */
void tring_recording_tell_watch(const struct tring_recording *recording)
{
	const struct tring_watch *watch = recording->options->watch;
	bool kept = recording->options->rests;
	struct tring_reach reach = { 0 };
	size_t i;

	for (i = 0; i < recording->control.cpu_count; i++) {
		const struct tring_drain *drain = &recording->threads[i].drain;
		const struct tring_stats *end = &recording->cpus[i].end;
		uint64_t overwritten = tring_stats_value(end, "overwritten") +
				       tring_stats_value(end, "snapshot"), from = 0;

		reach.overwritten += overwritten;
		reach.refused += tring_stats_missing(end) - overwritten;
		if (overwritten)
			from = drain->has_last ? drain->first : UINT64_MAX;
		if (from > reach.from)
			reach.from = from;
		kept = kept && !drain->failed;
	}
	watch->calls->tell(watch, kept ? &reach : NULL);
}
