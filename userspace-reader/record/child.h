/* SPDX-License-Identifier: GPL-2.0 */
/* The command that a recording is made of. */
#ifndef TRING_CHILD_H
#define TRING_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/**
 * struct tring_child - a command that waits for its start
 * @pid: its process, 0 if there is none
 * @go_fd: closing it without a byte makes the process give up
 * @error_fd: tells why the command could not be executed
 * @running: started and not reaped
 * @status: as shells have it, once reaped: 128 + signal if one ended it
 */
struct tring_child {
	pid_t	pid;
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
