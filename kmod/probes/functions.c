// SPDX-License-Identifier: GPL-2.0
/*
 * Calls of functions: ftrace calls tracer_call() at the beginning of each function, and that
 * records ftrace's event `function`.
 *
 * Which functions ftrace calls it for is decided by lists of patterns, which ftrace turns
 * into sets of addresses. The lists are kept as they were written. A change of a list
 * makes a new struct ftrace_ops with new sets, registers it, and lets it take over from the
 * old one. So ftrace changes the code of the functions once, however many patterns there
 * are, and no set is in use before it is complete.
 *
 * Nothing is recorded of what the recording itself calls: tring's functions are not
 * compiled for ftrace, and a lock for each context level holds back the others, such as
 * irq_work_queue() and the function that reads the clock; see is_own_call().
 *
 * Lock order: tring_functions::mutex, ftrace's locks, cpus_read_lock(), tring_buffer::mutex.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_recursion.h>

#include "cmdlines.h"
#include "event.h"
#include "events.h"
#include "functions.h"
#include "graph.h"
#include "own_events.h"

/* Layout of events/ftrace/function/format. */
struct function_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	unsigned long		parent_ip;
};

/**
 * struct tracer_ops - what is registered with ftrace
 * @ops: ftrace's part
 * @functions: where tracer_call() records; NULL before it has taken over, and once
 *	another has
 */
struct tracer_ops {
	struct ftrace_ops	ops;
	struct tring_functions	*functions;
};

/**
 * struct tring_functions - the functions that a ring records
 * @buffer: the ring
 * @set: events of the ring; says which tasks are recorded
 * @key: key of the event `function`, while it is recorded
 * @mutex: protects the members below
 * @tracer: what the tracer "function" has registered, or NULL
 * @graph: what the tracer "function_graph" has registered, or NULL
 * @max_depth: of "function_graph"; 0 for none
 * @lists: patterns, struct pattern
 */
struct tring_functions {
	struct tring_buffer	*buffer;
	struct tring_event_set	*set;
	struct tring_key	key;

	struct mutex		mutex;		/* protects the members below */
	struct tracer_ops	*tracer;
	struct tring_graph	*graph;
	unsigned int		max_depth;
	struct list_head	lists[TRING_FUNCTION_LISTS];
};

/**
 * struct pattern - a pattern that chooses functions
 * @list: in a list
 * @text: as ftrace_set_filter() takes it
 */
struct pattern {
	struct list_head	list;
	char			text[];
};

typedef int (*set_fn)(struct ftrace_ops *ops, unsigned char *text, int length, int reset);

static const set_fn set_fns[] = {
	[TRING_FILTER]	= ftrace_set_filter,
	[TRING_NOTRACE]	= ftrace_set_notrace,
};

static const char * const when_empty[] = {
	[TRING_FILTER]	= "#### all functions enabled ####\n",
	[TRING_NOTRACE]	= "#### no functions disabled ####\n",
	[TRING_GRAPH]	= "#### all functions enabled ####\n",
};

/* Of ftrace's recursion lock: task, softirq, interrupt, NMI. */
#define LEVELS		4

/* By level: the interrupt flags of the call that is being recorded. */
static DEFINE_PER_CPU(unsigned long [LEVELS], level_flags);

/*
 * Does the recording itself make this call? ftrace's recursion lock knows a call inside a
 * recording of the same context level. But it lets one of them through, because an
 * interrupt raises its level only after its first calls, and lowers it before its last
 * ones. Those are made with interrupts off, where a recording that was interrupted has
 * them on.
 *
 * Worst case: a clock that is read with a spinlock has a call recorded; the ring takes that
 * for a clock that traces itself.
 */
static __always_inline bool is_own_call(int bit)
{
	int level = bit - TRACE_FTRACE_START;
	unsigned long flags;

	local_save_flags(flags);
	if (likely(level < LEVELS)) {
		this_cpu_write(level_flags[level], flags);
		return false;
	}
	level = trace_get_context_bit();
	return !irqs_disabled_flags(flags) ||
	       irqs_disabled_flags(this_cpu_read(level_flags[level]));
}

