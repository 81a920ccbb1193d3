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

static inline void INIT_LIST_HEAD(struct list_head *list)
{
	list->next = list;
	list->prev = list;
}

static inline bool list_empty(const struct list_head *list)
{
	return list->next == list;
}

static inline void list_add_tail(struct list_head *entry, struct list_head *list)
{
	entry->next = list;
	entry->prev = list->prev;
	list->prev->next = entry;
	list->prev = entry;
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
#define list_next_entry(entry, member) \
	list_entry((entry)->member.next, __typeof__(*(entry)), member)

#define list_for_each_entry(entry, list, member) \
	for ((entry) = list_first_entry(list, __typeof__(*(entry)), member); \
	     &(entry)->member != (list); \
	     (entry) = list_next_entry(entry, member))

#define list_for_each_entry_safe(entry, following, list, member) \
	for ((entry) = list_first_entry(list, __typeof__(*(entry)), member), \
	     (following) = list_next_entry(entry, member); \
	     &(entry)->member != (list); \
	     (entry) = (following), (following) = list_next_entry(following, member))

#define list_for_each_entry_safe_reverse(entry, following, list, member) \
	for ((entry) = list_entry((list)->prev, __typeof__(*(entry)), member), \
	     (following) = list_entry((entry)->member.prev, __typeof__(*(entry)), member); \
	     &(entry)->member != (list); \
	     (entry) = (following), \
	     (following) = list_entry((following)->member.prev, __typeof__(*(entry)), member))

#define ERR_PTR(error)	((void *)(long)(error))
#define PTR_ERR(pointer)	((long)(pointer))
#define PTR_ERR_OR_ZERO(pointer)	(IS_ERR(pointer) ? PTR_ERR(pointer) : 0)
#define IS_ERR(pointer)	((unsigned long)(pointer) >= -4095ul)

#endif /* SHIM_LIST_H */
