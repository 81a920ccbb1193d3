// SPDX-License-Identifier: GPL-2.0
/*
 * Changes to the ring's control files, which are undone in reverse order in any
 * case. state.c writes them down for the case that the recorder is killed.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "settings.h"
#include "state.h"
#include "util/util.h"

/**
 * tring_settings_init - prepare to change settings
 * @settings: the list of changes
 * @control: the ring; must outlive @settings
 */
void tring_settings_init(struct tring_settings *settings,
			 const struct tring_control *control)
{
	memset(settings, 0, sizeof(*settings));
	settings->control = control;
}

/* Sizes may have a remark. */
static bool is_size(const char *file)
{
	const char *name = strrchr(file, '/');

	return !strcmp(name ? name + 1 : file, "buffer_size_kb");
}

static bool is_filter(const char *file)
{
	const char *name = strrchr(file, '/');

	return name && !strcmp(name, "/filter");
}

/**
 * tring_filter_is_refused - find out whether a filter is one that the kernel has refused
 * @text: what the file of an event's filter shows
 *
 * Return: true if the kernel says there what is wrong.
 */
bool tring_filter_is_refused(const char *text)
{
	return strstr(text, "\nparse_error: ") || strstr(text, "\nError: (");
}

/*
 * Reduce what a file shows to what it accepts: trace_clock has the clock in use in
 * brackets among the others, an empty list of functions a remark, and a filter that the
 * kernel has refused what is wrong with it, on further lines.
 */
static void make_writable(char *text, const char *file)
{
	const char *name = strrchr(file, '/');
	char *open = strchr(text, '['), *close = strchr(text, ']');

	if (!strcmp(file, "trace_clock") && open && close && open < close) {
		*close = 0;
		memmove(text, open + 1, close - open);
	} else if (tring_control_is_function_list(file) && *text == '#') {
		*text = 0;
	} else if (name && !strcmp(name, "/trigger")) {
		/* each write is a line of its own; see tring_settings_set_line() */
		*text = 0;
	} else if (is_filter(file) && (!strcmp(text, "none") || tring_filter_is_refused(text))) {
		memcpy(text, "0", sizeof("0"));
	} else if (is_size(file)) {
		text[strspn(text, "0123456789")] = 0;
	}
}

/**
 * tring_settings_read - read a control file
 * @control: the ring
 * @file: name relative to the ring's directory
 *
 * Return: text that the file accepts, to free(); NULL after an error, reported on stderr.
 */
char *tring_settings_read(const struct tring_control *control, const char *file)
{
	char *text = tring_control_read(control, file);

	if (text)
		make_writable(text, file);
	return text;
}

/**
 * tring_settings_add - add a change to the list
 * @settings: the list of changes
 * @file: name relative to the ring's directory
 * @old: text that the file had before, NULL if it could not be read; the list takes it over
 *
 * Return: 0, or -EIO without @old.
 */
int tring_settings_add(struct tring_settings *settings, const char *file, char *old)
{
	if (!old)
		return -EIO;
	settings->changed = tring_one_more(settings->changed, settings->count,
					   sizeof(*settings->changed));
	settings->changed[settings->count++] = (struct tring_setting) {
		.file = tring_format("%s", file), .old = old,
	};
	return 0;
}

/* Sizes that differ between the CPUs are restored CPU by CPU. */
static int add_each_cpu(struct tring_settings *settings, const char *file)
{
	const struct tring_control *control = settings->control;
	int error = 0;
	size_t i;

	for (i = 0; i < control->cpu_count && !error; i++) {
		char *name = tring_format("per_cpu/cpu%d/%s", control->cpus[i],
					  file);

		error = tring_settings_add(settings, name, tring_settings_read(control, name));
		free(name);
	}
	return error;
}

/**
 * tring_settings_have - find out whether a file is changed
 * @settings: the list of changes
 * @file: name relative to the ring's directory
 *
 * Return: true if it is in the list.
 */
bool tring_settings_have(const struct tring_settings *settings, const char *file)
{
	size_t i;

	for (i = 0; i < settings->count; i++)
		if (!strcmp(settings->changed[i].file, file))
			return true;
	return false;
}

