/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libtring: reads traces of tring, a trace.dat, and running rings; describes a trace for a tool
 * that makes one.
 *
 * A trace is opened, and gives its events and losses in the order of time:
 *
 *	struct tring_trace *trace;
 *	struct tring_item item;
 *
 *	if (!tring_open(&trace, "trace-directory", NULL))
 *		while (tring_next(trace, &item) > 0)
 *			...
 *	if (tring_status(trace))
 *		fprintf(stderr, "%s\n", tring_status_text(trace));
 *	tring_close(trace);
 *
 * An error is a negative errno and a text. What is wrong with a part of a trace does not end
 * it: reading goes on behind it, and tring_problems() counts it. Nothing is shared by two traces,
 * so two threads can read one each. See libtring(3).
 */
#ifndef TRING_H
#define TRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tring_trace;
struct tep_event;
struct tep_handle;

/**
 * enum tring_level - weight of a message
 * @TRING_PROBLEM: something is wrong or missing
 * @TRING_REMARK: worth knowing
 */
enum tring_level {
	TRING_PROBLEM,
	TRING_REMARK,
};

/**
 * struct tring_options - how a trace is opened; zeroed for the defaults
 * @size: sizeof(struct tring_options)
 * @message: called for each message, whose text has no control characters, and newlines only
 *	where it quotes a filter; NULL for none
 * @data: for @message
 *
 * What follows is for tring_open_fd().
 * @formats: a trace directory that describes the events of a CPU's packets; NULL for none
 *
 * What follows is for tring_open_ring().
 * @cpus: the CPUs that are read, such as "0,2-3"; NULL for all
 * @snapshot: the ring's snapshot instead of its content; this takes the snapshot out of the ring
 * @consume: take what comes out of the ring, of all CPUs; see tring_follow()
 * @tasks: of such a ring: ask /proc for all tasks' cgroups and command lines; see
 *	tring_task_value()
 * @unnamed: of such a ring: do not ask for the names of tasks that events do not tell
 */
struct tring_options {
	size_t		size;
	void		(*message)(void *data, enum tring_level level, const char *text);
	void		*data;
	const char	*formats;
	const char	*cpus;
	bool		snapshot;
	bool		consume;
	bool		tasks;
	bool		unnamed;
};

/**
 * enum tring_field_kind - what the data of a field is
 * @TRING_FIELD_NUMBER: a number
 * @TRING_FIELD_TEXT: a text
 * @TRING_FIELD_ARRAY: numbers, or bytes
 */
enum tring_field_kind {
	TRING_FIELD_NUMBER,
	TRING_FIELD_TEXT,
	TRING_FIELD_ARRAY,
};

/**
 * enum tring_field_place - where the data of a field is
 * @TRING_PLACE_FIXED: at its offset
 * @TRING_PLACE_LOCATION: 4 bytes at its offset say where
 * @TRING_PLACE_RELATIVE: the same, counted from their end
 * @TRING_PLACE_REST: from its offset to the end of the payload
 */
enum tring_field_place {
	TRING_PLACE_FIXED,
	TRING_PLACE_LOCATION,
	TRING_PLACE_RELATIVE,
	TRING_PLACE_REST,
};

/**
 * struct tring_field - a field of an event
 * @name: its name; of two fields of one name the later one's has underscores behind it
 * @type: its type in C, as the kernel's format has it
 * @kind: what its data is
 * @place: where its data is
 * @is_signed: numbers and elements are signed
 * @element: bytes of a number, or of an element of an array: 1, 2, 4 or 8
 * @offset: offset in the payload
 * @size: bytes in the payload
 */
struct tring_field {
	const char	*name;
	const char	*type;
	enum tring_field_kind kind;
	enum tring_field_place place;
	bool		is_signed;
	uint8_t		element;
	uint32_t	offset;
	uint32_t	size;
};

/**
 * struct tring_event - description of an event
 * @id: its id in the traced kernel
 * @system: subsystem, such as "sched"
 * @name: name, such as "sched_switch"
 * @text: content of the kernel's format file, with a NUL behind it
 * @size: bytes of @text
 * @fields: its fields
 * @field_count: number of @fields
 * @parsed: libtraceevent's form of @text
 * @fixed_size: bytes that each payload has: up to the end of the last field, or up to @frames
 * @frames: payload offset of the addresses of a stack, which end the record; 0 for none
 * @number: place among the trace's events, as of tring_event_at()
 */
struct tring_event {
	uint16_t	id;
	char		*system;
	char		*name;
	char		*text;
	size_t		size;
	struct tring_field *fields;
	size_t		field_count;
	struct tep_event *parsed;
	uint32_t	fixed_size;
	uint32_t	frames;
	size_t		number;
};

/* Bytes of a trace's uuid. */
#define TRING_UUID_SIZE		16

/* Bytes of a payload before its fields. */
#define TRING_PAYLOAD_HEAD	8

/* Id of a record whose event is unknown. */
#define TRING_ID_UNKNOWN	0xffff

