// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Prints the longest time that a task waited for a CPU, from sched_waking to sched_switch. Behind
 * a loss nothing is known of what waits.
 *
 *	cc -o longest_wait longest_wait.c $(pkg-config --cflags --libs libtring)
 *	./longest_wait trace-directory
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <tring.h>

#define PIDS	(1 << 22)	/* the kernel's limit */

static uint64_t woken[PIDS];

int main(int argc, char **argv)
{
	const struct tring_wanted wanted = {
		.size = sizeof(wanted), .events = "sched:sched_waking,sched:sched_switch",
	};
	uint64_t longest = 0, when = 0;
	struct tring_trace *trace;
	struct tring_item item;
	int64_t pid = 0;

	if (argc != 2)
		return 2;
	if (tring_open(&trace, argv[1], NULL) || tring_select(trace, &wanted))
		fprintf(stderr, "%s\n", tring_status_text(trace));
	while (!tring_status(trace) && tring_next(trace, &item) > 0) {
		int waking = item.event && !strcmp(item.event->name, "sched_waking");
		int64_t task;

		if (item.kind == TRING_ITEM_LOSS)
			memset(woken, 0, sizeof(woken));
		if (item.kind == TRING_ITEM_LOSS || item.wrong)
			continue;
		task = tring_number(&item, tring_find_field(item.event,
							    waking ? "pid" : "next_pid"));
		if (task <= 0 || task >= PIDS)
			continue;
		if (!waking && woken[task] && item.record->stamp - woken[task] > longest) {
			longest = item.record->stamp - woken[task];
			when = woken[task];
			pid = task;
		}
		woken[task] = waking ? item.record->stamp : 0;
	}
	if (longest)
		printf("%s-%" PRId64 " waited %" PRIu64 " ns from %" PRIu64 " on\n",
		       tring_comm(trace, pid), pid, tring_ns(trace, longest),
		       tring_ns(trace, when));
	pid = tring_status(trace);
	tring_close(trace);
	return pid != 0;
}
