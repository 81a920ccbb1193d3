/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the compiler of filters needs of the kernel, in user space. The task, its CPU, the memory
 * that addresses point to and the functions are the test's.
 */
#ifndef FILTER_SHIM_H
#define FILTER_SHIM_H

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char s8;
typedef short s16;
typedef int s32;
typedef long long s64;

#define U16_MAX		UINT16_MAX
#define U64_MAX		ULLONG_MAX

#define likely(x)	(x)
#undef __always_inline
#define __always_inline	inline __attribute__((__always_inline__))
#define noinline	__attribute__((__noinline__))
#define __kprobes
#define __user

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define ALIGN(n, to)	(((n) + (to) - 1) / (to) * (to))
#define min(a, b)	((a) < (b) ? (a) : (b))
#define min_t(type, a, b)	min((type)(a), (type)(b))
#define struct_size(pointer, member, count)	\
	(sizeof(*(pointer)) + (count) * sizeof((pointer)->member[0]))

static inline void *ERR_PTR(long err)
{
	return (void *)err;
}

static inline bool IS_ERR(const void *pointer)
{
	return (unsigned long)pointer >= (unsigned long)-4095;
}

static inline long PTR_ERR(const void *pointer)
{
	return (long)pointer;
}

#define GFP_KERNEL	0
#define kvmalloc(size, flags)			malloc(size)
#define kvzalloc(size, flags)			calloc(1, size)
#define kvmalloc_array(count, size, flags)	malloc((count) * (size))
#define kvcalloc(count, size, flags)		calloc(count, size)
#define kvfree(memory)				free(memory)

static inline int kstrtoull(const char *text, unsigned int base, u64 *value)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	errno = 0;
	*value = strtoull(text, &end, base);
	return errno ? -ERANGE : *end ? -EINVAL : 0;
}

static inline int kstrtoll(const char *text, unsigned int base, s64 *value)
{
	char *end;

	if (!isdigit((unsigned char)text[*text == '-']))
		return -EINVAL;
	errno = 0;
	*value = strtoll(text, &end, base);
	return errno ? -ERANGE : *end ? -EINVAL : 0;
}

static inline char *strnstr(const char *text, const char *wanted, size_t length)
{
	return memmem(text, strnlen(text, length), wanted, strlen(wanted));
}

/* Sets of 64 CPUs, of which there are fewer. */
struct cpumask {
	u64	bits;
};

extern unsigned int nr_cpu_ids;

static inline size_t cpumask_size(void)
{
	return sizeof(struct cpumask);
}

static inline bool cpumask_equal(const struct cpumask *set, const struct cpumask *other)
{
	return !memcmp(set, other, sizeof(*set));
}

static inline bool cpumask_intersects(const struct cpumask *set, const struct cpumask *other)
{
	u64 bits, others;

	memcpy(&bits, set, sizeof(bits));
	memcpy(&others, other, sizeof(others));
	return bits & others;
}

static inline bool cpumask_test_cpu(u32 cpu, const struct cpumask *set)
{
	return set->bits >> cpu & 1;
}

static inline u32 cpumask_weight(const struct cpumask *set)
{
	return __builtin_popcountll(set->bits);
}

static inline u32 cpumask_first(const struct cpumask *set)
{
	return __builtin_ctzll(set->bits);
}

int cpulist_parse(const char *list, struct cpumask *set);

struct task_struct {
	char	comm[16];
};

#define TASK_COMM_LEN	16
extern struct task_struct *current;
int raw_smp_processor_id(void);
int copy_from_kernel_nofault(void *to, const void *from, size_t size);
int copy_from_user_nofault(void *to, const void *from, size_t size);

#endif /* FILTER_SHIM_H */
