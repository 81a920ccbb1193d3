// SPDX-License-Identifier: GPL-2.0
/*
 * The command of a recording. It is forked before the recording begins and
 * executed right after, so that the preparations are not recorded.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "util/util.h"

#define END_TRIES	200
#define END_WAIT_NS	10000000

/* In a pid namespace whose /proc is of another one a task has another pid there. */
static pid_t find_proc_pid(void)
{
	char text[16] = "";
	uint64_t pid;

	return readlink("/proc/self", text, sizeof(text) - 1) > 0 &&
	       tring_parse_number(text, &pid) ? (pid_t)pid : getpid();
}

static void run_command(char **command, const sigset_t *mask, int go_fd,
			int error_fd)
{
	pid_t pid = find_proc_pid();
	int error;
	char go;

	if (write(error_fd, &pid, sizeof(pid)) != sizeof(pid) || read(go_fd, &go, 1) != 1)
		_exit(0);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(command[0], command);
	error = errno;
	if (write(error_fd, &error, sizeof(error)) < 0)
		_exit(126);
	_exit(error == ENOENT ? 127 : 126);
}

/**
 * tring_child_prepare - fork a command that waits for tring_child_start()
 * @child: filled in; to be released with tring_child_end()
 * @command: program and arguments, terminated by NULL
 * @mask: signal mask for the command
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_child_prepare(struct tring_child *child, char **command,
			const sigset_t *mask)
{
	int go[2] = { -1, -1 }, errors[2] = { -1, -1 };
	int error = 0;

	memset(child, 0, sizeof(*child));
	if (pipe2(go, O_CLOEXEC) || pipe2(errors, O_CLOEXEC))
		error = -errno;
	if (!error) {
		child->pid = fork();
		if (child->pid < 0)
			error = -errno;
	}
	if (!error && !child->pid) {
		close(go[1]);
		run_command(command, mask, go[0], errors[1]);
	}
	close(go[0]);
	close(errors[1]);
	child->go_fd = go[1];
	child->error_fd = errors[0];
	/* the child writes it first */
	if (!error && TEMP_FAILURE_RETRY(read(errors[0], &child->proc_pid, sizeof(pid_t))) !=
		      sizeof(pid_t))
		error = -EIO;
	if (error) {
		tring_error("cannot start %s: %s", command[0],
			    strerror(-error));
		close(child->go_fd);
		close(child->error_fd);
		child->pid = 0;
		return error;
	}
	child->running = true;
	return 0;
}

/**
 * tring_child_start - execute the command
 * @child: child that tring_child_prepare() has filled in
 *
 * Return: 0 or a negative errno, without a message.
 */
int tring_child_start(struct tring_child *child)
{
	int error = 0;
	ssize_t got;

	if (write(child->go_fd, "g", 1) != 1)
		return -errno;
	do {
		got = read(child->error_fd, &error, sizeof(error));
	} while (got < 0 && errno == EINTR);
	return got == sizeof(error) ? -error : 0;
}

static void note_status(struct tring_child *child, int status)
{
	child->running = false;
	child->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
					      WEXITSTATUS(status);
}

/**
 * tring_child_reap - check whether the command has ended
 * @child: child that tring_child_prepare() has filled in, or zeroed
 *
 * Return: true if it has ended; @child->status is set.
 */
bool tring_child_reap(struct tring_child *child)
{
	int status;

	if (child->running && waitpid(child->pid, &status, WNOHANG) > 0)
		note_status(child, status);
	return child->pid && !child->running;
}

/**
 * tring_child_end - release the command
 * @child: child that tring_child_prepare() has filled in, or zeroed
 *
 * A command that still runs gets SIGTERM. If it does not end within two seconds
 * it is left running.
 */
void tring_child_end(struct tring_child *child)
{
	const struct timespec wait = { .tv_nsec = END_WAIT_NS };
	int tries;

	if (!child->pid)
		return;
	close(child->go_fd);
	close(child->error_fd);
	if (!tring_child_reap(child))
		kill(child->pid, SIGTERM);
	for (tries = 0; tries < END_TRIES && !tring_child_reap(child); tries++)
		nanosleep(&wait, NULL);
	if (child->running)
		tring_error("the command is still running (process %d)", child->pid);
	child->pid = 0;
}
