// SPDX-License-Identifier: GPL-2.0
/* The end of a command that has loaded a trace by itself. */
#include "show/open.h"
#include "trace_end.h"
#include "util/util.h"

/**
 * tring_trace_end - complete the output, and release a trace
 * @trace: the trace
 * @failed: something is wrong that the trace does not know
 *
 * Return: TRING_EXIT_OK; _BAD after an error, or if the output failed.
 */
int tring_trace_end(struct tring_trace *trace, bool failed)
{
	bool bad = !tring_output_completed() || failed || trace->problems;

	tring_trace_free(trace);
	return bad ? TRING_EXIT_BAD : TRING_EXIT_OK;
}
