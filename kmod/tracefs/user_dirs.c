// SPDX-License-Identifier: GPL-2.0
/*
 * A directory inside tracefs in which users make directories by mkdir and remove
 * them by rmdir. dir.c is about entries in general.
 *
 * The directory's inode has user_iops. Its mkdir and rmdir run with the inode lock
 * held, rmdir also with that of the victim, and keep both: no other lock is needed,
 * and a name cannot come back while it goes. tracefs drops these locks around its
 * own callbacks, since lockdep has one class for all of its inodes and ftrace makes
 * files with event_mutex held, the reverse order of here. So directories made here
 * get the class that unlock_new_inode() gives those of other file systems.
 *  - mkdir instantiates the dentry that it is given and fills the directory. Other
 *    tasks may see it grow; no file in it can be opened before it is published.
 *  - rmdir fails with EBUSY while the dentry of a file is held, as it is by each
 *    open file. It waits a moment for short holders, such as stat(), but not long,
 *    since a holder may be waiting for one of the locks. It removes the entries one
 *    by one, because simple_recursive_removal() takes both locks itself. "Unloading"
 *    in dir.c tells why no file can be opened then.
 *  - When the module exits, the directory gets the operations of libfs back under its
 *    lock. No mkdir or rmdir is then running or can begin. A task may read i_op
 *    without the lock, but does not sleep before it is done with the pointer, so
 *    synchronize_rcu_tasks() in tring_tracefs_stop() waits for it.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/fsnotify.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/namei.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "compat.h"
#include "dir.h"
#include "mirror.h"

/* How long rmdir waits for files that are held. */
#define BUSY_TIMEOUT	(HZ / 10)

static const struct tring_tracefs_user_ops *user_ops;

/**
 * tring_tracefs_create_user_dir - make a directory that a user asked for
 * @tree: tree to initialise; @tree->top becomes the directory
 * @dentry: name from tring_tracefs_user_ops::mkdir(), or looked up
 * @data: argument of tring_tracefs_user_ops::rmdir(); i_private of the inode
 *
 * Context: may sleep; with the inode lock of the parent directory held.
 * Return: 0 or -ENOMEM.
 */
int tring_tracefs_create_user_dir(struct tring_tracefs_tree *tree, struct dentry *dentry,
				  void *data)
{
	struct inode *dir = d_inode(dentry->d_parent);
	struct inode *inode = tring_tracefs_new_inode(dir, TRING_DIR_MODE, data);

	if (!inode)
		return -ENOMEM;
	INIT_LIST_HEAD(&tree->files);
	INIT_LIST_HEAD(&tree->dirs);
	tree->mirror = NULL;
	tree->top = dentry;
	tring_dentry_pin(dentry, inode);
	inc_nlink(dir);
	tring_inode_touch(dir);
	return 0;
}

static bool is_held(struct tring_tracefs_tree *tree)
{
	struct tring_tracefs_entry *entry;

	list_for_each_entry(entry, &tree->files, list) {
		if (d_count(entry->dentry) > 1)
			return true;
	}
	return tree->mirror && tring_mirror_is_held(tree->mirror);
}

/*
 * An open() that races with this may be refused although the directory then stays,
 * because of the other task that holds a file.
 */
static int unpublish_if_unused(struct tring_tracefs_tree *tree)
{
	unsigned long end = jiffies + BUSY_TIMEOUT;

	for (;;) {
		if (!is_held(tree)) {
			tring_tracefs_unpublish(tree);
			synchronize_rcu();
			if (!is_held(tree))
				return 0;
			tring_tracefs_publish(tree);
		}
		if (time_after(jiffies, end))
			return -EBUSY;
		schedule_timeout_idle(1);
	}
}

/* @in_top: the entry is in @tree->top, whose lock is held. */
static void unlink_entry(struct dentry *dentry, bool in_top)
{
	struct inode *dir = d_inode(dentry->d_parent);
	struct inode *inode = d_inode(dentry);
	bool is_dir = S_ISDIR(inode->i_mode);

	inode_lock_nested(inode, I_MUTEX_CHILD);
	if (is_dir)
		inode->i_flags |= S_DEAD;
	clear_nlink(inode);
	inode_unlock(inode);

	if (!in_top)
		inode_lock_nested(dir, I_MUTEX_CHILD);
	/* Also unmounts what is mounted there. */
	d_invalidate(dentry);
	if (is_dir) {
		drop_nlink(dir);
		fsnotify_rmdir(dir, dentry);
	} else {
		fsnotify_unlink(dir, dentry);
	}
	if (!in_top)
		inode_unlock(dir);
	tring_dentry_unpin(dentry);
}

