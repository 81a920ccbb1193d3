// SPDX-License-Identifier: GPL-2.0
/* Description: tables of Parquet have all events, columns and losses, in files that are whole. */
#include "every_kind.h"
#include "export/parquet.h"
#include "helpers.h"
#include "top_trace.h"

#define SCRIPTS	"$TRING_TESTS/../../scripts/trace"
#define COMPARE	"python3 " SCRIPTS "/compare-parquet.py $TRING %1$s %1$s.pq"
#define CONVERT	"$TRING convert --to parquet -o %1$s.pq %1$s"

#define ENDS	"cd %s.pq && find . -type f | sort | while read -r file; do " \
		"echo \"$file\" $(head -c 4 \"$file\") $(tail -c 4 \"$file\"); done"

/* More row groups than a file gets. */
#define GROUPS	257

/* Prints two numbers of a table. */
#define COUNT_ROWS(numbers, files) \
	"node -e \"const d = require('@duckdb/node-api'); " \
	"d.DuckDBInstance.create(':memory:').then(i => i.connect()).then(c => " \
	"c.runAndReadAll(\\\"select " numbers " from read_parquet('%s/" files "')\\\"))" \
	".then(r => " \
	"console.log(r.getRows().join()))\""

static struct builder builder;

static void check_text(char *output, const char *wanted)
{
	check_equal(output, wanted, "the query");
	free(output);
}

static void check_order(bool order, bool has_duckdb)
{
	char *dir = make_path("%s/%s", temp_dir(), order ? "be" : "le"), *output;

	make_every_kind(dir, order);
	check_run(1, "id 777: no format describes this event", CONVERT, dir);
	/* each file begins and ends as one of Parquet */
	output = output_of(0, ENDS, dir);
	check_text(output, "./host=test%20%22host%22/event=dyn_sizes/part-0.parquet PAR1 PAR1\n"
		   "./host=test%20%22host%22/event=irq_handler_entry/part-0.parquet PAR1 PAR1\n"
		   "./host=test%20%22host%22/event=print/part-0.parquet PAR1 PAR1\n"
		   "./host=test%20%22host%22/event=sched_switch/part-0.parquet PAR1 PAR1\n"
		   "./host=test%20%22host%22/event=sys_enter/part-0.parquet PAR1 PAR1\n"
		   "./host=test%20%22host%22/event=tick/part-0.parquet PAR1 PAR1\n"
		   "./host=test%20%22host%22/event=tring_lost/part-0.parquet PAR1 PAR1\n"
		   "./host=test%20%22host%22/event=tring_undecoded/part-0.parquet PAR1 PAR1\n");
	if (has_duckdb)
		check_run(0, "11 events and losses, 0 differences", COMPARE, dir);
}

static void check_groups(bool has_duckdb)
{
	char *path = make_path("%s/many", temp_dir());
	struct tring_parquet_column *column;
	struct tring_output output;
	struct tring_parquet table;
	unsigned int i;

	CHECK_EQ(tring_output_dir_open(&output, path), 0);
	tring_output_dir_make(&output, "t");
	tring_parquet_init(&table, &output, "t", 2);
	column = tring_parquet_column(&table, "n", TRING_PARQUET_NUMBER);
	CHECK(!strcmp(tring_parquet_column(&table, "N", TRING_PARQUET_NUMBER)->name, "N_"));
	for (i = 0; i < GROUPS; i++) {
		tring_parquet_number(column, i);
		tring_parquet_number(&table.columns[1], 0);
		table.rows++;
		tring_parquet_write_group(&table);
	}
	tring_parquet_finish(&table);
	tring_parquet_free(&table);
	CHECK_EQ(tring_output_close(&output), 0);
	check_text(output_of(0, "cd %s/many/t && ls", temp_dir()),
		   "part-0.parquet\npart-1.parquet\n");
	if (has_duckdb)
		check_text(output_of(0, COUNT_ROWS("count(*), sum(n)", "many/t/*.parquet"),
				     temp_dir()), "257,32896\n");
}

/* An event with the name of the table of losses has a table of its own. */
static void check_own_name(bool has_duckdb)
{
	static const char fields[] = "\tfield:u32 events;\toffset:8;\tsize:4;\tsigned:0;\n";
	char *dir = make_path("%s/own_name", temp_dir());

	make_trace(dir, false);
	top_format(dir, "probes", "tring_lost", 800, fields);
	build_init(&builder, false, 0);
	build_begin(&builder, 1000000000);
	put_u32(build_record(&builder, 1000000000, 800, 300, 12) + 8, 7, false);
	build_end(&builder);
	top_write(dir, &builder, 1, 5, 0);
	check_run(0, "", CONVERT, dir);
	check_text(output_of(0, "ls %s.pq/*", dir), "event=probes.tring_lost\nevent=tring_lost\n");
	if (has_duckdb)
		check_text(output_of(0, COUNT_ROWS("count(*), sum(events)",
						   "own_name.pq/*/*/*.parquet"), temp_dir()),
			   "2,12\n");
	free(dir);
}

/* A trace.dat that does not tell the wall clock has rows without one. */
static void check_no_wall(void)
{
	char *dir = make_path("%s/no_wall", temp_dir());

	make_every_kind(dir, false);
	check_run(0, "", "$TRING convert --to trace.dat -o %1$s.dat %1$s", dir);
	check_run(1, "", "$TRING convert --to parquet -o %1$s.pq %1$s.dat", dir);
	check_text(output_of(0, COUNT_ROWS("count(common_ts), count(common_time)",
					   "no_wall.pq/*/event=tick/*.parquet"), temp_dir()),
		   "4,0\n");
	free(dir);
}

int main(void)
{
	bool has_duckdb;

	has_duckdb = have("python3 && node -e \"require('@duckdb/node-api')\"");
	check_order(false, has_duckdb);
	check_order(true, has_duckdb);
	check_groups(has_duckdb);
	check_own_name(has_duckdb);
	if (has_duckdb && have("trace-cmd"))
		check_no_wall();
	if (!has_duckdb) {
		printf("not read: DuckDB (npm install @duckdb/node-api) is not in NODE_PATH\n");
		return SKIPPED;
	}
	return 0;
}
