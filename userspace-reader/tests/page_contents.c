// SPDX-License-Identifier: GPL-2.0
/* Description: a page has the events and intervals of its trace, whatever the trace has. */
#include <unistd.h>

#include "every_kind.h"
#include "helpers.h"
#include "top_trace.h"

#define DECODE	"python3 $TRING_TESTS/support/page.py $TRING %s"
#define LINES	"node $TRING_TESTS/support/page_script.js %s lines"

static struct builder builder;

static void check_every_kind(bool order)
{
	char *dir = make_path("%s/every-%d", temp_dir(), order);
	char *output;

	make_every_kind(dir, order);
	output = output_of(0, DECODE, dir);
	CHECK(strstr(output, "14 lines, 13 events"));
	CHECK(strstr(output, "3 losses"));
}

/* The trace of some events on a CPU. */
static char *make(const char *name, uint64_t stamp, unsigned int events)
{
	char *dir = make_path("%s/%s", temp_dir(), name);

	make_trace(dir, false);
	build_init(&builder, false, 0);
	if (events)
		build_packet(&builder, stamp, events);
	build_write(&builder, dir);
	return dir;
}

static void check_odd(void)
{
	char *dir;

	CHECK(strstr(output_of(0, DECODE, make("empty", 0, 0)), "0 lines, 0 events\n"));
	CHECK(strstr(output_of(0, DECODE, make("one", 5, 1)), "1 lines, 1 events\n"));
	dir = make("many", 1000, 500);
	write_text(make_path("%s/tring/cpu0.start", dir), "read: 0\n");
	write_text(make_path("%s/tring/cpu0.end", dir), "read: 500\n");
	output_of(0, DECODE, dir);
	/* it is read once: nothing tells why tasks waited */
	check_run(0, "", "$TRING page -o %s.page %s", dir, dir);
	output_of(0, DECODE, make("late", UINT64_C(1) << 63, 3));
}

/* Names that would end the page's data, if any of them were HTML. */
static void check_markup(void)
{
	char *dir = make_path("%s/<b>markup&", temp_dir()), *page;

	top_make(dir, false);
	build_init(&builder, false, 0);
	build_begin(&builder, 1000);
	strcpy((char *)top_change(&builder, 1000, 7, 1, 8) + 8, "</script><!--");
	top_change(&builder, 2000, 8, 0, 7);
	build_end(&builder);
	top_write(dir, &builder, 2, 0, 0);
	output_of(0, DECODE, make_path("'%s'", dir));
	page = output_of(0, "cat '%s.html'", dir);
	CHECK(!strstr(page, "<b>") && !strstr(page, "</script><!--"));
	CHECK(strstr(page, "<title>") && strstr(page, "markup? - tring</title>"));
	CHECK(strstr(page, "default-src 'none'"));
}

/* A page has no address of the kernel, unless the user asks for it. */
static void check_addresses(void)
{
	static const char decode[] = "python3 -c \"import sys; "
		"sys.path.insert(0, '$TRING_TESTS/support'); import page; "
		"found = page.Page('%s'); print(*(event[3] for event in found.events()))\"";
	char *dir = make_path("%s/addresses", temp_dir()), *out = make_path("%s.page", dir);

	make_every_kind(dir, false);
	check_run(1, "", "$TRING page -o %s %s", out, dir);
	CHECK(!strstr(output_of(0, decode, out), "18446744071578845184"));
	check_run(1, "", "$TRING page --addresses -o %s %s", out, dir);
	CHECK(strstr(output_of(0, decode, out), "18446744071578845184"));
}