static void unlink_entries(struct tring_tracefs_tree *tree)
{
	struct tring_tracefs_entry *entry;

	if (tree->mirror)
		tring_mirror_remove(tree->mirror);
	list_for_each_entry(entry, &tree->files, list)
		unlink_entry(entry->dentry, entry->dentry->d_parent == tree->top);
	/* Children first. */
	list_for_each_entry_reverse(entry, &tree->dirs, list)
		unlink_entry(entry->dentry, entry->dentry->d_parent == tree->top);
}

/* The name is unhashed by the VFS or by the caller. */
static void unlink_top(struct tring_tracefs_tree *tree)
{
	struct inode *dir = d_inode(tree->top->d_parent);

	clear_nlink(d_inode(tree->top));
	drop_nlink(dir);
	tring_inode_touch(dir);
	tring_dentry_unpin(tree->top);
}

/**
 * tring_tracefs_remove_unused - remove a user's directory if it is not in use
 * @tree: tree from tring_tracefs_create_user_dir()
 *
 * On success no file in the tree is open, and none can be opened any more.
 *
 * Context: tring_tracefs_user_ops::rmdir(). Sleeps up to a tenth of a second.
 * Return: 0; -EBUSY if a file is open, or held in another way, as by O_PATH.
 */
int tring_tracefs_remove_unused(struct tring_tracefs_tree *tree)
{
	int err = unpublish_if_unused(tree);

	if (err)
		return err;
	unlink_entries(tree);
	unlink_top(tree);
	return 0;
}

/**
 * tring_tracefs_remove_unpublished - remove a directory that could not be filled
 * @tree: tree from tring_tracefs_create_user_dir(), not published
 *
 * Context: may sleep; with the inode lock of the parent directory held.
 */
void tring_tracefs_remove_unpublished(struct tring_tracefs_tree *tree)
{
	struct inode *inode = d_inode(tree->top);

	inode_lock(inode);
	unlink_entries(tree);
	inode->i_flags |= S_DEAD;
	inode_unlock(inode);
	d_invalidate(tree->top);
	unlink_top(tree);
}

static TRING_MKDIR_RESULT mkdir_operation(struct tring_idmap *idmap, struct inode *dir,
					  struct dentry *dentry, umode_t mode)
{
	return tring_mkdir_result(user_ops->mkdir(dentry));
}

static int rmdir_operation(struct inode *dir, struct dentry *dentry)
{
	return user_ops->rmdir(d_inode(dentry)->i_private);
}

static const struct inode_operations user_iops = {
	.lookup	= simple_lookup,
	.mkdir	= mkdir_operation,
	.rmdir	= rmdir_operation,
};

/**
 * tring_tracefs_allow_mkdir - allow users to make directories in a directory
 * @dir: directory from tring_tracefs_mkdir(); the only one
 * @ops: operations that make and remove them, called with the inode lock of @dir
 *
 * Context: may sleep.
 */
void tring_tracefs_allow_mkdir(struct dentry *dir, const struct tring_tracefs_user_ops *ops)
{
	user_ops = ops;
	inode_lock(d_inode(dir));
	WRITE_ONCE(d_inode(dir)->i_op, &user_iops);
	inode_unlock(d_inode(dir));
}

/**
 * tring_tracefs_forbid_mkdir - stop users from making and removing directories
 * @dir: directory given to tring_tracefs_allow_mkdir()
 *
 * No operation is running when this returns, and none will. The caller removes the
 * users' directories with tring_tracefs_remove().
 *
 * Context: may sleep.
 */
void tring_tracefs_forbid_mkdir(struct dentry *dir)
{
	inode_lock(d_inode(dir));
	WRITE_ONCE(d_inode(dir)->i_op, &simple_dir_inode_operations);
	inode_unlock(d_inode(dir));
}
