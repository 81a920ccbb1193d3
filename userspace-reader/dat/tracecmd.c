// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * libtracecmd is loaded when a trace.dat is read: recording and reading of tring's own traces
 * do without it, as in a small guest, and so does a program that is linked statically.
 *
 * libtracecmd trusts what it reads. What is damaged makes it read outside of its memory, or
 * free what it never had. That ends the program with a message that names the file.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tracecmd.h"
#include "util/util.h"

#define LIBRARY		"libtracecmd.so.1"

static struct tring_tracecmd functions;

static const struct {
	const char *name;
	size_t offset;
} names[] = {
	{ "tracecmd_open", offsetof(struct tring_tracecmd, open) },
	{ "tracecmd_open_head", offsetof(struct tring_tracecmd, open_head) },
	{ "tracecmd_close", offsetof(struct tring_tracecmd, close) },
	{ "tracecmd_buffer_instances", offsetof(struct tring_tracecmd, instances) },
	{ "tracecmd_buffer_instance_name", offsetof(struct tring_tracecmd, instance_name) },
	{ "tracecmd_buffer_instance_handle", offsetof(struct tring_tracecmd, instance) },
	{ "tracecmd_read_cpu_first", offsetof(struct tring_tracecmd, read_first) },
	{ "tracecmd_read_data", offsetof(struct tring_tracecmd, read) },
	{ "tracecmd_free_record", offsetof(struct tring_tracecmd, free) },
	{ "tracecmd_set_loglevel", offsetof(struct tring_tracecmd, set_loglevel) },
};

/* Signals of a library that has lost its way. */
static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };

/* Enough for a handler where parsing has used up the stack. */
#define STACK_SIZE	(64 * 1024)

/* The file that libtracecmd reads; NULL outside of it. */
static const char *_Atomic inside;

/* stdout and stderr while libtracecmd is to be quiet; -1 otherwise. */
static int kept[2] = { -1, -1 };

static void say(const char *text)
{
	ssize_t wrote = write(kept[1] < 0 ? STDERR_FILENO : kept[1], text, strlen(text));

	(void)wrote;
}

/* Only libtracecmd was interrupted, so that what was printed before can be written. */
static void die(int number)
{
	const char *path = inside;

	if (!path) {
		signal(number, SIG_DFL);
		raise(number);
		return;
	}
	inside = NULL;
	if (number != SIGABRT && kept[0] < 0)
		fflush(stdout);
	say("tring: ");
	say(path);
	say(": damaged: libtracecmd dies of it; what is behind is not read\n");
	_exit(TRING_EXIT_BAD);
}

static void catch_signals(void)
{
	static char stack[STACK_SIZE];
	struct sigaction action = { .sa_handler = die, .sa_flags = SA_ONSTACK | SA_NODEFER };
	size_t i;

	sigaltstack(&(stack_t) { .ss_sp = stack, .ss_size = sizeof(stack) }, NULL);
	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &action, NULL);
}

static void be_quiet(void)
{
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC), i;

	for (i = 0; i < 2 && fd >= 0; i++) {
		kept[i] = fcntl(STDOUT_FILENO + i, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		if (kept[i] >= 0)
			dup2(fd, STDOUT_FILENO + i);
	}
	if (fd >= 0)
		close(fd);
}

/**
 * tring_tracecmd_enter - prepare for a call of libtracecmd
 * @path: the file that it reads
 * @quiet: it may print messages of its own, which are not shown
 */
void tring_tracecmd_enter(const char *path, bool quiet)
{
	if (quiet) {
		/* what is buffered belongs elsewhere */
		fflush(stdout);
		be_quiet();
	}
	inside = path;
}

/**
 * tring_tracecmd_leave - the call of libtracecmd has returned
 */
void tring_tracecmd_leave(void)
{
	int i;

	inside = NULL;
	for (i = 0; i < 2; i++) {
		if (kept[i] < 0)
			continue;
		if (!i)
			fflush(stdout);
		dup2(kept[i], STDOUT_FILENO + i);
		close(kept[i]);
		kept[i] = -1;
	}
}

static bool find_functions(void *library)
{
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		void *function = dlsym(library, names[i].name);

		if (!function)
			return false;
		*(void **)((char *)&functions + names[i].offset) = function;
	}
	return true;
}

/**
 * tring_tracecmd - load libtracecmd
 *
 * It writes no messages of its own.
 *
 * Return: its functions; NULL if it cannot be loaded, reported on stderr.
 */
const struct tring_tracecmd *tring_tracecmd(void)
{
	static bool loaded;
	void *library;

	if (loaded)
		return &functions;
	library = dlopen(LIBRARY, RTLD_NOW);
	if (!library || !find_functions(library)) {
		tring_error("a trace.dat is read by libtracecmd, package libtracecmd1: %s",
			    dlerror());
		return NULL;
	}
	functions.set_loglevel(TEP_LOG_NONE);
	catch_signals();
	loaded = true;
	return &functions;
}
