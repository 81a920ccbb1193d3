// SPDX-License-Identifier: GPL-2.0
/*
 * Directories and files inside tracefs, made by a module. Directories that users
 * make are in user_dirs.c.
 *
 * fs/tracefs exports nothing to modules. It is a plain libfs file system, and the
 * VFS exports all that is needed to make an entry: this file does with inodes of
 * its own what fs/tracefs/inode.c does with tracefs'.
 *
 * Superblock. ftrace keeps tracefs' one superblock from boot on. It is found by
 * iterate_supers_type() and held by an active reference. kern_mount() would be
 * simpler, but it is a remount of a file system with a single superblock: after
 * it /proc/mounts no longer shows the mode= (6.1) or the uid= and gid= (6.12) of
 * the mount. It is used only if there is no superblock yet, as a built-in tring
 * may run before ftrace makes its files.
 *
 * Entries. The inode lock of the parent is held from the lookup of the name until
 * tring_dentry_pin(). That reference pins the entry in the dcache, until
 * simple_recursive_removal() drops it. Inodes come from new_inode() on tracefs'
 * superblock, because 6.12 embeds them in a struct tracefs_inode. Only tracefs'
 * own operations look at the rest of that structure, and these inodes have the
 * operations of libfs. d_fsdata stays NULL, which marks a plain entry.
 *
 * Unloading. Nothing keeps the module loaded between an open() that reads the
 * inode's i_fop and its reference to fops->owner, and an open() that finds the
 * owner leaving makes the VFS warn. So i_fop has no owner: it is proxy_fops, whose
 * open() takes the reference and then installs the real operations, as
 * chrdev_open() does. An open file pins the module. What else may lead here while
 * the module exits:
 *  - A new open(). A file that is not published has the operations of new_inode(),
 *    which are the kernel's and refuse to open. tring_tracefs_publish() installs the
 *    proxy once init can no longer fail; tring_tracefs_stop() makes the proxy, too,
 *    refuse by the kernel's function.
 *  - An open() that has read the address of open_proxy() before. It does not sleep
 *    until it has returned from there, so synchronize_rcu_tasks() waits for it.
 *  - An open() that has read i_fop, and may sleep before it reads the proxy's open. So
 *    the proxy lies in memory of its own. An open() holds the dentry until it is done
 *    with the proxy: once no dentry is held the proxy is freed.
 *  - A dentry that is held for long, by O_PATH or by a bind mount. Its inode has the
 *    operations of new_inode() again. But the proxy cannot be freed then, because the
 *    holder might be an open(): after a second these few bytes are left allocated.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/fsnotify.h>
#include <linux/jiffies.h>
#include <linux/kmemleak.h>
#include <linux/module.h>
#include <linux/mount.h>
#include <linux/namei.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/security.h>
#include <linux/slab.h>

#include "compat.h"
#include "kernel_file.h"
#include "dir.h"
#include "mirror.h"

static struct super_block *tracefs_sb;
/* Operations that new_inode() sets; open() fails. The same for all inodes. */
static const struct file_operations *no_open_fops;
/* Operations of published files. They have no owner; see "Unloading". */
static struct file_operations *proxy_fops;
/* A file of a tree that was removed may still be held. */
static bool proxy_in_use;
/* How long rmmod waits for files that are held. */
static unsigned long wait_end;

static void hold_super(struct super_block *sb, void *arg)
{
	struct super_block **held = arg;

	/* It is active: s_umount is held and it has a root, or it is mounted. */
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
	/* The reference of get_fs_type(); put_filesystem() is not exported. */
	module_put(type->owner);
	return sb;
}

static int check_lockdown(void)
{
	return security_locked_down(LOCKDOWN_TRACEFS);
}

static int open_proxy(struct inode *inode, struct file *filp)
{
	const struct file_operations *fops = NULL;
	const struct tring_tracefs_entry *entry;
	/* Each time, as in ftrace: the lockdown may come after the files. */
	int err = S_ISREG(inode->i_mode) ? check_lockdown() : 0;

	if (err)
		return err;
	rcu_read_lock();
	/* NULL in a directory of mirror.c that was removed. */
	entry = READ_ONCE(inode->i_private);
	if (entry)
		fops = fops_get(entry->fops);
	rcu_read_unlock();
	if (!fops)
		return entry ? -ENODEV : -ENOENT;
	replace_fops(filp, fops);
	return fops->open(inode, filp);
}

