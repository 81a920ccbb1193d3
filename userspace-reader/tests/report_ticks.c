// SPDX-License-Identifier: GPL-2.0
/* Description: times in the kernel's ticks are printed in milliseconds. */
#include "helpers.h"

#define FORMAT	"name: kinds\nID: 347\nformat:\n" \
	COMMON_FIELDS "\n" \
	"\tfield:unsigned long wait;\toffset:8;\tsize:8;\tsigned:0;\n" \
	"\nprint fmt: \"waited %u ms\", jiffies_to_msecs(REC->wait)\n"

static struct builder builder;

/* @frequency: the line of trace_info; Return: the trace */
static const char *make(const char *name, const char *frequency, uint64_t ticks)
{
	const char *dir = make_path("%s/%s", temp_dir(), name);
	char *format = make_path("%s/tring/events/testing/kinds/format", dir);
	char *info = make_path("%s/tring/trace_info", dir);

	make_trace(dir, false);
	write_text(format, FORMAT);
	build_init(&builder, false, 0);
	build_begin(&builder, 1000);
	put_u64(build_record(&builder, 1000, 347, 1, 16) + 8, ticks, false);
	build_end(&builder);
	build_write(&builder, dir);
	check_run(0, "", "sed -i '/^tick_/d' %s; printf '%s' >>%s", info, frequency, info);
	return dir;
}

static void check(const char *frequency, uint64_t ticks, const char *text)
{
	check_run(0, text, "$TRING report %s", make("trace", frequency, ticks));
}

/* A host and its guest may have two frequencies. */
static void check_two(void)
{
	const char *host = make("host", "tick_frequency=1000\\n", 30);
	const char *guest = make("guest", "tick_frequency=100\\n", 30);

	check_run(0, "waited 30 ms\nwaited 300 ms\n", "$TRING report %s %s | grep -o waited.*",
		  host, guest);
	check_run(0, "waited 300 ms\nwaited 30 ms\n", "$TRING report %s %s | grep -o waited.*",
		  guest, host);
}

int main(void)
{
	check("tick_frequency=250\\n", 30, "waited 120 ms\n");
	check("tick_frequency=300\\n", 1, "waited 4 ms\n");
	check("tick_frequency=1000\\n", UINT64_MAX, "waited 4294967295 ms\n");
	check("tick_frequency=864\\n", 1, "waited 2 ms\n");
	check("", 30, "waited 30 ms\n");
	check_two();
	return 0;
}
