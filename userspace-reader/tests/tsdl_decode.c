// SPDX-License-Identifier: GPL-2.0
/* Description: babeltrace2 decodes all records and fields of both byte orders without warnings. */
#include "helpers.h"

#define STAMP	1000000000ull

static struct builder builder;

static uint32_t place(uint32_t offset, uint32_t length)
{
	return length << 16 | offset;
}

static void write_sizes(uint64_t stamp)
{
	bool order = builder.big_endian;
	/* fixed part of 44 bytes, then 6 + 3 + 4 + 8 + 16 bytes without padding */
	uint8_t *payload = build_record(&builder, stamp, 345, 7, 81);

	put_u32(payload + 8, 0xabcd, order);
	put_u32(payload + 12, place(44, 6), order);
	put_u32(payload + 16, place(50, 3), order);
	put_u32(payload + 20, place(53, 4), order);
	put_u32(payload + 24, place(57, 8), order);
	put_u64(payload + 32, 1ull << 40, order);
	put_u32(payload + 40, place(65, 16), order);
	memcpy(payload + 44, "hello", 6);
	memcpy(payload + 50, "\x01\x02\xff", 3);
	put_u16(payload + 53, 0x0102, order);
	put_u16(payload + 55, 65535, order);
	put_u32(payload + 57, -2, order);
	put_u32(payload + 61, 70000, order);
	put_u64(payload + 65, 1ull << 63, order);
	put_u64(payload + 73, 9, order);
}

static void write_relative(uint64_t stamp)
{
	bool order = builder.big_endian;
	uint8_t *payload = build_record(&builder, stamp, 346, 7, 20 + 4 + 8);

	/* offsets are relative to the end of the location's field */
	put_u32(payload + 8, place(20 - 12, 4), order);
	put_u32(payload + 12, 77, order);
	put_u32(payload + 16, place(24 - 20, 8), order);
	memcpy(payload + 20, "rel", 4);
	put_u32(payload + 24, 11, order);
	put_u32(payload + 28, 12, order);
}

static void write_kinds(uint64_t stamp)
{
	bool order = builder.big_endian;
	uint8_t *payload = build_record(&builder, stamp, 347, -1, 96);
	unsigned int i;

	payload[8] = 1;
	payload[9] = -3;
	put_u16(payload + 10, -300, order);
	put_u32(payload + 12, 4, order);
	put_u64(payload + 16, 0xffff888000001234, order);
	strcpy((char *)payload + 24, "comm with space");
	for (i = 0; i < 6; i++)
		payload[40 + i] = 0xa0 + i;
	for (i = 0; i < 3; i++)
		put_u32(payload + 48 + 4 * i, -1 - i, order);
	for (i = 0; i < 16; i++)
		payload[64 + i] = i;
	put_u32(payload + 80, 81, order);
	put_u32(payload + 84, 85, order);
	put_u16(payload + 88, 89, order);
	put_u32(payload + 92, 93, order);
}

static void write_real(uint64_t stamp)
{
	bool order = builder.big_endian;
	uint8_t *payload;

	payload = build_record(&builder, stamp, 319, 100, 64);
	strcpy((char *)payload + 8, "swapper/1");
	put_u32(payload + 28, 120, order);
	put_u64(payload + 32, 2, order);
	strcpy((char *)payload + 40, "one");
	put_u32(payload + 56, 101, order);
	put_u32(payload + 60, 98, order);

	payload = build_record(&builder, stamp + 1, 152, 0, 16 + 4);
	put_u32(payload + 8, 9, order);
	put_u32(payload + 12, place(16, 4), order);
	memcpy(payload + 16, "ata", 4);

	payload = build_record(&builder, stamp + 2, 351, 101, 64);
	put_u64(payload + 8, 257, order);
	put_u64(payload + 56, 6, order);

	/* the kernel's struct ends with 4 bytes of padding, which are not recorded */
	payload = build_record(&builder, stamp + 3, 384, 0, 44);
	put_u64(payload + 24, 4294967296, order);
	put_u32(payload + 40, 5, order);
}

static void write_short(uint64_t stamp)
{
	uint8_t *payload = build_record(&builder, stamp, 344, 7, 12);

	payload[8] = 1;
	build_record(&builder, stamp + 1, 343, 7, 12);
	/* the decoder is in step after them, also immediately before a full timestamp */
	payload = build_record(&builder, stamp + 2, 342, 7, 16);
	put_u64(payload + 8, 1234567, builder.big_endian);
}

