// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The running ring's directory in tracefs, which libtracefs finds.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <tracefs/tracefs.h>
#include <unistd.h>

#include "control.h"
#include "trace/trace_dir.h"
#include "util/util.h"

static bool is_directory(const char *path)
{
	struct stat info;

	return !stat(path, &info) && S_ISDIR(info.st_mode);
}

/* Return: the directory, to free(); NULL if it cannot be had, reported on stderr. */
static char *find_dir(struct tring_control *control)
{
	char *given = getenv("TRING_TRACING_DIR"), *dir;
	const char *tracing;

	if (given && *given)
		tracefs_set_tracing_dir(given);
	tracing = tracefs_tracing_dir();
	if (!tracing) {
		tring_error("tracefs is not mounted; \"mount -t tracefs tracefs %s\" does that",
			    "/sys/kernel/tracing");
		return NULL;
	}
	/* the library frees its own when it is set once more */
	control->tracing = tring_format("%s", tracing);
	dir = tring_format("%s/tring", tracing);
	if (is_directory(dir))
		return dir;
	tring_error(errno == EACCES ? "%s: %s; root may read it, and a group: see tring(4)" :
		    "%s: %s; \"modprobe tring\" or \"insmod tring.ko\" loads the module",
		    dir, strerror(errno));
	free(dir);
	return NULL;
}

static int is_cpu(const struct dirent *entry)
{
	return tring_parse_cpu(entry->d_name, "") >= 0;
}

static int find_cpus(struct tring_control *control)
{
	char *path = tring_format("%s/per_cpu", control->dir);
	struct dirent **names = NULL;
	int count = scandir(path, &names, is_cpu, versionsort), i;
	int error = count < 0 ? -errno : 0;

	if (!count)
		error = -ENOENT;
	if (count > 0)
		control->cpus = tring_allocate(count * sizeof(int));
	for (i = 0; i < count; i++) {
		control->cpus[control->cpu_count++] = tring_parse_cpu(names[i]->d_name, "");
		free(names[i]);
	}
	free(names);
	if (error)
		tring_error("%s: %s", path, strerror(-error));
	free(path);
	return error;
}

static bool is_instance_name(const char *name)
{
	return *name && !strchr(name, '/') && strcmp(name, ".") &&
	       strcmp(name, "..");
}

/* Only the top-level ring has instances. */
static int enter_instance(struct tring_control *control, const char *name,
			  bool make)
{
	char *instances = tring_format("%s/instances", control->dir);
	bool there = is_directory(instances);

	free(control->dir);
	control->dir = tring_format("%s/%s", instances, name);
	free(instances);
	if (!is_instance_name(name)) {
		tring_error("\"%s\" is not a name for an instance", name);
		return -EINVAL;
	}
	if (!there) {
		tring_error("%s: this tring module has no instances",
			    control->dir);
		return -ENOENT;
	}
	if (make && !mkdir(control->dir, 0750)) {
		control->made = true;
		return 0;
	}
	if (make && errno != EEXIST) {
		int error = -errno;

		tring_error("cannot create the instance %s: %s", control->dir,
			    strerror(-error));
		return error;
	}
	if (!is_directory(control->dir)) {
		tring_error("%s: there is no such instance", control->dir);
		return -ENOENT;
	}
	return 0;
}

/**
 * tring_control_open - find the running ring
 * @control: filled in; to be closed also after an error
 * @name: name of the instance, NULL for the top-level ring
 * @make: create the instance if it does not exist; sets @control->made
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_control_open(struct tring_control *control, const char *name,
		       bool make)
{
	int error;

	memset(control, 0, sizeof(*control));
	control->dir = find_dir(control);
	if (!control->dir)
		return -ENOENT;
	error = name ? enter_instance(control, name, make) : 0;
	return error ? error : find_cpus(control);
}

/**
 * tring_control_remove - remove the instance if tring_control_open() created it
 * @control: the ring, may be zeroed; no file of the instance may be open
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_control_remove(struct tring_control *control)
{
	int error = 0;

	if (control->made && rmdir(control->dir)) {
		error = -errno;
		tring_error("cannot remove the instance %s: %s", control->dir,
			    strerror(-error));
	}
	control->made = false;
	return error;
}

/**
 * tring_control_close - undo tring_control_open(), but keep the instance
 * @control: the ring, may be zeroed
 */
void tring_control_close(struct tring_control *control)
{
	if (control->lock_fd > 0)
		close(control->lock_fd);
	free(control->tracing);
	free(control->dir);
	free(control->cpus);
	memset(control, 0, sizeof(*control));
}

/**
 * tring_control_read_if - read a file, which the ring of an older module may lack
 * @control: the ring
 * @file: name relative to the ring's directory
 *
 * Return: string without the newline at its end, to free(); NULL with errno.
 */
