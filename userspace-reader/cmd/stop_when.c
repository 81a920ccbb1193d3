// SPDX-License-Identifier: GPL-2.0
/* The conditions of tring record --stop-when: what the recording needs for them. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recording_options.h"
#include "stop_watch.h"
#include "stop_when.h"
#include "tracefs/available.h"
#include "util/util.h"

/**
 * tring_stop_when_add - add a condition
 * @options: options of the recording
 * @text: the condition, as the user has written it
 *
 * Return: false if it is wrong, reported on stderr.
 */
bool tring_stop_when_add(struct tring_recording_options *options, const char *text)
{
	struct tring_stop_when *stop;

	if (!options->watch) {
		stop = tring_allocate(sizeof(*stop));
		stop->watch = (struct tring_watch) {
			.calls = &tring_stop_watch_calls, .fd = -1, .end_ns = UINT64_MAX,
		};
		options->watch = &stop->watch;
	}
	stop = tring_stop_when_of(options->watch);
	stop->list = tring_one_more(stop->list, stop->count, sizeof(*stop->list));
	stop->list[stop->count] = (struct tring_watched) { 0 };
	return tring_stop_condition_parse(&stop->list[stop->count++].condition, text);
}

/* Return: whether the recording itself defines the event. */
static bool is_defined(const struct tring_recording_options *options, const char *event)
{
	const struct tring_dynamics *dynamics = &options->dynamics;
	size_t i;

	for (i = 0; i < dynamics->count; i++) {
		const char *full = dynamics->list[i].event, *name = strchr(full, '/');
		size_t group = name - full;

		if (!strcmp(event, name + 1) || (!strncmp(event, full, group) &&
						 event[group] == ':' &&
						 !strcmp(event + group + 1, name + 1)))
			return true;
	}
	return false;
}

/* Return: false, reported on stderr, if the events of a condition cannot be recorded. */
static bool record(struct tring_recording_options *options,
		   const struct tring_stop_condition *condition)
{
	const char *event;
	unsigned int i;
	bool good = true;

	if (condition->pair.name)
		return tring_recording_pair(options, &condition->pair);
	for (i = 0; good && (event = tring_stop_condition_event(condition, i)); i++)
		good = is_defined(options, event) || tring_recording_option(options, 'e', event);
	return good;
}

/**
 * tring_stop_when_record - let the recording have what its conditions need
 * @options: all options of the recording, with a condition
 *
 * Return: false if they do not go together, reported on stderr.
 */
bool tring_stop_when_record(struct tring_recording_options *options)
{
	const struct tring_stop_when *stop = tring_stop_when_of(options->watch);
	const struct tring_event_rules *rules = &options->rules;
	bool good = true;
	size_t i;

	options->rests = options->overwrite && *options->overwrite == '1';
	if (options->rests && (options->split_bytes || options->split_ns || options->max_bytes)) {
		tring_error("--stop-when: --overwrite keeps what a ring holds, --split and %s",
			    "--max-size what the disk does: one of them");
		return false;
	}
	if (tring_event_rules_have_trigger(rules, "traceoff") ||
	    tring_event_rules_have_trigger(rules, "traceon")) {
		tring_error("--stop-when and a trigger that switches recording: one of them");
		return false;
	}
	for (i = 0; i < stop->count && good; i++)
		good = record(options, &stop->list[i].condition);
	return good;
}

static bool has_events(const struct tring_recording_options *options,
		       const struct tring_stop_condition *condition)
{
	char *before = tring_format("--stop-when '%s' needs ", condition->text);
	const char *event;
	unsigned int i;
	bool has = true;

	for (i = 0; (event = tring_stop_condition_event(condition, i)); i++)
		if (!is_defined(options, event) &&
		    tring_available_check(&options->available, event, before))
			has = false;
	free(before);
	return has;
}

/**
 * tring_stop_when_check - check that the kernel has what the conditions need
 * @options: options of the recording, with a condition and the kernel's events
 *
 * Return: false if it has not, reported on stderr.
 */
bool tring_stop_when_check(const struct tring_recording_options *options)
{
	const struct tring_stop_when *stop = tring_stop_when_of(options->watch);
	bool good = true;
	size_t i;

	for (i = 0; i < stop->count; i++)
		good &= has_events(options, &stop->list[i].condition);
	return good;
}

/**
 * tring_stop_when_free - free the conditions
 * @options: options of the recording
 */
void tring_stop_when_free(struct tring_recording_options *options)
{
	struct tring_stop_when *stop = tring_stop_when_of(options->watch);
	size_t i;

	if (!stop)
		return;
	for (i = 0; i < stop->count; i++) {
		struct tring_watched *watched = &stop->list[i];

		tring_stop_condition_free(&watched->condition);
		tring_recording_options_free(&watched->options);
		free(watched->cpus);
		free(watched->clock);
		free(watched->what);
		free(watched->payload);
	}
	if (stop->watch.fd >= 0)
		close(stop->watch.fd);
	free(stop->watch.result);
	free(stop->list);
	free(stop);
	options->watch = NULL;
}
