/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Takes the place of the kernel's trace/define_trace.h for the files in
 * kmod/probes/, because Kbuild.include puts this folder first in their include
 * path, and makes tring's probes of the kernel's own event headers.
 *
 * Theory of operation
 * -------------------
 * An event header, <trace/events/sched.h> say, describes each event once, with
 * macros: TRACE_EVENT(name, TP_PROTO, TP_ARGS, TP_STRUCT__entry,
 * TP_fast_assign, TP_printk). A class of events that share all this but for
 * the name is a DECLARE_EVENT_CLASS with a DEFINE_EVENT for each event, and a
 * TRACE_EVENT is a class with one event. The header ends with an #include of
 * trace/define_trace.h. Where CREATE_TRACE_POINTS is defined, that file reads
 * the header again and again, each time with other definitions of the same
 * macros, so that the one description becomes a structure, then a function,
 * then another. Each such pass is a "stage".
 *
 * The macros of fields, __field(), __string() and so on, stand inside
 * TP_STRUCT__entry(); what each becomes in a stage is defined by the kernel's
 * <trace/stages/stageN_*.h>, which are used as they are. So whatever field
 * types this kernel knows, the layout is ftrace's. What is ours:
 *
 *	pass	DECLARE_EVENT_CLASS becomes	with the kernel's
 *	1	struct tring_entry_CLASS	stage1: fields
 *	2	struct tring_offsets_CLASS	stage2: a u32 per dynamic field
 *	3	tring_size_CLASS()		stage5: sums up dynamic fields
 *	4	tring_probe_CLASS()		stage6: stores offsets and fields
 *	5	(nothing)
 *
 *	pass	DEFINE_EVENT becomes
 *	1 - 4	(nothing)
 *	5	in one function per subsystem, a static struct tring_event
 *		and a line that lists it
 *
 * Pass 5 reads the header inside a function body, where the semicolons behind
 * the macros do no harm: that gives a list of the events with neither a linker
 * section, which a module has no start and end symbols of, nor a second list.
 * check_trace_callback_type_EVENT(), which tracepoint.h defines for every
 * tracepoint, makes the compiler compare the probe's parameters with those of
 * the tracepoint.
 *
 * Stages 3 (TP_printk), 4 (format files) and 7 (registration with ftrace) of
 * the kernel are not needed: ftrace has done all that for the same events, and
 * its ids and format files are used. Of stage 3 only the macros are needed by
 * stage 6, which in 6.1 relies on __get_str() and others being defined.
 *
 * The size of a record
 * --------------------
 * ftrace reserves sizeof(structure) + dynamic bytes. The dynamic fields start
 * at offsetof(__data), so that up to seven bytes behind the last record's field
 * are slack. tring reserves offsetof(__data) + dynamic bytes: no field moves,
 * and CTF readers, which know of no slack, keep in step.
 *
 * What is neutralised, and why
 * ----------------------------
 * - DECLARE_TRACE and relatives: tracepoints that are no events. There is no
 *   description that a probe could be made of.
 * - *_NOP: events that this configuration of the kernel does not have.
 * - TRACE_DEFINE_ENUM, TRACE_DEFINE_SIZEOF: would register names with ftrace a
 *   second time.
 * - TRACE_EVENT_FLAGS, TRACE_EVENT_PERF_PERM: initcalls for ftrace and perf.
 * - *_FN: registering a probe calls the tracepoint's reg and unreg functions.
 * - *_CONDITION: the tracepoint tests the condition before it calls a probe.
 * - *_PRINT: another text for the same record.
 * - __perf_count(), __perf_task(): just their argument, as for ftrace.
 *
 * What is left out
 * ----------------
 * scripts/build/probe-events.sh compiles each subsystem before it is compiled for
 * good. Where a class needs a function that modules must not call, it defines
 * TRING_LEFT_OUT_CLASS. The class' events are then not listed, nothing refers
 * to the probe any more, and the compiler drops it with its undefined symbols.
 *
 * Learnt from include/trace/define_trace.h, include/trace/trace_events.h,
 * include/trace/stages/ and samples/trace_events/ of the kernel, and from
 * LTTng-modules, which does the same with copies of the headers.
 */

