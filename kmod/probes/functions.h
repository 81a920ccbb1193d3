/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls of functions, recorded as ftrace's tracers record them. See functions.c.
 */
#ifndef _TRING_FUNCTIONS_H
#define _TRING_FUNCTIONS_H

#include <linux/list.h>
#include <linux/types.h>

struct seq_file;
struct tring_event_set;
struct tring_functions;

/**
 * enum tring_function_list - lists of patterns that choose functions
 * @TRING_FILTER: only these are recorded; all, if the list is empty
 * @TRING_NOTRACE: these are not recorded
 * @TRING_GRAPH: names; begins and ends of these are recorded
 * @TRING_FUNCTION_LISTS: number of lists
 */
enum tring_function_list {
	TRING_FILTER,
	TRING_NOTRACE,
	TRING_GRAPH,
	TRING_FUNCTION_LISTS
};

#ifdef CONFIG_DYNAMIC_FTRACE
/* functions.c APIs: */
struct tring_functions *tring_functions_create(struct tring_event_set *set);
void tring_functions_destroy(struct tring_functions *functions);
int tring_functions_set_tracer(struct tring_functions *functions, const char *name);
void tring_functions_show_tracer(struct seq_file *m, struct tring_functions *functions);
void tring_functions_show_tracers(struct seq_file *m);
int tring_functions_add_pattern(struct list_head *patterns, enum tring_function_list which,
				const char *text);
void tring_functions_set_max_depth(struct tring_functions *functions, unsigned int depth);
unsigned int tring_functions_max_depth(struct tring_functions *functions);
void tring_functions_drop_patterns(struct list_head *patterns);
int tring_functions_change(struct tring_functions *functions, enum tring_function_list which,
			   struct list_head *patterns, bool replace);
void tring_functions_show_list(struct seq_file *m, struct tring_functions *functions,
			       enum tring_function_list which);
#else
/* Without ftrace there is nothing to record, and control.c makes no files. */
static inline struct tring_functions *tring_functions_create(struct tring_event_set *set)
{
	return NULL;
}

static inline void tring_functions_destroy(struct tring_functions *functions)
{
}
#endif

#endif /* _TRING_FUNCTIONS_H */
