// SPDX-License-Identifier: GPL-2.0
/*
 * Events with a probe of tring's: enabling one registers the probe with the tracepoint.
 * trace/define_trace.h makes the probes.
 *
 * A probe records the fields that the kernel's headers defined when tring was compiled. Readers
 * decode a record by the format file of the kernel that runs. The versions of symbols
 * (CONFIG_MODVERSIONS) do not tell that the two differ, because tring refers to no symbol of a
 * tracepoint: it looks events up by name. So the fields are compared before a probe is
 * registered.
 *
 * Not noticed: a tracepoint with other parameters whose event has the same fields.
 */
#include <linux/module.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>

#include "event.h"
#include "source.h"

/*
 * An out-of-tree module may define an event with a known name but with other parameters
 * than the probe.
 */
static bool is_foreign(const struct trace_event_call *call)
{
#ifdef CONFIG_MODULES
	const struct module *module = call->module;

	return module && test_bit(TAINT_OOT_MODULE, &module->taints);
#else
	return false;
#endif
}

/* Is there a probe, and a tracepoint that it could be registered with? */
static bool could_be_registered(const struct tring_event *event,
				const struct trace_event_call *call)
{
	return event->probe && (call->flags & TRACE_EVENT_FL_TRACEPOINT) &&
	       !(call->flags & TRACE_EVENT_FL_DYNAMIC) && !is_foreign(call);
}

/**
 * tring_fields_mismatch - find a field that two definitions of an event do not share
 * @probe: fields that the probe was compiled with, ended by an element without a type
 * @kernel: fields of the running kernel, ended in the same way; NULL if they are not known
 *
 * Two definitions agree if they have the same fields in the same order. Offsets need no
 * comparison: they follow from the sizes and alignments before.
 *
 * Context: any.
 * Return: name of the first field that is missing, added or different; NULL if all agree.
 */
const char *tring_fields_mismatch(const struct trace_event_fields *probe,
				  const struct trace_event_fields *kernel)
{
	if (!kernel)
		return probe->type ? probe->name : "";
	for (; probe->type && kernel->type; probe++, kernel++) {
		/* A function defines the fields behind: ftrace's own events only. */
		if (kernel->type == TRACE_FUNCTION_TYPE ||
		    strcmp(probe->name, kernel->name) || strcmp(probe->type, kernel->type) ||
		    probe->size != kernel->size || probe->align != kernel->align ||
		    probe->is_signed != kernel->is_signed)
			return probe->name;
	}
	if (probe->type)
		return probe->name;
	if (!kernel->type)
		return NULL;
	return kernel->type == TRACE_FUNCTION_TYPE ? "" : kernel->name;
}

/**
 * tring_misfitting_field - find out why an event's probe does not fit the event
 * @event: an event
 * @file: ftrace's event of the same name
 *
 * Context: any.
 * Return: name of a field by which the two differ; NULL if there is none, or if there is no
 * probe that could be registered.
 */
const char *tring_misfitting_field(const struct tring_event *event,
				   const struct trace_event_file *file)
{
	const struct trace_event_call *call = file->event_call;

	if (!could_be_registered(event, call))
		return NULL;
	return tring_fields_mismatch(event->fields, call->class->fields_array);
}

static bool probe_suits(const struct tring_event *event, const struct trace_event_file *file)
{
	return could_be_registered(event, file->event_call) &&
	       !tring_misfitting_field(event, file);
}

static int enable_probe(struct tring_event_set *set, struct tring_event *event)
{
	const struct trace_event_call *call = event->file->event_call;
	int err;

	tring_buffer_add_event(event->buffer, &event->key, call->event.type, event->length,
			       false);
	/* It may run as soon as it is registered, so all that it reads is set before. */
	err = tracepoint_probe_register(call->tp, event->probe, event);
	if (err)
		tring_buffer_remove_event(event->buffer, &event->key);
	return err;
}

static void disable_probe(struct tring_event_set *set, struct tring_event *event)
{
	tracepoint_probe_unregister(event->file->event_call->tp, event->probe, event);
}

const struct tring_source tring_probe_source = {
	.name		= "probe",
	.suits		= probe_suits,
	.enable		= enable_probe,
	.disable	= disable_probe,
};
