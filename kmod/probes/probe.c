// SPDX-License-Identifier: GPL-2.0
/*
 * Events with a probe of tring's: enabling one registers the probe with the tracepoint.
 * trace/define_trace.h makes the probes.
 */
#include <linux/module.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>

#include "event.h"
#include "fields.h"
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