/**
 * struct tring_record - a record of an event
 * @stamp: timestamp, in ticks of the trace's clock
 * @payload: the bytes in which fields have their offsets. The first 8 are not struct
 *	trace_entry; @id, @flags, @preempt_count and @pid replace it
 * @length: bytes of @payload
 * @stored: bytes of the record in the trace, with its header
 * @pid: pid of the task that ran; -1 if it is unknown, as behind damage
 * @id: the event's id in the traced kernel
 * @flags: flags of struct trace_entry
 * @preempt_count: preempt_count of struct trace_entry
 *
 * What follows is the library's own.
 * @type: type as stored
 * @context: context byte as stored
 * @offset: offset of the record in its packet
 * @compact: compact timestamp as stored, 27 bits
 */
struct tring_record {
	uint64_t	stamp;
	const uint8_t	*payload;
	uint32_t	length;
	uint32_t	stored;
	int32_t		pid;
	uint16_t	id;
	uint8_t		flags;
	uint8_t		preempt_count;

	uint8_t		type;
	uint8_t		context;
	uint32_t	offset;
	uint32_t	compact;
};

/**
 * enum tring_item_kind - what tring_next() has found
 * @TRING_ITEM_EVENT: an event
 * @TRING_ITEM_LOSS: a place where something is missing
 * @TRING_ITEM_LOSS_BEGINS: from @since on something is missing, up to the next loss of the CPU;
 *	only with struct tring_wanted's @every
 */
enum tring_item_kind {
	TRING_ITEM_EVENT,
	TRING_ITEM_LOSS,
	TRING_ITEM_LOSS_BEGINS,
};

/**
 * struct tring_item - an event, or a loss; valid until the next tring_next() of the trace
 * @kind: what it is
 * @cpu: the CPU
 * @cpu_at: its place among the trace's CPUs
 * @record: the event's record. Of a loss, the first record of the CPU behind it, or NULL at
 *	the end
 * @event: the event's description; NULL if the trace has none
 * @wrong: why the record does not fit the description, or NULL. Fields have no values then
 * @wanted: with struct tring_wanted's @every, the choice names the event; else it is true
 * @events: of a loss: number of events lost
 * @packets: of a loss: number of packets that are missing, whose events may be counted in @events
 * @since: with struct tring_wanted's @every, time of the CPU's last record before a loss; 0
 *	without one
 * @trace: the trace
 */
struct tring_item {
	enum tring_item_kind kind;
	int		cpu;
	size_t		cpu_at;
	const struct tring_record *record;
	const struct tring_event *event;
	const char	*wrong;
	bool		wanted;
	uint64_t	events;
	uint64_t	packets;
	uint64_t	since;
	struct tring_trace *trace;
};

/**
 * struct tring_wanted - which events are wanted: those that all members name; zeroed for all
 * @size: sizeof(struct tring_wanted)
 * @cpus: CPUs, such as "0,2-3"
 * @pids: tasks by number, such as "17,100-200"
 * @comms: tasks by name, with commas between them, which may be globs
 * @events: EVENT, SYSTEM or SYSTEM:EVENT, with commas between them, also as globs
 * @filters: filters of fields, as of "tring report -F"; one is to be met
 * @filter_count: number of @filters
 * @from: time of the first event, as of "tring report --from"
 * @to: time of the last event
 * @every: all events up to @to are given, so that it is known what each task does. The
 *	@wanted of struct tring_item tells which ones are wanted; tring_wants_cpu(),
 *	tring_wants_event() and so on tell what is of anything else, such as a system call.
 *	Each loss is told where it begins, too, because from there on nothing is certain
 * @quiet: no message tells of an event that has a @wrong, only tring_problems() counts it
 * @newest: number of events, the last ones of all; 0 for no such limit
 * @nameless: what events tell of the names and the cgroups of tasks is not needed, which makes
 *	reading faster; ignored with @comms
 */
struct tring_wanted {
	size_t		size;
	const char	*cpus;
	const char	*pids;
	const char	*comms;
	const char	*events;
	const char	*const *filters;
	size_t		filter_count;
	const char	*from;
	const char	*to;
	bool		every;
	bool		quiet;
	uint64_t	newest;
	bool		nameless;
};

/**
 * struct tring_wall - wall clock time
 * @seconds: since the Unix epoch
 * @ns: nanoseconds of the second
 */
struct tring_wall {
	int64_t		seconds;
	uint32_t	ns;
};

/**
 * struct tring_symbol - one of the kernel's symbols
 * @address: first address
 * @name: name of the function; NULL for none
 * @module: name of the module; NULL for the kernel itself
 */
struct tring_symbol {
	uint64_t	address;
	const char	*name;
	const char	*module;
};

/**
 * struct tring_format_text - description of an event
 * @system: subsystem, such as "sched"
 * @text: content of the kernel's format file, or one of its form; its first line has the name
 */
struct tring_format_text {
	const char	*system;
	const char	*text;
};

