// SPDX-License-Identifier: GPL-2.0
/* Description: report names file, offset and reason of damage, prints the rest and exits with 1. */
#include "helpers.h"

static struct builder builder;

static unsigned int count_lines(const char *text, const char *with)
{
	unsigned int count = 0;

	while ((text = strstr(text, with))) {
		text += strlen(with);
		count++;
	}
	return count;
}

/* Two packets of three events; @damage changes them. */
static void check(void (*damage)(void), unsigned int events, const char *reason)
{
	char *dir = make_path("%s/trace", temp_dir());
	char *path = make_path("%s/cpu1", dir);
	char *command = make_path("$TRING report %s", dir), *output;

	make_trace(dir, false);
	build_init(&builder, false, 1);
	build_packet(&builder, 1000, 3);
	build_packet(&builder, 2000, 3);
	damage();
	write_file(path, builder.bytes, builder.size);
	CHECK_EQ(run(command, &output), 1);
	CHECK_EQ(count_lines(output, " value=0\n"), events);
	CHECK(strstr(output, path));
	if (!strstr(output, reason))
		fail(output, 0, reason);
	free(output);
	free(command);
	free(path);
	free(dir);
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

static void unknown_id(void)
{
	put_u16(builder.bytes + TRING_PACKET_HEADER_SIZE + 4, 9999, false);
}

static void short_payload(void)
{
	/* sched_switch needs 64 bytes */
	put_u16(builder.bytes + TRING_PACKET_HEADER_SIZE + 4, 319, false);
}

static void wild_dynamic(void)
{
	uint8_t *payload = builder.bytes + TRING_PACKET_HEADER_SIZE + 4;

	put_u16(payload, 152, false);
	put_u32(payload + 12, 0xffffffff, false);
}

int main(void)
{
	char *output;

	check(cut_tail, 5, "offset 0x80: packet is longer than what is left");
	check(zero_first, 3, "offset 0x0: zeroes where a packet header is due; 128");
	check(replace_all, 0, "offset 0x0: no packet magic; 256 bytes passed over");
	check(foreign_uuid, 3, "offset 0x0: uuid differs from the stream's");
	check(unknown_id, 5, "offset 0x40: id 9999: no format describes this event");
	check(short_payload, 5, "offset 0x40: id 319: payload is shorter than");
	check(wild_dynamic, 5, "offset 0x40: id 152: a dynamic field goes past");

	CHECK_EQ(run("$TRING report /nonexistent", &output), 1);
	CHECK(strstr(output, "/nonexistent"));
	free(output);
	return 0;
}
