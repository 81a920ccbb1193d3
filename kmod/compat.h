/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Differences between the kernels that tring builds for, 6.1 to 6.12. All version tests
 * of the project are here; no other file includes linux/version.h. Each test names the
 * version that made a change, and the change.
 */
#ifndef _TRING_COMPAT_H
#define _TRING_COMPAT_H

/* User-mode Linux on x86-64 is an x86-64, too. */
#if !defined(CONFIG_X86_64) && !defined(CONFIG_ARM64)
#error "tring runs on x86-64 and arm64 only, because it stores fields unaligned"
#endif

#include <linux/export.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/version.h>

#include <asm/local.h>

/* Since v6.3: struct file_lock is not in linux/fs.h. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
#include <linux/filelock.h>
#endif

/* Since v6.6: CONCATENATE() is not in linux/kernel.h. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 0)
#include <linux/args.h>
#else
#include <linux/kernel.h>
#endif

/*
 * Since v6.7: inode times have accessors and a helper that sets all of them to now. The
 * plain members were removed soon after.
 */
static inline void tring_inode_init_times(struct inode *inode)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
	simple_inode_init_ts(inode);
#else
	inode->i_ctime = current_time(inode);
	inode->i_mtime = inode->i_ctime;
	inode->i_atime = inode->i_ctime;
#endif
}

/* Since v6.7, as above: the times of a directory whose entries have changed. */
static inline void tring_inode_touch(struct inode *inode)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
	inode_set_mtime_to_ts(inode, inode_set_ctime_current(inode));
#else
	inode->i_ctime = current_time(inode);
	inode->i_mtime = inode->i_ctime;
#endif
}

/*
 * Since v6.5: the splice_read that copies, by way of read_iter, has another name.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 5, 0)
#define tring_copy_splice_read	copy_splice_read
#else
#define tring_copy_splice_read	generic_file_splice_read
#endif

/*
 * Since v6.3: inode_operations::mkdir() gets a mnt_idmap instead of the mount's user
 * namespace.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
#define tring_mkdir_idmap	mnt_idmap
#else
#define tring_mkdir_idmap	user_namespace
#endif

/*
 * Since v6.15: inode_operations::mkdir() returns a dentry. NULL, which is ERR_PTR(0),
 * means success with the dentry that it was given.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 15, 0)
#define TRING_MKDIR_RESULT	struct dentry *
#define tring_mkdir_result(err)	ERR_PTR(err)
#else
#define TRING_MKDIR_RESULT	int
#define tring_mkdir_result(err)	(err)
#endif

/*
 * Since v6.10: __assign_str() in TP_fast_assign does not name the source of the string
 * any more, and copies no more than there is room for.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 10, 0)
#define TRING_ASSIGN_STR_NAMES_SOURCE
#endif

/*
 * Since v6.13: the namespace of an export is a string.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
#define TRING_EXPORT(symbol)	EXPORT_SYMBOL_NS_GPL(symbol, "TRING")
#define TRING_IMPORT_NS		MODULE_IMPORT_NS("TRING")
#else
#define TRING_EXPORT(symbol)	EXPORT_SYMBOL_NS_GPL(symbol, TRING)
#define TRING_IMPORT_NS		MODULE_IMPORT_NS(TRING)
#endif

/*
 * Since v6.5: local_try_cmpxchg(), whose result is a flag of the processor. Earlier
 * kernels need one more comparison, except on x86 with this instruction. Unlike the
 * kernel's, this function does not return the value found.
 */
static __always_inline bool tring_local_try_cmpxchg(local_t *where, long old, long new)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 5, 0)
	return local_try_cmpxchg(where, &old, new);
#elif defined(CONFIG_X86_64) && !defined(CONFIG_UML)
	bool done;

	asm volatile("cmpxchgq %[new], %[where]"
		     : "=@ccz" (done), [where] "+m" (where->a.counter), "+a" (old)
		     : [new] "r" (new)
		     : "memory");
	return done;
#else
	return local_cmpxchg(where, old, new) == old;
#endif
}

/*
 * Since v6.2: ring_buffer_unlock_commit() finds the event itself.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
#define tring_ring_buffer_unlock_commit(buffer, event)	ring_buffer_unlock_commit(buffer)
#else
#define tring_ring_buffer_unlock_commit(buffer, event)	\
	ring_buffer_unlock_commit(buffer, event)
#endif

/*
 * Depends on the compiler, not the version. For a tring_record and other variables on
 * the stack of a probe: with CONFIG_INIT_STACK_ALL_* the compiler would initialise
 * them for each event. None of their bytes is copied out uninitialised.
 */
#if __has_attribute(__uninitialized__)
#define TRING_UNINITIALIZED	__attribute__((__uninitialized__))
#else
#define TRING_UNINITIALIZED
#endif

#endif /* _TRING_COMPAT_H */
