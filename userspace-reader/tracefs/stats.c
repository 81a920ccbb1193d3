// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A CPU's counters and the conservation law that they obey: each reserved event
 * is counted in one place, and each refused event by its reason.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "stats.h"
#include "util/util.h"

#define LEDGER_TERMS	3

static const struct {
	const char *text;
	const char *whole;
	const char *parts[LEDGER_TERMS];
} ledger[TRING_LEDGER_LINES] = {
	{ "reserved = committed + discarded + open",
	  "reserved", { "committed", "discarded", "open" } },
	{ "committed = read + overwritten + remaining",
	  "committed", { "read", "overwritten", "remaining" } },
	{ "committed_bytes = read_bytes + overwritten_bytes + remaining_bytes",
	  "committed_bytes",
	  { "read_bytes", "overwritten_bytes", "remaining_bytes" } },
};

/**
 * tring_stats_parse - read a stats file
 * @stats: filled in
 * @text: lines of "name: value"
 *
 * Return: 0, or the number of the first line that is not a counter.
 */
int tring_stats_parse(struct tring_stats *stats, const char *text)
{
	char name[TRING_STAT_NAME_SIZE];
	int line = 1, used;
	uint64_t value;

	memset(stats, 0, sizeof(*stats));
	for (; *text; line++) {
		if (stats->count == TRING_STATS_MAX)
			return line;
		used = 0;
		if (sscanf(text, " %39[A-Za-z0-9_]: %" SCNu64 "%n", name, &value,
			   &used) != 2 || (text[used] && text[used] != '\n'))
			return line;
		strcpy(stats->entries[stats->count].name, name);
		stats->entries[stats->count++].value = value;
		text += used;
		text += strspn(text, "\n");
	}
	return 0;
}

/**
 * tring_stats_text - write counters as in a stats file
 * @stats: the counters
 *
 * Return: lines of "name: value", to free().
 */
char *tring_stats_text(const struct tring_stats *stats)
{
	char *text = tring_format("%s", "");
	size_t i;

	for (i = 0; i < stats->count; i++)
		tring_extend(&text, "%s: %" PRIu64 "\n", stats->entries[i].name,
			     stats->entries[i].value);
	return text;
}

/**
 * tring_stats_add - add to a counter
 * @stats: the counters
 * @name: name of the counter; nothing happens if there is none of that name
 * @value: what to add, modulo 2^64
 */
void tring_stats_add(struct tring_stats *stats, const char *name, uint64_t value)
{
	size_t i;

	for (i = 0; i < stats->count; i++)
		if (!strcmp(stats->entries[i].name, name))
			stats->entries[i].value += value;
}

/**
 * tring_stats_sum - add other counters
 * @stats: the counters
 * @more: what is added, by name
 */
void tring_stats_sum(struct tring_stats *stats, const struct tring_stats *more)
{
	size_t i;

	for (i = 0; i < more->count; i++)
		tring_stats_add(stats, more->entries[i].name, more->entries[i].value);
}

/**
 * tring_stats_leave_out - leave out what a ring that is on has recorded since it was read
 * @stats: counters after the read
 * @events: number of these events, which remain
 * @bytes: their bytes
 */
void tring_stats_leave_out(struct tring_stats *stats, uint64_t events, uint64_t bytes)
{
	uint64_t open = tring_stats_value(stats, "open");

	tring_stats_add(stats, "remaining", -events);
	tring_stats_add(stats, "committed", -events);
	tring_stats_add(stats, "reserved", -events - open);
	tring_stats_add(stats, "open", -open);
	tring_stats_add(stats, "remaining_bytes", -bytes);
	tring_stats_add(stats, "committed_bytes", -bytes);
}

/**
 * tring_stats_get - get a counter
 * @stats: the counters
 * @name: name of the counter
 * @value: set to its value
 *
 * Return: true if there is a counter of that name.
 */
bool tring_stats_get(const struct tring_stats *stats, const char *name,
		     uint64_t *value)
{
	size_t i;

	for (i = 0; i < stats->count; i++) {
		if (strcmp(stats->entries[i].name, name))
			continue;
		*value = stats->entries[i].value;
		return true;
	}
	return false;
}

/**
 * tring_stats_value - get a counter's value
 * @stats: the counters
 * @name: name of the counter
 *
 * Return: the value; 0 if there is no counter of that name.
 */
uint64_t tring_stats_value(const struct tring_stats *stats, const char *name)
{
	uint64_t value = 0;

	tring_stats_get(stats, name, &value);
	return value;
}

/**
 * tring_stats_subtract - reduce counters to the time since an earlier reading
 * @stats: later reading, from which @start is subtracted
 * @start: earlier reading
 *
 * Counters of the ring's content ("open", "remaining" ...) are subtracted, too,
 * modulo 2^64: a snapshot that existed before does not belong to that time.
 */
