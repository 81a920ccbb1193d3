/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Preemption, interrupts of the writers' CPU, locks, grace periods and sleep. A function
 * that blocks lets the other actors run.
 */
#ifndef SHIM_WAITING_H
#define SHIM_WAITING_H

#include "atomics.h"

void preempt_disable_notrace(void);
void preempt_enable_notrace(void);
unsigned char interrupt_context_level(void);
void cpu_relax(void);

#define local_irq_save(flags)	((flags) = shim_irq_save())
#define local_irq_restore(flags)	shim_irq_restore(flags)
#define cond_resched()		do { } while (0)
#define current			NULL
#define fatal_signal_pending(task)	((void)(task), 0)
#define signal_pending(task)	((void)(task), 0)

unsigned long shim_irq_save(void);
void shim_irq_restore(unsigned long flags);

struct mutex {
	int owner;
};

void mutex_init(struct mutex *mutex);
void mutex_lock(struct mutex *mutex);
void mutex_unlock(struct mutex *mutex);
bool mutex_is_locked(struct mutex *mutex);

void synchronize_rcu(void);

struct cpumask {
	unsigned long bits;
};

extern const struct cpumask shim_cpu0;
extern bool shim_online;

#define nr_cpu_ids		1
#define cpu_possible_mask	(&shim_cpu0)
#define cpu_online_mask		(&(const struct cpumask){ shim_online })
#define cpumask_test_cpu(cpu, mask)	((mask)->bits >> (cpu) & 1)
#define cpumask_of(cpu)		((void)(cpu), &shim_cpu0)
#define cpumask_first(mask)	((mask)->bits ? 0u : 1u)
#define cpumask_next(cpu, mask)	((void)(cpu), 1u)
#define for_each_cpu(cpu, mask)	\
	for ((cpu) = 0; (cpu) < 1 && (mask)->bits; (cpu)++)
#define for_each_possible_cpu(cpu)	for ((cpu) = 0; (cpu) < 1; (cpu)++)
#define for_each_online_cpu(cpu) \
	for ((cpu) = 0; (cpu) < 1 && shim_online; (cpu)++)
#define cpu_online(cpu)		((void)(cpu), shim_online)
#define cpu_to_node(cpu)	0

void cpus_read_lock(void);
void cpus_read_unlock(void);

typedef void (*smp_call_func_t)(void *info);

#define CSD_FLAG_LOCK	1

typedef struct {
	struct {
		unsigned int u_flags;
	} node;
	smp_call_func_t	func;
	void		*info;
} call_single_data_t;

#define INIT_CSD(csd, f, i) \
	(*(csd) = (call_single_data_t){ .func = (f), .info = (i) })

/* Returns when the function has run. */
int smp_call_function_single_async(int cpu, call_single_data_t *csd);

/* Time stands still, so nothing that is waited for comes too late. */
#define jiffies	0UL
#define time_after(a, b)	((a) > (b))
#define time_before(a, b)	((a) < (b))
#define schedule_timeout_uninterruptible(jiffies)	cpu_relax()
#define schedule_timeout_killable(jiffies)		cpu_relax()
#define start_poll_synchronize_rcu()	0UL
#define poll_state_synchronize_rcu(state)	((void)(state), synchronize_rcu(), true)

#define tick_nohz_full_cpu(cpu)	((void)(cpu), false)

typedef struct {
	int unused;
} seqcount_mutex_t;

#define seqcount_mutex_init(s, lock)	((void)(s))
#define write_seqcount_begin(s)		((void)(s))
#define write_seqcount_end(s)		((void)(s))

/* These return after another actor has run. */
#define schedule_timeout_interruptible(jiffies)	cpu_relax()

struct work_struct {
	void	(*function)(struct work_struct *work);
	bool	pending;
};

#define INIT_WORK(work, f)	((work)->function = (f), (work)->pending = false)

/* All queues are one. No CPU is slow to answer, so a work that is put off never begins. */
struct delayed_work {
	struct work_struct work;
};

#define INIT_DELAYED_WORK(delayed, f)		INIT_WORK(&(delayed)->work, f)
#define to_delayed_work(w)			container_of(w, struct delayed_work, work)
#define mod_delayed_work(queue, delayed, jiffies)	schedule_work(&(delayed)->work)
#define queue_delayed_work(queue, delayed, jiffies)	fail("a CPU has not answered")
#define queue_work(queue, work)			schedule_work(work)
#define cancel_delayed_work_sync(delayed)	cancel_work_sync(&(delayed)->work)

bool schedule_work(struct work_struct *work);
bool cancel_work_sync(struct work_struct *work);

enum cpuhp_state { CPUHP_BP_PREPARE_DYN };

struct hlist_node {
	struct hlist_node *next;
};

#define hlist_entry(pointer, type, member)	container_of(pointer, type, member)

static inline int cpuhp_setup_state_multi(enum cpuhp_state state, const char *name,
					  int (*up)(unsigned int cpu, struct hlist_node *node),
					  int (*down)(unsigned int cpu,
						      struct hlist_node *node))
{
	return 1;
}

#define cpuhp_state_add_instance_nocalls(state, node)		((void)(state), 0)
#define cpuhp_state_remove_instance_nocalls(state, node)	((void)(state))
#define cpuhp_remove_multi_state(state)				((void)(state))

struct irq_work {
	void	(*function)(struct irq_work *work);
	bool	pending;
};

#define IRQ_WORK_INIT_HARD(f)	((struct irq_work){ .function = (f) })

bool irq_work_queue(struct irq_work *work);
void irq_work_sync(struct irq_work *work);

struct wait_queue_head {
	unsigned int	sleepers;
	unsigned int	wakeups;
};

typedef struct wait_queue_head wait_queue_head_t;

static inline void init_waitqueue_head(struct wait_queue_head *queue)
{
	queue->sleepers = 0;
	queue->wakeups = 0;
}

/* The caller provides the barrier. */
static inline bool waitqueue_active(struct wait_queue_head *queue)
{
	shim_point();
	return queue->sleepers;
}

void wake_up_all(struct wait_queue_head *queue);
bool shim_sleep(struct wait_queue_head *queue, unsigned int wakeups, bool timeout);

#define shim_wait_event(queue, condition, timeout) \
({ \
	long _left = 1; \
	\
	if (!(condition)) { \
		(queue).sleepers++; \
		for (;;) { \
			unsigned int _wakeups = (queue).wakeups; \
	\
			if (condition) \
				break; \
			if (!shim_sleep(&(queue), _wakeups, timeout)) { \
				_left = 0; \
				break; \
			} \
		} \
		(queue).sleepers--; \
	} \
	_left; \
})

#define wait_event_interruptible(queue, condition) \
	((void)shim_wait_event(queue, condition, false), 0)
#define wait_event_interruptible_timeout(queue, condition, jiffies) \
	shim_wait_event(queue, condition, true)

#endif /* SHIM_WAITING_H */
