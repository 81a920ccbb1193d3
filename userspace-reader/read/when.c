// SPDX-License-Identifier: LGPL-2.1-or-later
/* Times that a user gives, for the beginning and the end of what is shown. */
#include <limits.h>
#include <string.h>

#include "util/clock.h"
#include "when.h"

#define DIGITS		"0123456789"
/* Digits that report prints: a time includes all that is printed with these. */
#define PRINTED_DIGITS	6
#define DIGITS_MAX	9

/* Parses ".123", or nothing. Return: false if anything else follows. */
static bool parse_fraction(struct tring_when *when, const char *text, uint64_t *ns)
{
	uint32_t unit = TRING_NS_A_SECOND;
	size_t digits = 0;

	*ns = 0;
	if (*text == '.') {
		text++;
		digits = strspn(text, DIGITS);
		if (!digits || digits > DIGITS_MAX)
			return false;
	}
	for (when->step = TRING_NS_A_SECOND; digits--; text++) {
		unit /= 10;
		when->step = unit;
		*ns += (uint64_t)(*text - '0') * unit;
	}
	if (when->step > TRING_NS_A_SECOND / 1000000)
		when->step = TRING_NS_A_SECOND / 1000000;
	return !*text;
}

static bool parse_seconds(struct tring_when *when, const char *text)
{
	uint64_t seconds = 0, fraction;
	size_t digits = strspn(text, DIGITS);

	if (!digits)
		return false;
	for (; digits--; text++) {
		seconds = 10 * seconds + (*text - '0');
		/* leaves room for the fraction and the step */
		if (seconds > UINT64_MAX / TRING_NS_A_SECOND - 2)
			return false;
	}
	if (!parse_fraction(when, text, &fraction))
		return false;
	when->ns = seconds * TRING_NS_A_SECOND + fraction;
	return true;
}

static bool parse_wall(struct tring_when *when, const char *text)
{
	static const struct {
		const char *format;
		enum tring_when_kind kind;
	} forms[] = {
		{ "%Y-%m-%d %H:%M:%S", TRING_WHEN_DATE },
		{ "%Y-%m-%dT%H:%M:%S", TRING_WHEN_DATE },
		{ "%H:%M:%S", TRING_WHEN_TIME },
	};
	size_t i;

	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		const char *rest;
		struct tm day;

		when->local = (struct tm) { .tm_mday = 1 };
		rest = strptime(text, forms[i].format, &when->local);
		when->kind = forms[i].kind;
		/* it makes 2 March of 30 February */
		day = when->local;
		timegm(&day);
		if (rest && day.tm_mday == when->local.tm_mday &&
		    parse_fraction(when, rest, &when->ns))
			return true;
	}
	return false;
}

/**
 * tring_when_parse - parse a time
 * @when: filled in
 * @text: seconds as printed; "+" and seconds from the first event on; "-" and seconds before
 *	another time; or local time, "HH:MM:SS" or "YYYY-MM-DD HH:MM:SS"; each with at most
 *	nine digits of a fraction
 *
 * Return: true if @text is a time.
 */
bool tring_when_parse(struct tring_when *when, const char *text)
{
	if (strchr(text, ':'))
		return parse_wall(when, text);
	when->kind = *text == '+' ? TRING_WHEN_RELATIVE :
		     *text == '-' ? TRING_WHEN_BEFORE : TRING_WHEN_CLOCK;
	return parse_seconds(when, text + (when->kind != TRING_WHEN_CLOCK));
}

/**
 * tring_when_count_back - find a time that is given by a later one
 * @when: a time of TRING_WHEN_BEFORE, which becomes one of the kind of @end
 * @end: the later time, of another kind
 */
void tring_when_count_back(struct tring_when *when, const struct tring_when *end)
{
	uint64_t back = when->ns, seconds;

	*when = *end;
	if (end->kind == TRING_WHEN_CLOCK || end->kind == TRING_WHEN_RELATIVE) {
		when->ns = end->ns > back ? end->ns - back : 0;
		return;
	}
	/* of a wall clock time: mktime() takes seconds below zero */
	seconds = back / TRING_NS_A_SECOND;
	back %= TRING_NS_A_SECOND;
	if (when->ns < back) {
		when->ns += TRING_NS_A_SECOND;
		seconds++;
	}
	when->ns -= back;
	when->local.tm_sec -= seconds < INT_MAX / 2 ? (int)seconds : INT_MAX / 2;
}

/* A local time. @begin: first event of the trace, for a time without a day */
static struct tring_wall find_local(const struct tring_when *when, const struct tring_wall *begin,
				    uint64_t ns)
{
	struct tm local = when->local, day;
	time_t seconds = begin->seconds;
	struct tring_wall wall;

	if (when->kind == TRING_WHEN_TIME && localtime_r(&seconds, &day)) {
		local.tm_year = day.tm_year;
		local.tm_mon = day.tm_mon;
		local.tm_mday = day.tm_mday;
	}
	/* the time zone's rules say whether it is summer time */
	local.tm_isdst = -1;
	wall.seconds = mktime(&local) + ns / TRING_NS_A_SECOND;
	wall.ns = ns % TRING_NS_A_SECOND;
	return wall;
}

/**
 * tring_when_find - find the first timestamp that is not earlier than a time
 * @when: the time; its kind is not TRING_WHEN_NONE
 * @info: the trace
 * @shown: the trace whose clock is shown, which may be @info
 * @begin: wall clock time of the first event of all traces
 * @more: nanoseconds, less than a second, by which it is to be later
 *
 * Return: the timestamp, of @info; UINT64_MAX if there is none.
 */
uint64_t tring_when_find(const struct tring_when *when, const struct tring_trace_info *info,
			 const struct tring_trace_info *shown, const struct tring_wall *begin,
			 uint32_t more)
{
	struct tring_wall wall = tring_clock_wall(0, shown->clock_frequency,
						  shown->clock_offset);
	uint64_t ns = when->ns + more;

	/* by way of the wall clock the time would be rounded twice */
	if (when->kind == TRING_WHEN_CLOCK && info == shown)
		return tring_clock_first(ns, info->clock_frequency);
	if (when->kind == TRING_WHEN_RELATIVE)
		wall = *begin;
	if (when->kind == TRING_WHEN_CLOCK || when->kind == TRING_WHEN_RELATIVE) {
		ns += wall.ns;
		wall.ns = ns % TRING_NS_A_SECOND;
		if (__builtin_add_overflow(wall.seconds, ns / TRING_NS_A_SECOND, &wall.seconds))
			return UINT64_MAX;
	} else {
		wall = find_local(when, begin, ns);
	}
	return tring_clock_first_wall(&wall, info->clock_frequency, info->clock_offset);
}
