/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What of a trace goes into a page: its events, one piece after another, and what tasks and CPUs
 * did, as tring top follows it.
 */
#ifndef TRING_PAGE_H
#define TRING_PAGE_H

#include "file.h"
#include "print/printer.h"
#include "stats/top_walk.h"
#include "util/intern.h"

/* Events and losses of a piece. */
#define TRING_PAGE_MOMENTS	16384

/* Parts of the time of a piece, and of all, that have sums. */
#define TRING_PAGE_PARTS	64
#define TRING_PAGE_ALL_PARTS	1024

/* Intervals of a block of those that cross the border of a piece. */
#define TRING_PAGE_LONG		16384

/* In place of an event's number: a loss, and an event that its format does not fit. */
enum { TRING_PAGE_LOSS, TRING_PAGE_RAW, TRING_PAGE_KINDS };

/* Columns of a block of moments, behind the head and the tasks. */
enum {
	TRING_PAGE_TIME, TRING_PAGE_BITS, TRING_PAGE_CPU, TRING_PAGE_KIND, TRING_PAGE_TASK,
	TRING_PAGE_CONTEXT, TRING_PAGE_STORED, TRING_PAGE_LOSSES,
	TRING_PAGE_RUN, TRING_PAGE_WAIT = TRING_PAGE_RUN + 6, TRING_PAGE_IRQ = TRING_PAGE_WAIT + 4,
	TRING_PAGE_CALL = TRING_PAGE_IRQ + 5, TRING_PAGE_COLUMNS = TRING_PAGE_CALL + 5,
};

/* From the task on, so many columns of moments are in an order of their own. */
#define TRING_PAGE_ORDERED	3

/* Of a run: what is known of its begin and its end. */
#define TRING_PAGE_SWITCHED_IN	1
#define TRING_PAGE_SWITCHED_OUT	2
#define TRING_PAGE_OPEN		4
#define TRING_PAGE_MIGRATED	8

/* What a task does that does not run. */
enum tring_page_wait {
	TRING_PAGE_BLOCKED_ONLY,
	TRING_PAGE_WOKEN,
	TRING_PAGE_PREEMPTED,
	TRING_PAGE_WOKEN_ONLY,
	TRING_PAGE_PREEMPTED_ONLY,
	TRING_PAGE_BLOCKED,
	TRING_PAGE_UNKNOWN,
	TRING_PAGE_UNKNOWN_GOT,
	TRING_PAGE_WAIT_OPEN,
	/* that it was unknown became known at its end, until when the task seemed to be this */
	TRING_PAGE_SEEMED_RUNNABLE = 16,
	TRING_PAGE_SEEMED_BLOCKED = 32,
};

/**
 * struct tring_page_interval - an interval, as it is written
 * @type: enum tring_ended_kind; TRING_PAGE_GAP for a loss, TRING_PAGE_TEXT for a program's
 * @cpu: index of the CPU; -1 for none
 * @pid: the task
 * @from: its begin
 * @to: its end
 * @a: flags of a run, state of a wait, span of the others, events of a loss
 * @b: prev_state of a run, result of a call, packets of a loss, how many spans are around a marked
 *	one, value of a counter
 * @waker: the task that has ended a wait, -1 for none; what is known of a loss
 */
struct tring_page_interval {
	uint8_t		type;
	int32_t		cpu;
	int32_t		pid;
	uint64_t	from;
	uint64_t	to;
	uint64_t	a;
	uint64_t	b;
	int32_t		waker;
};

#define TRING_PAGE_GAP	(TRING_ENDED_COUNTER + 1)
#define TRING_PAGE_TEXT	(TRING_ENDED_COUNTER + 2)

/**
 * struct tring_page_task - a task, and its name at some time
 * @pid: its pid
 * @comm: its name
 */
struct tring_page_task {
	int32_t		pid;
	char		comm[32];
};

/**
 * struct tring_page_place - where a pid has its entry
 * @piece: the piece in which it has one, from 1 on
 * @pid: the pid
 * @task: its last entry
 */
struct tring_page_place {
	uint64_t	piece;
	int32_t		pid;
	uint32_t	task;
};

/**
 * struct tring_page_piece - a piece that was written
 * @first: its first moment
 * @last: its last one
 * @moments: number of its moments
 * @events: number of its events
 */
struct tring_page_piece {
	uint64_t	first;
	uint64_t	last;
	uint64_t	moments;
	uint64_t	events;
};

/**
 * struct tring_page_values - a column of numbers whose form is chosen when all are known
 * @list: the numbers
 * @count: number of @list
 * @room: how many of them have room
 */
struct tring_page_values {
	uint64_t	*list;
	size_t		count;
	size_t		room;
};

