// SPDX-License-Identifier: GPL-2.0
/*
 * torture-salvaged DIR UNCOMMITTED - checks a trace of the torture module that tring salvage
 * has made, in which UNCOMMITTED records were open.
 *
 * Each byte of each event must be the writer's, on its CPU, in its order; no packet may be
 * missing; and a number that is missing must be that of an event that the ring has counted as
 * lost, or of an open record. Prints the number of events of each CPU.
 *
 * Exit status: 0 if all checks passed, 1 if one failed, 2 if there is no such trace.
 */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "wire/wire.h"
#include "util/util.h"

struct torture torture = { .name = "salvaged" };

static const char *const notes[CHECKS] = {
	[CHECK_PEEKED] = "skip", [CHECK_WRITERS] = "skip", [CHECK_READERS] = "skip",
	[CHECK_LEDGER] = "skip", [CHECK_FILES] = "skip", [CHECK_ALL_RAN] = "skip",
	[CHECK_DISCARDED] = "skip",
};

/*
 * Numbers that are missing behind the first packet, whose events_discarded count what was lost
 * in it and before it.
 */
static uint64_t count_missing(const struct notes *packets, size_t first)
{
	uint64_t last[TORTURE_CONTEXTS], missing = 0;
	int context;
	size_t i;

	memcpy(last, packets->notes[first].last, sizeof(last));
	for (i = first + 1; i < packets->count; i++) {
		const struct packet_note *note = &packets->notes[i];

		for (context = 0; context < TORTURE_CONTEXTS; context++) {
			if (!note->contexts[context])
				continue;
			if (note->first[context] <= last[context])
				fault(CHECK_SEQUENCE, "packet %" PRIu64 ": %" PRIu64
				      " after %" PRIu64, note->number, note->first[context],
				      last[context]);
			/* The context's first event of all follows none. */
			missing += note->last[context] - note->contexts[context] -
				   (last[context] ? last[context] : note->first[context] - 1);
			last[context] = note->last[context];
		}
	}
	return missing;
}

/* Returns the missing numbers that no counted loss explains. */
static uint64_t judge_cpu(unsigned int cpu, const char *path)
{
	struct notes packets = { };
	uint64_t events = 0, lost, missing;
	size_t first = 0;
	struct packet_note note;
	struct tring_packet packet;
	size_t size, at;
	char *data;

	data = tring_read_text(path, &size);
	if (!data)
		die("cannot read %s", path);
	for (at = 0; at < size; at += packet.packet_size) {
		if (tring_packet_parse(data + at, size - at, &packet) ||
		    !check_packet(data + at, size - at, cpu, path, &note))
			break;
		if (packets.count && note.number != packets.notes[packets.count - 1].number + 1)
			fault(CHECK_PACKETS, "CPU %u: packet %" PRIu64 " after %" PRIu64, cpu,
			      note.number, packets.notes[packets.count - 1].number);
		note_packet(&packets, &note, path, cpu);
		events += note.events;
	}
	if (at != size)
		fault(CHECK_PACKETS, "%s: %zu bytes are no packets", path, size - at);
	free(data);
	if (!packets.count)
		return 0;
	/* A packet without events tells what was lost before the first one. */
	while (first + 1 < packets.count && !packets.notes[first].events)
		first++;
	missing = count_missing(&packets, first);
	lost = packets.notes[packets.count - 1].lost - packets.notes[first].lost;
	printf("CPU %u: %" PRIu64 " events, %" PRIu64 " numbers missing, %" PRIu64 " lost\n", cpu,
	       events, missing, lost);
	free(packets.notes);
	return missing > lost ? missing - lost : 0;
}

int main(int argc, char **argv)
{
	uint64_t unexplained = 0, uncommitted;
	struct dirent *entry;
	unsigned int cpu;
	char *path;
	DIR *dir;
	int used;

	if (argc != 3) {
		fprintf(stderr, "usage: torture-salvaged DIR UNCOMMITTED\n");
		return 2;
	}
	uncommitted = strtoull(argv[2], NULL, 10);
	path = tring_format("%s/tring", argv[1]);
	torture.dir = path;
	read_short_ids();
	free(path);
	torture.dir = argv[1];
	dir = opendir(argv[1]);
	if (!dir)
		die("cannot open %s", argv[1]);
	while ((entry = readdir(dir))) {
		if (sscanf(entry->d_name, "cpu%u%n", &cpu, &used) != 1 || entry->d_name[used])
			continue;
		path = join_path("%s", entry->d_name);
		unexplained += judge_cpu(cpu, path);
		free(path);
	}
	closedir(dir);
	if (unexplained > uncommitted)
		fault(CHECK_LOSSES, "%" PRIu64 " events are missing, %" PRIu64 " records were open",
		      unexplained, uncommitted);
	return report_checks(torture.name, notes) ? 1 : 0;
}
