// SPDX-License-Identifier: GPL-2.0
/* Description: markers of programs are spans and counters in top, sql and why. */
#include "stats/markers.h"
#include "top_trace.h"

/* Times are milliseconds behind 1 s. */
#define AT(ms)		(1000000000 + (ms) * 1000000ull)

#define PRINT		5
#define INCLUDE		"-I$TRING_TESTS/../include"
#define MANUAL		"$TRING_TESTS/../../docs/man/tring-marker.5"
#define LINES(first)	"grep -A2 '^" first "' " MANUAL

static struct builder builders[2];
static char *dir;

static void check_parsed(const char *text, enum tring_marker_kind kind, int64_t process,
			 const char *name, int64_t value)
{
	struct tring_marker marker = tring_marker_parse(text, strlen(text));
	const size_t size = kind == TRING_MARKER_BEGIN || kind == TRING_MARKER_COUNTER ?
			    marker.size : 0;

	if (marker.kind != kind || marker.process != process || marker.value != value ||
	    size != strlen(name) || memcmp(marker.name ? marker.name : "", name, size))
		fail(text, kind, "parsed as something else");
}

static void check_parser(void)
{
	check_parsed("B|17|a|b\n", TRING_MARKER_BEGIN, 17, "a|b", 0);
	check_parsed("B|17|", TRING_MARKER_BEGIN, 17, "", 0);
	check_parsed("E|17\n", TRING_MARKER_END, 17, "", 0);
	check_parsed("E", TRING_MARKER_END, 0, "", 0);
	check_parsed("E|17|ignored", TRING_MARKER_END, 17, "", 0);
	check_parsed("C|17|a|b|-5\n", TRING_MARKER_COUNTER, 17, "a|b", -5);
	check_parsed("C|1|n|9223372036854775807", TRING_MARKER_COUNTER, 1, "n", INT64_MAX);
	check_parsed("C|1|n|-9223372036854775808", TRING_MARKER_COUNTER, 1, "n", INT64_MIN);
	check_parsed("C|1|n|9223372036854775808", TRING_MARKER_NONE, 1, "", 0);
	check_parsed("C|1|n|-18446744073709551616", TRING_MARKER_NONE, 1, "", 0);
	check_parsed("C|17|a|5.5", TRING_MARKER_NONE, 17, "", 0);
	check_parsed("C|17|5", TRING_MARKER_NONE, 17, "", 0);
	check_parsed("C|2147483647|a|1", TRING_MARKER_COUNTER, INT32_MAX, "a", 1);
	check_parsed("C|2147483648|a|1", TRING_MARKER_NONE, INT32_MAX + 1ll, "", 0);
	check_parsed("C|-5|a|1", TRING_MARKER_NONE, -5, "", 0);
	check_parsed("E|-5", TRING_MARKER_NONE, -5, "", 0);
	check_parsed("B|x|a", TRING_MARKER_NONE, 0, "", 0);
	check_parsed("B|17", TRING_MARKER_NONE, 17, "", 0);
	check_parsed("Best|17|a", TRING_MARKER_NONE, 0, "", 0);
	check_parsed("B|", TRING_MARKER_NONE, 0, "", 0);
	check_parsed("", TRING_MARKER_NONE, 0, "", 0);
}

static void mark(unsigned int cpu, unsigned int ms, int32_t pid, const char *text)
{
	uint8_t *payload = build_record(&builders[cpu], AT(ms), PRINT, pid, 16 + strlen(text) + 1);

	put_u64(payload + 8, 0, false);
	memcpy(payload + 16, text, strlen(text) + 1);
}

