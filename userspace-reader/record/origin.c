// SPDX-License-Identifier: GPL-2.0
/*
 * Where a recording comes from: machine, user, command line and settings. The ring's
 * trace_info has the names of the machine and of the kernel's release.
 */
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "origin.h"
#include "settings.h"
#include "tring_version.h"
#include "util.h"

/* Characters of an argument that means the same to a shell without quotes. */
#define PLAIN	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%"

/* A value is one line, so other characters than printable ones are shown as '?'. */
static void write_argument(FILE *file, const char *argument)
{
	bool is_plain = *argument && !argument[strspn(argument, PLAIN)];

	if (!is_plain)
		fputc('\'', file);
	for (; *argument; argument++) {
		if (*argument == '\'')
			fputs("'\\''", file);
		else
			fputc((unsigned char)*argument < ' ' ? '?' : *argument, file);
	}
	if (!is_plain)
		fputc('\'', file);
}

static void write_command_line(FILE *file)
{
	size_t size = 0, at;
	char *text = tring_read_text("/proc/self/cmdline", &size);

	fputs("command_line=", file);
	for (at = 0; text && at < size; at += strlen(text + at) + 1) {
		if (at)
			fputc(' ', file);
		write_argument(file, text + at);
	}
	fputc('\n', file);
	free(text);
}

/* Clocks of one boot can be compared, whatever has happened to the wall clock. */
static void write_boot_id(FILE *file)
{
	char *text = tring_read_text("/proc/sys/kernel/random/boot_id", NULL);

	if (text)
		fprintf(file, "boot_id=%.*s\n", (int)strcspn(text, "\n"), text);
	free(text);
}

static void write_setting(FILE *file, const struct tring_control *control,
			  const char *name, const char *from)
{
	char *text = tring_settings_read(control, from);

	if (text)
		fprintf(file, "%s=%.*s\n", name, (int)strcspn(text, "\n"), text);
	free(text);
}

/**
 * tring_origin_text - describe where a recording comes from
 * @control: the ring, with the settings of the recording
 *
 * Return: further lines of key=value for trace_info, to free(); NULL without memory.
 */
char *tring_origin_text(const struct tring_control *control)
{
	const struct passwd *user = getpwuid(getuid());
	struct utsname names;
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);

	if (!file)
		return NULL;
	if (!uname(&names))
		fprintf(file, "kernel_version=%s\narchitecture=%s\n", names.version,
			names.machine);
	if (user)
		fprintf(file, "user=%s\n", user->pw_name);
	else
		fprintf(file, "user=%u\n", getuid());
	fprintf(file, "tring_version=%s\n", TRING_VERSION);
	write_boot_id(file);
	write_command_line(file);
	write_setting(file, control, "buffer_size_kb", "buffer_size_kb");
	write_setting(file, control, "overwrite", "options/overwrite");
	if (fclose(file)) {
		free(text);
		text = NULL;
	}
	return text;
}
