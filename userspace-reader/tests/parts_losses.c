// SPDX-License-Identifier: GPL-2.0
/* Description: babeltrace2 reads parts that begin or end with a loss, and tells of each. */
#include <sys/stat.h>
#include <unistd.h>

#include "helpers.h"
#include "record/drain.h"

#define PACKETS	3
#define LOST	321

static struct builder builder;

/* The next part of a recording of one CPU. @told: losses of the parts before; @lost: of all */
static void record_part(const char *dir, unsigned int events, uint64_t told, uint64_t lost)
{
	struct tring_drain drain;
	unsigned int i;
	int fds[2];

	builder.size = 0;
	for (i = 0; i < PACKETS; i++)
		build_packet(&builder, 1000 * (builder.seq + 1), events);
	CHECK(!pipe(fds));
	CHECK_EQ(write(fds[1], builder.bytes, builder.size), builder.size);
	close(fds[1]);
	make_trace(dir, false);
	tring_drain_init(&drain, 0, fds[0], make_path("%s/cpu0", dir));
	drain.told = told;
	CHECK_EQ(tring_drain_finish(&drain), 0);
	CHECK_EQ(tring_drain_note_losses(&drain, lost - told), 0);
	tring_drain_close(&drain);
}

/*
 * babeltrace2 orders the packets of all parts by where they begin, but for those of one part. A
 * packet of one event begins where it ends. @noted: the losses are known when the second part
 * ends, and else when it has begun
 */
static void check(const char *name, unsigned int events, bool noted)
{
	char *trace = make_path("%s/%s", temp_dir(), name);

	CHECK(!mkdir(trace, 0755));
	build_init(&builder, false, 0);
	record_part(make_path("%s/000001", trace), events, 0, 0);
	builder.discarded = noted ? 0 : LOST;
	record_part(make_path("%s/000002", trace), events, 0, LOST);
	builder.discarded = LOST;
	record_part(make_path("%s/000003", trace), events, LOST, LOST);

	check_run(0, make_path("Tracer discarded %u events", LOST), "babeltrace2 %s 2>&1", trace);
	CHECK_EQ(count_of("babeltrace2 %s 2>&1 | grep -c 'Tracer '", trace), 1);
	CHECK_EQ(count_of("babeltrace2 %s 2>/dev/null | grep -c ' tick: '", trace),
		 3 * PACKETS * events);
	CHECK_EQ(count_of("$TRING report %s 2>&1 | grep -c 'LOST %u EVENTS'", trace, LOST), 1);
}

int main(void)
{
	unsigned int events;

	if (!have("babeltrace2")) {
		printf("babeltrace2 is not installed\n");
		return SKIPPED;
	}
	for (events = 1; events <= 22; events += 21) {
		check(make_path("before%u", events), events, false);
		check(make_path("behind%u", events), events, true);
	}
	return 0;
}
