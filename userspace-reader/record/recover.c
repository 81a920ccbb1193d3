// SPDX-License-Identifier: GPL-2.0
/*
 * Undoes what a recorder has changed that was killed, and what tring start has set up.
 *
 * A file of the ring gets its old text back if it still has what the recorder has set.
 * Otherwise a user has changed it since, and it stays as it is. Events may have been
 * enabled in addition; then only the recorder's are taken back. Pids change by themselves
 * while children are followed, and tring stop and triggers switch what was started; then
 * they are put back in any case.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "recover.h"
#include "state.h"
#include "state_place.h"
#include "util/tree.h"
#include "util/util.h"

/**
 * struct outcome - what became of the changes
 * @restored: names of the files that were restored, NULL for none
 * @kept: names of the files that were changed since, NULL for none
 */
struct outcome {
	char		*restored;
	char		*kept;
};

static void add_name(char **names, const char *name)
{
	char *longer = *names ? tring_format("%s, %s", *names, name) :
				tring_format("%s", name);

	free(*names);
	*names = longer;
}

static bool has_word(const char *text, const char *word)
{
	size_t size = strlen(word);
	const char *at = text;

	while ((at = strstr(at, word))) {
		if ((at == text || at[-1] == ' ') && (!at[size] || at[size] == ' '))
			return true;
		at += size;
	}
	return false;
}

/*
 * Call @take for each word of @all that is not in @but. Return: 0, or the first value
 * that is not 0.
 */
static int walk_others(const char *all, const char *but,
		       int (*take)(const char *word, void *data), void *data)
{
	char *copy = tring_format("%s", all), *rest = copy, *word;
	int stop = 0;

	while (!stop && (word = strsep(&rest, " ")))
		if (*word && !has_word(but, word))
			stop = take(word, data);
	free(copy);
	return stop;
}

static int is_missing(const char *word, void *data)
{
	return !has_word(data, word);
}

/**
 * struct word_list - words for set_event
 * @words: the words so far, with a space before each
 * @mark: what set_event wants before the next ones: "!" disables an event
 */
struct word_list {
	char		*words;
	const char	*mark;
};

static int add_word(const char *word, void *data)
{
	struct word_list *list = data;
	char *longer = tring_format("%s %s%s", list->words, list->mark, word);

	free(list->words);
	list->words = longer;
	return 0;
}

/*
 * Take the recorder's events back, if all that it has left are still enabled, and enable
 * those that it has disabled. Return: 1; 0 if a user has set others; or a negative errno.
 */
static int restore_events(const struct tring_control *control,
			  const struct tring_setting *setting, const char *current)
{
	struct word_list list = { .mark = "!" };
	int error;

	if (walk_others(setting->now, "", is_missing, (void *)current))
		return 0;
	list.words = tring_format("%s", "");
	walk_others(setting->now, setting->old, add_word, &list);
	list.mark = "";
	walk_others(setting->old, setting->now, add_word, &list);
	error = tring_control_add_events(control, list.words);
	tring_control_report(control, setting->file, list.words, error);
	free(list.words);
	return error ? error : 1;
}

static bool is_list_of_pids(const char *file)
{
	return !strcmp(file, "set_event_pid") || !strcmp(file, "set_event_notrace_pid");
}

/* Did or do forks change this file, or does what was started change it? */
static bool changes_by_itself(const struct tring_leftover *leftover, const char *file)
{
	static const char option[] = "options/event-fork";
	const struct tring_settings *settings = &leftover->settings;
	bool follows = false;
	char *text;
	size_t i;

	if (leftover->started && !strcmp(file, "tracing_on"))
		return true;
	if (!is_list_of_pids(file))
		return false;
	for (i = 0; i < settings->count; i++)
		follows |= !strcmp(settings->changed[i].file, option);
	text = tring_control_read(settings->control, option);
	follows |= text && !strcmp(text, "1");
	free(text);
	return follows;
}

static int restore(const struct tring_leftover *leftover,
		   const struct tring_setting *setting, struct outcome *outcome)
{
	const struct tring_control *control = leftover->settings.control;
	char *current = tring_settings_read(control, setting->file), *at;
	int done = 0;

	if (!current)
		return -EIO;
	/* lists have one word a line */
	while ((at = strchr(current, '\n')))
		*at = ' ';
	if (!strcmp(current, setting->old)) {
		free(current);
		return 0;
	}
	if (!setting->now || !strcmp(current, setting->now) ||
	    changes_by_itself(leftover, setting->file)) {
		done = tring_control_write(control, setting->file, setting->old);
		if (!done)
			done = 1;
	} else if (!strcmp(setting->file, "set_event")) {
		done = restore_events(control, setting, current);
	}
	if (done >= 0)
		add_name(done ? &outcome->restored : &outcome->kept, setting->file);
	free(current);
	return done < 0 ? done : 0;
}

static void report(const struct tring_leftover *leftover, const struct outcome *outcome)
{
	char *kept = outcome->kept ? tring_format("; changed since and left alone: %s",
						  outcome->kept) : tring_format("%s", "");
	const char *restored = outcome->restored ? outcome->restored : "nothing";

	if (leftover->started)
		tring_note("what process %s has set up is undone; put back: %s%s",
			   leftover->process, restored, kept);
	else
		tring_error("process %s has ended without undoing its changes; put back: %s%s",
			    leftover->process, restored, kept);
	free(kept);
}

/*
 * In the reverse order of the changes. All are tried. Return: 0, or a negative errno:
 * -EBUSY before any other one, because it may succeed later.
 */
static int restore_all(const struct tring_leftover *leftover)
{
	const struct tring_settings *settings = &leftover->settings;
	struct outcome outcome = { 0 };
	int error = 0, failed;
	size_t i;

	for (i = settings->count; i; i--) {
		failed = restore(leftover, &settings->changed[i - 1], &outcome);
		if (failed && error != -EBUSY)
			error = failed;
	}
	if (outcome.restored || outcome.kept)
		report(leftover, &outcome);
	free(outcome.restored);
	free(outcome.kept);
	return error;
}

static int recover_from(struct tring_control *control, const char *path)
{
	struct tring_leftover leftover;
	int found = tring_leftover_read(&leftover, path, control), error = 0, failed;
	size_t i;

	if (found > 0)
		error = restore_all(&leftover);
	if (found > 0 && error != -EBUSY) {
		for (i = 0; i < leftover.dynamics.defined && !leftover.started; i++)
			tring_error("removing the event %s, which it had defined",
				    leftover.dynamics.list[i].event);
		failed = tring_dynamics_remove(&leftover.dynamics, control);
		if (failed)
			error = failed;
	}
	if (found > 0 && error != -EBUSY) {
		control->made |= leftover.made;
		failed = tring_tree_remove(path);
		if (failed)
			tring_error("%s: %s", path, strerror(-failed));
		error = failed ? failed : error;
	}
	tring_leftover_free(&leftover);
	if (error == -EBUSY)
		return error;
	return error ? TRING_PUT_BACK_PARTLY : found;
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
	int found = 0, ret;
	size_t number;

	for (number = 0; number < tring_place_count(); number++) {
		char *path = tring_place_find(control, number);

		ret = path ? recover_from(control, path) : 0;
		free(path);
		if (ret < 0)
			return ret;
		if (found < ret)
			found = ret;
	}
	return found;
}