#ifdef CREATE_TRACE_POINTS

/* The header's other reads must not get here again. */
#undef CREATE_TRACE_POINTS

#include <linux/kconfig.h>
#include <linux/stringify.h>
#include <linux/trace_events.h>

#include "probes/event.h"

#ifndef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE TRACE_SYSTEM
#define TRING_UNDEF_TRACE_INCLUDE_FILE
#endif

/*
 * For #include, which finds the kernel's header as there is none beside this. A
 * header that is not in include/trace/events/ says where it is.
 */
#ifdef TRACE_INCLUDE_PATH
#define TRING_READ_AGAIN(file) __stringify(TRACE_INCLUDE_PATH/file.h)
#else
#define TRING_READ_AGAIN(file) __stringify(trace/events/file.h)
#endif

/* Opens the header's own guard against a second read. */
#define TRACE_HEADER_MULTI_READ

/* Is the class left out? 1 or 0, and constant. */
#define TRING_LEFT_OUT(call) __is_defined(TRING_LEFT_OUT_##call)

/*
 * All forms of events in terms of DECLARE_EVENT_CLASS and DEFINE_EVENT, once
 * and for all passes.
 */
#undef TRACE_EVENT
#define TRACE_EVENT(name, proto, args, tstruct, assign, print)		\
	DECLARE_EVENT_CLASS(name, PARAMS(proto), PARAMS(args),		\
			    PARAMS(tstruct), PARAMS(assign),		\
			    PARAMS(print));				\
	DEFINE_EVENT(name, name, PARAMS(proto), PARAMS(args));

#undef TRACE_EVENT_FN
#define TRACE_EVENT_FN(name, proto, args, tstruct, assign, print, ...) \
	TRACE_EVENT(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct),	\
		    PARAMS(assign), PARAMS(print))

#undef TRACE_EVENT_FN_COND
#define TRACE_EVENT_FN_COND(name, proto, args, cond, tstruct, assign,	\
			    print, ...)					\
	TRACE_EVENT(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct),	\
		    PARAMS(assign), PARAMS(print))

#undef TRACE_EVENT_CONDITION
#define TRACE_EVENT_CONDITION(name, proto, args, cond, tstruct, assign,	\
			      print)					\
	TRACE_EVENT(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct),	\
		    PARAMS(assign), PARAMS(print))

/* A tracepoint that calls its probes with preemption enabled. */
#undef TRACE_EVENT_SYSCALL
#define TRACE_EVENT_SYSCALL(name, proto, args, tstruct, assign, print,	\
			    ...)					\
	DECLARE_EVENT_SYSCALL_CLASS(name, PARAMS(proto), PARAMS(args),	\
				    PARAMS(tstruct), PARAMS(assign),	\
				    PARAMS(print));			\
	DEFINE_EVENT(name, name, PARAMS(proto), PARAMS(args));

#undef DEFINE_EVENT_FN
#define DEFINE_EVENT_FN(template, name, proto, args, ...)		\
	DEFINE_EVENT(template, name, PARAMS(proto), PARAMS(args))

#undef DEFINE_EVENT_PRINT
#define DEFINE_EVENT_PRINT(template, name, proto, args, ...)		\
	DEFINE_EVENT(template, name, PARAMS(proto), PARAMS(args))

#undef DEFINE_EVENT_CONDITION
#define DEFINE_EVENT_CONDITION(template, name, proto, args, ...)	\
	DEFINE_EVENT(template, name, PARAMS(proto), PARAMS(args))

#undef TRACE_EVENT_NOP
#define TRACE_EVENT_NOP(...)
#undef DECLARE_EVENT_CLASS_NOP
#define DECLARE_EVENT_CLASS_NOP(...)
#undef DEFINE_EVENT_NOP
#define DEFINE_EVENT_NOP(...)

