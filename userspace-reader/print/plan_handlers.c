// SPDX-License-Identifier: GPL-2.0
/*
 * Plans for frequent events that libtraceevent's plugins print in a text of
 * their own, not by the print format.
 *
 * libtraceevent does not tell which plugin prints an event, and there may be
 * plugins of other authors. So the printer compares the first lines of each
 * event with libtraceevent's.
 */
#include <stdlib.h>
#include <string.h>

#include "plan.h"
#include "reference.h"
#include "util/util.h"

/* Bits of a task's state that may have a letter. */
#define STATES	32

#define TEXT(plan, text)	tring_plan_add_text(plan, text, sizeof(text) - 1)

/* Number formats of the plugins' printf conversions. */
static const struct tring_number_form decimal = {
	.base = 10, .plain = true, .precision = -1,
}, signed_decimal = {
	.base = 10, .is_signed = true, .plain = true, .precision = -1,
}, hexadecimal = {
	.base = 16, .plain = true, .precision = -1,
}, three_digits = {
	.base = 10, .zeroes = true, .width = 3, .precision = -1,
};

static const struct tep_format_field *find_number(const struct tring_event *event,
						  const char *name)
{
	const struct tep_format_field *field;

	field = tep_find_field(event->parsed, name);
	if (!field || (field->size != 1 && field->size != 2 &&
		       field->size != 4 && field->size != 8))
		return NULL;
	return field;
}

static struct tring_plan_op *add_field(struct tring_plan *plan,
				       enum tring_plan_kind kind,
				       const struct tep_format_field *field)
{
	struct tring_plan_op *op = tring_plan_add(plan, kind);

	op->number_size = field->size;
	op->offset = field->offset;
	return op;
}

static bool add_number(struct tring_plan *plan, const struct tring_event *event,
		       const char *name, const struct tring_number_form *form,
		       unsigned int bits)
{
	const struct tep_format_field *field = find_number(event, name);
	struct tring_plan_op *op;

	if (!field)
		return false;
	op = add_field(plan, TRING_PLAN_NUMBER, field);
	op->form = *form;
	op->bits = bits;
	return true;
}

/* "comm:pid" */
static bool add_task(struct tring_plan *plan, const struct tring_event *event,
		     const char *comm_name, const char *pid_name)
{
	const struct tep_format_field *comm, *pid;
	struct tring_plan_op *op;

	comm = tep_find_field(event->parsed, comm_name);
	pid = find_number(event, pid_name);
	if (!comm || !pid || !comm->size ||
	    !(comm->flags & TEP_FIELD_IS_ARRAY) ||
	    comm->flags & TEP_FIELD_IS_DYNAMIC)
		return false;
	op = tring_plan_add(plan, TRING_PLAN_ARRAY_STRING);
	op->offset = comm->offset;
	op->size = comm->size;
	op->precision = -1;
	return TEXT(plan, ":") &&
	       add_number(plan, event, pid_name, &signed_decimal, 64);
}

static void store(uint8_t *to, uint64_t value, unsigned int size, bool big_endian)
{
	unsigned int i;

	for (i = 0; i < size; i++)
		to[big_endian ? size - 1 - i : i] = value >> 8 * i;
}

/* Return: the letter of a state that was printed; 0 for none, as for a running task. */
static char find_letter(const char *text)
{
	const char *at = strstr(text, "] ");

	return at && at[2] != 'R' && at[3] == ' ' ? at[2] : 0;
}

/*
 * Ask a plugin for the letters of a task's states: later ones take them from the event's print
 * format, those of 1.7 have a list. libtraceevent does not tell its version. @letters: by bit; 0
 * for a bit without one. Return: false if the plugin prints something else.
 */
static bool find_states(const struct tring_event *event, const struct tep_format_field *state,
			char *letters)
{
	bool big_endian = tep_is_file_bigendian(event->parsed->tep);
	uint8_t *payload = tring_allocate(event->fixed_size);
	struct tring_record record = {
		.payload = payload, .length = event->fixed_size, .id = event->id,
	};
	struct tring_reference reference;
	struct tring_line line;
	bool any = false;
	unsigned int bit;

	tring_line_init(&line);
	tring_reference_init(&reference, event->parsed->tep);
	for (bit = 0; bit < STATES; bit++) {
		store(payload + state->offset, UINT64_C(1) << bit, state->size, big_endian);
		line.at = line.start;
		tring_reference_print(&reference, &line, &record, 0, TEP_PRINT_INFO);
		tring_line_char(&line, 0);
		letters[bit] = find_letter(line.start);
		any |= letters[bit];
	}
	tring_reference_free(&reference);
	tring_line_free(&line);
	free(payload);
	return any;
}

