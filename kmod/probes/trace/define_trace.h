/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Replaces the kernel's trace/define_trace.h for the files in kmod/probes/, since
 * Kbuild.include puts this folder first in their include path. Makes tring's probes
 * from the kernel's own event headers.
 *
 * Stages
 * ------
 * An event header, such as <trace/events/sched.h>, describes each event once by a
 * macro: TRACE_EVENT(name, TP_PROTO, TP_ARGS, TP_STRUCT__entry, TP_fast_assign,
 * TP_printk). Events that differ in the name only are a class: a DECLARE_EVENT_CLASS,
 * and a DEFINE_EVENT for each event; a TRACE_EVENT is a class with one event. The
 * header ends with an #include of trace/define_trace.h. If CREATE_TRACE_POINTS is
 * defined, that file includes the header several times, each time with other
 * definitions of the macros. Each of these passes is a "stage".
 *
 * The macros of fields, __field(), __string() and so on, are used inside
 * TP_STRUCT__entry(). The kernel's <trace/stages/stageN_*.h> define them for each stage
 * and are used unchanged, so the layout is ftrace's for all field types that this kernel
 * has. tring defines:
 *
 *	pass	DECLARE_EVENT_CLASS becomes	with the kernel's
 *	1	struct tring_entry_CLASS	stage1: fields
 *	2	struct tring_offsets_CLASS	stage2: a u32 per dynamic field
 *	3	tring_fields_CLASS[]		stage4: name, type and size of each field
 *	4	tring_size_CLASS()		stage5: sums up dynamic fields
 *	5	tring_probe_CLASS()		stage6: stores offsets and fields
 *	6	(nothing)
 *
 *	pass	DEFINE_EVENT becomes
 *	1 - 5	(nothing)
 *	6	in one function per subsystem, a static struct tring_event and a
 *		statement that adds it to the list
 *
 * Pass 6 includes the header inside a function body, where the semicolons behind the
 * macros are allowed. This needs no linker section, for which a module would lack start
 * and end symbols, and no second list of events. check_trace_callback_type_EVENT(),
 * which tracepoint.h defines for each tracepoint, makes the compiler compare the
 * parameters of the probe with those of the tracepoint. The fields of pass 3 are compared
 * with the running kernel's; see probe.c.
 *
 * The kernel's stages 3 (TP_printk) and 7 (registration) are not needed, since ftrace has
 * the same events with ids and format files. The macros of stage 3 are included because
 * stage 6 of 6.1 uses __get_str() and others.
 *
 * The size of a record
 * --------------------
 * ftrace reserves sizeof(structure) + dynamic bytes. The dynamic fields begin at
 * offsetof(__data), so up to seven bytes at the end are unused. tring reserves
 * offsetof(__data) + dynamic bytes. Fields stay where they are, and CTF readers, which
 * know of no unused bytes, find the next record.
 *
 * Macros that are defined as nothing, or as another one
 * -----------------------------------------------------
 * - DECLARE_TRACE and its variants: tracepoints without an event.
 * - *_NOP: events that this configuration of the kernel does not have.
 * - TRACE_DEFINE_ENUM, TRACE_DEFINE_SIZEOF: would register names with ftrace again.
 * - TRACE_EVENT_FLAGS, TRACE_EVENT_PERF_PERM: initcalls for ftrace and perf.
 * - *_FN: registering a probe calls the reg and unreg functions of the tracepoint.
 * - *_CONDITION: the tracepoint tests the condition before it calls a probe.
 * - *_PRINT: another text for the same record.
 * - __perf_count(), __perf_task(): their argument, as for ftrace.
 *
 * Events that are left out
 * ------------------------
 * scripts/build/probe-events.sh first compiles each subsystem to find out what it needs.
 * For a class that needs a function which is not exported it defines
 * TRING_LEFT_OUT_CLASS. The events of the class are then not listed, so that the
 * compiler drops the probe, which nothing refers to, with its undefined symbols.
 *
 * Sources: include/trace/define_trace.h, include/trace/trace_events.h,
 * include/trace/stages/ and samples/trace_events/ of the kernel; LTTng-modules, which
 * does the same with copies of the headers.
 */

#ifdef CREATE_TRACE_POINTS

/* The header's other passes must not get here again. */
#undef CREATE_TRACE_POINTS

#include <linux/kconfig.h>
#include <linux/stringify.h>
#include <linux/trace_events.h>

#include "probes/event.h"
#include "probes/examine.h"

#ifndef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE TRACE_SYSTEM
#define TRING_UNDEF_TRACE_INCLUDE_FILE
#endif

/*
 * Argument of #include. A header that is not in include/trace/events/ defines
 * TRACE_INCLUDE_PATH.
 */
#ifdef TRACE_INCLUDE_PATH
#define TRING_READ_AGAIN(file) __stringify(TRACE_INCLUDE_PATH/file.h)
#else
#define TRING_READ_AGAIN(file) __stringify(trace/events/file.h)
#endif

