// SPDX-License-Identifier: GPL-2.0
/* Stacks behind the events of a recording: the ring's options, and the events' formats. */
#include <stdlib.h>
#include <string.h>

#include "stacks.h"
#include "util/util.h"

static const char kernel_option[] = "options/stacktrace";
static const char user_option[] = "options/userstacktrace";

/**
 * tring_stacks_set_up - have stacks recorded
 * @recording: recording whose ring is open
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_stacks_set_up(struct tring_recording *recording)
{
	const struct tring_recording_options *options = recording->options;
	struct tring_settings *settings = &recording->settings;
	int error = 0;

	if (options->stacks)
		error = tring_settings_change(settings, kernel_option, "1");
	if (!error && options->user_stacks)
		error = tring_settings_change(settings, user_option, "1");
	return error;
}

/* An older module, or another machine, does not have the option. */
static int load(struct tring_recording *recording, const char *option, const char *event)
{
	char *dir = tring_format("%s/events", recording->control.tracing);
	char *path = tring_format("%s/%s", recording->control.dir, option);
	char *value = tring_read_text(path, NULL);
	int error = 0;

	if (value && !strcmp(value, "1\n"))
		error = tring_events_add(&recording->events, dir, "ftrace", event);
	free(value);
	free(path);
	free(dir);
	return error;
}

/**
 * tring_stacks_load - load the events of the stacks that the ring records
 * @recording: recording whose ring is set up
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_stacks_load(struct tring_recording *recording)
{
	int error = load(recording, kernel_option, "kernel_stack");

	return error ? error : load(recording, user_option, "user_stack");
}
