// SPDX-License-Identifier: GPL-2.0
/*
 * Does a probe fit its event? A probe records the fields that the kernel's headers defined
 * when tring was compiled. Readers decode a record by the format file of the kernel that
 * runs. The versions of symbols (CONFIG_MODVERSIONS) do not tell that the two differ,
 * because tring refers to no symbol of a tracepoint: it looks events up by name. So the
 * fields are compared before a probe is registered.
 *
 * Not noticed: a tracepoint with other parameters whose event has the same fields.
 */
#include <linux/string.h>
#include <linux/trace_events.h>

#include "fields.h"

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