static bool compile_switch(struct tring_plan *plan,
			   const struct tring_event *event)
{
	const struct tep_format_field *state = find_number(event, "prev_state");
	struct tring_plan_op *op;
	char letters[STATES];

	if (!state || state->size < 4 || !find_states(event, state, letters) ||
	    !add_task(plan, event, "prev_comm", "prev_pid") ||
	    !TEXT(plan, " [") ||
	    !add_number(plan, event, "prev_prio", &signed_decimal, 32) ||
	    !TEXT(plan, "] "))
		return false;
	op = add_field(plan, TRING_PLAN_TASK_STATE, state);
	op->text_size = sizeof(letters);
	op->text = tring_allocate(sizeof(letters));
	memcpy(op->text, letters, sizeof(letters));
	return TEXT(plan, " ==> ") &&
	       add_task(plan, event, "next_comm", "next_pid") &&
	       TEXT(plan, " [") &&
	       add_number(plan, event, "next_prio", &signed_decimal, 32) &&
	       TEXT(plan, "]");
}

static bool compile_wakeup(struct tring_plan *plan,
			   const struct tring_event *event)
{
	return add_task(plan, event, "comm", "pid") && TEXT(plan, " [") &&
	       add_number(plan, event, "prio", &signed_decimal, 64) &&
	       TEXT(plan, "]") &&
	       (!find_number(event, "success") ||
		(TEXT(plan, " success=") &&
		 add_number(plan, event, "success", &signed_decimal, 64))) &&
	       (!find_number(event, "target_cpu") ||
		(TEXT(plan, " CPU:") &&
		 add_number(plan, event, "target_cpu", &three_digits, 64)));
}

static bool add_timer(struct tring_plan *plan, const struct tring_event *event)
{
	return TEXT(plan, "hrtimer=0x") &&
	       (add_number(plan, event, "timer", &hexadecimal, 64) ||
		add_number(plan, event, "hrtimer", &hexadecimal, 64));
}

static void add_timer_function(struct tring_plan *plan,
			       const struct tring_event *event)
{
	const struct tep_format_field *function;

	function = find_number(event, "function");
	if (!function)
		return;
	TEXT(plan, " function=");
	add_field(plan, TRING_PLAN_FUNCTION_BACK, function);
}

static bool compile_timer_expire(struct tring_plan *plan,
				 const struct tring_event *event)
{
	if (!add_timer(plan, event) || !TEXT(plan, " now=") ||
	    !add_number(plan, event, "now", &decimal, 64))
		return false;
	add_timer_function(plan, event);
	return true;
}

static bool compile_timer_start(struct tring_plan *plan,
				const struct tring_event *event)
{
	if (!add_timer(plan, event))
		return false;
	add_timer_function(plan, event);
	return TEXT(plan, " expires=") &&
	       add_number(plan, event, "expires", &decimal, 64) &&
	       TEXT(plan, " softexpires=") &&
	       add_number(plan, event, "softexpires", &decimal, 64);
}

static bool compile_allocation(struct tring_plan *plan,
			       const struct tring_event *event)
{
	const struct tep_format_field *caller;

	caller = find_number(event, "call_site");
	if (caller)
		add_field(plan, TRING_PLAN_CALLER, caller);
	return tring_plan_compile_format(plan, event);
}

/**
 * tring_plan_compile_handler - compile how a plugin prints an event
 * @plan: empty plan to append to
 * @event: an event that a plugin prints
 *
 * Return: false if the event is not one of those known here.
 */
bool tring_plan_compile_handler(struct tring_plan *plan,
				const struct tring_event *event)
{
	static const struct {
		const char *system;
		const char *name;
		bool (*compile)(struct tring_plan *plan,
				const struct tring_event *event);
	} known[] = {
		{ "sched", "sched_switch", compile_switch },
		{ "sched", "sched_wakeup", compile_wakeup },
		{ "sched", "sched_wakeup_new", compile_wakeup },
		{ "timer", "hrtimer_expire_entry", compile_timer_expire },
		{ "timer", "hrtimer_start", compile_timer_start },
		{ "kmem", "kfree", compile_allocation },
		{ "kmem", "kmalloc", compile_allocation },
		{ "kmem", "kmalloc_node", compile_allocation },
		{ "kmem", "kmem_cache_alloc", compile_allocation },
		{ "kmem", "kmem_cache_alloc_node", compile_allocation },
		{ "kmem", "kmem_cache_free", compile_allocation },
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(event->system, known[i].system) &&
		    !strcmp(event->name, known[i].name))
			return known[i].compile(plan, event);
	return false;
}
