/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Times that a user gives, for the beginning and the end of what is shown. */
#ifndef TRING_WHEN_H
#define TRING_WHEN_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "util/clock.h"
#include "trace/trace_info.h"

enum tring_when_kind {
	TRING_WHEN_NONE,
	TRING_WHEN_CLOCK,
	TRING_WHEN_RELATIVE,
	TRING_WHEN_BEFORE,
	TRING_WHEN_TIME,
	TRING_WHEN_DATE,
};

/**
 * struct tring_when - a time
 * @kind: what it is relative to; TRING_WHEN_NONE if none was given
 * @ns: nanoseconds of the clock, behind the first event, or before another time; of a wall
 *	clock time those of the second
 * @step: nanoseconds up to the next time that the user could have given
 * @local: wall clock time; of TRING_WHEN_TIME without the day
 */
struct tring_when {
	enum tring_when_kind kind;
	uint64_t	ns;
	uint32_t	step;
	struct tm	local;
};

/**
 * tring_when_is_wall - check whether a time is one of the wall clock
 * @when: the time
 *
 * Return: true if it is.
 */
static inline bool tring_when_is_wall(const struct tring_when *when)
{
	return when->kind == TRING_WHEN_TIME || when->kind == TRING_WHEN_DATE;
}

bool tring_when_parse(struct tring_when *when, const char *text);
void tring_when_count_back(struct tring_when *when, const struct tring_when *end);
uint64_t tring_when_find(const struct tring_when *when, const struct tring_trace_info *info,
			 const struct tring_trace_info *shown, const struct tring_wall *begin,
			 uint32_t more);

#endif /* TRING_WHEN_H */
