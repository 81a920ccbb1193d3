// SPDX-License-Identifier: GPL-2.0
/* Description: report says once that the clock was set, or found unstable, during the trace. */
#include "helpers.h"

#define SET_BACK	"the clock mono was set back by 3600.000000 s"
#define SET_FORWARD	"the clock mono was set forward by 0.500000 s"
#define SLEPT		"the machine slept for 12.500000 s, which the clock mono does not count"
#define UNSTABLE	"the kernel found the clock mono unstable"

static struct builder builder;

static void write_cpu(const char *dir, unsigned int cpu, const char *end)
{
	char *counters = make_path("read: 1\n%s", end);

	build_init(&builder, false, cpu);
	build_packet(&builder, 1500000000, 1);
	build_write(&builder, dir);
	write_text(make_path("%s/tring/cpu%u.start", dir, cpu), "read: 0\n");
	write_text(make_path("%s/tring/cpu%u.end", dir, cpu), counters);
}

static void check(const char *name, const char *end, const char *wanted)
{
	static const char * const all[] = { SET_BACK, SET_FORWARD, SLEPT, UNSTABLE };
	char *dir = make_path("%s/%s", temp_dir(), name);
	char *output, *at;
	size_t i;

	make_trace(dir, false);
	write_cpu(dir, 0, end);
	write_cpu(dir, 1, end);
	output = output_of(0, "$TRING report %s 2>&1", dir);
	for (i = 0; i < COUNT(all); i++) {
		at = strstr(output, all[i]);
		CHECK_EQ(!!at, all[i] == wanted);
		CHECK(!at || !strstr(at + 1, all[i]));
	}
}

int main(void)
{
	check("steady", "clock_set_back: 0\nclock_set_forward: 0\nclock_unreliable: 0\n", NULL);
	check("older", "overwritten: 0\n", NULL);
	check("back", "clock_set_back: 3600000000000\nclock_set_forward: 0\n", SET_BACK);
	check("forward", "clock_set_back: 0\nclock_set_forward: 500000000\n", SET_FORWARD);
	check("slept", "clock_missed_ns: 12500000000\nclock_unreliable: 0\n", SLEPT);
	check("unstable", "clock_unreliable: 1\n", UNSTABLE);
	return 0;
}
