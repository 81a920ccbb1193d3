// SPDX-License-Identifier: GPL-2.0
/*
 * Disturbs a ring while it is written and read. One thread changes options and sizes
 * and takes snapshots, one takes CPUs offline and online, one creates and removes
 * other instances.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"
#include "util/util.h"

#define CPU_ONLINE	"/sys/devices/system/cpu/cpu%u/online"

static atomic_uint_fast64_t done[FEATURES];
static pthread_t switcher, plugger, maker;

/**
 * disturbances - number of disturbances by a feature
 * @feature: the feature
 */
uint64_t disturbances(enum feature feature)
{
	return atomic_load(&done[feature]);
}

/**
 * print_disturbances - print the number of disturbances by each feature
 */
void print_disturbances(void)
{
	int feature;

	printf("# %s: disturbed:", torture.name);
	for (feature = 0; feature < FEATURES; feature++) {
		if (disturbances(feature))
			printf(" %s %llu", feature_name(feature),
			       (unsigned long long)disturbances(feature));
	}
	putchar('\n');
}

/*
 * A file that allocates memory may fail with ENOMEM. While the clock is traced by a
 * breakpoint, before kprobes has made a jump of it, each turn of a switch of memory is
 * disturbed by an event of NMI level; the switch gives up with EBUSY.
 */
static bool may_fail(int err)
{
	return err == -ENOMEM || (err == -EBUSY && torture.features[FEATURE_CLOCK]);
}

/* Write to a file of the instance. If it fails, the ledger shows that nothing has changed. */
static void set(enum feature feature, const char *file, unsigned int value)
{
	char *path = join_path("%s", file);
	char text[16];
	int err;

	snprintf(text, sizeof(text), "%u\n", value);
	err = write_file(path, text);
	if (err && !may_fail(err))
		fault(CHECK_FILES, "%s: writing %u: %s", file, value, strerror(-err));
	if (!err)
		atomic_fetch_add(&done[feature], 1);
	free(path);
}

static void set_pace(unsigned int pause_us)
{
	char text[16];
	int err;

	snprintf(text, sizeof(text), "%u\n", pause_us);
	err = write_file(PARAMETERS "/pause_us", text);
	if (err)
		fault(CHECK_FILES, "pause_us: %s", strerror(-err));
	else
		atomic_fetch_add(&done[FEATURE_PACE], 1);
}

/* A fixed order, so that a short round has every disturbance, too. */
static const enum feature turns[] = {
	FEATURE_RESIZE, FEATURE_SNAPSHOT, FEATURE_TOGGLE, FEATURE_SUBBUF, FEATURE_SNAPSHOT,
	FEATURE_OVERWRITE, FEATURE_PACE, FEATURE_RESIZE, FEATURE_SNAPSHOT, FEATURE_PERCENT,
	FEATURE_SUBBUF, FEATURE_PACE,
};

#define TURNS (sizeof(turns) / sizeof(*turns))

static void turn_one(enum feature feature, uint64_t dice)
{
	unsigned int pick = dice & 0xffff;

	if (!torture.features[feature])
		return;
	switch (feature) {
	case FEATURE_TOGGLE:
		set(feature, "tracing_on", 0);
		sleep_us(pick % 4000);
		set(feature, "tracing_on", 1);
		break;
	case FEATURE_OVERWRITE:
		set(feature, "options/overwrite", pick % 2);
		break;
	case FEATURE_RESIZE:
		set(feature, "buffer_size_kb", 16 + pick % 2048);
		break;
	case FEATURE_SUBBUF:
		set(feature, "buffer_subbuf_size_kb", 4 << pick % 5);
		break;
	case FEATURE_SNAPSHOT:
		/* Mostly take one (1), sometimes clear it (2) or free it (0). */
		set(feature, "snapshot", pick % 8 > 1 ? 1 : pick % 8 ? 2 : 0);
		break;
	case FEATURE_PACE:
		/* With a pause readers keep up with writers, without one they do not. */
		set_pace(pick % 2 ? 0 : 500 + pick % 4096);
		break;
	default:
		set(feature, "buffer_percent", pick % 101);
		break;
	}
}

static void *run_switcher(void *unused)
{
	uint64_t random = tring_now_ns() | 1;
	unsigned int turn = random_number(&random);

	(void)unused;
	while (!atomic_load(&torture.stop)) {
		turn_one(turns[turn++ % TURNS], random_number(&random));
		sleep_us(random_number(&random) % 30000);
	}
	return NULL;
}

/* Many kernels cannot take CPU 0 offline, so callers leave it alone. */
static void plug(unsigned int cpu, bool online)
{
	char *path = tring_format(CPU_ONLINE, cpu);
	int err;

	err = write_file(path, online ? "1" : "0");
	/* The kernel may refuse with EBUSY or EAGAIN for a moment. */
	if (err && err != -EBUSY && err != -EAGAIN)
		fault(CHECK_FILES, "%s: %s", path, strerror(-err));
	if (!err)
		atomic_fetch_add(&done[FEATURE_HOTPLUG], 1);
	free(path);
}

static void *run_plugger(void *unused)
{
	uint64_t random = tring_now_ns() | 1;
	unsigned int cpu;

	(void)unused;
	while (!atomic_load(&torture.stop) && torture.cpus > 1) {
		cpu = 1 + random_number(&random) % (torture.cpus - 1);
		plug(cpu, false);
		sleep_us(random_number(&random) % 200000);
		plug(cpu, true);
		sleep_us(random_number(&random) % 400000);
	}
	return NULL;
}

static void make_and_remove(unsigned int number)
{
	char *dir = tring_format("%s/../beside%u", torture.dir, number);
	char *file = tring_format("%s/tracing_on", dir);
	char *size = tring_format("%s/buffer_size_kb", dir);
	int err = 0;

	if (mkdir(dir, 0750)) {
		if (errno != ENOMEM)
			fault(CHECK_FILES, "mkdir %s: %s", dir, strerror(errno));
		goto out;
	}
	err = write_file(file, "1\n");
	if (!err)
		err = write_file(size, "64\n");
	if (err && err != -ENOMEM)
		fault(CHECK_FILES, "%s: %s", dir, strerror(-err));
	sleep_us(1000);
	if (rmdir(dir))
		fault(CHECK_FILES, "rmdir %s: %s", dir, strerror(errno));
	else
		atomic_fetch_add(&done[FEATURE_INSTANCES], 1);
out:
	free(size);
	free(file);
	free(dir);
}

static void *run_maker(void *unused)
{
	uint64_t random = tring_now_ns() | 1;

	(void)unused;
	while (!atomic_load(&torture.stop)) {
		make_and_remove(random_number(&random) % 4);
		sleep_us(random_number(&random) % 100000);
	}
	return NULL;
}

static void start(enum feature feature, pthread_t *thread, void *(*run)(void *))
{
	if (torture.features[feature] && pthread_create(thread, NULL, run, NULL))
		die("no thread");
}

/**
 * disturbers_start - start the threads; they end at torture.stop
 */
void disturbers_start(void)
{
	if (pthread_create(&switcher, NULL, run_switcher, NULL))
		die("no thread");
	start(FEATURE_HOTPLUG, &plugger, run_plugger);
	start(FEATURE_INSTANCES, &maker, run_maker);
}

/**
 * disturbers_join - wait for the threads; afterwards all CPUs are online
 */
void disturbers_join(void)
{
	pthread_join(switcher, NULL);
	if (torture.features[FEATURE_HOTPLUG])
		pthread_join(plugger, NULL);
	if (torture.features[FEATURE_INSTANCES])
		pthread_join(maker, NULL);
}