#undef DECLARE_TRACE
#define DECLARE_TRACE(...)
#undef DECLARE_TRACE_CONDITION
#define DECLARE_TRACE_CONDITION(...)
#undef DECLARE_TRACE_SYSCALL
#define DECLARE_TRACE_SYSCALL(...)
#undef DECLARE_TRACE_WRITABLE
#define DECLARE_TRACE_WRITABLE(...)

#undef TRACE_EVENT_FLAGS
#define TRACE_EVENT_FLAGS(...)
#undef TRACE_EVENT_PERF_PERM
#define TRACE_EVENT_PERF_PERM(...)
#undef TRACE_DEFINE_ENUM
#define TRACE_DEFINE_ENUM(...)
#undef TRACE_DEFINE_SIZEOF
#define TRACE_DEFINE_SIZEOF(...)

#undef DECLARE_EVENT_SYSCALL_CLASS
#define DECLARE_EVENT_SYSCALL_CLASS DECLARE_EVENT_CLASS

#undef DEFINE_EVENT
#define DEFINE_EVENT(...)

/* Pass 1: the record. */

#include <trace/stages/stage1_struct_define.h>

#undef DECLARE_EVENT_CLASS
#define DECLARE_EVENT_CLASS(call, proto, args, tstruct, ...)		\
	struct tring_entry_##call {					\
		struct trace_entry	ent;				\
		tstruct							\
		char			__data[];			\
	};

#include TRING_READ_AGAIN(TRACE_INCLUDE_FILE)

/* Pass 2: where its dynamic fields are. */

#include <trace/stages/stage2_data_offsets.h>

#undef DECLARE_EVENT_CLASS
#define DECLARE_EVENT_CLASS(call, proto, args, tstruct, ...)		\
	struct tring_offsets_##call {					\
		tstruct							\
	};

#include TRING_READ_AGAIN(TRACE_INCLUDE_FILE)

/* Pass 3: the sum of their sizes. */

#include <trace/stages/stage3_trace_output.h>
#include <trace/stages/stage5_get_offsets.h>

#undef DECLARE_EVENT_CLASS
#define DECLARE_EVENT_CLASS(call, proto, args, tstruct, ...)		\
static __always_inline int						\
tring_size_##call(struct tring_offsets_##call *__data_offsets, proto)	\
{									\
	struct tring_entry_##call __maybe_unused *entry;		\
	int __maybe_unused __item_length;				\
	int __data_size = 0;						\
									\
	tstruct								\
	return __data_size;						\
}

#include TRING_READ_AGAIN(TRACE_INCLUDE_FILE)

/*
 * Pass 4: the probe, which the tracepoint calls with preemption disabled. The
 * names of locals must not be those of an event's parameters, hence the
 * underscores; entry, __data_offsets, __data_size and __item_length are the
 * kernel's stages' own.
 */

#include <trace/stages/stage6_event_callback.h>
#include "assign_str.h"

