// SPDX-License-Identifier: GPL-2.0
/*
 * A file, or a directory, that appears under its name when it is complete.
 *
 * It has another name until then, so neither a full disk nor a signal, SIGKILL included, leaves a
 * file that looks complete. A signal that can be caught is noted: the next write fails, the writer
 * gives up, and the signal is raised again when the draft is gone.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"
#include "util/trust.h"
#include "util/util.h"

#define BUFFER_SIZE	(1024 * 1024)
#define DIGITS		"0123456789"

static const int fatal_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };

/* A signal that has come, or 0. */
static atomic_int caught;

static void note_signal(int signal_number)
{
	caught = signal_number;
}

/**
 * tring_output_catch - note the signals that end the program from now on
 */
void tring_output_catch(void)
{
	size_t i;

	for (i = 0; i < sizeof(fatal_signals) / sizeof(fatal_signals[0]); i++)
		/* a signal that the caller ignores, as nohup does, stays ignored */
		if (signal(fatal_signals[i], note_signal) == SIG_IGN)
			signal(fatal_signals[i], SIG_IGN);
	/* a file that may not get larger is an error of write() */
	signal(SIGXFSZ, SIG_IGN);
}

/**
 * tring_output_caught - check whether a signal wants the program to end
 */
bool tring_output_caught(void)
{
	return caught;
}

/**
 * tring_output_raise - end the program if a signal has wanted it
 */
void tring_output_raise(void)
{
	if (!caught)
		return;
	signal(caught, SIG_DFL);
	raise(caught);
}

/* Return: true if the last line of a file ends with a space and a number. */
static bool ends_with_number(int fd, off_t size)
{
	/* a space, a number of 64 bits and a newline */
	char end[23] = "", *space;
	off_t from = size - (off_t)sizeof(end) + 1;

	if (pread(fd, end, sizeof(end) - 1, from > 0 ? from : 0) < 0)
		return false;
	space = strrchr(end, ' ');
	return space && space[1] != '\n' && !strcmp(space + 1 + strspn(space + 1, DIGITS), "\n");
}

static bool has_magic(int fd, const void *magic, size_t size)
{
	char start[16];

	return pread(fd, start, size, 0) == (ssize_t)size && !memcmp(start, magic, size);
}

