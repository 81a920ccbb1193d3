// SPDX-License-Identifier: GPL-2.0
/* Description: a clock whose zero is further away than 64 bits of nanoseconds is converted. */
#include "helpers.h"
#include "util/clock.h"

static const struct {
	const char *frequency, *offset, *epoch;
} clocks[] = {
	{ "1", "9223372036854775807", "9223372036854775807" },
	{ "1", "-9223372036854775808", "-9223372036854775808" },
	{ "1000000000", "9223372036854775807", "9223372036854775807" },
	{ "1000000000", "-9223372036854775808", "-9223372036854775808" },
	{ "3", "-9223372036854775807", "-9223372036854775808" },
	{ "9223372036854775807", "-9223372036854775808", "-1000000001" },
};

static const char * const formats[] = { "perfetto", "ctf", "parquet", "trace.dat" };

static struct builder builder;

static void write_info(const char *dir, size_t at)
{
	char *path = make_path("%s/tring/trace_info", dir), *text = info_text(false), *changed;
	char *rate = strstr(text, "clock_frequency="), *offset = strstr(text, "clock_offset=");

	CHECK(rate && offset && rate < offset);
	changed = make_path("%.*sclock_frequency=%s\nclock_offset=%s%s", (int)(rate - text), text,
			    clocks[at].frequency, clocks[at].offset, strchr(offset, '\n'));
	write_text(path, changed);
	free(changed);
	free(text);
	free(path);
}

int main(void)
{
	char *dir = make_path("%s/trace", temp_dir()), *path = make_path("%s/cpu0", dir), *wanted;
	size_t i, j;

	make_trace(dir, false);
	build_init(&builder, false, 0);
	build_packet(&builder, 1000, 1);
	build_packet(&builder, UINT64_MAX / 2, 1);
	write_file(path, builder.bytes, builder.size);
	for (i = 0; i < COUNT(clocks); i++) {
		write_info(dir, i);
		wanted = make_path("\"epoch_offset\":%s}\n", clocks[i].epoch);
		check_run(0, wanted, "$TRING report --json %s", dir);
		free(wanted);
		for (j = 0; j < COUNT(formats); j++) {
			check_run(0, "",
				  "rm -rf %1$s.out; $TRING convert --to %2$s -o %1$s.out %1$s",
				  dir, formats[j]);
		}
	}
	CHECK_EQ(tring_wall_ns(&(struct tring_wall) { -1, 500000000 }), (uint64_t)-500000000);
	free(path);
	free(dir);
	return 0;
}