char *tring_control_read_if(const struct tring_control *control, const char *file)
{
	char *path = tring_format("%s/%s", control->dir, file);
	size_t size = 0;
	char *text = tring_read_text(path, &size);
	int error = errno;

	while (text && size && text[size - 1] == '\n')
		text[--size] = 0;
	free(path);
	errno = error;
	return text;
}

/**
 * tring_control_read - read a file without the newline at its end
 * @control: the ring
 * @file: name relative to the ring's directory
 *
 * Return: string to free(); NULL after an error, reported on stderr.
 */
char *tring_control_read(const struct tring_control *control, const char *file)
{
	char *text = tring_control_read_if(control, file);

	if (!text)
		tring_error("%s/%s: %s", control->dir, file, strerror(errno));
	return text;
}

/**
 * tring_control_formats - find the format files that tell what the ring records
 * @control: the ring
 *
 * Return: directory of SYSTEM/EVENT/format, to free(): the kernel's, and the ring's own if its
 * events have strings besides. Its files take longer to read.
 */
char *tring_control_formats(const struct tring_control *control)
{
	char *text = tring_control_read_if(control, TRING_STRING_SIZE);
	bool own = text && atoi(text) > 0;

	free(text);
	return tring_format("%s/events", own ? control->dir : control->tracing);
}

/*
 * Write a text to a file. The kernel may take the first part only: then it wants the rest of a
 * list, and of anything else it is an error. It takes a list in close().
 */
static int write_text(const struct tring_control *control, const char *file, int flags,
		      const char *text, bool is_list)
{
	char *path = tring_format("%s/%s", control->dir, file);
	int fd = open(path, O_WRONLY | O_CLOEXEC | flags), error = fd < 0 ? -errno : 0;
	size_t size = strlen(text);
	ssize_t wrote;

	if (!error && is_list) {
		error = tring_write_all(fd, text, size);
	} else if (!error && size) {
		wrote = write(fd, text, size);
		error = wrote < 0 ? -errno : (size_t)wrote < size ? -EINVAL : 0;
	}
	if (fd >= 0 && close(fd) && !error)
		error = -errno;
	free(path);
	return error;
}

/* The kernel applies a word when it has seen white space behind it. All words are tried. */
static int add_events(const struct tring_control *control, const char *text)
{
	char *copy = tring_format("%s", text), *rest = copy, *word, *line;
	int error = 0, failed = 0;

	while ((word = strsep(&rest, "\n "))) {
		line = tring_format("%s\n", word);
		if (*word)
			failed = write_text(control, "set_event", O_APPEND, line, false);
		if (!error)
			error = failed;
		free(line);
	}
	free(copy);
	return error;
}

/**
 * tring_control_is_function_list - check whether a file has a list of functions
 * @file: name relative to the ring's directory
 *
 * Return: true if it has.
 */
bool tring_control_is_function_list(const char *file)
{
	return !strncmp(file, "set_ftrace_", strlen("set_ftrace_")) ||
	       !strcmp(file, "set_graph_function");
}

static bool is_pid_list(const char *file)
{
	return !strcmp(file, "set_event_pid") || !strcmp(file, "set_event_notrace_pid");
}

/**
 * tring_control_append - add to a list
 * @control: the ring
 * @file: name relative to the ring's directory
 * @text: what is added, behind white space
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_control_append(const struct tring_control *control, const char *file, const char *text)
{
	return tring_control_report(control, file, text,
				    write_text(control, file, O_APPEND, text, true));
}

/**
 * tring_control_try - truncate and write a file, without a message
 * @control: the ring
 * @file: name relative to the ring's directory
 * @text: text to write; words for set_event and lists of functions, which may be none
 *
 * Return: 0 or a negative errno.
 */
int tring_control_try(const struct tring_control *control, const char *file,
		      const char *text)
{
	bool is_list = tring_control_is_function_list(file);
	/* to be without text is written, too; a file of a recorder's has tabs for newlines */
	bool is_whole = !strcmp(file, "set_event_cgroup");
	char *line = tring_format("%s%s", text, is_list || is_whole ? "\n" : "");
	bool is_events = !strcmp(file, "set_event");
	char *at = line;
	int error;

	while (is_whole && (at = strchr(at, '\t')))
		*at = '\n';
	error = write_text(control, file, O_TRUNC, is_events ? "" : line,
			   is_list || is_pid_list(file));
	free(line);
	return error || !is_events ? error : add_events(control, text);
}

/**
 * tring_control_report - report a text that could not be written
 * @control: the ring
 * @file: name relative to the ring's directory
 * @text: the text
 * @error: 0 or a negative errno
 *
 * Return: @error.
 */
int tring_control_report(const struct tring_control *control, const char *file,
			 const char *text, int error)
{
	if (error)
		tring_error("cannot write \"%s\" to %s/%s: %s", text,
			    control->dir, file, strerror(-error));
	return error;
}

