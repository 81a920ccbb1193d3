// SPDX-License-Identifier: GPL-2.0
/* Description: a table that is too wide leaves out its last columns, but not what it is of. */
#include "stats/tables.h"
#include "top_trace.h"

/* What the row is of */
static const char *text = "server";

/* @wanted: the whole table, or a part of it */
static void check(size_t width, const char *sort, const char *wanted)
{
	const struct tring_table *table = &tring_table_sched;
	struct tring_rows rows = {
		.columns = table->columns, .column_count = table->column_count,
		.text = table->text, .sort = sort, .frequency = 1000000000, .width = width,
	};
	struct tring_row row = { .values = { 7, 1500000000, 15000, 0, 0, 0, 3, 2 } };
	char *output = NULL;
	size_t size;

	row.text = strdup(text);
	rows.out = open_memstream(&output, &size);
	CHECK(rows.out && row.text);
	tring_rows_init(&rows);
	tring_rows_add(&rows, &row);
	tring_rows_show(&rows);
	CHECK(!fclose(rows.out));
	tring_rows_free(&rows);
	wants(output, wanted);
	free(output);
}

/* "top sched" on a terminal of 80 columns has no longer line, and elsewhere all columns. */
static void check_terminal(void)
{
	char *dir = make_path("%s/trace", temp_dir()), *output;
	struct builder builder;

	top_make(dir, false);
	build_init(&builder, false, 0);
	build_begin(&builder, 1000);
	top_change(&builder, 1000, 0, 0, 100);
	top_change(&builder, 2000, 100, 1, 0);
	build_end(&builder);
	top_write(dir, &builder, 2, 0, 0);
	output = output_of(0, "script -qec \"stty cols 80; $TRING top sched %s\" /dev/null", dir);
	CHECK(strstr(output, "     blocked-s  task\r\n"));
	CHECK(strstr(output_of(0, "$TRING top sched %s", dir), "  switches migrations  task\n"));
}

int main(void)
{
	static const char some[] =
		"     pid     running-s  cpu-%     waiting-s     blocked-s  task\n"
		"       7      1.500000   15.0      0.000000      0.000000  server\n";

	check(0, "running-s", "     blocked-s     unknown-s  switches migrations  task\n");
	check(0, "running-s", "      0.000000      0.000000         3          2  server\n");
	check(110, "running-s", "     blocked-s     unknown-s  switches migrations  task\n");
	check(80, "running-s", some);
	check(80, "switches",
	      "     pid     running-s  cpu-%     waiting-s  switches  task\n"
	      "       7      1.500000   15.0      0.000000         3  server\n");
	check(1, "pid", "     pid  task\n       7  server\n");
	/* 15 bytes of a task's name have room, those of an event may need more */
	text = "event_whose_name_is_long";
	check(80, "running-s", "     pid     running-s  cpu-%     waiting-s  task\n");
	check_terminal();
	return 0;
}
