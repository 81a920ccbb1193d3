// SPDX-License-Identifier: GPL-2.0
/*
 * What has changed between two traces: a value of each row of a table, in the first and in the
 * second one, and how much it differs between the halves of the first one. A change that is not
 * larger than that tells nothing.
 *
 * Pids are those of one boot, so rows are the same if their texts are. What is counted or added up
 * is compared by the second, because traces are not equally long.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "open.h"
#include "stats/top_walk.h"
#include "top_traces.h"
#include "util/clock.h"
#include "util/util.h"

enum { FIRST, FIRST_HALF, SECOND_HALF, SECOND, RUNS };

/**
 * struct entry - a row of one of the runs
 * @table: index of its table
 * @run: the run
 * @key: its text, or its number
 * @value: the value, in ns or as it is
 */
struct entry {
	size_t		table;
	unsigned int	run;
	char		*key;
	uint64_t	value;
};

/**
 * struct diff - two traces
 * @traces: what the user asked for
 * @tables: the tables
 * @lacking: a trace has no events for the table
 * @columns: the column of each that is compared
 * @entries: rows of all runs
 * @count: number of @entries
 * @seconds: length of each run
 * @run: the run that is read
 * @table: the table whose rows come
 */
struct diff {
	const struct tring_top_traces *traces;
	struct tring_top_choice tables;
	bool		lacking[TRING_TOP_TABLES];
	const struct tring_column *columns[TRING_TOP_TABLES];
	struct entry	*entries;
	size_t		count;
	double		seconds[RUNS];
	unsigned int	run;
	size_t		table;
};

static bool is_time(const struct tring_column *column)
{
	return column->unit == TRING_UNIT_S || column->unit == TRING_UNIT_MS ||
	       column->unit == TRING_UNIT_US;
}

/* Is it a sum, or a number, that grows with the length of a trace? */
static bool grows(const struct tring_column *column)
{
	return column->unit == TRING_UNIT_COUNT || column->unit == TRING_UNIT_S ||
	       (column->unit == TRING_UNIT_MS && !strncmp(column->name, "total", 5));
}

/* Of several rows with one text: is theirs the sum, not the largest value? */
static bool adds_up(const struct tring_column *column)
{
	return grows(column) || column->unit == TRING_UNIT_THOUSANDTHS;
}

/* Return: a column whose values can be more or less; NULL if there is none. */
static const struct tring_column *find_column(const struct tring_table *table, const char *name)
{
	size_t i;

	for (i = 0; i < table->column_count; i++)
		if (!strcmp(table->columns[i].name, name) && !table->columns[i].ascending &&
		    table->columns[i].unit != TRING_UNIT_SIGNED)
			return &table->columns[i];
	return NULL;
}

static const struct tring_column *choose_column(const struct tring_table *table,
						const char *sort)
{
	const struct tring_column *column = find_column(table, sort ? sort : table->sort);

	if (column)
		return column;
	if (sort)
		tring_error("--sort %s: it is no number that can be compared", sort);
	return sort ? NULL : &table->columns[1];
}

/* Takes the rows of a table. */
static void collect(void *data, const struct tring_rows *rows)
{
	struct diff *diff = data;
	const struct tring_column *column = diff->columns[diff->table];
	const size_t at = column - rows->columns;
	size_t i;

	for (i = 0; i < rows->count; i++) {
		const struct tring_row *row = &rows->list[i];
		struct entry *entry;

		if (row->values[at] == TRING_NO_VALUE)
			continue;
		diff->entries = tring_one_more(diff->entries, diff->count, sizeof(*entry));
		entry = &diff->entries[diff->count++];
		*entry = (struct entry) {
			.table = diff->table, .run = diff->run,
			.key = *row->text ? tring_format("%s", row->text) :
			       tring_format("%s %" PRIu64, rows->columns[0].name, row->values[0]),
			.value = is_time(column) ?
				 tring_clock_ns(row->values[at], rows->frequency) :
				 row->values[at],
		};
	}
}

/* Return: false, reported on stderr, if a trace does not have what a named table needs. */
static bool check_tables(struct diff *diff, const struct tring_top *top)
{
	size_t i;

	if (diff->traces->tables.count)
		return tring_top_has_all(top, &diff->tables);
	for (i = 0; i < diff->tables.count; i++) {
		const struct tring_table *table = diff->tables.tables[i];

		diff->lacking[i] |= !!tring_table_lacks(top, table);
	}
	return true;
}

static void take_tables(struct diff *diff, struct tring_top *top)
{
	size_t i;

	top->collect = collect;
	top->data = diff;
	for (i = 0; i < diff->tables.count; i++) {
		if (diff->lacking[i])
			continue;
		diff->table = i;
		diff->tables.tables[i]->show(top, diff->tables.tables[i]);
		if (diff->run == FIRST || diff->run == SECOND)
			tring_top_advise(top, diff->tables.tables[i]);
	}
}