static __always_inline void record_call(struct tring_functions *functions,
					struct task_struct *task, unsigned long ip,
					unsigned long parent_ip)
{
	/* ftrace's recursion lock has disabled preemption, too. */
	u64 context = tring_event_context(task, TRING_TRACEPOINT_DEPTH);
	struct tring_record TRING_UNINITIALIZED record;
	struct function_entry *entry;

	if (__tring_reserve(functions->buffer, READ_ONCE(functions->key.head) | context,
			    TRING_FUNCTION_VARIES, task->pid, sizeof(*entry), &record))
		return;
	entry = record.payload;
	tring_fill_entry_rest(&entry->ent);
	entry->ip = ip;
	entry->parent_ip = parent_ip;
	__tring_commit(&record);
}

/*
 * Calls of the idle task while RCU does not watch its CPU are left out, and not counted:
 * the ring's memory is freed after a grace period, which would not wait for them. Before
 * 6.3 some functions of cpuidle are traced there.
 */
static TRING_PROBE void tracer_call(unsigned long ip, unsigned long parent_ip,
				    struct ftrace_ops *ops, struct ftrace_regs *regs)
{
	struct tracer_ops *tracer = container_of(ops, struct tracer_ops, ops);
	int bit = ftrace_test_recursion_trylock(ip, parent_ip);
	struct tring_functions *functions;
	struct task_struct *task = current;

	if (unlikely(bit < 0))
		return;
	functions = READ_ONCE(tracer->functions);
	if (likely(functions) && likely(!is_own_call(bit)) &&
	    (likely(task->pid) || rcu_is_watching()) && tring_task_wanted(functions->set))
		record_call(functions, task, ip, parent_ip);
	ftrace_test_recursion_unlock(bit);
}

/* ftrace changes the text that it parses. */
static int set_pattern(struct ftrace_ops *ops, set_fn set, const char *text)
{
	char *copy = kstrdup(text, GFP_KERNEL);
	int err;

	if (!copy)
		return -ENOMEM;
	err = set(ops, copy, strlen(copy), 0);
	kfree(copy);
	return err;
}

/*
 * Functions may have gone with their module since the pattern was written. But if no pattern
 * of a filter matches any more, ftrace would take the empty set for all functions.
 */
static int set_patterns(struct ftrace_ops *ops, set_fn set, struct list_head *patterns)
{
	bool found = list_empty(patterns) || set == ftrace_set_notrace;
	struct pattern *pattern;

	list_for_each_entry(pattern, patterns, list) {
		int err = set_pattern(ops, set, pattern->text);

		if (err && err != -EINVAL)
			return err;
		if (!err && *pattern->text != '!')
			found = true;
	}
	return found ? 0 : -EINVAL;
}

static void free_tracer(struct tracer_ops *tracer)
{
	ftrace_free_filter(&tracer->ops);
	kfree(tracer);
}

static struct tracer_ops *make_tracer(struct tring_functions *functions)
{
	struct tracer_ops *tracer = kzalloc(sizeof(*tracer), GFP_KERNEL);
	enum tring_function_list which;
	int err = 0;

	if (!tracer)
		return ERR_PTR(-ENOMEM);
	tracer->ops.func = tracer_call;
	for (which = 0; which < ARRAY_SIZE(set_fns) && !err; which++)
		err = set_patterns(&tracer->ops, set_fns[which], &functions->lists[which]);
	err = err ?: register_ftrace_function(&tracer->ops);
	if (err) {
		free_tracer(tracer);
		return ERR_PTR(err);
	}
	return tracer;
}

/* No call of tracer_call() for it is running when this returns. */
static void stop_tracer(struct tracer_ops *tracer)
{
	WRITE_ONCE(tracer->functions, NULL);
	unregister_ftrace_function(&tracer->ops);
	free_tracer(tracer);
}

static int start_functions(struct tring_functions *functions)
{
	struct tracer_ops *tracer;
	int err = tring_cmdlines_allocate(functions->buffer);

	if (err)
		return err;
	tracer = make_tracer(functions);
	if (IS_ERR(tracer))
		return PTR_ERR(tracer);
	tring_buffer_add_event(functions->buffer, &functions->key,
			       tring_own_event_id(TRING_OWN_FUNCTION),
			       TRING_FUNCTION_VARIES ? 0 :
			       sizeof(struct function_entry) - TRING_PAYLOAD_HEAD, true);
	functions->tracer = tracer;
	/* Release: the key comes first. */
	smp_store_release(&tracer->functions, functions);
	return 0;
}

static void stop_functions(struct tring_functions *functions)
{
	if (functions->graph)
		tring_graph_destroy(functions->graph);
	functions->graph = NULL;
	if (!functions->tracer)
		return;
	stop_tracer(functions->tracer);
	functions->tracer = NULL;
	tring_buffer_remove_event(functions->buffer, &functions->key);
}

