// SPDX-License-Identifier: GPL-2.0
/*
 * hold-path FILE TRIGGER - holds FILE by O_PATH until the file TRIGGER is there, then opens
 * what it holds and prints the error. Prints "held" first.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail.h"

int main(int argc, char **argv)
{
	char path[64];
	struct stat status;
	int held;

	if (argc != 3)
		fail("see the head of hold-path.c");
	held = open(argv[1], O_PATH);
	if (held < 0)
		fail("%s: %s", argv[1], strerror(errno));
	puts("held");
	fflush(stdout);
	while (access(argv[2], F_OK))
		usleep(10000);
	if (fstat(held, &status))
		fail("fstat: %s", strerror(errno));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", held);
	if (open(path, O_RDONLY) >= 0)
		fail("%s was opened", argv[1]);
	puts(strerror(errno));
	return 0;
}
