// SPDX-License-Identifier: GPL-2.0
/*
 * Reads ftrace's own files, for what ftrace exports in no other way: the list of its events, and
 * the layout and the directory of each. The texts of these files are an interface that many
 * programs depend on, unlike the structures behind them. All that are read are seq_files, which
 * are read into the kernel's memory.
 *
 * A file is opened below a mount, and tracefs may not be mounted. kern_mount() would
 * change the options of the one superblock (see tracefs/dir.c). So the mount is made around that
 * superblock, without the step that gets one.
 */
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/fs_context.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/mount.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/uio.h>

#include "kernel_file.h"

/* The list of all events has some 40 KiB. */
#define TEXT_FIRST	SZ_64K
#define TEXT_MAX	SZ_16M

static struct vfsmount *ftrace_mount;
/*
 * The kernel's own rights. A user that may write to tring's files need not be allowed to
 * read ftrace's, nor to use perf.
 */
const struct cred *tring_kernel_cred;

/**
 * tring_kernel_file_init - make ftrace's files readable
 * @sb: tracefs' superblock, held for longer than this module reads files
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.
 */
int tring_kernel_file_init(struct super_block *sb)
{
	struct fs_context *context;

	tring_kernel_cred = prepare_kernel_cred(&init_task);
	if (!tring_kernel_cred)
		return -ENOMEM;
	context = fs_context_for_mount(sb->s_type, 0);
	if (IS_ERR(context)) {
		put_cred(tring_kernel_cred);
		return PTR_ERR(context);
	}
	/* What vfs_get_tree() would set; put_fs_context() drops both references. */
	atomic_inc(&sb->s_active);
	context->root = dget(sb->s_root);
	ftrace_mount = vfs_create_mount(context);
	put_fs_context(context);
	if (IS_ERR(ftrace_mount)) {
		put_cred(tring_kernel_cred);
		return PTR_ERR(ftrace_mount);
	}
	return 0;
}

/**
 * tring_kernel_file_exit - undo tring_kernel_file_init()
 *
 * Context: may sleep.
 */
void tring_kernel_file_exit(void)
{
	mntput(ftrace_mount);
	put_cred(tring_kernel_cred);
}

/**
 * tring_kernel_file_open - open a file or a directory of ftrace's
 * @path: path below tracefs' root
 * @flags: O_* of open()
 *
 * Context: process, may sleep; takes inode locks of ftrace's directories.
 * Return: the file, or an ERR_PTR() of open().
 */
struct file *tring_kernel_file_open(const char *path, int flags)
{
	const struct path root = { .mnt = ftrace_mount, .dentry = ftrace_mount->mnt_root };
	const struct cred *old = override_creds(tring_kernel_cred);
	struct file *file = file_open_root(&root, path, flags, 0);

	revert_creds(old);
	return file;
}

/**
 * tring_kernel_file_type - does ftrace have a file or directory?
 * @path: path below tracefs' root
 *
 * Context: process, may sleep; takes inode locks of ftrace's directories.
 * Return: its type, S_IF*, or -ENOENT, or another error of open().
 */
int tring_kernel_file_type(const char *path)
{
	struct file *file = tring_kernel_file_open(path, O_PATH);
	int type;

	if (IS_ERR(file))
		return PTR_ERR(file);
	type = file_inode(file)->i_mode & S_IFMT;
	fput(file);
	return type;
}

static ssize_t read_seq_file(struct file *file, loff_t pos, char *text, size_t size)
{
	struct kvec vector = { .iov_base = text, .iov_len = size };
	struct kiocb kiocb;
	struct iov_iter iter;

	/* A seq_file of tring's may be reading ftrace's; none of ftrace's reads another one. */
	lockdep_set_subclass(&((struct seq_file *)file->private_data)->lock,
			     SINGLE_DEPTH_NESTING);
	init_sync_kiocb(&kiocb, file);
	kiocb.ki_pos = pos;
	iov_iter_kvec(&iter, READ, &vector, 1, size);
	return seq_read_iter(&kiocb, &iter);
}

/* Returns the number of bytes, or an error. */
static ssize_t read_text(struct file *file, char *text, size_t size)
{
	size_t length = 0;
	ssize_t count;

	while (length < size) {
		count = read_seq_file(file, length, text + length, size - length);
		if (count < 0)
			return count;
		if (!count)
			break;
		length += count;
	}
	return length;
}

/**
 * tring_kernel_file_read - read a file of ftrace's
 * @path: path below tracefs' root, of a seq_file
 *
 * Context: process, may sleep; takes ftrace's event_mutex.
 * Return: the text, to be freed by kvfree(); or an ERR_PTR(): -ENOENT if there is no such
 * file, -EPERM under lockdown, -EFBIG, -ENOMEM; -EINVAL if the file is no seq_file.
 */
char *tring_kernel_file_read(const char *path)
{
	struct file *file = tring_kernel_file_open(path, O_RDONLY);
	char *text = ERR_PTR(-EFBIG);
	ssize_t length;
	size_t size;

	if (IS_ERR(file))
		return ERR_CAST(file);
	if (WARN_ON_ONCE(file->f_op->read != seq_read)) {
		fput(file);
		return ERR_PTR(-EINVAL);
	}
	for (size = TEXT_FIRST; size <= TEXT_MAX; size *= 2) {
		text = kvmalloc(size, GFP_KERNEL);
		if (!text) {
			text = ERR_PTR(-ENOMEM);
			break;
		}
		length = read_text(file, text, size);
		if (length >= 0 && length < size) {
			text[length] = '\0';
			break;
		}
		kvfree(text);
		text = ERR_PTR(length < 0 ? length : -EFBIG);
		if (length < 0)
			break;
	}
	fput(file);
	return text;
}
