/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Differences between the kernels that tring builds for, 6.1 to 7.3. All version tests
 * of the project are here; no other file includes linux/version.h. Each test names the
 * version that made a change, and the change.
 */
#ifndef _TRING_COMPAT_H
#define _TRING_COMPAT_H

/* User-mode Linux on x86-64 is an x86-64, too. */
#if !defined(CONFIG_X86_64) && !defined(CONFIG_ARM64)
#error "tring runs on x86-64 and arm64 only, because it stores fields unaligned"
#endif

#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error "tring needs Linux 6.1 or later"
#endif

/* The newest series that the tests have been run on; see docs/kernels.md. */
#ifndef TRING_TESTED_SERIES
#define TRING_TESTED_SERIES	KERNEL_VERSION(7, 3, 0)
#endif

/* A later series builds if it compiles. The module says so when it is loaded. */
#define TRING_KERNEL_IS_UNTESTED	\
	(LINUX_VERSION_CODE >> 8 > TRING_TESTED_SERIES >> 8)

#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/namei.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>

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

/* Since v6.13: the function of a timer is set with it. v6.15 has removed the other way. */
static inline void tring_hrtimer_setup(struct hrtimer *timer,
				       enum hrtimer_restart (*function)(struct hrtimer *timer),
				       clockid_t clock, enum hrtimer_mode mode)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(timer, function, clock, mode);
#else
	hrtimer_init(timer, clock, mode);
	timer->function = function;
#endif
}

/* As above, for a timer on the stack. */
static inline void tring_hrtimer_setup_on_stack(struct hrtimer *timer,
						enum hrtimer_restart (*function)(struct hrtimer *),
						clockid_t clock, enum hrtimer_mode mode)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup_on_stack(timer, function, clock, mode);
#else
	hrtimer_init_on_stack(timer, clock, mode);
	timer->function = function;
#endif
}

/*
 * Since v6.7: inode times have accessors and a helper that sets all of them to now. The
 * plain members were removed soon after. v6.6 has replaced i_ctime only.
 */
static inline void tring_inode_init_times(struct inode *inode)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
	simple_inode_init_ts(inode);
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 0)
	inode->i_mtime = inode_set_ctime_current(inode);
	inode->i_atime = inode->i_mtime;
#else
	inode->i_ctime = current_time(inode);
	inode->i_mtime = inode->i_ctime;
	inode->i_atime = inode->i_ctime;
#endif
}

/* As above: the times of a directory whose entries have changed. */
static inline void tring_inode_touch(struct inode *inode)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
	inode_set_mtime_to_ts(inode, inode_set_ctime_current(inode));
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 0)
	inode->i_mtime = inode_set_ctime_current(inode);
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
 * Since v6.3: inode operations get a mnt_idmap instead of the mount's user namespace.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
#define tring_idmap	mnt_idmap
#else
#define tring_idmap	user_namespace
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
 * Since v6.16: lookup_one_len() is lookup_noperm(), which takes a struct qstr and does not
 * ask whether the caller may search the directory.
 */
static inline struct dentry *tring_lookup(const char *name, struct dentry *dir)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0)
	return lookup_noperm(&QSTR(name), dir);
#else
	return lookup_one_len(name, dir, strlen(name));
#endif
}

/*
 * Since v6.19: the reference that pins a dentry is marked, and simple_recursive_removal()
 * drops marked ones only. tring_dentry_pin() also instantiates; it leaves the caller's
 * reference.
 */
static inline void tring_dentry_pin(struct dentry *dentry, struct inode *inode)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 19, 0)
	d_make_persistent(dentry, inode);
#else
	d_instantiate(dget(dentry), inode);
#endif
}

/* The end of tring_dentry_pin(). */
static inline void tring_dentry_unpin(struct dentry *dentry)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 19, 0)
	d_make_discardable(dentry);
#else
	dput(dentry);
#endif
}

/*
 * Since v6.8: the children of a dentry are an hlist, for which linux/dcache.h has these
 * functions. The parent's d_lock is held. Return NULL at the end.
 */
static inline struct dentry *tring_first_child(struct dentry *dir)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 8, 0)
	return d_first_child(dir);
#else
	return list_first_entry_or_null(&dir->d_subdirs, struct dentry, d_child);
#endif
}

static inline struct dentry *tring_next_sibling(struct dentry *child)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 8, 0)
	return d_next_sibling(child);
#else
	if (list_is_last(&child->d_child, &child->d_parent->d_subdirs))
		return NULL;
	return list_next_entry(child, d_child);
#endif
}