/* Writes discarded records of each form. */
static void write_discarded(uint64_t stamp)
{
	static const struct {
		uint16_t id;
		uint32_t length;
		uint64_t later;
	} forms[] = {
		{ 344, 12, 0 },
		{ 345, 44, 1 },
		{ 347, 96, 2 },
		/* more than 27 bits later: extended */
		{ 342, 16, 1ull << 30 },
	};
	size_t i;

	for (i = 0; i < COUNT(forms); i++) {
		uint8_t *record = builder.bytes + builder.end;
		uint8_t *payload = build_record(&builder,
						stamp + forms[i].later,
						forms[i].id, 8, forms[i].length);
		uint32_t size = forms[i].length - TRING_PAYLOAD_HEAD;

		memset(payload + TRING_PAYLOAD_HEAD, 'j', size);
		build_discard(&builder, record, size);
	}
}

/* Writes records with contexts that fit into the byte, and with some that do not. */
static void write_contexts(uint64_t stamp)
{
	static const struct {
		uint8_t flags;
		uint8_t preempt_count;
		int32_t pid;
		uint16_t id;
	} contexts[] = {
		{ 0x01, 6, -1, 342 },
		{ 0x24, 0, -1, 342 },
		{ 0x18, 3, -1, 344 },
		{ 0x1c, 1, 9, 347 },
		{ 0x41, 255, 9, 342 },
		{ 0x00, 7, 9, 345 },
		{ 0x00, 0, 9, 347 },
	};
	size_t i;

	for (i = 0; i < COUNT(contexts); i++) {
		builder.flags = contexts[i].flags;
		builder.preempt_count = contexts[i].preempt_count;
		build_record(&builder, stamp + i, contexts[i].id,
			     contexts[i].pid, contexts[i].id == 347 ? 96 :
			     contexts[i].id == 345 ? 44 :
			     contexts[i].id == 344 ? 12 : 16);
	}
	builder.flags = 0;
	builder.preempt_count = 0;
}

static void check_has(const char *text, const char *wanted)
{
	if (strstr(text, wanted))
		return;
	fprintf(stderr, "got:    %s\nwanted: ... %s ...\n", text, wanted);
	exit(1);
}

/* What is right behind the event's context. */
static void check_fields(const char *line, int pid, const char *fields)
{
	char *wanted = make_path("common_pid = [ [0] = %d ], full = { { } } }, { %s", pid,
				 fields);

	check_has(line, wanted);
}

static void check_sizes(const char *line, bool order)
{
	check_fields(line, 7, "_length = 73, x = 43981, ");
	if (order) {
		check_has(line, "_name_len = 6, _name_off = 44, _bytes_len = 3, ");
		check_has(line, "_words_len = 2, _words_zero = 0, _words_off = 57, ");
	} else {
		check_has(line, "_name_off = 44, _name_len = 6, _bytes_off = 50, ");
		check_has(line, "_words_off = 57, _words_zero = 0, _words_len = 2, ");
	}
	check_has(line, "name = \"hello\", bytes = [ [0] = 1, [1] = 2, [2] = 255 ], ");
	check_has(line, "halves = [ [0] = 258, [1] = 65535 ], ");
	check_has(line, "words = [ [0] = -2, [1] = 70000 ], ");
	check_has(line, "longs = [ [0] = 9223372036854775808, [1] = 9 ] }");
}

static void check_kinds(const char *line)
{
	check_fields(line, -1, "_length = 88, ");
	check_has(line, "flag = 1, small = -3, medium = -300, ");
	check_has(line, "kind = 4, ptr = 0xFFFF888000001234, ");
	check_has(line, "comm = \"comm with space\", mac = [ [0] = 160, [1] = 161, ");
	check_has(line, "nums = [ [0] = -1, [1] = -2, [2] = -3 ], ");
	check_has(line, "pairs = [ [0] = 0, [1] = 1, [2] = 2, ");
	check_has(line, "event = 81, string = 85, pad0 = 89, ");
	check_has(line, "id = 93 }");
}

static void check_switch(const char *line)
{
	check_has(line, " sched_switch: ");
	check_fields(line, 100, "prev_comm = \"swapper/1\", ");
	check_has(line, "prev_pid = 0, prev_prio = 120, prev_state = 2, ");
	check_has(line, "next_comm = \"one\", next_pid = 101, next_prio = 98 }");
}

#define BITS(irqs_off, has_pid, need_resched, hardirq, softirq)		\
	" { irqs_off = " #irqs_off ", has_pid = " #has_pid			\
	", need_resched = " #need_resched ", hardirq = " #hardirq		\
	", softirq = " #softirq ", preempt_count = "
#define EXACT(count)	"( \"exact\" : container = " #count " ), "
#define FULL(flags, count)						\
	"( \"full\" : container = 7 ), common_pid = [ [0] = 9 ], "	\
	"full = { { common_flags = " #flags ", common_preempt_count = " #count " } } }, {"
