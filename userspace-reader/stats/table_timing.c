// SPDX-License-Identifier: GPL-2.0
/* What tables of durations have in common: the columns, a sum, and histograms. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "table_timing.h"
#include "util/text.h"
#include "util/util.h"

/**
 * tring_timing_row - make a row
 * @number: value of the first column
 * @timing: its durations, which have to live as long as the rows
 * @more: value of the column behind those of the durations, if there is one
 *
 * Return: the row, without a text.
 */
struct tring_row tring_timing_row(uint64_t number, const struct tring_timing *timing,
				  uint64_t more)
{
	bool some = timing->count;

	return (struct tring_row) { .values = {
		[TRING_TIMING_NUMBER] = number,
		[TRING_TIMING_COUNT] = timing->count,
		[TRING_TIMING_TOTAL] = timing->total,
		[TRING_TIMING_MEAN] = some ? timing->total / timing->count : TRING_NO_VALUE,
		[TRING_TIMING_MOST] = some ? timing->most : TRING_NO_VALUE,
		[TRING_TIMING_AT] = some ? timing->most_at : TRING_NO_VALUE,
		[TRING_TIMING_UNKNOWN] = timing->unknown,
		[TRING_TIMING_COLUMNS] = more,
	}, .of = timing };
}

static void show_histogram(const struct tring_rows *rows, const struct tring_row *row)
{
	const struct tring_timing *timing = row->of;
	char *text;

	if (!timing->count)
		return;
	text = tring_text_escaped(row->text);
	/* a number, as of a task, is what the row is of; another first column is not */
	if (!rows->columns[TRING_TIMING_NUMBER].ascending ||
	    row->values[TRING_TIMING_NUMBER] == TRING_NO_VALUE)
		fprintf(rows->out, "\n%s:\n", text);
	else
		fprintf(rows->out, "\n%s %" PRIu64 "%s%s:\n",
			rows->columns[TRING_TIMING_NUMBER].name,
			row->values[TRING_TIMING_NUMBER], *text ? " " : "", text);
	free(text);
	tring_timing_show(timing, rows->out);
}

/**
 * tring_timing_show_rows - print rows whose @of are durations, their sum, and histograms
 * @top: all tables
 * @rows: the table's rows
 * @sum: all rows together, without a text
 */
void tring_timing_show_rows(const struct tring_top *top, struct tring_rows *rows,
			    const struct tring_row *sum)
{
	struct tring_row all = *sum;
	char name[] = "all";
	size_t i;

	all.text = name;
	tring_rows_show(rows);
	if (top->json)
		return;
	if (rows->all > 1)
		tring_rows_line(rows, &all);
	if (top->brief)
		return;
	if (!top->histograms) {
		show_histogram(rows, &all);
		return;
	}
	for (i = 0; i < rows->count; i++)
		show_histogram(rows, &rows->list[i]);
}

/**
 * tring_timing_spans - print a table of spans
 * @top: all tables
 * @table: the table, with @spans
 */
void tring_timing_spans(struct tring_top *top, const struct tring_table *table)
{
	const struct tring_spans *spans = (void *)((char *)top + table->spans);
	struct tring_timing all = { 0 };
	struct tring_rows rows;
	struct tring_row sum;
	uint64_t failed = 0;
	size_t i;

	tring_table_rows(top, table, &rows);
	for (i = 0; i < spans->count; i++) {
		const struct tring_span *span = spans->list[i];
		bool vector = span->number > INT32_MAX || span->number < 0;
		struct tring_row row;

		/* none of it in the time that the user has asked for */
		if ((!span->timing.count && !span->timing.unknown) ||
		    (spans == &top->calls && !span->wanted))
			continue;
		row = tring_timing_row(vector ? TRING_NO_VALUE : (uint64_t)span->number,
				       &span->timing, span->failed);
		row.text = tring_format("%s", span->name ? span->name : "");
		tring_rows_add(&rows, &row);
		tring_timing_merge(&all, &span->timing);
		failed += span->failed;
	}
	sum = tring_timing_row(TRING_NO_VALUE, &all, failed);
	tring_timing_show_rows(top, &rows, &sum);
	tring_timing_free(&all);
	tring_rows_free(&rows);
}
