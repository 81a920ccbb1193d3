// SPDX-License-Identifier: GPL-2.0
/* Prints the times of a pair as an object of JSON. Times are nanoseconds. */
#include <stdio.h>
#include <string.h>

#include "export/json.h"
#include "show.h"

static void add_name(struct tring_line *line, const char *name)
{
	tring_json_text(line, name, strlen(name));
	tring_line_char(line, ':');
}

static void add_text(struct tring_line *line, const char *name, const char *text)
{
	add_name(line, name);
	tring_json_text(line, text, strlen(text));
}

static void add_number(struct tring_line *line, const char *name, uint64_t number)
{
	add_name(line, name);
	tring_json_number(line, number);
}

static void add_next(struct tring_line *line, const char *name, uint64_t number)
{
	tring_line_char(line, ',');
	add_number(line, name, number);
}

static void add_quantiles(struct tring_line *line, const struct tring_latency_group *group)
{
	static const struct {
		const char	*name;
		unsigned int	millionths;
	} quantiles[] = {
		{ "p50", 500000 }, { "p90", 900000 }, { "p99", 990000 }, { "p99.9", 999000 },
		{ "max", 1000000 },
	};
	size_t i;

	for (i = 0; i < sizeof(quantiles) / sizeof(quantiles[0]); i++)
		add_next(line, quantiles[i].name,
			 tring_latency_quantile(group, quantiles[i].millionths));
}

/* Of no times there is neither a mean nor a quantile. */
static void add_group(struct tring_line *line, const struct tring_latency_group *group)
{
	const struct tring_timing *timing = &group->timing;

	add_number(line, "count", timing->count);
	add_next(line, "unknown", timing->unknown);
	add_next(line, "sum", timing->total);
	if (timing->count)
		add_quantiles(line, group);
}

static void add_groups(struct tring_line *line, const struct tring_latency *latency)
{
	const char *by = latency->pair.by.name;
	const char *before = "";
	size_t i;

	if (!by)
		return;
	tring_line_char(line, ',');
	add_text(line, "by", by);
	tring_line_char(line, ',');
	add_name(line, "rows");
	tring_line_char(line, '[');
	for (i = 0; i < latency->group_count; i++) {
		const struct tring_latency_group *group = latency->groups[i];

		if (!group->timing.count && !group->timing.unknown)
			continue;
		tring_line_text(line, before, strlen(before));
		tring_line_char(line, '{');
		add_text(line, by, group->text);
		tring_line_char(line, ',');
		add_group(line, group);
		tring_line_char(line, '}');
		before = ",";
	}
	tring_line_char(line, ']');
}

static void add_slow(struct tring_line *line, const struct tring_slow *slow)
{
	tring_line_char(line, '{');
	add_number(line, "ns", slow->ns);
	add_next(line, "from", slow->begin);
	add_next(line, "to", slow->end);
	add_next(line, "cpu", slow->cpu);
	tring_line_char(line, ',');
	add_text(line, "task", slow->task);
	tring_line_char(line, ',');
	add_text(line, "key", slow->text);
	tring_line_char(line, '}');
}

static void add_all(struct tring_line *line, const struct tring_latency *latency)
{
	const struct tring_bound_pair *pair = &latency->pair;
	size_t i;

	add_text(line, "begin", pair->begin->name);
	tring_line_char(line, ',');
	add_text(line, "end", pair->end->name);
	tring_line_char(line, ',');
	add_group(line, &latency->all);
	add_next(line, "begins_repeated", latency->begins.repeated);
	add_next(line, "begins_cancelled", latency->begins.cancelled);
	add_next(line, "begins_alone", latency->begins.alone);
	add_next(line, "begins_lost", latency->begins.lost);
	add_next(line, "ends_alone", latency->ends.alone);
	add_next(line, "ends_lost", latency->ends.lost);
	add_groups(line, latency);
	tring_line_char(line, ',');
	add_name(line, "longest");
	tring_line_char(line, '[');
	for (i = 0; i < latency->slow_count; i++) {
		if (i)
			tring_line_char(line, ',');
		add_slow(line, &latency->slow[i]);
	}
	tring_line_char(line, ']');
}

/**
 * tring_latency_json - print the times of a pair as JSON
 * @latency: from tring_latency_run()
 */
void tring_latency_json(const struct tring_latency *latency)
{
	struct tring_line line;

	tring_line_init(&line);
	tring_line_char(&line, '{');
	add_all(&line, latency);
	tring_line_text(&line, "}\n", 2);
	fwrite(line.start, 1, line.at - line.start, stdout);
	tring_line_free(&line);
}