#define NOT_FULL	"full = { { } } }, {"

static void check_contexts(char **lines)
{
	static const char * const contexts[] = {
		BITS(1, 1, 0, 0, 0) EXACT(6) "common_pid = [ [0] = -1 ], " NOT_FULL,
		BITS(0, 0, 1, 0, 0) EXACT(0) "common_pid = [ ], " NOT_FULL,
		BITS(0, 0, 0, 1, 1) EXACT(3) "common_pid = [ ], " NOT_FULL,
		BITS(0, 1, 0, 0, 0) FULL(28, 1),
		BITS(0, 1, 0, 0, 0) FULL(65, 255),
		BITS(0, 1, 0, 0, 0) FULL(0, 7),
		BITS(0, 0, 0, 0, 0) EXACT(0) "common_pid = [ ], " NOT_FULL,
	};
	size_t i;

	for (i = 0; i < COUNT(contexts); i++)
		check_has(lines[i], contexts[i]);
}

static void check_output(char *text, bool order)
{
	static const struct {
		const char *stamp;
		const char *name;
		const char *fields;
	} lines[] = {
		{ "1.000000000", "dyn_sizes", "" },
		{ "1.000000001", "rel", "name = \"rel\", vals = [ [0] = 11, [1] = 12 ] }" },
		{ "1.000000002", "kinds", "" },
		{ "1.000000003", "sched_switch", "" },
		{ "1.000000004", "irq_handler_entry", "name = \"ata\" }" },
		{ "1.000000005", "sys_enter", "{ _length = 56, id = 257, args = [ [0] = 0, " },
		{ "1.000000006", "timer_start", "expires = 4294967296, now = 0, flags = 5 }" },
		{ "1.000000007", "flag", "{ flag = 1, " },
		{ "1.000000008", "nothing", "{ _length = 4, " },
		{ "1.000000009", "tick", "{ value = 1234567 }" },
		{ "1.000000010", "tring_discarded", "{ skip = 0, " },
		{ "1.000000011", "tring_discarded", "{ skip = 34, skipped = \"\" }" },
		{ "1.000000012", "tring_discarded", "{ skip = 88, skipped = \"\" }" },
		{ "2.073741834", "tring_discarded", "{ skip = 8, skipped = \"\" }" },
		{ "3.500000000", "tick", "{ _length = 8, value = 99 }" },
		{ "3.500000001", "tick", "{ value = 0 }" },
		{ "3.500000002", "tick", "{ value = 0 }" },
		{ "3.500000003", "flag", "{ flag = 0, " },
		{ "3.500000004", "kinds", "{ _length = 88, " },
		{ "3.500000005", "tick", "{ value = 0 }" },
		{ "3.500000006", "dyn_sizes", "{ _length = 36, " },
		{ "3.500000007", "kinds", "id = 0 }" },
	};
	char *found[COUNT(lines)];
	size_t i;

	for (i = 0; i < COUNT(lines); i++) {
		char *line = strsep(&text, "\n");
		char *name = make_path(" %s: { cpu_id = 2 }, ",
				       lines[i].name);

		CHECK(line);
		found[i] = line;
		check_has(line, lines[i].stamp);
		check_has(line, name);
		check_has(line, lines[i].fields);
		free(name);
	}
	CHECK(!*text);
	check_sizes(found[0], order);
	check_kinds(found[2]);
	check_switch(found[3]);
	check_fields(found[14], 1, "_length = 8, ");
	check_contexts(found + 15);
}

static void check_order(bool order)
{
	char *dir = make_path("%s/%s", temp_dir(), order ? "be" : "le");
	char *output;
	uint8_t *payload;

	make_trace(dir, order);
	build_init(&builder, order, 2);
	build_begin(&builder, STAMP);
	write_sizes(STAMP);
	write_relative(STAMP + 1);
	write_kinds(STAMP + 2);
	write_real(STAMP + 3);
	write_short(STAMP + 7);
	write_discarded(STAMP + 10);
	build_end(&builder);
	build_begin(&builder, 3 * STAMP);
	/* extended, although the event has a short id */
	payload = build_record(&builder, 3500000000, 342, 1, 16);
	put_u64(payload + 8, 99, order);
	write_contexts(3500000001);
	build_end(&builder);
	build_write(&builder, dir);

	/* run() captures stderr, too, so a warning changes the output */
	output = output_of(0, "babeltrace2 --clock-seconds --clock-offset=-1700000000 %s", dir);
	check_output(output, order);
}

int main(void)
{
	if (!have("babeltrace2")) {
		printf("babeltrace2 is not installed\n");
		return SKIPPED;
	}
	check_order(false);
	check_order(true);
	return 0;
}
