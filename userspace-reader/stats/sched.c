// SPDX-License-Identifier: GPL-2.0
/*
 * What each task does at each time: it runs, waits for a CPU, is blocked, or that is unknown.
 * From the first event that names a task to its end, or that of the trace, the four times are
 * the whole time.
 *
 * Each event has the pid of the task that runs on its CPU. So sched_switch is not the only
 * event that tells, and a switch that is missing (a filter may leave it out) is noticed: the
 * task is taken as running up to its last event.
 *
 * sched_switch comes before the switch, which the kernel makes with interrupts off. Events
 * meanwhile (of the TLB, of MSRs, of functions) still have the pid of the task that leaves: they
 * tell of no other switch.
 *
 * From the begin of a loss on, nothing is assumed. What ran on the CPU is known again with its
 * next event. Any task may have been woken there, or have run there, so a task that waits or
 * is blocked is in an unknown state until an event tells of it; and as long as a CPU loses
 * events, a task that has stopped running elsewhere is in an unknown state at once.
 *
 * Of a task that was not to be recorded there are only the switches and wakeups that it has in
 * common with another: it is in an unknown state all the time, and so is a CPU that it gets. All
 * tasks are like this if a filter may have left out switches or wakeups.
 */
#include "sched.h"
#include "util/util.h"

/* prev_state has one bit for each of ps's letters; above them is that of a preemption. */
#define STATE_BLOCKED	0xff

/* Of a record's flags. */
#define TRACE_FLAG_IRQS_OFF	0x01
#define TRACE_FLAG_HARDIRQ	0x08
#define TRACE_FLAG_SOFTIRQ	0x10
#define TRACE_FLAG_NMI		0x40

/* Times of a task count for the CPU on which it ran last. */
static bool is_wanted(const struct tring_top *top, int cpu)
{
	return top->every_cpu || (cpu >= 0 && top->cpus[cpu].wanted);
}

static void count(struct tring_top *top, struct tring_task *task,
		  enum tring_task_state state, uint64_t to)
{
	if (is_wanted(top, task->cpu))
		task->times[state] += tring_top_span(top, task->since, to);
}

/* Tells of a time in which a task did not run. */
static void tell_wait(const struct tring_top *top, const struct tring_task *task,
		      enum tring_task_state state, uint64_t to, int32_t waker, bool open)
{
	struct tring_ended ended;

	if (!top->ended || to < task->since)
		return;
	ended = (struct tring_ended) {
		.kind = TRING_ENDED_WAIT, .open = open, .pid = task->pid, .from = task->since,
		.to = to, .state = state, .waker = waker, .result = TRING_NO_RESULT,
	};
	top->ended(top->data, &ended);
}

/* Counts a time in which a task did not run. */
static void add_wait(const struct tring_top *top, struct tring_task *task, uint64_t to,
		     int32_t waker)
{
	struct tring_waits *waits = &task->waits;
	/* a loss may have hidden the end of the call, and the begin of another one */
	const bool called = task->call.span && !top->left_out.calls &&
			    top->sighted <= task->call.since;

	waits->total += to - task->since;
	if (waits->count++ && to - task->since <= waits->to - waits->from)
		return;
	waits->from = task->since;
	waits->to = to;
	waits->state = task->state;
	waits->call = called ? task->call.span : NULL;
	waits->waker = waker;
}

/* Tells of what has run on a CPU. */
static void tell_run(const struct tring_top *top, const struct tring_top_cpu *cpu, uint64_t to,
		     int64_t state, bool open)
{
	struct tring_ended ended;

	if (!top->ended || !cpu->known || to < cpu->since)
		return;
	ended = (struct tring_ended) {
		.kind = TRING_ENDED_RUN, .open = open, .cpu = cpu, .pid = cpu->pid,
		.from = cpu->since, .to = to, .waker = -1, .result = state,
	};
	top->ended(top->data, &ended);
}

/* @task: NULL for an idle task */
static bool is_followed(const struct tring_top *top, const struct tring_task *task)
{
	return !top->left_out.sched && (!top->left_out.tasks || (task && task->followed));
}

static void change(const struct tring_top *top, struct tring_task *task,
		   enum tring_task_state state, uint64_t stamp)
{
	if (top->blind && (state == TRING_TASK_WAITING || state == TRING_TASK_BLOCKED))
		state = TRING_TASK_UNKNOWN;
	if (!is_followed(top, task)) {
		task->partial = true;
		if (state != TRING_TASK_GONE)
			state = TRING_TASK_UNKNOWN;
	}
	task->state = state;
	task->since = stamp;
	task->waking = false;
	task->waker = TRING_WAKER_UNKNOWN;
	task->woken_by = TRING_WAKER_UNKNOWN;
}

/* Counts what runs on a CPU up to a time. */
static void count_cpu(struct tring_top *top, struct tring_top_cpu *cpu, uint64_t stamp)
{
	uint64_t ticks = tring_top_span(top, cpu->since, stamp);

	if (cpu->task)
		cpu->busy += ticks;
	else
		cpu->idle += ticks;
	if (cpu->task)
		count(top, cpu->task, TRING_TASK_RUNNING, stamp);
}