/* Disables the include guard of the header. */
#define TRACE_HEADER_MULTI_READ

/* Is the class left out? 1 or 0, and constant. */
#define TRING_LEFT_OUT(call) __is_defined(TRING_LEFT_OUT_##call)

/*
 * For all passes: define all forms of events by DECLARE_EVENT_CLASS and DEFINE_EVENT.
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

/* Pass 2: the offsets of the dynamic fields. */

#include <trace/stages/stage2_data_offsets.h>

#undef DECLARE_EVENT_CLASS
#define DECLARE_EVENT_CLASS(call, proto, args, tstruct, ...)		\
	struct tring_offsets_##call {					\
		tstruct							\
	};

#include TRING_READ_AGAIN(TRACE_INCLUDE_FILE)

/* Pass 3: the fields, as ftrace has them for the running kernel. */

#include <trace/stages/stage3_trace_output.h>
#include <trace/stages/stage4_event_fields.h>

#undef DECLARE_EVENT_CLASS
#define DECLARE_EVENT_CLASS(call, proto, args, tstruct, ...)		\
	static const struct trace_event_fields __maybe_unused		\
	tring_fields_##call[] = {					\
		tstruct							\
		{}							\
	};

#include TRING_READ_AGAIN(TRACE_INCLUDE_FILE)

/* Pass 4: the sum of the sizes of the dynamic fields. */

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
 * Pass 5: the probe. Local variables have underscores to differ from an event's parameters.
 * The kernel's stages use entry, __data_offsets, __data_size and __item_length.
 */

#include <trace/stages/stage6_event_callback.h>
#include "assign_str.h"
#include "tests.h"

/* Length of the fields in the record, or 0 if there are dynamic ones. */
#define TRING_FIXED_LENGTH(call)					\
	(sizeof(struct tring_offsets_##call) ? 0 :			\
	 offsetof(struct tring_entry_##call, __data) - TRING_PAYLOAD_HEAD)

#define TRING_DO_PROBE(call, proto, args, tstruct, assign)		\
static noinline TRING_PROBE void					\
tring_examine_##call(struct tring_event *__event, proto)		\
{									\
	struct tring_offsets_##call TRING_UNINITIALIZED __maybe_unused	\
		__data_offsets;						\
	struct tring_entry_##call *entry;				\
	u32 __length = offsetof(typeof(*entry), __data);		\
	int __data_size;						\
									\
	__data_size = tring_size_##call(&__data_offsets, args);		\
	__length += __data_size;					\
	entry = (void *)tring_examine_begin(__event, __length);		\
	if (!entry)							\
		return;							\
	tstruct								\
	{ assign; }							\
	tring_examine_end(__event, &entry->ent, __length);		\
}									\
									\
static __always_inline void						\
tring_do_probe_##call(struct tring_event *__event, proto)		\
{									\
	struct tring_offsets_##call TRING_UNINITIALIZED __maybe_unused	\
		__data_offsets;						\
	const bool __varies =						\
		!TRING_LENGTH_IS_FIXED(TRING_FIXED_LENGTH(call));	\
	struct task_struct *__task;					\
	struct tring_entry_##call *entry;				\
	struct tring_record TRING_UNINITIALIZED __record;		\
	int __data_size;						\
	u64 __context;							\
									\
	/* data_race(): see tring_event_wanted() */			\
	if (unlikely(data_race(__event->tests))) {			\
		if (READ_ONCE(__event->tests) & TRING_TEST_TASKS &&	\
		    !TRING_TEST(call))					\
			return;						\
		if (tring_event_is_examined(__event)) {			\
			tring_examine_##call(__event, args);		\
			return;						\
		}							\
	}								\
	__task = current;						\
	__context = TRING_CONTEXT(call);				\
	__data_size = tring_size_##call(&__data_offsets, args);		\
	if (__tring_reserve(__event->buffer,			\
				READ_ONCE(__event->key.head) | __context, \
				__varies, __task->pid,			\
				offsetof(typeof(*entry), __data) + __data_size, \
				&__record))				\
		return;							\
									\
	entry = __record.payload;					\
	tring_fill_entry_rest(&entry->ent);				\
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
	tring_probe_preempt_disable();					\
	tring_do_probe_##call(__data, args);				\
	tring_probe_preempt_enable();					\
}

/* As in ftrace: one preempt_disable(), as a tracepoint's. */
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

/* Pass 6: the list, inside a function. */

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
			.fields	= TRING_LEFT_OUT(template) ? NULL :	\
				  tring_fields_##template,		\
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
	if (!structs_are_kernels())
		return;
#include TRING_READ_AGAIN(TRACE_INCLUDE_FILE)
}

/* tracepoint.h defines these again for the next event header if they are undefined. */
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
