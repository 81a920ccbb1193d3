/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A single comparison of a filter, from its text. See filter_compare.c.
 */
#ifndef _TRING_FILTER_COMPARE_H
#define _TRING_FILTER_COMPARE_H

#include "filter_program.h"

/**
 * struct tring_filter_parser - a filter that is being read
 * @text: the filter
 * @at: what comes next in @text
 * @format: the event's format file, for its fields
 * @fault: what is wrong
 * @reads_head: as in struct tring_filter
 * @inverted: the comparison that is read is an inequality of numbers: its step tests for equality
 * @data: patterns and sets; as large as the text wants
 * @used: bytes of @data in use
 */
struct tring_filter_parser {
	const char			*text;
	const char			*at;
	const char			*format;
	struct tring_filter_fault	*fault;
	bool				reads_head;
	bool				inverted;
	char				*data;
	u32				used;
};

/* filter_compare.c APIs: */
u32 tring_filter_data_size(const char *text);
int tring_filter_compare(struct tring_filter_parser *parser, struct tring_filter_step *step);

#endif /* _TRING_FILTER_COMPARE_H */