/**
 * struct tring_described - what describes a trace, see tring-format(5)
 * @size: sizeof(struct tring_described)
 * @info: content of trace_info: lines with the uuid of all packets, the clock, the host
 * @short_ids: content of short_ids; NULL if all records have their ids
 * @formats: the events
 * @format_count: number of @formats
 * @tasks: lines with a pid, a space and the task's name; may be NULL
 */
struct tring_described {
	size_t		size;
	const char	*info;
	const char	*short_ids;
	const struct tring_format_text *formats;
	size_t		format_count;
	const char	*tasks;
};

/* opening and closing */
int tring_open(struct tring_trace **trace, const char *path,
	       const struct tring_options *options);
int tring_open_fd(struct tring_trace **trace, int fd, const struct tring_options *options);
int tring_open_ring(struct tring_trace **trace, const char *instance,
		    const struct tring_options *options);
int tring_join(struct tring_trace *const *traces, size_t count, const char *align);
void tring_close(struct tring_trace *trace);
const char *tring_library_version(void);

/* a trace that is recorded meanwhile, and a ring that is consumed */
int tring_follow(struct tring_trace *trace);
void tring_follow_end(struct tring_trace *trace);
int tring_ring_fd(const struct tring_trace *trace);
uint64_t tring_ring_time(const struct tring_trace *trace);

/* errors */
int tring_status(const struct tring_trace *trace);
const char *tring_status_text(const struct tring_trace *trace);
uint64_t tring_problems(const struct tring_trace *trace);
int tring_check(struct tring_trace *trace);
uint64_t tring_place(const struct tring_item *item);
void tring_complain(const struct tring_item *item, const char *wrong);

/* events and losses */
bool tring_wanted_is_good(const struct tring_wanted *wanted,
			  const struct tring_options *options);
int tring_select(struct tring_trace *trace, const struct tring_wanted *what);
int tring_seek(struct tring_trace *trace, uint64_t stamp);
int tring_raw_cpu(struct tring_trace *trace, size_t at);
int tring_next(struct tring_trace *trace, struct tring_item *item);
uint64_t tring_given(const struct tring_trace *trace);
bool tring_wants_cpu(const struct tring_trace *trace, int cpu);
bool tring_wants_event(const struct tring_trace *trace, const struct tring_event *event);
bool tring_wants_task(struct tring_trace *trace, int32_t pid);
bool tring_wants_all_tasks(const struct tring_trace *trace);
uint64_t tring_wants_from(const struct tring_trace *trace);
uint64_t tring_wants_to(const struct tring_trace *trace);
bool tring_has_later(const struct tring_trace *trace);

/* fields of an event */
const struct tring_field *tring_find_field(const struct tring_event *event, const char *name);
int64_t tring_number(const struct tring_item *item, const struct tring_field *field);
const char *tring_text(const struct tring_item *item, const struct tring_field *field,
		       size_t *size);
const void *tring_data(const struct tring_item *item, const struct tring_field *field,
		       size_t *size);
int64_t tring_element(const struct tring_item *item, const struct tring_field *field,
		      const void *from);

/* for tools that make a trace */
int tring_describe(struct tring_trace **trace, const char *dir,
		   const struct tring_described *what, const struct tring_options *options);

/* what describes the trace */
size_t tring_event_count(const struct tring_trace *trace);
const struct tring_event *tring_event_at(const struct tring_trace *trace, size_t at);
const struct tring_event *tring_event_find(const struct tring_trace *trace, const char *system,
					   const char *name);
size_t tring_cpu_count(const struct tring_trace *trace);
int tring_cpu_at(const struct tring_trace *trace, size_t at);
const char *tring_comm(struct tring_trace *trace, int32_t pid);
const char *tring_task(struct tring_trace *trace, int32_t pid, size_t *size);
const char *tring_task_value(const struct tring_trace *trace, int32_t pid, const char *key);
const char *tring_env(const struct tring_trace *trace, const char *key);
char *tring_info(struct tring_trace *trace);
const uint8_t *tring_uuid(const struct tring_trace *trace);
bool tring_big_endian(const struct tring_trace *trace);
bool tring_is_trace_dat(const struct tring_trace *trace);
char *tring_file(const struct tring_trace *trace, const char *name, size_t *size);
struct tep_handle *tring_tep(struct tring_trace *trace);
const char *tring_unprintable(const struct tring_item *item);
const struct tring_symbol *tring_function(struct tring_trace *trace, uint64_t address);

/* times */
uint64_t tring_frequency(const struct tring_trace *trace);
uint64_t tring_ns(const struct tring_trace *trace, uint64_t stamp);
bool tring_epoch_ns(const struct tring_trace *trace, uint64_t stamp, int64_t *ns);
bool tring_wall(const struct tring_trace *trace, uint64_t stamp, struct tring_wall *wall);
uint64_t tring_begin(const struct tring_trace *trace);

#ifdef __cplusplus
}
#endif

#endif /* TRING_H */
