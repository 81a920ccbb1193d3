/* SPDX-License-Identifier: GPL-2.0 */
/* Filters of the events of a recording. */
#ifndef TRING_RECORD_FILTER_H
#define TRING_RECORD_FILTER_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct tring_filtered - events that the user has named at once, and their filter
 * @patterns: patterns that name the events, one a line
 * @text: the filter; NULL for none
 */
struct tring_filtered {
	char	*patterns;
	char	*text;
};

/**
 * struct tring_filters - the filters of a recording
 * @list: the filters
 * @count: number of @list
 */
struct tring_filters {
	struct tring_filtered *list;
	size_t		count;
};

struct tring_recording;

void tring_filters_begin(struct tring_filters *filters, const char *patterns);
bool tring_filters_add(struct tring_filters *filters, const char *text);
bool tring_filter_is_refused(const char *text);
int tring_filters_set_up(struct tring_recording *recording);
void tring_filters_free(struct tring_filters *filters);

#endif /* TRING_RECORD_FILTER_H */
