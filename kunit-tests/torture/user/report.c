// SPDX-License-Identifier: GPL-2.0
/* Reports of faults, and small helpers of all parts. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "program.h"
#include "util/util.h"

/* Number of faults of one check that are printed; all of them count. */
#define FAULTS_TOLD	8

static const char *const check_names[CHECKS] = {
	[CHECK_RECORDS] = "every record is intact",
	[CHECK_HEADS] = "pid, flags and preempt count are the writer's",
	[CHECK_SEQUENCE] = "sequence numbers rise in stream order",
	[CHECK_STAMPS] = "timestamps are monotonic and the writer's",
	[CHECK_PACKETS] = "each packet is read once, in order",
	[CHECK_DISCARDED] = "events_discarded agrees with the gaps",
	[CHECK_PEEKED] = "peeked packets are those that are read",
	[CHECK_LOSSES] = "each gap is explained by counted losses",
	[CHECK_WRITERS] = "the ring counted what it told its writers",
	[CHECK_READERS] = "the ring counted what its readers got",
	[CHECK_LEDGER] = "the ledger balances",
	[CHECK_FILES] = "files do what they are told",
	[CHECK_ALL_RAN] = "everything took part",
};

static atomic_ulong faults[CHECKS];

/**
 * fault - report that a check failed
 * @check: the check
 * @format: details, as for printf()
 */
void fault(enum check check, const char *format, ...)
{
	unsigned long count = atomic_fetch_add(&faults[check], 1);
	char text[400];
	va_list args;

	if (count >= FAULTS_TOLD)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	printf("# fault: %s: %s: %s\n", torture.name, check_names[check], text);
	fflush(stdout);
}

/**
 * faults_of - number of faults of a check so far
 * @check: the check
 */
unsigned long faults_of(enum check check)
{
	return atomic_load(&faults[check]);
}

/**
 * report_checks - print a line for each check
 * @round: name of the round
 * @notes: remark on each check, or NULL; "skip" and a reason if it did not run
 *
 * Return: number of checks that failed.
 */
unsigned int report_checks(const char *round, const char *const notes[CHECKS])
{
	unsigned int failed = 0;
	int check;

	for (check = 0; check < CHECKS; check++) {
		unsigned long count = atomic_load(&faults[check]);
		const char *note = notes[check] ? notes[check] : "";
		const char *verdict = "ok";

		if (count) {
			verdict = "not ok";
			failed++;
		} else if (!strncmp(note, "skip", 4)) {
			verdict = "skip";
			note += 4;
		}
		printf("%s - %s: %s%s%s", verdict, round, check_names[check],
		       *note ? ": " : "", note);
		if (count)
			printf(" [%lu faults]", count);
		putchar('\n');
	}
	fflush(stdout);
	return failed;
}

/**
 * die - end the program because the round cannot run
 * @format: reason, as for printf()
 */
void die(const char *format, ...)
{
	va_list args;

	printf("not ok - %s: cannot run: ", torture.name);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
	/* exit() would run handlers while other threads still run. */
	_exit(2);
}

/**
 * join_path - path below the instance's directory
 * @format: relative path, as for printf()
 *
 * Return: path that the caller frees.
 */
char *join_path(const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return tring_format("%s/%s", torture.dir, text);
}

/**
 * write_file - write a text to a file by one write()
 * @path: path of the file
 * @text: the text
 *
 * Return: 0 or -errno.
 */
int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	ssize_t count;
	int err = 0;

	if (fd < 0)
		return -errno;
	count = write(fd, text, strlen(text));
	if (count < 0)
		err = -errno;
	else if ((size_t)count != strlen(text))
		err = -EIO;
	close(fd);
	return err;
}

/**
 * sleep_us - sleep
 * @us: duration in microseconds
 */
void sleep_us(unsigned int us)
{
	struct timespec time = { us / 1000000, us % 1000000 * 1000L };

	/* time: the pace of readers and disturbers, at random */
	nanosleep(&time, NULL);
}

/**
 * random_number - pseudo-random number (xorshift)
 * @state: state of the generator, never 0
 */
uint64_t random_number(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state >> 8;
}

/**
 * read_short_ids - learn which events the ring's short types stand for
 *
 * Packets do not name them. The module's types exist once it writes.
 */
void read_short_ids(void)
{
	char *path = join_path("short_ids"), *text = tring_read_text(path, NULL);
	char *rest = text, *line;
	unsigned int type, id;

	if (!text)
		die("cannot read %s", path);
	while ((line = strsep(&rest, "\n"))) {
		if (!*line)
			continue;
		if (sscanf(line, "%u %u ", &type, &id) != 2 || type >= TRING_TYPES ||
		    id > TRING_ID_MAX)
			die("%s: cannot parse \"%s\"", path, line);
		torture.short_ids[type] = id;
	}
	free(text);
	free(path);
}
