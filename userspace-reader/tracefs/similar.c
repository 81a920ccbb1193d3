// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names of events that are similar to a misspelt one, by their edit distance.
 *
 * A name is similar if at most a third of its letters have to change, or one of a short
 * name, or if only its end is missing. Each side of a colon is judged by itself.
 */
#include <fnmatch.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "available.h"
#include "similar.h"
#include "util/util.h"

#define SIMILAR_MAX	3
/* Letters that suffice as the beginning of a name. */
#define BEGINNING_MIN	3
#define FAR		SIZE_MAX

/**
 * struct similar - the nearest names found so far
 * @names: the names, nearest first, to free()
 * @costs: distance of each name
 * @count: number of @names
 */
struct similar {
	char		*names[SIMILAR_MAX + 1];
	size_t		costs[SIMILAR_MAX + 1];
	size_t		count;
};

/**
 * tring_edit_distance - count the changes that make one text of another
 * @a: a text
 * @b: a text
 *
 * Return: least number of letters to insert, to remove or to replace.
 */
size_t tring_edit_distance(const char *a, const char *b)
{
	size_t width = strlen(b) + 1, i, j, distance;
	size_t *row = tring_allocate(width * sizeof(*row));

	for (j = 0; j < width; j++)
		row[j] = j;
	for (i = 1; a[i - 1]; i++) {
		/* what row[j - 1] was in the row before */
		size_t diagonal = row[0];

		row[0] = i;
		for (j = 1; j < width; j++) {
			size_t best = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			if (best > diagonal + 1)
				best = diagonal + 1;
			if (best > row[j - 1] + 1)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	distance = row[width - 1];
	free(row);
	return distance;
}

static bool is_new(const struct similar *similar, const char *name)
{
	size_t i;

	for (i = 0; i < similar->count; i++)
		if (!strcmp(similar->names[i], name))
			return false;
	return true;
}

/* Takes over @name. */
static void offer(struct similar *similar, char *name, size_t cost)
{
	size_t at = similar->count;

	if (cost == FAR || !is_new(similar, name)) {
		free(name);
		return;
	}
	for (; at && similar->costs[at - 1] > cost; at--) {
		similar->names[at] = similar->names[at - 1];
		similar->costs[at] = similar->costs[at - 1];
	}
	similar->names[at] = name;
	similar->costs[at] = cost;
	if (++similar->count > SIMILAR_MAX)
		free(similar->names[--similar->count]);
}

static size_t cost_of(const char *part, const char *name)
{
	size_t cost, length = strlen(part);

	/* an empty side of a colon, or a glob that matches */
	if (!length || !fnmatch(part, name, 0))
		return 0;
	if (length >= BEGINNING_MIN && !strncmp(part, name, length))
		return length / 3;
	cost = tring_edit_distance(part, name);
	return cost <= (length < 3 ? 1 : length / 3) ? cost : FAR;
}

static void offer_pair(struct similar *similar, const struct tring_event_name *event,
		       const char *system, const char *name)
{
	size_t name_cost = cost_of(name, event->name);
	size_t system_cost = cost_of(system, event->system);

	if (name_cost == FAR || system_cost == FAR)
		return;
	/* only the system is wrong: keeps the other side as it is, with its glob */
	offer(similar, tring_format("%s:%s", event->system, name_cost ? event->name : name),
	      name_cost + system_cost);
}

static char *join(const struct similar *similar)
{
	char *text = tring_format("%s", similar->names[0]);
	size_t i;

	for (i = 1; i < similar->count; i++)
		tring_extend(&text, "%s%s", i + 1 < similar->count ? ", " : " or ",
			     similar->names[i]);
	return text;
}

/**
 * tring_similar_names - find the names that a misspelt pattern may mean
 * @available: the events
 * @pattern: pattern that names no event
 *
 * Return: at most three names in words, nearest first, to free(); NULL if there is none.
 */
char *tring_similar_names(const struct tring_available *available, const char *pattern)
{
	struct similar similar = { .count = 0 };
	char *system = tring_format("%s", pattern), *text = NULL;
	char *name = strchr(system, ':');
	size_t i;

	if (name)
		*name++ = 0;
	for (i = 0; i < available->count; i++) {
		const struct tring_event_name *event = &available->list[i];

		if (name) {
			offer_pair(&similar, event, system, name);
			continue;
		}
		offer(&similar, tring_format("%s", event->system),
		      cost_of(pattern, event->system));
		offer(&similar, tring_format("%s", event->name),
		      cost_of(pattern, event->name));
	}
	if (similar.count)
		text = join(&similar);
	for (i = 0; i < similar.count; i++)
		free(similar.names[i]);
	free(system);
	return text;
}
