/* SPDX-License-Identifier: GPL-2.0 */
/* The command that a recording is made of. */
#ifndef TRING_CHILD_H
#define TRING_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/**
 * struct tring_child - the command of a recording
 * @pid: pid of the command's process, 0 if there is none
 * @proc_pid: the pid that /proc has for it
 * @go_fd: pipe on which the process waits; it exits if the pipe is closed
 *	without a byte
 * @error_fd: pipe that passes on why the command could not be executed
 * @running: the command was started and not reaped
 * @status: exit status as in shells, once reaped: 128 + signal if a signal ended
 *	the command
 */
struct tring_child {
	pid_t	pid;
	pid_t	proc_pid;
	int	go_fd;
	int	error_fd;
	bool	running;
	int	status;
};

int tring_child_prepare(struct tring_child *child, char **command,
			const sigset_t *mask);
int tring_child_start(struct tring_child *child);
bool tring_child_reap(struct tring_child *child);
void tring_child_end(struct tring_child *child);

#endif /* TRING_CHILD_H */
