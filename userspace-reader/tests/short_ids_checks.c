// SPDX-License-Identifier: GPL-2.0
/* Description: short_ids is accepted as a whole or not at all, and must agree with the formats. */
#include "helpers.h"
#include "event/events.h"
#include "trace/short_ids.h"

/* Lines of some fixture events. */
#define PRINT		"1 5 ftrace:print -\n"
#define SWITCH		"2 319 sched:sched_switch 56\n"
#define FLAG		"28 344 testing:flag 4\n"

static void check_good(void)
{
	struct tring_short_ids shorts;

	CHECK_EQ(tring_short_ids_parse(&shorts, "", "test"), 0);
	CHECK_EQ(tring_short_ids_find(&shorts, 5), 0);
	/* the last newline may be missing */
	CHECK_EQ(tring_short_ids_parse(&shorts, SWITCH PRINT
				       "4 6 - -\n28 65503 a:b 254", "test"), 0);
	CHECK_EQ(shorts.ids[4], 6);
	CHECK_EQ(shorts.ids[1], 5);
	CHECK_EQ(shorts.lengths[1], TRING_LENGTH_VARIES);
	CHECK_EQ(shorts.ids[2], 319);
	CHECK_EQ(shorts.lengths[2], 56);
	CHECK_EQ(shorts.ids[3], 0);
	CHECK_EQ(shorts.lengths[3], 0);
	CHECK_EQ(shorts.ids[28], 65503);
	CHECK_EQ(shorts.lengths[28], 254);
	CHECK_EQ(tring_short_ids_find(&shorts, 5), 1);
	CHECK_EQ(tring_short_ids_find(&shorts, 65503), 28);
	CHECK_EQ(tring_short_ids_find(&shorts, 7), 0);
}

static void check_bad(void)
{
	static const char * const bad[] = {
		"0 5 ftrace:print -\n",
		"29 5 ftrace:print -\n",
		"-1 5 ftrace:print -\n",
		"1x 5 ftrace:print -\n",
		"1 0 ftrace:print -\n",
		"1 65504 ftrace:print -\n",
		"1 18446744073709551621 ftrace:print -\n",
		"1 5 print -\n",
		"1 5 :print -\n",
		"1 5 ftrace: -\n",
		"1 5 a:b:c -\n",
		"1 5 -- -\n",
		"1 5 ftrace:print\n",
		"1 5 ftrace:print - -\n",
		"1 5 ftrace:print - 4\n",
		" 1 5 ftrace:print -\n",
		"1  5 ftrace:print -\n",
		"1 5 ftrace:print 3\n",
		"1 5 ftrace:print 255\n",
		"1 5 ftrace:print 4x\n",
		"1 5 ftrace:print --\n",
		"\n",
		PRINT "\n" SWITCH,
		PRINT PRINT,
		PRINT "1 6 ftrace:bprint -\n",
		PRINT "2 5 ftrace:print -\n",
	};
	struct tring_short_ids shorts;
	size_t i;

	for (i = 0; i < COUNT(bad); i++) {
		if (tring_short_ids_parse(&shorts, bad[i], "test"))
			continue;
		fprintf(stderr, "taken: %s\n", bad[i]);
		exit(1);
	}
}

static void check_formats(void)
{
	static const struct {
		const char *text;
		bool good;
	} cases[] = {
		{ PRINT SWITCH FLAG, true },
		/* an event without a format */
		{ "9 9999 not:here 12\n", true },
		{ "1 5 ftrace:print 8\n", false },
		{ "2 319 sched:sched_switch 55\n", false },
		{ "2 319 sched:sched_switch -\n", false },
		{ "2 342 testing:tick 12\n", false },
		/* events with one byte of fields and with none; a record has at least four */
		{ "3 344 testing:flag 5\n", false },
		{ "3 343 testing:nothing 4\n", true },
		{ "4 346 testing:rel -\n", true },
		{ "4 346 testing:rel 12\n", false },
	};
	char *formats = make_path("%s/golden/formats", test_env("TRING_TESTS"));
	struct tring_short_ids shorts;
	struct tring_events events;
	size_t i;

	CHECK_EQ(tring_events_init(&events), 0);
	CHECK_EQ(tring_events_add_all(&events, formats), 0);
	for (i = 0; i < COUNT(cases); i++) {
		CHECK_EQ(tring_short_ids_parse(&shorts, cases[i].text,
					       "test"), 0);
		CHECK_EQ(!tring_short_ids_check(&shorts, &events, "test"),
			 cases[i].good);
	}
	tring_events_free(&events);
}

static void check_update(void)
{
	struct tring_short_ids shorts = { 0 }, newer;

	CHECK_EQ(tring_short_ids_parse(&newer, PRINT SWITCH, "test"), 0);
	CHECK_EQ(tring_short_ids_update(&shorts, &newer, "test"), 0);
	CHECK_EQ(tring_short_ids_parse(&newer, PRINT SWITCH FLAG, "test"), 0);
	CHECK_EQ(tring_short_ids_update(&shorts, &newer, "test"), 0);
	CHECK_EQ(shorts.ids[28], 344);
	/* a changed line would make packets that were read before ambiguous */
	CHECK_EQ(tring_short_ids_parse(&newer, PRINT SWITCH, "test"), 0);
	CHECK(tring_short_ids_update(&shorts, &newer, "test"));
	CHECK_EQ(tring_short_ids_parse(&newer, PRINT FLAG
				       "2 342 testing:tick 8\n", "test"), 0);
	CHECK(tring_short_ids_update(&shorts, &newer, "test"));
	CHECK_EQ(tring_short_ids_parse(&newer, PRINT FLAG
				       "2 319 sched:sched_switch -\n",
				       "test"), 0);
	CHECK(tring_short_ids_update(&shorts, &newer, "test"));
	CHECK_EQ(shorts.ids[2], 319);
}

int main(void)
{
	check_good();
	check_bad();
	check_formats();
	check_update();
	return 0;
}