/**
 * tring_tracefs_new_inode - an inode for an entry
 * @dir: inode of the parent directory; the entry gets the same owner and group
 * @mode: type and permissions
 * @data: value of i_private
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
		/* The kernel's name: the class, and a held directory, outlive the module. */
		lockdep_set_class_and_name(&inode->i_rwsem, &dir->i_sb->s_type->i_mutex_dir_key,
					   dir->i_sb->s_type->name);
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
				   tring_lookup(name, parent);
	if (IS_ERR(dentry))
		goto unlock;
	if (d_really_is_positive(dentry)) {
		dput(dentry);
		dentry = ERR_PTR(-EEXIST);
		goto unlock;
	}
	tring_dentry_pin(dentry, inode);
	if (S_ISDIR(mode)) {
		inc_nlink(dir);
		fsnotify_mkdir(dir, dentry);
	} else {
		fsnotify_create(dir, dentry);
	}
	/* The lookup's reference; the pin stays. */
	dput(dentry);
unlock:
	inode_unlock(dir);
	if (IS_ERR(dentry))
		iput(inode);
	return dentry;
}

/**
 * tring_tracefs_create_root - make a directory in tracefs' root
 * @tree: tree to initialise; @tree->top becomes the directory
 * @name: name of the directory
 *
 * Context: may sleep.
 * Return: 0, -EEXIST or -ENOMEM.
 */
int tring_tracefs_create_root(struct tring_tracefs_tree *tree, const char *name)
{
	INIT_LIST_HEAD(&tree->files);
	INIT_LIST_HEAD(&tree->dirs);
	tree->mirror = NULL;
	tree->top = add_entry(name, TRING_DIR_MODE, tracefs_sb->s_root, NULL);
	return PTR_ERR_OR_ZERO(tree->top);
}

/**
 * tring_tracefs_mkdir - make a directory
 * @tree: tree that gets the directory
 * @entry: entry to fill in; must stay until @tree is removed. Its dentry becomes the
 *	directory, or an ERR_PTR()
 * @name: name of the directory
 * @parent: parent directory: @tree->top or another directory of @tree
 *
 * Context: may sleep.
 * Return: 0, -EEXIST or -ENOMEM.
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
 * @tree: tree that gets the file
 * @entry: entry with its fops set, whose owner is this module; must stay until
 *	@tree is removed
 * @name: name of the file
 * @mode: permissions
 * @parent: parent directory: @tree->top or another directory of @tree
 *
 * The file cannot be opened before tring_tracefs_publish().
 *
 * Context: may sleep.
 * Return: 0, -EEXIST or -ENOMEM.
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
 * tring_tracefs_allow_open - allow a file, or a directory of mirror.c, to be opened
 * @inode: its inode, whose i_private is an entry with fops
 *
 * Context: any.
 */
void tring_tracefs_allow_open(struct inode *inode)
{
	/* An open() that reads proxy_fops sees all that was set up before. */
	smp_store_release(&inode->i_fop, proxy_fops);
}

/**
 * tring_tracefs_forbid_open - refuse to open a file
 * @inode: its inode
 *
 * Context: any.
 */
void tring_tracefs_forbid_open(struct inode *inode)
{
	WRITE_ONCE(inode->i_fop, no_open_fops);
}

/**
 * tring_tracefs_publish - allow the files of a tree to be opened
 * @tree: the tree
 *
 * The last step of setting up: the caller cannot fail any more.
 *
 * Context: may sleep.
 */
void tring_tracefs_publish(struct tring_tracefs_tree *tree)
{
	struct tring_tracefs_entry *entry;

	list_for_each_entry(entry, &tree->files, list)
		tring_tracefs_allow_open(d_inode(entry->dentry));
	if (tree->mirror)
		tring_mirror_publish(tree->mirror);
}

