// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Lines of short_ids: "TYPE ID SYSTEM:EVENT LENGTH", with "-" for an event without
 * a name and for a length that varies. Only this file names the events of short
 * records, so every line that does not parse is an error.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "short_ids.h"
#include "util/util.h"

#define WORDS		4

static bool parse_range(const char *text, uint64_t least, uint64_t most,
			uint64_t *number)
{
	return tring_parse_number(text, number) && *number >= least &&
	       *number <= most;
}

/* An event without a name is "-": a module has recorded it with an id of its own. */
static bool is_event_name(const char *text)
{
	const char *colon = strchr(text, ':');

	if (!colon)
		return !strcmp(text, "-");
	return colon != text && colon[1] && !strchr(colon + 1, ':');
}

/* Return: what is wrong with the line; NULL for a good line. */
static const char *parse_line(struct tring_short_ids *shorts, char *line)
{
	uint64_t type, id, length = TRING_LENGTH_VARIES;
	char *words[WORDS], *rest = line;
	size_t i;

	for (i = 0; i < WORDS; i++) {
		words[i] = strsep(&rest, " ");
		if (!words[i])
			return "fewer than four words";
	}
	if (rest)
		return "more than four words";
	if (!parse_range(words[0], TRING_TYPE_SHORT_MIN, TRING_TYPE_SHORT_MAX,
			 &type))
		return "not a type of a short record";
	if (!parse_range(words[1], 1, TRING_ID_MAX, &id))
		return "not an id of an event";
	if (!is_event_name(words[2]))
		return "not a name of an event";
	if (strcmp(words[3], "-") &&
	    !parse_range(words[3], TRING_FIELDS_MIN, TRING_LENGTH_FIXED_MAX,
			 &length))
		return "not a length of fields";
	if (shorts->ids[type])
		return "the type of another event";
	if (tring_short_ids_find(shorts, id))
		return "an event with another type";
	shorts->ids[type] = id;
	shorts->lengths[type] = length;
	return NULL;
}

/**
 * tring_short_ids_parse - parse short_ids
 * @shorts: filled in
 * @text: lines of the file
 * @where: file name for messages
 *
 * Return: 0, or -EINVAL, reported on stderr.
 */
int tring_short_ids_parse(struct tring_short_ids *shorts, const char *text,
			  const char *where)
{
	char *copy = tring_format("%s", text), *rest = copy, *line;
	unsigned int number = 0;
	int error = 0;

	memset(shorts, 0, sizeof(*shorts));
	while (!error && (line = strsep(&rest, "\n"))) {
		const char *wrong;

		number++;
		/* the empty text behind the last newline */
		if (!rest && !*line)
			break;
		wrong = parse_line(shorts, line);
		if (wrong) {
			tring_error("%s:%u: %s", where, number, wrong);
			error = -EINVAL;
		}
	}
	free(copy);
	return error;
}

/**
 * tring_short_ids_types - get the types that stand for an event
 * @shorts: the short ids
 *
 * Return: one bit for each type.
 */
uint32_t tring_short_ids_types(const struct tring_short_ids *shorts)
{
	unsigned int type;
	uint32_t types = 0;

	for (type = TRING_TYPE_SHORT_MIN; type <= TRING_TYPE_SHORT_MAX; type++)
		if (shorts->ids[type])
			types |= 1u << type;
	return types;
}

/**
 * tring_short_ids_find - get the type of an event's short records
 * @shorts: the short ids
 * @id: id of the event
 *
 * Return: the type, 0 if the event has none.
 */
unsigned int tring_short_ids_find(const struct tring_short_ids *shorts,
				  uint16_t id)
{
	unsigned int type;

	for (type = TRING_TYPE_SHORT_MIN; type <= TRING_TYPE_SHORT_MAX; type++)
		if (shorts->ids[type] == id)
			return type;
	return 0;
}

/**
 * tring_short_ids_check - compare the lengths with the events' formats
 * @shorts: the short ids
 * @events: events to compare; the others are skipped
 * @where: file name for messages
 *
 * CTF viewers depend on the formats alone.
 *
 * Return: 0, or -EINVAL if the fields of an event are longer or shorter than
 * its format says; each is reported on stderr.
 */
int tring_short_ids_check(const struct tring_short_ids *shorts,
			  const struct tring_events *events, const char *where)
{
	unsigned int type;
	int error = 0;

	for (type = TRING_TYPE_SHORT_MIN; type <= TRING_TYPE_SHORT_MAX; type++) {
		const struct tring_event *event = shorts->ids[type] ?
			tring_events_find(events, shorts->ids[type]) : NULL;

		if (!event || tring_event_private(event)->length == shorts->lengths[type])
			continue;
		tring_error("%s: the fields of %s:%s have another length than its format says",
			    where, event->system, event->name);
		error = -EINVAL;
	}
	return error;
}

/**
 * tring_short_ids_add - add the types that another part of the trace has
 * @shorts: short ids
 * @more: short ids of the other part
 *
 * Return: false if they disagree.
 */
bool tring_short_ids_add(struct tring_short_ids *shorts, const struct tring_short_ids *more)
{
	unsigned int type;

	for (type = TRING_TYPE_SHORT_MIN; type <= TRING_TYPE_SHORT_MAX; type++) {
		if (!more->ids[type])
			continue;
		if (shorts->ids[type] && (shorts->ids[type] != more->ids[type] ||
					  shorts->lengths[type] != more->lengths[type]))
			return false;
		shorts->ids[type] = more->ids[type];
		shorts->lengths[type] = more->lengths[type];
	}
	return true;
}

/**
 * tring_short_ids_update - add types that the ring has given since
 * @shorts: short ids as of the last call; zeroed before the first
 * @newer: short ids as of now
 * @where: file name for messages
 *
 * Return: 0, or -EINVAL if a type no longer has the same event: packets that were
 * read before mean the old one. Reported on stderr.
 */
int tring_short_ids_update(struct tring_short_ids *shorts,
			   const struct tring_short_ids *newer,
			   const char *where)
{
	unsigned int type;

	for (type = TRING_TYPE_SHORT_MIN; type <= TRING_TYPE_SHORT_MAX;
	     type++) {
		if (!shorts->ids[type] ||
		    (shorts->ids[type] == newer->ids[type] &&
		     shorts->lengths[type] == newer->lengths[type]))
			continue;
		tring_error("%s: type %u is no longer that of event id %u",
			    where, type, shorts->ids[type]);
		return -EINVAL;
	}
	*shorts = *newer;
	return 0;
}
