/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Doubly linked lists, and errors as pointers.
 */
#ifndef SHIM_LIST_H
#define SHIM_LIST_H

#include "basics.h"

struct list_head {
	struct list_head *next, *prev;
};

#define LIST_HEAD_INIT(name)	{ &(name), &(name) }
#define LIST_HEAD(name)		struct list_head name = LIST_HEAD_INIT(name)

static inline void INIT_LIST_HEAD(struct list_head *list)
{
	list->next = list;
	list->prev = list;
}

static inline bool list_empty(const struct list_head *list)
{
	return list->next == list;
}

#define list_empty_careful(list)	list_empty(list)

static inline bool list_is_singular(const struct list_head *list)
{
	return list->next != list && list->next == list->prev;
}

static inline void list_add_tail(struct list_head *entry, struct list_head *list)
{
	entry->next = list;
	entry->prev = list->prev;
	list->prev->next = entry;
	list->prev = entry;
}

static inline void list_add(struct list_head *entry, struct list_head *list)
{
	list_add_tail(entry, list->next);
}

static inline void list_del_init(struct list_head *entry)
{
	entry->prev->next = entry->next;
	entry->next->prev = entry->prev;
	INIT_LIST_HEAD(entry);
}

#define list_del(entry)	list_del_init(entry)

static inline void list_move_tail(struct list_head *entry, struct list_head *list)
{
	list_del_init(entry);
	list_add_tail(entry, list);
}

#define list_entry(pointer, type, member)	container_of(pointer, type, member)
#define list_first_entry(list, type, member)	list_entry((list)->next, type, member)
#define list_last_entry(list, type, member)	list_entry((list)->prev, type, member)
#define list_next_entry(entry, member) \
	list_entry((entry)->member.next, __typeof__(*(entry)), member)
#define list_first_entry_or_null(list, type, member) \
	(list_empty(list) ? NULL : list_first_entry(list, type, member))
#define list_is_last(entry, list)	((entry)->next == (list))

#define list_for_each_entry(entry, list, member) \
	for ((entry) = list_first_entry(list, __typeof__(*(entry)), member); \
	     &(entry)->member != (list); \
	     (entry) = list_next_entry(entry, member))

#define list_for_each_entry_safe(entry, following, list, member) \
	for ((entry) = list_first_entry(list, __typeof__(*(entry)), member), \
	     (following) = list_next_entry(entry, member); \
	     &(entry)->member != (list); \
	     (entry) = (following), (following) = list_next_entry(following, member))

#define ERR_PTR(error)	((void *)(long)(error))
#define PTR_ERR(pointer)	((long)(pointer))
#define IS_ERR(pointer)	((unsigned long)(pointer) >= -4095ul)
#define IS_ERR_OR_NULL(pointer)	(!(pointer) || IS_ERR(pointer))

#endif /* SHIM_LIST_H */
