// SPDX-License-Identifier: GPL-2.0
/* Description: a tool describes a trace by the library's header; all readers take it. */
#include <errno.h>
#include <tring.h>
#include <unistd.h>

#include "helpers.h"

static const char info[] =
	"format_version=4\nuuid=%s\nbyte_order=le\nclock=mono\nclock_frequency=1000000000\n"
	"clock_offset=1000000000000\nhostname=maker\nkernel_release=none\n";

static const char step[] =
	"name: step\nID: 7\nformat:\n"
	COMMON_FIELDS "\n"
	"\tfield:unsigned long long count;\toffset:8;\tsize:8;\tsigned:0;\n\n"
	"print fmt: \"count=%llu\", REC->count\n";

static struct builder builder;

static char *format_info(void)
{
	char *golden = info_text(false), *uuid = strstr(golden, "uuid=");

	CHECK(uuid);
	uuid += strlen("uuid=");
	uuid[strcspn(uuid, "\n")] = 0;
	return make_path(info, uuid);
}

/* A packet with two events, at the offsets that the library tells. */
static void write_packets(const char *dir, const struct tring_trace *trace)
{
	const struct tring_event *event = tring_event_find(trace, "maker", "step");
	const struct tring_field *count;
	unsigned int i;

	CHECK(event && event->id == 7);
	count = tring_find_field(event, "count");
	CHECK(count && count->offset == 8);
	build_init(&builder, false, 3);
	build_begin(&builder, 5000);
	for (i = 0; i < 2; i++) {
		uint8_t *payload = build_record(&builder, 5000 + i, event->id, 42, 16);

		put_u64(payload + count->offset, 100 + i, false);
	}
	build_end(&builder);
	build_write(&builder, dir);
}

static void check_read(const char *dir)
{
	struct tring_trace *trace;
	struct tring_item item;
	unsigned int i;
	int64_t ns;

	CHECK_EQ(tring_open(&trace, dir, NULL), 0);
	for (i = 0; i < 2; i++) {
		CHECK_EQ(tring_next(trace, &item), 1);
		CHECK_EQ(item.cpu, 3);
		CHECK_EQ(tring_number(&item, tring_find_field(item.event, "count")), 100 + i);
		CHECK(!strcmp(tring_comm(trace, item.record->pid), "a name"));
	}
	CHECK_EQ(tring_next(trace, &item), 0);
	CHECK(tring_epoch_ns(trace, 5000, &ns) && ns == 1000000005000);
	CHECK(!strcmp(tring_env(trace, "hostname"), "maker"));
	CHECK_EQ(tring_check(trace), 0);
	CHECK_EQ(tring_problems(trace), 0);
	tring_close(trace);
}

static void check_good(const struct tring_described *what)
{
	char *dir = make_path("%s/made", temp_dir());
	struct tring_trace *trace;

	CHECK_EQ(tring_describe(&trace, dir, what, NULL), 0);
	write_packets(dir, trace);
	tring_close(trace);
	check_read(dir);
	check_run(0, "a name-42", "$TRING report %s", dir);
	check_run(0, "count=101", "$TRING report %s", dir);
	if (have("babeltrace2"))
		check_run(0, "count = 101", "babeltrace2 %s", dir);
	/* it is replaced, and the packets stay */
	CHECK_EQ(tring_describe(&trace, dir, what, NULL), 0);
	tring_close(trace);
	check_read(dir);
}

/* Its events come later. */
static void check_empty(const struct tring_described *what)
{
	char *dir = make_path("%s/empty", temp_dir());
	struct tring_trace *trace;
	struct tring_item item;

	CHECK_EQ(tring_describe(&trace, dir, what, NULL), 0);
	tring_close(trace);
	write_text(make_path("%s/cpu0", dir), "");
	CHECK_EQ(tring_open(&trace, dir, NULL), 0);
	CHECK_EQ(tring_next(trace, &item), 0);
	CHECK_EQ(tring_check(trace), 0);
	tring_close(trace);
}

/* @said: what is wrong with it; nothing is written */
static void check_bad(const struct tring_described *what, int error, const char *said)
{
	char *dir = make_path("%s/bad", temp_dir());
	struct tring_trace *trace;

	CHECK_EQ(tring_describe(&trace, dir, what, NULL), error);
	CHECK_EQ(tring_status(trace), error);
	if (!strstr(tring_status_text(trace), said))
		fail(tring_status_text(trace), 0, said);
	tring_close(trace);
	CHECK(access(dir, F_OK));
}

int main(void)
{
	struct tring_format_text formats[] = { { "maker", step }, { "maker", step } };
	struct tring_described what = {
		.size = sizeof(what), .info = format_info(), .formats = formats,
		.format_count = 1, .tasks = "42 a name\n",
	};
	struct tring_trace *trace;

	check_good(&what);
	what.format_count = 0;
	check_empty(&what);
	what.format_count = 1;
	what.info = "clock=mono\n";
	check_bad(&what, -EINVAL, "trace_info: no line for \"format_version\"");
	what.info = format_info();
	formats[0].system = "..";
	check_bad(&what, -EINVAL, "the format of ..:step: it is no name of a directory");
	formats[0].system = "maker";
	formats[0].text = "name: ../../step\nID: 7\nformat:\n";
	check_bad(&what, -EINVAL, "it is no name of a directory");
	formats[0].text = "nonsense";
	check_bad(&what, -EINVAL, "the format of maker:nonsense");
	formats[0].text = step;
	what.format_count = 2;
	check_bad(&what, -EINVAL, "the format of maker:step: there are two");
	formats[1].system = "other";
	check_bad(&what, -EINVAL, "the format of other:step: another event has its id");
	what.format_count = 1;
	what.short_ids = "1 7 maker:step 12\n";
	check_bad(&what, -EINVAL, "short_ids");
	what.short_ids = NULL;
	CHECK(tring_describe(&trace, "/nonexistent/dir", &what, NULL) == -ENOENT);
	CHECK(strstr(tring_status_text(trace), "/nonexistent/dir: it cannot be described: "));
	tring_close(trace);
	return 0;
}
