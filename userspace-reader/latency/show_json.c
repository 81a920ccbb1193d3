// SPDX-License-Identifier: GPL-2.0
/* Prints the times of a pair as an object of JSON. Times are nanoseconds. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/json.h"
#include "show.h"
#include "util/util.h"

/* @before: what comes in front of it, with its name */
static void put_text(const char *before, const char *text)
{
	fputs(before, stdout);
	tring_json_print(stdout, text);
}

static const struct {
	const char	*name;
	unsigned int	millionths;
} quantiles[] = {
	{ "p50", 500000 }, { "p90", 900000 }, { "p99", 990000 }, { "p99.9", 999000 },
	{ "max", 1000000 },
};

#define QUANTILES	(sizeof(quantiles) / sizeof(quantiles[0]))

static void put_quantiles(const struct tring_latency_group *group)
{
	size_t i;

	for (i = 0; i < QUANTILES; i++)
		printf(",\"%s\":%" PRIu64, quantiles[i].name,
		       tring_latency_quantile(group, quantiles[i].millionths));
}

/* Of no times there is neither a mean nor a quantile. */
static void put_group(const struct tring_latency_group *group)
{
	const struct tring_timing *timing = &group->timing;

	printf(",\"count\":%" PRIu64 ",\"unknown\":%" PRIu64 ",\"sum\":%" PRIu64, timing->count,
	       timing->unknown, timing->total);
	if (timing->count)
		put_quantiles(group);
}

/* Tells whether a group has a member of that name besides the field's. */
static bool has_member(const char *name)
{
	size_t i;

	for (i = 0; i < QUANTILES; i++)
		if (!strcmp(name, quantiles[i].name))
			return true;
	return !strcmp(name, "count") || !strcmp(name, "unknown") || !strcmp(name, "sum");
}

static void put_groups(const struct tring_latency *latency)
{
	const char *by = latency->pair.by.name, *before = "{";
	char *key = tring_format("%s%s", by, has_member(by) ? "_" : "");
	size_t i;

	put_text(",\"by\":", by);
	fputs(",\"rows\":[", stdout);
	for (i = 0; i < latency->group_count; i++) {
		const struct tring_latency_group *group = latency->groups[i];

		if (!group->timing.count && !group->timing.unknown)
			continue;
		put_text(before, key);
		put_text(":", group->text);
		put_group(group);
		putchar('}');
		before = ",{";
	}
	putchar(']');
	free(key);
}

static void put_slow(const struct tring_slow *slow)
{
	printf("{\"ns\":%" PRIu64 ",\"from\":%" PRIu64 ",\"to\":%" PRIu64 ",\"cpu\":%d", slow->ns,
	       slow->begin, slow->end, slow->cpu);
	put_text(",\"task\":", slow->task);
	put_text(",\"key\":", slow->text);
	putchar('}');
}

/**
 * tring_latency_json - print the times of a pair as JSON
 * @latency: from tring_latency_run()
 */
void tring_latency_json(const struct tring_latency *latency)
{
	const struct tring_unmatched *begins = &latency->begins;
	size_t i;

	put_text("{\"begin\":", latency->pair.begin->name);
	put_text(",\"end\":", latency->pair.end->name);
	put_group(&latency->all);
	printf(",\"begins_repeated\":%" PRIu64 ",\"begins_cancelled\":%" PRIu64
	       ",\"begins_alone\":%" PRIu64 ",\"begins_lost\":%" PRIu64, begins->repeated,
	       begins->cancelled, begins->alone, begins->lost);
	printf(",\"ends_alone\":%" PRIu64 ",\"ends_lost\":%" PRIu64, latency->ends.alone,
	       latency->ends.lost);
	if (latency->pair.by.name)
		put_groups(latency);
	fputs(",\"longest\":[", stdout);
	for (i = 0; i < latency->slow_count; i++) {
		fputs(i ? "," : "", stdout);
		put_slow(&latency->slow[i]);
	}
	puts("]}");
}
