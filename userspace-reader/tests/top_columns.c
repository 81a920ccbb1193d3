// SPDX-License-Identifier: GPL-2.0
/* Description: a table that is too wide leaves out its last columns, but not what it is of. */
#include "helpers.h"
#include "stats/tables.h"

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

	row.text = strdup("server");
	rows.out = open_memstream(&output, &size);
	CHECK(rows.out && row.text);
	tring_rows_init(&rows);
	tring_rows_add(&rows, &row);
	tring_rows_show(&rows);
	CHECK(!fclose(rows.out));
	tring_rows_free(&rows);
	if (!strstr(output, wanted))
		fail(output, width, wanted);
	free(output);
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
	return 0;
}
