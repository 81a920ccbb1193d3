// SPDX-License-Identifier: GPL-2.0
/* Description: of too many begins without an end the oldest ones are forgotten. */
#include "stats/match.h"
#include "stats/top_walk.h"
#include "top_trace.h"

#define SECOND		1000000000ull
#define TASKS		20
#define OPEN_MOST	8

/* Each task is woken, a second apart, and they all run from the 100th second on. */
static void make(const char *dir)
{
	static struct builder packets;
	unsigned int i;

	build_init(&packets, false, 0);
	build_begin(&packets, 1 * SECOND);
	for (i = 1; i <= TASKS; i++)
		top_waking(&packets, i * SECOND, 0, i);
	for (i = 1; i <= TASKS; i++)
		top_change(&packets, (100 + i) * SECOND, 500, 1, i);
	build_end(&packets);
	top_make(dir, false);
	top_write(dir, &packets, 2 * TASKS, 0, 0);
}

static void measure(const char *dir, size_t open_most, uint64_t known, uint64_t most)
{
	struct tring_latency latency = { .slow_most = 1, .open_most = open_most };
	struct tring_wanted every = { .size = sizeof(every), .every = true };
	const struct tring_left_out left_out = { 0 };
	struct tring_trace *trace;
	struct tring_pair pair;
	struct tring_item item;
	char *text;

	CHECK(tring_pair_find(&pair, "wakeup", &text));
	CHECK(!tring_open(&trace, dir, NULL));
	CHECK(tring_pair_bind(&latency.pair, &pair, trace));
	CHECK(!tring_select(trace, &every));
	tring_latency_init(&latency, trace, &left_out);
	while (tring_next(trace, &item) > 0)
		tring_latency_take(&latency, &item);
	tring_latency_end(&latency);
	CHECK_EQ(latency.all.timing.count, known);
	CHECK_EQ(latency.all.timing.total, known * 100 * SECOND);
	CHECK_EQ(latency.begins.lost, TASKS - known);
	CHECK_EQ(latency.ends.alone, TASKS - known);
	CHECK_EQ(latency.slow[0].ns, most);
	tring_latency_free(&latency);
	tring_pair_free(&latency.pair);
	tring_close(trace);
}

int main(void)
{
	char *dir = make_path("%s/trace", temp_dir());

	make(dir);
	measure(dir, 0, TASKS, 100 * SECOND);
	/* of 1 to 8, 5 to 8 are kept; of 5 to 12, 9 to 12; of 9 to 16, 13 to 16 */
	measure(dir, OPEN_MOST, OPEN_MOST, 100 * SECOND);
	return 0;
}