/* Return: 0 if the file may be replaced: it does not exist, is empty, or is of the format. */
static int check_old(const struct tring_entry *place, const void *magic, size_t size)
{
	/* without O_NONBLOCK the open of a FIFO waits for a writer */
	int fd = openat(place->dir, place->name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
	struct stat info;
	int error = 0;

	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	if (fstat(fd, &info))
		error = -errno;
	else if (!S_ISREG(info.st_mode))
		error = -TRING_NOT_REGULAR;
	else if (info.st_size && !(size ? has_magic(fd, magic, size) :
				   ends_with_number(fd, info.st_size)))
		error = -EEXIST;
	close(fd);
	return error;
}

/**
 * tring_output_mode - choose the mode of what is written
 * @wanted: mode of a user's, from which the kernel takes the bits of umask
 *
 * Return: the mode: what root writes for the caller of sudo is for that user only.
 */
mode_t tring_output_mode(mode_t wanted)
{
	uid_t uid;
	gid_t gid;

	return tring_trust_caller(&uid, &gid) ? wanted & 0700 : wanted;
}

/**
 * struct walk - a walk through a tree
 * @call: called for each file, and for each directory behind its files
 */
struct walk {
	int (*call)(int dir, const char *name, bool is_dir);
};

static int walk_inside(void *data, int dir, const char *name)
{
	const struct walk *walk = data;
	int inner = tring_entry_enter(dir, name), error;

	if (inner < 0)
		return inner == -ENOTDIR || inner == -ELOOP ? walk->call(dir, name, false) : inner;
	error = tring_entry_each(inner, NULL, walk_inside, data);
	close(inner);
	return error ? error : walk->call(dir, name, true);
}

static int walk(int dir, const char *name, int (*call)(int dir, const char *name, bool is_dir))
{
	struct walk walk = { call };

	return walk_inside(&walk, dir, name);
}

static int remove_one(int dir, const char *name, bool is_dir)
{
	return unlinkat(dir, name, is_dir ? AT_REMOVEDIR : 0) ? -errno : 0;
}

static int sync_one(int dir, const char *name, bool is_dir)
{
	int fd = openat(dir, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC), error;

	(void)is_dir;
	error = fd < 0 || fsync(fd) ? -errno : 0;
	if (fd >= 0)
		close(fd);
	return error;
}

static void tell(const struct tring_output *output, int error)
{
	if (error == -EEXIST)
		tring_error("-o %s: %s; not changed", output->path, output->is_dir ? "it exists" :
			    "it is of another format than is to be written");
	else if (error != -EINTR)
		tring_entry_report(output->path, error);
}

/* Without the draft, if it is still there. If a signal asked for it, the program ends here. */
static void drop(struct tring_output *output)
{
	if (output->fd >= 0)
		close(output->fd);
	if (output->draft)
		walk(output->place.dir, output->draft, remove_one);
	tring_entry_forget(&output->place);
	free(output->draft);
	free(output->path);
	free(output->buffer);
	memset(output, 0, sizeof(*output));
	output->fd = -1;
	output->place.dir = -1;
	tring_output_raise();
}

/**
 * tring_output_find - find where an output goes
 * @output: filled in; for tring_output_create()
 * @path: name that it gets
 *
 * Return: 0; or a negative errno, which is for tring_output_create().
 */
int tring_output_find(struct tring_output *output, const char *path)
{
	int error;

	memset(output, 0, sizeof(*output));
	output->fd = -1;
	output->path = tring_format("%s", path);
	/* a symbolic link stays one */
	error = tring_entry_find(&output->place, path);
	return error ? error : tring_entry_check(&output->place);
}

/* The draft is in the directory of the output, so that it can be renamed. */
static int create_draft(struct tring_output *output)
{
	char *draft = tring_entry_draft(output->place.name);
	int dir = output->place.dir;

	tring_output_catch();
	output->fd = output->is_dir ? tring_entry_make(dir, draft, tring_output_mode(0777)) :
				      tring_entry_create(dir, draft, tring_output_mode(0666));
	if (output->fd < 0) {
		free(draft);
		return output->fd;
	}
	output->draft = draft;
	return 0;
}

/**
 * tring_output_create - create an output, or tell why it cannot be
 * @output: from tring_output_find()
 * @error: a negative errno that has come up since, or 0
 *
 * Return: 0; or a negative errno, reported on stderr, and there is nothing to close.
 */
int tring_output_create(struct tring_output *output, int error)
{
	if (!error)
		error = create_draft(output);
	if (error) {
		tell(output, error);
		drop(output);
	}
	return error;
}

/**
 * tring_output_open - begin a file
 * @output: filled in; for tring_output_close(), before which it must not be moved
 * @path: name that the file gets; a file that has it already is replaced at the end
 * @magic: first bytes of the format, 16 at most: a file of another one is not replaced
 * @size: number of bytes of @magic; 0 for lines that end with a space and a number
 *
 * Return: 0; or a negative errno, reported on stderr, and there is nothing to close.
 */
int tring_output_open(struct tring_output *output, const char *path, const void *magic,
		      size_t size)
{
	int error = tring_output_find(output, path);

	output->buffer = tring_allocate(BUFFER_SIZE);
	if (!error)
		error = check_old(&output->place, magic, size);
	return tring_output_create(output, error);
}

static void write_at(struct tring_output *output, const uint8_t *bytes, size_t size,
		     uint64_t offset)
{
	if (caught)
		output->error = -EINTR;
	if (!output->error)
		tring_write_at(output->fd, bytes, size, offset, &output->error);
}

static void write_buffer(struct tring_output *output)
{
	write_at(output, output->buffer, output->fill, output->offset);
	output->offset += output->fill;
	output->fill = 0;
}

/**
 * tring_output_add - add bytes
 * @output: the file; @output->error tells of a failure
 * @bytes: the bytes
 * @size: number of bytes
 */
void tring_output_add(struct tring_output *output, const void *bytes, size_t size)
{
	if (output->fill + size > BUFFER_SIZE)
		write_buffer(output);
	if (size > BUFFER_SIZE) {
		write_at(output, bytes, size, output->offset);
		output->offset += size;
		return;
	}
	memcpy(output->buffer + output->fill, bytes, size);
	output->fill += size;
}

/**
 * tring_output_patch - change bytes that were added
 * @output: the file; @output->error tells of a failure
 * @offset: offset of the first byte
 * @bytes: the bytes
 * @size: number of bytes
 */
void tring_output_patch(struct tring_output *output, uint64_t offset, const void *bytes,
			size_t size)
{
	write_buffer(output);
	write_at(output, bytes, size, offset);
}

/**
 * tring_output_restart - drop all bytes that were added
 * @output: the file; @output->error tells of a failure
 */
void tring_output_restart(struct tring_output *output)
{
	output->fill = 0;
	output->offset = 0;
	if (!output->error && ftruncate(output->fd, 0))
		output->error = -errno;
}

/**
 * tring_output_close - complete the file, or the directory
 * @output: the file
 *
 * Return: 0; or a negative errno, reported on stderr, and nothing is there.
 */
int tring_output_close(struct tring_output *output)
{
	int error;

	if (!output->is_dir)
		write_buffer(output);
	/* a disk may fail as late as here */
	if (!output->error)
		output->error = output->is_dir ?
				walk(output->place.dir, output->draft, sync_one) :
				fsync(output->fd) ? -errno : 0;
	if (caught && !output->error)
		output->error = -EINTR;
	if (!output->error)
		output->error = tring_entry_publish(&output->place, output->draft);
	error = output->error;
	if (error) {
		tell(output, error);
	} else {
		free(output->draft);
		output->draft = NULL;
	}
	drop(output);
	return error;
}
