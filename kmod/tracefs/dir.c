// SPDX-License-Identifier: GPL-2.0
/*
 * Directories and files inside tracefs, made by a module.
 *
 * DOC: technique
 *
 * fs/tracefs exports nothing to modules. It is however a plain libfs file
 * system: entries are pinned dentries, lookups are simple_lookup(), and all
 * that it takes to make an entry is exported by the VFS. So this file does
 * with its own inodes what fs/tracefs/inode.c and fs/debugfs/inode.c do with
 * theirs; fs/libfs.c shows what simple_recursive_removal() relies on.
 *
 * The superblock. tracefs has one, which ftrace keeps from boot on. It is
 * looked up with iterate_supers_type() and held by an active reference. A
 * kernel mount of our own would be simpler, but mounting a file system with a
 * single superblock is a remount: from then on /proc/mounts no longer shows
 * the mode= that it was mounted with on 6.1, nor uid= and gid= on 6.12. Only
 * where there is no superblock yet, because a built-in tring may come before
 * ftrace's files, has a mount no options to lose, and is used.
 *
 * An entry. The parent's inode lock is held from the lookup of the name to
 * d_instantiate(). The reference that the lookup returned is never dropped:
 * it is the pin that keeps an entry without backing store in the dcache, and
 * simple_recursive_removal() drops it. A directory counts itself and its "..",
 * i_ino must not be 0 or readdir callers skip the entry, and fsnotify is told.
 *
 * What tracefs keeps of its own. Inodes come from new_inode() on its
 * superblock, so that its alloc_inode and free_inode run (6.12 embeds ours in
 * a struct tracefs_inode, on the list that a remount with gid= walks: that
 * changes our owner too, as it should). The rest of that structure is used by
 * tracefs' inode operations and by eventfs only; ours have libfs' operations
 * and never get there. The dentry operations take an entry with no d_fsdata
 * for a plain one; we leave it NULL.
 *
 * Coming and going. An inode points to file operations, and nothing keeps the
 * module loaded between an open()'s looking at that pointer and its taking a
 * reference to fops->owner. Worse, an open() that finds the owner leaving makes
 * the VFS warn. So the inodes get operations without an owner, proxy_fops, whose
 * open() takes the reference and then puts the real ones in their place, as
 * chrdev_open() does for a character device; and the module waits for whoever
 * is on the way to the proxy or in it:
 *  - Made with the operations that new_inode() gives, which refuse to open, the
 *    files get the proxy in tring_tracefs_publish(), when the module's init
 *    cannot fail any more.
 *  - tring_tracefs_remove() first gives them the refusing ones back, then
 *    unhashes them, so that no more references to a file can come from a path,
 *    then waits until nobody but itself holds its dentry. Each open() holds it
 *    until the proxy has returned. Files that are open are none of its business:
 *    they pin the module. Whoever holds a file in another way, as by O_PATH,
 *    makes rmmod wait as well, since that cannot be told from an open().
 *
 * Whatever counts on the dentry's references being seen lets a grace period go
 * by between the refusal and the look at them. Taking such a reference orders
 * nothing; the grace period is a barrier on each CPU, so that an open() on its
 * far side gets the refusing operations and one on its near side is counted.
 *
 * Directories that users make are in user_dirs.c.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/fsnotify.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/mount.h>
#include <linux/namei.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/security.h>
#include <linux/string.h>

#include "compat.h"
#include "dir.h"

static struct super_block *tracefs_sb;
/* What new_inode() gives: nobody opens it. The same for all inodes. */
static const struct file_operations *no_open_fops;

static void hold_super(struct super_block *sb, void *arg)
{
	struct super_block **held = arg;

	/* It is active, as s_umount is held and it has a root, or it is mounted. */
	if (!*held) {
		atomic_inc(&sb->s_active);
		*held = sb;
	}
}

static struct super_block *find_tracefs(void)
{
	struct file_system_type *type = get_fs_type("tracefs");
	struct super_block *sb = NULL;
	struct vfsmount *mount;

	if (!type)
		return NULL;
	iterate_supers_type(type, hold_super, &sb);
	if (!sb) {
		mount = kern_mount(type);
		if (!IS_ERR(mount)) {
			hold_super(mount->mnt_sb, &sb);
			kern_unmount(mount);
		}
	}
	/* get_fs_type()'s; what would put it is not exported */
	module_put(type->owner);
	return sb;
}

