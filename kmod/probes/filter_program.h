/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The program of a filter: a list of comparisons, each of which says where its result leads.
 * filter_compile.c makes it, tring_filter_matches() runs it: one walk that only goes forward.
 * Nothing here knows of rings or events, and all of it compiles in user space: see
 * kunit-tests/filter.
 */
#ifndef _TRING_FILTER_PROGRAM_H
#define _TRING_FILTER_PROGRAM_H

#include <linux/compiler.h>
#include <linux/string.h>
#include <linux/types.h>

#include "format_field.h"

/* A record that is matched has as many bytes behind it that may be read. */
#define TRING_FILTER_SLACK	7

/**
 * enum tring_filter_how - how a string, or a set of CPUs, is compared
 * @TRING_FILTER_WHOLE: it is the pattern
 * @TRING_FILTER_BEGIN: it begins with the pattern
 * @TRING_FILTER_MIDDLE: it has the pattern somewhere
 * @TRING_FILTER_END: the memory that it is in ends with the pattern and one more byte, as in ftrace
 * @TRING_FILTER_GLOB: the pattern has ?, [, \, or * in the middle
 * @TRING_FILTER_SAME: the sets are equal
 * @TRING_FILTER_SHARED: the sets have a CPU in common
 */
enum tring_filter_how {
	TRING_FILTER_WHOLE,
	TRING_FILTER_BEGIN,
	TRING_FILTER_MIDDLE,
	TRING_FILTER_END,
	TRING_FILTER_GLOB,
	TRING_FILTER_SAME,
	TRING_FILTER_SHARED,
};

/**
 * struct tring_filter_step - a comparison
 * @what: TRING_FIELD_*: what is compared
 * @when: the result with which the walk goes to @target, and else to the next step
 * @target: a step behind the next one; see struct tring_filter::count
 * @offset: of the field in the record
 * @shift: 64 less the bits of a number
 * @how: TRING_FILTER_*, of strings and sets
 * @negated: of strings: the result is the opposite if there is a string
 * @size: bytes of an array
 * @length: length of the pattern
 * @data: where the pattern, ended by a NUL, or the set is behind the last step
 * @mask: bits of a number that matter, once it is shifted to the left
 * @low: least number that matches, shifted in the same way
 * @span: greatest one less the least one
 *
 * One test serves for all comparisons of numbers of all sizes, signed or not: see set_range() of
 * filter_compare.c.
 */
struct tring_filter_step {
	u8	what;
	bool	when;
	u16	target;
	u16	offset;
	union {
		u8	shift;
		u8	how;
	};
	bool	negated;
	union {
		struct {
			u64	mask;
			u64	low;
			u64	span;
		};
		struct {
			u32	size;
			u32	length;
			u32	data;
		};
	};
};

/**
 * struct tring_filter - a filter
 * @count: number of steps. A walk that comes to this number has not matched, one that comes to
 *	the number behind it has
 * @reads_head: a step reads the head of the record, struct trace_entry
 * @only_numbers: all steps are of numbers in the record
 * @steps: the steps. Each goes forward, so a walk takes no more than @count
 *
 * What strings and sets are compared with lies behind the steps.
 */
struct tring_filter {
	u16				count;
	bool				reads_head;
	bool				only_numbers;
	struct tring_filter_step	steps[];
};

/**
 * struct tring_filter_fault - what is wrong with a filter
 * @why: in ftrace's words; NULL if it has none
 * @at: where, as ftrace counts: the offset in the text, or one more
 */
struct tring_filter_fault {
	const char	*why;
	u32		at;
};

/* filter_compile.c APIs: */
struct tring_filter *tring_filter_compile(const char *text, const char *format,
					  struct tring_filter_fault *fault);
void tring_filter_free(struct tring_filter *filter);

/* filter_match.c APIs: */
bool tring_filter_other_fits(const struct tring_filter *filter,
			     const struct tring_filter_step *step, const void *record);

/* What is not the same everywhere: filter.c has it for the kernel. */
bool tring_filter_find_function(const char *name, u64 address, u64 *begin, u64 *size);

/* The bytes behind a number do not matter: they are shifted out. */
static __always_inline u64 tring_filter_load(const void *from)
{
	u64 value;

	memcpy(&value, from, sizeof(value));
	return value;
}

static __always_inline bool tring_filter_number_fits(const struct tring_filter_step *step,
						     u64 value)
{
	return ((value << step->shift) & step->mask) - step->low <= step->span;
}

/* @only_numbers, a constant: tring_filter::only_numbers is set. */
static __always_inline bool tring_filter_walk(const struct tring_filter *filter,
					      const void *record, bool only_numbers)
{
	const struct tring_filter_step *step;
	u32 at = 0, count = filter->count;
	bool fits;

	do {
		step = &filter->steps[at];
		if (only_numbers || step->what == TRING_FIELD_NUMBER)
			fits = tring_filter_number_fits(step,
							tring_filter_load(record + step->offset));
		else
			fits = tring_filter_other_fits(filter, step, record);
		at = fits == step->when ? step->target : at + 1;
	} while (at < count);
	return at > count;
}

/**
 * tring_filter_numbers_match - does a record match a filter that looks at numbers only?
 * @filter: the filter
 * @record: as for tring_filter_matches()
 *
 * It calls nothing, so that a probe of which most events do not match need not save registers.
 *
 * Context: any, NMI included, preemption disabled.
 */
static __always_inline bool tring_filter_numbers_match(const struct tring_filter *filter,
						       const void *record)
{
	return tring_filter_walk(filter, record, true);
}

/**
 * tring_filter_matches - does a record match a filter?
 * @filter: the filter
 * @record: what ftrace would record; TRING_FILTER_SLACK bytes behind it may be read
 *
 * Context: any, NMI included, preemption disabled.
 */
static __always_inline bool tring_filter_matches(const struct tring_filter *filter,
						 const void *record)
{
	return tring_filter_walk(filter, record, false);
}

#endif /* _TRING_FILTER_PROGRAM_H */