static int start_graph(struct tring_functions *functions)
{
	struct pattern *pattern;
	int err;

	if (list_empty(&functions->lists[TRING_GRAPH])) {
		pr_notice("function_graph: set_graph_function has to name the functions, because each needs a kretprobe\n");
		return -EINVAL;
	}
	err = tring_cmdlines_allocate(functions->buffer);
	if (err)
		return err;
	functions->graph = tring_graph_create(functions->set, &functions->max_depth);
	if (!functions->graph)
		return -ENOMEM;
	list_for_each_entry(pattern, &functions->lists[TRING_GRAPH], list)
		err = err ?: tring_graph_add(functions->graph, pattern->text);
	if (err)
		stop_functions(functions);
	return err;
}

/**
 * tring_functions_set_tracer - record calls of functions, or stop it
 * @functions: the functions of a ring
 * @name: a name of tring_functions_show_tracers()
 *
 * Starting allocates the ring's memory. When it has stopped, no call is being recorded.
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL if there is no such tracer, or no function that the patterns name;
 * -ENOMEM; -EINTR after a fatal signal while a CPU hangs; or an error of
 * tring_own_events_read(), register_ftrace_function() or register_kretprobe(). After an error
 * the tracer is "nop", but for a name that is none.
 */
int tring_functions_set_tracer(struct tring_functions *functions, const char *name)
{
	bool is_graph = tring_graph_is_available() && !strcmp(name, "function_graph");
	int err = tring_events_wait_for_cpus(functions->buffer);

	if (!err && strcmp(name, "nop"))
		err = tring_own_events_read();
	if (err)
		return err;
	mutex_lock(&functions->mutex);
	if (!strcmp(name, "nop")) {
		stop_functions(functions);
	} else if (!strcmp(name, "function") && !functions->tracer) {
		stop_functions(functions);
		err = start_functions(functions);
	} else if (is_graph && !functions->graph) {
		stop_functions(functions);
		err = start_graph(functions);
	} else if (strcmp(name, "function") && !is_graph) {
		err = -EINVAL;
	}
	mutex_unlock(&functions->mutex);
	return err;
}

/**
 * tring_functions_show_tracer - print the tracer
 * @m: output
 * @functions: the functions of a ring
 *
 * Context: process.
 */
void tring_functions_show_tracer(struct seq_file *m, struct tring_functions *functions)
{
	if (READ_ONCE(functions->graph))
		seq_puts(m, "function_graph\n");
	else
		seq_puts(m, READ_ONCE(functions->tracer) ? "function\n" : "nop\n");
}

/**
 * tring_functions_show_tracers - print the names of all tracers
 * @m: output
 *
 * Context: process.
 */
void tring_functions_show_tracers(struct seq_file *m)
{
	seq_puts(m, tring_graph_is_available() ? "function_graph function nop\n" :
						 "function nop\n");
}

/**
 * tring_functions_add_pattern - check a pattern, and add it to a list
 * @patterns: the list, to be dropped by tring_functions_drop_patterns()
 * @which: the list
 * @text: a name or a glob; "!" in front of it removes what it matches. A name for
 *	TRING_GRAPH
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL if the pattern matches no function that ftrace can trace; -ENOMEM; or
 * another error of ftrace_set_filter().
 */
int tring_functions_add_pattern(struct list_head *patterns, enum tring_function_list which,
				const char *text)
{
	struct ftrace_ops *ops;
	size_t size = strlen(text) + 1;
	struct pattern *pattern;
	int err;

	if (which == TRING_GRAPH && strpbrk(text, "!*?["))
		return -EINVAL;
	ops = kzalloc(sizeof(*ops), GFP_KERNEL);
	if (!ops)
		return -ENOMEM;
	err = set_pattern(ops, ftrace_set_filter, text);
	ftrace_free_filter(ops);
	kfree(ops);
	if (err)
		return err;
	pattern = kmalloc(struct_size(pattern, text, size), GFP_KERNEL);
	if (!pattern)
		return -ENOMEM;
	memcpy(pattern->text, text, size);
	list_add_tail(&pattern->list, patterns);
	return 0;
}

/**
 * tring_functions_drop_patterns - empty a list
 * @patterns: the list
 */
void tring_functions_drop_patterns(struct list_head *patterns)
{
	struct pattern *pattern, *next;

	list_for_each_entry_safe(pattern, next, patterns, list)
		kfree(pattern);
	INIT_LIST_HEAD(patterns);
}

