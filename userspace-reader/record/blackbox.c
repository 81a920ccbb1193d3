// SPDX-License-Identifier: GPL-2.0
/*
 * Prepares a ring for being read in an image of the memory, or by the next boot: moves it into
 * memory that outlives the kernel, and leaves what describes its events in its file "blob".
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recording.h"
#include "trace/blob.h"
#include "trace/kernel.h"
#include "trace/trace_dir.h"
#include "util/util.h"

#define MARKER_FORMAT	TRING_FILE_EVENTS "/ftrace/print/format"

/**
 * tring_blackbox_move_out - make room for a ring of another size
 * @recording: recording whose ring is about to be moved into memory that outlives the kernel
 *
 * Such memory has no room for two.
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_blackbox_move_out(struct tring_recording *recording)
{
	int error = tring_settings_try(&recording->settings, "persistent", "0");

	if (error == -ENOENT)
		tring_error("%s: this tring.ko cannot keep rings for the next boot",
			    recording->control.dir);
	else if (error)
		tring_error("%s/persistent: %s", recording->control.dir, strerror(-error));
	return error;
}

/**
 * tring_blackbox_move_in - move a ring into memory that outlives the kernel
 * @recording: recording whose ring has its size
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_blackbox_move_in(struct tring_recording *recording)
{
	int error = tring_settings_try(&recording->settings, "persistent", "1");

	if (error == -ENODEV)
		tring_error("tring.ko was loaded without persist=ADDRESS,SIZE: see tring(4)");
	else if (error == -EBUSY)
		tring_error("the memory holds what two earlier boots have left: %s",
			    "\"tring salvage\" reads it, \"tring wipe\" erases it");
	else if (error == -ENXIO)
		tring_error("there is no memory at persist='s address: see tring(4)");
	else if (error == -ENOMEM)
		tring_error("-b: the rings of %zu CPUs are more than half of persist='s memory",
			    recording->control.cpu_count);
	else if (error)
		tring_error("%s/persistent: %s", recording->control.dir, strerror(-error));
	return error;
}

/* A file of the kernel that is not there, or may not be read, is left out. */
static int add_file(struct tring_blob *blob, const char *name, const char *path)
{
	size_t size;
	char *text = tring_read_text(path, &size);
	int error = text ? tring_blob_add(blob, name, text, size) : 0;

	free(text);
	return error;
}

static int add_kernel(struct tring_blob *blob, const struct tring_recording *recording)
{
	/* texts of trace_marker may come at any time */
	static const char * const files[][2] = {
		{ TRING_FILE_HEADER_PAGE, TRING_KERNEL_HEADER_PAGE },
		{ MARKER_FORMAT, MARKER_FORMAT },
		{ TRING_FILE_PRINTK, TRING_KERNEL_PRINTK },
	};
	const char *tracing = recording->control.tracing;
	char *tasks = tring_kernel_cmdlines(tracing, NULL);
	int error = 0;
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(files[0]) && !error; i++) {
		char *path = tring_format("%s/%s", tracing, files[i][1]);

		error = add_file(blob, files[i][0], path);
		free(path);
	}
	if (!error && tasks)
		error = tring_blob_add(blob, TRING_FILE_CMDLINES, tasks, strlen(tasks));
	if (!error && recording->options->persistent)
		error = add_file(blob, TRING_FILE_KALLSYMS, TRING_KERNEL_SYMBOLS);
	free(tasks);
	return error;
}

static int make_blob(const struct tring_recording *recording, void **data, size_t *size)
{
	struct tring_blob *blob = tring_blob_begin();
	int error = tring_blob_add_events(blob, &recording->events), ended;

	if (!error)
		error = add_kernel(blob, recording);
	ended = tring_blob_end(blob, error ? NULL : data, size);
	return error ? error : ended;
}

/**
 * tring_blackbox_leave_blob - leave what describes the ring's events with the ring
 * @recording: recording that knows its events
 *
 * The ring of an older module has no place for it.
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_blackbox_leave_blob(struct tring_recording *recording)
{
	char *path = tring_format("%s/blob", recording->control.dir);
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC), error = 0;
	void *data = NULL;
	size_t size;

	if (fd < 0 && errno != ENOENT) {
		error = -errno;
		tring_error("%s: %s", path, strerror(-error));
	}
	if (fd >= 0)
		error = make_blob(recording, &data, &size);
	if (data) {
		error = tring_write_all(fd, data, size);
		if (error == -ENOMEM && recording->options->persistent)
			tring_error("-b: rings and formats exceed half of persist='s memory");
		else if (error)
			tring_error("%s: %s", path, strerror(-error));
	}
	if (fd >= 0)
		close(fd);
	free(data);
	free(path);
	return error;
}
