// SPDX-License-Identifier: GPL-2.0
/*
 * Calls of functions in a recording. The lists come before the tracer, so that no other
 * functions are recorded first; for the same reason they are put back after it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "util.h"

/* Find the word that the kernel refuses. Its list is as it was. */
static void report_word(const struct tring_recording *recording, const char *file,
			const char *option, const char *patterns)
{
	char *copy = tring_format("%s", patterns), *rest = copy, *word;

	while ((word = strsep(&rest, "\n")))
		if (tring_control_try(&recording->control, file, word) == -EINVAL)
			tring_error("%s %s: no function that can be traced; %s/%s has all",
				    option, word, recording->control.tracing,
				    "available_filter_functions");
	free(copy);
}

/* Without patterns the list is emptied, whatever it has: -p says all that is wanted. */
static int set_list(struct tring_recording *recording, const char *file,
		    const char *option, const char *patterns)
{
	int error = tring_settings_try(&recording->settings, file, patterns ? patterns : "");

	if (error == -EINVAL && patterns)
		report_word(recording, file, option, patterns);
	else if (error)
		tring_error("%s: the kernel refuses the functions: %s", option,
			    strerror(-error));
	return error;
}

static int set_tracer(struct tring_recording *recording)
{
	const char *tracer = recording->options->tracer;
	int error = tring_settings_try(&recording->settings, "current_tracer", tracer);

	if (error)
		tring_error("-p %s: the kernel refuses it: %s", tracer, strerror(-error));
	return error;
}

/**
 * tring_calls_set_up - have calls of functions recorded
 * @recording: recording whose ring is open
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_calls_set_up(struct tring_recording *recording)
{
	const struct tring_recording_options *options = recording->options;
	int error;

	if (!options->tracer)
		return 0;
	error = set_list(recording, "set_ftrace_filter", "-l", options->functions);
	if (!error)
		error = set_list(recording, "set_ftrace_notrace", "-n", options->no_functions);
	return error ? error : set_tracer(recording);
}

/**
 * tring_calls_load - load the events that the ring's tracer records
 * @recording: recording whose ring is set up
 *
 * A kernel without function tracing has no tracer.
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_calls_load(struct tring_recording *recording)
{
	char *dir = tring_format("%s/events", recording->control.tracing);
	char *path = tring_format("%s/current_tracer", recording->control.dir);
	char *tracer = tring_read_text(path, NULL);
	int error = 0;

	if (tracer && !strcmp(tracer, "function\n"))
		error = tring_events_add(&recording->events, dir, "ftrace", "function");
	free(tracer);
	free(path);
	free(dir);
	return error;
}
