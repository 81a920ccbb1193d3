// SPDX-License-Identifier: GPL-2.0
/*
 * The lines of short_ids: "TYPE ID SYSTEM:EVENT LENGTH", with "-" for an event
 * that has no name and for a length that varies. Nothing else says which event a
 * short record is of, so a line that is not understood is an error, whatever it
 * is.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "short_ids.h"
#include "util.h"

#define WORDS		4

static bool parse_range(const char *text, uint64_t least, uint64_t most,
			uint64_t *number)
{
	return tring_parse_number(text, number) && *number >= least &&
	       *number <= most;
}

/* The ring does not know all: "-" is what a module writes with an id of its own. */
static bool is_event_name(const char *text)
{
	const char *colon = strchr(text, ':');

	if (!colon)
		return !strcmp(text, "-");
	return colon != text && colon[1] && !strchr(colon + 1, ':');
}

/* Return: what is wrong with the line, NULL if nothing is. */
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
		return "no type of a short record";
	if (!parse_range(words[1], 1, TRING_ID_MAX, &id))
		return "no id of an event";
	if (!is_event_name(words[2]))
		return "no name of an event";
	if (strcmp(words[3], "-") &&
	    !parse_range(words[3], TRING_FIELDS_MIN, TRING_LENGTH_FIXED_MAX,
			 &length))
		return "no length of fields";
	if (shorts->ids[type])
		return "a type that another event has";
	if (tring_short_ids_find(shorts, id))
		return "an event that has another type";
	shorts->ids[type] = id;
	shorts->lengths[type] = length;
	return NULL;
}

/**
 * tring_short_ids_parse - read short_ids
 * @shorts: filled in
 * @text: its lines
 * @where: file name for messages
 *
 * Return: 0, or -EINVAL, said on stderr.
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
		/* behind the last newline */
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
 * tring_short_ids_types - which types stand for an event
 * @shorts: where to look
 *
 * Return: a bit each.
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
 * tring_short_ids_find - the type of an event's short records
 * @shorts: where to look
 * @id: of the event
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

/* For messages. */
static char *describe(uint8_t length)
{
	return length == TRING_LENGTH_VARIES ? tring_format("varying lengths") :
					       tring_format("%u bytes", length);
}

/**
 * tring_short_ids_check - do the lengths agree with the events' formats?
 * @shorts: what is said of them
 * @events: those that are not here are passed over
 * @where: file name for messages
 *
 * Return: 0, or -EINVAL if the fields of an event are longer or shorter than
 * its format says, which CTF viewers believe; said on stderr for each.
 */
int tring_short_ids_check(const struct tring_short_ids *shorts,
			  const struct tring_events *events, const char *where)
{
	unsigned int type;
	int error = 0;

	for (type = TRING_TYPE_SHORT_MIN; type <= TRING_TYPE_SHORT_MAX;
	     type++) {
		const struct tring_event *event;
		char *said, *known;

		event = shorts->ids[type] ?
			tring_events_find(events, shorts->ids[type]) : NULL;
		if (!event || event->length == shorts->lengths[type])
			continue;
		said = describe(shorts->lengths[type]);
		known = describe(event->length);
		tring_error("%s: the fields of %s:%s have %s, its format says %s",
			    where, event->system, event->name, said, known);
		free(known);
		free(said);
		error = -EINVAL;
	}
	return error;
}

/**
 * tring_short_ids_update - take over what has been added meanwhile
 * @shorts: as read before, zeroed if never
 * @newer: as read now
 * @where: file name for messages
 *
 * Return: 0, or -EINVAL if a type that had an event has another one or none,
 * said on stderr: packets that were read before mean the old one.
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
