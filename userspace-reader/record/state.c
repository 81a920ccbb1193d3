// SPDX-License-Identifier: GPL-2.0
/*
 * A file that says what a recorder changes, for the case that it is killed, and what tring start
 * has set up, for the commands that come after it. It is written before each change. Lines of a
 * key and a value:
 *
 *	tring-recorder 1	version of this format
 *	boot ID			boot_id of the kernel
 *	ring DEVICE INODE	the ring's directory
 *	process PID (COMMAND)	the recorder
 *	made 1			the recorder has created the instance
 *	dynamic KIND EVENT	a dynamic event that the recorder defines
 *	file NAME		a file of the ring that is changed
 *	old TEXT		what it had before
 *	started UUID		tring start has begun this trace, and what it has set stays
 *	counters CPU TOLD ...	where the next saved trace begins: see started.c
 *
 * Boot and inode tell the ring from one that had its name before: tracefs numbers its
 * inodes upwards, and they go with the module or the instance.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lock.h"
#include "state.h"
#include "util/tree.h"
#include "util/util.h"

#define FORMAT		"tring-recorder 1\n"
#define BOOT_ID		"/proc/sys/kernel/random/boot_id"

/* Return: lines that say which ring of which boot this is, to free(). */
static char *describe_ring(const struct tring_control *control)
{
	char *boot = tring_read_text(BOOT_ID, NULL), *text;
	struct stat info = { 0 };

	if (boot)
		boot[strcspn(boot, "\n")] = 0;
	if (stat(control->dir, &info))
		info.st_ino = 0;
	text = tring_format(FORMAT "boot %s\nring %llu %llu\n", boot ? boot : "unknown",
			    (unsigned long long)info.st_dev,
			    (unsigned long long)info.st_ino);
	free(boot);
	return text;
}

/**
 * tring_state_begin - write down that there is a recorder
 * @state: filled in; to be released with tring_state_end()
 * @control: the ring, whose lock the recorder holds
 * @dynamics: events that it will define
 */
void tring_state_begin(struct tring_state *state, const struct tring_control *control,
		       const struct tring_dynamics *dynamics)
{
	const struct tring_settings none = { 0 };
	char *process;
	size_t i;

	state->path = tring_place_make(control);
	if (!state->path)
		return;
	state->head = describe_ring(control);
	process = tring_lock_process(getpid());
	tring_extend(&state->head, "process %s\nmade %d\n", process ? process : "unknown",
		     control->made);
	free(process);
	for (i = 0; i < dynamics->count; i++)
		tring_extend(&state->head, "dynamic %s %s\n", dynamics->list[i].kind,
			     dynamics->list[i].event);
	tring_state_write(state, &none);
}

/**
 * tring_state_line - make one line of what a file with a list shows
 * @text: the text, which is changed; tring_control_try() takes it
 * @file: name relative to the ring's directory
 */
void tring_state_line(char *text, const char *file)
{
	/* the words of a list are one a line, and cgroups, whose names may have blanks */
	const char between = strcmp(file, "set_event_cgroup") ? ' ' : '\t';
	char *at;

	while ((at = strchr(text, '\n')))
		*at = between;
}

/**
 * tring_state_write - write down what the recorder changes
 * @state: the recorder's file
 * @settings: the changes
 *
 * Return: 0, also without a file; or a negative errno, reported on stderr.
 */
int tring_state_write(const struct tring_state *state, const struct tring_settings *settings)
{
	char *text, *old;
	size_t i;
	int error;

	if (!state || !state->path)
		return 0;
	text = tring_format("%s", state->head);
	for (i = 0; i < settings->count; i++) {
		old = tring_format("%s", settings->changed[i].old);
		tring_state_line(old, settings->changed[i].file);
		tring_extend(&text, "file %s\nold %s\n", settings->changed[i].file, old);
		free(old);
	}
	if (state->tail)
		tring_extend(&text, "%s", state->tail);
	error = tring_tree_write(state->path, text, strlen(text));
	free(text);
	return error;
}

