// SPDX-License-Identifier: GPL-2.0
/*
 * A directory of a trace that has the entries of ftrace's directory of the same name, as
 * far as tring has such files. dir.c is about entries in general.
 *
 * ftrace has some 8,000 entries in "events". Here an entry is made when it is looked up, if
 * ftrace has it at that moment, and goes with its last user, as in procfs. So entries need
 * no memory, and none stays when its event goes. A directory is read by reading ftrace's.
 * A task that is in the directory of an event that went finds nothing there.
 *
 * Owner, group and mode that users have given to an entry are kept, by its path, for the next
 * one. Without them it has the owner and the group of the directory of the trace.
 *
 * tring is not told when such an entry goes, as the dentry's and the superblock's operations
 * are the kernel's. So nothing is allocated for one: i_private is the same for all entries of a
 * kind, and the names of the event are those of the dentries. The dcache tells which entries
 * are in use: the children of a dentry.
 *
 * Unloading, and rmdir of an instance; see dir.c and user_dirs.c, too:
 *  - Files are as others: rmdir fails with EBUSY while one is held.
 *  - A directory may be held, by a task that is in it, or open. Removing takes the
 *    operations and i_private from each one, under its inode lock and with S_DEAD set: no
 *    lookup and no reading runs, or will. A directory that is being opened tests S_DEAD.
 *    An open one keeps the module.
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
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "compat.h"
#include "kernel_file.h"
#include "control.h"
#include "mirror.h"

/* An entry is made with it held. Protects tring_mirror::closed and ::attributes. */
static DEFINE_MUTEX(mirror_mutex);

static const struct inode_operations dir_iops, file_iops;
/* Operations that new_inode() sets. The same for all inodes. */
static const struct inode_operations *no_iops;

/**
 * struct attributes - attributes that users have given to an entry
 * @list: in tring_mirror::attributes
 * @path: the entry
 * @mode: its permissions
 * @uid: its owner
 * @gid: its group
 */
struct attributes {
	struct list_head	list;
	char			*path;
	umode_t			mode;
	kuid_t			uid;
	kgid_t			gid;
};

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

static struct attributes *find_attributes(struct tring_mirror *mirror, const char *path)
{
	struct attributes *attributes;

	list_for_each_entry(attributes, &mirror->attributes, list)
		if (!strcmp(attributes->path, path))
			return attributes;
	return NULL;
}

static void free_attributes(struct attributes *attributes)
{
	if (!attributes)
		return;
	kfree(attributes->path);
	kfree(attributes);
}

static void keep_attributes(struct tring_mirror *mirror, struct attributes *new)
{
	struct attributes *old;

	mutex_lock(&mirror_mutex);
	old = find_attributes(mirror, new->path);
	if (old)
		list_del(&old->list);
	list_add(&new->list, &mirror->attributes);
	mutex_unlock(&mirror_mutex);
	free_attributes(old);
}

/* The inode lock is held. */
static int set_attributes(struct tring_idmap *idmap, struct dentry *dentry,
			  struct iattr *change)
{
	struct inode *inode = d_inode(dentry);
	bool is_dir = S_ISDIR(inode->i_mode);
	struct tring_mirror_level *level = is_dir ? level_of(inode) : tring_file_of(inode)->level;
	struct attributes *new;
	int err;

	/* The directory at the top stays. */
	if (!(change->ia_valid & (ATTR_MODE | ATTR_UID | ATTR_GID)) ||
	    dentry == level->mirror->top)
		return simple_setattr(idmap, dentry, change);
	new = kzalloc(sizeof(*new), GFP_KERNEL);
	if (!new)
		return -ENOMEM;
	new->path = path_of(dentry, level->depth + !is_dir);
	err = new->path ? simple_setattr(idmap, dentry, change) : -ENOMEM;
	if (err) {
		free_attributes(new);
		return err;
	}
	new->mode = inode->i_mode;
	new->uid = inode->i_uid;
	new->gid = inode->i_gid;
	keep_attributes(level->mirror, new);
	return 0;
}

static struct inode *new_inode_of(struct tring_mirror *mirror, const char *path, umode_t mode,
				  struct tring_tracefs_entry *entry)
{
	struct inode *trace = d_inode(mirror->top->d_parent);
	struct inode *inode = tring_tracefs_new_inode(trace, mode, entry);
	const struct attributes *attributes;

	if (!inode)
		return NULL;
	if (S_ISDIR(mode)) {
		inode->i_op = &dir_iops;
		/* Means that the number of directories in it is not known. */
		set_nlink(inode, 1);
	} else {
		no_iops = inode->i_op;
		inode->i_op = &file_iops;
	}
	attributes = find_attributes(mirror, path);
	if (attributes) {
		inode->i_mode = attributes->mode;
		inode->i_uid = attributes->uid;
		inode->i_gid = attributes->gid;
	}
	return inode;
}

static struct dentry *make_entry(struct tring_mirror *mirror, struct dentry *dentry,
				 const char *path, umode_t mode,
				 struct tring_tracefs_entry *entry)
{
	struct inode *inode;

