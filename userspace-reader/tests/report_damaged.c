// SPDX-License-Identifier: GPL-2.0
/* Description: report names file, offset and reason of damage, prints the rest, exits with 1. */
#include "helpers.h"

static struct builder builder;
static const char *options = "";

static unsigned int count_lines(const char *text, const char *with)
{
	unsigned int count = 0;

	while ((text = strstr(text, with))) {
		text += strlen(with);
		count++;
	}
	return count;
}

/* Builds two packets of three events. @damage: function that damages them. */
static void check(void (*damage)(void), unsigned int events, const char *reason)
{
	char *dir = make_path("%s/trace", temp_dir());
	char *path = make_path("%s/cpu1", dir);
	char *output;

	make_trace(dir, false);
	build_init(&builder, false, 1);
	build_packet(&builder, 1000, 3);
	build_packet(&builder, 2000, 3);
	damage();
	write_file(path, builder.bytes, builder.size);
	output = output_of(1, "$TRING report %s %s", options, dir);
	CHECK_EQ(count_lines(output, " value=0\n"), events);
	CHECK(strstr(output, path));
	wants(output, reason);
}

static void cut_tail(void)
{
	builder.size -= 10;
}

static void zero_first(void)
{
	memset(builder.bytes, 0, builder.start);
}

static void replace_all(void)
{
	memset(builder.bytes, 'x', builder.size);
}

static void foreign_uuid(void)
{
	builder.bytes[4] = 0xff;
}

static uint8_t *replace_first(uint16_t id, uint32_t length)
{
	uint8_t *payload;

	build_init(&builder, false, 1);
	/* a short type that is not in short_ids */
	builder.short_ids[4] = 400;
	builder.lengths[4] = 8;
	build_begin(&builder, 1000);
	payload = build_record(&builder, 1000, id, 1, length);
	build_record(&builder, 1001, 342, 1, 16);
	build_record(&builder, 1002, 342, 1, 16);
	build_end(&builder);
	build_packet(&builder, 2000, 3);
	return payload;
}

static void unknown_id(void)
{
	replace_first(9999, 16);
}

static void unknown_short(void)
{
	replace_first(400, 16);
}

static void short_payload(void)
{
	/* sched_switch needs 64 bytes */
	replace_first(319, 16);
}

static void wild_dynamic(void)
{
	put_u32(replace_first(152, 16) + 12, 0xffffffff, false);
}

/* Dynamic data before the fields: a record does not contain these bytes. */
static void early_dynamic(void)
{
	put_u32(replace_first(152, 16) + 12, 4 << 16 | 4, false);
}

static void unknown_pid(void)
{
	builder.bytes[TRING_PACKET_HEADER_SIZE + 4] &= ~TRING_CONTEXT_HAS_PID;
	memmove(builder.bytes + TRING_PACKET_HEADER_SIZE + 5,
		builder.bytes + TRING_PACKET_HEADER_SIZE + 9,
		builder.start - TRING_PACKET_HEADER_SIZE - 9);
	put_u32(builder.bytes + HEADER_AT(content_size),
		8 * (build_offset(3) - 4), false);
}

int main(void)
{
	check(cut_tail, 5, "offset 0xa0: packet is longer than the rest");
	check(zero_first, 3, "offset 0x0: zeroes instead of a packet header; 160");
	check(replace_all, 0, "offset 0x0: no packet magic; 320 bytes skipped");
	check(foreign_uuid, 3, "offset 0x0: uuid differs from the stream's");
	check(unknown_id, 5, "offset 0x70: id 9999: no format describes this event");
	check(short_payload, 5, "offset 0x70: id 319: payload is shorter than");
	check(wild_dynamic, 5, "offset 0x70: id 152: a dynamic field lies outside");
	check(early_dynamic, 5, "offset 0x70: id 152: a dynamic field lies outside");
	check(unknown_short, 5, "offset 0x70: short 4: no format describes this event");
	check(unknown_short, 5, ": [short 4, 8 bytes: 00 00 00 00 00 00 00 00]\n");
	check(unknown_pid, 6, "offset 0x70: no pid in a packet's first record");
	check(unknown_pid, 6, "<...>--1 ");

	/* what cannot be examined is not hidden */
	options = "-F 'tick: value == 0' -F 'irq_handler_entry: name == \"x\"'";
	check(wild_dynamic, 5, "offset 0x70: id 152: a dynamic field lies outside");
	options = "-F 'tick: value == 0' -F 'sched_switch: 0'";
	check(short_payload, 5, "offset 0x70: id 319: payload is shorter than");

	check_run(1, "/nonexistent", "$TRING report /nonexistent");
	return 0;
}
