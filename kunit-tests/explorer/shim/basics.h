/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Types, attributes, arithmetic, messages.
 */
#ifndef SHIM_BASICS_H
#define SHIM_BASICS_H

#include <assert.h>
#include <endian.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char s8;
typedef short s16;
typedef int s32;
typedef long long s64;
typedef u8 __u8;
typedef u16 __u16;
typedef u32 __u32;
typedef u64 __u64;
typedef u64 __le64;
typedef s32 __s32;
typedef s64 __s64;
typedef unsigned int gfp_t;
typedef unsigned int __poll_t;

#ifndef ERESTARTSYS
#define ERESTARTSYS	512
#endif

/* Small, so that a few events fill a packet and copying the ring is fast. */
#define PAGE_SHIFT	8
#define PAGE_SIZE	(1UL << PAGE_SHIFT)
#define HZ		100
#define U16_MAX		UINT16_MAX
#define U32_MAX		UINT32_MAX

#ifdef __LITTLE_ENDIAN
#undef __LITTLE_ENDIAN
#undef __BIG_ENDIAN
#endif
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define __BIG_ENDIAN	4321
#else
#define __LITTLE_ENDIAN	1234
#endif

/* No option of the kernel's is set. */
#define IS_ENABLED(option)	0
#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)
#undef __always_inline
#define __always_inline	inline __attribute__((__always_inline__))
#define notrace
#define __percpu
#define ____cacheline_aligned	__attribute__((__aligned__(64)))
#define __aligned(n)	__attribute__((__aligned__(n)))

#define barrier()	__asm__ __volatile__("" ::: "memory")
#define data_race(x)	(x)
#define noinline		__attribute__((__noinline__))
#define lockdep_assert_held(lock)	do { } while (0)

#define container_of(pointer, type, member) \
	((type *)((char *)(pointer) - offsetof(type, member)))

#define BIT(n)		(1UL << (n))
#define BIT_ULL(n)	(1ULL << (n))
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define round_up(n, to)		((((n) - 1) | ((__typeof__(n))(to) - 1)) + 1)
#define ALIGN(n, to)		round_up(n, to)
#define min(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a < _b ? _a : _b; })
#define max(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define max_t(type, a, b)	max((type)(a), (type)(b))
#define clamp(v, low, high)	min(max(v, low), high)
#define array_size(n, size)	((size_t)(n) * (size))
#define size_add(a, b)		((size_t)(a) + (size_t)(b))

static inline unsigned int ilog2(unsigned long n)
{
	return 63 - __builtin_clzl(n);
}

static inline unsigned int order_base_2(unsigned long n)
{
	return n > 1 ? ilog2(n - 1) + 1 : 0;
}

/* A warning of the ring is a failure. */
void shim_warn(const char *what, const char *file, int line);

#define WARN_ON(condition) \
({ \
	bool _failed = (condition); \
	\
	if (_failed) \
		shim_warn(#condition, __FILE__, __LINE__); \
	_failed; \
})
#define WARN_ON_ONCE(condition)	WARN_ON(condition)

__attribute__((__format__(__printf__, 1, 2)))
void shim_print(const char *format, ...);

#define pr_warn_ratelimited(...)	shim_print(__VA_ARGS__)
#define pr_notice_ratelimited(...)	shim_print(__VA_ARGS__)

#define EXPORT_SYMBOL_NS_GPL(symbol, space)	_Static_assert(1, "")
#define NOKPROBE_SYMBOL(function)		_Static_assert(1, "")

/* Declarations of compat.h that the ring does not use. */
struct dentry;
struct inode;
struct task_struct;
struct trace_entry;
struct vm_area_struct;
enum hrtimer_mode { HRTIMER_MODE_REL };
enum hrtimer_restart { HRTIMER_NORESTART };
struct hrtimer {
	enum hrtimer_restart	(*function)(struct hrtimer *timer);
};

struct timespec64 {
	long long	tv_sec;
	long		tv_nsec;
};

struct dentry *lookup_one_len(const char *name, struct dentry *dir, int length);
struct dentry *dget(struct dentry *dentry);
struct dentry *d_first_child(struct dentry *dentry);
struct dentry *d_next_sibling(struct dentry *dentry);
void d_instantiate(struct dentry *dentry, struct inode *inode);
void dput(struct dentry *dentry);
void hrtimer_init(struct hrtimer *timer, clockid_t clock, enum hrtimer_mode mode);
void tracepoint_synchronize_unregister(void);
void simple_inode_init_ts(struct inode *inode);
struct timespec64 inode_set_ctime_current(struct inode *inode);
void inode_set_mtime_to_ts(struct inode *inode, struct timespec64 ts);
void vm_flags_mod(struct vm_area_struct *vma, unsigned long set, unsigned long clear);

/* Not used: the ring reads the clock of the test, see tring_ring_clock(). */
static inline u64 ktime_get_mono_fast_ns(void)
{
	return 0;
}

/* model.c: a new trace begins here. */
void shim_trace_begins(void);

/* A uuid that was not used before. */
static inline void generate_random_uuid(u8 *uuid)
{
	int i;

	for (i = 0; i < 16; i++)
		uuid[i] += 0xa0 + i;
	shim_trace_begins();
}

#endif /* SHIM_BASICS_H */
