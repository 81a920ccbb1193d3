/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Accesses to variables that writers and readers share. One thread runs all actors and
 * switches between them at points only, so plain accesses are atomic. The order in which
 * other CPUs would see them is not modelled here.
 *
 * With shim_fine each access is a point, too: another actor may run before it.
 * shim_watched is the address of the ring's position; the model is told each read and
 * each move of it.
 */
#ifndef SHIM_ATOMICS_H
#define SHIM_ATOMICS_H

#include "basics.h"

extern bool shim_fine;
extern const void *shim_watched;

extern bool shim_has_freed;

void shim_access(void);
void shim_check_freed(const void *variable);
void shim_watched_read(long value);
void shim_watched_moved(long from, long to);

static inline void shim_point(void)
{
	if (unlikely(shim_fine))
		shim_access();
}

/* An access to a variable that may lie in freed memory. */
static inline void shim_point_at(const void *variable)
{
	shim_point();
	if (unlikely(shim_has_freed))
		shim_check_freed(variable);
}

typedef struct {
	long value;
} local_t;

typedef struct {
	s64 value;
} atomic64_t;

typedef struct {
	int value;
} atomic_t;

#define LOCAL_INIT(v)		{ (long)(v) }

/* An access that the compiler may neither repeat nor omit. */
#define SHIM_ONCE(x)	(*(volatile __typeof__(x) *)&(x))

#define READ_ONCE(x) \
({ \
	shim_point(); \
	SHIM_ONCE(x); \
})
#define WRITE_ONCE(x, v) \
do { \
	shim_point(); \
	SHIM_ONCE(x) = (v); \
} while (0)

#define cmpxchg(p, old, new) \
({ \
	/* Arguments may have points of their own. */ \
	__typeof__(*(p)) _old = (old), _new = (new), _value; \
	\
	shim_point(); \
	_value = SHIM_ONCE(*(p)); \
	if (_value == _old) \
		SHIM_ONCE(*(p)) = _new; \
	_value; \
})

/* For variables of any width; a local_t has local_cmpxchg(). */
#define cmpxchg_local(p, old, new)	cmpxchg(p, old, new)

#define smp_mb()	barrier()
#define smp_rmb()	barrier()
#define smp_wmb()	barrier()
#define smp_load_acquire(p)		READ_ONCE(*(p))
#define smp_store_release(p, v)		WRITE_ONCE(*(p), v)

static inline long local_read(const local_t *l)
{
	long value;

	shim_point_at(l);
	value = SHIM_ONCE(l->value);
	if (l == shim_watched)
		shim_watched_read(value);
	return value;
}

static inline void local_set(local_t *l, long value)
{
	shim_point_at(l);
	SHIM_ONCE(l->value) = value;
}

static inline void local_add(long n, local_t *l)
{
	shim_point_at(l);
	SHIM_ONCE(l->value) += n;
}

static inline void local_sub(long n, local_t *l)
{
	local_add(-n, l);
}

static inline void local_inc(local_t *l)
{
	local_add(1, l);
}

static inline void local_dec(local_t *l)
{
	local_add(-1, l);
}

static inline long local_add_return(long n, local_t *l)
{
	local_add(n, l);
	return l->value;
}

static inline bool local_add_negative(long n, local_t *l)
{
	return local_add_return(n, l) < 0;
}

static inline long local_cmpxchg(local_t *l, long old, long new)
{
	long value;

	shim_point_at(l);
	value = SHIM_ONCE(l->value);
	if (value == old) {
		SHIM_ONCE(l->value) = new;
		if (l == shim_watched)
			shim_watched_moved(old, new);
	}
	return value;
}

static inline bool local_try_cmpxchg(local_t *l, long *old, long new)
{
	long value = local_cmpxchg(l, *old, new);
	bool done = value == *old;

	*old = value;
	return done;
}

#define SHIM_ATOMIC(name, type, number) \
static inline number name##_read(const type *a) \
{ \
	shim_point_at(a); \
	return SHIM_ONCE(a->value); \
} \
	\
static inline void name##_set(type *a, number value) \
{ \
	shim_point_at(a); \
	SHIM_ONCE(a->value) = value; \
} \
	\
static inline number name##_cmpxchg(type *a, number old, number new) \
{ \
	number value; \
	\
	shim_point_at(a); \
	value = SHIM_ONCE(a->value); \
	if (value == old) \
		SHIM_ONCE(a->value) = new; \
	return value; \
} \
	\
static inline bool name##_try_cmpxchg(type *a, number *old, number new) \
{ \
	number value = name##_cmpxchg(a, *old, new); \
	bool done = value == *old; \
	\
	*old = value; \
	return done; \
} \
	\
static inline number name##_add_return(number n, type *a) \
{ \
	shim_point_at(a); \
	SHIM_ONCE(a->value) += n; \
	return a->value; \
} \
	\
static inline number name##_xchg(type *a, number new) \
{ \
	number value; \
	\
	shim_point_at(a); \
	value = SHIM_ONCE(a->value); \
	SHIM_ONCE(a->value) = new; \
	return value; \
}

SHIM_ATOMIC(atomic64, atomic64_t, s64)
SHIM_ATOMIC(atomic, atomic_t, int)

#define atomic64_read_acquire(a)	atomic64_read(a)
#define atomic64_set_release(a, v)	atomic64_set(a, v)
#define atomic_read_acquire(a)		atomic_read(a)
#define atomic_set_release(a, v)	atomic_set(a, v)
#define atomic_add(by, a)		atomic_add_return(by, a)
#define atomic_sub_return(by, a)	atomic_add_return(-(by), a)
#define atomic_inc_return(a)		atomic_add_return(1, a)
#define atomic_inc(a)			atomic_add_return(1, a)
#define atomic_dec(a)			atomic_add_return(-1, a)

#endif /* SHIM_ATOMICS_H */
