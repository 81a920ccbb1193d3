// SPDX-License-Identifier: GPL-2.0
/* Description: stacks are printed with all their addresses, also by babeltrace2, and checked. */
#include <unistd.h>

#include "helpers.h"

#define COMMON	"\nformat:\n" \
	COMMON_FIELDS "\n"
#define CALLERS	"\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n\n" \
	"print fmt: \"\\t=> %ps\\n\\t=> %ps\\n\\t=> %ps\\n\" \"\\t=> %ps\\n\\t=> %ps\\n" \
	"\\t=> %ps\\n\" \"\\t=> %ps\\n\\t=> %ps\\n\", (void *)REC->caller[0], " \
	"(void *)REC->caller[1], (void *)REC->caller[2], (void *)REC->caller[3], " \
	"(void *)REC->caller[4], (void *)REC->caller[5], (void *)REC->caller[6], " \
	"(void *)REC->caller[7]\n"
#define KERNEL_STACK	"name: kernel_stack\nID: 4" COMMON \
	"\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n" CALLERS
#define USER_STACK	"name: user_stack\nID: 12" COMMON \
	"\tfield:unsigned int tgid;\toffset:8;\tsize:4;\tsigned:0;\n" CALLERS
#define KALLSYMS	"ffffffff81000000 T outer\nffffffff81000100 T inner\n" \
	"ffffffff81000200 T last\n"

#define INNER	0xffffffff81000123ull
#define OUTER	0xffffffff81000045ull

static struct builder builder;

/* The innermost function, and outer() for each other one. @size is what the record says. */
static void add(uint64_t stamp, uint16_t id, uint32_t size, unsigned int count,
		unsigned int filled)
{
	uint8_t *payload = build_record(&builder, stamp, id, 1, 16 + 8 * count);
	bool order = builder.big_endian;
	unsigned int i;

	memset(payload + TRING_PAYLOAD_HEAD, 0, 8 + 8 * count);
	put_u32(payload + 8, size, order);
	for (i = 0; i < filled; i++)
		put_u64(payload + 16 + 8 * i, i ? OUTER : INNER, order);
}

static void write_format(const char *dir, const char *name, const char *text)
{
	write_text(make_path("%s/tring/events/ftrace/%s/format", dir, name), text);
}

static char *make(const char *name, bool order)
{
	char *dir = make_path("%s/%s", temp_dir(), name);

	make_trace(dir, order);
	write_format(dir, "kernel_stack", KERNEL_STACK);
	write_format(dir, "user_stack", USER_STACK);
	write_text(make_path("%s/tring/kallsyms", dir), KALLSYMS);
	write_metadata(dir, order);
	build_init(&builder, order, 0);
	build_begin(&builder, 1000);
	return dir;
}

static void finish(const char *dir)
{
	build_end(&builder);
	build_write(&builder, dir);
}

/* Padded as the name of each event. */
#define NAME_OF_STACK	": kernel_stack:         "
#define BEGIN_OF_LINE	"  "
#define OUTERS_7	"\t=> outer\n\t=> outer\n\t=> outer\n\t=> outer\n\t=> outer\n" \
			"\t=> outer\n\t=> outer\n"

static void check_good(bool order)
{
	char *dir = make(order ? "be" : "le", order), *output;

	add(1000, 4, 10, 10, 10);
	add(1001, 4, 2, 2, 2);
	add(1002, 4, 0, 0, 0);
	add(1003, 12, 77, 8, 3);
	/* a program with eight */
	add(1004, 12, 77, 8, 8);
	finish(dir);
	output = output_of(0, "$TRING report %s", dir);
	wants(output, NAME_OF_STACK "\t=> inner\n" OUTERS_7 "\t=> outer\n\t=> outer\n ");
	wants(output, NAME_OF_STACK "\t=> inner\n\t=> outer\n ");
	wants(output, NAME_OF_STACK "\n" BEGIN_OF_LINE);
	wants(output, ": user_stack:           \t=> inner\n\t=> outer\n\t=> outer\n ");
	wants(output, ": user_stack:           \t=> inner\n" OUTERS_7);
	if (!run("command -v babeltrace2", &output)) {
		output = output_of(0, "babeltrace2 %s", dir);
		wants(output, "size = 10, _pad0 = 0x0, caller = [ [0] = 0xFFFFFFFF81000123, ");
		wants(output, "[9] = 0xFFFFFFFF81000045 ] }\n");
		wants(output, "[0] = 0xFFFFFFFF81000123, [1] = 0xFFFFFFFF81000045 ] }\n");
		wants(output, "size = 0, _pad0 = 0x0, caller = [ ] }\n");
		wants(output, "tgid = 77, ");
	}
}

/* What no kernel writes. */
static void check_bad(uint32_t size, unsigned int count)
{
	char *name = make_path("bad-%u-%u", size, count), *dir = make(name, false), *output;

	add(1000, 4, size, count, count);
	finish(dir);
	output = output_of(1, "$TRING report %s", dir);
	wants(output, "id 4: the number of addresses does not fit the payload\n");
	wants(output, ": kernel_stack:         [id 4, ");
}

int main(void)
{
	check_good(false);
	check_good(true);
	check_bad(9, 10);
	check_bad(11, 10);
	check_bad(UINT32_MAX, 3);
	check_bad(0x20000003, 3);
	return 0;
}
