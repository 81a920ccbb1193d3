// SPDX-License-Identifier: GPL-2.0
/* Description: filters compare fields as the kernel means them, and faults are shown in place. */
#include "helpers.h"
#include "read/filter.h"

#define CPU	3

static struct tring_events events;
static struct tring_names names;
static bool order;

static const struct tring_event *find(const char *name)
{
	size_t i;

	for (i = 0; i < events.count; i++)
		if (!strcmp(events.list[i]->name, name))
			return events.list[i];
	fail(name, 0, "no such event");
}

static void check(const struct tring_record *record, const char *event, const char *text,
		  bool matches)
{
	struct tring_filter filter;

	if (!tring_filter_compile(&filter, &events, text))
		fail(text, filter.fault.at, filter.fault.why);
	if (tring_filter_matches(&filter, find(event), record, CPU, &names) != matches)
		fail(text, 0, matches ? "does not match" : "matches");
	tring_filter_free(&filter);
}

static void check_switch(void)
{
	static const char * const true_ones[] = {
		"sched_switch", "sched", "sched/sched_switch", " sched_sw* ", "tick,sched_switch",
		"sched_switch: prev_prio < 0", "sched_switch: prev_prio == -5",
		"sched_switch: prev_prio > -6 && prev_prio<=-5", "sched_switch:!(prev_prio >= 0)",
		"sched_switch: ! prev_prio == 5", "sched_switch: prev_pid & 1 == 1",
		"sched_switch: prev_pid << 1 == 0xca", "sched_switch: prev_pid * 2 + 1 == 203",
		"sched_switch: prev_pid - 102 < 0", "sched_switch: prev_pid % 10 == 1",
		"sched_switch: prev_prio / 2 == -2", "sched_switch: prev_prio % 2 == -1",
		"sched_switch: next_pid > prev_pid", "sched_switch: 100 < prev_pid",
		"sched_switch: prev_state == 0xffffffffffffffff >> 62",
		"sched_switch: prev_pid", "sched_switch: prev_pid | 2 == 103",
		"sched_switch: prev_pid ^ 1 == 100", "sched_switch: prev_pid == 0145",
		"sched_switch: prev_comm == \"abc\"", "sched_switch: prev_comm != 'ab'",
		"sched_switch: prev_comm =~ \"^A.c$\"", "sched_switch: prev_comm !~ \"b$\"",
		"sched_switch: prev_comm ~ \"a*\" && !(prev_comm ~ \"b*\")",
		"sched_switch: next_comm == 'sixteen letters '",
		"sched_switch: COMM == 'named' && CPU == 3",
		"sched_switch: comm == 'named' && cpu == 3 && comm ~ 'n*'",
		"sched_switch: common_pid == 101 && common_flags == 1 && common_preempt_count == 2",
		"sched_switch: common_type == 319",
		"sched_switch: prev_pid > -2147483648 && prev_pid < 2147483647",
		"sched_switch: prev_state > -9223372036854775808", "sched_switch: CPU > -1",
		"sched_switch: prev_pid == 1 || prev_pid == 2 || prev_pid == 101",
		"sched_switch: 0 && 0 || 1", "sched_switch: 1 || 0 && 0", "sched_switch: (1)",
		/* the kernel compares the low bits */
		"sched_switch: prev_pid == 4294967397", "sched_switch: 4294967397 == prev_pid",
		"sched_switch: prev_pid != 99999999999", "sched_switch: prev_pid > 2147483648",
		"sched_switch: prev_pid < -2147483649", "sched_switch: prev_prio == 0xfffffffb",
		"sched_switch: common_flags == 257", "sched_switch: common_pid == 0x100000065",
		/* another event has the field */
		"tick,sched_switch: !(value == 0)", "tick,sched_switch: value || prev_pid == 101",
	};
	static const char * const false_ones[] = {
		"tick", "irq", "sched_switch: prev_prio == 5", "sched_switch: prev_prio > 100",
		"sched_switch: prev_prio + 5", "sched_switch: prev_comm == 'ab'",
		"sched_switch: prev_comm =~ 'x'", "sched_switch: COMM == 'abc'",
		"sched_switch: cpu == 2",
		"sched_switch: prev_pid == 102 || prev_pid == 100 && 1", "sched_switch: 0",
		/* neither true nor false */
		"sched_switch: prev_pid / 0 == 0", "sched_switch: !(prev_pid % (prev_pid - 101))",
		"tick,sched_switch: value < 5", "tick,sched_switch: value + 1 > 0",
		"sched_switch: 1 << 64", "sched_switch: prev_pid >> 64",
	};
	uint8_t payload[64] = { 0 };
	struct tring_record record = {
		.payload = payload, .length = sizeof(payload), .id = 319, .pid = 101, .flags = 1,
		.preempt_count = 2,
	};
	size_t i;

	strcpy((char *)payload + 8, "abc");
	put_u32(payload + 24, 101, order);
	put_u32(payload + 28, -5, order);
	put_u64(payload + 32, 3, order);
	memcpy(payload + 40, "sixteen letters ", 16);
	put_u32(payload + 56, 4242, order);
	for (i = 0; i < COUNT(true_ones); i++)
		check(&record, "sched_switch", true_ones[i], true);
	for (i = 0; i < COUNT(false_ones); i++)
		check(&record, "sched_switch", false_ones[i], false);
}

