// SPDX-License-Identifier: GPL-2.0
/*
 * Instances that a program makes for itself. Their names have the process's pid, so that any
 * number can run at a time, and what one has left that was killed is found by the next one.
 */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lock.h"
#include "origin.h"
#include "own_ring.h"
#include "recording.h"
#include "util/util.h"

/* The first parts of names; a pid follows, and a number behind the process's first one. */
static const char * const prefixes[] = { "tring-top-", "tring-stop-" };

/**
 * struct tring_own_ring - the instance
 * @name: its name
 * @options: the user's, with the name
 * @recording: what is set up
 */
struct tring_own_ring {
	char		*name;
	struct tring_recording_options options;
	struct tring_recording recording;
};

/* Return: the pid in the name of an instance; 0 if another one has made it. */
static pid_t find_pid(const char *name)
{
	char *copy = NULL, *rest;
	uint64_t pid = 0, number;
	size_t i;

	for (i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]) && !copy; i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			copy = tring_format("%s", name + strlen(prefixes[i]));
	rest = copy;
	if (!copy || !tring_parse_number(strsep(&rest, "-"), &pid) || pid > INT32_MAX ||
	    (rest && !tring_parse_number(rest, &number)))
		pid = 0;
	free(copy);
	return pid;
}

/* Return: whether the process has ended that has made an instance, or would have now. */
static bool is_left(const char *name)
{
	pid_t pid = find_pid(name);

	return pid && (pid == getpid() || (kill(pid, 0) && errno == ESRCH));
}

/* What cannot be removed is reported, and stays. */
static void remove_left(const char *name)
{
	struct tring_control control;

	if (!tring_control_open(&control, name, false) &&
	    !tring_lock(&control, "its instance is left alone") &&
	    tring_recover(&control, true) >= 0) {
		control.made = true;
		tring_control_remove(&control);
	}
	tring_control_close(&control);
}

/**
 * tring_own_rings_clean_up - remove the instances that killed programs have left
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_own_rings_clean_up(void)
{
	struct tring_control control;
	struct dirent *entry;
	int error = tring_control_open(&control, NULL, false);
	DIR *dir = NULL;
	char *path;

	if (!error) {
		path = tring_format("%s/instances", control.dir);
		dir = opendir(path);
		free(path);
	}
	while (dir && (entry = readdir(dir)))
		if (is_left(entry->d_name))
			remove_left(entry->d_name);
	if (dir)
		closedir(dir);
	tring_control_close(&control);
	return error;
}

/**
 * tring_own_ring_make - make an instance, which is set up and does not record yet
 * @made: set to the instance, to be ended also after an error
 * @kind: what it is for
 * @number: how many the process has already
 * @options: what is to be recorded, for which tring_request_check() returned 0
 * @wake_percent: level at which a poll of the ring returns
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_own_ring_make(struct tring_own_ring **made, enum tring_own_kind kind, size_t number,
			const struct tring_recording_options *options, const char *wake_percent)
{
	struct tring_own_ring *ring = tring_allocate(sizeof(*ring));
	int error = 0;

	*made = ring;
	ring->name = tring_format("%s%d", prefixes[kind], getpid());
	if (number)
		tring_extend(&ring->name, "-%zu", number);
	ring->options = *options;
	ring->options.instance = ring->name;
	tring_recording_init(&ring->recording, &ring->options);
	/* the first one alone cannot be taken for what an earlier process of the pid has left */
	if (!number)
		error = tring_own_rings_clean_up();
	if (!error)
		error = tring_recording_prepare_ring(&ring->recording, &ring->options);
	if (!error)
		error = tring_settings_change(&ring->recording.settings, "buffer_percent",
					      wake_percent);
	return error;
}

/**
 * tring_own_ring_name - get the name of the instance
 * @ring: the instance
 */
const char *tring_own_ring_name(const struct tring_own_ring *ring)
{
	return ring->name;
}

/**
 * tring_own_ring_left_out - get what is not recorded on purpose
 * @ring: the instance
 *
 * Return: words, as tring_env() has them, to be freed.
 */
char *tring_own_ring_left_out(const struct tring_own_ring *ring)
{
	return tring_origin_left_out(&ring->recording.control, &ring->options.rules);
}

/**
 * tring_own_ring_signals - get the source of the signals that end a recording
 * @ring: the instance
 *
 * Return: a signalfd.
 */
int tring_own_ring_signals(const struct tring_own_ring *ring)
{
	return ring->recording.signal_fd;
}

/**
 * tring_own_ring_record - switch recording
 * @ring: the instance
 * @on: on or off
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_own_ring_record(struct tring_own_ring *ring, bool on)
{
	if (!ring->recording.control.cpu_count)
		return 0;
	return tring_settings_change(&ring->recording.settings, "tracing_on", on ? "1" : "0");
}

/**
 * tring_own_ring_end - remove the instance
 * @ring: the instance, whose files were closed
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_own_ring_end(struct tring_own_ring *ring)
{
	int error = tring_recording_end(&ring->recording);

	free(ring->name);
	free(ring);
	return error;
}