/* A file that is changed once more has its first text back at the end. */
static int remember(struct tring_settings *settings, const char *file, char *old)
{
	bool known = tring_settings_have(settings, file);

	if (!known && (*old || !is_size(file)))
		return tring_settings_add(settings, file, old);
	free(old);
	return known ? 0 : add_each_cpu(settings, file);
}

/**
 * tring_settings_try - write a control file and remember what it was
 * @settings: the list of changes
 * @file: name relative to the ring's directory
 * @text: text to write; nothing is written if the file has it already
 *
 * Return: 0, or a negative errno, which the caller reports on stderr.
 */
int tring_settings_try(struct tring_settings *settings, const char *file,
		       const char *text)
{
	char *old = tring_settings_read(settings->control, file);
	int error;

	if (!old)
		return -EIO;
	if (!strcmp(old, text)) {
		free(old);
		return 0;
	}
	/* remembered first, because a write that fails may have changed something */
	error = remember(settings, file, old);
	if (error)
		return error;
	tring_state_write(settings->state, settings);
	tring_detail("%s/%s: \"%s\"", settings->control->dir, file, text);
	return tring_control_try(settings->control, file, text);
}

/**
 * tring_settings_change - write a control file and remember what it was
 * @settings: the list of changes
 * @file: name relative to the ring's directory
 * @text: text to write; nothing is written if the file has it already
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_settings_change(struct tring_settings *settings, const char *file,
			  const char *text)
{
	int error = tring_settings_try(settings, file, text);

	return tring_control_report(settings->control, file, text, error);
}

static void forget_last(struct tring_settings *settings)
{
	struct tring_setting *last = &settings->changed[--settings->count];

	free(last->file);
	free(last->old);
}

/**
 * tring_settings_set_line - write a line that "!" and the line remove again
 * @settings: the list of changes
 * @file: name relative to the ring's directory
 * @line: the line
 *
 * Return: 0, or a negative errno, which the caller reports on stderr.
 */
int tring_settings_set_line(struct tring_settings *settings, const char *file, const char *line)
{
	int error = tring_settings_add(settings, file, tring_format("!%s", line));

	if (error)
		return error;
	tring_state_write(settings->state, settings);
	tring_detail("%s/%s: \"%s\"", settings->control->dir, file, line);
	error = tring_control_try(settings->control, file, line);
	if (error) {
		/* the line that it would remove may be another one's */
		forget_last(settings);
		tring_state_write(settings->state, settings);
	}
	return error;
}

/**
 * tring_settings_free - forget all changes
 * @settings: the list of changes, empty afterwards
 */
void tring_settings_free(struct tring_settings *settings)
{
	while (settings->count)
		forget_last(settings);
	free(settings->changed);
	settings->changed = NULL;
}

/* Return: whether a file has the text that it had before a change. */
static bool has_old(const struct tring_control *control, const struct tring_setting *setting)
{
	char *text = tring_control_read_if(control, setting->file);
	bool has = false;

	if (text) {
		make_writable(text, setting->file);
		tring_state_line(text, setting->file);
		has = !strcmp(text, setting->old);
	}
	free(text);
	return has;
}

/**
 * tring_settings_restore - undo the last changes
 * @settings: the list of changes
 * @count: number of changes that stay
 * @files: the names of the files that get another text are added; only these are written. NULL to
 *	write all
 *
 * Return: 0, or a negative errno, reported on stderr: -EBUSY before any other one, because it may
 * succeed later; all changes are tried.
 */
int tring_settings_restore(struct tring_settings *settings, size_t count, char **files)
{
	int error = 0, failed;

	for (; settings->count > count; forget_last(settings)) {
		const struct tring_setting *setting = &settings->changed[settings->count - 1];

		if (files && has_old(settings->control, setting))
			continue;
		tring_detail("%s/%s: \"%s\" again", settings->control->dir,
			     setting->file, setting->old);
		failed = tring_control_write(settings->control, setting->file,
					     setting->old);
		if (failed && error != -EBUSY)
			error = failed;
		if (files && !failed)
			tring_extend(files, "%s%s", *files ? ", " : "", setting->file);
	}
	return error;
}