/**
 * struct tring_page_kind - events of one kind
 * @event: the event; NULL before its first one
 * @number: its number in the page
 * @count: how many of them the page has
 * @rows: how many the piece has
 * @columns: columns of its fields
 * @column_count: number of @columns
 * @texts: texts of its events
 * @told: what stands behind a plan's text, from 1 on; 0 for nothing
 * @tells: the piece has a text in @told
 * @functions: fields that are shown as names of functions, one bit each
 * @exact: of @functions, those with an offset
 * @numbers: fields whose numbers the plan needs
 * @plan: operations that print it, as JSON; NULL if its text is written instead
 * @trials: number of events whose text the printer still compares with libtraceevent's
 */
struct tring_page_kind {
	const struct tring_event *event;
	size_t		number;
	uint64_t	count;
	size_t		rows;
	struct tring_page_values *columns;
	size_t		column_count;
	struct tring_page_values texts;
	struct tring_page_values told;
	bool		tells;
	uint64_t	functions;
	uint64_t	numbers;
	uint64_t	exact;
	char		*plan;
	unsigned int	trials;
};

/**
 * struct tring_page_sum - an entry of a summary
 * @key: what it is of
 * @ticks: for how long; 0 for a free place
 */
struct tring_page_sum {
	uint64_t	key;
	uint64_t	ticks;
};

/**
 * struct tring_page_summary - a summary of a time
 * @parts: the time has so many parts at most
 * @shift: a part has so many ticks, as a power of 2
 * @places: hash table of entries
 * @size: number of @places, a power of 2
 * @count: number of entries
 */
struct tring_page_summary {
	uint64_t	parts;
	unsigned int	shift;
	struct tring_page_sum *places;
	size_t		size;
	size_t		count;
};

/**
 * struct tring_page_options - what the user wants
 * @name: what the trace is called
 * @timeline: no fields of events, and none of those that only have fields
 * @addresses: addresses of the kernel, too
 * @command_lines: the command that has made the trace, too
 */
struct tring_page_options {
	const char *name;
	bool	timeline;
	bool	addresses;
	bool	command_lines;
};

/**
 * struct tring_page - a trace that is written
 * @walk: follows what tasks and CPUs do
 * @item: the event or loss that is being taken
 * @file: the page
 * @options: what the user wants
 * @printer: makes texts of events
 * @big_endian: byte order of the trace
 * @begun: @base is valid
 * @shift: bits of a timestamp that are left out
 * @base: first moment of all
 * @last: last moment of all
 * @stamps: moments of the piece
 * @moment_tasks: numbers of their tasks, from 1 on
 * @moment_kinds: their kinds
 * @before_kinds: kinds of the moments before them on their CPUs
 * @moment_cpus: their CPUs
 * @ordered: their numbers in columns that are in an order of their own: changes of tasks, contexts,
 *	bytes
 * @order: moments in the order in which columns have them
 * @count: number of @stamps
 * @events: number of events in the piece
 * @columns: columns of the piece
 * @bits: bits that are still to be written to a column
 * @bit_count: number of @bits
 * @begins: moments at which intervals of the piece begin, by their type
 * @ends: moments at which they end
 * @tasks: tasks of the piece, as they are written
 * @task_list: tasks of the piece
 * @task_count: number of @task_list
 * @pids: pids of tasks, each of which has a number
 * @task_places: where they have their entries, by that number
 * @running: of each CPU, number of its last moment's task, from 1 on; 0 for none
 * @last_kinds: of each CPU, the kind of its last moment
 * @switched: of each CPU, timestamp of its last switch
 * @migrations: of each task by number, how often it had another CPU
 * @migration_count: number of @migrations
 * @pending: intervals that have ended with @item
 * @pending_count: number of @pending
 * @pending_room: how many of them have room
 * @values: of each counter, what it has, which ends at UINT64_MAX as long as it has it
 * @value_count: number of @values
 * @values_known: how many of them have one now
 * @seen: the last event of all
 * @longs: intervals that are not inside a piece
 * @long_count: number of @longs
 * @long_blocks: blocks of those that were written
 * @whole: summary of all
 * @part: summary of the intervals inside the piece
 * @pieces: the pieces that were written
 * @piece_count: number of @pieces
 * @kinds: by number of the event
 * @kind_order: events by their number in the page
 * @kind_count: number of @kind_order
 * @raw: texts of events that no format fits
 * @texts: texts of the piece
 * @contexts: by flags and preempt count, number of their text, from 1 on
 * @context_texts: texts of contexts
 * @context: text of a context
 * @key: makes numbers of addresses that tell nothing
 * @all_events: number of events, with those that the page does not have
 * @all_lost: number of events that were lost
 */
struct tring_page {
	struct tring_top_walk walk;
	struct tring_item item;
	struct tring_page_file *file;
	const struct tring_page_options *options;
	struct tring_printer printer;
	bool		big_endian;

