// SPDX-License-Identifier: GPL-2.0
/* A trace that a command reads: what is wrong with it is told, and makes the exit status. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "open.h"
#include "util/util.h"

static void show_message(void *data, enum tring_level level, const char *text)
{
	(void)data;
	(void)level;
	tring_show_message(text);
}

/* What is told goes to stderr. */
const struct tring_options tring_opened_options = {
	.size = sizeof(tring_opened_options), .message = show_message,
};

/**
 * tring_opened_open - open a trace
 * @opened: filled in, but for @opened->formats; to be ended also after an error
 * @path: the trace; "-" for stdin
 *
 * Return: false after an error, reported on stderr.
 */
bool tring_opened_open(struct tring_opened *opened, const char *path)
{
	struct tring_options options = tring_opened_options;

	options.formats = opened->formats;
	opened->failed = strcmp(path, "-") ? tring_open(&opened->trace, path, &options) :
			 tring_open_fd(&opened->trace, STDIN_FILENO, &options);
	return !opened->failed;
}

/**
 * tring_output_completed - write what stdout has buffered
 *
 * Return: false if that is impossible, or was before, reported on stderr.
 */
bool tring_output_completed(void)
{
	if (!fflush(stdout) && !ferror(stdout))
		return true;
	tring_error("the output cannot be written: %s", tring_errno_text(errno));
	clearerr(stdout);
	return false;
}

/**
 * tring_opened_end - complete the output, and close a trace
 * @opened: the trace. If it was read to its end, and nothing failed, it is checked
 *
 * Return: TRING_EXIT_OK; _BAD after an error, or if the output failed.
 */
int tring_opened_end(struct tring_opened *opened)
{
	bool bad = !tring_output_completed() || opened->failed || tring_check(opened->trace) ||
		   tring_problems(opened->trace);

	tring_close(opened->trace);
	return bad ? TRING_EXIT_BAD : TRING_EXIT_OK;
}