/* Return: false if the trace cannot be read, or does not have what was asked for. */
static bool read_trace(struct diff *diff, struct tring_trace *trace, char **middle)
{
	struct tring_top_walk walk = { .top = {
		.trace = trace, .brief = true, .json = true, .measures = true,
	} };
	struct tring_top *top = &walk.top;
	bool good;

	tring_top_walk_init(&walk);
	good = check_tables(diff, top);
	if (good) {
		tring_top_walk_run(&walk);
		diff->seconds[diff->run] = (double)(top->end - top->begin) / top->frequency;
		take_tables(diff, top);
		*middle = tring_clock_text(tring_ns(top->trace, top->begin +
						    (top->end - top->begin) / 2));
	}
	tring_top_walk_free(&walk);
	return good;
}

/* Reads one of the traces. @middle: set to its middle, allocated. Return: an exit status */
static int read_whole(struct diff *diff, unsigned int run, char **middle)
{
	struct tring_opened opened = { 0 };

	diff->run = run;
	if (tring_opened_open(&opened, diff->traces->dirs[run == SECOND]))
		opened.failed = !tring_top_select(opened.trace, &diff->traces->wanted) ||
				!read_trace(diff, opened.trace, middle);
	return tring_opened_end(&opened);
}

/* Reads a half of the first trace, of which all that is wrong has been told. */
static void read_half(struct diff *diff, unsigned int run, const char *middle)
{
	struct tring_wanted wanted = diff->traces->wanted;
	struct tring_trace *trace;
	char *unused = NULL;

	diff->run = run;
	if (run == FIRST_HALF)
		wanted.to = middle;
	else
		wanted.from = middle;
	if (!tring_open(&trace, diff->traces->dirs[0], NULL) &&
	    tring_top_select(trace, &wanted))
		read_trace(diff, trace, &unused);
	tring_close(trace);
	free(unused);
}

static int compare_entries(const void *a, const void *b)
{
	const struct entry *one = a, *other = b;

	if (one->table != other->table)
		return one->table < other->table ? -1 : 1;
	return strcmp(one->key, other->key);
}

enum { BEFORE, AFTER, NOISE, CHANGE, IS, COLUMN, DIFFERENCE, BEYOND, COLUMNS };

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* What the rows of one text are in each run. Return: which runs have any, one bit each. */
static unsigned int sum_up(const struct diff *diff, const struct tring_column *column,
			   const struct entry *list, size_t count, uint64_t *runs)
{
	unsigned int seen = 0;
	size_t i;

	memset(runs, 0, RUNS * sizeof(*runs));
	for (i = 0; i < count; i++) {
		uint64_t *value = &runs[list[i].run];

		seen |= 1u << list[i].run;
		if (adds_up(column))
			*value += list[i].value;
		else if (*value < list[i].value)
			*value = list[i].value;
	}
	for (i = 0; i < RUNS && grows(column); i++)
		runs[i] = tring_table_ratio(runs[i], diff->seconds[i],
					    is_time(column) ? 1 : 1000);
	return seen;
}

static const char *judge(const uint64_t *runs, uint64_t difference, uint64_t beyond)
{
	if (!difference)
		return "same";
	if (!beyond)
		return "noise";
	if (!runs[FIRST] || !runs[SECOND])
		return runs[FIRST] ? "gone" : "new";
	return runs[SECOND] > runs[FIRST] ? "more" : "less";
}

/*
 * Adds the row of entries with one key. Of an event that one of the traces has not recorded nothing
 * is known but its value in the other one, and one that neither of them has, though recorded, is no
 * row. If a trace takes no time, as that of one event, nothing is known of it by the second.
 */
static void add_row(const struct diff *diff, struct tring_rows *rows,
		    const struct tring_column *column, const struct entry *list, size_t count)
{
	const bool is_event = diff->tables.tables[list->table] == &tring_table_events;
	const unsigned int both = 1u << FIRST | 1u << SECOND;
	bool known = true, happened = false;
	uint64_t runs[RUNS];
	const unsigned int seen = sum_up(diff, column, list, count, runs);
	const uint64_t difference = distance(runs[FIRST], runs[SECOND]);
	const uint64_t noise = distance(runs[FIRST_HALF], runs[SECOND_HALF]);
	const uint64_t beyond = difference > noise ? difference - noise : 0;
	struct tring_row row = { .values = {
		[BEFORE] = runs[FIRST], [AFTER] = runs[SECOND], [NOISE] = noise,
		[CHANGE] = TRING_NO_VALUE, [DIFFERENCE] = difference, [BEYOND] = beyond,
		[IS] = tring_value_of_text(judge(runs, difference, beyond)),
		[COLUMN] = tring_value_of_text(column->name),
	} };
	size_t i;

	for (i = 0; i < count; i++)
		happened |= list[i].value;
	if (is_event && !happened)
		return;
	for (i = 0; i < RUNS; i++)
		known &= runs[i] != TRING_NO_VALUE;
	/* tenths of a percent */
	if (runs[FIRST] && known)
		row.values[CHANGE] = TRING_SIGNED((int64_t)((double)runs[SECOND] / runs[FIRST] *
							    1000 + 0.5) * 100 - 100000);
	for (i = NOISE; i < COLUMNS && !known; i++)
		row.values[i] = TRING_NO_VALUE;
	for (i = 0; i < COLUMNS && is_event && (seen & both) != both; i++)
		if (i != (seen & 1u << FIRST ? BEFORE : AFTER))
			row.values[i] = TRING_NO_VALUE;
	row.text = tring_format("%s", list->key);
	tring_rows_add(rows, &row);
}