	bool		begun;
	unsigned int	shift;
	uint64_t	base;
	uint64_t	last;

	uint64_t	stamps[TRING_PAGE_MOMENTS];
	uint32_t	moment_tasks[TRING_PAGE_MOMENTS];
	uint32_t	moment_kinds[TRING_PAGE_MOMENTS];
	uint32_t	moment_cpus[TRING_PAGE_MOMENTS];
	uint32_t	before_kinds[TRING_PAGE_MOMENTS];
	uint32_t	ordered[TRING_PAGE_ORDERED][TRING_PAGE_MOMENTS];
	uint32_t	order[TRING_PAGE_MOMENTS];
	size_t		count;
	size_t		events;
	struct tring_line columns[TRING_PAGE_COLUMNS];
	uint64_t	bits;
	unsigned int	bit_count;
	struct tring_page_values begins[TRING_ENDED_NEVER];
	struct tring_page_values ends[TRING_ENDED_NEVER];

	struct tring_line tasks;
	struct tring_page_task *task_list;
	size_t		task_count;
	struct tring_intern pids;
	struct tring_page_place *task_places;
	size_t		*running;
	uint32_t	*last_kinds;

	uint64_t	*switched;
	uint64_t	*migrations;
	size_t		migration_count;

	struct tring_page_interval *pending;
	size_t		pending_count;
	size_t		pending_room;
	struct tring_page_interval *values;
	size_t		value_count;
	size_t		values_known;
	uint64_t	seen;
	struct tring_page_interval *longs;
	size_t		long_count;
	size_t		long_blocks;

	struct tring_page_summary whole;
	struct tring_page_summary part;
	struct tring_page_piece *pieces;
	size_t		piece_count;

	struct tring_page_kind *kinds;
	const struct tring_event **kind_order;
	size_t		kind_count;
	struct tring_page_values raw;
	struct tring_intern texts;

	uint32_t	*contexts;
	struct tring_intern context_texts;
	struct tring_line context;

	uint64_t	key[2];
	uint64_t	all_events;
	uint64_t	all_lost;
};

/**
 * tring_page_value - add a number to a column
 * @column: the column
 * @value: the number
 */
static inline void tring_page_value(struct tring_page_values *column, uint64_t value)
{
	column->list = tring_page_room(column->list, column->count, &column->room,
				       sizeof(*column->list));
	column->list[column->count++] = value;
}

/* write.c */
void tring_page_write(struct tring_trace *trace, struct tring_page_file *file,
		      const struct tring_page_options *options, struct tring_line *index);
uint64_t tring_page_unit(const struct tring_page *page, uint64_t stamp);

/* moments.c */
void tring_page_moments_init(struct tring_page *page);
size_t tring_page_task(struct tring_page *page, int32_t pid);
void tring_page_add_moment(struct tring_page *page);
void tring_page_end_piece(struct tring_page *page);
void tring_page_sort(const struct tring_page *page, const uint32_t *keys, uint32_t *order);
void tring_page_moments_free(struct tring_page *page);

/* intervals.c */
void tring_page_take_ended(void *data, const struct tring_ended *ended);
void tring_page_end_values(struct tring_page *page, uint64_t stamp);
void tring_page_add_loss(struct tring_page *page);
void tring_page_add_text(struct tring_page *page);
void tring_page_add_intervals(struct tring_page *page);
void tring_page_end_places(struct tring_page *page);
void tring_page_end_longs(struct tring_page *page);
void tring_page_intervals_free(struct tring_page *page);

/* summary.c */
void tring_page_sum_up(struct tring_page_summary *summary,
		       const struct tring_page_interval *interval, uint64_t base);
void tring_page_end_summary(struct tring_page *page, struct tring_page_summary *summary,
			    const char *name, uint64_t number, uint64_t base);

/* fields.c */
struct tring_page_kind *tring_page_kind(struct tring_page *page, const struct tring_event *event);
void tring_page_add_fields(struct tring_page *page);
void tring_page_end_fields(struct tring_page *page);
void tring_page_fields_free(struct tring_page *page);

/* hide.c */
void tring_page_hide_init(struct tring_page *page);
uint64_t tring_page_hide(const struct tring_page *page, uint64_t value);
size_t tring_page_hide_text(const struct tring_page *page, char *text, size_t size);

/* plan.c */
char *tring_page_plan(const struct tring_plan *plan, struct tring_page_kind *kind);

/* index.c */
void tring_page_describe(const struct tring_page *page, const char *name,
			 struct tring_line *index);
void tring_page_index(struct tring_page_file *file, const struct tring_page_options *options,
		      const struct tring_line *traces);

#endif /* TRING_PAGE_H */