/**
 * tring_control_write - truncate and write a file
 * @control: the ring
 * @file: name relative to the ring's directory
 * @text: text to write, as for tring_control_try()
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_control_write(const struct tring_control *control, const char *file,
			const char *text)
{
	return tring_control_report(control, file, text,
				    tring_control_try(control, file, text));
}

/**
 * tring_control_begin_trace - drop the ring's content and begin a new trace
 * @control: the ring, with no packet file open
 *
 * Packets have a new uuid from here on, and packet_seq_num and events_discarded
 * begin at 0 again.
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_control_begin_trace(const struct tring_control *control)
{
	static const char file[] = "trace";
	const char *dir = control->dir;
	int error = write_text(control, file, 0, "0", false);

	if (error == -ENOENT)
		tring_error("%s/%s: no such file: the tring module is too old for this tring", dir,
			    file);
	else if (error == -EBUSY)
		tring_error("%s/%s: cannot begin a new trace while another program reads the ring",
			    dir, file);
	else if (error)
		tring_error("%s/%s: %s", dir, file, strerror(-error));
	return error;
}

/**
 * tring_control_is_on - check whether the ring is recording
 * @control: the ring
 *
 * Return: true if it is; false also if the file cannot be read.
 */
bool tring_control_is_on(const struct tring_control *control)
{
	char *text = tring_control_read(control, "tracing_on");
	bool on = text && *text == '1';

	free(text);
	return on;
}

/* @read: what was parsed. @text: set to it, unless there was an error; may be NULL */
static int pass_on(char *read, int error, char **text)
{
	if (text && !error)
		*text = read;
	else
		free(read);
	return error;
}

/**
 * tring_control_info - read and parse trace_info
 * @control: the ring
 * @info: filled in
 * @text: set to the file's text, to free(); may be NULL
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_control_info(const struct tring_control *control,
		       struct tring_trace_info *info, char **text)
{
	char *read = tring_control_read(control, "trace_info"), *machine;
	int error = pass_on(read, read ? tring_trace_info_parse(info, read, "trace_info") : -EIO,
			    text);
	struct utsname names;

	/* the ring is in the kernel that runs */
	machine = info->origins[TRING_ORIGIN_MACHINE];
	if (!error && !*machine && !uname(&names))
		snprintf(machine, TRING_ORIGIN_SIZE, "%s", names.machine);
	return error;
}

/**
 * tring_control_short_ids - read and parse short_ids
 * @control: the ring
 * @shorts: filled in
 * @text: set to the file's text, to free(); may be NULL
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_control_short_ids(const struct tring_control *control,
			    struct tring_short_ids *shorts, char **text)
{
	char *read = tring_control_read(control, "short_ids");

	return pass_on(read, read ? tring_short_ids_parse(shorts, read, "short_ids") : -EIO, text);
}

/**
 * tring_control_size - read a size
 * @control: the ring
 * @file: file with a number of KiB, which a remark may follow
 * @size: set to the number of bytes, of which some times as many fit into a size_t, too
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_control_size(const struct tring_control *control, const char *file, size_t *size)
{
	char *text = tring_control_read(control, file);
	uint64_t kb = 0;
	int error = 0;

	if (text)
		text[strspn(text, "0123456789")] = 0;
	if (!text) {
		error = -EIO;
	} else if (!tring_parse_number(text, &kb) || kb > SIZE_MAX / 1024 / 1024) {
		tring_error("%s/%s: not a size", control->dir, file);
		error = -EINVAL;
	}
	*size = error ? 0 : 1024 * kb;
	free(text);
	return error;
}

/**
 * tring_control_stats - read and parse a CPU's counters
 * @control: the ring
 * @cpu: number of the CPU
 * @stats: filled in
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_control_stats(const struct tring_control *control, int cpu, struct tring_stats *stats)
{
	char *file = tring_format("per_cpu/cpu%d/stats", cpu);
	char *text = tring_control_read(control, file);
	int error = text ? 0 : -EIO, line = text ? tring_stats_parse(stats, text) : 0;

	if (line) {
		tring_error("%s/%s: line %d is not a counter", control->dir, file, line);
		error = -EINVAL;
	}
	free(text);
	free(file);
	return error;
}

/**
 * tring_control_open_packets - open a CPU's packet file for non-blocking reads
 * @control: the ring
 * @cpu: number of the CPU
 * @file: name of the file, TRING_PACKETS_*
 * @path: set to its path, to free(), also after an error; may be NULL
 *
 * Return: file descriptor, or a negative errno, reported on stderr.
 */
int tring_control_open_packets(const struct tring_control *control, int cpu,
			       const char *file, char **path)
{
	char *name = tring_format("%s/per_cpu/cpu%d/%s", control->dir, cpu,
				  file);
	int fd = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	int error = errno;

	if (fd < 0 && error == EBUSY)
		tring_error("%s: another program reads it", name);
	else if (fd < 0 && error == ENOENT)
		tring_error("%s: this tring module has no such file", name);
	else if (fd < 0)
		tring_error("%s: %s", name, strerror(error));
	if (path)
		*path = name;
	else
		free(name);
	return fd < 0 ? -error : fd;
}