/*
 * Since v7.0: tracepoints call their probes with preemption enabled, under SRCU. Before,
 * only those of system calls do. A test compiles a probe with TRING_PROBES_ARE_PREEMPTIBLE,
 * to try on any kernel what later ones need.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 0, 0) || defined(TRING_PROBES_ARE_PREEMPTIBLE)
#define tring_probe_preempt_disable()	preempt_disable_notrace()
#define tring_probe_preempt_enable()	preempt_enable_notrace()
#else
#define tring_probe_preempt_disable()	do { } while (0)
#define tring_probe_preempt_enable()	do { } while (0)
#endif

/* Since v6.13: those of system calls do. */
#define TRING_CALLS_ARE_PREEMPTIBLE	(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0))

/*
 * Wait until none of tring's code runs that the kernel called for an event before: in a
 * tracepoint, a kprobe, a uprobe or a handler of perf's. Since v7.0
 * tracepoint_synchronize_unregister() waits for tracepoints only; the others run under RCU.
 */
static inline void tring_synchronize_probes(void)
{
	tracepoint_synchronize_unregister();
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 0, 0)
	synchronize_rcu();
#endif
}

/* Since v6.3, and in later 6.1: kvfree_rcu() without a struct rcu_head has a name of its own. */
#ifndef kvfree_rcu_mightsleep
#define kvfree_rcu_mightsleep(ptr)	kvfree_rcu(ptr)
#endif

/* Since v6.16: sched_process_exit tells whether the task is the last one of its group. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0)
#define TRING_EXIT_EVENT_ARGS	void *data, struct task_struct *task, bool group_dead
#else
#define TRING_EXIT_EVENT_ARGS	void *data, struct task_struct *task
#endif

/*
 * Since v6.13, and in real-time kernels before: a task may be asked to reschedule later,
 * by a flag of its own, which ftrace records by one of its own. Architectures without it
 * have the usual flag under its name.
 */
static __always_inline bool tring_need_resched_lazy(struct task_struct *task)
{
#ifdef TIF_NEED_RESCHED_LAZY
	return TIF_NEED_RESCHED_LAZY != TIF_NEED_RESCHED &&
	       test_tsk_thread_flag(task, TIF_NEED_RESCHED_LAZY);
#else
	return false;
#endif
}

#ifdef TIF_NEED_RESCHED_LAZY
#define TRING_FLAG_NEED_RESCHED_LAZY	TRACE_FLAG_NEED_RESCHED_LAZY
#else
#define TRING_FLAG_NEED_RESCHED_LAZY	0
#endif

/*
 * Fills in what a kernel's struct trace_entry has behind the members that all have. Up to
 * 6.1, the real-time patches append a count, which is a macro of theirs.
 */
static __always_inline void tring_fill_entry_rest(struct trace_entry *entry)
{
#ifdef preempt_lazy_count
	const size_t rest = offsetofend(struct trace_entry, pid);

	memset((void *)entry + rest, 0, sizeof(*entry) - rest);
	entry->preempt_lazy_count = preempt_lazy_count();
#endif
}

/*
 * Since v6.19: events of some system calls have copies of memory that arguments point to.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 19, 0)
#define tring_syscall_copies_memory(metadata)	((metadata)->user_mask)
#else
#define tring_syscall_copies_memory(metadata)	false
#endif

/*
 * Exported to modules, but declared in kernel/rcu/rcu.h only: until the second call, grace
 * periods take microseconds at the price of interrupts of all CPUs. They take no time in
 * kernels for one CPU, which lack the functions.
 */
#ifndef CONFIG_TINY_RCU
void rcu_expedite_gp(void);
void rcu_unexpedite_gp(void);

#define tring_expedite_grace_periods()		rcu_expedite_gp()
#define tring_unexpedite_grace_periods()	rcu_unexpedite_gp()
#else
#define tring_expedite_grace_periods()		do { } while (0)
#define tring_unexpedite_grace_periods()	do { } while (0)
#endif

/*
 * Kbuild defines TRING_LACKS_<function> for one that a kernel does not export any more. Without
 * these two there is no event to record; functions and the marker need none.
 */
static inline struct trace_event_file *tring_get_event_file(const char *system, const char *name)
{
#if defined(TRING_LACKS_trace_get_event_file) || defined(TRING_LACKS_trace_put_event_file)
	return ERR_PTR(-ENOENT);
#else
	return trace_get_event_file(NULL, system, name);
#endif
}

static inline void tring_put_event_file(struct trace_event_file *file)
{
#if !defined(TRING_LACKS_trace_get_event_file) && !defined(TRING_LACKS_trace_put_event_file)
	trace_put_event_file(file);
#endif
}

/* As above: without these set_event_cgroup is left out. */
#if defined(CONFIG_CGROUPS) && !defined(TRING_LACKS_cgroup_get_from_path) && \
	!defined(TRING_LACKS_cgroup_get_from_id) && !defined(TRING_LACKS_cgroup_path_ns)
#define TRING_HAS_CGROUPS	1
#else
#define TRING_HAS_CGROUPS	0
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
 * Since v6.15: ftrace's event `function` ends with an array of arguments, which may be
 * empty, so its length varies.
 */
#define TRING_FUNCTION_VARIES	(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 15, 0))

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
