// SPDX-License-Identifier: GPL-2.0
/*
 * A directory inside tracefs in which users make directories, by mkdir, and
 * remove them, by rmdir. dir.c is about entries in general.
 *
 * DOC: technique
 *
 * The directory has operations of ours, user_iops, for mkdir and rmdir. They
 * run with the lock of its inode held, rmdir with that of the directory that
 * goes, too, and keep both: nothing else has to serialise them, and a name
 * cannot come again while it goes. fs/tracefs/inode.c drops these locks: lockdep
 * knows all of its inodes by one name, and ftrace makes files with event_mutex
 * held, which is to be taken in the other order here. So directories of ours get
 * the class that unlock_new_inode() gives to those of other file systems.
 *  - mkdir instantiates the dentry that it is given and fills the directory.
 *    Others may see it grow; nothing of it opens before it is published.
 *  - rmdir refuses with EBUSY while any file's dentry is held, as any open file's
 *    is. It waits a moment for those who only look, as stat() does, but not for
 *    longer, since whoever holds a file may wait for one of the locks. Then it
 *    takes the entries away one by one, because simple_recursive_removal() wants
 *    to take both locks. "Coming and going" in dir.c tells why no file
 *    can be opened then.
 *  - For the module's exit the directory gets libfs' operations back under its
 *    lock: whoever is in mkdir or rmdir has then left, and nobody comes. The
 *    pointer is read without the lock as well, but only to look for operations
 *    that ours lack; nobody sleeps between the two, and so the module waits for
 *    each task to have slept. Somebody's working directory is no reason to wait.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/fsnotify.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/namei.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "compat.h"
#include "dir.h"

/* How long rmdir gives those who hold a file for a moment. */
#define BUSY_TIMEOUT	(HZ / 10)

static const struct tring_tracefs_user_ops *user_ops;

/**
 * tring_tracefs_create_user_dir - make the directory that a user wants
 * @tree: to be filled
 * @dentry: from tring_tracefs_user_ops::mkdir() or tring_tracefs_lookup()
 * @data: for tring_tracefs_dir_data() and tring_tracefs_user_ops::rmdir()
 *
 * Context: may sleep; with the lock of the directory that it is in.
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
	tree->top = dget(dentry);
	d_instantiate(dentry, inode);
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
	return false;
}

/*
 * A file that somebody opens at this very moment may be refused to others even
 * if the directory then stays.
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

/* @in_top: its directory's lock is held. */
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
	/* Whatever is mounted there goes, too. */
	d_invalidate(dentry);
	if (is_dir) {
		drop_nlink(dir);
		fsnotify_rmdir(dir, dentry);
	} else {
		fsnotify_unlink(dir, dentry);
	}
	if (!in_top)
		inode_unlock(dir);
	/* the pin */
	dput(dentry);
}

static void unlink_entries(struct tring_tracefs_tree *tree)
{
	struct tring_tracefs_entry *entry;

	list_for_each_entry(entry, &tree->files, list)
		unlink_entry(entry->dentry, entry->dentry->d_parent == tree->top);
	/* First those that were made in others. */
	list_for_each_entry_reverse(entry, &tree->dirs, list)
		unlink_entry(entry->dentry, entry->dentry->d_parent == tree->top);
}

/* The directory's part of it; the VFS, or our caller, unhashes the name. */
static void unlink_top(struct tring_tracefs_tree *tree)
{
	struct inode *dir = d_inode(tree->top->d_parent);

	clear_nlink(d_inode(tree->top));
	drop_nlink(dir);
	tring_inode_touch(dir);
	/* the pin */
	dput(tree->top);
}

/**
 * tring_tracefs_remove_unused - remove a user's directory if nothing uses it
 * @tree: from tring_tracefs_create_user_dir()
 *
 * When it succeeds no file of it is open, and none can be opened any more.
 *
 * Context: tring_tracefs_user_ops::rmdir(). Sleeps, for a moment if it is busy.
 * Return: 0; -EBUSY if somebody has one of its files open, or holds it in
 * another way, as by O_PATH.
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
 * @tree: from tring_tracefs_create_user_dir(), not published
 *
 * Context: as tring_tracefs_create_user_dir().
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

static TRING_MKDIR_RESULT mkdir_operation(struct tring_mkdir_idmap *idmap,
					  struct inode *dir, struct dentry *dentry,
					  umode_t mode)
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
 * tring_tracefs_allow_mkdir - let users make directories in a directory
 * @dir: from tring_tracefs_mkdir(); the only one
 * @ops: what makes and removes them; called with @dir's lock held
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
 * tring_tracefs_forbid_mkdir - let users make no more directories, nor remove any
 * @dir: from tring_tracefs_allow_mkdir()
 *
 * None of its operations runs when this returns, nor will. What users have made
 * can then be removed by tring_tracefs_remove().
 *
 * Context: may sleep.
 */
void tring_tracefs_forbid_mkdir(struct dentry *dir)
{
	inode_lock(d_inode(dir));
	WRITE_ONCE(d_inode(dir)->i_op, &simple_dir_inode_operations);
	inode_unlock(d_inode(dir));
}

/**
 * tring_tracefs_lock - keep users from making or removing directories
 * @dir: from tring_tracefs_allow_mkdir()
 *
 * Context: may sleep.
 */
void tring_tracefs_lock(struct dentry *dir)
{
	inode_lock_nested(d_inode(dir), I_MUTEX_PARENT);
}

/**
 * tring_tracefs_unlock - let users make and remove directories again
 * @dir: from tring_tracefs_lock()
 */
void tring_tracefs_unlock(struct dentry *dir)
{
	inode_unlock(d_inode(dir));
}

/**
 * tring_tracefs_lookup - a name in a directory that users make others in
 * @dir: from tring_tracefs_allow_mkdir(), and locked
 * @name: the name
 *
 * Context: may sleep.
 * Return: the name, to be dput(), where tring_tracefs_dir_data() is NULL if there
 * is nothing yet; or an ERR_PTR(): -EACCES if it cannot be a name or @dir may
 * not be searched, -ENAMETOOLONG, -ENOMEM.
 */
struct dentry *tring_tracefs_lookup(struct dentry *dir, const char *name)
{
	return lookup_one_len(name, dir, strlen(name));
}

/**
 * tring_tracefs_dir_data - what a user's directory was made with
 * @dentry: from tring_tracefs_lookup()
 *
 * Return: @data of tring_tracefs_create_user_dir(), or NULL if there is no directory.
 */
void *tring_tracefs_dir_data(struct dentry *dentry)
{
	return d_really_is_positive(dentry) ? d_inode(dentry)->i_private : NULL;
}
