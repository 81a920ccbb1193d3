// SPDX-License-Identifier: GPL-2.0
/*
 * Comparisons of strings, sets of CPUs, and what is not in the record: the part of
 * tring_filter_matches() that is not inline. No allocation, lock or indirect call.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "filter_program.h"
#include "scratch.h"

/* As in ftrace: of a string at an address no more is compared, its NUL included. */
#define TEXT_SIZE	1024
/* A part of it lies in one page. */
#define TEXT_PART	64

/*
 * Is a character in the class behind a "["? Moves *@pattern behind it. If the class has no end the
 * bracket is an ordinary character.
 */
static __kprobes bool class_has(const char **pattern, u8 c)
{
	const char *at = *pattern;
	bool excluded = *at == '!', found = false;
	u8 from, to;

	at += excluded;
	do {
		from = *at++;
		to = from;
		if (from && at[0] == '-' && at[1] != ']') {
			to = at[1];
			at += 2;
		}
		if (!from || !to)
			return c == '[';
		found |= from <= c && c <= to;
	} while (*at != ']');
	*pattern = at + 1;
	return found != excluded;
}

/* Is a character what comes next in a pattern, which is no star? Moves *@pattern behind that. */
static __always_inline bool character_fits(const char **pattern, u8 c)
{
	u8 next = **pattern;

	if (!next)
		return false;
	(*pattern)++;
	if (next == '?')
		return true;
	if (next == '[')
		return class_has(pattern, c);
	if (next != '\\')
		return c == next;
	next = **pattern;
	if (!next)
		return false;
	(*pattern)++;
	return c == next;
}

/* A mismatch goes back to the last star, which takes one character more. */
static __kprobes bool glob_fits(const char *pattern, const char *text, const char *end)
{
	const char *behind_star = NULL, *behind_it = NULL;

	for (;;) {
		if (*pattern == '*') {
			behind_star = ++pattern;
			behind_it = text;
			if (!*pattern)
				return true;
		} else if (text == end) {
			/* A backslash at the end stands for nothing. */
			return !*pattern || (pattern[0] == '\\' && !pattern[1]);
		} else if (character_fits(&pattern, *text)) {
			text++;
		} else if (behind_star) {
			pattern = behind_star;
			text = ++behind_it;
		} else {
			return false;
		}
	}
}

static __kprobes bool has_within(const char *text, size_t length, const char *pattern,
				 size_t wanted)
{
	for (; length >= wanted; text++, length--)
		if (!memcmp(text, pattern, wanted))
			return true;
	return false;
}

/* @size: of the memory that the string is in; it may have no NUL */
static __kprobes bool text_fits(const struct tring_filter_step *step, const char *pattern,
				const char *text, size_t size)
{
	size_t length = strnlen(text, size), wanted = step->length;

	switch (step->how) {
	case TRING_FILTER_WHOLE:
		return length == wanted && !memcmp(text, pattern, wanted);
	case TRING_FILTER_BEGIN:
		return length >= wanted && !memcmp(text, pattern, wanted);
	case TRING_FILTER_MIDDLE:
		return has_within(text, length, pattern, wanted);
	case TRING_FILTER_END:
		return size > wanted && !memcmp(text + size - 1 - wanted, pattern, wanted);
	default:
		return glob_fits(pattern, text, text + length);
	}
}

/* Copies a string that may not be there. Returns its length, or a negative number. */
static __kprobes int copy_far_text(const char *from, bool is_user, char *to, u32 size)
{
	u32 done, part, length;
	int err;

	for (done = 0; done < size; done += part) {
		part = TEXT_PART - (unsigned long)(from + done) % TEXT_PART;
		part = min(part, size - done);
		if (is_user)
			err = copy_from_user_nofault(to + done, (const void __user *)from + done,
						     part);
		else
			err = copy_from_kernel_nofault(to + done, from + done, part);
		if (err)
			return -1;
		length = strnlen(to + done, part);
		if (length < part)
			return done + length;
	}
	to[size - 1] = '\0';
	return size - 1;
}

static __kprobes bool pointed_text_fits(const struct tring_filter_step *step, const char *pattern,
					u64 address)
{
	u32 size = TEXT_SIZE;
	char *text = tring_scratch_take(&size);
	bool fits = false;
	int length;

	if (!text)
		return false;
	length = copy_far_text((const char *)(unsigned long)address,
			       step->what == TRING_FIELD_USER_POINTER, text, size);
	if (length >= 0)
		fits = text_fits(step, pattern, text, length + 1) ^ step->negated;
	tring_scratch_give(text);
	return fits;
}

static __always_inline bool sets_fit(const struct tring_filter_step *step,
				     const struct cpumask *set, const struct cpumask *other)
{
	if (step->how == TRING_FILTER_SHARED)
		return cpumask_intersects(set, other);
	return cpumask_equal(set, other);
}

static __always_inline bool is_one_of(const struct cpumask *set, u32 cpu)
{
	return cpu < nr_cpu_ids && cpumask_test_cpu(cpu, set);
}

/**
 * tring_filter_other_fits - is a comparison true that is not of a number in the record?
 * @filter: the filter
 * @step: the comparison
 * @record: what ftrace would record, as for tring_filter_matches()
 *
 * Context: any, NMI included, preemption disabled.
 */
__kprobes bool tring_filter_other_fits(const struct tring_filter *filter,
				       const struct tring_filter_step *step, const void *record)
{
	const void *data = &filter->steps[filter->count];
	const struct cpumask *set = data + step->data;
	const void *field = record + step->offset;
	u32 location = tring_filter_load(field), shift;
	const char *text;
	size_t size;

	switch (step->what) {
	case TRING_FIELD_CPU:
		return tring_filter_number_fits(step, raw_smp_processor_id());
	case TRING_FIELD_NUMBER_IN:
		shift = 64 - 8 * step->size;
		return is_one_of(set, tring_filter_load(field) << shift >> shift);
	case TRING_FIELD_CPU_IN:
		return is_one_of(set, raw_smp_processor_id());
	case TRING_FIELD_CPUS:
		return sets_fit(step, record + (location & 0xffff), set);
	case TRING_FIELD_POINTER:
	case TRING_FIELD_USER_POINTER:
		return pointed_text_fits(step, data + step->data, tring_filter_load(field));
	case TRING_FIELD_COMM:
		text = current->comm;
		size = TASK_COMM_LEN;
		break;
	case TRING_FIELD_ARRAY:
		text = field;
		size = step->size;
		break;
	case TRING_FIELD_DYNAMIC:
		text = record + (location & 0xffff);
		size = location >> 16;
		break;
	default:
		text = field + sizeof(location) + (location & 0xffff);
		size = location >> 16;
	}
	return text_fits(step, data + step->data, text, size) ^ step->negated;
}