/**
 * tring_tracefs_unpublish - refuse to open the files of a tree
 * @tree: the tree
 *
 * After a grace period only a holder of a file's dentry can still be opening it; see
 * "Unloading".
 *
 * Context: may sleep.
 */
void tring_tracefs_unpublish(struct tring_tracefs_tree *tree)
{
	struct tring_tracefs_entry *entry;

	list_for_each_entry(entry, &tree->files, list)
		tring_tracefs_forbid_open(d_inode(entry->dentry));
	if (tree->mirror)
		tring_mirror_unpublish(tree->mirror);
}

/**
 * tring_tracefs_stop - refuse to open any file when the module exits
 *
 * No file is open, because an open file pins the module, and none can be opened any
 * more. No task runs an operation of a file, or of a directory from which
 * tring_tracefs_forbid_mkdir() or tring_mirror_remove() has taken them.
 *
 * Context: may sleep.
 */
void tring_tracefs_stop(void)
{
	/* NULL before the first file is made. */
	if (no_open_fops)
		WRITE_ONCE(proxy_fops->open, no_open_fops->open);
	synchronize_rcu_tasks();
	wait_end = jiffies + HZ;
}

static void wait_until_unused(struct dentry *dentry)
{
	while (d_count(dentry) > 1) {
		if (time_after(jiffies, wait_end)) {
			pr_info("%pd2 is held, by O_PATH, a bind mount or a task that is there\n",
				dentry);
			proxy_in_use = true;
			return;
		}
		schedule_timeout_idle(1);
	}
}

/**
 * tring_tracefs_remove - remove a tree when the module exits
 * @tree: tree from tring_tracefs_create_root() or tring_tracefs_create_user_dir(),
 *	published or not. If it has a mirror that was published, tring_mirror_remove() has
 *	been called before tring_tracefs_stop()
 *
 * A file that is held by O_PATH or by a bind mount stays with its holder, which cannot
 * open it.
 *
 * Context: may sleep, up to a second after tring_tracefs_stop() if files are held.
 */
void tring_tracefs_remove(struct tring_tracefs_tree *tree)
{
	struct tring_tracefs_entry *entry;

	tring_tracefs_unpublish(tree);
	list_for_each_entry(entry, &tree->files, list)
		dget(entry->dentry);
	/* All that is in use in it holds it. */
	if (tree->mirror)
		dget(tree->mirror->top);
	simple_recursive_removal(tree->top, NULL);
	/* An open() that does not see what unpublish has stored is seen in the count. */
	synchronize_rcu();
	list_for_each_entry(entry, &tree->files, list) {
		wait_until_unused(entry->dentry);
		dput(entry->dentry);
	}
	if (tree->mirror) {
		wait_until_unused(tree->mirror->top);
		dput(tree->mirror->top);
	}
}

/**
 * tring_tracefs_init - find tracefs
 *
 * Context: may sleep.
 * Return: 0; -EPERM under a lockdown that closes tracefs; -ENODEV if there is no
 * tracefs; -ENOMEM.
 */
int tring_tracefs_init(void)
{
	int err = check_lockdown();

	if (err) {
		pr_err("tracefs is locked down\n");
		return err;
	}
	tracefs_sb = find_tracefs();
	if (!tracefs_sb) {
		pr_err("there is no tracefs to make files in\n");
		return -ENODEV;
	}
	err = tring_kernel_file_init(tracefs_sb);
	if (err)
		goto deactivate;
	proxy_fops = kzalloc(sizeof(*proxy_fops), GFP_KERNEL);
	if (!proxy_fops) {
		err = -ENOMEM;
		goto exit_kernel_file;
	}
	proxy_fops->open = open_proxy;
	return 0;

exit_kernel_file:
	tring_kernel_file_exit();
deactivate:
	deactivate_super(tracefs_sb);
	return err;
}

/**
 * tring_tracefs_exit - drop the reference to tracefs, after all trees
 *
 * Context: may sleep.
 */
void tring_tracefs_exit(void)
{
	if (proxy_in_use)
		kmemleak_not_leak(proxy_fops);
	else
		kfree(proxy_fops);
	tring_kernel_file_exit();
	deactivate_super(tracefs_sb);
	tracefs_sb = NULL;
}