/* CPU 1 loses events between 40 and 50: of the span that goes on then nothing is known. */
static void make(void)
{
	dir = make_path("%s/trace", temp_dir());
	top_begin(builders, 2, AT(0));
	top_change(&builders[0], AT(0), 0, 0, 100);
	mark(0, 1, 100, "B|100|request\n");
	mark(0, 2, 100, "B|100|read <b>\n");
	mark(0, 3, 100, "C|100|queue|-3\n");
	mark(0, 5, 100, "E|100\n");
	mark(0, 6, 100, "C|100|queue|7\n");
	mark(0, 7, 100, "E|100\n");
	/* an end without a begin, and what is no marker */
	mark(0, 8, 100, "E|100\n");
	mark(0, 9, 100, "Bad|luck\n");
	mark(0, 10, 100, "B|100|request\n");
	top_change(&builders[0], AT(11), 100, 1, 0);
	top_waking(&builders[0], AT(20), 0, 100);
	top_change(&builders[0], AT(21), 0, 0, 100);
	mark(0, 22, 100, "E|100\n");
	mark(0, 30, 100, "B|100|request\n");
	mark(1, 40, 200, "C|200|queue|1\n");
	build_end(&builders[1]);
	builders[1].seq++;
	build_begin(&builders[1], AT(50));
	mark(1, 50, 200, "C|200|queue|2\n");
	mark(0, 60, 100, "E|100\n");
	mark(0, 61, 100, "B|100|open\n");
	build_end(&builders[0]);
	build_end(&builders[1]);
	top_make(dir, false);
	top_write(dir, &builders[0], 17, 0, 0);
	top_write(dir, &builders[1], 2, 0, 0);
}

/* Rows of JSON without their keys. */
#define TOP	"$TRING top --json spans counters %s 2>/dev/null | sed '1d; s/\"[a-z-]*\"://g'"
#define SPANS	"'select from_ts, duration, comm, process, name, depth from spans'"
#define VALUES	"'select from_ts, cpu, process, name, value from counters'"
#define SQL(query)	"$TRING sql -o csv %s " query " 2>/dev/null"

static void check_tables(void)
{
	check_equal(output_of(0, TOP, dir),
		    "{\"spans\",100,2,18.000000,9000.000,12000.000,1.022000000,1,\"request\"}\n"
		    "{\"spans\",100,1,3.000000,3000.000,3000.000,1.005000000,0,\"read <b>\"}\n"
		    "{\"spans\",100,0,0.000000,null,null,null,1,\"open\"}\n"
		    "{\"counters\",100,2,-3,7,7,\"queue\"}\n"
		    "{\"counters\",200,2,1,2,2,\"queue\"}\n", "tables");
	/* without names of tables, if there are any */
	check_run(0, "Counters that programs have marked (tring top counters):\n", "$TRING top %s",
		  dir);
	CHECK(!strstr(output_of(0, "$TRING top --from 1.010 --to 1.011 %s", dir), "1.022"));
	check_equal(output_of(0, SQL(SPANS), dir),
		    "from_ts,duration,comm,process,name,depth\n"
		    "1002000000,3000000,task100,100,read <b>,1\n"
		    "1001000000,6000000,task100,100,request,0\n"
		    "1010000000,12000000,task100,100,request,0\n", "spans");
	check_equal(output_of(0, SQL(VALUES), dir),
		    "from_ts,cpu,process,name,value\n1003000000,0,100,queue,-3\n"
		    "1006000000,0,100,queue,7\n1040000000,1,200,queue,1\n"
		    "1050000000,1,200,queue,2\n", "counters");
	check_equal(output_of(0, "$TRING why --longest span -n 1 -o folded %s", dir),
		    "task100-100;ran on CPU 0 1000000\n"
		    "task100-100;blocked (S) until idle 9000000\n"
		    "task100-100;waited for CPU 0, which had;idle 1000000\n"
		    "task100-100;ran on CPU 0 1000000\n", "why");
	check_run(0, "task100-100: span request, 12.000 ms from 1.010",
		  "$TRING why --longest span %s", dir);
	CHECK(strstr(output_of(0, "python3 $TRING_TESTS/support/page.py $TRING %s", dir),
		     "3 spans, 4 counters"));
}

/* The trace of one CPU, with what was marked on it */
static void write_marks(const char *to, unsigned int count)
{
	build_end(&builders[0]);
	top_make(to, false);
	top_write(to, &builders[0], count, 0, 0);
}