/* @list: the rows of a table in all runs, in the order of their keys */
static void show_table(const struct diff *diff, size_t at, const struct entry *list,
		       size_t count)
{
	const struct tring_table *table = diff->tables.tables[at];
	const struct tring_column *column = diff->columns[at];
	const enum tring_unit unit = grows(column) && !is_time(column) ? TRING_UNIT_THOUSANDTHS :
									  column->unit;
	const struct tring_column columns[COLUMNS] = {
		[BEFORE] = { "before", unit, 13, false },
		[AFTER] = { "after", unit, 13, false },
		[NOISE] = { "noise", unit, 13, false },
		[CHANGE] = { "change-%", TRING_UNIT_CHANGE, 9, false },
		[IS] = { "is", TRING_UNIT_TEXT, 5, true },
		[COLUMN] = { "column", TRING_UNIT_TEXT, 0, true },
		[DIFFERENCE] = { "difference", unit, 0, false },
		[BEYOND] = { "beyond-noise", unit, 0, false },
	};
	struct tring_rows rows = {
		.columns = columns, .column_count = COLUMNS, .frequency = TRING_NS_A_SECOND,
		.text = *table->text ? table->text : table->columns[0].name,
		.sort = columns[BEYOND].name, .limit = diff->traces->rows, .out = stdout,
		.json = diff->traces->json ? table->name : NULL,
	};
	size_t i, same;

	tring_rows_init(&rows);
	for (i = 0; i < count; i += same) {
		for (same = 1; i + same < count && !strcmp(list[i].key, list[i + same].key); )
			same++;
		add_row(diff, &rows, column, &list[i], same);
	}
	if (!rows.json)
		printf("%s%s (tring top %s): %s%s\n", at ? "\n" : "", table->title, table->name,
		       column->name, grows(column) ? " a second" : "");
	tring_rows_show(&rows);
	tring_rows_free(&rows);
}

static void show_tables(struct diff *diff)
{
	size_t at, i = 0, first;

	if (diff->count)
		qsort(diff->entries, diff->count, sizeof(*diff->entries), compare_entries);
	for (at = 0; at < diff->tables.count; at++) {
		for (first = i; i < diff->count && diff->entries[i].table == at; )
			i++;
		if (!diff->lacking[at])
			show_table(diff, at, &diff->entries[first], i - first);
	}
}

/* Return: false, reported on stderr, if there is nothing in a table that can be compared. */
static bool choose_tables(struct diff *diff)
{
	const struct tring_top_choice *tables = &diff->traces->tables;
	size_t count = tables->count ? tables->count : TRING_TOP_TABLES, i;

	for (i = 0; i < count; i++) {
		const struct tring_table *table = tables->count ? tables->tables[i] :
								  tring_top_tables[i];
		const bool compared = table != &tring_table_rate && table != &tring_table_losses;

		if (!compared && tables->count) {
			tring_error("--diff does not compare the table \"%s\"", table->name);
			return false;
		}
		if (!compared)
			continue;
		diff->columns[diff->tables.count] = choose_column(table, diff->traces->sort);
		if (!diff->columns[diff->tables.count])
			return false;
		diff->tables.tables[diff->tables.count++] = table;
	}
	return true;
}

/**
 * tring_top_diff - print what has changed between two traces
 * @traces: the traces and the tables
 *
 * Return: as tring_top_traces().
 */
int tring_top_diff(const struct tring_top_traces *traces)
{
	struct diff diff = { .traces = traces };
	char *middle = NULL, *unused = NULL;
	int status = choose_tables(&diff) ? TRING_EXIT_OK : TRING_EXIT_USAGE;
	size_t i;

	if (!status) {
		status = read_whole(&diff, FIRST, &middle);
		status |= read_whole(&diff, SECOND, &unused);
	}
	if (middle && unused) {
		read_half(&diff, FIRST_HALF, middle);
		read_half(&diff, SECOND_HALF, middle);
		show_tables(&diff);
	}
	for (i = 0; i < diff.count; i++)
		free(diff.entries[i].key);
	free(diff.entries);
	free(middle);
	free(unused);
	return status;
}