/* The events that are chosen, and the intervals that all events tell. */
static void check_chosen(void)
{
	static const char decode[] =
		"python3 $TRING_TESTS/support/page.py %1$s 2>%1$s.count";
	char *dir = make_path("%s/chosen", temp_dir()), *out = make_path("%s.page", dir);
	char *wanted, *count;

	top_make(dir, false);
	build_init(&builder, false, 0);
	build_begin(&builder, 1000);
	top_waking(&builder, 1000, 7, 9);
	top_change(&builder, 2000, 7, 1, 9);
	top_change(&builder, 3000, 9, 1, 7);
	build_end(&builder);
	top_write(dir, &builder, 3, 0, 0);
	check_run(0, "", "$TRING page --addresses -o %s %s", out, dir);
	output_of(0, decode, out);
	count = output_of(0, "cat %s.count", out);
	check_run(0, "", "$TRING page --addresses -e sched_waking -o %s %s", out, dir);
	wanted = output_of(0, "$TRING report -t -e sched_waking %s", dir);
	check_equal(output_of(0, decode, out), wanted, "the chosen events");
	check_equal(output_of(0, "cat %s.count", out), count, "the intervals");
	check_run(1, "no such event", "$TRING page -e nosuch -o %s.no %s", out, dir);
	CHECK(access(make_path("%s.no", out), F_OK));
}

/* Numbers have the sign of their field, whichever form their column has. */
static void check_signs(void)
{
	char *dir = make_path("%s/signs", temp_dir()), *out = make_path("%s.page", dir);
	const uint64_t begin = UINT64_MAX - 99;
	unsigned int i;

	make_trace(dir, false);
	build_init(&builder, false, 0);
	build_begin(&builder, 1000);
	put_u32(build_record(&builder, 1000, 319, 100, 64) + 28, (uint32_t)-5, false);
	for (i = 0; i < 4; i++)
		put_u64(build_record(&builder, 1001 + i, 342, 7, 16) + 8, begin + i, false);
	build_end(&builder);
	top_write(dir, &builder, 5, 0, 0);
	check_run(0, "", "$TRING page -o %s %s", out, dir);
	check_run(0, " prev_prio=-5 ", LINES, out);
	check_run(0, "value=18446744073709551519\n", LINES, out);
}

/* A print format may want the number and the function of one field. */
static void check_function(void)
{
	static const char more[] =
		"sed -i 's/\"value=%%llu\"\\(.*\\)/\"%%llx %%ps %%pS\"\\1\\1\\1/' %s";
	char *dir = make("function", 1000, 0), *out = make_path("%s.page", dir);

	check_run(0, "", more, make_path("%s/tring/events/testing/tick/format", dir));
	write_extra(dir, "kallsyms", "ffffffff81000000 T f\nffffffff81000010 T g\n");
	build_init(&builder, false, 0);
	build_begin(&builder, 1000);
	put_u64(build_record(&builder, 1000, 342, 7, 16) + 8, 0xffffffff81000001, false);
	build_end(&builder);
	top_write(dir, &builder, 1, 0, 0);
	check_run(0, "", "$TRING page --addresses -o %s %s", out, dir);
	check_run(0, " ffffffff81000001 f f+0x1 value=", LINES, out);
}

/* A page with more pieces than it keeps in memory. */
static void check_pieces(void)
{
	char *dir = make("pieces", 1000, 5000), *out = make_path("%s.page", dir);
	unsigned int cpu;

	for (cpu = 1; cpu < 4; cpu++) {
		build_init(&builder, false, cpu);
		build_packet(&builder, 1000, 5000);
		build_write(&builder, dir);
	}
	check_run(0, "", "$TRING page -o %s %s", out, dir);
	check_run(0, "20000\n", LINES " | wc -l", out);
}

static void check_output(void)
{
	char *dir = make("output", 1000, 500), *out = make_path("%s.page", dir);

	check_run(1, "File too large", "ulimit -f 1; $TRING page -o %s %s", out, dir);
	CHECK(access(out, F_OK));
	write_text(out, "my notes\n");
	check_run(1, "of another format than is to be written", "$TRING page -o %s %s", out, dir);
	CHECK_EQ(unlink(out), 0);
	check_run(0, "", "$TRING page -o %1$s %2$s && $TRING page -o %1$s %2$s", out, dir);
	check_run(0, "no event was selected", "$TRING page --from 99999 -o %s.none %s", out, dir);
	check_run(2, "all or timeline is possible", "$TRING page --detail no -o %s %s", out, dir);
}

int main(void)
{
	if (!have("python3")) {
		printf("python3 is not installed\n");
		return SKIPPED;
	}
	check_every_kind(false);
	check_every_kind(true);
	check_odd();
	check_markup();
	check_addresses();
	check_chosen();
	if (have("node")) {
		check_signs();
		check_function();
		check_pieces();
	}
	check_output();
	return 0;
}
