// SPDX-License-Identifier: GPL-2.0
/*
 * Where a recording comes from: machine, user, command line and settings. The ring's
 * trace_info has the names of the machine and of the kernel's release.
 */
#include <ctype.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "origin.h"
#include "settings.h"
#include "tring_version.h"
#include "util/util.h"

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

static bool has_filter(const struct tring_control *control, const char *event)
{
	char *file = tring_format("events/%s/filter", event);
	char *text = tring_control_read_if(control, file);
	bool filter = text && strcmp(text, "none");

	free(text);
	free(file);
	return filter;
}

/* An empty list has no number, and no path. */
static bool has_list(const struct tring_control *control, const char *file)
{
	char *text = tring_control_read_if(control, file);
	bool list = text && ((*text >= '0' && *text <= '9') || *text == '/');

	free(text);
	return list;
}

/* The mask is hexadecimal, with commas. */
static bool has_every_cpu(const struct tring_control *control)
{
	char *text = tring_control_read_if(control, TRING_CPU_MASK), *at;
	size_t cpus = 0;

	if (!text)
		return true;
	for (at = text; *at; at++)
		if (isxdigit((unsigned char)*at))
			cpus += __builtin_popcountl(strtoul((char [2]) { *at }, NULL, 16));
	free(text);
	return cpus >= control->cpu_count;
}

/**
 * tring_origin_is_limit - find out whether a ring's file keeps some tasks or CPUs out
 * @control: the ring
 * @file: a list of tasks or cgroups, or the mask of CPUs
 *
 * Return: true if it does.
 */
bool tring_origin_is_limit(const struct tring_control *control, const char *file)
{
	return strcmp(file, TRING_CPU_MASK) ? has_list(control, file) : !has_every_cpu(control);
}

static void add_word(char **text, const char *word)
{
	tring_extend(text, "%s%s", **text ? " " : "", word);
}

/**
 * tring_origin_left_out - find out what a ring is set to leave out
 * @control: the ring, with the settings of the recording
 * @rules: those of the recording
 *
 * What happened may be missing in the trace, then, though nothing was lost. Of filters, those
 * count that may leave out the begin or the end of a time. A recording that goes on after a pause
 * may leave out any event.
 *
 * Return: words, separated by blanks, to free().
 */
char *tring_origin_left_out(const struct tring_control *control,
			    const struct tring_event_rules *rules)
{
	const bool pauses = tring_event_rules_have_trigger(rules, "traceon");
	static const struct {
		const char *word;
		const char *events[5];
	} filtered[] = {
		{ "sched", { "sched/sched_switch", "sched/sched_waking", "sched/sched_wakeup",
			     "sched/sched_wakeup_new" } },
		{ "raw_syscalls", { "raw_syscalls/sys_enter", "raw_syscalls/sys_exit" } },
		{ "irq", { "irq/irq_handler_entry", "irq/irq_handler_exit", "irq/softirq_entry",
			   "irq/softirq_exit" } },
	};
	char *text = tring_format("%s", "");
	size_t i, j;

	if (has_list(control, "set_event_pid") || has_list(control, "set_event_cgroup"))
		add_word(&text, "tasks");
	if (!has_every_cpu(control))
		add_word(&text, "cpus");
	for (i = 0; i < sizeof(filtered) / sizeof(filtered[0]); i++) {
		/* a task that is not to be recorded is like one that a filter leaves out */
		bool out = pauses || (!i && has_list(control, "set_event_notrace_pid"));

		for (j = 0; filtered[i].events[j] && !out; j++)
			out = has_filter(control, filtered[i].events[j]);
		if (out)
			add_word(&text, filtered[i].word);
	}
	return text;
}

/**
 * tring_origin_text - describe where a recording comes from
 * @control: the ring, with the settings of the recording
 * @rules: those of the recording
 *
 * Return: further lines of key=value for trace_info, to free(); NULL without memory.
 */
char *tring_origin_text(const struct tring_control *control,
			const struct tring_event_rules *rules)
{
	const struct passwd *user = getpwuid(getuid());
	struct utsname names;
	char *text = NULL, *left_out;
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
	left_out = tring_origin_left_out(control, rules);
	if (*left_out)
		fprintf(file, "left_out=%s\n", left_out);
	free(left_out);
	if (fclose(file)) {
		free(text);
		text = NULL;
	}
	return text;
}