/* A program that leaves spans without their ends: each end is that of the begin right before. */
static void check_deep(void)
{
	char *deep = make_path("%s/deep", temp_dir());
	unsigned int i;

	top_begin(builders, 1, AT(0));
	for (i = 0; i < 513; i++)
		mark(0, 1, 100, "B|100|left\n");
	mark(0, 2, 100, "B|100|inner\n");
	mark(0, 3, 100, "E|100\n");
	mark(0, 4, 100, "E|100\n");
	mark(0, 8, 100, "E|100\n");
	write_marks(deep, 517);
	check_equal(output_of(0, TOP, deep),
		    "{\"spans\",100,1,7.000000,7000.000,7000.000,1.008000000,512,\"left\"}\n"
		    "{\"spans\",100,0,0.000000,null,null,null,1,\"inner\"}\n", "deep spans");
}

/* The largest value is no unknown one. Values that may be negative are not compared. */
static void check_extremes(void)
{
	static const char row[] = "{\"counters\",100,", most[] = "922337203685477580";
	char *extremes = make_path("%s/extremes", temp_dir());

	top_begin(builders, 1, AT(0));
	mark(0, 1, 100, "C|100|level|9223372036854775807\n");
	mark(0, 2, 100, "C|100|depth|-9223372036854775808\n");
	write_marks(extremes, 2);
	check_equal(output_of(0, TOP, extremes),
		    make_path("%s1,-%s8,-%s8,-%s8,\"depth\"}\n%s1,%s7,%s7,%s7,\"level\"}\n", row,
			      most, most, most, row, most, most, most), "extremes");
	check_equal(output_of(0, SQL("'select sum(value) from counters'"), extremes),
		    "sum(value)\n-1\n", "extremes");
	if (have("node")) {
		check_run(0, "", "$TRING page -o %s.page %s", extremes, extremes);
		check_run(0, "\n-9223372036854776000 depth\n",
			  "node $TRING_TESTS/support/page_script.js %s.page counters", extremes);
	}
	check_run(2, "--sort max: it is no number that can be compared",
		  "$TRING top --diff --sort max counters %s %s", dir, extremes);
}

/* The header, and what the manual has for other languages, write what is read. */
static void check_writers(void)
{
	const char *out = make_path("%s/marker", temp_dir());
	const char *wanted = "B|request\nC|queue|-4\nE\n";
	static const char *const languages[] = { "c -std=c99", "c++ -x c++" };
	unsigned int i;

	write_text(make_path("%s/use.c", temp_dir()),
		   "#define _POSIX_C_SOURCE 200809L\n#include \"tring-marker.h\"\n"
		   "int main(void)\n{\ntring_marker_begin(\"request\");\n"
		   "tring_marker_counter(\"queue\", -4);\ntring_marker_end();\nreturn 0;\n}\n");
	for (i = 0; i < COUNT(languages); i++) {
		write_text(out, "");
		output_of(0, "cd %s && cc -Wextra -Werror -x %s " INCLUDE " -o program use.c",
			  temp_dir(), languages[i]);
		output_of(0, "TRING_MARKER=%s %s/program", out, temp_dir());
		check_equal(output_of(0, "sed 's/|[0-9]*\\(|.*\\)/\\1/; s/^E|.*/E/' %s", out),
			    wanted, languages[i]);
	}
	/* without tring nothing happens */
	output_of(0, "cd %s && TRING_MARKER=/nowhere ./program", temp_dir());
	write_text(out, "");
	output_of(0, LINES("marker = open") " | sed \"s|'/sys[^']*'|'%s'|\" >%s.py", out, out);
	output_of(0, "sed -i '1i import os' %s.py && python3 %s.py", out, out);
	output_of(0, LINES("marker=/sys") " | sed 's|=/sys.*|=%s|; s|>|>>|' | sh", out);
	check_equal(output_of(0, "tr -d '\\n' <%s | sed 's/|[0-9][0-9]*/|N/g'", out),
		    "B|N|requestE|NB|N|requestE|N", "the manual's examples");
}

int main(void)
{
	check_parser();
	make();
	check_tables();
	check_deep();
	check_extremes();
	check_writers();
	return 0;
}
