/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Directories and files that a module makes in tracefs (dir.c), and directories that
 * users make there (user_dirs.c).
 */
#ifndef _TRING_TRACEFS_DIR_H
#define _TRING_TRACEFS_DIR_H

#include <linux/fs.h>
#include <linux/list.h>
#include <linux/types.h>

struct tring_mirror;

/**
 * struct tring_tracefs_entry - a file or a directory in tracefs
 * @list: node of tring_tracefs_tree::files or ::dirs
 * @dentry: the entry
 * @fops: operations of a file that is published
 *
 * i_private of a file's inode points here; container_of() gives the structure that
 * embeds it.
 */
struct tring_tracefs_entry {
	struct list_head		list;
	struct dentry			*dentry;
	const struct file_operations	*fops;
};

/**
 * struct tring_tracefs_tree - a directory and all entries in it
 * @top: the directory
 * @files: all files
 * @dirs: all other directories, parents first
 * @mirror: directory of @dirs whose entries are made on lookup, or NULL; see mirror.c
 */
struct tring_tracefs_tree {
	struct dentry		*top;
	struct list_head	files;
	struct list_head	dirs;
	struct tring_mirror	*mirror;
};

/**
 * struct tring_tracefs_user_ops - operations on directories that users make
 * @mkdir: makes a directory with tring_tracefs_create_user_dir(); 0 or an error
 * @rmdir: removes a directory with tring_tracefs_remove_unused(); 0 or an error
 */
struct tring_tracefs_user_ops {
	int (*mkdir)(struct dentry *dentry);
	int (*rmdir)(void *data);
};

/* Mode of tracefs' own directories: owner and group of the mount, no others. */
#define TRING_DIR_MODE	(S_IFDIR | 0750)

/* dir.c APIs: */
int tring_tracefs_init(void);
void tring_tracefs_exit(void);
int tring_tracefs_create_root(struct tring_tracefs_tree *tree, const char *name);
int tring_tracefs_mkdir(struct tring_tracefs_tree *tree, struct tring_tracefs_entry *entry,
			const char *name, struct dentry *parent);
int tring_tracefs_create(struct tring_tracefs_tree *tree, struct tring_tracefs_entry *entry,
			 const char *name, umode_t mode, struct dentry *parent);
void tring_tracefs_publish(struct tring_tracefs_tree *tree);
void tring_tracefs_unpublish(struct tring_tracefs_tree *tree);
void tring_tracefs_stop(void);
void tring_tracefs_remove(struct tring_tracefs_tree *tree);
void tring_tracefs_allow_open(struct inode *inode);
void tring_tracefs_forbid_open(struct inode *inode);
struct inode *tring_tracefs_new_inode(struct inode *dir, umode_t mode, void *data);

/* user_dirs.c APIs: */
void tring_tracefs_allow_mkdir(struct dentry *dir, const struct tring_tracefs_user_ops *ops);
void tring_tracefs_forbid_mkdir(struct dentry *dir);
int tring_tracefs_create_user_dir(struct tring_tracefs_tree *tree, struct dentry *dentry,
				  void *data);
int tring_tracefs_remove_unused(struct tring_tracefs_tree *tree);
void tring_tracefs_remove_unpublished(struct tring_tracefs_tree *tree);

#endif /* _TRING_TRACEFS_DIR_H */
