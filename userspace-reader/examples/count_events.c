// SPDX-License-Identifier: GPL-2.0
/*
 * count_events FILE - counts the events in a file cpuN of a trace, and the events that
 * were lost. An example of libtring_parse:
 *
 *	cc count_events.c $(pkg-config --cflags --libs libtring_parse) -o count_events
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <tring_parse.h>

static void report_damage(const struct tring_stream *stream, uint64_t offset,
			  enum tring_reason reason, uint64_t skipped)
{
	fprintf(stderr, "%s: offset 0x%" PRIx64 ": %s, %" PRIu64 " bytes skipped\n",
		(const char *)stream->private, offset, tring_reason_text(reason), skipped);
}

/* Returns the file's content, which the caller frees, or NULL. */
static void *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	void *data = NULL;
	long end = -1;

	if (file && !fseek(file, 0, SEEK_END))
		end = ftell(file);
	if (end >= 0)
		data = malloc(end + 1);
	if (data) {
		rewind(file);
		*size = fread(data, 1, end, file);
		if (ferror(file)) {
			free(data);
			data = NULL;
		}
	}
	if (!data)
		perror(path);
	if (file)
		fclose(file);
	return data;
}

int main(int argc, char **argv)
{
	uint64_t events = 0, lost = 0;
	struct tring_stream stream;
	struct tring_record record;
	size_t size;
	void *data;

	if (argc != 2) {
		fprintf(stderr, "usage: %s FILE\n", argv[0]);
		return 2;
	}
	data = read_file(argv[1], &size);
	if (!data)
		return 1;
	tring_stream_init(&stream, data, size);
	stream.report = report_damage;
	stream.private = argv[1];
	/* A recording begins with a new trace, in which no event is lost yet. */
	tring_stream_know_discarded(&stream, 0);
	while (tring_stream_next(&stream, &record) == TRING_OK) {
		events += record.id != TRING_ID_DISCARDED;
		lost += stream.lost_events;
	}
	lost += stream.pending_events;
	printf("%" PRIu64 " events, %" PRIu64 " lost\n", events, lost);
	free(data);
	return stream.errors ? 1 : 0;
}
