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

/* Return: 1; 0 if the file has its old text; or a negative errno, reported on stderr. */
static int restore(const struct tring_control *control, const struct tring_setting *setting)
{
	char *current = tring_settings_read(control, setting->file);
	bool same;
	int error;

	if (!current)
		return -EIO;
	tring_state_line(current, setting->file);
	same = !strcmp(current, setting->old);
	free(current);
	if (same)
		return 0;
	error = tring_control_write(control, setting->file, setting->old);
	return error ? error : 1;
}

static void report(const struct tring_leftover *leftover, const char *files)
{
	if (leftover->started)
		tring_note("what process %s has set up is undone; put back: %s",
			   leftover->process, files);
	else
		tring_error("process %s has ended without undoing its changes; put back: %s",
			    leftover->process, files);
}

/*
 * In the reverse order of the changes. All are tried. Return: 0, or a negative errno:
 * -EBUSY before any other one, because it may succeed later.
 */
static int restore_all(const struct tring_leftover *leftover)
{
	const struct tring_settings *settings = &leftover->settings;
	char *files = NULL;
	int error = 0, done;
	size_t i;

	for (i = settings->count; i; i--) {
		const struct tring_setting *setting = &settings->changed[i - 1];

		done = restore(settings->control, setting);
		if (done < 0 && error != -EBUSY)
			error = done;
		if (done > 0)
			tring_extend(&files, "%s%s", files ? ", " : "", setting->file);
	}
	if (files)
		report(leftover, files);
	free(files);
	return error;
}

/* What the kernel refuses does not keep the file, which would only be refused again. */
static int finish(struct tring_leftover *leftover, struct tring_control *control)
{
	int error, failed;
	size_t i;

	for (i = 0; i < leftover->dynamics.defined && !leftover->started; i++)
		tring_error("removing the event %s, which it had defined",
			    leftover->dynamics.list[i].event);
	error = tring_dynamics_remove(&leftover->dynamics, control);
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
 *
 * What was put back is reported on stderr, in one line.
 *
 * Return: TRING_PUT_BACK or _PARTLY if a recorder was killed, 0 if not. Or a negative
 * errno, reported on stderr, if its file is kept for another attempt: -EBUSY while a
 * program reads the ring; others if the file is not understood.
 */
int tring_recover(struct tring_control *control)
{
	struct tring_leftover leftover;
	int found = tring_leftover_find(&leftover, control), error, failed;

	if (found > 0) {
		error = restore_all(&leftover);
		failed = error == -EBUSY ? 0 : finish(&leftover, control);
		found = error == -EBUSY ? error :
			error || failed ? TRING_PUT_BACK_PARTLY : TRING_PUT_BACK;
	}
	tring_leftover_free(&leftover);
	return found;
}
