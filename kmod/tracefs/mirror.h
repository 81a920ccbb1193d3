/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Directories that have the entries of ftrace's. See mirror.c.
 */
#ifndef _TRING_MIRROR_H
#define _TRING_MIRROR_H

#include <linux/list.h>
#include <linux/types.h>

#include "dir.h"

struct tring_file;

/* events, events/SYSTEM, events/SYSTEM/EVENT */
#define TRING_MIRROR_DEPTHS	3

/**
 * struct tring_mirror_level - what the directories of one depth have in common
 * @tracefs: entry of dir.c; i_private of the directories points here
 * @mirror: the mirror that they are in
 * @depth: 0 for the directory at the top
 * @files: the files that may be in such a directory
 * @count: their number
 */
struct tring_mirror_level {
	struct tring_tracefs_entry	tracefs;
	struct tring_mirror		*mirror;
	unsigned int			depth;
	struct tring_file		*files;
	unsigned int			count;
};

/**
 * struct tring_mirror - a directory whose entries are made when they are looked up
 * @top: the directory
 * @closed: no entry may be made
 * @attributes: what users have changed: struct attributes of mirror.c
 * @levels: the directories, by their depth
 */
struct tring_mirror {
	struct dentry			*top;
	bool				closed;
	struct list_head		attributes;
	struct tring_mirror_level	levels[TRING_MIRROR_DEPTHS];
};

/* mirror.c APIs: */
void tring_mirror_init(struct tring_mirror *mirror, struct tring_tracefs_tree *tree,
		       struct dentry *top);
void tring_mirror_publish(struct tring_mirror *mirror);
void tring_mirror_unpublish(struct tring_mirror *mirror);
bool tring_mirror_is_held(struct tring_mirror *mirror);
void tring_mirror_remove(struct tring_mirror *mirror);

#endif /* _TRING_MIRROR_H */