/* @relative: the location's event */
static void check_dynamic(const char *event, uint16_t id, uint32_t at, uint32_t start,
			  uint32_t stored)
{
	char *equal = make_path("%s: name == 'a longer name'", event);
	char *differs = make_path("%s: name != 'a longer name'", event);
	uint8_t payload[96] = { 0 };
	struct tring_record record = {
		.payload = payload, .length = sizeof(payload), .id = id, .pid = 101,
	};

	strcpy((char *)payload + start, "a longer name");
	put_u32(payload + at, 14 << 16 | stored, order);
	check(&record, event, equal, true);
	check(&record, event, differs, false);
	/* without the NUL */
	put_u32(payload + at, 13 << 16 | stored, order);
	check(&record, event, equal, true);
	/* the kernel has written nothing, and no place */
	put_u32(payload + at, 0, order);
	check(&record, event, equal, false);
	check(&record, event, differs, true);
}

/* The largest unsigned number is no -1. */
static void check_unsigned(void)
{
	uint8_t payload[16];
	struct tring_record record = { .payload = payload, .length = sizeof(payload), .id = 342 };

	put_u64(payload + 8, UINT64_MAX, order);
	check(&record, "tick", "tick: value > 1", true);
	check(&record, "tick", "tick: value == 18446744073709551615", true);
	check(&record, "tick", "tick: value - 1 == -1", false);
	check(&record, "tick", "tick: value == -0", false);
	check(&record, "tick", "tick: value < 0", false);
}

static void check_faults(void)
{
	static const struct {
		const char *text, *why;
		size_t at;
	} faults[] = {
		{ "", "no such event", 0 },
		{ "sched_swich: 1", "no such event", 0 },
		{ "tick, no_such: 1", "no such event", 6 },
		{ "tick,: 1", "no such event", 5 },
		{ "tick:", "condition is missing", 4 },
		{ "tick: ", "field or a value", 6 },
		{ "tick: valu < 3", "no such field", 6 },
		{ "tick,sched_switch: value == 1 || prev_pd == 1", "no such field", 33 },
		{ "tick: value < 3 &&", "field or a value", 18 },
		{ "tick: value < 3 && value == =", "field or a value", 28 },
		{ "tick: value < 3 ) x", "not an operator", 16 },
		{ "tick: (value < 3", "not closed", 6 },
		{ "tick: value == \"abc", "not closed", 15 },
		{ "tick: value == 'abc'", "right of its field", 12 },
		{ "tick: value =~ 3", "for texts", 12 },
		{ "tick: value == 12x", "not a number", 15 },
		{ "tick: value == 99999999999999999999", "not a number", 15 },
		{ "tick: value == - x", "number is missing", 17 },
		/* the kernel refuses these in a filter of record */
		{ "tick: value == -3", "has no sign", 12 },
		{ "tick: -2 <= value", "has no sign", 9 },
		{ "sched_switch: common_flags > -1", "has no sign", 27 },
		{ "sched_switch: prev_state == 9223372036854775808", "too large", 25 },
		{ "sched_switch: prev_state == -9223372036854775809", "not a number", 29 },
		{ "tick: 'abc'", "neither true nor false", 5 },
		{ "sched_switch: prev_comm", "neither true nor false", 13 },
		{ "sched_switch: prev_comm && 1", "neither true nor false", 24 },
		{ "sched_switch: 1 && !prev_comm", "neither true nor false", 20 },
		{ "sched_switch: prev_comm + 1", "need numbers", 24 },
		{ "sched_switch: prev_comm < 'a'", "not an operator for texts", 24 },
		{ "sched_switch: 'a' == prev_comm", "right of its field", 18 },
		{ "sched_switch: prev_comm =~ '['", "regular expression", 24 },
		{ "kinds: nums == 1", "no number and no text", 7 },
		{ "tick: value < < 3", "field or a value", 14 },
		{ "tick: 1 == 1 == 1", "compared again", 13 },
	};
	char nested[200] = "tick: ";
	struct tring_filter filter;
	const struct tring_filter_fault *fault = &filter.fault;
	size_t i;

	for (i = 0; i < COUNT(faults); i++) {
		if (tring_filter_compile(&filter, &events, faults[i].text))
			fail(faults[i].text, 0, "no fault");
		if (!strstr(fault->why, faults[i].why) || fault->at != faults[i].at)
			fail(faults[i].text, fault->at, fault->why);
		tring_filter_free(&filter);
	}
	memset(nested + 6, '(', 100);
	CHECK(!tring_filter_compile(&filter, &events, nested));
	CHECK(strstr(fault->why, "nested too deeply"));
	tring_filter_free(&filter);
}

static void check_order(bool big_endian)
{
	char *formats = make_path("%s/golden/formats", test_env("TRING_TESTS"));

	order = big_endian;
	CHECK_EQ(tring_events_init(&events), 0);
	tep_set_file_bigendian(events.tep, big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	CHECK_EQ(tring_events_add_all(&events, formats), 0);
	tring_names_init(&names);
	tring_names_learn(&names, 101, "named", 5);
	check_switch();
	check_dynamic("dyn_sizes", 345, 12, 64, 64);
	/* relative to the end of its field */
	check_dynamic("rel", 346, 8, 64, 52);
	check_unsigned();
	check_faults();
	tring_names_free(&names);
	tring_events_free(&events);
}

int main(void)
{
	check_order(false);
	check_order(true);
	return 0;
}
