// SPDX-License-Identifier: GPL-2.0
/* Description: a task that has an empty name is not printed with an earlier one. */
#include "helpers.h"

static struct builder builder;

int main(void)
{
	char *dir = make_path("%s/trace", temp_dir());
	uint8_t *payload;
	char *output;

	make_trace(dir, false);
	build_init(&builder, false, 0);
	build_begin(&builder, 1000);
	/* saved_cmdlines calls it "one" */
	build_record(&builder, 1000, 342, 101, 16);
	payload = build_record(&builder, 1001, 319, 100, 64);
	memset(payload + 8, 0, 56);
	strcpy((char *)payload + 8, "zero");
	put_u32(payload + 24, 100, false);
	put_u32(payload + 56, 101, false);
	build_record(&builder, 1002, 342, 101, 16);
	build_end(&builder);
	build_write(&builder, dir);
	output = output_of(0, "$TRING report %s", dir);
	CHECK(strstr(output, "             one-101     [000]"));
	CHECK(strstr(output, "\n                -101     [000]"));
	return 0;
}
