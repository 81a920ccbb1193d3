// SPDX-License-Identifier: GPL-2.0
/* Which events tables need. */
#include <stdlib.h>
#include <string.h>

#include "live_events.h"
#include "tracefs/available.h"
#include "recording_options.h"
#include "util/util.h"

/* Return: 0, or an exit status if the ring cannot record what the table needs. */
static int add_events(const struct tring_table *table, const struct tring_available *available,
		      struct tring_recording_options *options)
{
	char *copy = tring_format("%s", table->record ? table->record : ""), *rest = copy, *event;
	char *before = tring_format("the table \"%s\" needs ", table->name);
	int status = TRING_EXIT_OK;

	while ((event = strsep(&rest, ",")))
		if (*event && tring_available_check(available, event, before))
			status = TRING_EXIT_BAD;
	if (!status && table->record)
		tring_recording_option(options, 'e', table->record);
	free(before);
	free(copy);
	return status;
}

/**
 * tring_live_events_choose - add the events that tables need
 * @choice: the tables; if there are none, those that tell of tasks are chosen
 * @options: with the events that the user has named
 *
 * Return: TRING_EXIT_OK; or another exit status, reported on stderr.
 */
int tring_live_events_choose(struct tring_top_choice *choice,
			     struct tring_recording_options *options)
{
	struct tring_available available = { 0 };
	struct tring_control control;
	int status = TRING_EXIT_OK;
	size_t i;

	if (!choice->count) {
		tring_top_choose(choice, &tring_table_cpu);
		tring_top_choose(choice, &tring_table_sched);
		tring_top_choose(choice, &tring_table_wakeup);
	}
	if (tring_control_open(&control, NULL, false) ||
	    tring_available_read(&available, &control))
		status = TRING_EXIT_BAD;
	for (i = 0; i < choice->count && !status; i++)
		status = add_events(choice->tables[i], &available, options);
	if (!status && !options->events) {
		tring_error("the table \"%s\" is of any events: name them by -e",
			    choice->tables[0]->name);
		status = tring_bad_usage();
	}
	tring_available_free(&available);
	tring_control_close(&control);
	return status;
}
