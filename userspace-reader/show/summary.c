// SPDX-License-Identifier: GPL-2.0
/*
 * Summary of a trace: the number of each event, and the range of values of each of its fields.
 * All records are read and all fields are decoded.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "summary.h"
#include "util/number.h"
#include "util/util.h"

#define SIGN_BIT	(UINT64_C(1) << 63)

/**
 * struct range - values of a field, or lengths of a text
 * @least: the smallest one. Signed values have their sign bit inverted, so that they are ordered
 *	like unsigned ones
 * @most: the largest one in the same form; smaller than @least if there is none
 */
struct range {
	uint64_t	least;
	uint64_t	most;
};

/**
 * struct event_summary - summary of an event
 * @count: number of events
 * @bytes: total size of their payloads
 * @wrong: number of events whose payload does not fit the format
 * @ranges: of each of its fields; NULL before the first event
 */
struct event_summary {
	uint64_t	count;
	uint64_t	bytes;
	uint64_t	wrong;
	struct range	*ranges;
};

/**
 * struct cpu_summary - summary of a CPU
 * @count: number of events
 * @unknown: number of events without a format
 * @lost: number of lost events
 * @first: timestamp of the first event
 * @last: timestamp of the last event
 */
struct cpu_summary {
	uint64_t	count;
	uint64_t	unknown;
	uint64_t	lost;
	uint64_t	first;
	uint64_t	last;
};

static void add_value(struct range *range, uint64_t value)
{
	if (value < range->least)
		range->least = value;
	if (value > range->most)
		range->most = value;
}

static void add_field(struct range *range, const struct tring_field *field,
		      const struct tring_item *item, bool big_endian)
{
	const uint64_t sign = field->is_signed ? SIGN_BIT : 0;
	const uint8_t *data = item->record->payload + field->offset;
	size_t size = field->size, i;

	if (field->place != TRING_PLACE_FIXED || field->kind == TRING_FIELD_TEXT)
		data = tring_data(item, field, &size);
	if (field->kind == TRING_FIELD_TEXT)
		add_value(range, size);
	else
		for (i = 0; i + field->element <= size; i += field->element)
			add_value(range, tring_field_value(field, data + i, big_endian) ^ sign);
}

static struct range *make_ranges(size_t count)
{
	struct range *ranges = tring_allocate(count * sizeof(*ranges));

	while (count--)
		ranges[count].least = UINT64_MAX;
	return ranges;
}

static void add_event(struct event_summary *summary, const struct tring_item *item,
		      bool big_endian)
{
	const struct tring_event *event = item->event;
	size_t i;

	summary->count++;
	summary->bytes += item->record->length;
	summary->wrong += !!item->wrong;
	if (!summary->ranges)
		summary->ranges = make_ranges(event->field_count);
	for (i = 0; i < event->field_count && !item->wrong; i++)
		add_field(&summary->ranges[i], &event->fields[i], item, big_endian);
}

static void read_items(struct tring_trace *trace, struct cpu_summary *cpus,
		       struct event_summary *summaries)
{
	const bool big_endian = tring_big_endian(trace);
	struct tring_item item;

	while (tring_next(trace, &item) > 0) {
		struct cpu_summary *cpu = &cpus[item.cpu_at];

		if (item.kind == TRING_ITEM_LOSS) {
			cpu->lost += item.events;
			continue;
		}
		if (!cpu->count++)
			cpu->first = item.record->stamp;
		cpu->last = item.record->stamp;
		if (item.event)
			add_event(&summaries[item.event->number], &item, big_endian);
		else
			cpu->unknown++;
	}
}

static void show_time(uint64_t stamp, uint64_t frequency)
{
	printf(" %16.6f", (double)stamp / frequency);
}

static void show_cpus(const struct tring_trace *trace, const struct cpu_summary *cpus)
{
	uint64_t frequency = tring_frequency(trace);
	size_t i;

	printf("%-6s %12s %12s %16s %16s\n", "CPU", "events", "lost", "first", "last");
	for (i = 0; i < tring_cpu_count(trace); i++) {
		printf("%-6d %12" PRIu64 " %12" PRIu64, tring_cpu_at(trace, i), cpus[i].count,
		       cpus[i].lost);
		if (cpus[i].count) {
			show_time(cpus[i].first, frequency);
			show_time(cpus[i].last, frequency);
		}
		putchar('\n');
	}
}

static void show_value(const struct tring_field *field, uint64_t value)
{
	if (field->is_signed)
		value ^= SIGN_BIT;
	if (strchr(field->type, '*'))
		printf("0x%" PRIx64, value);
	else if (field->is_signed)
		printf("%" PRId64, (int64_t)value);
	else
		printf("%" PRIu64, value);
}

static void show_field(const struct tring_field *field, const struct range *range)
{
	/* no value: the array was empty in each event */
	if (range->least > range->most)
		return;
	printf("    %-28s ", field->name);
	if (field->kind == TRING_FIELD_TEXT) {
		printf("%" PRIu64 "..%" PRIu64 " characters\n", range->least, range->most);
		return;
	}
	show_value(field, range->least);
	printf("..");
	show_value(field, range->most);
	putchar('\n');
}

static void show_event(const struct tring_event *event, const struct event_summary *summary)
{
	size_t i;

	printf("%-32s %12" PRIu64 " %14" PRIu64 "\n", event->name, summary->count,
	       summary->bytes);
	for (i = 0; i < event->field_count; i++)
		show_field(&event->fields[i], &summary->ranges[i]);
	if (summary->wrong)
		tring_error("%s: the payload of %" PRIu64 " events does not fit the format",
			    event->name, summary->wrong);
}

static void tell_unknown(const struct tring_trace *trace, const struct cpu_summary *cpus)
{
	size_t i;

	for (i = 0; i < tring_cpu_count(trace); i++)
		if (cpus[i].unknown)
			tring_error("cpu%d: no format describes %" PRIu64 " events",
				    tring_cpu_at(trace, i), cpus[i].unknown);
}

/**
 * tring_summarise - decode all events and print their summary
 * @trace: the trace
 */
void tring_summarise(struct tring_trace *trace)
{
	const struct tring_wanted wanted = { .size = sizeof(wanted), .quiet = true };
	struct event_summary *summaries;
	struct cpu_summary *cpus;
	size_t i;

	summaries = tring_allocate(tring_event_count(trace) * sizeof(*summaries));
	cpus = tring_allocate(tring_cpu_count(trace) * sizeof(*cpus));
	tring_select(trace, &wanted);
	read_items(trace, cpus, summaries);
	show_cpus(trace, cpus);
	printf("\n%-32s %12s %14s\n", "event", "events", "bytes");
	for (i = 0; i < tring_event_count(trace); i++)
		if (summaries[i].count)
			show_event(tring_event_at(trace, i), &summaries[i]);
	tell_unknown(trace, cpus);
	for (i = 0; i < tring_event_count(trace); i++)
		free(summaries[i].ranges);
	free(summaries);
	free(cpus);
}
