// SPDX-License-Identifier: GPL-2.0
/*
 * Reads and writes ftrace's own files, for what ftrace exports in no other way: the list of
 * its events, the layout and the directory of each, and the parser of filters. The texts of
 * these files are an interface that many programs depend on, unlike the structures behind them.
 *
 * A file is opened below a mount, and tracefs may not be mounted. kern_mount() would
 * change the options of the one superblock (see dir.c). So the mount is made around that
 * superblock, without the step that gets one.
 */
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/fs_context.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/mount.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/uio.h>

#include "dir.h"
#include "kernel_file.h"

/* The list of all events has some 40 KiB. */
#define TEXT_FIRST	SZ_64K
#define TEXT_MAX	SZ_16M

static struct vfsmount *mount;
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
	mount = vfs_create_mount(context);
	put_fs_context(context);
	if (IS_ERR(mount)) {
		put_cred(tring_kernel_cred);
		return PTR_ERR(mount);
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
	mntput(mount);
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
	const struct path root = { .mnt = mount, .dentry = mount->mnt_root };
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

/*
 * Files that are no seq_file take user memory only: the kernel has no set_fs() any more. So
 * the calling process gets some for the time of the call. What another thread of it does to
 * that memory is the same as if it had written something else.
 */
static unsigned long map_memory(size_t size)
{
	if (!current->mm)
		return -EOPNOTSUPP;
	return vm_mmap(NULL, 0, PAGE_ALIGN(size), PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, 0);
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

/* With one call for all: the file of a filter has no second part. */
static ssize_t read_plain_file(struct file *file, loff_t pos, char *text, size_t size)
{
	unsigned long memory = map_memory(size);
	char __user *copy = (char __user *)memory;
	ssize_t count;

	if (IS_ERR_VALUE(memory))
		return memory;
	count = file->f_op->read(file, copy, size, &pos);
	if (count > 0 && copy_from_user(text, copy, count))
		count = -EFAULT;
	vm_munmap(memory, PAGE_ALIGN(size));
	return count;
}

/* Returns the number of bytes, or an error. */
static ssize_t read_text(struct file *file, char *text, size_t size)
{
	bool is_seq_file = file->f_op->read == seq_read;
	size_t length = 0;
	ssize_t count;

	while (length < size) {
		count = is_seq_file ? read_seq_file(file, length, text + length, size - length) :
				      read_plain_file(file, length, text + length, size - length);
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
 * @path: path below tracefs' root
 *
 * Context: process, may sleep; takes ftrace's event_mutex.
 * Return: the text, to be freed by kvfree(); or an ERR_PTR(): -ENOENT if there is no such
 * file, -EPERM under lockdown, -EFBIG, -ENOMEM; -EOPNOTSUPP in a kernel thread if the file is
 * no seq_file.
 */
char *tring_kernel_file_read(const char *path)
{
	struct file *file = tring_kernel_file_open(path, O_RDONLY);
	char *text = ERR_PTR(-EFBIG);
	ssize_t length;
	size_t size;

	if (IS_ERR(file))
		return ERR_CAST(file);
	if (WARN_ON_ONCE(!file->f_op->read)) {
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

static ssize_t write_plain_file(struct file *file, const char *text, size_t length)
{
	unsigned long memory = map_memory(PAGE_SIZE);
	char __user *copy = (char __user *)memory;
	ssize_t count = -EFAULT;
	loff_t pos = 0;

	if (IS_ERR_VALUE(memory))
		return memory;
	if (!copy_to_user(copy, text, length))
		count = file->f_op->write(file, copy, length, &pos);
	vm_munmap(memory, PAGE_SIZE);
	return count;
}

/**
 * tring_kernel_file_write - write to a file of ftrace's
 * @path: path below tracefs' root
 * @text: what to write at once; shorter than a page
 *
 * Context: a process with memory of its own, may sleep; takes ftrace's event_mutex.
 * Return: 0; -ENOENT if there is no such file, -EPERM under lockdown, -EINVAL if @text is too
 * long, -EOPNOTSUPP in a kernel thread, -ENOMEM, or what the file says.
 */
int tring_kernel_file_write(const char *path, const char *text)
{
	size_t length = strlen(text);
	struct file *known, *file;
	ssize_t count;

	if (length >= PAGE_SIZE)
		return -EINVAL;
	/*
	 * The caller's write() keeps tracefs from being frozen. To look up a file for writing
	 * would do so once more, which might wait. So it is looked up before.
	 */
	known = tring_kernel_file_open(path, O_PATH);
	if (IS_ERR(known))
		return PTR_ERR(known);
	file = tring_kernel_file_open(path, O_WRONLY);
	fput(known);
	if (IS_ERR(file))
		return PTR_ERR(file);
	count = WARN_ON_ONCE(!file->f_op->write) ? -EINVAL : write_plain_file(file, text, length);
	fput(file);
	if (count < 0)
		return count;
	return count == length ? 0 : -EIO;
}
