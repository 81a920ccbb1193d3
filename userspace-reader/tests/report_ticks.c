// SPDX-License-Identifier: GPL-2.0
/* Description: times in the kernel's ticks are printed in milliseconds. */
#include "helpers.h"

#define FORMAT	"name: kinds\nID: 347\nformat:\n" \
	COMMON_FIELDS "\n" \
	"\tfield:unsigned long wait;\toffset:8;\tsize:8;\tsigned:0;\n" \
	"\nprint fmt: \"waited %u ms\", jiffies_to_msecs(REC->wait)\n"

static struct builder builder;

/* @frequency: the line of trace_info */
static void check(const char *frequency, uint64_t ticks, const char *text)
{
	const char *dir = temp_dir();
	char *format = make_path("%s/tring/events/testing/kinds/format", dir);
	char *info = make_path("%s/tring/trace_info", dir);

	make_trace(dir, false);
	write_text(format, FORMAT);
	build_init(&builder, false, 0);
	build_begin(&builder, 1000);
	put_u64(build_record(&builder, 1000, 347, 1, 16) + 8, ticks, false);
	build_end(&builder);
	build_write(&builder, dir);
	check_run(0, text, "sed -i '/^tick_/d' %s; printf '%s' >>%s; $TRING report %s", info,
		  frequency, info, dir);
}

int main(void)
{
	check("tick_frequency=250\\n", 30, "waited 120 ms\n");
	check("tick_frequency=300\\n", 1, "waited 4 ms\n");
	check("tick_frequency=1000\\n", UINT64_MAX, "waited 4294967295 ms\n");
	check("", 30, "waited 30 ms\n");
	return 0;
}
