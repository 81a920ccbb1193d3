// SPDX-License-Identifier: GPL-2.0
/*
 * Changes to the ring's control files, which are undone in reverse order in any
 * case.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "settings.h"
#include "util.h"

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

/*
 * Reduce what a file shows to what it accepts: trace_clock has the clock in use in
 * brackets among the others, and sizes may have a remark.
 */
static void make_writable(char *text, const char *file)
{
	char *open = strchr(text, '['), *close = strchr(text, ']');

	if (!strcmp(file, "trace_clock") && open && close && open < close) {
		*close = 0;
		memmove(text, open + 1, close - open);
	} else if (!strcmp(file, "buffer_size_kb")) {
		text[strspn(text, "0123456789")] = 0;
	}
}

static int remember(struct tring_settings *settings, const char *file, char *old)
{
	struct tring_setting *larger;

	larger = reallocarray(settings->changed, settings->count + 1,
			      sizeof(*larger));
	if (!larger) {
		tring_error("out of memory");
		free(old);
		return -ENOMEM;
	}
	settings->changed = larger;
	larger[settings->count].file = tring_format("%s", file);
	larger[settings->count++].old = old;
	return 0;
}

/* Sizes that differ between the CPUs are restored CPU by CPU. */
static int remember_each_cpu(struct tring_settings *settings, const char *file)
{
	const struct tring_control *control = settings->control;
	int error = 0;
	size_t i;

	for (i = 0; i < control->cpu_count && !error; i++) {
		char *name = tring_format("per_cpu/cpu%d/%s", control->cpus[i],
					  file);
		char *old = tring_control_read(control, name);

		error = old ? remember(settings, name, old) : -EIO;
		free(name);
	}
	return error;
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
	char *old;
	int error;

	old = tring_control_read(settings->control, file);
	if (!old)
		return -EIO;
	make_writable(old, file);
	if (!strcmp(old, text)) {
		free(old);
		return 0;
	}
	/* remembered first, because a write that fails may have changed something */
	if (!*old && !strcmp(file, "buffer_size_kb")) {
		free(old);
		error = remember_each_cpu(settings, file);
	} else {
		error = remember(settings, file, old);
	}
	if (error)
		return error;
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

/**
 * tring_settings_restore - undo all changes
 * @settings: the list of changes, empty afterwards
 *
 * Return: 0, or the first negative errno; all changes are tried.
 */
int tring_settings_restore(struct tring_settings *settings)
{
	int error = 0, failed;

	while (settings->count) {
		struct tring_setting *last;

		last = &settings->changed[--settings->count];
		tring_detail("%s/%s: \"%s\" again", settings->control->dir,
			     last->file, last->old);
		failed = tring_control_write(settings->control, last->file,
					     last->old);
		if (!error)
			error = failed;
		free(last->file);
		free(last->old);
	}
	free(settings->changed);
	settings->changed = NULL;
	return error;
}
