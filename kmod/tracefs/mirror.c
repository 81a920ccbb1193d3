// SPDX-License-Identifier: GPL-2.0
/*
 * A directory of a trace that has the entries of ftrace's directory of the same name, as
 * far as tring has such files. dir.c is about entries in general.
 *
 * ftrace has some 8,000 entries in "events". Here an entry is made when it is looked up, if
 * ftrace has it at that moment, and goes with its last user, as in procfs. So entries need
 * no memory, and none stays when its event goes. A directory is read by reading ftrace's.
 * Whoever is in the directory of an event that went finds nothing there.
 *
 * Nobody tells when such an entry goes, as the dentry's and the superblock's operations are
 * the kernel's. So nothing is allocated for one: i_private is the same for all entries of a
 * kind, and the names of the event are those of the dentries. The dcache tells which entries
 * are in use: the children of a dentry.
 *
 * Unloading, and rmdir of an instance; see dir.c and user_dirs.c, too:
 *  - Files are as others: rmdir fails with EBUSY while one is held.
 *  - A directory may be held, by a task that is in it, or open. Removing takes the
 *    operations and i_private from each one, under its inode lock and with S_DEAD set: no
 *    lookup and no reading runs, or will. A directory that is being opened tests S_DEAD.
 *    An open one keeps the module, and seeks in ftrace's directory only.
 *  - No entry is made from then on, because of tring_mirror::closed.
 *
 * Lock order: ->lookup and reading a directory hold its inode lock, and take those of
 * ftrace's directories. These have another class, see tring_tracefs_new_inode(). ftrace
 * takes no lock of tring's inodes.
 */
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/lockref.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "compat.h"
#include "control.h"
#include "kernel_file.h"
#include "mirror.h"

/* An entry is made with it held. Protects tring_mirror::closed. */
static DEFINE_MUTEX(mirror_mutex);

static const struct inode_operations mirror_iops;

/* The inode lock is held, and the directory is not dead. */
static struct tring_mirror_level *level_of(struct inode *dir)
{
	return container_of((struct tring_tracefs_entry *)dir->i_private,
			    struct tring_mirror_level, tracefs);
}

static struct tring_file *find_file(const struct tring_mirror_level *level, const char *name,
				    size_t length)
{
	struct tring_file *file;

	for (file = level->files; file < level->files + level->count; file++)
		if (strlen(file->type->name) == length &&
		    !memcmp(file->type->name, name, length))
			return file;
	return NULL;
}

/* The path of ftrace's entry, whose names are those of @dentry at this depth. */
static char *path_of(const struct dentry *dentry, unsigned int depth)
{
	static const char *const formats[] = { "%pd", "%pd2", "%pd3", "%pd4" };

	static_assert(ARRAY_SIZE(formats) == TRING_MIRROR_DEPTHS + 1);
	return kasprintf(GFP_KERNEL, formats[depth], dentry);
}

static struct dentry *make_entry(struct tring_mirror *mirror, struct inode *dir,
				 struct dentry *dentry, umode_t mode,
				 struct tring_tracefs_entry *entry)
{
	struct inode *inode = tring_tracefs_new_inode(dir, mode, entry);

	if (!inode)
		return ERR_PTR(-ENOMEM);
	if (S_ISDIR(mode)) {
		inode->i_op = &mirror_iops;
		/* Means that the number of directories in it is not known. */
		set_nlink(inode, 1);
	}
	mutex_lock(&mirror_mutex);
	if (mirror->closed) {
		mutex_unlock(&mirror_mutex);
		iput(inode);
		return ERR_PTR(-ENOENT);
	}
	tring_tracefs_allow_open(inode);
	d_add(dentry, inode);
	d_mark_dontcache(inode);
	mutex_unlock(&mirror_mutex);
	return NULL;
}

/* A name that does not exist is not hashed: it may exist the next time. */
static struct dentry *lookup_entry(struct inode *dir, struct dentry *dentry,
				   unsigned int flags)
{
	struct tring_mirror_level *level = level_of(dir);
	const struct qstr *name = &dentry->d_name;
	struct tring_file *file;
	char *path;
	int type;

	if (name->len > NAME_MAX)
		return ERR_PTR(-ENAMETOOLONG);
	path = path_of(dentry, level->depth + 1);
	if (!path)
		return ERR_PTR(-ENOMEM);
	type = tring_kernel_file_type(path);
	kfree(path);
	if (type < 0)
		return type == -ENOENT ? NULL : ERR_PTR(type);
	if (S_ISDIR(type)) {
		if (level->depth + 1 == TRING_MIRROR_DEPTHS)
			return NULL;
		return make_entry(level->mirror, dir, dentry, TRING_DIR_MODE,
				  &level[1].tracefs);
	}
	file = find_file(level, name->name, name->len);
	if (!file)
		return NULL;
	return make_entry(level->mirror, dir, dentry, S_IFREG | file->type->mode,
			  &file->tracefs);
}