static int open_proxy(struct inode *inode, struct file *filp)
{
	struct tring_tracefs_entry *entry = inode->i_private;
	const struct file_operations *fops = fops_get(entry->fops);

	if (!fops)
		return -ENODEV;
	replace_fops(filp, fops);
	return fops->open(inode, filp);
}

/* No owner, on purpose: see "Coming and going". */
static const struct file_operations proxy_fops = {
	.open = open_proxy,
};

/**
 * tring_tracefs_new_inode - an inode for an entry
 * @dir: inode of the directory that it will be in; gives it its owner
 * @mode: type and permissions
 * @data: its i_private
 *
 * Context: may sleep.
 * Return: the inode, or NULL if there is no memory.
 */
struct inode *tring_tracefs_new_inode(struct inode *dir, umode_t mode, void *data)
{
	struct inode *inode = new_inode(dir->i_sb);

	if (!inode)
		return NULL;
	inode->i_ino = get_next_ino();
	inode->i_mode = mode;
	inode->i_uid = dir->i_uid;
	inode->i_gid = dir->i_gid;
	inode->i_private = data;
	tring_inode_init_times(inode);
	if (S_ISDIR(mode)) {
		inode->i_op = &simple_dir_inode_operations;
		inode->i_fop = &simple_dir_operations;
		inc_nlink(inode);
		lockdep_set_class(&inode->i_rwsem, &dir->i_sb->s_type->i_mutex_dir_key);
	} else {
		no_open_fops = inode->i_fop;
	}
	return inode;
}

static struct dentry *add_entry(const char *name, umode_t mode,
				struct dentry *parent, void *data)
{
	struct inode *dir = d_inode(parent);
	struct inode *inode = tring_tracefs_new_inode(dir, mode, data);
	struct dentry *dentry;

	if (!inode)
		return ERR_PTR(-ENOMEM);

	inode_lock(dir);
	dentry = IS_DEADDIR(dir) ? ERR_PTR(-ENOENT) :
				   lookup_one_len(name, parent, strlen(name));
	if (IS_ERR(dentry))
		goto unlock;
	if (d_really_is_positive(dentry)) {
		dput(dentry);
		dentry = ERR_PTR(-EEXIST);
		goto unlock;
	}
	d_instantiate(dentry, inode);
	if (S_ISDIR(mode)) {
		inc_nlink(dir);
		fsnotify_mkdir(dir, dentry);
	} else {
		fsnotify_create(dir, dentry);
	}
unlock:
	inode_unlock(dir);
	if (IS_ERR(dentry))
		iput(inode);
	return dentry;
}

/**
 * tring_tracefs_check_lockdown - is tracing locked down?
 *
 * tracefs checks when it makes a file and ftrace at each open; the lockdown
 * may have come in between. Each open of ours asks here.
 *
 * Return: 0 or -EPERM.
 */
int tring_tracefs_check_lockdown(void)
{
	return security_locked_down(LOCKDOWN_TRACEFS);
}

/**
 * tring_tracefs_create_root - make a directory in the file system's root
 * @tree: to be filled
 * @name: of the directory
 *
 * Context: may sleep.
 * Return: 0, -EEXIST or -ENOMEM.
 */
int tring_tracefs_create_root(struct tring_tracefs_tree *tree, const char *name)
{
	INIT_LIST_HEAD(&tree->files);
	INIT_LIST_HEAD(&tree->dirs);
	tree->top = add_entry(name, TRING_DIR_MODE, tracefs_sb->s_root, NULL);
	return PTR_ERR_OR_ZERO(tree->top);
}

/**
 * tring_tracefs_mkdir - make a directory
 * @tree: what it belongs to
 * @entry: to stay until @tree is removed; its dentry is the directory, or an
 *	ERR_PTR()
 * @name: its name
 * @parent: where: @tree's top or another directory of it
 *
 * Context: may sleep.
 * Return: 0 or an error as tring_tracefs_create_root()'s.
 */
