// SPDX-License-Identifier: GPL-2.0
/*
 * Where the fields of an event lie, from its format file. The kernel's own list of fields is
 * private, and the one that probes are compared with (fields.c) lacks those of dynamic
 * events and of system calls.
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

#include "layout.h"
#include "tracefs/kernel_file.h"

/* Longest path below tracefs' root; a name of an event is shorter than 64 bytes. */
#define PATH_LENGTH	256

static const char data_loc[] = "__data_loc ", rel_loc[] = "__rel_loc ";

/*
 * A line is "<tab>field:TYPE NAME;<tab>offset:N;<tab>size:N;<tab>signed:N;", with spaces in
 * types. Returns false for any other line.
 */
static bool parse_field(const char *line, const char **type, u32 *offset, u32 *size)
{
	const char *numbers;

	while (*line == '\t')
		line++;
	if (strncmp(line, "field:", 6))
		return false;
	*type = line + 6;
	numbers = strstr(line, ";\toffset:");
	return numbers && sscanf(numbers, ";\toffset:%u;\tsize:%u;", offset, size) == 2;
}

static bool begins_with(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

static void add_field(struct tring_layout *layout, const char *type, u32 offset, u32 size)
{
	bool relative = begins_with(type, rel_loc);

	layout->end = max(layout->end, offset + size);
	if (relative || begins_with(type, data_loc)) {
		layout->dynamic[layout->count].offset = offset;
		layout->dynamic[layout->count].from = relative ? offset + size : 0;
		layout->count++;
	}
}

/**
 * tring_layout_parse - find the fields in the text of a format file
 * @format: the text; changed
 *
 * Context: may sleep.
 * Return: the layout, to be freed by kfree(), or an ERR_PTR(): -ENOMEM; -EINVAL if the text
 * has no fields, or one beyond 64 KiB.
 */
struct tring_layout *tring_layout_parse(char *format)
{
	struct tring_layout *layout;
	bool open_ended = false;
	unsigned int lines = 1;
	const char *type;
	u32 offset, size;
	char *line;

	for (line = format; (line = strchr(line, '\n')); line++)
		lines++;
	layout = kzalloc(struct_size(layout, dynamic, lines), GFP_KERNEL);
	if (!layout)
		return ERR_PTR(-ENOMEM);
	while ((line = strsep(&format, "\n"))) {
		if (!parse_field(line, &type, &offset, &size))
			continue;
		if (offset > U16_MAX || size > U16_MAX) {
			kfree(layout);
			return ERR_PTR(-EINVAL);
		}
		layout->hash = jhash(line, strlen(line), layout->hash);
		/* An array without a size extends to the end of the record. */
		open_ended |= !size;
		add_field(layout, type, offset, size);
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
 * tring_layout_read - find the fields of an event of the running kernel
 * @system: system of the event
 * @name: name of the event
 *
 * Context: process, may sleep; takes ftrace's event_mutex.
 * Return: the layout, to be freed by kfree(), or an ERR_PTR() from tring_layout_parse() or
 * tring_kernel_file_read().
 */
struct tring_layout *tring_layout_read(const char *system, const char *name)
{
	struct tring_layout *layout;
	char path[PATH_LENGTH];
	char *format;

	if (snprintf(path, sizeof(path), "events/%s/%s/format", system, name) >= sizeof(path))
		return ERR_PTR(-ENAMETOOLONG);
	format = tring_kernel_file_read(path);
	if (IS_ERR(format))
		return ERR_CAST(format);
	layout = tring_layout_parse(format);
	kvfree(format);
	return layout;
}