/* Of the fields, if there are no dynamic ones; otherwise 0. */
#define TRING_FIXED_LENGTH(call)					\
	(sizeof(struct tring_offsets_##call) ? 0 :			\
	 offsetof(struct tring_entry_##call, __data) - sizeof(struct trace_entry))

#define TRING_DO_PROBE(call, proto, args, tstruct, assign)		\
static __always_inline void						\
tring_do_probe_##call(struct tring_event *__event, proto)		\
{									\
	struct tring_offsets_##call TRING_UNINITIALIZED __maybe_unused	\
		__data_offsets;						\
	const bool __varies =						\
		!TRING_LENGTH_IS_FIXED(TRING_FIXED_LENGTH(call));	\
	struct task_struct *__task = current;				\
	u64 __context = tring_event_context(__task);			\
	struct tring_entry_##call *entry;				\
	struct tring_record TRING_UNINITIALIZED __record;		\
	int __data_size;						\
									\
	__data_size = tring_size_##call(&__data_offsets, args);		\
	if (__tring_reserve(__event->buffer,				\
			    READ_ONCE(__event->key.head) | __context,	\
			    __varies, __task->pid,			\
			    offsetof(typeof(*entry), __data) + __data_size, \
			    &__record))					\
		return;							\
									\
	entry = __record.payload;					\
	tstruct								\
	{ assign; }							\
	__tring_commit(&__record);					\
}

#undef DECLARE_EVENT_CLASS
#define DECLARE_EVENT_CLASS(call, proto, args, tstruct, assign, ...)	\
TRING_DO_PROBE(call, PARAMS(proto), PARAMS(args), PARAMS(tstruct),	\
	       PARAMS(assign))						\
static TRING_PROBE void tring_probe_##call(void *__data, proto)		\
{									\
	tring_do_probe_##call(__data, args);				\
}

/* As ftrace's: one preempt_disable(), which the context then leaves out. */
#undef DECLARE_EVENT_SYSCALL_CLASS
#define DECLARE_EVENT_SYSCALL_CLASS(call, proto, args, tstruct, assign, ...) \
TRING_DO_PROBE(call, PARAMS(proto), PARAMS(args), PARAMS(tstruct),	\
	       PARAMS(assign))						\
static TRING_PROBE void tring_probe_##call(void *__data, proto)		\
{									\
	preempt_disable_notrace();					\
	tring_do_probe_##call(__data, args);				\
	preempt_enable_notrace();					\
}

#include TRING_READ_AGAIN(TRACE_INCLUDE_FILE)

/* Pass 5: the list, inside a function. */

#undef DECLARE_EVENT_CLASS
#define DECLARE_EVENT_CLASS(...)
#undef DECLARE_EVENT_SYSCALL_CLASS
#define DECLARE_EVENT_SYSCALL_CLASS DECLARE_EVENT_CLASS

#undef DEFINE_EVENT
#define DEFINE_EVENT(template, call, ...)				\
	do {								\
		static struct tring_event tring_event_##call = {	\
			.system	= __stringify(TRACE_SYSTEM),		\
			.name	= #call,				\
			.length	= TRING_FIXED_LENGTH(template),		\
			.probe	= TRING_LEFT_OUT(template) ? NULL :	\
				  (void *)tring_probe_##template,	\
		};							\
									\
		if (TRING_LEFT_OUT(template))				\
			break;						\
		check_trace_callback_type_##call(tring_probe_##template); \
		list_add_tail(&tring_event_##call.list, events);	\
	} while (0)

void __init TRING_LIST_EVENTS(TRING_SUBSYSTEM)(struct list_head *events)
{
#include TRING_READ_AGAIN(TRACE_INCLUDE_FILE)
}

/*
 * tracepoint.h defines these anew for the next event header that is included,
 * provided that they are not defined.
 */
#undef TRACE_EVENT
#undef TRACE_EVENT_FN
#undef TRACE_EVENT_FN_COND
#undef TRACE_EVENT_CONDITION
#undef TRACE_EVENT_SYSCALL
#undef TRACE_EVENT_NOP
#undef DECLARE_EVENT_CLASS
#undef DECLARE_EVENT_SYSCALL_CLASS
#undef DECLARE_EVENT_CLASS_NOP
#undef DEFINE_EVENT
#undef DEFINE_EVENT_FN
#undef DEFINE_EVENT_PRINT
#undef DEFINE_EVENT_CONDITION
#undef DEFINE_EVENT_NOP
#undef DECLARE_TRACE
#undef DECLARE_TRACE_CONDITION
#undef DECLARE_TRACE_SYSCALL
#undef DECLARE_TRACE_WRITABLE
#undef TRACE_HEADER_MULTI_READ

#ifdef TRING_UNDEF_TRACE_INCLUDE_FILE
#undef TRACE_INCLUDE_FILE
#undef TRING_UNDEF_TRACE_INCLUDE_FILE
#endif

#endif /* CREATE_TRACE_POINTS */
