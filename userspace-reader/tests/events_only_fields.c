// SPDX-License-Identifier: GPL-2.0
/* Description: without print formats events have the same fields, and make the same metadata. */
#include "helpers.h"
#include "event/events.h"
#include "trace/trace_dir.h"

#define HEAD "name: odd\nID: 999\nformat:\n"
#define COMMON \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
#define PID "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
#define FIELD "\tfield:int value;\toffset:16;\tsize:4;\tsigned:1;\n"
#define TAIL "\nprint fmt: \"value=%d\", REC->value\n"

/* Of the last two the first 8 bytes are not as in ftrace. Some have the fields of one before. */
static const struct {
	const char *text;
	bool good;
} texts[] = {
	{ HEAD COMMON PID "\n" FIELD TAIL, true },
	{ HEAD COMMON PID "\n" FIELD "\nprint fmt: \"\"\n", true },
	{ HEAD COMMON PID "\tfield:unsigned char common_more;\toffset:8;\tsize:1;\tsigned:0;\n\n"
	  FIELD TAIL, true },
	{ HEAD COMMON PID "\n\tfield:int value;\toffset:4;\tsize:4;\tsigned:1;\n" TAIL, false },
	{ HEAD COMMON PID "\n\tfield:int value;\toffset:999999;\tsize:4;\tsigned:1;\n" TAIL,
	  false },
	{ HEAD COMMON "\n" FIELD TAIL, false },
	{ HEAD COMMON "\tfield:int common_pid;\toffset:4;\tsize:2;\tsigned:1;\n\n" FIELD TAIL,
	  false },
};

/* ftrace's own event has as many addresses as its first field says, one with its fields has 8. */
static void add_stack(struct tring_events *events, const char *name, unsigned int id)
{
	char *text = make_path("name: %s\nID: %u\nformat:\n" COMMON PID
			       "\n\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n"
			       "\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n"
			       "\nprint fmt: \"\"\n", name, id);

	CHECK_EQ(tring_events_add_text(events, text, strlen(text), "ftrace", name, "odd"), 0);
	CHECK_EQ(tring_event_private(tring_events_find(events, id))->length == TRING_LENGTH_VARIES,
		 !strcmp(name, "kernel_stack"));
}

static char *make_metadata(const char *formats, bool only_fields)
{
	struct tring_trace_info info = { .clock = "mono", .clock_frequency = 1000000000 };
	struct tring_short_ids shorts = { 0 };
	struct tring_events events;
	char *text, *whole;
	size_t size, i;
	int error;

	CHECK_EQ(tring_events_init(&events), 0);
	events.only_fields = only_fields;
	CHECK_EQ(tring_events_add_all(&events, formats), 0);
	CHECK(events.count > 10);
	for (i = 0; i < COUNT(texts); i++) {
		text = make_path("name: odd%zu\nID: %zu\n%s", i, 1000 + i,
				 strstr(texts[i].text, "format:"));
		whole = make_path("odd%zu", i);
		error = tring_events_add_text(&events, text, strlen(text), "testing", whole,
					      "odd");
		CHECK_EQ(!error, texts[i].good);
	}
	add_stack(&events, "kernel_stack", 2000);
	add_stack(&events, "like_stack", 2001);
	CHECK_EQ(tring_trace_metadata(&info, &shorts, &events, &whole, &size), 0);
	CHECK(strstr(whole, "odd1") && strstr(whole, "like_stack"));
	tring_events_free(&events);
	return whole;
}

int main(void)
{
	const char *formats = make_path("%s/golden/formats", test_env("TRING_TESTS"));
	char *all = make_metadata(formats, false), *fields = make_metadata(formats, true);

	if (strcmp(all, fields))
		fail(fields, 0, all);
	free(all);
	free(fields);
	return 0;
}
