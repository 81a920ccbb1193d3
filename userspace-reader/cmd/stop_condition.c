// SPDX-License-Identifier: GPL-2.0
/*
 * A condition of tring record --stop-when:
 *
 *	latency PAIR > TIME
 *	latency --key FIELD[=FIELD][,FIELD]... BEGIN END > TIME
 *	event EVENT [FILTER]
 */
#include <stdlib.h>
#include <string.h>

#include "stop_condition.h"
#include "util/util.h"

#define BLANKS		" \t"

/* The words of a latency: --key, FIELD, BEGIN and END. */
#define WORDS_MAX	4

/**
 * tring_parse_time - parse a time with its unit, such as 50ms
 * @text: the text
 * @ns: set to the time
 *
 * Return: false if it is none, or not greater than 0.
 */
bool tring_parse_time(const char *text, uint64_t *ns)
{
	static const struct {
		const char	*name;
		double		ns;
	} units[] = { { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
	double number;
	char *end;
	size_t i;

	if (*text < '0' || *text > '9')
		return false;
	number = strtod(text, &end);
	end += strspn(end, BLANKS);
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		size_t size = strlen(units[i].name);

		if (strncmp(end, units[i].name, size) || end[size + strspn(end + size, BLANKS)])
			continue;
		number *= units[i].ns;
		*ns = number < 1e18 ? number : 0;
		return *ns;
	}
	return false;
}

static bool refuse(const struct tring_stop_condition *condition, const char *why)
{
	tring_error("--stop-when '%s': %s", condition->text, why);
	return false;
}

/* @text: what is behind ">" */
static bool parse_limit(struct tring_stop_condition *condition, const char *text)
{
	condition->reached = *text == '=';
	text += condition->reached;
	text += strspn(text, BLANKS);
	return tring_parse_time(text, &condition->limit) ||
	       refuse(condition, "a time is a number with ns, us, ms or s, such as 50ms");
}

static bool name_pair(struct tring_stop_condition *condition, char **words, size_t count)
{
	struct tring_pair *pair = &condition->pair;

	if (count == WORDS_MAX && !strcmp(words[0], "--key")) {
		*pair = (struct tring_pair) {
			.keys = words[1], .begin = words[2], .end = words[3],
		};
		return true;
	}
	if (count != 1)
		return refuse(condition, "it is PAIR > TIME, or --key FIELD BEGIN END > TIME");
	if (!tring_pair_find(pair, words[0], &condition->own))
		return refuse(condition, "there is no such pair; \"tring help latency\" has all");
	/* the time alone counts, and rows would grow without an end */
	pair->by = NULL;
	return true;
}

static bool parse_latency(struct tring_stop_condition *condition, char *text)
{
	char *limit = strchr(text, '>'), *words[WORDS_MAX + 1], *word;
	size_t count = 0;

	if (!limit)
		return refuse(condition, "a limit is missing, such as > 50ms");
	*limit++ = 0;
	while (count <= WORDS_MAX && (word = strsep(&text, BLANKS)))
		if (*word)
			words[count++] = word;
	return name_pair(condition, words, count) && parse_limit(condition, limit);
}

static bool parse_event(struct tring_stop_condition *condition, char *text)
{
	text += strspn(text, BLANKS);
	condition->event = strsep(&text, BLANKS);
	if (!*condition->event || strpbrk(condition->event, "*?[,!"))
		return refuse(condition, "it is one event, as \"tring list\" has them");
	if (text && text[strspn(text, BLANKS)])
		condition->filter = text + strspn(text, BLANKS);
	return true;
}

/**
 * tring_stop_condition_parse - parse a condition
 * @condition: filled in; to be freed also after an error
 * @text: the text, which must outlive @condition
 *
 * Return: false if it is wrong, reported on stderr.
 */
bool tring_stop_condition_parse(struct tring_stop_condition *condition, const char *text)
{
	size_t size;
	char *words;

	*condition = (struct tring_stop_condition) { .text = text };
	condition->words = tring_format("%s", text + strspn(text, BLANKS));
	words = condition->words;
	size = strcspn(words, BLANKS);
	if (!strncmp(words, "latency", size) && size == strlen("latency"))
		return parse_latency(condition, words + size);
	if (!strncmp(words, "event", size) && size == strlen("event"))
		return parse_event(condition, words + size);
	return refuse(condition, "it is latency PAIR > TIME, or event EVENT [FILTER]");
}

/**
 * tring_stop_condition_event - get an event that a condition needs
 * @condition: the condition
 * @at: its number, from 0
 *
 * Return: its name; NULL behind the last one.
 */
const char *tring_stop_condition_event(const struct tring_stop_condition *condition,
				       unsigned int at)
{
	const char *const events[] = {
		condition->event ? condition->event : condition->pair.begin,
		condition->pair.end, condition->pair.cancel,
	};

	return at < sizeof(events) / sizeof(events[0]) ? events[at] : NULL;
}

/**
 * tring_stop_condition_free - free what tring_stop_condition_parse() has allocated
 * @condition: the condition
 */
void tring_stop_condition_free(struct tring_stop_condition *condition)
{
	free(condition->words);
	free(condition->own);
}
