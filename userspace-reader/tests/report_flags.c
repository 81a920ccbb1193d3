// SPDX-License-Identifier: GPL-2.0
/* Description: flags behind a mask of several bits are printed as the kernel prints them. */
#include "helpers.h"
#include "util/fold.h"

static struct builder builder;

static void write_timer(uint64_t stamp, uint32_t flags)
{
	uint8_t *payload = build_record(&builder, stamp, 384, 100, 44);

	memset(payload + 8, 0, 36);
	put_u32(payload + 40, flags, false);
}

static void check_fold(const char *text, const char *wanted)
{
	char *copy = make_path("\nprint fmt:%s", text);
	char *expected = make_path("\nprint fmt:%s", wanted);

	tring_fold_constants(copy, 8);
	check_equal(copy, expected, text);
}

int main(void)
{
	static const struct {
		uint32_t flags;
		const char *text;
	} timers[] = {
		{ 0, " idx=0 flags=\n" },
		{ 0x40000000, " idx=256 flags=\n" },
		{ 0x00080000, " idx=0 flags=D\n" },
		{ 0x00240003, " cpu=3 idx=0 flags=M|I\n" },
		{ 0x003c0000, " idx=0 flags=M|D|P|I\n" },
	};
	char *dir = make_path("%s/trace", temp_dir());
	char *output, *at;
	unsigned int i;

	make_trace(dir, false);
	build_init(&builder, false, 0);
	build_begin(&builder, 1000);
	/* more often than each event is printed by libtraceevent as a check */
	for (i = 0; i < 8 * COUNT(timers); i++)
		write_timer(1000 + i, timers[i % COUNT(timers)].flags);
	build_end(&builder);
	build_write(&builder, dir);
	output = output_of(0, "$TRING report %s", dir);
	for (i = 0, at = output; i < 8 * COUNT(timers); i++) {
		char *end = strchr(at, '\n');

		CHECK(end);
		if (strncmp(end + 1 - strlen(timers[i % COUNT(timers)].text),
			    timers[i % COUNT(timers)].text,
			    strlen(timers[i % COUNT(timers)].text)))
			fail(at, i, timers[i % COUNT(timers)].text);
		at = end + 1;
	}
	CHECK(!*at);

	check_fold("\"(1 | 2)\", a & (0x1 | 0x2)", "\"(1 | 2)\", a & 0x3        ");
	check_fold("\"\\\"\", (1UL|2 | 4ULL)+1", "\"\\\"\", 0x7           +1");
	check_fold("f(1 | 2), (1 || 2), (REC->a | 2), (1 | REC->a), (1 | 2",
		   "f(1 | 2), (1 || 2), (REC->a | 2), (1 | REC->a), (1 | 2");
	check_fold("REC->n / sizeof(int), sizeof(unsigned long) + sizeof(u8 *), my_sizeof(int)",
		   "REC->n / 4          , 8                     + 8           , my_sizeof(int)");
	check_fold("sizeof(struct x), sizeof(REC->a), \"sizeof(int)\"",
		   "sizeof(struct x), sizeof(REC->a), \"sizeof(int)\"");
	return 0;
}