static const struct inode_operations mirror_iops = {
	.lookup	= lookup_entry,
};

/**
 * struct filter - reading ftrace's directory
 * @from: context of ftrace's directory
 * @to: context of the reader
 * @level: depth of the directory
 */
struct filter {
	struct dir_context		from;
	struct dir_context		*to;
	const struct tring_mirror_level	*level;
};

static bool is_dots(const char *name, int length)
{
	return name[0] == '.' && (length == 1 || (length == 2 && name[1] == '.'));
}

static bool filter_entry(struct dir_context *from, const char *name, int length, loff_t pos,
			 u64 ino, unsigned int type)
{
	const struct filter *filter = container_of(from, struct filter, from);
	bool wanted;

	if (type == DT_DIR)
		wanted = filter->level->depth + 1 < TRING_MIRROR_DEPTHS ||
			 is_dots(name, length);
	else
		wanted = find_file(filter->level, name, length);
	return !wanted || filter->to->actor(filter->to, name, length, pos, ino, type);
}

static int read_dir(struct file *filp, struct dir_context *ctx)
{
	struct file *ftraces = filp->private_data;
	struct filter filter = {
		.from.actor	= filter_entry,
		.to		= ctx,
		.level		= level_of(file_inode(filp)),
	};
	int err = iterate_dir(ftraces, &filter.from);

	/* Both have the same position; the locks of @filp's protect both. */
	ctx->pos = ftraces->f_pos;
	return err;
}

static loff_t seek_dir(struct file *filp, loff_t offset, int whence)
{
	struct file *ftraces = filp->private_data;
	loff_t pos = vfs_llseek(ftraces, offset, whence);

	if (pos >= 0)
		filp->f_pos = pos;
	return pos;
}

static int open_dir(struct inode *inode, struct file *filp)
{
	char *path = ERR_PTR(-ENOENT);
	struct file *ftraces;

	inode_lock_shared(inode);
	if (!IS_DEADDIR(inode))
		path = path_of(file_dentry(filp), level_of(inode)->depth);
	inode_unlock_shared(inode);
	if (IS_ERR_OR_NULL(path))
		return path ? PTR_ERR(path) : -ENOMEM;
	ftraces = tring_kernel_file_open(path, O_RDONLY | O_DIRECTORY);
	kfree(path);
	if (IS_ERR(ftraces))
		return PTR_ERR(ftraces);
	filp->private_data = ftraces;
	return 0;
}

static int release_dir(struct inode *inode, struct file *filp)
{
	fput(filp->private_data);
	return 0;
}

static const struct file_operations dir_fops = {
	.owner		= THIS_MODULE,
	.open		= open_dir,
	.read		= generic_read_dir,
	.iterate_shared	= read_dir,
	.llseek		= seek_dir,
	.release	= release_dir,
};

/* The next child that is in use, behind @last if that is given. Returns a reference. */
static struct dentry *next_child(struct dentry *dir, struct dentry *last)
{
	struct dentry *child, *found = NULL;

	spin_lock(&dir->d_lock);
	child = last ? tring_next_sibling(last) : tring_first_child(dir);
	for (; child && !found; child = tring_next_sibling(child)) {
		spin_lock_nested(&child->d_lock, DENTRY_D_LOCK_NESTED);
		if (d_really_is_positive(child) && !__lockref_is_dead(&child->d_lockref))
			found = dget_dlock(child);
		spin_unlock(&child->d_lock);
	}
	spin_unlock(&dir->d_lock);
	return found;
}

/*
 * The next entry below @top that is in use, a directory before its entries. @last is @top,
 * or the entry before, whose reference is dropped. Entries that are made meanwhile may be
 * missed.
 */
static struct dentry *next_in_use(struct dentry *top, struct dentry *last)
{
	struct dentry *next = next_child(last, NULL);
	struct dentry *done;

