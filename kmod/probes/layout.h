/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the fields of an event of ftrace's lie. See layout.c.
 */
#ifndef _TRING_LAYOUT_H
#define _TRING_LAYOUT_H

#include <linux/types.h>

/**
 * struct tring_dynamic_field - a field that says where its data are
 * @offset: of the field in the payload: the data's length in its upper half, and in the
 *	lower one their offset
 * @from: what that offset counts from: 0, or the end of the field
 */
struct tring_dynamic_field {
	u16	offset;
	u16	from;
};

/**
 * struct tring_layout - fields of an event
 * @end: end of the last field in the payload; 0 if it is not known
 * @hash: of the names, types, offsets and sizes
 * @count: number of dynamic fields
 * @dynamic: the dynamic fields
 */
struct tring_layout {
	u32				end;
	u32				hash;
	u32				count;
	struct tring_dynamic_field	dynamic[];
};

/* layout.c APIs: */
char *tring_format_read(const char *system, const char *name);
struct tring_layout *tring_layout_parse(const char *format);
int tring_layout_id(const char *format);
struct tring_layout *tring_layout_read(const char *system, const char *name);

#endif /* _TRING_LAYOUT_H */
