// SPDX-License-Identifier: GPL-2.0
/*
 * Undoes what a recorder has changed that was killed, and what tring start has set up, as a
 * recorder does at its end: each file of the ring gets the text that it had before.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"
#include "util/tree.h"
#include "util/util.h"

static void report(const struct tring_leftover *leftover, const char *files)
{
	if (leftover->started)
		tring_note("what process %s has set up is undone; put back: %s",
			   leftover->process, files);
	else
		tring_error("process %s has ended without undoing its changes; put back: %s",
			    leftover->process, files);
}

/* What the kernel refuses does not keep the file, which would only be refused again. */
static int finish(struct tring_leftover *leftover, struct tring_control *control)
{
	int error, failed;
	size_t i;

	for (i = 0; i < leftover->dynamics.defined && !leftover->started; i++)
		tring_error("removing the event %s, which it had defined",
			    leftover->dynamics.list[i].event);
	error = tring_dynamics_remove(&leftover->dynamics);
	control->made |= leftover->made;
	failed = tring_tree_remove(leftover->path);
	if (failed)
		tring_error("%s: %s", leftover->path, strerror(-failed));
	return failed ? failed : error;
}

/**
 * tring_recover - undo what tring start, or a recorder that was killed, has changed
 * @control: the ring, whose lock the caller holds; @control->made is set if the recorder
 *	has created the instance
 * @started: undo what tring start has set up, too; else that is -EBUSY
 *
 * What was put back is reported on stderr, in one line.
 *
 * Return: TRING_PUT_BACK or _PARTLY if a recorder was killed, 0 if not. Or a negative
 * errno, reported on stderr, if its file is kept for another attempt: -EBUSY while a
 * program reads the ring; others if the file is not understood.
 */
int tring_recover(struct tring_control *control, bool started)
{
	struct tring_leftover leftover;
	int found = tring_leftover_find(&leftover, control), error, failed;
	char *files = NULL;

	if (found > 0 && leftover.started && !started) {
		tring_error("%s: process %s has started it; %s", control->dir, leftover.process,
			    "\"tring reset\" ends that, -B NAME uses a ring of its own");
		found = -EBUSY;
	} else if (found > 0) {
		error = tring_settings_restore(&leftover.settings, 0, &files);
		if (files)
			report(&leftover, files);
		failed = error == -EBUSY ? 0 : finish(&leftover, control);
		found = error == -EBUSY ? error :
			error || failed ? TRING_PUT_BACK_PARTLY : TRING_PUT_BACK;
	}
	free(files);
	tring_leftover_free(&leftover);
	return found;
}