/* Ends what runs on a CPU. The task's next state is up to the caller. */
static void stop(struct tring_top *top, struct tring_top_cpu *cpu, uint64_t stamp,
		 int64_t state)
{
	count_cpu(top, cpu, stamp);
	tell_run(top, cpu, stamp, state, false);
	cpu->known = false;
}

/* What has run on a CPU may have left it behind the last event that is known of it. */
static void stop_unseen(struct tring_top *top, struct tring_top_cpu *cpu)
{
	stop(top, cpu, cpu->seen, TRING_NO_RESULT);
	if (cpu->task)
		change(top, cpu->task, TRING_TASK_UNKNOWN, cpu->seen);
}

static void run(struct tring_top *top, struct tring_top_cpu *cpu, int32_t pid, uint64_t stamp)
{
	cpu->pid = pid;
	cpu->since = stamp;
	cpu->seen = stamp;
	cpu->switching = false;
	/* each CPU has an idle task of its own, all with this pid */
	cpu->task = pid ? tring_tasks_get(&top->tasks, pid) : NULL;
	cpu->known = is_followed(top, cpu->task);
	if (cpu->task && cpu->task->state == TRING_TASK_RUNNING)
		stop_unseen(top, &top->cpus[cpu->task->cpu]);
}

/* Ends what a task did before it runs. @switched: sched_switch tells that it runs from now on */
static void leave(struct tring_top *top, struct tring_top_cpu *cpu, bool switched,
		  uint64_t stamp)
{
	struct tring_task *task = cpu->task;
	bool counted = switched && cpu->wanted && stamp >= top->first;
	int index = cpu - top->cpus;

	if (switched && task->state == TRING_TASK_WAITING) {
		count(top, task, TRING_TASK_WAITING, stamp);
		tell_wait(top, task, task->state, stamp, task->waker, false);
		if (counted)
			add_wait(top, task, stamp, task->woken_by);
		if (counted && task->woken)
			tring_timing_add(&task->wakeups, task->since, stamp, top->frequency);
	} else if (task->state != TRING_TASK_NONE && task->state != TRING_TASK_GONE) {
		count(top, task, TRING_TASK_UNKNOWN, stamp);
		tell_wait(top, task, TRING_TASK_UNKNOWN, stamp, -1, false);
		task->wakeups.unknown += counted;
		task->waits.unknown += counted;
	}
	if (counted) {
		task->switches++;
		task->migrations += task->cpu >= 0 && task->cpu != index &&
				    task->state != TRING_TASK_UNKNOWN;
	}
	change(top, task, TRING_TASK_RUNNING, stamp);
	task->cpu = index;
}

static void see(struct tring_top *top, struct tring_top_cpu *cpu, int32_t pid, uint64_t stamp)
{
	if (cpu->known && cpu->pid == pid) {
		cpu->seen = stamp;
		cpu->switching = false;
		return;
	}
	if (cpu->known)
		stop_unseen(top, cpu);
	run(top, cpu, pid, stamp);
	if (cpu->task)
		leave(top, cpu, false, stamp);
}

/**
 * tring_sched_is_partial - check whether switches of a task may be missing on purpose
 * @top: all tables
 * @task: the task, of which the number of switches and migrations is not known then
 */
bool tring_sched_is_partial(const struct tring_top *top, const struct tring_task *task)
{
	return task->partial || top->left_out.cpus || top->left_out.sched;
}

/**
 * tring_sched_follow - take it that all switches and wakeups of a task were recorded
 * @top: all tables
 * @pid: the task
 */
void tring_sched_follow(struct tring_top *top, int32_t pid)
{
	struct tring_task *task;

	if (!pid)
		return;
	task = tring_tasks_get(&top->tasks, pid);
	task->followed = true;
	task->partial = false;
}

/**
 * tring_sched_see - take the pid of an event
 * @top: all tables
 * @cpu: its CPU
 * @record: the event's record
 */
void tring_sched_see(struct tring_top *top, struct tring_top_cpu *cpu,
		     const struct tring_record *record)
{
	if (cpu->known && cpu->switching && record->pid == cpu->left &&
	    (record->flags & TRACE_FLAG_IRQS_OFF))
		return;
	see(top, cpu, record->pid, record->stamp);
}

static enum tring_task_state find_state(const struct tring_task *task, uint64_t state)
{
	if (state & TRING_STATE_DEAD)
		return TRING_TASK_GONE;
	/* woken when it had decided to sleep, and had not left the CPU */
	if (!(state & STATE_BLOCKED) || task->waking)
		return TRING_TASK_WAITING;
	return TRING_TASK_BLOCKED;
}

/**
 * tring_sched_switch - take a switch
 * @top: all tables
 * @cpu: its CPU
 * @prev: pid of the task that has run
 * @next: pid of the task that runs from now on
 * @state: state of the task that has run
 * @stamp: the timestamp
 */
