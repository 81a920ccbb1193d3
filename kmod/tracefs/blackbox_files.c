// SPDX-License-Identifier: GPL-2.0
/*
 * Files for traces that are read after a crash (docs/blackbox.md):
 *
 * persistent   1 moves the rings of the trace into memory that outlives the kernel, if the
 *              module was given such memory; 0 moves them back
 * blob         bytes that every image of the memory shows with the trace: the formats of its
 *              events. write() appends, opening with O_TRUNC empties it
 * last_boot    what an earlier boot left in that memory. Writing 1 says that it was read and
 *              may be overwritten, 0 erases all that earlier boots left
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "blackbox/region.h"
#include "control.h"
#include "session/session.h"
#include "tring_directory.h"

/**
 * tring_get_persistent - whether the rings outlive the kernel
 * @file: persistent
 *
 * Context: any.
 */
unsigned long tring_get_persistent(struct tring_file *file)
{
	return READ_ONCE(file->buffer->allocator) != &tring_pages;
}

/**
 * tring_set_persistent - move the rings
 * @file: persistent
 * @on: 0 or 1
 *
 * Context: may sleep.
 * Return: 0 or an error of tring_directory_set_persistent().
 */
int tring_set_persistent(struct tring_file *file, unsigned long on)
{
	return tring_directory_set_persistent(&tring_session_of(file->buffer)->directory, on);
}

static int open_blob(struct inode *inode, struct file *filp)
{
	struct tring_session *session = tring_session_of(tring_file_of(inode)->buffer);

	filp->private_data = session;
	if (filp->f_mode & FMODE_WRITE && filp->f_flags & O_TRUNC) {
		mutex_lock(&session->buffer.mutex);
		tring_directory_append_blob(&session->directory, NULL, 0);
		mutex_unlock(&session->buffer.mutex);
	}
	return 0;
}

static ssize_t read_blob(struct file *filp, char __user *to, size_t count, loff_t *pos)
{
	struct tring_session *session = filp->private_data;
	const struct tring_directory *directory = &session->directory;
	void *data;
	ssize_t ret;

	count = min_t(size_t, count, SZ_64K);
	data = kvmalloc(count, GFP_KERNEL);
	if (!data)
		return -ENOMEM;
	mutex_lock(&session->buffer.mutex);
	ret = memory_read_from_buffer(data, count, pos, directory->blob,
				      directory->trace->blob.size);
	mutex_unlock(&session->buffer.mutex);
	/* Without the mutex: the reader's memory may take as long as it likes to come. */
	if (ret > 0 && copy_to_user(to, data, ret))
		ret = -EFAULT;
	kvfree(data);
	return ret;
}

static ssize_t write_blob(struct file *filp, const char __user *from, size_t count, loff_t *pos)
{
	struct tring_session *session = filp->private_data;
	void *data;
	int err;

	if (!count)
		return 0;
	if (count > TRING_BLOB_MAX)
		return -EFBIG;
	data = vmemdup_user(from, count);
	if (IS_ERR(data))
		return PTR_ERR(data);
	mutex_lock(&session->buffer.mutex);
	err = tring_directory_append_blob(&session->directory, data, count);
	mutex_unlock(&session->buffer.mutex);
	kvfree(data);
	if (err)
		return err;
	*pos += count;
	return count;
}

const struct file_operations tring_blob_fops = {
	.owner		= THIS_MODULE,
	.open		= open_blob,
	.read		= read_blob,
	.write		= write_blob,
	.llseek		= default_llseek,
};

static int open_last_boot(struct inode *inode, struct file *filp)
{
	filp->private_data = (void *)tring_region_waiting();
	if (filp->private_data || !(filp->f_mode & FMODE_READ))
		return 0;
	return tring_region_size() ? -ENODATA : -ENODEV;
}

static ssize_t read_last_boot(struct file *filp, char __user *to, size_t count, loff_t *pos)
{
	const struct tring_directory_region *region = filp->private_data;

	return simple_read_from_buffer(to, count, pos, region, tring_region_size());
}

static ssize_t write_last_boot(struct file *filp, const char __user *from, size_t count,
			       loff_t *pos)
{
	unsigned long value;
	int err = kstrtoul_from_user(from, count, 10, &value);

	if (err)
		return err;
	if (value > 1)
		return -EINVAL;
	err = value ? tring_region_release() : tring_region_wipe();
	if (err)
		return err;
	*pos += count;
	return count;
}

static loff_t seek_last_boot(struct file *filp, loff_t offset, int whence)
{
	return fixed_size_llseek(filp, offset, whence, tring_region_size());
}

const struct file_operations tring_last_boot_fops = {
	.owner		= THIS_MODULE,
	.open		= open_last_boot,
	.read		= read_last_boot,
	.write		= write_last_boot,
	.llseek		= seek_last_boot,
};
