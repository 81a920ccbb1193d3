/* SPDX-License-Identifier: GPL-2.0 */
/* Changes to the ring's control files that are undone at the end. */
#ifndef TRING_SETTINGS_H
#define TRING_SETTINGS_H

#include "tracefs/control.h"

/**
 * struct tring_setting - one change
 * @file: name relative to the ring's directory
 * @old: text that the file had before
 */
struct tring_setting {
	char		*file;
	char		*old;
};

struct tring_state;

/**
 * struct tring_settings - list of changes
 * @control: the ring
 * @state: file in which the changes are written down, may be NULL
 * @changed: the changes, in their order
 * @count: number of changes
 */
struct tring_settings {
	const struct tring_control *control;
	const struct tring_state *state;
	struct tring_setting *changed;
	size_t		count;
};

void tring_settings_init(struct tring_settings *settings,
			 const struct tring_control *control);
bool tring_filter_is_refused(const char *text);
char *tring_settings_read(const struct tring_control *control, const char *file);
int tring_settings_add(struct tring_settings *settings, const char *file, char *old);
bool tring_settings_have(const struct tring_settings *settings, const char *file);
void tring_settings_free(struct tring_settings *settings);
int tring_settings_try(struct tring_settings *settings, const char *file,
		       const char *text);
int tring_settings_change(struct tring_settings *settings, const char *file,
			  const char *text);
int tring_settings_set_line(struct tring_settings *settings, const char *file, const char *line);
int tring_settings_restore(struct tring_settings *settings, size_t count, char **files);

#endif /* TRING_SETTINGS_H */
