/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Directories and files inside tracefs, made by a module. See tracefs_dir.c.
 */
#ifndef _TRING_TRACEFS_DIR_H
#define _TRING_TRACEFS_DIR_H

#include <linux/fs.h>
#include <linux/list.h>
#include <linux/types.h>

/**
 * struct tring_tracefs_file - a file in tracefs
 * @list: all files of ours
 * @dentry: the file, private to tracefs_dir.c
 * @fops: what opening it leads to, once the files are published
 *
 * The inode's i_private points here, so that whoever embeds it finds itself.
 */
struct tring_tracefs_file {
	struct list_head		list;
	struct dentry			*dentry;
	const struct file_operations	*fops;
};

/* tracefs_dir.c APIs: */
int tring_tracefs_init(void);
void tring_tracefs_exit(void);
struct dentry *tring_tracefs_mkdir(const char *name, struct dentry *parent);
int tring_tracefs_create(struct tring_tracefs_file *file, const char *name,
			 umode_t mode, struct dentry *parent);
void tring_tracefs_publish(void);
void tring_tracefs_remove(struct dentry *top);
int tring_tracefs_check_lockdown(void);

#endif /* _TRING_TRACEFS_DIR_H */
