// SPDX-License-Identifier: GPL-2.0
/*
 * seek-dir DIR - reads DIR from its begin, again after rewinddir(), and from positions that
 * telldir() gave, the last one first: from each, or from some of many. Then by getdents64()
 * with room for a few entries. All must give the same names in the same order. Prints the
 * number of entries.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ENTRIES_MAX	10000

static struct {
	long	position;
	char	*name;
} entries[ENTRIES_MAX];

static unsigned int count;

static void expect(const struct dirent *entry, unsigned int i, const char *how)
{
	const char *name = entry ? entry->d_name : "the end";
	const char *expected = i < count ? entries[i].name : "the end";

	if (strcmp(name, expected))
		errx(1, "%s: entry %u is %s, not %s", how, i, name, expected);
}

static void read_all(DIR *dir)
{
	struct dirent *entry;

	for (;;) {
		if (count == ENTRIES_MAX)
			errx(1, "more than %d entries", ENTRIES_MAX);
		entries[count].position = telldir(dir);
		errno = 0;
		entry = readdir(dir);
		if (!entry)
			break;
		entries[count].name = strdup(entry->d_name);
		count++;
	}
	if (errno)
		err(1, "readdir");
}

/* The longest name fits. */
static void read_one_by_one(const char *path)
{
	char room[sizeof(struct dirent64)] __attribute__((aligned(8)));
	int fd = open(path, O_RDONLY | O_DIRECTORY);
	unsigned int i = 0;
	long length, offset;

	if (fd < 0)
		err(1, "%s", path);
	while ((length = syscall(SYS_getdents64, fd, room, 80)) > 0) {
		for (offset = 0; offset < length; i++) {
			const struct dirent64 *entry = (void *)(room + offset);

			if (i == count || strcmp(entry->d_name, entries[i].name))
				errx(1, "getdents64: entry %u is %s", i, entry->d_name);
			offset += entry->d_reclen;
		}
	}
	if (length)
		err(1, "getdents64");
	if (i != count)
		errx(1, "getdents64: %u entries, not %u", i, count);
	close(fd);
}

int main(int argc, char **argv)
{
	DIR *dir = argc == 2 ? opendir(argv[1]) : NULL;
	unsigned int i, step;

	if (!dir)
		err(1, "%s", argc == 2 ? argv[1] : "see the head of seek-dir.c");
	read_all(dir);
	rewinddir(dir);
	for (i = 0; i <= count; i++)
		expect(readdir(dir), i, "after rewinddir()");
	step = count / 100 + 1;
	for (i = count + 1; i-- > 0;) {
		if (i % step)
			continue;
		seekdir(dir, entries[i].position);
		expect(readdir(dir), i, "after seekdir()");
	}
	closedir(dir);
	read_one_by_one(argv[1]);
	printf("%u\n", count);
	return 0;
}
