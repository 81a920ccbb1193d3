// SPDX-License-Identifier: GPL-2.0
/* Description: the library tells where a loss begins, and reads a CPU's records as they are. */
#include <errno.h>
#include <tring.h>

#include "top_trace.h"

#define BEGIN	1000000000
#define LOST	3

static struct builder builders[2];
static char *dir;

static void add(unsigned int cpu, uint64_t stamp, int32_t pid)
{
	uint8_t *payload = build_record(&builders[cpu], stamp, TOP_TLB_FLUSH, pid,
					TOP_NUMBER_LENGTH);

	put_u32(payload + 8, 0, false);
}

/* CPU 0 loses events between 20 and 60; CPU 1 has some before, meanwhile and behind. */
static void make(void)
{
	unsigned int i;

	dir = make_path("%s/every", temp_dir());
	for (i = 0; i < 2; i++) {
		build_init(&builders[i], false, i);
		build_begin(&builders[i], i ? BEGIN + 15 : BEGIN);
	}
	add(0, BEGIN, 7);
	add(0, BEGIN + 20, 7);
	build_end(&builders[0]);
	builders[0].discarded += LOST;
	builders[0].seq += 2;
	build_begin(&builders[0], BEGIN + 60);
	add(0, BEGIN + 60, 8);
	for (i = 1; i < 8; i++)
		add(1, BEGIN + 5 + 10 * i, 9);
	top_make(dir, false);
	for (i = 0; i < 2; i++) {
		build_end(&builders[i]);
		top_write(dir, &builders[i], i ? 7 : 3, 0, i ? 0 : LOST);
	}
}

static struct tring_trace *open_trace(void)
{
	struct tring_trace *trace;

	CHECK_EQ(tring_open(&trace, dir, NULL), 0);
	return trace;
}

static uint64_t count_rest(struct tring_trace *trace, uint64_t *lost)
{
	struct tring_item item;
	uint64_t events = 0;

	*lost = 0;
	while (tring_next(trace, &item) > 0) {
		CHECK(item.kind != TRING_ITEM_LOSS_BEGINS);
		if (item.kind == TRING_ITEM_EVENT)
			events += item.wanted;
		else
			*lost += item.events;
	}
	return events;
}

/* The begin comes between the CPU's last event before it and the first event of all behind. */
static void check_begin(void)
{
	const struct tring_wanted wanted = { .size = sizeof(wanted), .every = true };
	struct tring_trace *trace = open_trace();
	uint64_t begins = 0, ends = 0, events = 0, last = 0;
	struct tring_item item;

	CHECK_EQ(tring_select(trace, &wanted), 0);
	while (tring_next(trace, &item) > 0) {
		switch (item.kind) {
		case TRING_ITEM_EVENT:
			CHECK(item.record->stamp >= last);
			last = item.record->stamp;
			events++;
			break;
		case TRING_ITEM_LOSS_BEGINS:
			CHECK(!item.record && item.cpu == 0 && !ends);
			CHECK_EQ(item.since, BEGIN + 20);
			CHECK_EQ(last, BEGIN + 20);
			begins++;
			break;
		case TRING_ITEM_LOSS:
			CHECK_EQ(begins, 1);
			CHECK_EQ(item.cpu, 0);
			CHECK_EQ(item.since, BEGIN + 20);
			CHECK_EQ(item.record->stamp, BEGIN + 60);
			CHECK_EQ(item.events, LOST);
			CHECK_EQ(item.packets, 2);
			ends++;
			break;
		}
	}
	CHECK_EQ(events, 10);
	CHECK_EQ(ends, 1);
	CHECK(!tring_has_later(trace));
	CHECK_EQ(tring_check(trace), 0);
	tring_close(trace);
}

