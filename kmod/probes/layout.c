// SPDX-License-Identifier: GPL-2.0
/*
 * Where the fields of an event lie, from its format file.
 *
 * A record ends with the last field and the last dynamic data. perf hands out up to seven
 * bytes more, which a CTF reader would take for the next record.
 */
#include <linux/err.h>
#include <linux/jhash.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "format_field.h"
#include "layout.h"
#include "kernel_file.h"

/* Longest path below tracefs' root; a name of an event is shorter than 64 bytes. */
#define PATH_LENGTH	256

static void add_field(struct tring_layout *layout, const struct tring_field *field)
{
	layout->end = max(layout->end, field->offset + field->size);
	if (field->is_located) {
		layout->dynamic[layout->count].offset = field->offset;
		layout->dynamic[layout->count].from = field->from;
		layout->count++;
	}
}

/**
 * tring_layout_parse - find the fields in the text of a format file
 * @format: the text
 *
 * Context: may sleep.
 * Return: the layout, to be freed by kfree(), or an ERR_PTR(): -ENOMEM; -EINVAL if the text
 * has no fields, or one beyond 64 KiB.
 */
struct tring_layout *tring_layout_parse(const char *format)
{
	struct tring_layout *layout;
	struct tring_field field;
	const char *line, *name;
	bool open_ended = false;
	unsigned int lines = 0;
	size_t length;

	for (line = format; line; line = tring_next_line(line))
		lines++;
	layout = kzalloc(struct_size(layout, dynamic, lines), GFP_KERNEL);
	if (!layout)
		return ERR_PTR(-ENOMEM);
	for (line = format; line; line = tring_next_line(line)) {
		if (!tring_field_parse(line, &field, &name, &length))
			continue;
		if (field.offset > U16_MAX || field.size > U16_MAX) {
			kfree(layout);
			return ERR_PTR(-EINVAL);
		}
		layout->hash = jhash(line, strcspn(line, "\n"), layout->hash);
		/* An array without a size extends to the end of the record. */
		open_ended |= !field.size;
		add_field(layout, &field);
	}
	if (!layout->end) {
		kfree(layout);
		return ERR_PTR(-EINVAL);
	}
	if (open_ended)
		layout->end = 0;
	return layout;
}

/**
 * tring_layout_id - find the id of an event in the text of its format file
 * @format: the text
 *
 * Return: the id, greater than 0, or -EIO if there is none.
 */
int tring_layout_id(const char *format)
{
	const char *line = strstr(format, "\nID: ");
	u16 id;

	return line && sscanf(line, "\nID: %hu\n", &id) == 1 && id ? id : -EIO;
}

/**
 * tring_format_read - read the format file of an event of the running kernel
 * @system: system of the event
 * @name: name of the event
 *
 * Context: process, may sleep; takes inode locks of tracefs, then ftrace's event_mutex.
 * Return: the text, to be freed by kvfree(), or an ERR_PTR() from tring_kernel_file_read();
 * -ENODEV if there is no such event.
 */
char *tring_format_read(const char *system, const char *name)
{
	char path[PATH_LENGTH];
	char *format;

	if (snprintf(path, sizeof(path), "events/%s/%s/format", system, name) >= sizeof(path))
		return ERR_PTR(-ENAMETOOLONG);
	format = tring_kernel_file_read(path);
	return format == ERR_PTR(-ENOENT) ? ERR_PTR(-ENODEV) : format;
}

/**
 * tring_layout_read - find the fields of an event of the running kernel
 * @system: system of the event
 * @name: name of the event
 *
 * Context: as for tring_format_read().
 * Return: the layout, to be freed by kfree(), or an ERR_PTR() from tring_layout_parse() or
 * tring_format_read().
 */
struct tring_layout *tring_layout_read(const char *system, const char *name)
{
	char *format = tring_format_read(system, name);
	struct tring_layout *layout;

	if (IS_ERR(format))
		return ERR_CAST(format);
	layout = tring_layout_parse(format);
	kvfree(format);
	return layout;
}