	/* A dentry holds its parent. */
	for (done = last; !next && done != top; done = done->d_parent)
		next = next_child(done->d_parent, done);
	if (last != top)
		dput(last);
	return next;
}

/**
 * tring_mirror_init - make the entries of a directory on lookup
 * @mirror: mirror whose levels have their files
 * @tree: tree that the directory is in
 * @top: the directory, of tring_tracefs_mkdir(). Its name is that of ftrace's directory.
 *
 * The directory is empty until @tree is published.
 *
 * Context: any.
 */
void tring_mirror_init(struct tring_mirror *mirror, struct tring_tracefs_tree *tree,
		       struct dentry *top)
{
	unsigned int depth;

	mirror->top = top;
	mirror->closed = true;
	for (depth = 0; depth < TRING_MIRROR_DEPTHS; depth++) {
		mirror->levels[depth].tracefs.fops = &dir_fops;
		mirror->levels[depth].mirror = mirror;
		mirror->levels[depth].depth = depth;
	}
	tree->mirror = mirror;
}

static void install_operations(struct tring_mirror *mirror)
{
	struct inode *inode = d_inode(mirror->top);

	inode_lock_nested(inode, I_MUTEX_CHILD);
	inode->i_private = &mirror->levels[0].tracefs;
	set_nlink(inode, 1);
	WRITE_ONCE(inode->i_op, &mirror_iops);
	tring_tracefs_allow_open(inode);
	inode_unlock(inode);
	/* Names that were looked up before and did not exist. */
	shrink_dcache_parent(mirror->top);
}

static void set_closed(struct tring_mirror *mirror, bool closed)
{
	struct dentry *dentry;

	mutex_lock(&mirror_mutex);
	mirror->closed = closed;
	for (dentry = next_in_use(mirror->top, mirror->top); dentry;
	     dentry = next_in_use(mirror->top, dentry)) {
		if (d_is_dir(dentry))
			continue;
		if (closed)
			tring_tracefs_forbid_open(d_inode(dentry));
		else
			tring_tracefs_allow_open(d_inode(dentry));
	}
	mutex_unlock(&mirror_mutex);
}

/**
 * tring_mirror_publish - allow entries to be made and opened
 * @mirror: the mirror
 *
 * Context: may sleep.
 */
void tring_mirror_publish(struct tring_mirror *mirror)
{
	if (d_inode(mirror->top)->i_op != &mirror_iops)
		install_operations(mirror);
	set_closed(mirror, false);
}

/**
 * tring_mirror_unpublish - refuse to make entries, and to open files
 * @mirror: the mirror
 *
 * Context: may sleep.
 */
void tring_mirror_unpublish(struct tring_mirror *mirror)
{
	set_closed(mirror, true);
}

/**
 * tring_mirror_is_held - is a file held?
 * @mirror: the mirror
 *
 * Context: may sleep.
 */
bool tring_mirror_is_held(struct tring_mirror *mirror)
{
	struct dentry *dentry = mirror->top;

	while ((dentry = next_in_use(mirror->top, dentry))) {
		if (!d_is_dir(dentry)) {
			dput(dentry);
			return true;
		}
	}
	return false;
}

/**
 * tring_mirror_remove - remove all entries
 * @mirror: the mirror
 *
 * Entries that are held have no operations of the module when this returns, and the
 * directory itself is dead. The caller removes it, and waits for holders of files.
 *
 * Context: may sleep.
 */
void tring_mirror_remove(struct tring_mirror *mirror)
{
	struct dentry *dentry;

	set_closed(mirror, true);
	for (dentry = mirror->top; dentry; dentry = next_in_use(mirror->top, dentry)) {
		struct inode *inode = d_inode(dentry);

		if (d_is_dir(dentry)) {
			inode_lock_nested(inode, I_MUTEX_CHILD);
			WRITE_ONCE(inode->i_op, &simple_dir_inode_operations);
			WRITE_ONCE(inode->i_fop, &simple_dir_operations);
			WRITE_ONCE(inode->i_private, NULL);
			inode->i_flags |= S_DEAD;
			clear_nlink(inode);
			inode_unlock(inode);
		}
		/* Also unmounts what is mounted there. */
		if (dentry != mirror->top)
			d_invalidate(dentry);
	}
	/* An open() may have read i_private. */
	synchronize_rcu();
}