void tring_stats_subtract(struct tring_stats *stats,
			  const struct tring_stats *start)
{
	size_t i;

	for (i = 0; i < stats->count; i++) {
		struct tring_stat *stat = &stats->entries[i];

		stat->value -= tring_stats_value(start, stat->name);
	}
}

/**
 * tring_stat_is_refusal - check whether a counter counts refused events that are lost
 * @name: of the counter
 *
 * Events while recording was off are not losses.
 *
 * Return: true for refused events except "refused_off".
 */
bool tring_stat_is_refusal(const char *name)
{
	return !strncmp(name, "refused_", strlen("refused_")) && strcmp(name, "refused_off");
}

/**
 * tring_stats_recorded - get the number of events that a recording should have
 * @stats: counters at its end, less those at its start
 *
 * Return: events that were read, and those that were left in the ring; not those that
 * a snapshot has taken aside.
 */
uint64_t tring_stats_recorded(const struct tring_stats *stats)
{
	return tring_stats_value(stats, "read") + tring_stats_value(stats, "remaining") -
	       tring_stats_value(stats, "snapshot");
}

/**
 * tring_stats_lost - get the number of events that the stream has lost
 * @stats: the counters
 *
 * Events that a snapshot has taken have left the stream before: see tring_stats_taken().
 *
 * Return: lost events since the module was loaded; events_discarded in a packet
 * counts those of the packet's trace.
 */
uint64_t tring_stats_lost(const struct tring_stats *stats)
{
	uint64_t lost = tring_stats_value(stats, "overwritten") -
			tring_stats_value(stats, "overwritten_snapshot");
	size_t i;

	for (i = 0; i < stats->count; i++)
		if (tring_stat_is_refusal(stats->entries[i].name))
			lost += stats->entries[i].value;
	return lost;
}

/**
 * tring_stats_taken - get the number of events that snapshots have taken out of the stream
 * @stats: the counters
 *
 * Return: events that are in no packet of the stream, whose events_discarded does not count them:
 * those of the snapshot that there is, and of others that were dropped.
 */
uint64_t tring_stats_taken(const struct tring_stats *stats)
{
	return tring_stats_value(stats, "snapshot") +
	       tring_stats_value(stats, "overwritten_snapshot");
}

/**
 * tring_stats_missing - get the number of events that a trace of the stream lacks
 * @stats: the counters
 *
 * Return: events that were lost, and those that snapshots have taken.
 */
uint64_t tring_stats_missing(const struct tring_stats *stats)
{
	return tring_stats_lost(stats) + tring_stats_taken(stats);
}

/**
 * tring_stats_losses - get the losses by reason as text
 * @stats: the counters
 *
 * Return: "reason number, reason number" to free(), empty if nothing was lost.
 */
char *tring_stats_losses(const struct tring_stats *stats)
{
	uint64_t dropped = tring_stats_value(stats, "overwritten_snapshot");
	char *text = tring_format("%s", "");
	size_t i;

	for (i = 0; i < stats->count; i++) {
		const char *reason = stats->entries[i].name;
		uint64_t value = stats->entries[i].value;

		if (!strcmp(reason, "overwritten"))
			value -= dropped;
		else if (!strcmp(reason, "snapshot"))
			value += dropped;
		else if (tring_stat_is_refusal(reason))
			reason += strlen("refused_");
		else
			continue;
		if (value)
			tring_extend(&text, "%s%s %" PRIu64, *text ? ", " : "", reason, value);
	}
	return text;
}

/**
 * tring_ledger_text - get a line of the conservation law
 * @line: 0..TRING_LEDGER_LINES - 1
 *
 * Return: the equation in words.
 */
const char *tring_ledger_text(size_t line)
{
	return ledger[line].text;
}

/**
 * tring_ledger_check - check a line of the conservation law
 * @stats: one CPU's counters, or their difference
 * @line: 0..TRING_LEDGER_LINES - 1
 *
 * Return: NULL if it holds; else what is wrong, to free().
 */
char *tring_ledger_check(const struct tring_stats *stats, size_t line)
{
	uint64_t whole, part[LEDGER_TERMS], sum = 0;
	size_t i;

	if (!tring_stats_get(stats, ledger[line].whole, &whole))
		return tring_format("there is no counter \"%s\"",
				    ledger[line].whole);
	for (i = 0; i < LEDGER_TERMS; i++) {
		if (!tring_stats_get(stats, ledger[line].parts[i], &part[i]))
			return tring_format("there is no counter \"%s\"",
					    ledger[line].parts[i]);
		sum += part[i];
	}
	if (whole == sum)
		return NULL;
	return tring_format("%s: %" PRId64 " is not %" PRId64 " + %" PRId64
			    " + %" PRId64 ", off by %+" PRId64,
			    ledger[line].text, (int64_t)whole,
			    (int64_t)part[0], (int64_t)part[1],
			    (int64_t)part[2], (int64_t)(whole - sum));
}