int tring_tracefs_mkdir(struct tring_tracefs_tree *tree, struct tring_tracefs_entry *entry,
			const char *name, struct dentry *parent)
{
	entry->dentry = add_entry(name, TRING_DIR_MODE, parent, NULL);
	if (IS_ERR(entry->dentry))
		return PTR_ERR(entry->dentry);
	list_add_tail(&entry->list, &tree->dirs);
	return 0;
}

/**
 * tring_tracefs_create - make a file
 * @tree: what it belongs to
 * @entry: with its fops filled in, whose owner is this module; to stay until
 *	@tree is removed
 * @name: its name
 * @mode: permissions
 * @parent: as tring_tracefs_mkdir()'s
 *
 * It cannot be opened before tring_tracefs_publish().
 *
 * Context: may sleep.
 * Return: 0 or an error as tring_tracefs_mkdir()'s.
 */
int tring_tracefs_create(struct tring_tracefs_tree *tree, struct tring_tracefs_entry *entry,
			 const char *name, umode_t mode, struct dentry *parent)
{
	entry->dentry = add_entry(name, S_IFREG | mode, parent, entry);
	if (IS_ERR(entry->dentry))
		return PTR_ERR(entry->dentry);
	list_add_tail(&entry->list, &tree->files);
	return 0;
}

/**
 * tring_tracefs_publish - let the files be opened
 * @tree: whose
 *
 * The last thing that is done to set up what they are for.
 *
 * Context: any that may not fail.
 */
void tring_tracefs_publish(struct tring_tracefs_tree *tree)
{
	struct tring_tracefs_entry *entry;

	list_for_each_entry(entry, &tree->files, list) {
		/* An open() that sees the proxy sees what was set up before. */
		smp_store_release(&d_inode(entry->dentry)->i_fop, &proxy_fops);
	}
}

/**
 * tring_tracefs_unpublish - let the files not be opened any more
 * @tree: whose
 *
 * When a grace period has passed, whoever might still open a file holds its
 * dentry. See "Coming and going".
 *
 * Context: any.
 */
void tring_tracefs_unpublish(struct tring_tracefs_tree *tree)
{
	struct tring_tracefs_entry *entry;

	list_for_each_entry(entry, &tree->files, list)
		WRITE_ONCE(d_inode(entry->dentry)->i_fop, no_open_fops);
}

static void wait_for_others(struct dentry *dentry)
{
	unsigned long later = jiffies + HZ;

	while (d_count(dentry) > 1) {
		if (later && time_after(jiffies, later)) {
			pr_info("waiting for whoever holds %pd2\n", dentry);
			later = 0;
		}
		schedule_timeout_idle(1);
	}
}

/**
 * tring_tracefs_remove - remove a tree, whatever the state of its files
 * @tree: from tring_tracefs_create_root() or tring_tracefs_create_user_dir()
 *
 * For the module's exit: no file is open, as that pins the module. None can be
 * opened when this returns.
 *
 * Context: may sleep, as long as a file is held open with O_PATH.
 */
void tring_tracefs_remove(struct tring_tracefs_tree *tree)
{
	struct tring_tracefs_entry *entry;

	tring_tracefs_unpublish(tree);
	list_for_each_entry(entry, &tree->files, list)
		dget(entry->dentry);
	simple_recursive_removal(tree->top, NULL);
	synchronize_rcu();
	list_for_each_entry(entry, &tree->files, list) {
		wait_for_others(entry->dentry);
		dput(entry->dentry);
	}
}

/**
 * tring_tracefs_init - find tracefs
 *
 * Context: may sleep.
 * Return: 0; -EPERM under a lockdown that closes tracefs; -ENODEV if there is no
 * tracefs.
 */
int tring_tracefs_init(void)
{
	int err = tring_tracefs_check_lockdown();

	if (err) {
		pr_err("tracefs is locked down\n");
		return err;
	}
	tracefs_sb = find_tracefs();
	if (!tracefs_sb) {
		pr_err("this kernel has no tracefs, where the files would be\n");
		return -ENODEV;
	}
	return 0;
}

/**
 * tring_tracefs_exit - let go of the file system
 *
 * Context: may sleep.
 */
void tring_tracefs_exit(void)
{
	/* See user_dirs.c about whoever looks at the operations there. */
	synchronize_rcu_tasks();
	deactivate_super(tracefs_sb);
	tracefs_sb = NULL;
}
