// SPDX-License-Identifier: GPL-2.0
/* Description: counters are parsed, losses named by reason, imbalances reported. */
#include "helpers.h"
#include "tracefs/stats.h"

#define GOOD	"reserved: 110\ncommitted: 100\ndiscarded: 9\nopen: 1\n"	\
		"read: 60\noverwritten: 30\nremaining: 10\n"		\
		"committed_bytes: 1000\nread_bytes: 600\n"		\
		"overwritten_bytes: 300\nremaining_bytes: 100\n"	\
		"refused_no_room: 5\nrefused_off: 1000\n"		\
		"refused_of_another_kind: 2\n"

#define BEFORE	"reserved: 100\ncommitted: 100\ndiscarded: 0\nopen: 0\n"	\
		"read: 90\noverwritten: 0\nremaining: 10\n"		\
		"committed_bytes: 1000\nread_bytes: 900\n"		\
		"overwritten_bytes: 0\nremaining_bytes: 100\nsnapshot: 10\n"

#define AFTER	"reserved: 150\ncommitted: 150\ndiscarded: 0\nopen: 0\n"	\
		"read: 150\noverwritten: 0\nremaining: 0\n"		\
		"committed_bytes: 1500\nread_bytes: 1500\n"		\
		"overwritten_bytes: 0\nremaining_bytes: 0\nsnapshot: 0\n"

static void check_text(char *text, const char *wanted)
{
	CHECK(text);
	check_equal(text, wanted, "the table");
	free(text);
}

int main(void)
{
	struct tring_stats stats, start;
	uint64_t value;
	char *wrong;
	size_t i;

	CHECK_EQ(tring_stats_parse(&stats, GOOD), 0);
	CHECK(tring_stats_get(&stats, "refused_of_another_kind", &value));
	CHECK_EQ(value, 2);
	CHECK(!tring_stats_get(&stats, "no_such", &value));
	for (i = 0; i < TRING_LEDGER_LINES; i++)
		CHECK(!tring_ledger_check(&stats, i));
	CHECK_EQ(tring_stats_lost(&stats), 37);
	CHECK_EQ(tring_stats_parse(&start, GOOD "snapshot: 0\noverwritten_snapshot: 20\n"), 0);
	CHECK_EQ(tring_stats_lost(&start), 17);
	CHECK_EQ(tring_stats_taken(&start), 20);
	check_text(tring_stats_losses(&start),
		   "overwritten 10, no_room 5, of_another_kind 2, snapshot 20");
	check_text(tring_stats_losses(&stats),
		   "overwritten 30, no_room 5, of_another_kind 2");

	CHECK_EQ(tring_stats_parse(&start, "read: 20\noverwritten: 30\nremaining: 13\n"), 0);
	tring_stats_subtract(&stats, &start);
	CHECK_EQ(tring_stats_value(&stats, "read"), 40);
	CHECK_EQ(tring_stats_value(&stats, "overwritten"), 0);
	CHECK_EQ(tring_stats_value(&stats, "remaining"), -3);
	wrong = tring_ledger_check(&stats, 1);
	CHECK(wrong && strstr(wrong, "100 is not 40 + 0 + -3, off by +63"));
	free(wrong);

	/* a snapshot existed before the recording and was read during it */
	CHECK_EQ(tring_stats_parse(&start, BEFORE), 0);
	CHECK_EQ(tring_stats_parse(&stats, AFTER), 0);
	tring_stats_subtract(&stats, &start);
	for (i = 0; i < TRING_LEDGER_LINES; i++)
		CHECK(!tring_ledger_check(&stats, i));

	CHECK_EQ(tring_stats_parse(&stats, "read: 1\nnonsense\n"), 2);
	CHECK_EQ(tring_stats_parse(&stats, "read: 1x\n"), 1);
	CHECK_EQ(tring_stats_parse(&stats, "read 1\n"), 1);
	CHECK_EQ(tring_stats_parse(&stats, "read: 1\n"), 0);
	check_text(tring_ledger_check(&stats, 0),
		   "there is no counter \"reserved\"");
	return 0;
}
