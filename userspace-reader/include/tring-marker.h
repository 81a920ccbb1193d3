/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Marks spans and counters of a program in a trace, see tring-marker(5). Each call writes one line,
 * and does nothing if there is no tring, or if the program may not write there.
 *
 *	tring_marker_begin("request");
 *	tring_marker_counter("queue", length);
 *	tring_marker_end();
 *
 * The spans of a thread lie within each other.
 */
#ifndef TRING_MARKER_H
#define TRING_MARKER_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TRING_MARKER_FILE	"/sys/kernel/tracing/tring/trace_marker"

/* Opens the file of TRING_MARKER, or tring's, once. The kernel takes a write() as a whole. */
static inline void tring_marker_write(const char *text, int size)
{
	static int file = -2;
	const char *path = getenv("TRING_MARKER");

	if (file == -2)
		file = open(path ? path : TRING_MARKER_FILE, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (file >= 0 && size > 0 && write(file, text, size) < 0)
		return;
}

/* Begins a span; of its name 200 characters count. */
static inline void tring_marker_begin(const char *name)
{
	char text[256];

	tring_marker_write(text, snprintf(text, sizeof(text), "B|%d|%.200s\n", (int)getpid(),
					  name));
}

/* Ends the span of this thread that has begun last. */
static inline void tring_marker_end(void)
{
	char text[32];

	tring_marker_write(text, snprintf(text, sizeof(text), "E|%d\n", (int)getpid()));
}

/* A counter has a value from now on. */
static inline void tring_marker_counter(const char *name, long long value)
{
	char text[256];

	tring_marker_write(text, snprintf(text, sizeof(text), "C|%d|%.200s|%lld\n", (int)getpid(),
					  name, value));
}

#endif /* TRING_MARKER_H */