/* What is wanted is asked; what is given is all up to its end. */
static void check_wants(void)
{
	const struct tring_wanted wanted = {
		.size = sizeof(wanted), .every = true, .cpus = "0", .pids = "8",
		.from = "1.000000030", .to = "1.000000050",
	};
	struct tring_trace *trace = open_trace();
	struct tring_item item;
	uint64_t events = 0, chosen = 0;

	CHECK(tring_wants_all_tasks(trace) && tring_wants_cpu(trace, 1));
	CHECK_EQ(tring_wants_to(trace), UINT64_MAX);
	CHECK_EQ(tring_select(trace, &wanted), 0);
	CHECK(tring_wants_cpu(trace, 0) && !tring_wants_cpu(trace, 1));
	CHECK(tring_wants_task(trace, 8) && !tring_wants_task(trace, 7));
	CHECK(!tring_wants_all_tasks(trace));
	CHECK_EQ(tring_wants_from(trace), BEGIN + 30);
	CHECK_EQ(tring_wants_to(trace), BEGIN + 50);
	while (tring_next(trace, &item) > 0) {
		events += item.kind == TRING_ITEM_EVENT;
		chosen += item.kind == TRING_ITEM_EVENT && item.wanted;
	}
	CHECK_EQ(chosen, 0);
	/* two of CPU 0, and those of CPU 1 at 15, 25, 35 and 45 */
	CHECK_EQ(events, 6);
	CHECK(tring_has_later(trace));
	tring_close(trace);
}

/* Of 10 events, those that a filter, a task and a time choose. */
static void check_wants_item(void)
{
	static const char *const filters[] = { "tlb_flush: reason == 0" };
	const struct tring_wanted wanted = {
		.size = sizeof(wanted), .every = true, .cpus = "1", .pids = "9",
		.events = "tlb_*", .filters = filters, .filter_count = 1, .from = "1.000000030",
	};
	struct tring_trace *trace = open_trace();
	struct tring_item item;
	uint64_t all = 0, chosen = 0;

	CHECK_EQ(tring_select(trace, &wanted), 0);
	while (tring_next(trace, &item) > 0)
		if (item.kind == TRING_ITEM_EVENT) {
			CHECK(!item.wanted || item.record->stamp >= BEGIN + 30);
			chosen += item.wanted;
			all++;
		}
	CHECK_EQ(all, 10);
	/* those of CPU 1 at 35, 45, 55, 65 and 75 */
	CHECK_EQ(chosen, 5);
	tring_close(trace);
}

static void check_raw(void)
{
	struct tring_trace *trace = open_trace();
	struct tring_item item;
	uint64_t lost;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		CHECK_EQ(tring_raw_cpu(trace, i & 1), 0);
		CHECK_EQ(count_rest(trace, &lost), i & 1 ? 7 : 3);
		CHECK_EQ(lost, i & 1 ? 0 : LOST);
	}
	CHECK_EQ(tring_check(trace), 0);
	CHECK_EQ(tring_raw_cpu(trace, 0), 0);
	CHECK_EQ(tring_next(trace, &item), 1);
	CHECK(!item.event && item.record->id == TOP_TLB_FLUSH);
	/* the 12 bytes without struct trace_entry, and what precedes them */
	CHECK(item.record->stored > item.record->length - TRING_PAYLOAD_HEAD);
	CHECK_EQ(tring_seek(trace, 0), 0);
	CHECK_EQ(count_rest(trace, &lost), 10);
	tring_close(trace);
}

static void check_rest(void)
{
	const struct tring_wanted good = { .size = sizeof(good), .cpus = "0,2-3", .from = "+1" };
	const struct tring_wanted bad = { .size = sizeof(bad), .pids = "3-1" };
	struct tring_trace *trace = open_trace();
	struct tring_wall wall;
	size_t size;

	CHECK(tring_wanted_is_good(&good, NULL) && !tring_wanted_is_good(&bad, NULL));
	CHECK_EQ(tring_begin(trace), BEGIN);
	CHECK(tring_wall(trace, BEGIN, &wall));
	CHECK(!tring_is_trace_dat(trace));
	CHECK(!tring_file(trace, "kallsyms", &size) && errno == ENOENT && !size);
	tring_close(trace);
}

int main(void)
{
	make();
	check_begin();
	check_wants();
	check_wants_item();
	check_raw();
	check_rest();
	return 0;
}
