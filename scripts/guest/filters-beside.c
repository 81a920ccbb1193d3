// SPDX-License-Identifier: GPL-2.0
/*
 * filters-beside SEED FILTERS EVENTS TRACEFS TRING [cpus] - gives an event of ftrace's and of
 * tring's the same random filter, FILTERS times, and lets EVENTS random ones happen each time. The
 * host compares what both have recorded. With "cpus" the kernel's filters know CPUS{...}.
 *
 * The events have probes of tring's, with numbers of 2, 4 and 8 bytes and strings in arrays. perf
 * drops events when there are many at once, so none comes by it.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "../../kunit-tests/filter/random.h"

static const char *const numbers[] = {
	"0", "1", "2", "3", "100", "255", "256", "0x7fff", "0x8000", "65535", "0x7fffffff",
	"0x80000000", "0xffffffff", "0x100000000", "0x7fffffffffffffff", NULL
};

static const char *const large_numbers[] = {
	"0x8000000000000000", "0xffffffffffffffff", "0xfffffffffffffffe", "0", NULL
};

static const char *const signed_numbers[] = {
	"0", "1", "-1", "2", "-32768", "32767", "65536", "-2147483648", "2147483647", "5000", NULL
};

static const char *const strings[] = {
	"\"\"", "\"a\"", "\"ab\"", "'abc'", "\"a*\"", "\"*b\"", "\"*b*\"", "\"a*b\"", "\"?b\"",
	"\"[ab]*\"", "\"[!a]*\"", "\"!a*\"", "\"*a?*\"", "\"abcde\"", "\"**\"", "\"*\"",
	"\"[b-\"", "\"\\ab\"", "\"1*\"", "\"*[c-e]\"", "\"[]a]b*\"", "\"*a*b*c*\"", "\"!\"",
	"\"abcdeabcdeabcde\"", NULL
};

/* Behind the NUL of newcomm there are any bytes, which a pattern with a star in front looks at. */
static const char *const whole_strings[] = {
	"\"\"", "\"a\"", "\"ab\"", "'abc'", "\"a*\"", "\"a*b\"", "\"?b\"", "\"[ab]*\"",
	"\"[!a]*\"", "\"!a*\"", "\"*a?*\"", "\"abcde\"", "\"[b-\"", "\"\\ab\"", "\"1*\"",
	"\"*[c-e]\"", "\"*a*b*c*\"", NULL
};

static const char *const cpus[] = { "0", "1", "-1", "7", NULL };
static const char *const sets[] = { "CPUS{0}", "CPUS{1}", "CPUS{0-1}", NULL };

static const struct filter_word rename_words[] = {
	{ "oldcomm", 't', strings }, { "newcomm", 't', whole_strings }, { "COMM", 't', strings },
	{ "oom_score_adj", 's', signed_numbers }, { "pid", 's', signed_numbers },
	{ "common_pid", 's', signed_numbers }, { "CPU", 's', cpus },
	{ "common_type", 'u', numbers },
	{ "common_preempt_count", 'u', numbers },
	{ "CPU", 's', sets }, { "common_flags", 'u', sets }, { "pid", 's', sets },
};

static const struct filter_word seek_words[] = {
	{ "fd", 'u', numbers }, { "fd", 'u', large_numbers }, { "offset", 'u', numbers },
	{ "offset", 'u', large_numbers }, { "whence", 'u', numbers },
	{ "__syscall_nr", 's', signed_numbers },
	{ "common_pid", 's', signed_numbers }, { "comm", 't', strings },
	{ "whence", 'u', sets }, { "fd", 'u', sets },
};

static void any_string(char *to, uint32_t size)
{
	static const char letters[] = "aabbcde1]\\[";
	/* Not empty: 6.1 finds that "[!a]" matches the end. */
	uint32_t i, length = 1 + random_below(random_below(2) ? 4 : size - 1);

	for (i = 0; i < length; i++)
		to[i] = letters[random_below(sizeof(letters) - 1)];
	to[length] = '\0';
}

static void rename_task(void)
{
	char name[16];

	any_string(name, sizeof(name));
	prctl(PR_SET_NAME, name);
}

static void seek(void)
{
	lseek(random_number(), random_number(), random_number());
}

static const struct {
	const char *name;
	const struct filter_word *words;
	uint32_t count, with_sets;
	void (*happen)(void);
} events[] = {
	{ "task/task_rename", rename_words, 9, 12, rename_task },
	{ "syscalls/sys_enter_lseek", seek_words, 8, 10, seek },
};

#define EVENTS	(sizeof(events) / sizeof(events[0]))

static int open_filter(const char *tracefs, const char *event)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/events/%s/filter", tracefs, event);
	return open(path, O_WRONLY | O_CLOEXEC);
}

/* For events of this process only: while one of the files has the filter before, others happen. */
static void set_filter(int file, const char *text, const char *where)
{
	char whole[FILTER_TEXT_SIZE + 64];
	int length = snprintf(whole, sizeof(whole), "(%s) && common_pid == %d", text, getpid());

	if (write(file, whole, length) != length) {
		fprintf(stderr, "%s: %s: %s\n", where, whole, strerror(errno));
		exit(1);
	}
}

int main(int argc, char **argv)
{
	unsigned long filters, happened, which, left;
	int files[EVENTS][2];
	char text[FILTER_TEXT_SIZE];
	bool with_sets = argc > 6;

	if (argc < 6)
		errx(1, "usage: filters-beside SEED FILTERS EVENTS TRACEFS TRING [cpus]");
	random_seed(strtoull(argv[1], NULL, 10));
	for (which = 0; which < EVENTS; which++) {
		files[which][0] = open_filter(argv[4], events[which].name);
		files[which][1] = open_filter(argv[5], events[which].name);
	}
	if (files[0][0] < 0 || files[0][1] < 0)
		errx(1, "no events/task/task_rename/filter");
	for (filters = strtoul(argv[2], NULL, 10); filters; filters--) {
		do
			which = random_below(EVENTS);
		while (files[which][0] < 0 || files[which][1] < 0);
		random_filter(text, events[which].words,
			      with_sets ? events[which].with_sets : events[which].count);
		/* seek() may have been here. This is an event, too, with the filters before. */
		lseek(files[which][0], 0, SEEK_SET);
		lseek(files[which][1], 0, SEEK_SET);
		set_filter(files[which][0], text, "ftrace");
		set_filter(files[which][1], text, "tring");
		left = strtoul(argv[3], NULL, 10);
		for (happened = 0; happened < left; happened++)
			events[which].happen();
	}
	return 0;
}
