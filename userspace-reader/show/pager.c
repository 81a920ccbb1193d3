// SPDX-License-Identifier: GPL-2.0
/*
 * A pager for long output on a terminal, as git(1) has it. Errors go there, too, or they
 * would be written into its screen.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pager.h"
#include "util/util.h"

#define DEFAULT_PAGER	"if command -v less >/dev/null; then exec less; else exec cat; fi"

/* The pager, for the signal handlers; 0 without one. */
static pid_t pager;

/* The pager sees the end of its input, and the terminal is its own until it ends. */
static void wait_for_pager(void)
{
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		;
}

/* The user has left the pager, or wants no more. */
static void handle_signal(int number)
{
	wait_for_pager();
	_exit(number == SIGPIPE ? TRING_EXIT_OK : 128 + number);
}

static void run_pager(int input, const char *command)
{
	dup2(input, STDIN_FILENO);
	/* -F: not for less than a screen; -R: control characters of colours; -X: no clearing */
	setenv("LESS", "FRX", 0);
	execl("/bin/sh", "sh", "-c", command, NULL);
	_exit(127);
}

/**
 * tring_pager_start - send the output through a pager if it goes to a terminal
 *
 * $PAGER names the pager, less(1) is the default; there is none if it is empty or "cat".
 * Without a pager the output stays as it is.
 */
void tring_pager_start(void)
{
	const char *command = getenv("PAGER");
	int fds[2];
	pid_t pid;

	if (!isatty(STDOUT_FILENO) || (command && (!*command || !strcmp(command, "cat"))) ||
	    pipe2(fds, O_CLOEXEC))
		return;
	pid = fork();
	if (!pid)
		run_pager(fds[0], command ? command : DEFAULT_PAGER);
	if (pid > 0) {
		pager = pid;
		signal(SIGPIPE, handle_signal);
		signal(SIGINT, handle_signal);
		signal(SIGTERM, handle_signal);
		dup2(fds[1], STDOUT_FILENO);
		if (isatty(STDERR_FILENO))
			dup2(fds[1], STDERR_FILENO);
	}
	close(fds[0]);
	close(fds[1]);
}

/**
 * tring_pager_end - wait until the user has left the pager
 *
 * Nothing may be printed afterwards.
 */
void tring_pager_end(void)
{
	if (!pager)
		return;
	fflush(NULL);
	wait_for_pager();
	pager = 0;
}
