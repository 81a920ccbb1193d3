// SPDX-License-Identifier: GPL-2.0
/* Description: a plan yields to other words of libtraceevent; endless arrays are refused. */
#include "helpers.h"
#include "printer.h"

#define EVENTS	40

static struct tring_events events;

/* What a plugin of somebody's own may do. */
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
		.id = id, .pid = 1, .payload = payload, .length = length,
	};
	char *text = NULL;
	size_t size, i;
	FILE *file = open_memstream(&text, &size);

	CHECK(file);
	for (i = 0; i < EVENTS; i++) {
		const char *wrong = tring_printer_print(printer, file, &record,
							0);

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

	put_u16(payload, 319, false);
	/* a task without a name would not be printed by the plan anyway */
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

	put_u16(payload, 60010, false);
	put_u32(payload + 8, bytes, false);
	memcpy(payload + 12, "\xab\xcd\xef", 4);
	text = print_all(printer, 60010, payload, sizeof(payload), wanted ?
			 "an array in it is longer than a payload can be" :
			 NULL);
	CHECK_EQ(count(text, wanted ? wanted : "bytes=ab cd ef 00\n"), EVENTS);
	free(text);
}

static void add_array_format(void)
{
	const char *dir = temp_dir();
	char *path = make_path("%s/testing/array/format", dir);

	write_text(path,
		   "name: array\nID: 60010\nformat:\n"
		   "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		   "\n"
		   "\tfield:u32 len;\toffset:8;\tsize:4;\tsigned:0;\n"
		   "\tfield:u8 bytes[4];\toffset:12;\tsize:4;\tsigned:0;\n"
		   "\nprint fmt: \"bytes=%s\", __print_hex(REC->bytes, REC->len)\n");
	CHECK_EQ(tring_events_add(&events, dir, "testing", "array"), 0);
	free(path);
}

int main(void)
{
	char *formats = make_path("%s/golden/formats", test_env("TRING_TESTS"));
	struct tring_printer printer;

	CHECK_EQ(tring_events_init(&events), 0);
	CHECK_EQ(tring_events_add_all(&events, formats), 0);
	add_array_format();
	tring_printer_init(&printer, &events, 1000000000);
	check_other_words(&printer);
	check_array(&printer, 4, NULL);
	check_array(&printer, UINT32_MAX, "[id 60010, 16 bytes: ff ff ff ff ab cd ef 00]\n");
	tring_printer_free(&printer);
	tring_events_free(&events);
	free(formats);
	return 0;
}
