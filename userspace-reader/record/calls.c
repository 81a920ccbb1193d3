// SPDX-License-Identifier: GPL-2.0
/*
 * Calls of functions in a recording. The lists come before the tracer, so that no other
 * functions are recorded first; for the same reason they are put back after it.
 *
 * The kernel's set_graph_function takes names only, so globs are expanded here.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "recording.h"
#include "util/util.h"

/* Find the word that the kernel refuses. Its list is as it was. */
static void report_word(const struct tring_recording *recording, const char *file,
			const char *option, const char *patterns)
{
	char *copy = tring_format("%s", patterns), *rest = copy, *word;

	while ((word = strsep(&rest, "\n")))
		if (tring_control_try(&recording->control, file, word) == -EINVAL)
			tring_error("%s %s: no function that can be traced; %s/%s has all",
				    option, word, recording->control.tracing,
				    "available_filter_functions");
	free(copy);
}

/* Without patterns the list is emptied, whatever it has: -p says all that is wanted. */
static int set_list(struct tring_recording *recording, const char *file,
		    const char *option, const char *patterns)
{
	int error = tring_settings_try(&recording->settings, file, patterns ? patterns : "");

	if (error == -EINVAL && patterns)
		report_word(recording, file, option, patterns);
	else if (error)
		tring_error("%s: the kernel refuses the functions: %s", option,
			    strerror(-error));
	return error;
}

/* Each function has a kretprobe, which takes the kernel some milliseconds. */
#define GRAPH_MAX	1000

/**
 * struct expansion - names of functions that patterns match
 * @names: the names, one a line; NULL for none
 * @count: number of names
 */
struct expansion {
	char	*names;
	size_t	count;
};

static void add_name(struct expansion *expansion, const char *name)
{
	tring_extend(&expansion->names, "%s%s", expansion->names ? "\n" : "", name);
	expansion->count++;
}

/* Lines are "NAME" or "NAME [MODULE]". Return: whether a name matches. */
static bool expand(struct expansion *expansion, const char *functions, const char *pattern)
{
	char *copy = tring_format("%s", functions), *rest = copy, *line;
	size_t before = expansion->count;

	while (expansion->count <= GRAPH_MAX && (line = strsep(&rest, "\n"))) {
		line[strcspn(line, " \t")] = 0;
		if (*line && !fnmatch(pattern, line, 0))
			add_name(expansion, line);
	}
	free(copy);
	return expansion->count > before;
}

static int expand_all(const struct tring_recording *recording, struct expansion *expansion)
{
	char *path = tring_format("%s/available_filter_functions", recording->control.tracing);
	char *functions = tring_read_text(path, NULL), *pattern;
	char *copy = tring_format("%s", recording->options->graph_functions), *rest = copy;
	int error = functions ? 0 : -errno;

	if (error)
		tring_error("%s: %s", path, strerror(-error));
	while (!error && (pattern = strsep(&rest, "\n"))) {
		if (!expand(expansion, functions, pattern)) {
			tring_error("-g %s: no function that can be traced; %s has all", pattern,
				    path);
			error = -ENOENT;
		} else if (expansion->count > GRAPH_MAX) {
			tring_error("-g %s: more than %d functions", pattern, GRAPH_MAX);
			error = -E2BIG;
		}
	}
	free(copy);
	free(functions);
	free(path);
	return error;
}

static int set_graph(struct tring_recording *recording)
{
	const struct tring_recording_options *options = recording->options;
	struct expansion expansion = { 0 };
	int error = expand_all(recording, &expansion);

	if (!error)
		error = set_list(recording, "set_graph_function", "-g", expansion.names);
	if (!error && options->max_depth)
		error = tring_settings_change(&recording->settings, "max_graph_depth",
					      options->max_depth);
	free(expansion.names);
	return error;
}

static int set_tracer(struct tring_recording *recording)
{
	const char *tracer = recording->options->tracer;
	int error = tring_settings_try(&recording->settings, "current_tracer", tracer);

	if (error)
		tring_error("-p %s: the kernel refuses it: %s%s", tracer, strerror(-error),
			    recording->options->graph_functions ?
			    "; dmesg names the function" : "");
	return error;
}

/**
 * tring_calls_set_up - have calls of functions recorded
 * @recording: recording whose ring is open
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_calls_set_up(struct tring_recording *recording)
{
	const struct tring_recording_options *options = recording->options;
	int error;

	if (!options->tracer)
		return 0;
	if (options->graph_functions) {
		error = set_graph(recording);
		return error ? error : set_tracer(recording);
	}
	error = set_list(recording, "set_ftrace_filter", "-l", options->functions);
	if (!error)
		error = set_list(recording, "set_ftrace_notrace", "-n", options->no_functions);
	return error ? error : set_tracer(recording);
}
