// SPDX-License-Identifier: GPL-2.0
/* Description: libtraceevent prints an event if its plan differs or needs struct trace_entry. */
#include "helpers.h"
#include "event/check.h"
#include "event/functions.h"
#include "print/plan.h"
#include "print/printer.h"
#include "read/trace.h"

#define EVENTS	40

/* A trace without packets, as the printer wants one. */
static struct tring_trace trace = {
	.info.clock_frequency = 1000000000, .has_symbols = true,
};

#define events	trace.events
static bool order;

/* Imitates a third-party plugin, which prints a text of its own. */
static int print_otherwise(struct trace_seq *text, struct tep_record *record,
			   struct tep_event *event, void *context)
{
	(void)record;
	(void)event;
	(void)context;
	return trace_seq_printf(text, "in other words") < 0;
}

static char *print_all(struct tring_printer *printer, uint16_t id,
		       const uint8_t *payload, uint32_t length,
		       const char *wanted)
{
	const struct tring_record record = {
		.id = id, .pid = 1, .flags = 9, .preempt_count = 3,
		.payload = payload, .length = length,
	};
	char *text = NULL;
	size_t size, i;
	FILE *file = open_memstream(&text, &size);

	CHECK(file);
	for (i = 0; i < EVENTS; i++) {
		struct tring_item item = {
			.record = &record, .event = tring_events_find(&events, id),
			.trace = &trace,
		};
		const char *wrong;

		item.wrong = tring_learn(item.event, &record, &trace.names);
		wrong = tring_printer_print(printer, file, &item);

		CHECK(wanted ? wrong && !strcmp(wrong, wanted) : !wrong);
	}
	fclose(file);
	return text;
}

static size_t count(const char *text, const char *part)
{
	size_t times = 0;

	for (; (text = strstr(text, part)); text++)
		times++;
	return times;
}

static void check_other_words(struct tring_printer *printer)
{
	uint8_t payload[64] = { 0 };
	char *text;

	/* tasks need names, because the plan leaves a task without one to libtraceevent */
	strcpy((char *)payload + 8, "before");
	strcpy((char *)payload + 40, "after");
	tep_register_event_handler(events.tep, 319, "sched", "sched_switch",
				   print_otherwise, NULL);
	text = print_all(printer, 319, payload, sizeof(payload), NULL);
	CHECK_EQ(count(text, "sched_switch:         in other words\n"), EVENTS);
	tep_unregister_event_handler(events.tep, 319, "sched", "sched_switch",
				     print_otherwise, NULL);
	free(text);
}

static void check_array(struct tring_printer *printer, uint32_t bytes,
			const char *wanted)
{
	uint8_t payload[16] = { 0 };
	char *text;

	put_u32(payload + 8, bytes, order);
	memcpy(payload + 12, "\xab\xcd\xef", 4);
	text = print_all(printer, 60010, payload, sizeof(payload), wanted ?
			 "an array is longer than a payload can be" :
			 NULL);
	CHECK_EQ(count(text, wanted ? wanted : "bytes=ab cd ef 00\n"), EVENTS);
	free(text);
}

/*
 * A record has no struct trace_entry. If a format uses one, libtraceevent prints
 * the event from a payload with a reconstructed struct trace_entry.
 */
static void check_common(struct tring_printer *printer)
{
	struct tring_plan plan;
	uint8_t payload[24];
	char *text;

	memset(payload, 0xee, sizeof(payload));
	text = print_all(printer, 60011, payload, sizeof(payload), NULL);
	CHECK_EQ(count(text, "pid=1 flags=9\n"), EVENTS);
	free(text);
	/* an empty array at offset 0 */
	put_u32(payload + 8, 0, order);
	put_u32(payload + 12, 8, order);
	text = print_all(printer, 60012, payload, sizeof(payload), NULL);
	CHECK_EQ(count(text, order ? "bytes=ea 6c 09 03 00 00 00 01\n" :
			     "bytes=6c ea 09 03 01 00 00 00\n"), EVENTS);
	free(text);

	/* the printer's comparison would not find a plan that is rarely wrong */
	CHECK(!tring_plan_compile(&plan, tring_events_find(&events, 60011)));
}

static void add_format(const char *name, unsigned int id, const char *rest)
{
	const char *dir = temp_dir();
	char *path = make_path("%s/testing/%s/format", dir, name);
	char *text = make_path("name: %s\nID: %u\nformat:\n"
		COMMON_FIELDS "\n%s",
		name, id, rest);

	write_text(path, text);
	CHECK_EQ(tring_events_add(&events, dir, "testing", name), 0);
}

static void add_formats(void)
{
	add_format("array", 60010,
		   "\tfield:u32 len;\toffset:8;\tsize:4;\tsigned:0;\n"
		   "\tfield:u8 bytes[4];\toffset:12;\tsize:4;\tsigned:0;\n"
		   "\nprint fmt: \"bytes=%s\", __print_hex(REC->bytes, REC->len)\n");
	add_format("common", 60011,
		   "\tfield:u32 len;\toffset:8;\tsize:4;\tsigned:0;\n"
		   "\nprint fmt: \"pid=%d flags=%x\", REC->common_pid, REC->common_flags\n");
	add_format("nowhere", 60012,
		   "\tfield:__data_loc u8[] b;\toffset:8;\tsize:4;\tsigned:0;\n"
		   "\tfield:u32 len;\toffset:12;\tsize:4;\tsigned:0;\n"
		   "\nprint fmt: \"bytes=%s\", __print_hex(__get_dynamic_array(b), REC->len)\n");
}

static void check_order(void)
{
	char *formats = make_path("%s/golden/formats", test_env("TRING_TESTS"));
	struct tring_printer printer;

	CHECK_EQ(tring_events_init(&events), 0);
	tring_functions_add(&events, 250);
	tep_set_local_bigendian(events.tep, TRING_HOST_BIG_ENDIAN ?
				TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_file_bigendian(events.tep, order ? TEP_BIG_ENDIAN :
						   TEP_LITTLE_ENDIAN);
	CHECK_EQ(tring_events_add_all(&events, formats), 0);
	add_formats();
	tring_names_init(&trace.names);
	trace.info.big_endian = order;
	tring_printer_init(&printer, &trace);
	check_other_words(&printer);
	check_array(&printer, 4, NULL);
	check_common(&printer);
	check_array(&printer, UINT32_MAX, "[id 60010, 8 bytes: ff ff ff ff ab cd ef 00]\n");
	tring_printer_free(&printer);
	tring_names_free(&trace.names);
	tring_events_free(&events);
}

int main(void)
{
	check_order();
	order = true;
	check_order();
	return 0;
}