void tring_sched_switch(struct tring_top *top, struct tring_top_cpu *cpu, int32_t prev,
			int32_t next, uint64_t state, uint64_t stamp)
{
	struct tring_task *task;

	see(top, cpu, prev, stamp);
	task = cpu->task;
	stop(top, cpu, stamp, state);
	if (task) {
		task->woken = state & STATE_BLOCKED;
		change(top, task, find_state(task, state), stamp);
	}
	/* another task may get its pid */
	if (task && task->state == TRING_TASK_GONE) {
		task->wanted = tring_top_wants(top, prev);
		task->name = tring_format("%s", tring_comm(top->trace, prev));
		task->unit = tring_task_value(top->trace, prev, "unit");
		task->cgroup = tring_task_value(top->trace, prev, "cgroup");
	}
	run(top, cpu, next, stamp);
	cpu->switching = true;
	cpu->left = prev;
	if (cpu->task)
		leave(top, cpu, true, stamp);
}

static int32_t find_waker(const struct tring_record *record)
{
	if (record->flags & (TRACE_FLAG_HARDIRQ | TRACE_FLAG_NMI))
		return TRING_WAKER_IRQ;
	return record->flags & TRACE_FLAG_SOFTIRQ ? TRING_WAKER_SOFTIRQ : record->pid;
}

/**
 * tring_sched_wake - take a wakeup
 * @top: all tables
 * @kind: which event tells of it
 * @pid: the task that is woken
 * @record: the event's record
 *
 * sched_waking comes first, sched_wakeup when the task waits for a CPU. Either suffices. A
 * task that is woken while it runs, before it has decided to sleep, goes on: sched_wakeup
 * comes at once then. Otherwise sched_wakeup comes after it has left its CPU.
 */
void tring_sched_wake(struct tring_top *top, enum tring_kind kind, int32_t pid,
		      const struct tring_record *record)
{
	const uint64_t stamp = record->stamp;
	struct tring_task *task;
	bool counted, unknown;

	if (!pid)
		return;
	task = tring_tasks_get(&top->tasks, pid);
	if (task->state == TRING_TASK_RUNNING)
		task->waking = kind == TRING_KIND_WAKING && top->has_wakeup;
	if (task->state == TRING_TASK_RUNNING || task->state == TRING_TASK_WAITING)
		return;
	counted = stamp >= top->first && is_wanted(top, task->cpu);
	if (task->state == TRING_TASK_BLOCKED || task->state == TRING_TASK_UNKNOWN) {
		count(top, task, task->state, stamp);
		tell_wait(top, task, task->state, stamp, record->pid, false);
	}
	if (task->state == TRING_TASK_BLOCKED && counted)
		add_wait(top, task, stamp, find_waker(record));
	unknown = counted && task->state == TRING_TASK_UNKNOWN;
	change(top, task, TRING_TASK_WAITING, stamp);
	/* as long as it stays unknown, the wait has not ended */
	task->waits.unknown += unknown && task->state == TRING_TASK_WAITING;
	task->woken = true;
	task->waker = record->pid;
	task->woken_by = find_waker(record);
}

/**
 * tring_sched_lose - assume nothing from now on
 * @top: all tables, which count the CPU as blind already
 * @cpu: the CPU that loses events
 * @stamp: timestamp of its last event
 */
void tring_sched_lose(struct tring_top *top, struct tring_top_cpu *cpu, uint64_t stamp)
{
	size_t i;

	if (cpu->known)
		stop_unseen(top, cpu);
	/* behind the first blind CPU's begin no task waits or is blocked for certain */
	if (top->blind > 1)
		return;
	for (i = 0; i < top->tasks.count; i++) {
		struct tring_task *task = top->tasks.list[i];

		task->waking = false;
		if (task->state != TRING_TASK_WAITING && task->state != TRING_TASK_BLOCKED)
			continue;
		count(top, task, task->state, stamp);
		tell_wait(top, task, task->state, stamp, -1, false);
		change(top, task, TRING_TASK_UNKNOWN, stamp);
	}
}

/**
 * tring_sched_count - count what each task does up to a time
 * @top: all tables
 * @stamp: the time; what is before it is not counted again if @top->first is set to it
 */
void tring_sched_count(struct tring_top *top, uint64_t stamp)
{
	size_t i;

	for (i = 0; i < top->cpu_count; i++)
		if (top->cpus[i].known) {
			count_cpu(top, &top->cpus[i], stamp);
			tell_run(top, &top->cpus[i], stamp, TRING_NO_RESULT, true);
		}
	for (i = 0; i < top->tasks.count; i++) {
		struct tring_task *task = top->tasks.list[i];

		if (task->state == TRING_TASK_WAITING || task->state == TRING_TASK_BLOCKED ||
		    task->state == TRING_TASK_UNKNOWN) {
			count(top, task, task->state, stamp);
			tell_wait(top, task, task->state, stamp, task->waker, true);
		}
	}
}