/*
 * The functions that both name are recorded without a gap, but for a call that another CPU
 * makes between the two stores.
 */
static int restart_functions(struct tring_functions *functions, enum tring_function_list which)
{
	struct tracer_ops *tracer, *old = functions->tracer;

	if (!old || which == TRING_GRAPH)
		return 0;
	tracer = make_tracer(functions);
	if (IS_ERR(tracer))
		return PTR_ERR(tracer);
	WRITE_ONCE(old->functions, NULL);
	WRITE_ONCE(tracer->functions, functions);
	functions->tracer = tracer;
	stop_tracer(old);
	return 0;
}

/**
 * tring_functions_change - change a list
 * @functions: the functions of a ring
 * @which: the list
 * @patterns: patterns from tring_functions_add_pattern(); empty afterwards
 * @replace: they replace those that the list has; otherwise they are added
 *
 * After an error the list is as it was.
 *
 * Context: process, may sleep.
 * Return: 0; -EBUSY for TRING_GRAPH while these are recorded; or an error as of
 * tring_functions_set_tracer().
 */
int tring_functions_change(struct tring_functions *functions, enum tring_function_list which,
			   struct list_head *patterns, bool replace)
{
	struct list_head *list = &functions->lists[which], *last;
	LIST_HEAD(old);
	int err;

	mutex_lock(&functions->mutex);
	/* Its kretprobes refer to the names. */
	if (functions->graph && which == TRING_GRAPH) {
		mutex_unlock(&functions->mutex);
		return -EBUSY;
	}
	if (replace)
		list_splice_init(list, &old);
	last = list->prev;
	list_splice_tail_init(patterns, list);
	err = restart_functions(functions, which);
	if (err) {
		LIST_HEAD(kept);

		list_cut_position(&kept, list, last);
		tring_functions_drop_patterns(list);
		list_splice(replace ? &old : &kept, list);
	} else {
		tring_functions_drop_patterns(&old);
	}
	mutex_unlock(&functions->mutex);
	return err;
}

/**
 * tring_functions_show_list - print a list
 * @m: output: the patterns as they were written, one a line
 * @functions: the functions of a ring
 * @which: the list
 *
 * Context: process, may sleep.
 */
void tring_functions_show_list(struct seq_file *m, struct tring_functions *functions,
			       enum tring_function_list which)
{
	struct pattern *pattern;

	mutex_lock(&functions->mutex);
	list_for_each_entry(pattern, &functions->lists[which], list)
		seq_printf(m, "%s\n", pattern->text);
	if (list_empty(&functions->lists[which]))
		seq_puts(m, when_empty[which]);
	mutex_unlock(&functions->mutex);
}

/**
 * tring_functions_set_max_depth - leave out calls inside others
 * @functions: the functions of a ring
 * @depth: as many others; 0 for no limit
 *
 * Context: any.
 */
void tring_functions_set_max_depth(struct tring_functions *functions, unsigned int depth)
{
	WRITE_ONCE(functions->max_depth, depth);
}

/**
 * tring_functions_max_depth - value of tring_functions_set_max_depth()
 * @functions: the functions of a ring
 *
 * Context: any.
 */
unsigned int tring_functions_max_depth(struct tring_functions *functions)
{
	return READ_ONCE(functions->max_depth);
}

/**
 * tring_functions_create - prepare to record the functions of a ring
 * @set: events of the ring, which stay as long as the functions
 *
 * Context: process, may sleep.
 * Return: the functions with the tracer "nop", or NULL if there is no memory.
 */
struct tring_functions *tring_functions_create(struct tring_event_set *set)
{
	struct tring_functions *functions = kzalloc(sizeof(*functions), GFP_KERNEL);
	enum tring_function_list which;

	if (!functions)
		return NULL;
	functions->buffer = set->buffer;
	functions->set = set;
	mutex_init(&functions->mutex);
	for (which = 0; which < TRING_FUNCTION_LISTS; which++)
		INIT_LIST_HEAD(&functions->lists[which]);
	return functions;
}

/**
 * tring_functions_destroy - stop recording functions
 * @functions: functions from tring_functions_create(), without other users; may be NULL
 *
 * Context: process, may sleep.
 */
void tring_functions_destroy(struct tring_functions *functions)
{
	enum tring_function_list which;

	if (!functions)
		return;
	stop_functions(functions);
	for (which = 0; which < TRING_FUNCTION_LISTS; which++)
		tring_functions_drop_patterns(&functions->lists[which]);
	kfree(functions);
}
