/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a trace's tables are made of: the events of all CPUs in the order of time, and the
 * times in which events were lost.
 */
#ifndef TRING_TOP_H
#define TRING_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "bind.h"
#include "calls/calls.h"
#include "columns.h"
#include "spans.h"
#include "tasks.h"
#include "tring.h"

/* What interrupts a task. */
enum tring_interrupt {
	TRING_IRQ,
	TRING_SOFTIRQ,
	TRING_INTERRUPTS,
};

/**
 * struct tring_top_cpu - a CPU
 * @cpu: its number
 * @wanted: the user has asked for it
 * @known: it is known what runs there
 * @pid: pid of that task
 * @task: the task; NULL for the idle task
 * @since: timestamp from which on it runs
 * @seen: timestamp of the last event, which was still the task's
 * @switching: sched_switch has told of the task, which has not been seen to run yet
 * @left: pid of the task that runs until the switch is done
 * @blind: events of this time were lost
 * @busy: ticks in which a task was running
 * @idle: ticks in which the idle task was
 * @open: interrupts that have begun
 * @in: ticks in interrupts
 * @events: number of events
 * @bytes: their bytes
 * @lost: number of events that were lost
 */
struct tring_top_cpu {
	int		cpu;
	bool		wanted;
	bool		known;
	int32_t		pid;
	struct tring_task *task;
	uint64_t	since;
	uint64_t	seen;
	bool		switching;
	int32_t		left;
	bool		blind;
	uint64_t	busy;
	uint64_t	idle;
	struct tring_open open[TRING_INTERRUPTS];
	uint64_t	in[TRING_INTERRUPTS];
	uint64_t	events;
	uint64_t	bytes;
	uint64_t	lost;
};

/**
 * struct tring_gap - a loss
 * @cpu: the CPU
 * @from: timestamp of the last event before it; TRING_NO_VALUE without one
 * @to: timestamp of the first event behind it; TRING_NO_VALUE without one
 * @events: number of events that were lost
 * @packets: number of packets that are missing
 */
struct tring_gap {
	struct tring_top_cpu *cpu;
	uint64_t	from;
	uint64_t	to;
	uint64_t	events;
	uint64_t	packets;
};

/* What has ended; the numbers stand in the data of a page. */
enum tring_ended_kind {
	TRING_ENDED_RUN,
	TRING_ENDED_WAIT,
	TRING_ENDED_INTERRUPT,
	TRING_ENDED_CALL,
	/* an interrupt or a system call of which no end is known */
	TRING_ENDED_NEVER,
	TRING_ENDED_SPAN,
	/* which begins and ends at once */
	TRING_ENDED_COUNTER,
};

/* Of struct tring_ended: not known. */
#define TRING_NO_RESULT	INT64_MIN

/**
 * struct tring_ended - an interval that has ended: a task's, or that of an interrupt
 * @kind: what it was
 * @open: it had not ended, but the trace has; an interrupt's, or what is known up to a loss
 * @cpu: the CPU; of a wait, NULL
 * @pid: the task
 * @from: its begin
 * @to: its end, which may be @from; of one that has none, when that was known
 * @state: of a wait: what the task did
 * @waker: of a wait: task that has ended it if it was blocked, that has begun it if it was not;
 *	-1 if that is unknown
 * @level: of an interrupt; TRING_INTERRUPTS of anything else that has a @span
 * @span: of an interrupt, a system call, or what a program has marked
 * @result: of a system call; of a run, the state that sched_switch has told; of a marked span,
 *	how many are around it; of a counter, its value. TRING_NO_RESULT if it is unknown
 */
struct tring_ended {
	enum tring_ended_kind kind;
	bool		open;
	const struct tring_top_cpu *cpu;
	int32_t		pid;
	uint64_t	from;
	uint64_t	to;
	enum tring_task_state state;
	int32_t		waker;
	enum tring_interrupt level;
	const struct tring_span *span;
	int64_t		result;
};

/**
 * struct tring_event_count - events of one kind
 * @events: their number
 * @bytes: bytes of their records
 */
struct tring_event_count {
	uint64_t	events;
	uint64_t	bytes;
};

/* Most rows of a rate whose interval the user has not given. */
#define TRING_SLOTS	50

/**
 * struct tring_slot - an interval
 * @events: events
 * @bytes: their bytes
 * @lost: events that were lost up to an event of the interval
 */
struct tring_slot {
	uint64_t	events;
	uint64_t	bytes;
	uint64_t	lost;
};

/**
 * struct tring_rate - events over time
 * @width: nanoseconds of an interval
 * @fixed: the user has given @width: intervals are printed when they end
 * @printed: one has been printed
 * @doubled: @width is twice a power of 10
 * @slots: the intervals from the first event on; with @fixed the last one is the first
 * @number: number of the last interval
 */
struct tring_rate {
	uint64_t	width;
	bool		fixed;
	bool		printed;
	bool		doubled;
	struct tring_slot slots[TRING_SLOTS];
	uint64_t	number;
};

/**
 * struct tring_left_out - what the recording has left out on purpose, so that it may have happened
 * @tasks: events of some tasks; those of others are all there
 * @cpus: events of some CPUs
 * @sched: events of sched, by filters
 * @calls: events of raw_syscalls, by filters
 * @interrupts: events of irq, by filters
 */
