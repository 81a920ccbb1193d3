// SPDX-License-Identifier: GPL-2.0
/* Description: what a kernel has behind the first 8 bytes of an event is read as a field. */
#include "helpers.h"

static struct builder builder;

/* As on a real-time 6.1: events begin with 12 bytes, of which 9 are used. */
#define FORMAT	"name: kinds\nID: 347\nformat:\n" \
	COMMON_FIELDS \
	"\tfield:unsigned char common_preempt_lazy_count;\toffset:8;\tsize:1;\tsigned:0;\n" \
	"\n" \
	"\tfield:int x;\toffset:12;\tsize:4;\tsigned:1;\n" \
	"\nprint fmt: \"x=%d lazy=%d\", REC->x, REC->common_preempt_lazy_count\n"

static void expect(const char *dir, const char *program, const char *text)
{
	char *output = output_of(0, "%s %s 2>&1", program, dir);

	wants(output, text);
	CHECK(!strstr(output, "WARNING"));
}

int main(void)
{
	const char *dir = temp_dir();
	char *path = make_path("%s/tring/events/testing/kinds/format", dir);
	uint8_t *payload;

	make_trace(dir, false);
	write_text(path, FORMAT);
	write_metadata(dir, false);
	build_init(&builder, false, 0);
	build_begin(&builder, 1000);
	payload = build_record(&builder, 1000, 347, 1, 16);
	payload[8] = 3;
	put_u32(payload + 12, -77, false);
	build_end(&builder);
	build_write(&builder, dir);

	expect(dir, "$TRING report", "x=-77 lazy=3");
	expect(dir, "babeltrace2", "common_preempt_lazy_count = 3, _pad0 = 0x0, x = -77");
	return 0;
}