/**
 * tring_state_end - remove the file
 * @state: the recorder's file, may be zeroed
 * @restored: all is as it was before the recording; else the file stays
 */
void tring_state_end(struct tring_state *state, bool restored)
{
	if (state->path && restored)
		tring_tree_remove(state->path);
	free(state->path);
	free(state->head);
	free(state->tail);
	memset(state, 0, sizeof(*state));
}

static char *take(char **to, const char *value)
{
	free(*to);
	*to = tring_format("%s", value);
	return *to;
}

/* The name of a file must not lead out of the ring's directory. */
static bool is_inside(const char *file)
{
	return *file && *file != '/' && !strstr(file, "..");
}

static bool parse_line(struct tring_leftover *leftover, const char *key, char *value)
{
	struct tring_settings *settings = &leftover->settings;

	if (!strcmp(key, "process"))
		return take(&leftover->process, value);
	if (!strcmp(key, "made")) {
		leftover->made = !strcmp(value, "1");
		return true;
	}
	if (!strcmp(key, "dynamic"))
		return tring_dynamics_add_left(&leftover->dynamics, value);
	if (!strcmp(key, "started"))
		return take(&leftover->started, value);
	if (!strcmp(key, "counters"))
		return tring_started_parse(leftover, value);
	if (!strcmp(key, "file"))
		return is_inside(value) &&
		       !tring_settings_add(settings, value, tring_format("%s", ""));
	if (settings->count && !strcmp(key, "old"))
		return take(&settings->changed[settings->count - 1].old, value);
	/* of a tring that was older */
	return !strcmp(key, "now");
}

static bool parse(struct tring_leftover *leftover, char *text)
{
	char *rest = text, *line;

	while ((line = strsep(&rest, "\n"))) {
		char *value = strchr(line, ' ');

		if (!*line)
			continue;
		if (!value)
			return false;
		*value++ = 0;
		if (!parse_line(leftover, line, value))
			return false;
	}
	return leftover->process;
}

static int read_file(struct tring_leftover *leftover, const struct tring_control *control)
{
	char *ring = describe_ring(control), *text = tring_tree_read(leftover->path);
	size_t size = strlen(ring);
	int found = 1;

	if (!text) {
		found = -errno;
		tring_error("%s: %s", leftover->path, strerror(errno));
	} else if (strncmp(text, FORMAT, strlen(FORMAT))) {
		found = -EINVAL;
	} else if (strncmp(text, ring, size)) {
		tring_detail("%s: of another boot or of a ring that is gone, ignored",
			     leftover->path);
		found = 0;
	} else if (!parse(leftover, text + size)) {
		found = -EINVAL;
	}
	if (found == -EINVAL)
		tring_error("%s: not understood; remove it after a look at the ring's settings",
			    leftover->path);
	free(text);
	free(ring);
	return found;
}

/**
 * tring_leftover_find - read the file of tring start, or of a recorder that was killed
 * @leftover: filled in; to be freed in any case
 * @control: the ring, whose lock the caller holds
 *
 * Return: 1; 0 if there is none, but of another boot or of a ring that is gone; or a negative
 * errno, reported on stderr.
 */
int tring_leftover_find(struct tring_leftover *leftover, const struct tring_control *control)
{
	size_t number = 0;
	int found = 0;

	memset(leftover, 0, sizeof(*leftover));
	tring_settings_init(&leftover->settings, control);
	do {
		free(leftover->path);
		leftover->path = tring_place_find(control, &number);
		if (leftover->path)
			found = read_file(leftover, control);
	} while (!found && leftover->path);
	return found;
}

/**
 * tring_leftover_free - free what tring_leftover_find() has read
 * @leftover: the leftover, may be zeroed
 */
void tring_leftover_free(struct tring_leftover *leftover)
{
	tring_settings_free(&leftover->settings);
	tring_dynamics_free(&leftover->dynamics);
	free(leftover->path);
	free(leftover->process);
	free(leftover->started);
	free(leftover->cpus);
	memset(leftover, 0, sizeof(*leftover));
}
