// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Prints how many events of each name a trace has, a second of its time.
 *
 *	cc -o event_rates event_rates.c $(pkg-config --cflags --libs libtring)
 *	./event_rates trace-directory
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <tring.h>

static void print_message(void *data, enum tring_level level, const char *text)
{
	(void)level;
	fprintf(stderr, "%s: %s\n", (const char *)data, text);
}

int main(int argc, char **argv)
{
	struct tring_options options = {
		.size = sizeof(options), .message = print_message, .data = argv[0],
	};
	uint64_t first = UINT64_MAX, last = 0, lost = 0, *counts;
	struct tring_trace *trace;
	struct tring_item item;
	size_t i;

	if (argc != 2)
		return 2;
	tring_open(&trace, argv[1], &options);
	counts = calloc(tring_event_count(trace) + 1, sizeof(*counts));
	while (counts && !tring_status(trace) && tring_next(trace, &item) > 0) {
		if (item.kind == TRING_ITEM_LOSS) {
			lost += item.events;
			continue;
		}
		last = tring_ns(trace, item.record->stamp);
		first = last < first ? last : first;
		if (item.event)
			counts[item.event->number]++;
	}
	for (i = 0; counts && i < tring_event_count(trace); i++)
		if (counts[i] && last > first)
			printf("%-24s %12.1f/s\n", tring_event_at(trace, i)->name,
			       1e9 * counts[i] / (last - first));
	printf("%-24s %12" PRIu64 "\n", "lost", lost);
	tring_check(trace);
	i = tring_problems(trace) || tring_status(trace);
	free(counts);
	tring_close(trace);
	return i;
}
