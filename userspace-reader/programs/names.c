// SPDX-License-Identifier: GPL-2.0
/*
 * Asks tring-symbols for the names of functions. It is a program of its own, which a program's
 * file may make fail: then that file is not asked for again.
 */
#include <errno.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "names.h"
#include "util/program.h"
#include "util/util.h"

extern char **environ;

static bool start(struct tring_names_helper *helper)
{
	char *path = tring_program_find("symbols"), *arguments[] = { path, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int ends[2], error = ENOENT;

	if (path)
		error = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) ? errno : 0;
	if (!error) {
		posix_spawn_file_actions_init(&actions);
		posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
		posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
		/* Ctrl-C at a terminal is for the command, which may go on for a while */
		posix_spawnattr_init(&attributes);
		posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
		error = posix_spawn(&helper->pid, path, &actions, &attributes, arguments, environ);
		posix_spawnattr_destroy(&attributes);
		posix_spawn_file_actions_destroy(&actions);
		close(ends[1]);
		helper->to = ends[0];
		helper->from = fdopen(ends[0], "r");
	}
	if (path && error)
		tring_error("the program %s cannot be run: %s", path, strerror(error));
	free(path);
	helper->is_missing = error;
	return !error;
}

static void end(struct tring_names_helper *helper)
{
	int status;

	fclose(helper->from);
	waitpid(helper->pid, &status, 0);
	helper->pid = 0;
}

static bool is_bad(const struct tring_names_helper *helper, const char *file)
{
	size_t i;

	for (i = 0; i < helper->bad; i++)
		if (!strcmp(helper->bad_files[i], file))
			return true;
	return false;
}

/* Return: the answer was complete. */
static bool read_answer(struct tring_names_helper *helper, tring_names_fn *take, void *data)
{
	char *text = NULL;
	size_t room = 0;
	ssize_t size;

	while ((size = getdelim(&text, &room, 0, helper->from)) > 1 && !text[size - 1])
		take(data, text);
	free(text);
	return size == 1;
}

/**
 * tring_names_ask - ask for the functions at a place in a file
 * @helper: the program, zeroed before its first use
 * @file: the file
 * @place: the offset in the file
 * @returned: it is where a call returns to
 * @take: called for each text of the answer, see tring_function_answer()
 * @data: for @take
 *
 * Return: NULL, also without an answer; or what has gone wrong.
 */
const char *tring_names_ask(struct tring_names_helper *helper, const struct tring_mapped *file,
			    uint64_t place, bool returned, tring_names_fn *take, void *data)
{
	char *name = tring_format("%s %s", file->build_id, file->path), *request;
	bool good = true;

	if (*file->build_id != '-' && !is_bad(helper, name) && !helper->is_missing &&
	    (helper->pid || start(helper))) {
		request = tring_format("%c%" PRIx64 " %s", returned ? 'r' : 'a', place, name);
		good = send(helper->to, request, strlen(request) + 1, MSG_NOSIGNAL) >= 0 &&
		       read_answer(helper, take, data);
		free(request);
	}
	if (good) {
		free(name);
		return NULL;
	}
	end(helper);
	helper->bad_files = tring_one_more(helper->bad_files, helper->bad, sizeof(name));
	helper->bad_files[helper->bad++] = name;
	return "tring-symbols has failed";
}

/**
 * tring_names_end - end the program
 * @helper: the program, which may not have run
 */
void tring_names_end(struct tring_names_helper *helper)
{
	if (helper->pid)
		end(helper);
	while (helper->bad)
		free(helper->bad_files[--helper->bad]);
	free(helper->bad_files);
}
