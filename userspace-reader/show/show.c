// SPDX-License-Identifier: GPL-2.0
/*
 * Writes the events and losses of traces, ordered by time. The times that are shown are those
 * of the first trace's clock.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "open.h"
#include "show.h"
#include "util/text.h"
#include "util/util.h"

#define OUTPUT_BUFFER	(256 * 1024)
#define ROUND_NS	200000000

/* Of a terminal: none of those that lines have elsewhere. */
static const int colours[] = { 33, 32, 35, 34 };

#define COLOURS		(sizeof(colours) / sizeof(colours[0]))

/**
 * tring_show_name - let each line tell its trace, and its time on the common time line
 * @show: the traces, joined, with their names and styles
 */
void tring_show_name(struct tring_show *show)
{
	struct tring_wall zero;
	int width = 0;
	size_t i;

	for (i = 0; i < show->count; i++) {
		char *name = tring_text_escaped(show->traces[i].name);

		if ((int)strlen(name) > width)
			width = strlen(name);
		free(name);
	}
	tring_wall(show->traces[0].trace, 0, &zero);
	for (i = 0; i < show->count; i++) {
		struct tring_style *style = &show->traces[i].style;
		char *name = tring_text_escaped(show->traces[i].name);

		style->aligned = true;
		style->zero = zero;
		if (style->colour)
			style->label = tring_format("\033[%dm%*s:" TRING_COLOUR_END " ",
						    colours[i % COLOURS], width, name);
		else
			style->label = tring_format("%*s: ", width, name);
		free(name);
	}
}

/**
 * tring_show_loss - print what is missing at a place
 * @label: begin of each line
 * @cpu: number of the CPU
 * @events: number of events lost there
 * @packets: number of packets missing there
 * @end: end of each line
 */
void tring_show_loss(const char *label, int cpu, uint64_t events, uint64_t packets,
		     const char *end)
{
	if (events)
		printf("%sCPU:%d [LOST %" PRIu64 " EVENTS]%s\n", label, cpu, events, end);
	/* packets missing from a file have no event count, unlike overwritten ones */
	if (packets)
		printf("%sCPU:%d [%" PRIu64 " PACKETS MISSING]%s\n", label, cpu, packets,
		       end);
}

static void write_loss(const struct tring_shown *shown, const struct tring_item *item)
{
	const struct tring_style *style = &shown->style;
	char *before = tring_format("%s%s", style->label ? style->label : "",
				    style->colour ? TRING_COLOUR_LOSS : "");

	tring_show_loss(before, item->cpu, item->events, item->packets,
			style->colour ? TRING_COLOUR_END : "");
	free(before);
}

static void write_line(struct tring_show *show, struct tring_shown *shown)
{
	const struct tring_item *item = &show->item;
	const char *wrong;

	if (item->kind == TRING_ITEM_LOSS) {
		write_loss(shown, item);
		return;
	}
	wrong = tring_printer_print(&shown->printer, stdout, item);
	if (wrong && !item->wrong)
		tring_complain(item, wrong);
}

static void begin(struct tring_show *show)
{
	size_t i;

	setvbuf(stdout, NULL, _IOFBF, OUTPUT_BUFFER);
	if (!show->write)
		show->write = write_line;
	for (i = 0; i < show->count; i++) {
		struct tring_shown *shown = &show->traces[i];

		tring_printer_init(&shown->printer, shown->trace);
		shown->printer.style = shown->style;
		shown->printer.before = &show->before;
	}
}

static void end(struct tring_show *show)
{
	size_t i;

	for (i = 0; i < show->count; i++)
		tring_printer_free(&show->traces[i].printer);
}

static void write_item(struct tring_show *show, struct tring_shown *shown)
{
	if (show->item.kind == TRING_ITEM_LOSS)
		show->lost += show->item.events;
	else
		show->given++;
	show->write(show, shown);
	show->failed = ferror_unlocked(stdout);
}

static struct tring_shown *find_trace(const struct tring_show *show,
				      const struct tring_trace *trace)
{
	struct tring_shown *shown = show->traces;

	while (shown->trace != trace)
		shown++;
	return shown;
}

/* Writes all that there is. Return: as tring_next(). */
static int write_items(struct tring_show *show)
{
	int found = 1;

	while (!show->failed && (found = tring_next(show->traces[0].trace, &show->item)) > 0)
		write_item(show, find_trace(show, show->item.trace));
	return found;
}

/**
 * tring_show_all - write the events and losses of all traces
 * @show: the traces
 */
void tring_show_all(struct tring_show *show)
{
	begin(show);
	write_items(show);
	end(show);
}

static atomic_bool stopped;

static void handle_signal(int number)
{
	(void)number;
	stopped = true;
}

/* Return: true if more may come. */
static bool write_round(struct tring_show *show)
{
	int found = write_items(show);

	show->failed |= fflush(stdout);
	return found && !show->failed;
}

/**
 * tring_show_follow - write a trace, and what comes, until the recording ends
 * @show: one trace
 *
 * SIGINT and SIGTERM end it, too: what is in the files is written first.
 */
void tring_show_follow(struct tring_show *show)
{
	static const struct timespec pause = { .tv_nsec = ROUND_NS };
	const struct sigaction action = { .sa_handler = handle_signal };
	struct tring_trace *trace = show->traces[0].trace;

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	/* the symbols of a trace that is recorded are those of the running kernel */
	tring_follow(trace);
	begin(show);
	while (write_round(show)) {
		if (!stopped)
			nanosleep(&pause, NULL);
		if (stopped)
			tring_follow_end(trace);
		else
			tring_follow(trace);
	}
	end(show);
}

/**
 * tring_show_free - free what tring_show_name() has allocated, and the traces' places
 * @show: the traces
 */
void tring_show_free(struct tring_show *show)
{
	size_t i;

	for (i = 0; i < show->count; i++)
		free((char *)show->traces[i].style.label);
	free(show->traces);
}
