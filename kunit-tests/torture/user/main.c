// SPDX-License-Identifier: GPL-2.0
/*
 * torture: one round of scripts/torture.sh, in the guest. The module writes; this
 * program reads and disturbs, and judges when everything is read.
 *
 * Exit status: 0 if all checks passed, 1 if one failed, 2 if the round could not run
 * or did not end.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program.h"
#include "util/util.h"

#define RUN		"/sys/kernel/debug/tring_torture/run"
/* Longest time for the readers to read everything at the end, and for all to take part. */
#define DRAIN_SECONDS	600
#define ROUND_SECONDS	600

struct torture torture = { .name = "torture", .seconds = 10 };

static const char *const feature_names[FEATURES] = {
	[FEATURE_READ] = "read",
	[FEATURE_PEEK] = "peek",
	[FEATURE_SNAPSHOT] = "snapshot",
	[FEATURE_TOGGLE] = "toggle",
	[FEATURE_OVERWRITE] = "overwrite",
	[FEATURE_RESIZE] = "resize",
	[FEATURE_SUBBUF] = "subbuf",
	[FEATURE_PERCENT] = "percent",
	[FEATURE_PACE] = "pace",
	[FEATURE_HOTPLUG] = "hotplug",
	[FEATURE_INSTANCES] = "instances",
	[FEATURE_NMI] = "nmi",
	[FEATURE_CLOCK] = "clock",
};

/**
 * feature_name - name of a feature in --with, --without and messages
 * @feature: the feature
 */
const char *feature_name(enum feature feature)
{
	return feature_names[feature];
}

static void set_features(const char *list, bool value)
{
	char *copy = tring_format("%s", list), *rest = copy, *name;
	int feature;

	while ((name = strsep(&rest, ","))) {
		if (!*name)
			continue;
		for (feature = 0; feature < FEATURES; feature++) {
			if (!strcmp(name, feature_names[feature]))
				break;
		}
		if (feature == FEATURES)
			die("there is no feature %s", name);
		torture.features[feature] = value;
	}
	free(copy);
}

static void need(enum feature feature, bool *missing, const char *file)
{
	char *path = join_path("%s", file);

	if (torture.features[feature] && access(path, F_OK)) {
		printf("# missing: %s, needed for \"%s\"\n", path, feature_names[feature]);
		*missing = true;
	}
	free(path);
}

/* A missing file would leave its feature untested, so the round fails. */
static void need_all(void)
{
	bool missing = false;

	need(FEATURE_READ, &missing, "per_cpu/cpu0/trace_pipe_raw_compact");
	need(FEATURE_READ, &missing, "per_cpu/cpu0/stats");
	need(FEATURE_READ, &missing, "short_ids");
	need(FEATURE_PEEK, &missing, "per_cpu/cpu0/trace_raw_compact");
	need(FEATURE_SNAPSHOT, &missing, "per_cpu/cpu0/snapshot_raw_compact");
	need(FEATURE_SNAPSHOT, &missing, "snapshot");
	need(FEATURE_TOGGLE, &missing, "tracing_on");
	need(FEATURE_OVERWRITE, &missing, "options/overwrite");
	need(FEATURE_RESIZE, &missing, "buffer_size_kb");
	need(FEATURE_SUBBUF, &missing, "buffer_subbuf_size_kb");
	need(FEATURE_PERCENT, &missing, "buffer_percent");
	need(FEATURE_INSTANCES, &missing, "../../instances");
	if (missing)
		die("files are missing");
}

/* Apply "name=value" to a parameter of the module or to a file of the instance. */
static void apply(const char *setting)
{
	char *copy = tring_format("%s", setting), *value = strchr(copy, '='), *path;
	int err;

	if (!value)
		die("no value in %s", setting);
	*value++ = 0;
	path = tring_format(PARAMETERS "/%s", copy);
	if (access(path, F_OK)) {
		free(path);
		path = join_path("%s", copy);
	}
	err = write_file(path, value);
	if (err)
		die("%s: %s", path, strerror(-err));
	free(path);
	free(copy);
}

static void must_write(const char *path, const char *text)
{
	int err = write_file(path, text);

	if (err)
		die("%s: %s", path, strerror(-err));
}

static void *watch_drain(void *unused)
{
	(void)unused;
	/* time: a hang guard */
	sleep(DRAIN_SECONDS);
	die("the readers did not come to the end");
}

static void run_round(double *seconds)
{
	char *tracing_on = join_path("tracing_on");
	uint64_t begin = tring_now_ns(), shown = begin, written;
	pthread_t watch;

	must_write(tracing_on, "1");
	must_write(RUN, "1");
	read_short_ids();
	readers_start();
	disturbers_start();
	for (;;) {
		/* time: the interval of the loop that waits for all to take part */
		sleep_us(100000);
		*seconds = (tring_now_ns() - begin) / 1e9;
		written = read_accounts();
		if (!torture.events && *seconds >= torture.seconds + ROUND_SECONDS)
			break;
		if ((torture.events ? written >= torture.events :
				      *seconds >= torture.seconds) &&
		    all_ran(false))
			break;
		if (tring_now_ns() - shown > 10e9) {
			shown = tring_now_ns();
			printf("# %s: %.0f s, %llu events\n", torture.name, *seconds,
			       (unsigned long long)written);
			fflush(stdout);
		}
	}
	*seconds = (tring_now_ns() - begin) / 1e9;
	if (pthread_create(&watch, NULL, watch_drain, NULL))
		die("no thread");
	atomic_store(&torture.stop, true);
	disturbers_join();
	peekers_join();
	must_write(RUN, "0");
	must_write(tracing_on, "0");
	atomic_store(&torture.drain, true);
	readers_join();
	free(tracing_on);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "name", required_argument, NULL, 'n' },
		{ "dir", required_argument, NULL, 'd' },
		{ "seconds", required_argument, NULL, 's' },
		{ "events", required_argument, NULL, 'e' },
		{ "without", required_argument, NULL, 'w' },
		{ "with", required_argument, NULL, 'W' },
		{ "set", required_argument, NULL, 'S' },
		{ "corrupt", no_argument, NULL, 'c' },
		{ }
	};
	double seconds;
	int option, feature;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (feature = 0; feature < FEATURES; feature++)
		torture.features[feature] = feature != FEATURE_CLOCK;
	torture.dir = "/sys/kernel/tracing/tring/instances/torture";
	torture.cpus = sysconf(_SC_NPROCESSORS_CONF);
	if (torture.cpus > TORTURE_CPUS_MAX)
		die("%u CPUs are too many", torture.cpus);
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 'n':
			torture.name = optarg;
			break;
		case 'd':
			torture.dir = optarg;
			break;
		case 's':
			torture.seconds = strtoul(optarg, NULL, 10);
			break;
		case 'e':
			torture.events = strtoull(optarg, NULL, 10);
			break;
		case 'w':
			set_features(optarg, false);
			break;
		case 'W':
			set_features(optarg, true);
			break;
		case 'S':
			apply(optarg);
			break;
		case 'c':
			torture.corrupt = true;
			break;
		default:
			die("see the head of main.c");
		}
	}
	need_all();
	if (!torture.features[FEATURE_NMI])
		must_write(PARAMETERS "/nmi_every", "0");
	must_write(PARAMETERS "/trace_clock", torture.features[FEATURE_CLOCK] ? "1" : "0");
	run_round(&seconds);
	return judge_round(seconds) ? 1 : 0;
}
