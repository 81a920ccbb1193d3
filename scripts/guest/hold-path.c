// SPDX-License-Identifier: GPL-2.0
/*
 * hold-path PATH TRIGGER - holds PATH, a file or a directory, by O_PATH until the file TRIGGER
 * is there. Prints "held" first. Then does with it all that a holder can do: asks for its
 * properties, changes them, opens it in each way, reads and polls it. Prints the error of
 * opening it, or for a directory what it finds inside.
 *
 * hold-path PATH - opens PATH and polls it. Prints "held" first.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/xattr.h>
#include <unistd.h>

static void say_held(void)
{
	puts("held");
	fflush(stdout);
}

static int poll_file(const char *file)
{
	struct pollfd entry = { .fd = open(file, O_RDONLY), .events = POLLIN };

	if (entry.fd < 0)
		err(1, "%s", file);
	say_held();
	return poll(&entry, 1, -1) != 1;
}

/* The results of most depend on the kernel; what counts is that they hurt nothing. */
static void try_properties(int held, const char *path)
{
	int watch = inotify_init1(IN_CLOEXEC);
	struct statfs system;
	char text[256];

	if (fstatfs(held, &system))
		err(1, "fstatfs");
	if (readlink(path, text, sizeof(text)) < 0)
		err(1, "readlink");
	if (inotify_add_watch(watch, path, IN_ALL_EVENTS) < 0)
		err(1, "inotify");
	if (access(path, X_OK) | chmod(path, 0400) | chown(path, 1, 1) |
	    utimensat(AT_FDCWD, path, NULL, 0) | truncate(path, 0) |
	    getxattr(path, "user.x", text, sizeof(text)) | setxattr(path, "user.x", text, 1, 0))
		errno = 0;
	close(watch);
}

static void try_directory(int held, const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	if (!mkdirat(held, "new", 0700) || !unlinkat(held, "new", AT_REMOVEDIR))
		errx(1, "%s: a directory was made or removed in it", path);
	if (openat(held, "tracing_on", O_RDONLY) >= 0)
		errx(1, "%s: a file in it was opened", path);
	while (dir && (entry = readdir(dir)))
		if (*entry->d_name != '.')
			errx(1, "%s has %s", path, entry->d_name);
	puts("empty");
}

static void try_file(int held, const char *path)
{
	static const int ways[] = {
		O_RDONLY, O_WRONLY, O_RDWR, O_WRONLY | O_TRUNC, O_WRONLY | O_APPEND,
		O_RDONLY | O_NONBLOCK,
	};
	struct pollfd entry = { .fd = held, .events = POLLIN | POLLPRI | POLLOUT };
	unsigned int i;
	char byte;

	if (read(held, &byte, 1) >= 0 || errno != EBADF)
		errx(1, "%s was read by O_PATH", path);
	if (poll(&entry, 1, 0) != 1 || entry.revents != POLLNVAL)
		errx(1, "%s was polled by O_PATH", path);
	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (open(path, ways[i]) >= 0)
			errx(1, "%s was opened, flags %o", path, ways[i]);
		if (errno != ENXIO)
			err(1, "%s", path);
	}
	puts(strerror(ENXIO));
}

int main(int argc, char **argv)
{
	struct stat status;
	char path[64];
	int held;

	if (argc == 2)
		return poll_file(argv[1]);
	if (argc != 3)
		errx(1, "see the head of hold-path.c");
	held = open(argv[1], O_PATH);
	if (held < 0)
		err(1, "%s", argv[1]);
	say_held();
	while (access(argv[2], F_OK))
		usleep(10000); /* time: interval of a poll */
	if (fstat(held, &status))
		err(1, "fstat");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", held);
	try_properties(held, path);
	if (S_ISDIR(status.st_mode))
		try_directory(held, path);
	else
		try_file(held, path);
	return 0;
}
