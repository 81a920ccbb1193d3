// SPDX-License-Identifier: GPL-2.0
/*
 * A file that says what a recorder changes, for the case that it is killed. It is written
 * before each change, and again after it. Lines of a key and a value:
 *
 *	tring-recorder 1	version of this format
 *	boot ID			boot_id of the kernel
 *	ring DEVICE INODE	the ring's directory
 *	process PID (COMMAND)	the recorder
 *	made 1			the recorder has created the instance
 *	dynamic KIND EVENT	a dynamic event that the recorder defines
 *	started UUID		tring start has begun this trace, and what it has set stays
 *	counters CPU TOLD ...	where the next saved trace begins: see started.c
 *	file NAME		a file of the ring that is changed
 *	old TEXT		what it had before
 *	now TEXT		what the recorder has set; missing while it does that
 *
 * Boot and inode tell the ring from one that had its name before: tracefs numbers its
 * inodes upwards, and they go with the module or the instance.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lock.h"
#include "state.h"
#include "state_place.h"
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
	char *process, *ring;
	size_t i;

	state->path = tring_place_make(control);
	if (!state->path)
		return;
	ring = describe_ring(control);
	process = tring_lock_process("self");
	state->head = tring_format("%sprocess %s\nmade %d\n", ring,
				   process ? process : "unknown", control->made);
	free(process);
	free(ring);
	for (i = 0; i < dynamics->count; i++) {
		char *line = tring_format("dynamic %s %s\n", dynamics->list[i].kind,
					  dynamics->list[i].event);

		tring_state_add(state, line);
		free(line);
	}
	tring_state_write(state, &none);
}

/**
 * tring_state_add - add lines, which are written with the next change
 * @state: the recorder's file
 * @lines: whole lines
 */
void tring_state_add(struct tring_state *state, const char *lines)
{
	char *longer = tring_format("%s%s", state->head, lines);

	free(state->head);
	state->head = longer;
}

static void write_value(FILE *file, const char *key, const char *value)
{
	fprintf(file, "%s ", key);
	/* the words of a list are one a line */
	for (; *value; value++)
		fputc(*value == '\n' ? ' ' : *value, file);
	fputc('\n', file);
}

/**
 * tring_state_write - write down what the recorder changes
 * @state: the recorder's file
 * @settings: the changes
 *
 * An error is reported on stderr.
 */
void tring_state_write(const struct tring_state *state,
		       const struct tring_settings *settings)
{
	char *text = NULL;
	size_t size = 0, i;
	FILE *file;

	if (!state || !state->path)
		return;
	file = open_memstream(&text, &size);
	if (!file)
		return;
	fputs(state->head, file);
	for (i = 0; i < settings->count; i++) {
		write_value(file, "file", settings->changed[i].file);
		write_value(file, "old", settings->changed[i].old);
		if (settings->changed[i].now)
			write_value(file, "now", settings->changed[i].now);
	}
	if (!fclose(file))
		tring_tree_write(state->path, text, size);
	free(text);
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
	memset(state, 0, sizeof(*state));
}

static char *take(char **to, const char *value)
{
	free(*to);
	*to = tring_format("%s", value);
	return *to;
}

static char *add_line(char **to, const char *value)
{
	char *longer = tring_format("%s%s\n", *to ? *to : "", value);

	free(*to);
	*to = longer;
	return *to;
}

/* The name of a file must not lead out of the ring's directory. */
static bool is_inside(const char *file)
{
	return *file && *file != '/' && !strstr(file, "..");
}

static bool parse_line(struct tring_leftover *leftover, const char *key,
		       const char *value)
{
	struct tring_settings *settings = &leftover->settings;
	struct tring_setting *last = settings->count ?
				     &settings->changed[settings->count - 1] : NULL;

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
		return add_line(&leftover->counters, value);
	if (!strcmp(key, "file"))
		return is_inside(value) &&
		       !tring_settings_add(settings, value, tring_format("%s", ""));
	if (last && !strcmp(key, "old"))
		return take(&last->old, value);
	if (last && !strcmp(key, "now"))
		return take(&last->now, value);
	return false;
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

/**
 * tring_leftover_read - read the file of a recorder that was killed
 * @leftover: filled in; to be freed in any case
 * @path: the file
 * @control: the ring, whose lock the caller holds
 *
 * Return: 1 if the recorder has used this ring; 0 if the file is of another boot or of a
 * ring that is gone; or a negative errno, reported on stderr.
 */
int tring_leftover_read(struct tring_leftover *leftover, const char *path,
			const struct tring_control *control)
{
	char *ring = describe_ring(control), *text = tring_read_text(path, NULL);
	size_t size = strlen(ring);
	int found = 1;

	memset(leftover, 0, sizeof(*leftover));
	tring_settings_init(&leftover->settings, control);
	if (!text) {
		found = -errno;
		tring_error("%s: %s", path, strerror(errno));
	} else if (strncmp(text, FORMAT, strlen(FORMAT))) {
		found = -EINVAL;
	} else if (strncmp(text, ring, size)) {
		tring_detail("%s: of another boot or of a ring that is gone, ignored", path);
		found = 0;
	} else if (!parse(leftover, text + size)) {
		found = -EINVAL;
	}
	if (found == -EINVAL)
		tring_error("%s: not understood; remove it after a look at the ring's settings",
			    path);
	free(text);
	free(ring);
	return found;
}

/**
 * tring_leftover_free - free what tring_leftover_read() has read
 * @leftover: the leftover
 */
void tring_leftover_free(struct tring_leftover *leftover)
{
	tring_settings_free(&leftover->settings);
	tring_dynamics_free(&leftover->dynamics);
	free(leftover->process);
	free(leftover->started);
	free(leftover->counters);
	leftover->process = NULL;
	leftover->started = NULL;
	leftover->counters = NULL;
}