	mutex_lock(&mirror_mutex);
	inode = mirror->closed ? ERR_PTR(-ENOENT) : new_inode_of(mirror, path, mode, entry);
	if (IS_ERR_OR_NULL(inode)) {
		mutex_unlock(&mirror_mutex);
		return inode ? ERR_CAST(inode) : ERR_PTR(-ENOMEM);
	}
	tring_tracefs_allow_open(inode);
	d_add(dentry, inode);
	d_mark_dontcache(inode);
	mutex_unlock(&mirror_mutex);
	return NULL;
}

static struct dentry *make_entry_like(struct tring_mirror_level *level, struct dentry *dentry,
				      const char *path)
{
	int type = tring_kernel_file_type(path);
	struct tring_file *file;

	if (type < 0)
		return ERR_PTR(type);
	if (S_ISDIR(type)) {
		if (level->depth + 1 == TRING_MIRROR_DEPTHS)
			return ERR_PTR(-ENOENT);
		return make_entry(level->mirror, dentry, path, TRING_DIR_MODE,
				  &level[1].tracefs);
	}
	file = find_file(level, dentry->d_name.name, dentry->d_name.len);
	if (!file)
		return ERR_PTR(-ENOENT);
	return make_entry(level->mirror, dentry, path, S_IFREG | file->type->mode,
			  &file->tracefs);
}

static struct dentry *lookup_entry(struct inode *dir, struct dentry *dentry,
				   unsigned int flags)
{
	struct tring_mirror_level *level = level_of(dir);
	struct dentry *result;
	char *path;

	if (dentry->d_name.len > NAME_MAX)
		return ERR_PTR(-ENAMETOOLONG);
	path = path_of(dentry, level->depth + 1);
	if (!path)
		return ERR_PTR(-ENOMEM);
	result = make_entry_like(level, dentry, path);
	kfree(path);
	/* A name that does not exist is not kept: it may exist the next time. */
	return result == ERR_PTR(-ENOENT) ? NULL : result;
}

static const struct inode_operations dir_iops = {
	.lookup		= lookup_entry,
	.setattr	= set_attributes,
};

static const struct inode_operations file_iops = {
	.setattr	= set_attributes,
};

/**
 * struct filter - reading ftrace's directory
 * @from: context of ftrace's directory
 * @to: context of the reader
 * @level: depth of the directory
 * @passed: entries of ftrace's that tring has, too, so far
 */
struct filter {
	struct dir_context		from;
	struct dir_context		*to;
	const struct tring_mirror_level	*level;
	loff_t				passed;
};

static bool is_dots(const char *name, int length)
{
	return name[0] == '.' && (length == 1 || (length == 2 && name[1] == '.'));
}

static bool filter_entry(struct dir_context *from, const char *name, int length, loff_t pos,
			 u64 ino, unsigned int type)
{
	struct filter *filter = container_of(from, struct filter, from);
	struct dir_context *to = filter->to;
	bool wanted;

	if (type == DT_DIR)
		wanted = filter->level->depth + 1 < TRING_MIRROR_DEPTHS ||
			 is_dots(name, length);
	else
		wanted = find_file(filter->level, name, length);
	if (!wanted || filter->passed++ < to->pos)
		return true;
	if (!to->actor(to, name, length, to->pos, ino, type))
		return false;
	to->pos++;
	return true;
}

/*
 * Positions count the entries, and ftrace's directory is read from its begin each time: since
 * 6.6 the positions in that one do not lead back to the entries.
 */
static int read_dir(struct file *filp, struct dir_context *ctx)
{
	struct file *ftraces = filp->private_data;
	struct filter filter = {
		.from.actor	= filter_entry,
		.to		= ctx,
		.level		= level_of(file_inode(filp)),
	};
	loff_t begin = vfs_llseek(ftraces, 0, SEEK_SET);

	return begin < 0 ? begin : iterate_dir(ftraces, &filter.from);
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
	.llseek		= generic_file_llseek,
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
		/* The count of one that is being freed is negative. */
		if (d_really_is_positive(child) && (int)child->d_lockref.count >= 0)
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
	INIT_LIST_HEAD(&mirror->attributes);
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
	WRITE_ONCE(inode->i_op, &dir_iops);
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
	if (d_inode(mirror->top)->i_op != &dir_iops)
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
	struct attributes *attributes, *next;
	struct dentry *dentry;

	set_closed(mirror, true);
	for (dentry = mirror->top; dentry; dentry = next_in_use(mirror->top, dentry)) {
		struct inode *inode = d_inode(dentry);

		inode_lock_nested(inode, I_MUTEX_CHILD);
		if (d_is_dir(dentry)) {
			WRITE_ONCE(inode->i_op, &simple_dir_inode_operations);
			WRITE_ONCE(inode->i_fop, &simple_dir_operations);
			WRITE_ONCE(inode->i_private, NULL);
			inode->i_flags |= S_DEAD;
		} else {
			WRITE_ONCE(inode->i_op, no_iops);
		}
		clear_nlink(inode);
		inode_unlock(inode);
		/* Also unmounts what is mounted there. */
		if (dentry != mirror->top)
			d_invalidate(dentry);
	}
	/* An open() may have read i_private. */
	synchronize_rcu();
	/* No operation runs that could look for them, or add some. */
	list_for_each_entry_safe(attributes, next, &mirror->attributes, list)
		free_attributes(attributes);
	INIT_LIST_HEAD(&mirror->attributes);
}
