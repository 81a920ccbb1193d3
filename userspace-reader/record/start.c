// SPDX-License-Identifier: GPL-2.0
/*
 * Begins to record into a ring that nothing reads. What is set up stays until tring reset
 * puts it back; until the last step is done it is undone here, and after a kill by the next
 * recorder.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "recording.h"
#include "state.h"
#include "util/util.h"

static int begin(struct tring_recording *recording)
{
	int error;

	if (!recording->state.path)
		return -EIO;
	error = tring_settings_change(&recording->settings, "tracing_on", "1");
	if (!error)
		error = tring_triggers_set(recording);
	return error;
}

/* Nothing is left that tring_recording_end() would undo. */
static void keep(struct tring_recording *recording)
{
	tring_settings_free(&recording->settings);
	recording->dynamics.defined = 0;
	recording->control.made = false;
	tring_state_end(&recording->state, false);
}

/**
 * tring_start - begin to record into a ring that nothing reads
 * @options: options of the user, for which tring_request_check() returned 0
 *
 * Return: 0 or a negative errno, reported on stderr; after an error all is as before.
 */
int tring_start(const struct tring_recording_options *options)
{
	struct tring_recording recording;
	char *left_behind = NULL;
	int error = tring_recording_prepare_ring(&recording, options), failed;

	/* before the first event */
	if (!error)
		error = tring_started_count(&left_behind, &recording.control);
	if (!error)
		error = begin(&recording);
	if (!error) {
		recording.state.tail = left_behind;
		left_behind = NULL;
		error = tring_state_write(&recording.state, &recording.settings);
	}
	free(left_behind);
	if (!error) {
		keep(&recording);
		tring_note("%s records; \"tring snapshot\" saves it, \"tring reset\" ends it",
			   recording.control.dir);
	}
	failed = tring_recording_end(&recording);
	return error ? error : failed;
}