struct tring_left_out {
	bool	tasks;
	bool	cpus;
	bool	sched;
	bool	calls;
	bool	interrupts;
};

/* Tables that measure pairs of events; 0 is none of them. */
enum {
	TRING_TOP_BLOCK = 1,
	TRING_TOP_FUTEX,
	TRING_TOP_PAIRS,
};

struct tring_latency;

/**
 * struct tring_top - all tables
 * @trace: the trace
 * @event_count: number of its events
 * @frequency: ticks per second
 * @cpus: the CPUs
 * @cpu_count: number of @cpus
 * @every_cpu: all CPUs are wanted
 * @every_task: all tasks are wanted
 * @first: timestamp from which on is counted; 0 for all
 * @last: timestamp up to which is counted
 * @left_out: what the recording has left out
 * @rows: rows of each table; 0 for all
 * @slots: most rows of a rate whose interval the user has not given, up to TRING_SLOTS; 0 for
 *	as many
 * @sort: column to sort by, or NULL
 * @histograms: a histogram of each row
 * @brief: no histogram
 * @json: rows are objects of JSON, without sums and histograms
 * @out: where the tables go
 * @measures: pairs of events are measured
 * @ended: called for each interval that ends; may be NULL
 * @data: for @ended and @collect
 * @collect: as struct tring_rows has it, with @data; NULL for none
 * @width: characters that a line may have; 0 for any
 * @bound: what each event tells
 * @begun: @begin is valid
 * @seen: there are events from @first on
 * @begin: @first; or timestamp of the first event, if it is later
 * @end: timestamp of the last event, or the end that the user has given
 * @blind: number of CPUs that are blind, one more if some were not recorded
 * @sighted: timestamp at which a CPU has been blind last
 * @tasks: the tasks
 * @interrupts: irqs and softirqs
 * @calls: system calls
 * @pairs: pairs of events; NULL for one that the trace does not have
 * @call_names: what they are called
 * @marks: spans that programs have marked
 * @counters: values that they have
 * @counts: events of each kind
 * @rate: events over time
 * @has_wakeup: the trace has sched_wakeup
 * @gaps: the losses
 * @damaged: number of events that are shorter than their formats
 */
struct tring_top {
	struct tring_trace *trace;
	size_t		event_count;
	uint64_t	frequency;
	struct tring_top_cpu *cpus;
	size_t		cpu_count;
	bool		every_cpu;
	bool		every_task;
	uint64_t	first;
	uint64_t	last;
	struct tring_left_out left_out;
	size_t		rows;
	size_t		slots;
	const char	*sort;
	bool		histograms;
	bool		brief;
	bool		json;
	FILE		*out;
	bool		measures;
	void		(*ended)(void *data, const struct tring_ended *ended);
	void		(*collect)(void *data, const struct tring_rows *rows);
	void		*data;
	size_t		width;

	struct tring_bound *bound;
	bool		begun;
	bool		seen;
	uint64_t	begin;
	uint64_t	end;
	size_t		blind;
	uint64_t	sighted;
	struct tring_tasks tasks;
	struct tring_spans interrupts[TRING_INTERRUPTS];
	struct tring_spans calls;
	struct tring_latency *pairs[TRING_TOP_PAIRS];
	struct tring_calls call_names;
	struct tring_spans marks;
	struct tring_spans counters;
	struct tring_event_count *counts;
	struct tring_rate rate;
	bool		has_wakeup;
	struct tring_rows gaps;
	uint64_t	damaged;
};

/**
 * tring_top_span - get the part of a time that is counted
 * @top: all tables
 * @from: begin of the time
 * @to: its end
 *
 * Return: ticks.
 */
static inline uint64_t tring_top_span(const struct tring_top *top, uint64_t from, uint64_t to)
{
	if (from < top->first)
		from = top->first;
	return to > from ? to - from : 0;
}

/**
 * tring_top_wants - check whether the user has asked for a task
 * @top: all tables
 * @pid: the task's pid
 */
static inline bool tring_top_wants(const struct tring_top *top, int32_t pid)
{
	return top->every_task || tring_wants_task(top->trace, pid);
}

void tring_top_init(struct tring_top *top);
void tring_top_take(struct tring_top *top, struct tring_top_cpu *cpu,
		    const struct tring_item *item);
void tring_top_lose(struct tring_top *top, struct tring_top_cpu *cpu, uint64_t stamp);
void tring_top_sight(struct tring_top *top, struct tring_top_cpu *cpu, uint64_t stamp);
void tring_top_gap(struct tring_top *top, const struct tring_gap *gap);
void tring_top_count(struct tring_top *top, uint64_t stamp);
void tring_top_begin(struct tring_top *top, uint64_t stamp);
void tring_top_end(struct tring_top *top, uint64_t stamp);
void tring_top_tell(const struct tring_top *top, const struct tring_item *item,
		    enum tring_ended_kind kind, enum tring_interrupt level,
		    const struct tring_open *open, int64_t result);
void tring_top_free(struct tring_top *top);

#endif /* TRING_TOP_H */
